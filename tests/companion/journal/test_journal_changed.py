"""The journal's files while the program runs: cut short, or written over, where they are."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.damage import DAMAGES, DAMAGES_OF_A_PART, READ_ONLY_USES, Damage
from support.evenings import evening
from support.lasting import troubles_at
from support.program import ended
from support.samples import some_of
from support.server import ask, companion
from support.sync_faults import after_kill, shown, without_sync
from support.tables import opened, play_on, play_to, pragmas, table_of

from cribpi.cli import main
from cribpi.companion.entry.requests import Play, Press
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal.database import damage
from cribpi.companion.journal.file_watch import WatchedFiles
from cribpi.companion.journal.journal import (
    CHANGED_JOURNAL,
    Journal,
    JournalTrouble,
    StateFolder,
    TableResponse,
)
from cribpi.companion.journal.location import copies
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.table import Table
from cribpi.cribbage.game.events import DealerChosen

REFUSED = "not saved: the journal was cut short or overwritten; a new one holds all of it. Press again."
EMPTIED = DAMAGES["journal emptied"]


def rows(folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"file:{folder / 'journal.db'}?mode=ro", uri=True)) as db:
        return db.execute("SELECT * FROM steps ORDER BY id").fetchall()


def is_whole(folder: Path) -> bool:
    with closing(sqlite3.connect(f"file:{folder / 'journal.db'}?mode=ro", uri=True)) as db:
        return damage(db, whole=True, indexes=True) == ""


@pytest.mark.parametrize("do", DAMAGES.values(), ids=DAMAGES)
def test_files_that_are_damaged_where_they_are_refuse_a_press_and_are_whole_again_for_the_next(
    tmp_path: Path, do: Damage, another: Path
) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(6), 80)
        assert table.do(Press("MENU"), id="before").is_accepted
        before, kept = shown(table), rows(folder)
        do(folder, another)
        answer = table.do(Press("UNDO"), id="an id")  # closes the menu
        assert (answer.is_accepted, json.loads(answer.text)) == (False, {"error": REFUSED})
        assert shown(table) == before
        assert table.trouble is None
        assert table.notice == f"{CHANGED_JOURNAL}; what was in its place is kept as journal-aside-1.db"
        assert after_kill(folder) == before, "it is whole already"
        assert rows(folder) == kept, "all games, and all that can be undone"
        assert is_whole(folder)
        assert table.do(Press("MENU"), id="before").is_accepted, "the first answer"
        assert shown(table) == before
        assert table.do(Press("UNDO"), id="an id").is_accepted, (
            "its refusal is not kept: it may be sent again"
        )
        play_to(table, Random(7), before.seq + 12)
        assert after_kill(folder) == shown(table)
        assert not any(path.exists() for path in copies(folder / "journal.db"))
    with opened(folder) as (_, again):
        assert again.now == shown(table)


def test_what_was_written_over_the_journal_is_kept_as_it_is(tmp_path: Path, another: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(6), 80)
        DAMAGES["journal overwritten"](folder, another)
        assert not table.do(Press("MENU")).is_accepted
        aside = folder / "journal-aside-1.db"
        assert aside.read_bytes() == (another / "journal.db").read_bytes()
        assert not list(folder.glob("journal-aside-1.db-*")), "our log would be taken for its own"


@pytest.mark.parametrize("do", READ_ONLY_USES.values(), ids=READ_ONLY_USES)
def test_what_only_reads_the_files_changes_nothing(tmp_path: Path, do: Damage) -> None:
    with opened(tmp_path) as (_, table):
        play_on(table, Random(6), 20)
        do(tmp_path, tmp_path)
        assert table.do(Press("MENU")).is_accepted
        assert table.notice is None


def test_who_reads_the_journal_beside_the_program_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        play_on(table, Random(6), 40)
        with closing(sqlite3.connect(f"file:{tmp_path / 'journal.db'}?mode=ro", uri=True)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM steps").fetchone()
            play_on(table, Random(7), 20)
            journal._opened.checkpoint()  # which can't copy all of it while that is read
            play_on(table, Random(8), 20)
        for command in ("export", "doctor"):
            ended(command, "--state", tmp_path)
            play_on(table, Random(8), 20)
        journal._opened.checkpoint()
        play_on(table, Random(9), 20)
        assert table.notice is None
        assert after_kill(tmp_path) == shown(table)


def test_our_own_writes_however_many_are_not_taken_for_anothers(tmp_path: Path) -> None:
    """Over many logs, each copied to the main file and begun again."""
    log, logs = tmp_path / "journal.db-wal", set[bytes]()
    with opened(tmp_path) as (journal, table):
        for number in range(30):
            play_on(table, Random(number), 30)
            journal.keep_summaries({})
            logs.add(log.read_bytes()[:32])
            if number % 3:
                journal._opened.checkpoint()
        assert len(logs) > 5
        assert table.notice is None
        assert after_kill(tmp_path) == shown(table)


def test_the_log_is_copied_to_the_file_before_it_grows_long(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        play_on(table, Random(1), 700)
        assert (tmp_path / "journal.db-wal").stat().st_size < 5_000_000
        assert (tmp_path / "journal.db").stat().st_size > 20_000
        assert table.notice is None
        assert pragmas(journal)["journal_mode"] == "wal"


def test_a_write_as_long_as_many_presses_is_our_own_too(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.db")) as journal:
        journal.commit("now", 1, "x" * 6_000_000)
        assert not journal.find_again()
        journal.commit("now", 2, "{}")
        assert journal.notice is None


IN_THE_MIDDLE = sorted(set(DAMAGES_OF_A_PART) - {"index emptied", "index cut"})
"""Without those that end a program which is writing."""


@pytest.mark.parametrize("damaged", IN_THE_MIDDLE)
def test_damage_in_the_middle_of_a_press_is_found_by_the_next(
    tmp_path: Path, damaged: str, another: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a press writes: the main file, and the beginning of log and index, must be what they were."""
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        play_on(table, Random(6), 40)
        keep = journal._keep_response

        def damaging(name: str, answer: TableResponse) -> None:
            DAMAGES[damaged](folder, another)
            keep(name, answer)

        with monkeypatch.context() as in_the_middle:
            in_the_middle.setattr(journal, "_keep_response", damaging)
            first = table.do(Press("MENU"), id="an id")
        before = shown(table)
        second = table.do(Press("UNDO"))
        assert not (first.is_accepted and second.is_accepted)
        assert second.is_accepted or shown(table) == before
        assert table.notice is not None
        play_on(table, Random(7), 5)
        assert after_kill(folder) == shown(table)
        assert is_whole(folder)


