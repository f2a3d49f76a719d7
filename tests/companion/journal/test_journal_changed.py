"""The journal's files while the program runs: cut short, or written over, where they are."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.damage import DAMAGES, DAMAGES_OF_A_PART, READ_ONLY_USES, Damage
from support.evenings import evening
from support.lasting import troubles_at
from support.server import ask, companion
from support.sync_faults import after_kill, shown, without_sync
from support.tables import opened, play_on, play_to, table_of

from cribpi.cli import main
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal.database import damage
from cribpi.companion.journal.journal import (
    CHANGED_JOURNAL,
    Journal,
    JournalTrouble,
    LazyAnswer,
    StateFolder,
    Write,
)
from cribpi.companion.journal.location import copies
from cribpi.companion.table.table import Table
from cribpi.cribbage.game.events import DealerChosen

REFUSED = "not saved: the journal was cut short or overwritten; a new one holds all of it. Press again."
EMPTIED = DAMAGES["journal emptied"]


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of another journal, as it is while its program runs."""
    folder = tmp_path_factory.mktemp("another")
    with opened(folder / "state") as (_, table):
        play_on(table, Random(9), 60)
        return shutil.copytree(folder / "state", folder / "left")


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
        assert table.press("MENU", "before").status == 200
        before, kept = shown(table), rows(folder)
        do(folder, another)
        answer = table.press("UNDO", "an id")  # closes the menu
        assert (answer.status, json.loads(answer.body)) == (409, {"error": REFUSED})
        assert shown(table) == before
        assert table.trouble is None
        assert table.notice == f"{CHANGED_JOURNAL}; what was in its place is kept as journal-aside-1.db"
        assert after_kill(folder) == before, "it is whole already"
        assert rows(folder) == kept, "all games, and all that can be undone"
        assert is_whole(folder)
        assert table.press("MENU", "before").status == 200, "the first answer"
        assert shown(table) == before
        assert table.press("UNDO", "an id").status == 200, "its refusal is not kept: it may be sent again"
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
        assert table.press("MENU").status == 409
        aside = folder / "journal-aside-1.db"
        assert aside.read_bytes() == (another / "journal.db").read_bytes()
        assert not list(folder.glob("journal-aside-1.db-*")), "our log would be taken for its own"


@pytest.mark.parametrize("do", READ_ONLY_USES.values(), ids=READ_ONLY_USES)
def test_what_only_reads_the_files_changes_nothing(tmp_path: Path, do: Damage) -> None:
    with opened(tmp_path) as (_, table):
        play_on(table, Random(6), 20)
        do(tmp_path, tmp_path)
        assert table.press("MENU").status == 200
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
            subprocess.run(
                [sys.executable, "-m", "cribpi", command, "--state", tmp_path],
                capture_output=True,
                check=False,
            )
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
            journal.record_standings({})
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
        assert journal.pragmas()["journal_mode"] == "wal"


