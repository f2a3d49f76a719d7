"""The journal's files while the program runs: deleted, moved, replaced, locked, and private."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest
from support.evenings import evening
from support.lasting import troubles_at
from support.patience import until
from support.program import ended
from support.server import ask, companion
from support.sync_faults import after_kill, shown, without_sync
from support.tables import opened, play_on, play_to, table_of

from cribpi.cli import main
from cribpi.companion.entry.requests import Play, Press
from cribpi.companion.journal.journal import NEW_JOURNAL, Journal, StateFolder, StateFolderTrouble
from cribpi.companion.journal.location import copies
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.state import shown_json
from cribpi.cribbage.game.events import DealerChosen

FILES = ("journal.db", "journal.db-wal", "journal.db-shm")


def rows(folder: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "journal.db") as db:
        found = db.execute("SELECT * FROM steps ORDER BY id").fetchall()
    db.close()
    return found


def begin(table: Table) -> None:
    for key in ("OK", "OK", "P2", "3", "10"):
        assert table.do(Press(key)).is_accepted


# --- deleted, moved, replaced -----------------------------------------------------------------------


def delete(*names: str) -> Callable[[Path], None]:
    def do(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return do


def move(name: str) -> Callable[[Path], None]:
    return lambda folder: os.rename(folder / name, folder.with_name(name))  # noqa: PTH104  one expression


def replace_by_another(folder: Path) -> None:
    shutil.copy(folder / "journal.db", folder / "other")
    (folder / "other").rename(folder / "journal.db")


def move_and_link(folder: Path) -> None:
    move("journal.db")(folder)
    (folder / "journal.db").symlink_to(folder.with_name("journal.db"))


def move_folder(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))


def move_folder_and_put_a_copy_there(folder: Path) -> None:
    move_folder(folder)
    shutil.copytree(folder.with_name("moved"), folder)


LOSSES: dict[str, Callable[[Path], None]] = {
    "journal deleted": delete("journal.db"),
    "log deleted": delete("journal.db-wal"),
    "index deleted": delete("journal.db-shm"),
    "all three deleted": delete(*FILES),
    "journal moved": move("journal.db"),
    "journal moved, a link to it there": move_and_link,
    "journal replaced": replace_by_another,
    "folder deleted": shutil.rmtree,
    "folder moved": move_folder,
    "folder moved, a copy there": move_folder_and_put_a_copy_there,
}


@pytest.mark.parametrize("lose", LOSSES.values(), ids=LOSSES)
def test_files_that_are_lost_while_it_runs_are_there_again_whole_before_the_next_press_is_answered(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(6), 80)
        assert table.do(Press("MENU")).is_accepted
        before, kept = shown(table), rows(folder)
        lose(folder)
        answer = table.do(Press("UNDO"))  # closes the menu
        assert answer.is_accepted
        assert json.loads(answer.text)["message"].startswith(NEW_JOURNAL)
        assert table.now.state == before.state
        assert table.now.seq == before.seq + 1
        assert table.notice is not None
        assert table.notice.startswith(NEW_JOURNAL)
        assert after_kill(folder) == shown(table)
        assert rows(folder) == kept, "all games, and all that can be undone"
        play_to(table, Random(7), before.seq + 12)
        assert "new one holds" not in json.dumps(shown_json(table.now, Faults())), (
            "it is a message as any other"
        )
        assert after_kill(folder) == shown(table)
        assert not any(path.exists() for path in copies(folder / "journal.db"))
    with opened(folder) as (_, again):
        assert again.now == shown(table)


def test_what_was_moved_away_is_left_alone_and_what_lay_in_its_place_is_kept(tmp_path: Path) -> None:
    folder, moved = tmp_path / "state", tmp_path / "moved.db"
    with opened(folder) as (_, table):
        play_on(table, Random(6), 30)
        (folder / "journal.db").rename(moved)
        (folder / "journal.db").write_text("not ours")
        before = moved.read_bytes()
        assert table.do(Press("MENU")).is_accepted
        assert table.notice == f"{NEW_JOURNAL}; what was in its place is kept as journal-aside-1.db"
        play_on(table, Random(6), 30)
        assert after_kill(folder) == shown(table)
    assert moved.read_bytes() == before
    assert (folder / "journal-aside-1.db").read_text() == "not ours"
    with opened(folder) as (_, again):
        assert again.now == shown(table), "closing the old file has not touched the new one's log"


def test_a_journal_that_lies_elsewhere_and_is_a_link_here_is_kept_as_any_other(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "state", tmp_path / "elsewhere" / "state"
    folder.mkdir()
    elsewhere.mkdir(parents=True)
    (folder / "journal.db").symlink_to(elsewhere / "journal.db")
    with opened(folder) as (_, table):
        begin(table)
        before = shown(table)
        assert not without_sync(lambda: table.do(Press("9"))).is_accepted
        assert after_kill(elsewhere) == before, "its log is beside the file itself"
        assert main(["export", "--state", str(folder), str(tmp_path / "game.crib")]) == 0
        assert (tmp_path / "game.crib").read_text().endswith("starter 3\nplay 0:10\n")
        (folder / "journal.db").unlink()
        assert table.do(Press("9")).is_accepted
        assert after_kill(folder) == shown(table)


def test_files_that_are_lost_again_are_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        begin(table)
        for _ in range(3):
            shutil.rmtree(folder)
            answer = table.do(Press("MENU"))
            assert answer.is_accepted
            assert json.loads(answer.text)["message"] == NEW_JOURNAL
            assert after_kill(folder) == shown(table)
            assert table.do(Press("UNDO")).is_accepted


def test_a_file_that_is_moved_away_and_back_between_two_presses_is_the_journal_still(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        begin(table)
        (tmp_path / "journal.db").rename(tmp_path / "away")
        (tmp_path / "away").rename(tmp_path / "journal.db")
        assert table.do(Press("MENU")).is_accepted
        assert table.notice is None


def test_a_press_is_refused_in_a_sentence_where_no_new_journal_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        begin(table)
        before = shown(table)
        shutil.rmtree(folder)
        folder.write_text("in the way")
        for key in ("MENU", "MENU", "K"):
            answer = table.do(Press(key), id=f"id-{key}")
            assert not answer.is_accepted
            error = json.loads(answer.text)["error"]
            assert error.startswith(
                "not saved, and nothing has changed: the journal was deleted or moved, and a new one can't "
                "be written: "
                f"{folder}: "
            )
            assert shown(table) == before
            assert table.trouble is not None
        folder.unlink()
        assert table.do(Press("MENU"), id="id-MENU").is_accepted
        assert table.trouble is None
        assert after_kill(folder) == shown(table)


def test_a_folder_that_another_companion_has_taken_meanwhile_is_not_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        begin(table)
        shutil.rmtree(folder)
        with opened(folder) as (_, other):
            assert other.do(Press("OK")).is_accepted
            answer = table.do(Press("MENU"))
            assert not answer.is_accepted
            assert "another cribpi is running on it" in answer.text
            assert other.do(Press("OK")).is_accepted
        assert table.do(Press("MENU")).is_accepted, "it has gone"
        assert after_kill(folder) == shown(table)
        with pytest.raises(StateFolderTrouble, match="another cribpi"):
            StateFolder(folder)


def test_a_seat_of_the_machine_finds_the_journal_again_as_a_key_does(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = table_of(journal)
    for key in ("OK", "OK"):
        table.do(Press(key))
    delete(*FILES)(tmp_path)
    assert table.do(Play(DealerChosen(0), table.now.state), COMPUTER).is_accepted
    assert shown_json(table.now, Faults())["message"] == NEW_JOURNAL
    assert len(rows(tmp_path)) == 2
    journal.close()


def test_the_loss_is_said_on_the_screen_in_the_state_and_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with evening(tmp_path / "journal.db") as table:
        for key in ("OK", "OK", "P2", "3"):
            table.press(key)
        delete(*FILES)(tmp_path)
        table.press("10")
        assert shown_json(table.bench.now, Faults())["message"] == NEW_JOURNAL
        assert table.troubles == {"disk": NEW_JOURNAL}
        assert table.glass_is_right()
        assert [record.getMessage() for record in caplog.records] == [NEW_JOURNAL]
        table.press("9")
        assert shown_json(table.bench.now, Faults())["message"] is None
        assert table.troubles == {"disk": NEW_JOURNAL}, "it stands there until the next start"


def test_a_program_whose_folder_is_deleted_says_so_and_loses_nothing(tmp_path: Path) -> None:
    folder, log = tmp_path / "state", tmp_path / "log"
    with log.open("w") as stderr, companion(folder, stderr=stderr) as (process, url):
        for key in ("OK", "OK", "P2", "3", "10"):
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        shutil.rmtree(folder)
        status, state = ask(f"{url}api/press", {"key": "9"})
        assert (status, state["message"]) == (200, NEW_JOURNAL)
        assert troubles_at(url) == [NEW_JOURNAL]
        until(lambda: f"cribpi: {NEW_JOURNAL}" in log.read_text().splitlines())
        process.kill()
    with companion(folder) as (_, url):
        assert ask(f"{url}api/state") == (200, state)
        for left in range(5, 0, -1):
            status, state = ask(f"{url}api/press", {"key": "UNDO"})
            assert status == 200, left


def test_a_copy_that_was_whole_when_the_program_was_killed_is_taken_at_the_start(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        play_on(table, Random(6), 30)
        delete(*FILES)(tmp_path)
        assert journal._opened.write_copy(lambda _: True)
        assert after_kill(tmp_path) == shown(table)


def test_a_copy_that_was_whole_is_taken_whatever_is_in_the_place_of_the_journal(tmp_path: Path) -> None:
    with opened(tmp_path / "another"):
        another = (tmp_path / "another" / "journal.db").read_bytes()
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        play_on(table, Random(6), 30)
        before = shown(table)
        assert journal._opened.write_copy(lambda _: True)
        left = shutil.copytree(folder, tmp_path / "left")
    (left / "journal.db").write_bytes(another)
    state_folder = StateFolder(left)
    with contextlib.closing(state_folder):
        journal, said = state_folder.open_journal()
        with contextlib.closing(journal):
            assert table_of(journal).now == before
    assert said is not None
    assert "a new one now holds everything that was in it" in said
    assert said.endswith("kept as journal-aside-1.db")
    assert (left / "journal-aside-1.db").read_bytes() == another


def test_a_copy_that_was_not_finished_or_that_nobody_needed_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, whole = copies(tmp_path / "journal.db")
    with opened(tmp_path) as (_, table):
        play_on(table, Random(6), 30)
        move("journal.db")(tmp_path)
        with monkeypatch.context() as refusing:
            refusing.setattr("cribpi.companion.journal.journal.put_in_place", fails)
            assert not table.do(Press("MENU")).is_accepted
        assert whole.exists()
        begun.write_bytes(whole.read_bytes()[:5000])
        tmp_path.with_name("journal.db").rename(tmp_path / "journal.db")
        play_to(table, Random(6), table.now.seq + 3)
        assert after_kill(tmp_path) == shown(table)
        assert not begun.exists()
        assert not whole.exists()


def fails(*_: object) -> NoReturn:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


# --- held -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("put_back", [False, True], ids=["lock deleted", "lock replaced"])
def test_a_lock_that_is_deleted_lets_no_second_companion_in(tmp_path: Path, *, put_back: bool) -> None:
    first = StateFolder(tmp_path)
    (tmp_path / "lock").unlink()
    if put_back:
        (tmp_path / "lock").touch()
    with pytest.raises(StateFolderTrouble, match=r"another cribpi is running on it.*--state"):
        StateFolder(tmp_path)
    first.close()
    StateFolder(tmp_path).close()


def test_a_folder_that_was_moved_is_held_under_its_new_name(tmp_path: Path) -> None:
    first = StateFolder(tmp_path / "old")
    (tmp_path / "old").rename(tmp_path / "new")
    with pytest.raises(StateFolderTrouble, match="another cribpi is running on it"):
        StateFolder(tmp_path / "new")
    first.close()


def test_an_older_cribpi_that_looks_at_the_lock_alone_is_kept_out_and_keeps_this_one_out(
    tmp_path: Path,
) -> None:
    older = (
        "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    )
    first = StateFolder(tmp_path)
    held = subprocess.run(
        [sys.executable, "-c", older, tmp_path / "lock"], stderr=subprocess.PIPE, check=False
    )
    assert b"BlockingIOError" in held.stderr
    first.close()
    with subprocess.Popen(
        [sys.executable, "-c", f"{older}; print('held', flush=True); sys.stdin.read()", tmp_path / "lock"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(StateFolderTrouble, match="another cribpi"):
            StateFolder(tmp_path)
        process.send_signal(signal.SIGTERM)


def test_a_second_program_does_not_start_where_the_lock_was_deleted(tmp_path: Path) -> None:
    with companion(tmp_path) as (_, url):
        assert ask(f"{url}api/press", {"key": "OK"})[0] == 200
        (tmp_path / "lock").unlink()
        second = ended("run", "--sim", "--port", "0", "--state", tmp_path)
        assert second.returncode == 2
        assert "another cribpi is running on it" in second.stderr
        assert ask(f"{url}api/press", {"key": "OK"})[0] == 200


# --- private ----------------------------------------------------------------------------------------


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_nobody_else_may_read_what_holds_the_pack(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(1), 10)
        assert modes(folder) == dict.fromkeys((*FILES, "lock"), 0o600)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        delete(*FILES)(folder)
        play_on(table, Random(1), 10)
        assert modes(folder) == dict.fromkeys((*FILES, "lock"), 0o600)


@pytest.mark.usefixtures("open_umask")
def test_a_journal_that_others_could_read_is_made_private_when_it_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(1), 10)
        shutil.copytree(folder, tmp_path / "left")
    folder = tmp_path / "left"
    for path in folder.iterdir():
        path.chmod(0o664)
    folder.chmod(0o755)
    with opened(folder):
        assert modes(folder) == dict.fromkeys((*FILES, "lock"), 0o600)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o755, "the folder is its owner's choice"


def test_a_journal_that_is_set_aside_is_private_too(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("no database" * 100)
    (tmp_path / "journal.db").chmod(0o644)
    with opened(tmp_path):
        assert modes(tmp_path)["journal-aside-1.db"] == 0o600


def test_a_journal_that_its_owner_may_only_read_is_not_made_writable(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    (tmp_path / "journal.db").chmod(0o444)
    with contextlib.suppress(sqlite3.OperationalError):
        Journal(tmp_path / "journal.db").close()  # root may write it all the same
    assert modes(tmp_path)["journal.db"] == 0o400