@pytest.mark.parametrize("moment", ["are_as_left", "note"])
@pytest.mark.parametrize("damaged", IN_THE_MIDDLE)
def test_damage_in_the_middle_of_a_press_loses_nothing_that_was_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str, moment: str, another: Path
) -> None:
    """After the look at the files, or before they are noted as left.

    An index that is overwritten after the look, SQLite makes again from its log, and refuses the transaction:
    then there is nothing left to find.
    """
    folder, looks = tmp_path / "state", getattr(WatchedFiles, moment)
    waits = [DAMAGES[damaged]]

    def damage_once(self: WatchedFiles, **how: bool) -> object:
        found = looks(self, **how) if moment == "are_as_left" else None
        if waits:
            waits.pop()(folder, another)
        return looks(self, **how) if moment == "note" else found

    with opened(folder) as (_, table):
        play_on(table, Random(6), 9)
        with monkeypatch.context() as patch:
            patch.setattr(WatchedFiles, moment, damage_once)
            answers = [table.do(Press("MENU"), id="in the middle")]
            assert not waits
        answers += [table.do(Press("UNDO"), id=str(number)) for number in range(3)]
        assert {answer.is_accepted for answer in answers} == {True, False}, "noticed, and the game goes on"
        left = shown(table)
        assert after_kill(folder) == left
    with opened(folder) as (_, again):
        assert again.now == left


def test_a_log_that_is_cut_as_soon_as_a_press_is_written_is_found_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as (journal, table):
        play_on(table, Random(6), 40)
        log, watched = tmp_path / "journal.db-wal", journal._opened.watched
        note = watched.note

        def cutting(**written: bool) -> None:
            os.truncate(log, log.stat().st_size - 1)
            note(**written)

        with monkeypatch.context() as at_once:
            at_once.setattr(watched, "note", cutting)
            assert table.do(Press("MENU")).is_accepted
        before = shown(table)
        assert not table.do(Press("UNDO")).is_accepted
        assert after_kill(tmp_path) == before == shown(table)


