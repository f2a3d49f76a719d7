"""Summaries say what the steps say: written with the end of a game, filled in at a start, or made anew."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.full_disk import files_no_longer_than
from support.games import referee_game
from support.paths import DATA
from support.tables import opened

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Play, Press, Start
from cribpi.companion.history import fill
from cribpi.companion.history.fill import fill_in
from cribpi.companion.history.past_games import KeptGames, read_games
from cribpi.companion.journal.journal import Journal
from cribpi.cribbage.game.events import Event, PenaltyPegged
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.results.statistics import Summary, summary_of


def game(seed: int, target: int = 31) -> list[Event]:
    return [one.event for one in referee_game(Random(seed), 2, target, suited=True)]


GAMES = [game(seed) for seed in range(4)]


def write(journal: Journal, *games: Sequence[Event]) -> None:
    """Write *games* without their summaries."""
    events = [event for each in games for event in each]
    journal.commit("2031-01-01T00:00:00.000+00:00", journal.depth + len(events) + 1, "{}", events)


def read(folder: Path) -> tuple[list[tuple[int, Summary]], int]:
    """Return the finished games, and how many are not summarized yet."""
    return read_games(folder, lambda games: (list(games.finished()), games.lacking()))


def rows(folder: Path) -> dict[int, str]:
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        return dict(db.execute("SELECT last, data FROM summaries"))


def expected(*games: Sequence[Event]) -> list[tuple[int, Summary]]:
    return [(number, summary_of(fold(events))) for number, events in enumerate(games, start=1)]


def test_what_is_filled_in_says_the_same_as_what_is_replayed(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, *GAMES)
        assert read(tmp_path) == (expected(*GAMES), 3)
        fill_in(journal)
        assert read(tmp_path) == (expected(*GAMES), 0)
        before = rows(tmp_path)
        fill_in(journal)
        assert rows(tmp_path) == before
    assert len(before) == 3


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_journal_of_an_earlier_version_is_read_without_a_change_and_filled_in_once(
    version: int, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((DATA / f"journal-version-{version}.sql").read_text(encoding="utf-8"))
    before = path.read_bytes()
    found, lacking = read(tmp_path)
    assert [number for number, _ in found] == ([1, 2] if version == 3 else [])
    assert lacking == read_games(tmp_path, len) - 1
    assert path.read_bytes() == before
    with opened(tmp_path) as (journal, _):
        fill_in(journal)
    assert read(tmp_path) == (found, 0)


def test_an_end_that_is_undone_is_summarized_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, GAMES[0])
        journal.keep_summaries({len(GAMES[0]): expected(GAMES[0])[0][1].text()})
        assert read(tmp_path)[0] == expected(GAMES[0])
        for steps in range(len(GAMES[0])):
            journal.commit("2031-01-01T00:00:00.000+00:00", 1000 + steps, "{}", steps=-1)
            if not steps:
                assert read(tmp_path)[0] == [], "the game is open again"
        write(journal, GAMES[1])
        assert read(tmp_path)[0] == expected(GAMES[1])


def test_a_game_that_was_left_is_no_finished_one_and_is_not_asked_for_again(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, GAMES[0][:-1], GAMES[1])
        fill_in(journal)
    assert read(tmp_path) == (expected(*GAMES)[1:2], 0)
    assert read_games(tmp_path, lambda games: games[1].summary()) == summary_of(fold(GAMES[0][:-1]))


OLDER = '[2,["ANN","BOB"],[31,20],0,31,[0,0],[[9,12,8,0,2,0,0],[8,12,0,0,0,0,0]],[],[[],[]]]'
"""What the format before said of a game: not its rules, nor its entry."""


@pytest.mark.parametrize(
    "damage",
    ["data = '[1]'", "crc = 7", "last = last + 1", "data = '[3,3]', crc = 7", f"data = '{OLDER}'"],
)
def test_a_row_that_is_damaged_or_of_an_earlier_format_is_made_again(damage: str, tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, GAMES[0], GAMES[1])
        fill_in(journal)
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as db:
        db.execute(f"UPDATE summaries SET {damage}")  # noqa: S608  the test's own words
    assert read(tmp_path)[0] == expected(*GAMES[:2])


def test_a_summary_of_an_earlier_format_is_replaced_at_the_next_start(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, *GAMES)
        fill_in(journal)
        true = rows(tmp_path)
        journal.keep_summaries(dict.fromkeys(true, OLDER) | {max(true): "null"})
        assert read(tmp_path) == (expected(*GAMES), 3)
        fill_in(journal)
    assert rows(tmp_path) == true


def test_a_journal_without_games_has_none(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        fill_in(journal)
    assert read(tmp_path) == ([], 0)


# --- filling in -------------------------------------------------------------------------------------


@pytest.fixture
def _two_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill, "AT_ONCE", 2)


@pytest.mark.usefixtures("_two_at_once")
def test_it_says_how_far_it_is_and_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    said: list[tuple[int, int]] = []

    def goes_on(done: int, games: int) -> bool:
        said.append((done, games))
        return len(said) != 3

    with opened(tmp_path) as (journal, _):
        write(journal, *GAMES * 2)
        fill_in(journal, goes_on)
        assert said == [(0, 7), (2, 7), (4, 7)]
        assert read(tmp_path)[1] == 3
        said[:] = [(0, 0)] * 3
        fill_in(journal, goes_on)
        assert said[3:] == [(0, 3), (2, 3)]
    assert read(tmp_path) == (expected(*GAMES * 2), 0)


KILLED = """
import os, signal, sys
from pathlib import Path
from cribpi.companion.history import fill
from cribpi.companion.journal.journal import StateFolder

