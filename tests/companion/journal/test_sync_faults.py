"""A sync that fails: what was refused is not there after `kill -9`, and what is wrong is said until one
works.

The kernel refuses the syncs here; see `support.refused_syncs`.  What `kill -9` would leave is a copy of the
folder: all that was written, synced or not.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.evenings import evening
from support.lasting import troubles_at
from support.paths import TESTS
from support.patience import until
from support.server import ask, companion
from support.sync_faults import (
    UNSYNCED_FROM_SIGUSR1,
    WITH_TESTS,
    after_kill,
    shown,
    sync_library,
    without_sync,
)
from support.tables import opened, play_on

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import ChangeNextGame, Name, Press
from cribpi.companion.journal.journal import Journal, JournalTrouble, TableResponse
from cribpi.companion.table.table import Table
from cribpi.cribbage.game.events import DealerChosen

NOT_SAVED = (
    "not saved, and nothing has changed (disk I/O error): check the card or disk, which is "
    "failing (dmesg has more), then press again"
)
SYNCED_AT_RANDOM = TESTS / "support" / "synced_at_random.py"


WRITES: dict[str, tuple[str, Callable[[Table], TableResponse]]] = {
    # the keys before it, and what is refused
    "an event": ("OK OK P2 3 10", lambda table: table.do(Press("9"))),
    "an undo": ("OK OK P2 3 10", lambda table: table.do(Press("UNDO"))),
    "a redo": ("OK OK P2 3 10 UNDO", lambda table: table.do(Press("hold:UNDO"))),
    "a menu": ("OK OK P2 3 10", lambda table: table.do(Press("MENU"))),
    "names": ("OK OK P2 3", lambda table: table.do(Name(("ANN", "BOB")))),
    "a new game": ("OK", lambda table: table.do(Press("OK"))),
    "a game that is set up": ("", lambda table: table.do(ChangeNextGame(Changes(options={"target": "61"})))),
}


@pytest.mark.parametrize("is_begun_again", [False, True], ids=["log goes on", "log begun again"])
@pytest.mark.parametrize(("keys", "write"), WRITES.values(), ids=WRITES)
def test_what_a_failed_sync_has_refused_is_not_there_after_a_kill(
    tmp_path: Path, keys: str, write: Callable[[Table], TableResponse], *, is_begun_again: bool
) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        for key in keys.split():
            assert table.do(Press(key)).is_accepted, key
        if is_begun_again:  # all of the log is in the file, so that the next write begins it again
            journal._opened.checkpoint()
        before = shown(table)
        answer = without_sync(lambda: write(table))
        assert (answer.is_accepted, json.loads(answer.text)) == (False, {"error": NOT_SAVED})
        assert shown(table) == before
        assert after_kill(folder) == before
        assert write(table).is_accepted, "and it goes on where it was"
        assert after_kill(folder) == shown(table)


def test_a_disk_that_stays_broken_refuses_each_press_and_keeps_none(tmp_path: Path) -> None:
    folder, chance = tmp_path / "state", Random(3)
    with opened(folder) as (_, table):
        play_on(table, chance, 40)
        before = shown(table)
        for number in range(12):
            name = f"id-{number}"
            answer = without_sync(lambda name=name: table.do(Press("MENU"), id=name))  # type: ignore[misc]
            assert not answer.is_accepted
            assert after_kill(folder) == before
        assert table.do(Press("MENU"), id="id-3").is_accepted, "its refusal is not kept: it may be sent again"
        assert after_kill(folder) == shown(table)


def test_an_import_whose_sync_failed_is_not_there_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        before = shown(table)
        events = [
            DealerChosen(0)
        ] * 3000  # more than SQLite keeps in memory: some is in the log before the end
        with pytest.raises(JournalTrouble, match=r"nothing has changed .* then import again"):
            without_sync(lambda: journal.commit("now", 1, "{}", events, again="import again"))
        assert after_kill(folder) == before


def test_the_answer_to_a_press_against_the_rules_is_given_again_also_where_the_disk_does_not_keep_it(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        answer = without_sync(lambda: table.do(Press("GO"), id="an id"))
        assert not answer.is_accepted
        assert "not saved" not in answer.text
        assert table.do(Press("OK")).is_accepted, "another game, where that key may be pressed"
        assert without_sync(lambda: table.do(Press("OK"), id="an id")) == answer
        assert table.do(Press("OK"), id="an id") == answer
        assert table.do(Press("OK"), id="another id").is_accepted
    with opened(folder) as (journal, _):
        assert journal.response("an id") == answer, "the disk got it with the next press"


def test_an_answer_that_no_disk_has_kept_is_gone_with_the_program(tmp_path: Path) -> None:
    folder, left = tmp_path / "state", tmp_path / "left"
    with opened(folder) as (journal, table):
        without_sync(lambda: table.do(Press("GO"), id="an id"))
        assert journal.response("an id") is not None
        shutil.copytree(folder, left)
    with opened(left) as (journal, _):
        assert journal.response("an id") is None


def test_a_log_that_ends_with_half_a_transaction_of_a_killed_program_is_cut_where_it_counts(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(1), 20)
        left = tmp_path / "left"
        shutil.copytree(folder, left)
    log = left / "journal.db-wal"
    log.write_bytes(log.read_bytes() + log.read_bytes()[32:] * 2)  # pages that do not follow on those before
    with opened(left) as (_, table):
        before = shown(table)
        assert not without_sync(lambda: table.do(Press("MENU"))).is_accepted
        assert after_kill(left) == before


def test_what_a_disk_that_cannot_even_be_cut_has_refused_is_said_to_come_back(tmp_path: Path) -> None:
    """A disk that turns read-only in the middle of a press: nothing can be taken off it."""
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        play_on(table, Random(1), 20)
        before, file = shown(table), journal._opened
        ours = file._log
        file._log = os.open(folder / "journal.db-wal", os.O_RDONLY)  # it can't be cut by this
        answer = without_sync(lambda: table.do(Press("MENU")))
        assert not answer.is_accepted
        assert "not saved, but it may be there after a restart (disk I/O error)" in answer.text
        again = table.do(Press("MENU"))
        assert not again.is_accepted, "nothing is written on top of it"
        assert shown(table) == before
        os.close(file._log)
        file._log = ours
        assert table.do(Press("MENU")).is_accepted
        assert after_kill(folder) == shown(table)


# --- and it is said ---------------------------------------------------------------------------------


def test_what_is_wrong_is_said_on_the_screen_in_the_state_and_in_the_log_until_a_write_is_synced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    said = (
        "the last press was not saved (disk I/O error): check the card or disk, which is failing "
        "(dmesg has more)"
    )
    with evening(tmp_path / "journal.db") as table:
        for key in ("OK", "OK", "P2", "3"):
            table.press(key)
        error = without_sync(lambda: table.bench.press("10"))
        assert str(error) == NOT_SAVED
        assert table.troubles == {"disk": said}
        assert table.glass_is_right(), "the refusal, with the mark of trouble"
        table.wait(10.0)
        assert table.troubles == {"disk": said}, "it stays when the refusal has gone"
        assert [record.getMessage() for record in caplog.records] == [said]
        table.press("10")
        assert table.troubles == {}
        assert table.glass_is_right()
        assert caplog.records[-1].getMessage() == "disk: working again"


# --- the whole program ------------------------------------------------------------------------------


def test_a_program_whose_syncs_begin_to_fail_is_killed_and_started_and_stands_where_it_stood(
    tmp_path: Path,
) -> None:
    without_sync(lambda: None)  # skips where it can't be done
    with companion(tmp_path, python=UNSYNCED_FROM_SIGUSR1, env=WITH_TESTS) as (process, url):
        for key in ("OK", "OK", "P2", "3"):
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        before = ask(f"{url}api/state")
        process.send_signal(signal.SIGUSR1)
        # The signal is taken by the loop, between two presses at the latest.
        keys = itertools.islice(itertools.cycle(("MENU", "UNDO")), 50)
        while (answer := ask(f"{url}api/press", {"key": next(keys)}))[0] == 200:
            before = answer
        assert answer == (409, {"error": NOT_SAVED})
        state = ask(f"{url}api/state")[1]
        assert state["seq"] == before[1]["seq"]
        assert "not saved" in (state["message"] or before[1]["message"])
        process.kill()
    with companion(tmp_path) as (_, url):
        assert ask(f"{url}api/state") == before


def test_a_program_whose_syncs_fail_for_a_while_says_so_and_goes_on(tmp_path: Path) -> None:
    syncs = tmp_path / "syncs"
    environment = os.environ | {"LD_PRELOAD": str(sync_library(tmp_path)), "SYNCS": str(syncs)}
    folder, log = tmp_path / "state", tmp_path / "log"
    with log.open("w") as stderr, companion(folder, env=environment, stderr=stderr) as (process, url):
        for key in ("OK", "OK", "P2", "3", "10", "9"):
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        state = ask(f"{url}api/state")[1]
        syncs.write_text("x")
        for key in ("8", "UNDO", "MENU", "8"):
            assert ask(f"{url}api/press", {"key": key}) == (409, {"error": NOT_SAVED})
            assert ask(f"{url}api/state")[1] == {
                **state,
                "message": "the last press was not saved (disk I/O error): check the card or disk, which "
                "is failing (dmesg has more)",
            }
            assert troubles_at(url) == [
                (
                    "the last press was not saved (disk I/O error): check the card or disk, which is "
                    "failing "
                    "(dmesg has more)"
                )
            ]
        syncs.unlink()
        status, state = ask(f"{url}api/press", {"key": "8"})
        assert status == 200
        assert state["message"] is None
        assert troubles_at(url) == []
        syncs.write_text("x")
        assert ask(f"{url}api/press", {"key": "7"}) == (409, {"error": NOT_SAVED})
        until(lambda: log.read_text().count("was not saved (disk I/O error)") == 2)
        process.kill()
    syncs.unlink()
    with companion(folder, env=environment) as (_, url):
        assert ask(f"{url}api/state") == (200, state)


def synced_at_random(folder: Path, presses: int, seed: int) -> tuple[int, int]:
    """Play in a child whose syncs fail at random; return how many presses were refused, and over how many
    logs."""
    environment = WITH_TESTS | {"LD_PRELOAD": str(sync_library(folder)), "SYNCS": str(folder / "syncs")}
    done = subprocess.run(
        [sys.executable, SYNCED_AT_RANDOM, folder / "state", folder / "syncs", str(presses), str(seed)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    refused, logs = map(int, done.stdout.split())
    return refused, logs


def test_whichever_sync_fails_and_however_many_after_it_what_was_refused_never_comes_back(
    tmp_path: Path,
) -> None:
    refused, logs = synced_at_random(tmp_path, 60, 1)
    assert refused > 10
    assert logs > 5


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_whichever_sync_fails_in_five_thousand_presses_what_was_refused_never_comes_back(
    tmp_path: Path,
) -> None:
    refused, logs = synced_at_random(tmp_path, 5000, 2)
    print(f"5000 presses, {refused} refused by a sync, {logs} logs: none came back, none was lost")
    assert refused > 1000


def test_the_log_ends_where_what_counts_ends_however_often_it_is_begun_again(tmp_path: Path) -> None:
    """What the cut rests on: `PRAGMA journal_size_limit=0`, and SQLite's format of the log."""
    journal = Journal(tmp_path / "journal.db")
    log = tmp_path / "journal.db-wal"
    chance, begun = Random(5), set[bytes]()
    for number in range(80):
        if number % 9 == 8:
            journal._opened.checkpoint()
        journal.commit("now", number, "x" * chance.choice([10, 9000, 90_000]))
        data = log.read_bytes()
        begun.add(data[:32])
        *_, last = (data[at : at + 24] for at in range(32, len(data), 24 + 4096))
        assert (len(data) - 32) % (24 + 4096) == 0
        assert int.from_bytes(last[4:8]) > 0, "the mark of a commit"
        assert last[8:16] == data[16:24], "of this log"
    journal.close()
    assert len(begun) > 5
