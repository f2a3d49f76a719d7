"""What is said for good: it outlives an unreadable desk, another program, damage and a new journal."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.damage import DAMAGES
from support.greedy_games import greedy_game, journal_of
from support.sync_faults import without_sync
from support.tables import opened

from cribpi import cli
from cribpi.companion.doctor.house import check_journal
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.kept import to_text
from cribpi.companion.entry.next_game import Changes, NextGame
from cribpi.companion.entry.requests import Change, Name, Press, Rename, Start
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal.house_table import damaged_facts
from cribpi.companion.journal.journal import Journal
from cribpi.companion.table.table import Table

SHORT = 31
GAME = Start(Changes(entry="peg", names=("Ann", "Bob"), options={"target": "61"}))


def played(folder: Path) -> Path:
    """Leave a journal in which Ann and Bob have played one game, and Ann and Cleo another."""
    pairs = [("Ann", "Bob"), ("Ann", "Cleo")]
    return journal_of(folder, *(greedy_game(seed, pair, SHORT) for seed, pair in enumerate(pairs, start=1)))


def players(folder: Path) -> list[tuple[str, ...]]:
    return read_games(folder, lambda games: [summary.players for _, summary in games.finished()])


def done(table: Table, *asks: Any) -> None:  # noqa: ANN401  any ask, or a key
    for ask in asks:
        answer = table.do(Press(ask) if isinstance(ask, str) else ask)
        assert answer.is_accepted, answer.text


def said(table: Table) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return who sits at the table, who would in the next game, and who plays the computer alone."""
    setup = table.now.context.next_game
    return table.now.state.names, setup.house.names, setup.house.you


def left_by_a_program_that_could_not_read_the_desk(folder: Path) -> None:
    """Write a key pressed by an earlier program, which began with an empty desk."""
    with opened(folder) as (journal, table):
        journal.commit("2031-04-01T12:00:00Z", table.now.seq + 1, to_text(SavedInput(InputState())))


# --- undo -------------------------------------------------------------------------------------------