def test_a_write_as_long_as_many_presses_is_our_own_too(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.db")) as journal:
        journal.commit(Write(1, "x" * 6_000_000), "now")
        assert not journal.find_again()
        journal.commit(Write(2, "{}"), "now")
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
        keep = journal._keep_answer

        def damaging(name: str, answer: LazyAnswer) -> None:
            DAMAGES[damaged](folder, another)
            keep(name, answer)

        with monkeypatch.context() as in_the_middle:
            in_the_middle.setattr(journal, "_keep_answer", damaging)
            first = table.press("MENU", "an id")
        before = shown(table)
        second = table.press("UNDO")
        assert 409 in {first.status, second.status}
        assert second.status == 200 or shown(table) == before
        assert table.notice is not None
        play_on(table, Random(7), 5)
        assert after_kill(folder) == shown(table)
        assert is_whole(folder)


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
            assert table.press("MENU").status == 200
        before = shown(table)
        assert table.press("UNDO").status == 409
        assert after_kill(tmp_path) == before == shown(table)


def test_the_beginning_of_a_log_that_is_overwritten_in_the_middle_of_a_press_is_found_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last frames are as they were: what has scrambled it began before they were written."""
    with opened(tmp_path) as (journal, table):
        play_on(table, Random(6), 40)
        log, keep = tmp_path / "journal.db-wal", journal._keep_answer

        def scrambling(name: str, answer: LazyAnswer) -> None:
            with log.open("r+b") as file:
                file.write(Random(1).randbytes(20_000))
            keep(name, answer)

        with monkeypatch.context() as in_the_middle:
            in_the_middle.setattr(journal, "_keep_answer", scrambling)
            first = table.press("MENU", "an id")
        before = shown(table)
        assert 409 in {first.status, table.press("UNDO").status}
        assert shown(table) == before
        assert after_kill(tmp_path) == before
        assert is_whole(tmp_path)


# --- what can't be read any more --------------------------------------------------------------------


def forget(journal: Journal) -> None:
    """Let SQLite have nothing of the files in memory."""
    journal._db.execute("PRAGMA shrink_memory")


def games_in(folder: Path) -> list[tuple[str, int]]:
    return read_games(folder, lambda games: [(game.began, len(game.replayed()[0])) for game in games])


@pytest.mark.parametrize(
    "name", ["journal emptied", "journal cut", "journal scrambled", "all emptied", "log emptied"]
)
def test_a_game_goes_on_from_memory_if_the_journal_can_no_longer_be_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        play_on(table, Random(6), 400)
        while len(table.now.line) < 3 or not table.now.may_redo:
            play_on(table, Random(6), 40)
            table.press("UNDO")
        table.press("MENU", "the last id")
        games = games_in(folder)
        assert len(games) > 1
        journal._opened.checkpoint()
        play_on(table, Random(7), 1)
        before, answer = shown(table), journal.answer("the last id")
        forget(journal)
        DAMAGES[name](folder, folder)
        refused = table.press("K", "an id")
        assert refused.status == 409
        assert "a new one holds this game" in refused.body
        now = shown(table)
        assert (now.state, now.line, now.seq, now.desk) == (
            before.state,
            before.line,
            before.seq,
            before.desk,
        )
        assert not now.may_redo, "what was undone is not known"
        assert after_kill(folder) == now
        assert is_whole(folder)
        if name == "log emptied":
            assert games_in(folder)[:-1] == games[:-1], "the games before it are in the main file"
            assert " before it" in refused.body
        else:
            assert len(games_in(folder)) == 1
            assert answer is not None
        play_to(table, Random(8), before.seq + 10)
        assert after_kill(folder) == shown(table)
        for _ in range(len(table.now.line)):
            table.press("UNDO")
        assert not table.now.line or table.now.state != before.state


def lose_what_was_undone(folder: Path, table: Table, journal: Journal) -> None:
    """Undo something, and let nobody read it any more."""
    while len(table.now.line) < 3 or not table.now.may_redo:
        play_on(table, Random(6), 40)
        table.press("UNDO")
    journal._opened.checkpoint()
    forget(journal)
    EMPTIED(folder, folder)


def test_what_is_written_without_a_press_leaves_it_to_the_next_one_to_find_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        lose_what_was_undone(tmp_path, table, journal)
        journal.keep_summaries({})
        journal.record_standings({})
        journal.remember("an id", LazyAnswer(409, "{}"))
        assert journal.notice is None
        assert table.now.may_redo == journal.may_redo
        assert "a new one holds this game" in table.press("K").body
        assert after_kill(tmp_path) == shown(table)
        assert table.press("MENU").status == 200
        assert after_kill(tmp_path) == shown(table)
        assert journal.answer("an id") is not None


def test_damage_just_before_a_press_is_written_refuses_it_and_is_found_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as (journal, table):
        commit = journal.commit

        def damaged(write: Write, at: str) -> None:
            lose_what_was_undone(tmp_path, table, journal)
            commit(write, at)

        play_on(table, Random(6), 40)
        while not table.now.may_redo:
            table.press("UNDO")
        with monkeypatch.context() as just_before:
            just_before.setattr(journal, "commit", damaged)
            refused = table.press("MENU")
        assert refused.status == 409
        assert "not saved, and nothing has changed" in refused.body
        assert table.now.may_redo == journal.may_redo
        assert "a new one holds this game" in table.press("MENU").body
        assert not shown(table).may_redo
        assert table.press("MENU").status == 200
        assert after_kill(tmp_path) == shown(table)


def test_a_press_is_refused_until_a_new_journal_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(6), 40)
        before = shown(table)
        EMPTIED(folder, folder)
        for number in range(3):
            answer = without_sync(lambda number=number: table.press("MENU", f"id-{number}"))  # type: ignore[misc]
            assert answer.status == 409
            assert (
                "not saved, and nothing has changed: the journal was cut short or overwritten, and a new"
                in (answer.body)
            )
            assert shown(table) == before
            assert table.trouble is not None
        assert json.loads(table.press("MENU").body) == {"error": REFUSED}
        assert table.press("MENU").status == 200
        assert after_kill(folder) == shown(table)


def test_a_seat_of_the_machine_is_refused_once_and_then_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    with closing(journal):
        table = table_of(journal)
        for key in ("OK", "OK"):
            table.press(key)
        EMPTIED(tmp_path, tmp_path)
        with pytest.raises(JournalTrouble, match="Press again"):
            table.act(table.now.state, DealerChosen(0))
        assert table.act(table.now.state, DealerChosen(0))
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
            assert table.press(key).status == 200
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