fill.AT_ONCE = 2
journal, _ = StateFolder(Path(sys.argv[1])).open_journal()
fill.fill_in(journal, lambda done, _games: done < 4 or os.kill(os.getpid(), signal.SIGKILL))
"""


def test_a_kill_in_the_middle_loses_nothing_and_the_next_start_goes_on(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, *GAMES * 2)
    killed = subprocess.run([sys.executable, "-c", KILLED, tmp_path], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert read(tmp_path) == (expected(*GAMES * 2), 3)
    with opened(tmp_path) as (journal, _):
        fill_in(journal)
    assert read(tmp_path) == (expected(*GAMES * 2), 0)


def test_a_game_that_can_not_be_read_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, *GAMES)
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as db:
        db.execute("UPDATE steps SET event = 'dealer 1' WHERE id = 3")
    with opened(tmp_path) as (journal, _):
        fill_in(journal)
    assert re.fullmatch(
        rf"the game that ends with step {len(GAMES[0])} is not summarized: step 3 has .*", caplog.messages[0]
    )
    assert len(rows(tmp_path)) == 2
    assert [number for number, _ in read(tmp_path)[0]] == [2, 3, 4]


def test_a_disk_that_is_full_keeps_nobody_from_starting(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, *GAMES)
        with files_no_longer_than((tmp_path / "journal.db-wal").stat().st_size):
            fill_in(journal)
        assert rows(tmp_path) == {}
        assert read(tmp_path) == (expected(*GAMES), 3)
        fill_in(journal)
        assert read(tmp_path) == (expected(*GAMES), 0)


def test_what_lacks_is_found_without_reading_the_steps(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, *GAMES * 10)
        fill_in(journal)
        asked: list[str] = []
        journal._db.set_trace_callback(asked.append)
        fill_in(journal)
    assert len(asked) == 1
    assert "steps" not in asked[0]


# --- with the press ---------------------------------------------------------------------------------


def test_what_a_game_came_to_is_on_the_disk_with_the_press_that_wins_it(tmp_path: Path) -> None:
    """Nothing is to be filled in later, neither after an undo nor after a ruling that goes on from there."""
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(options={"target": "31"}, entry="peg")))
        table.do(Press("P1"))
        table.do(Play(PenaltyPegged(0, 29), table.now.state))
        assert rows(tmp_path) == {}
        for _ in range(2):
            assert table.do(Play(PenaltyPegged(0, 2), table.now.state)).is_accepted
            assert list(rows(tmp_path).values())[-1] == summary_of(table.now.state).text()
            assert read(tmp_path)[0] == [(1, summary_of(table.now.state))]
            table.do(Press("UNDO"))
            assert read(tmp_path)[0] == []
            table.do(Press("OK"))


def test_how_a_game_stood_is_on_the_disk_with_the_press_that_leaves_it(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(entry="peg")))
        table.do(Press("P1"))
        table.do(Play(PenaltyPegged(0, 29), table.now.state))
        left = summary_of(table.now.state)
        assert table.do(Start(Changes(entry="peg"))).is_accepted
        assert list(rows(tmp_path).values()) == [left.text()]

    def kept(games: KeptGames) -> tuple[Summary, str | None]:
        return games[1].summary(), games[1].kept

    assert read_games(tmp_path, kept) == (left, left.text())
    assert read(tmp_path) == ([], 0)


def test_a_fault_in_what_a_game_came_to_keeps_nobody_from_winning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_state: object) -> None:
        raise ZeroDivisionError

    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(options={"target": "31"}, entry="peg")))
        table.do(Press("P1"))
        with monkeypatch.context() as planted:
            planted.setattr("cribpi.companion.table.table.summary_of", broken)
            assert table.do(Play(PenaltyPegged(0, 31), table.now.state)).is_accepted
        assert table.now.state.winner == 0
        assert rows(tmp_path) == {}
        assert read(tmp_path)[0] == [(1, summary_of(table.now.state))], "it is made when it is asked for"
