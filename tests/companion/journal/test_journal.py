"""The journal: on the disk before it is shown, never overwritten, and read back whatever happened to it."""

from __future__ import annotations

import gc
import itertools
import json
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep

import pytest
from support.damage import DAMAGES_OF_A_PART
from support.killed import RENEWED
from support.paths import DATA
from support.patience import PATIENCE
from support.presses import random_key
from support.sync_faults import without_sync
from support.tables import KILLED, opened, play_on, play_to, pragmas

from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Press
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal.database import APPLICATION_ID, VERSION, prepare
from cribpi.companion.journal.journal import (
    DAMAGED_INPUT,
    Journal,
    JournalTrouble,
    StateFolder,
    StateFolderTrouble,
    TableResponse,
)
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import DealerChosen, GameStarted, StarterTurned
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import Comment, parse


def game_file(folder: Path, presses: int = 60, seed: int = 1) -> Path:
    """Leave a folder with a journal of some presses, closed; return the file."""
    with opened(folder) as (_, table):
        play_on(table, Random(seed), presses)
        assert len(table.now.log) > 5
    return folder / "journal.db"


# --- what its safety rests on -----------------------------------------------------------------------


def test_the_pragmas_read_back_as_they_must_be(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        assert pragmas(journal) == {
            "journal_mode": "wal",
            "synchronous": 2,
            "application_id": APPLICATION_ID,
            "user_version": VERSION,
        }
    with opened(tmp_path) as (journal, _):
        assert pragmas(journal)["synchronous"] == 2, "each time it is opened"


def test_each_event_is_a_line_of_the_record_with_its_time(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        for key in ("OK", "OK", "P2", "UNDO", "hold:UNDO"):
            assert table.do(Press(key)).is_accepted
    with sqlite3.connect(tmp_path / "journal.db") as db:
        rows = db.execute("SELECT act, event, parent, depth, head FROM steps ORDER BY id").fetchall()
        times = [at for (at,) in db.execute("SELECT at FROM steps")]
    db.close()
    assert rows == [
        ("event", 'game "ORANGE" "BLUE" rules=standard target=121 entry=cards', None, 1, 1),
        ("event", "dealer 1", 1, 2, 2),
        ("undo", None, None, 1, 1),
        ("redo", None, None, 2, 2),
    ]
    assert times == sorted(set(times)), "the clock was asked each time"


def test_nothing_is_ever_deleted(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        chance, before = Random(3), list[tuple[object, ...]]()
        reader = sqlite3.connect(tmp_path / "journal.db")
        for _ in range(80):
            table.do(Press(random_key(table.now.state, table.now.saved, chance)))
            rows = reader.execute("SELECT * FROM steps ORDER BY id").fetchall()
            assert rows[: len(before)] == before
            before = rows
        reader.close()
    assert len(before) > 20


# --- what is damaged --------------------------------------------------------------------------------


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2 + 100]


def garbage(data: bytes) -> bytes:
    return Random(0).randbytes(len(data))


def beheaded(data: bytes) -> bytes:
    return bytes(100) + data[100:]


def text_file(_: bytes) -> bytes:
    return b"shopping: milk, bread, a pack of cards\n" * 50


@pytest.mark.parametrize("damage", [truncated, garbage, beheaded, text_file])
def test_a_damaged_file_is_set_aside_and_the_table_opens(tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    path = game_file(tmp_path)
    spoilt = damage(path.read_bytes())
    path.write_bytes(spoilt)
    with opened(tmp_path) as (_, table):
        assert table.now.log == ()
        assert table.do(Press("OK")).is_accepted
        play_on(table, Random(2), 20)
    aside = tmp_path / "journal-aside-1.db"
    assert aside.read_bytes() == spoilt, "as it was, to the byte"
    with opened(tmp_path) as (_, table):
        assert table.now.seq > 5, "and the new one is kept"


def sentence(folder: Path) -> str | None:
    """Open the folder's journal, close it again, and return what was said."""
    state_folder = StateFolder(folder)
    try:
        journal, said = state_folder.open_journal()
        journal.close()
    finally:
        state_folder.close()
    return said


def test_setting_aside_says_what_was_wrong_and_under_which_name_it_is_kept(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    for number in (1, 2, 3):
        path.write_bytes(f"no database, try {number}".encode() * 100)
        said = sentence(tmp_path)
        assert said is not None
        assert said.startswith("the journal could not be read (")
        assert f"it is kept as journal-aside-{number}.db, and a new one begun" in said
    kept = [(tmp_path / f"journal-aside-{number}.db").read_bytes()[:18] for number in (1, 2, 3)]
    assert kept == [f"no database, try {number}".encode()[:18] for number in (1, 2, 3)]
    assert sentence(tmp_path) is None, "a whole journal is opened without a word"


UNCHECKED = "UPDATE steps SET crc = NULL"
"""Leaves the rows as those of version 1: without check values, which would tell damage in them first."""


def changed(path: Path, *statements: str) -> None:
    """Change the closed file by SQL, as no companion would."""
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


WRONG_FILES = [
    # statements                                                     what the sentence says
    (["PRAGMA user_version=99"], "its version is 99, newer than this cribpi's 4: update cribpi"),
    (["PRAGMA application_id=7"], "not a cribpi journal"),
    (["UPDATE steps SET event = 'jump 3' WHERE id = 2"], "begins no line of a record"),
    (["UPDATE steps SET event = 'play 0:7' WHERE id = 2"], "not the time for"),
    (["UPDATE steps SET event = NULL WHERE id = 2"], "could not be read"),
    (["UPDATE steps SET event = CAST(x'706c617920ff' AS TEXT) WHERE id = 2"], "could not be read"),
    (["UPDATE steps SET event = x'0001' WHERE id = 2"], "could not be read"),
    (["DELETE FROM steps WHERE id = 1"], "could not be read"),
    (["UPDATE steps SET parent = 999 WHERE id = 2"], "could not be read"),
    (["UPDATE steps SET parent = 'x' WHERE id = 2"], "could not be read"),
    (["UPDATE steps SET parent = 3 WHERE id = 2"], "could not be read"),
    (["UPDATE steps SET head = 999"], "could not be read"),
    (["DROP TABLE desk"], "could not be read"),
    (["DROP TABLE steps"], "could not be read"),
    (["ALTER TABLE steps RENAME COLUMN head TO tail"], "could not be read"),
]


@pytest.mark.timeout(PATIENCE, method="thread")  # a search that goes in circles inside SQLite hears no signal
@pytest.mark.parametrize(("statements", "says"), WRONG_FILES)
def test_a_file_that_makes_no_sense_is_set_aside(tmp_path: Path, statements: list[str], says: str) -> None:
    with opened(tmp_path) as (_, table):
        for key in ("OK", "OK", "P2", "3", "10", "10", "9", "GO"):
            assert table.do(Press(key)).is_accepted
    changed(tmp_path / "journal.db", UNCHECKED, *statements)
    said = sentence(tmp_path)
    assert said is not None
    assert says in said
    assert (tmp_path / "journal-aside-1.db").exists()


@pytest.mark.timeout(PATIENCE)
@pytest.mark.parametrize("parent", ["6", "7", "8", "NULL", "999"])
def test_undone_steps_that_lead_nowhere_are_set_aside(tmp_path: Path, parent: str) -> None:
    with opened(tmp_path) as (_, table):
        for key in ("OK", "OK", "P2", "3", "10", "10", "9", "GO", "UNDO", "UNDO", "UNDO"):
            assert table.do(Press(key)).is_accepted
    statement = f"UPDATE steps SET parent = {parent} WHERE id = 6"  # noqa: S608 - the values stand above
    changed(tmp_path / "journal.db", UNCHECKED, statement)
    said = sentence(tmp_path)
    assert said is not None
    assert "its steps" in said


def test_a_foreign_database_is_set_aside_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    changed(path, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('toast')")
    said = sentence(tmp_path)
    assert said is not None
    assert "it is a database, but not a cribpi journal" in said
    db = sqlite3.connect(tmp_path / "journal-aside-1.db")
    assert db.execute("SELECT name FROM recipes").fetchall() == [("toast",)]
    db.close()


def test_a_desk_that_makes_no_sense_is_cleared_and_the_game_goes_on(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    with opened(tmp_path) as (_, table):
        state, seq = table.now.state, table.now.seq
    for data in ("'{'", "'[]'", "'null'", "'7'", "x'ff'", "CAST(x'7bff' AS TEXT)", "'{\"setup\": 5}'"):
        changed(path, f"UPDATE desk SET data = {data}")  # noqa: S608 - the values stand in the line above
        with opened(tmp_path) as (_, table):
            assert (table.now.state, table.now.seq) == (state, seq)
            assert table.now.input_state.dialog is None
    assert not (tmp_path / "journal-aside-1.db").exists()


@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("data = replace(data, 'cards', 'peg')", 7),
        ("crc = crc + 1", 7),
        ("crc = NULL", 7),
        ("seq = 8", 8),
        ("seq = 1", 5),
        ("seq = -7", 5),
        ("seq = 9007199254740992", 5),
        ("seq = 'x'", 5),
    ],
)
def test_a_desk_that_still_makes_sense_but_is_not_as_it_was_written_is_cleared_and_that_is_said(
    tmp_path: Path, change: str, seq: int
) -> None:
    state = pressed(tmp_path, "OK", "OK", "P2", "3", "10", "9", "MENU")
    changed(tmp_path / "journal.db", f"UPDATE desk SET {change}")  # noqa: S608 - from above
    assert sentence(tmp_path) == DAMAGED_INPUT
    with opened(tmp_path) as (_, table):
        assert table.now.state == state
        assert table.now.saved == SavedInput(InputState(), InputContext(NextGame()))
        assert table.now.seq == seq, "as it is where it can be, and else the number of steps"
        assert table.do(Press("MENU")).is_accepted
    assert sentence(tmp_path) is None, "and whole again with the next press"


def test_each_flipped_bit_in_the_desk_is_found(tmp_path: Path, whole: bool) -> None:  # noqa: FBT001  a fixture
    pressed(tmp_path, "OK", "OK", "P2", "3", "MENU")
    path = tmp_path / "journal.db"
    written = path.read_bytes()
    start = written.rindex(b'{"setup"')
    for place in range(start - 1, start + 40):  # the byte before is the number of the last press
        for bit in range(8) if whole else [place % 8]:
            data = bytearray(written)
            data[place] ^= 1 << bit
            path.write_bytes(data)
            assert sentence(tmp_path) == DAMAGED_INPUT, (place - start, bit)


def two_games(folder: Path) -> None:
    """Leave a game of three steps, and another that has just begun."""
    starts = GameStarted(("ANN", "BOB"))
    with opened(folder) as (journal, _):
        journal.commit("now", 1, "{}", [starts, DealerChosen(0), StarterTurned(Card.parse("3")), starts])


def test_an_earlier_game_that_makes_no_sense_refuses_the_undo_that_would_need_it(tmp_path: Path) -> None:
    two_games(tmp_path)
    changed(tmp_path / "journal.db", UNCHECKED, "UPDATE steps SET event = 'starter ?' WHERE id = 3")
    with opened(tmp_path) as (_, table):
        answer = table.do(Press("UNDO"))
        assert not answer.is_accepted
        assert "can't be read" in json.loads(answer.text)["error"]
        assert table.do(Press("P2")).is_accepted, "this game goes on"


def test_an_undone_event_that_makes_no_sense_refuses_the_redo(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        for key in ("OK", "OK", "P1", "3", "UNDO"):
            assert table.do(Press(key)).is_accepted, key
    changed(tmp_path / "journal.db", UNCHECKED, "UPDATE steps SET event = 'starter ?' WHERE id = 3")
    with opened(tmp_path) as (_, table):
        answer = table.do(Press("hold:UNDO"))
        assert not answer.is_accepted
        assert "can't be read" in json.loads(answer.text)["error"]
        assert table.do(Press("4")).is_accepted, "this game goes on"


def flip(path: Path, chance: Random) -> None:
    """Change a few bits of the file."""
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 12)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def check_flipped(folder: Path, whole: bytes, seed: int) -> bool:
    """Open a file with flipped bits and press keys; tell whether it was set aside."""
    chance, path = Random(seed), folder / "journal.db"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(whole)
    flip(path, chance)
    with opened(folder) as (_, table):
        for _ in range(6):
            answer = table.do(Press(random_key(table.now.state, table.now.saved, chance)))
            assert answer.is_accepted or answer.refused is not None
            assert isinstance(json.loads(answer.text), dict)
    return (folder / "journal-aside-1.db").exists()


def test_flipped_bits_never_keep_the_table_from_opening(tmp_path: Path) -> None:
    whole = game_file(tmp_path, 120).read_bytes()
    aside = [check_flipped(tmp_path, whole, seed) for seed in range(25)]
    assert any(aside)


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_flipped_bits_in_three_thousand_files_never_keep_the_table_from_opening(tmp_path: Path) -> None:
    whole = game_file(tmp_path, 120).read_bytes()
    aside = [check_flipped(tmp_path, whole, seed) for seed in range(3000)]
    print(f"{sum(aside)} of {len(aside)} set aside")


# --- check values, and version 1 --------------------------------------------------------------------


def pressed(folder: Path, *keys: str) -> State:
    """Press *keys*, each of which is accepted; return where that leads."""
    with opened(folder) as (_, table):
        for key in keys:
            assert table.do(Press(key)).is_accepted, key
        return table.now.state


@pytest.mark.parametrize(
    "change",
    ["event = 'starter 5'", "at = '2031-01-01'", "parent = NULL", "depth = 7", "head = 2", "crc = crc + 1"],
)
def test_a_row_that_still_makes_sense_but_is_not_as_it_was_written_is_set_aside(
    tmp_path: Path, change: str
) -> None:
    pressed(tmp_path, "OK", "OK", "P2", "3", "10")
    changed(tmp_path / "journal.db", f"UPDATE steps SET {change} WHERE id = 3")  # noqa: S608 - from above
    said = sentence(tmp_path)
    assert said is not None
    assert "step 3 has changed since it was written" in said
    assert (tmp_path / "journal-aside-1.db").exists()


@pytest.mark.parametrize("row", [4, 5, 7])
def test_a_damaged_undo_or_undone_event_is_set_aside(tmp_path: Path, row: int) -> None:
    pressed(tmp_path, "OK", "OK", "P2", "3", "10", "9", "UNDO", "UNDO")
    changed(tmp_path / "journal.db", f"UPDATE steps SET depth = 9 WHERE id = {row}")  # noqa: S608 - from above
    said = sentence(tmp_path)
    assert said is not None
    assert f"step {row} has changed since it was written" in said


def test_each_flipped_bit_in_the_words_of_an_event_is_found(tmp_path: Path, whole: bool) -> None:  # noqa: FBT001  a fixture
    pressed(tmp_path, "OK", "OK", "P2", "3", "10")
    path = tmp_path / "journal.db"
    written = path.read_bytes()
    start = written.index(b"starter 3")
    for place in range(start, start + len(b"starter 3")):
        for bit in range(8) if whole else [place % 8]:
            data = bytearray(written)
            data[place] ^= 1 << bit
            path.write_bytes(data)
            said = sentence(tmp_path)
            assert said is not None
            assert "step 3 has changed since it was written" in said
            (tmp_path / "journal-aside-1.db").unlink()


@pytest.mark.parametrize("tries", [30, pytest.param(1000, marks=pytest.mark.prove)])
def test_one_flipped_bit_anywhere_never_leads_to_another_game(tmp_path: Path, tries: int) -> None:
    state = pressed(tmp_path, "OK", "OK", "P2", "3", "10", "9", "UNDO", "8")
    path, chance = tmp_path / "journal.db", Random(4)
    whole = path.read_bytes()
    found = 0
    for _ in range(tries):
        data = bytearray(whole)
        used = [place for place, byte in enumerate(data) if byte]
        data[chance.choice(used)] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        with opened(tmp_path) as (_, table):
            aside = tmp_path / "journal-aside-1.db"
            assert table.now.state == state or aside.exists()
            found += aside.exists()
        aside.unlink(missing_ok=True)
    assert found > tries // 15


def test_an_earlier_game_that_is_not_as_it_was_written_refuses_the_undo_that_would_need_it(
    tmp_path: Path,
) -> None:
    two_games(tmp_path)
    changed(tmp_path / "journal.db", "UPDATE steps SET event = 'starter 4' WHERE id = 3")
    with opened(tmp_path) as (_, table):
        answer = table.do(Press("UNDO"))
        assert not answer.is_accepted
        assert "step 3 has changed since it was written" in json.loads(answer.text)["error"]
        assert table.do(Press("P2")).is_accepted, "this game goes on"


def old_journal(folder: Path, version: int) -> Path:
    """Leave a folder with a journal as an earlier cribpi wrote it; return the file."""
    path = folder / "journal.db"
    db = sqlite3.connect(path)
    db.executescript((DATA / f"journal-version-{version}.sql").read_text(encoding="utf-8"))
    db.close()
    return path


def test_a_journal_of_version_1_is_read_and_goes_on_as_the_newest(tmp_path: Path) -> None:
    path = old_journal(tmp_path, 1)
    old = rows(path)
    with opened(tmp_path) as (journal, table):
        assert pragmas(journal)["user_version"] == VERSION
        assert (journal.head, journal.undone, table.now.seq) == (19, [25, 24], 40)
        assert [str(entry.after.phase) for entry in table.now.log] == ["cut", "deal", "play", "play"]
        assert table.do(Press("hold:UNDO")).is_accepted
        assert table.do(Press("5")).is_accepted
    with opened(tmp_path) as (_, table):
        assert table.now.seq == 42
        for _ in range(11):
            assert table.do(Press("UNDO")).is_accepted
        assert table.now.log == ()
        assert not table.now.may_undo
    assert not (tmp_path / "journal-aside-1.db").exists()
    new = rows(path)
    assert [row[:7] for row in new[:27]] == old[:27], "no row of version 1 is changed"
    assert {row[7] for row in new[:27]} == {None}
    assert all(isinstance(row[7], int) for row in new[27:40]), "and each new one has its check value"


def test_a_version_1_whose_change_breaks_off_stays_as_it_was(tmp_path: Path) -> None:
    path = old_journal(tmp_path, 1)
    before = path.read_bytes()
    db = sqlite3.connect(path, isolation_level=None)
    db.set_trace_callback(lambda statement: db.interrupt() if "user_version=" in statement else None)
    db.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        prepare(db)
    db.rollback()
    db.set_trace_callback(None)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()
    assert path.read_bytes() == before
    with opened(tmp_path) as (journal, _):
        assert pragmas(journal)["user_version"] == VERSION


def test_a_journal_of_version_2_is_read_with_its_message_and_its_desk_is_checked_from_then_on(
    tmp_path: Path,
) -> None:
    path = old_journal(tmp_path, 2)
    before = rows(path)
    with opened(tmp_path) as (journal, table):
        assert pragmas(journal)["user_version"] == VERSION
        assert (journal.head, journal.undone, table.now.seq) == (15, [18], 26)
        assert table.now.state.names == ("ANN", "BÖB")
        assert table.now.input_state.message == "brought back: BÖB 7: seven"
        assert table.do(Press("UNDO")).is_accepted
        assert table.do(Press("hold:UNDO")).is_accepted
    assert rows(path)[:21] == before[:21], "no step of version 2 is changed"
    changed(path, "UPDATE desk SET seq = 15")
    assert sentence(tmp_path) == DAMAGED_INPUT


def test_the_desk_of_version_2_is_checked_as_soon_as_it_is_opened(tmp_path: Path) -> None:
    path = old_journal(tmp_path, 2)
    assert sentence(tmp_path) is None
    changed(path, "UPDATE desk SET seq = 15")
    assert sentence(tmp_path) == DAMAGED_INPUT


# --- the folder -------------------------------------------------------------------------------------


def test_two_companions_on_one_folder_are_told_apart(tmp_path: Path) -> None:
    first = StateFolder(tmp_path)
    with pytest.raises(StateFolderTrouble, match=r"another cribpi is running on it.*--state"):
        StateFolder(tmp_path)
    first.close()
    StateFolder(tmp_path).close()


def test_a_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    assert sentence(tmp_path / "a" / "b") is None
    assert (tmp_path / "a" / "b" / "journal.db").exists()


def test_a_folder_that_is_a_file_is_said_to_be_no_folder(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    with pytest.raises(StateFolderTrouble, match="choose another with --state"):
        StateFolder(tmp_path / "state")
    with pytest.raises(StateFolderTrouble, match="choose another with --state"):
        StateFolder(tmp_path / "state" / "below")


def test_a_journal_that_is_a_folder_is_said_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "journal.db").mkdir()
    with pytest.raises(StateFolderTrouble, match=r"journal\.db.*choose another with --state"):
        sentence(tmp_path)
    assert (tmp_path / "journal.db").is_dir()


@pytest.mark.prove  # SQLite waits five seconds for the other
def test_a_journal_that_another_program_writes_is_waited_for_and_not_set_aside(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(
        StateFolderTrouble, match="locked: stop any other program that has the journal open, or"
    ):
        sentence(tmp_path)
    other.execute("ROLLBACK")
    other.close()
    assert sentence(tmp_path) is None
    assert not (tmp_path / "journal-aside-1.db").exists()


# --- a disk that takes nothing ----------------------------------------------------------------------


def fill(journal: Journal) -> None:
    """Let the file grow no further: to SQLite this is a full disk."""
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")


def make_room(journal: Journal) -> None:
    journal._db.execute("PRAGMA max_page_count=1000000")


def rows(path: Path) -> list[tuple[object, ...]]:
    db = sqlite3.connect(path)
    found = [
        *db.execute("SELECT * FROM steps"),
        *db.execute("SELECT * FROM desk"),
        *db.execute("SELECT * FROM answers"),
    ]
    db.close()
    return found


def press_until_full(table: Table, chance: Random) -> tuple[str, Snapshot, TableResponse]:
    """Press until the disk refuses; return that key, what was shown before, and the answer."""
    for number in itertools.count():
        key, before = random_key(table.now.state, table.now.saved, chance), table.now
        answer = table.do(Press(key), id=f"id-{number}")
        if "not saved" in answer.text and not answer.is_accepted:
            return key, before, answer
    raise AssertionError


@pytest.mark.parametrize("seed", range(4))
def test_a_full_disk_refuses_the_press_and_changes_nothing_and_takes_it_later(
    tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    with opened(tmp_path) as (journal, table):
        play_on(table, chance, 30)
        fill(journal)
        key, before, answer = press_until_full(table, chance)
        assert "not saved, and nothing has changed" in answer.text
        kept = rows(tmp_path / "journal.db")
        again = table.do(Press(key), id="once more")
        assert not again.is_accepted
        assert replace(table.now, refusal=None) == replace(before, refusal=None)
        assert table.now.refusal is not None
        assert rows(tmp_path / "journal.db") == kept
        make_room(journal)
        assert table.do(Press(key), id="once more").is_accepted, "a full disk's answer is not kept"
        assert table.now.seq == before.seq + 1
        now = table.now
    with opened(tmp_path) as (_, table):
        assert table.now == replace(now, refusal=None)


READ_ONLY = """
import os, sys
from pathlib import Path
from cribpi.companion.journal.journal import StateFolder, StateFolderTrouble
if os.geteuid() == 0:  # root may write anywhere: be nobody
    os.setgid(65534)
    os.setuid(65534)
try:
    StateFolder(Path(sys.argv[1])).open_journal()
except StateFolderTrouble as trouble:
    print(trouble)
"""


@pytest.mark.parametrize("names", [(), ("journal.db",), ("journal.db", "lock")], ids=str)
def test_a_folder_or_a_file_that_takes_nothing_is_said_at_the_start(names: tuple[str, ...]) -> None:
    with TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        folder = Path(parent, "state")
        before = game_file(folder).read_bytes()
        for name in ("journal.db", "lock"):  # as an earlier version has left them
            (folder / name).chmod(0o666)
        for path in (folder, *(folder / name for name in names)):
            path.chmod(0o555 if path.is_dir() else 0o444)
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(folder)], capture_output=True, text=True, check=False
        )
        folder.chmod(0o755)
        assert "choose another with --state" in done.stdout, done.stderr
        assert [path.name for path in sorted(folder.iterdir())] == ["journal.db", "lock"]
        assert (folder / "journal.db").read_bytes() == before


def test_a_write_that_fails_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    try:
        journal.commit("now", 0, "{}", [DealerChosen(0)])
        fill(journal)
        head, depth = journal.head, journal.depth
        with pytest.raises(JournalTrouble, match="not saved, and nothing has changed"):
            journal.commit("now", 0, "x" * 100_000, [DealerChosen(0)])
        assert (journal.head, journal.depth) == (head, depth)
        make_room(journal)
        journal.commit("now", 1, "{}", [DealerChosen(1)])
        assert (journal.head, journal.depth) == ((head or 0) + 1, depth + 1)
    finally:
        journal.close()


# --- answers ----------------------------------------------------------------------------------------


def test_the_last_answers_are_kept_and_older_ones_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = 20
    monkeypatch.setattr("cribpi.companion.journal.journal.ANSWERS_KEPT", kept)
    journal = Journal(tmp_path / "journal.db")
    try:
        for number in range(kept + 10):
            answer = f"id-{number}", TableResponse(str(number), is_accepted=True)
            journal.commit("now", number, "{}", response=answer)
        assert journal.response("id-9") is None
        for number in range(10, kept + 10):
            assert journal.response(f"id-{number}") == TableResponse(str(number), is_accepted=True)
    finally:
        journal.close()


# --- kill -9 ----------------------------------------------------------------------------------------


def killed_at_random(
    folder: Path,
    seed: int,
    chance: Random,
    fails_at: str = "",
    *,
    once_refused: bool = False,
    damage: Callable[[], object] | None = None,
) -> int:
    """Press in a child, kill it, and check that all it answered is there, and no more than one press more.

    From *fails_at* accepted presses on no sync works; return how many were refused for that.  It is killed at
    any time, or *once_refused* not before that has happened, on however slow a machine; after a *damage* to
    its files not before a press has found that.
    """
    child = subprocess.Popen(
        [sys.executable, str(KILLED), str(folder), str(seed), fails_at], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    lines: list[str] = []
    while once_refused and (not lines or lines[-1].isdigit()):
        lines.append(child.stdout.readline().strip())
        assert lines[-1], "the child has ended"
    sleep(chance.random() * 0.15)
    if damage is not None:
        damage()
        while (line := child.stdout.readline().strip()) != RENEWED and line:
            lines.append(line)
            assert len(lines) < 20_000, "presses go on, and none has found the damage"
        sleep(chance.random() * 0.15)
    child.kill()
    lines += [line.strip() for line in child.stdout if line.endswith("\n") and line.strip() != RENEWED]
    answered = [int(line) for line in lines if line.isdigit()]
    refused = [line for line in lines if not line.isdigit()]
    child.stdout.close()
    child.wait()
    db = sqlite3.connect(folder / "journal.db")
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()
    with opened(folder) as (journal, table):
        assert answered == sorted(answered)
        kept = filter(None, map(journal.response, refused))
        assert all(not answer.is_accepted for answer in kept), (
            "no press; a rule's refusal comes with the next"
        )
        last = answered[-1] if answered else 0
        assert table.now.seq in {last, last + 1}, "one more may be on the disk that was not yet answered"
        seen = table.now
    if refused and seen.seq > last:
        return len(
            refused
        )  # killed before it could be refused, and chance has gone on since the last that was accepted
    with opened(folder.with_name(f"{folder.name}-again")) as (_, other):
        play_to(other, Random(seed), seen.seq)
        assert seen == replace(other.now, refusal=None), "the same keys by the same chance"
    return len(refused)


def kill(folder: Path, times: int) -> int:
    """Kill so many times, every other time while syncs fail, and every fourth time after the files were
    damaged where they are; return how many presses were refused because of the syncs."""
    chance, refused = Random(9), 0
    with opened(folder / "another") as (_, table):
        play_on(table, chance, 100)
        another = shutil.copytree(folder / "another", folder / "another-left")
    for number in range(times):
        fails_at = str(chance.randrange(12)) if number % 2 else ""
        do = chance.choice(list(DAMAGES_OF_A_PART.values())) if number % 4 == 2 else None
        refused += killed_at_random(
            folder / str(number),
            number,
            chance,
            fails_at,
            once_refused=number % 4 == 1,
            damage=do and partial(do, folder / str(number), another),
        )
        shutil.rmtree(folder / str(number))
        shutil.rmtree(folder / f"{number}-again", ignore_errors=True)
    return refused


def test_what_was_answered_is_there_after_kill_9_and_what_was_refused_is_not(tmp_path: Path) -> None:
    without_sync(lambda: None)  # skips where it can't be done
    assert kill(tmp_path, 4) > 0


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_what_was_answered_is_there_after_1000_times_kill_9_and_what_was_refused_is_not(
    tmp_path: Path,
) -> None:
    refused = kill(tmp_path, 1000)
    print(
        f"1000 kills, half of them while syncs failed, a quarter after damage: {refused} presses refused, "
        f"none back; none answered lost"
    )
    assert refused > 1000


# --- memory -----------------------------------------------------------------------------------------


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def new_games(table: Table, chance: Random, games_to_play: int) -> None:
    """Begin games one after another, with forty presses in each."""
    for _ in range(games_to_play):
        for key in ("hold:UNDO", "UNDO", "UNDO", "UNDO", "MENU", "UP", "UP", "UP", "UP", "UP", "OK", "OK"):
            table.do(Press(key))
        play_on(table, chance, 40)


def held() -> int:
    """Return the bytes that something still holds, without the circles that await the collector."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.usefixtures("traced")
def test_memory_stays_flat(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        chance = Random(5)
        new_games(table, chance, 3)
        before = held()
        new_games(table, chance, 4)
        grown = held() - before
    assert grown < 40_000, f"{grown:,} bytes more after 200 presses"


def test_the_journal_folds_to_the_state_in_memory_at_random_steps(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        chance = Random(8)
        for _ in range(200):
            table.do(Press(random_key(table.now.state, table.now.saved, chance)))
            if chance.random() < 0.2:
                assert fold(journal.game()) == table.now.state
                assert [entry.event for entry in table.now.log] == journal.game()


def test_a_game_with_calls_that_are_refused_now_is_read_with_its_scores(tmp_path: Path) -> None:
    """Of muggins any call up to the largest flush was accepted once, and again and again."""
    lines = ("dealer 0", "starter 5", "play 1:10 0:Q 1:A 0:4 1:6 0:9 1:8 0:2", "show 1 counted=4")
    game = 'game "A" "B" rules=acc-muggins target=121 entry=cards'
    text = "\n".join(("cribpi record 1", game, *lines, *["muggins 0 1 1"] * 3))
    events = [event for event in parse(text) if not isinstance(event, Comment)]
    with opened(tmp_path) as (journal, _):
        for seq, event in enumerate(events, start=1):
            journal.commit("2030-01-01T00:00:00Z", seq, "{}", [event])
    with opened(tmp_path) as (_, table):
        assert table.now.state.scores() == (4, 6), "one for the last card, and three that were called"
    assert not list(tmp_path.glob("journal-aside-*"))
    (line,) = read_games(tmp_path, lambda games: [game.replayed() for game in games])
    assert line[-1].after.scores() == fold(entry.event for entry in line).scores() == (4, 6)