def test_the_beginning_of_a_log_that_is_overwritten_in_the_middle_of_a_press_is_found_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last frames are as they were: what has scrambled it began before they were written."""
    with opened(tmp_path) as (journal, table):
        play_on(table, Random(6), 40)
        log, keep = tmp_path / "journal.db-wal", journal._keep_response

        def scrambling(name: str, answer: TableResponse) -> None:
            with log.open("r+b") as file:
                file.write(Random(1).randbytes(20_000))
            keep(name, answer)

        with monkeypatch.context() as in_the_middle:
            in_the_middle.setattr(journal, "_keep_response", scrambling)
            first = table.do(Press("MENU"), id="an id")
        before = shown(table)
        assert not (first.is_accepted and table.do(Press("UNDO")).is_accepted)
        assert shown(table) == before
        assert after_kill(tmp_path) == before
        assert is_whole(tmp_path)


# --- what can't be read any more --------------------------------------------------------------------


def forget(journal: Journal) -> None:
    """Let SQLite have nothing of the files in memory."""
    journal._db.execute("PRAGMA shrink_memory")


def games_in(folder: Path) -> list[tuple[str, int]]:
    return read_games(folder, lambda games: [(game.began, len(game.replayed())) for game in games])


@pytest.mark.parametrize(
    "name",
    some_of(["journal emptied", "journal cut", "journal scrambled", "all emptied", "log emptied"], 1, 3),
)
def test_a_game_goes_on_from_memory_if_the_journal_can_no_longer_be_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        play_on(table, Random(6), 400)
        while len(table.now.log) < 3 or not table.now.may_redo:
            play_on(table, Random(6), 40)
            table.do(Press("UNDO"))
        table.do(Press("MENU"), id="the last id")
        games = games_in(folder)
        assert len(games) > 1
        journal._opened.checkpoint()
        play_on(table, Random(7), 1)
        before, answer = shown(table), journal.response("the last id")
        forget(journal)
        DAMAGES[name](folder, folder)
        refused = table.do(Press("K"), id="an id")
        assert not refused.is_accepted
        assert "a new one holds this game" in refused.text
        now = shown(table)
        assert (now.state, now.log, now.seq, now.input_state) == (
            before.state,
            before.log,
            before.seq,
            before.input_state,
        )
        assert not now.may_redo, "what was undone is not known"
        assert after_kill(folder) == now
        assert is_whole(folder)
        if name == "log emptied":
            assert games_in(folder)[:-1] == games[:-1], "the games before it are in the main file"
            assert " before it" in refused.text
        else:
            assert len(games_in(folder)) == 1
            assert answer is not None
        play_to(table, Random(8), before.seq + 10)
        assert after_kill(folder) == shown(table)
        for _ in range(len(table.now.log)):
            table.do(Press("UNDO"))
        assert not table.now.log or table.now.state != before.state


def lose_what_was_undone(folder: Path, table: Table, journal: Journal) -> None:
    """Undo something, and let nobody read it any more."""
    while len(table.now.log) < 3 or not table.now.may_redo:
        play_on(table, Random(6), 40)
        table.do(Press("UNDO"))
    journal._opened.checkpoint()
    forget(journal)
    EMPTIED(folder, folder)


def test_what_is_written_without_a_press_leaves_it_to_the_next_one_to_find_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        lose_what_was_undone(tmp_path, table, journal)
        journal.keep_summaries({})
        journal.remember("an id", TableResponse("{}", is_accepted=False))
        assert journal.notice is None
        assert table.now.may_redo == journal.may_redo
        assert "a new one holds this game" in table.do(Press("K")).text
        assert after_kill(tmp_path) == shown(table)
        assert table.do(Press("MENU")).is_accepted
        assert after_kill(tmp_path) == shown(table)
        assert journal.response("an id") is not None


def test_damage_just_before_a_press_is_written_refuses_it_and_is_found_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as (journal, table):
        commit = journal.commit

        def damaged(*write: Any, **more: Any) -> None:  # noqa: ANN401  what `commit` takes
            lose_what_was_undone(tmp_path, table, journal)
            commit(*write, **more)

        play_on(table, Random(6), 40)
        while not table.now.may_redo:
            table.do(Press("UNDO"))
        with monkeypatch.context() as just_before:
            just_before.setattr(journal, "commit", damaged)
            refused = table.do(Press("MENU"))
        assert not refused.is_accepted
        assert "not saved, and nothing has changed" in refused.text
        assert table.now.may_redo == journal.may_redo
        assert "a new one holds this game" in table.do(Press("MENU")).text
        assert not shown(table).may_redo
        assert table.do(Press("MENU")).is_accepted
        assert after_kill(tmp_path) == shown(table)


def test_a_press_is_refused_until_a_new_journal_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(6), 40)
        before = shown(table)
        EMPTIED(folder, folder)
        for number in range(3):
            answer = without_sync(lambda number=number: table.do(Press("MENU"), id=f"id-{number}"))  # type: ignore[misc]
            assert not answer.is_accepted
            assert (
                "not saved, and nothing has changed: the journal was cut short or overwritten, and a new"
                in (answer.text)
            )
            assert shown(table) == before
            assert table.trouble is not None
        assert json.loads(table.do(Press("MENU")).text) == {"error": REFUSED}
        assert table.do(Press("MENU")).is_accepted
        assert after_kill(folder) == shown(table)


def test_a_seat_of_the_machine_is_refused_once_and_then_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    with closing(journal):
        table = table_of(journal)
        for key in ("OK", "OK"):
            table.do(Press(key))
        EMPTIED(tmp_path, tmp_path)
        refused = table.do(Play(DealerChosen(0), table.now.state), COMPUTER).refused
        assert isinstance(refused, JournalTrouble)
        assert "Press again" in str(refused)
        assert table.do(Play(DealerChosen(0), table.now.state), COMPUTER).is_accepted
        assert len(rows(tmp_path)) == 2


def test_a_journal_that_is_damaged_before_the_program_ends_is_whole_afterwards(
    tmp_path: Path, another: Path
) -> None:
    """SQLite brings its log into the file when it closes, whatever that is by then."""
    for name in ("journal overwritten", "journal emptied", "log emptied", "index scrambled"):
        folder = tmp_path / name
        with opened(folder) as (_, table):
            play_on(table, Random(6), 40)
            before, kept = shown(table), rows(folder)
            DAMAGES[name](folder, another)
        with opened(folder) as (_, again):
            assert again.now == before
        assert rows(folder) == kept
        if name == "journal overwritten":
            aside = folder / "journal-aside-1.db"
            assert aside.read_bytes() == (another / "journal.db").read_bytes()


def test_the_damage_is_said_on_the_screen_and_in_the_state(tmp_path: Path) -> None:
    with evening(tmp_path / "journal.db") as table:
        for key in ("OK", "OK", "P2", "3"):
            table.press(key)
        EMPTIED(tmp_path, tmp_path)
        assert str(table.bench.press("10")) == REFUSED
        assert table.troubles["disk"].startswith(CHANGED_JOURNAL)
        assert table.glass_is_right()
        table.press("10")
        assert table.bench.now.state.deal is not None
        assert table.troubles["disk"].startswith(CHANGED_JOURNAL), "it stands there until the next start"


def test_a_program_whose_journal_is_emptied_and_then_killed_stands_where_it_stood(tmp_path: Path) -> None:
    with companion(tmp_path) as (process, url):
        for key in ("OK", "OK", "P2", "3", "10"):
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        EMPTIED(tmp_path, tmp_path)
        assert ask(f"{url}api/press", {"key": "9", "id": "nine"}) == (409, {"error": REFUSED})
        status, state = ask(f"{url}api/press", {"key": "9", "id": "nine"})
        assert status == 200
        assert troubles_at(url) == [f"{CHANGED_JOURNAL}; what was in its place is kept as journal-aside-1.db"]
        process.kill()
    with companion(tmp_path) as (_, url):
        assert ask(f"{url}api/state") == (200, state)


# --- at the start -----------------------------------------------------------------------------------


def left_by_kill(folder: Path) -> Path:
    """Return a copy of *folder* as `kill -9` would leave it."""
    return shutil.copytree(folder, folder.with_name("left"))


@pytest.mark.parametrize("is_gone", [False, True], ids=["empty", "gone"])
def test_a_log_beside_a_journal_that_is_empty_or_gone_is_kept_and_said_and_can_be_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_gone: bool
) -> None:
    with opened(tmp_path / "state") as (_, table):
        for key in ("OK", "OK", "P2", "3", "10"):
            assert table.do(Press(key)).is_accepted
        left = left_by_kill(tmp_path / "state")
    log = (left / "journal.db-wal").read_bytes()
    (left / "journal.db").unlink() if is_gone else EMPTIED(left, left)
    for command in (["doctor", "--sim"], ["export"], ["export", "--list"]):
        main([*command, "--state", str(left)])
        assert (left / "journal.db-wal").read_bytes() == log, "who only reads deletes nothing"
    said = capsys.readouterr()
    if not is_gone:
        assert "FAIL  journal" in said.out
        assert "card 1:10" in said.out or "play 0:10" in said.out or "play" in said.out
    folder = StateFolder(left)
    with closing(folder):
        journal, notice = folder.open_journal()
        with closing(journal):
            assert journal.game() == []
    assert notice is not None
    assert "journal-aside-1.db" in notice
    assert (left / "journal-aside-1.db-wal").read_bytes() == log


def test_an_empty_journal_beside_one_that_was_set_aside_is_said(tmp_path: Path) -> None:
    (tmp_path / "journal-aside-1.db").write_bytes(b"what was")
    (tmp_path / "journal.db").touch()
    folder = StateFolder(tmp_path)
    with closing(folder):
        journal, notice = folder.open_journal()
        journal.close()
    assert notice is not None
    assert "journal-aside-2.db" in notice


def test_a_first_start_that_was_killed_is_a_first_start_again(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    folder = StateFolder(tmp_path)
    with closing(folder):
        journal, notice = folder.open_journal()
        journal.close()
    assert notice is None
    assert not list(tmp_path.glob("journal-aside-*"))