def test_undo_takes_back_a_whole_renaming_and_redo_brings_the_whole_again(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (_, table):
        done(table, GAME, Name(you="Ann"))
        before = said(table)
        assert before == (("Ann", "Bob"), ("Ann", "Bob"), "Ann")
        done(table, Rename("Ann", "Anna"))
        after = ("Anna", "Bob"), ("Anna", "Bob"), "Anna"
        for _ in range(3):
            assert said(table) == after
            assert players(tmp_path) == [("Anna", "Bob"), ("Anna", "Cleo")]
            done(table, "UNDO")
            assert said(table) == before
            assert players(tmp_path) == [("Ann", "Bob"), ("Ann", "Cleo")]
            done(table, "hold:UNDO")
    with opened(tmp_path) as (_, table):
        assert said(table) == after
        done(table, "UNDO")
    with opened(tmp_path) as (_, table):
        assert said(table) == before, "also after a restart"
        done(table, "hold:UNDO", "UNDO", "OK", Rename("Ann", "Anne"))
        assert said(table) == (("Anne", "Bob"), ("Anne", "Bob"), "Anne")
        assert players(tmp_path) == [("Anne", "Bob"), ("Anne", "Cleo")]


def test_undo_of_another_step_leaves_a_renaming_of_somebody_who_does_not_play(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (_, table):
        done(table, GAME, Rename("Cleo", "Clea"), "OK", "UNDO")
        assert players(tmp_path) == [("Ann", "Bob"), ("Ann", "Clea")]
        done(table, "hold:UNDO", Name(("Ann", "Rob")), "UNDO")
        assert table.now.state.names == ("Ann", "Bob")
        assert players(tmp_path) == [("Ann", "Bob"), ("Ann", "Clea")]


def test_undo_gives_back_only_the_names_that_a_renaming_has_changed(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (_, table):
        done(table, GAME, Rename("Ann", "Anna"), Change({"still": "on", "speed": "slow"}), "UNDO")
        assert table.now.context.next_game.house.names == ("Ann", "Bob")
        assert (table.now.saved.context.value("still"), table.now.saved.context.value("speed")) == (
            "on",
            "slow",
        )


def test_an_undo_that_the_disk_refuses_takes_back_nothing(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (_, table):
        done(table, GAME, Rename("Ann", "Anna"))
        assert "not saved" in json.loads(without_sync(lambda: table.do(Press("UNDO"))).text)["error"]
        assert said(table)[:2] == (("Anna", "Bob"), ("Anna", "Bob"))
        assert players(tmp_path)[0] == ("Anna", "Bob")
        done(table, "UNDO")
        assert said(table)[:2] == (("Ann", "Bob"), ("Ann", "Bob"))


def test_whoever_is_called_so_in_a_game_that_is_undone_just_then_goes_with_it(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (_, table):
        done(table, GAME, "UNDO", Rename("Bob", "Rob"), "hold:UNDO")
        assert read_games(tmp_path, lambda games: games[3].summary().players) == ("Ann", "Rob")


# --- other programs ---------------------------------------------------------------------------------


def test_what_was_said_outlives_a_program_that_could_not_read_the_desk(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (_, table):
        house = Changes(rules="acc", options={"last_card": "none"}, automatic=("cut", "go"), speed="slow")
        done(table, GAME, Start(house), Name(("Ann", "Bob")), Name(you="Ann"), Rename("Ann", "Anna"))
        done(table, Change({"still": "on"}))
        before = table.now.context.next_game
    left_by_a_program_that_could_not_read_the_desk(tmp_path)
    assert players(tmp_path) == [("Anna", "Bob"), ("Anna", "Cleo")]
    with opened(tmp_path) as (_, table):
        assert players(tmp_path) == [("Anna", "Bob"), ("Anna", "Cleo")]
        now = table.now.context.next_game
        assert (now.house, now.rules, now.options) == (before.house, before.rules, before.options)
        assert now.house.settings == (("still", "on"),)


def test_what_an_earlier_program_has_said_is_taken_up_once(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (_, table):
        done(table, GAME, Rename("Ann", "Anna"), Change({"still": "on"}))
    with opened(tmp_path) as (journal, table):  # that program reads the desk, and adds to it
        settings = (*table.now.context.house.settings, ("sleep", "2"))
        setup = NextGame(house=House(("Anna", "Rob"), you="Eve", speed="fast", settings=settings))
        rows = (*journal.renamed(), ("Bob", "Rob", journal.last_row))
        kept = to_text(
            SavedInput(InputState(), InputContext(setup)),
            rows,
        )
        journal.commit("2031-04-01T12:00:00Z", table.now.seq + 1, kept)
    expected = [("Anna", "Rob"), ("Anna", "Cleo")]
    assert players(tmp_path) == expected, "read before any program writes it"
    for _ in range(2):
        with opened(tmp_path) as (journal, table):
            assert players(tmp_path) == expected
            now = table.now.context.house
            assert (now.names, now.you, now.speed) == (("Anna", "Rob"), "Eve", "fast")
            assert dict(now.settings) == {"still": "on", "sleep": "2"}
            assert [one[:2] for one in journal.renamed()] == [("Ann", "Anna"), ("Bob", "Rob")]
            done(table, "MENU", "MENU")
    left_by_a_program_that_could_not_read_the_desk(tmp_path)
    with opened(tmp_path) as (_, table):
        assert table.now.context.next_game.house.names == ("Anna", "Rob")
        assert players(tmp_path) == expected


def test_a_value_that_was_put_back_to_the_usual_one_stays_so(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        done(table, Name(you="Ann"), Change({"still": "on", "speed": "slow"}))
        done(table, Name(you="You"), Change({"still": "off", "speed": "normal"}))
    with opened(tmp_path) as (_, table):
        now = table.now.context.house
        assert (now.you, now.speed, now.settings) == ("", "normal", ())


def test_the_desk_still_has_what_earlier_programs_look_for(tmp_path: Path) -> None:
    with opened(played(tmp_path)) as (journal, table):
        done(table, GAME, Rename("Ann", "Anna"))
        row = json.loads((journal.saved_input() or (0, ""))[1])
        assert row["setup"]["names"] == ["Anna", "Bob"]
        assert [one[:2] for one in row["setup"]["renamed"]] == [["Ann", "Anna"]]
        done(table, "UNDO")
        row = json.loads((journal.saved_input() or (0, ""))[1])
        assert (row["setup"]["names"], row["setup"]["renamed"]) == (["Ann", "Bob"], [])


# --- damage -----------------------------------------------------------------------------------------


def spoilt(path: Path, change: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(change)


def renamed_twice(folder: Path) -> Path:
    with opened(played(folder)) as (_, table):
        done(table, GAME, Rename("Ann", "Anna"), "UNDO", "hold:UNDO", Rename("Cleo", "Clea"))
    return folder / "journal.db"


BOTH = [("Anna", "Bob"), ("Anna", "Clea")]


def test_what_was_said_is_picked_out_of_a_damaged_journal(tmp_path: Path) -> None:
    path = renamed_twice(tmp_path)
    spoilt(path, "UPDATE steps SET at = 'never' WHERE id = (SELECT max(id) FROM steps)")
    spoilt(path, "UPDATE desk SET data = ''")
    assert players(tmp_path) == BOTH
    assert read_games(tmp_path, lambda games: bool(games.damage))


def test_a_damaged_row_is_lost_alone_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = renamed_twice(tmp_path)
    spoilt(path, """UPDATE house SET said = '["renamed", "Ann", "Eve"]' WHERE said LIKE '%"Anna"]'""")
    spoilt(path, "UPDATE desk SET data = ''")
    with closing(sqlite3.connect(path)) as db:
        (odd,) = damaged_facts(db)
    assert players(tmp_path) == [("Ann", "Bob"), ("Ann", "Clea")]
    assert cli.main(["export", "--list", "--state", str(tmp_path)]) == 2
    assert "what was said of this house has changed since it was written" in capsys.readouterr().err
    verdict = str(check_journal(tmp_path))
    assert "what was said of this house" in verdict
    assert f"FROM house WHERE id IN ({odd})" in verdict
    with opened(tmp_path) as (_, table):
        assert table.now.context.next_game.house.names[1:] == ("Bob",)
        done(table, "MENU", "MENU")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM house WHERE id = ?", (odd,))
    assert "is intact" in str(check_journal(tmp_path))


def test_one_flipped_bit_in_what_was_said_is_said_or_harmless(tmp_path: Path) -> None:
    path = renamed_twice(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'house'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
        db.execute("UPDATE desk SET data = ''")  # else it has the names, too
        db.commit()
    whole, begins = path.read_bytes(), (root - 1) * size
    first = min(whole.index(text, begins) for text in (b'["renamed"', b'["names"'))
    chance, found = Random(1), 0
    for place in (*range(begins, begins + 10), *range(first, begins + size, 3)):
        data = bytearray(whole)
        data[place] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        listed, damage = read_games(
            tmp_path, lambda games: ([one.players for _, one in games.finished()], games.damage)
        )
        assert damage or listed == BOTH, place - begins
        found += bool(damage)
    assert found > 40


def written_anew(journal: Journal, table: Table, folder: Path, *, is_copied: bool) -> None:
    journal._opened.checkpoint()
    DAMAGES["log emptied"](folder, folder)
    with pytest.MonkeyPatch.context() as patch:
        if not is_copied:
            journal._is_malformed = True  # what is only in memory is not asked for
            patch.setattr(type(journal._opened), "write_copy", lambda *_: False)
        assert not table.do(Press("MENU")).is_accepted


@pytest.mark.parametrize("is_copied", [True, False])
def test_a_journal_that_is_written_anew_has_it_and_takes_it_back(tmp_path: Path, *, is_copied: bool) -> None:
    folder = played(tmp_path / "state")
    with opened(folder) as (journal, table):
        done(table, GAME, "OK", "UNDO", "OK", Rename("Cleo", "Clea"), Rename("Ann", "Anna"))
        written_anew(journal, table, folder, is_copied=is_copied)
        assert players(folder) == BOTH
        done(table, "UNDO")
        assert said(table)[:2] == (("Ann", "Bob"), ("Ann", "Bob"))
        assert players(folder) == [("Ann", "Bob"), ("Ann", "Clea")]
        done(table, "hold:UNDO", Start(Changes(names=("Cleo", "Dan"))))
    with opened(folder) as (_, table):
        assert table.now.state.names == ("Cleo", "Dan"), "who comes later is another person"
        assert players(folder) == BOTH


def test_who_is_renamed_in_a_rescued_journal_is_another_than_who_comes_later(tmp_path: Path) -> None:
    folder = played(tmp_path / "state")
    with opened(folder) as (journal, table):
        done(table, Rename("Ann", "Anna"))
        journal.commit(
            "2031-05-01T12:00:00Z",
            table.now.seq + 1,
            to_text(table.now.saved),
            greedy_game(3, ("Ann", "Bob"), SHORT),
        )
    with opened(folder) as (journal, table):
        assert players(folder) == [("Anna", "Bob"), ("Anna", "Cleo"), ("Ann", "Bob")]
        written_anew(journal, table, folder, is_copied=False)
        assert players(folder) == [("Anna", "Bob"), ("Anna", "Cleo"), ("Ann", "Bob")]


def test_a_kill_leaves_a_renaming_whole(tmp_path: Path) -> None:
    folder = played(tmp_path / "state")
    with opened(folder) as (_, table):
        for number, ask in enumerate((GAME, Rename("Ann", "Anna"), "UNDO", "hold:UNDO")):
            done(table, ask)
            left = tmp_path / f"left by kill -9 {number}"
            shutil.copytree(folder, left)
            name = ("Ann", "Anna", "Ann", "Anna")[number]
            assert players(left)[0] == (name, "Bob")
            with opened(left) as (_, again):
                assert said(again)[:2] == ((name, "Bob"), (name, "Bob"))
