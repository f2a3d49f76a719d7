"""Summaries are kept once, say what the steps say, and are made again where they are missing or damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.games import referee_game
from support.paths import DATA
from support.patience import until
from support.tables import opened

from cribpi.companion.entry.ask import Changes, Play, Press, Start
from cribpi.companion.history.backfill import late_summaries
from cribpi.companion.history.past_games import read_games
from cribpi.companion.history.summaries import UNFINISHED, Summaries
from cribpi.companion.journal.journal import Journal, Write
from cribpi.cribbage.game.events import Event, GameStarted, PenaltyPegged
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.results.statistics import Digest, digest


def game(seed: int, target: int = 31) -> list[Event]:
    return [one.event for one in referee_game(Random(seed), 2, target, suited=True)]


GAMES = [game(seed) for seed in range(4)]


def write(journal: Journal, events: Sequence[Event]) -> None:
    journal.take_in(events, journal.depth + len(events) + 1, "{}", "2031-01-01T00:00:00.000+00:00")


def read(folder: Path, most: int | None = None) -> tuple[list[tuple[int, Digest]], Summaries]:
    """Return the finished games, and what was made on the way."""
    kept: list[Summaries] = []

    def ask(games: object) -> list[tuple[int, Digest]]:
        kept[:] = [Summaries(games, most)]  # type: ignore[arg-type]
        return list(kept[0].finished())

    return read_games(folder, ask), kept[0]


def rows(folder: Path) -> dict[int, str]:
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        return dict(db.execute("SELECT last, data FROM summaries"))


def expected(games: Sequence[Sequence[Event]]) -> list[tuple[int, Digest | None]]:
    return [(number, digest(fold(events))) for number, events in enumerate(games, start=1)]


def test_what_is_kept_is_not_made_again_and_says_the_same(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, [event for events in GAMES for event in events])
    first, made = read(tmp_path)
    assert first == expected(GAMES)
    assert len(made.made) == len(GAMES)
    with opened(tmp_path) as (journal, _):
        journal.keep_summaries(made.made)
    again, other = read(tmp_path, most=0)
    assert (again, other.made, other.lacking) == (first, {}, [])


def test_no_more_are_made_than_may_be_and_the_others_are_named(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, [event for events in GAMES for event in events])
    found, made = read(tmp_path, most=1)
    assert [number for number, _ in found] == [1, 4], "the game on the table is always among them"
    assert len(made.lacking) == 2


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_journal_of_an_earlier_version_is_summarized_without_a_change(version: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((DATA / f"journal-version-{version}.sql").read_text(encoding="utf-8"))
    before = path.read_bytes()
    found, made = read(tmp_path)
    assert [number for number, _ in found] == ([1, 2] if version == 3 else [])
    assert path.read_bytes() == before
    with opened(tmp_path) as (journal, _):
        journal.keep_summaries(made.made)
    assert rows(tmp_path) == made.made
    assert read(tmp_path, most=0)[0] == found


def test_an_end_that_is_undone_is_summarized_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, GAMES[0])
        journal.keep_summaries(read(tmp_path)[1].made)
        (before,) = read(tmp_path)[0]
        for steps in range(len(GAMES[0])):
            journal.commit(Write(seq=1000 + steps, desk="{}", move="undo"), "2031-01-01T00:00:00.000+00:00")
            if not steps:
                assert read(tmp_path)[0] == [], "the game is open again"
        write(journal, GAMES[1])
        (after,) = read(tmp_path)[0]
        assert before[1] == digest(fold(GAMES[0]))
        assert after[1] == digest(fold(GAMES[1]))


def test_a_game_that_was_left_is_no_finished_one_and_is_not_asked_for_again(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, [*GAMES[0][:-1], *GAMES[1]])
        found, made = read(tmp_path)
        assert [number for number, _ in found] == [2]
        assert list(made.made.values()).count(UNFINISHED) == 1
        journal.keep_summaries(made.made)
        assert read(tmp_path, most=0)[1].lacking == []


@pytest.mark.parametrize("damage", ["data = '[1]'", "crc = 7", "last = last + 1", "data = '[2,3]', crc = 7"])
def test_a_damaged_row_is_made_again(damage: str, tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, GAMES[0] + GAMES[1])
        true, made = read(tmp_path)
        journal.keep_summaries(made.made)
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as db:
        db.execute(f"UPDATE summaries SET {damage}")  # noqa: S608  the test's own words
    found, made = read(tmp_path)
    assert found == true
    assert len(made.made) == 2


def test_a_journal_without_games_has_none(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    assert read(tmp_path)[0] == []


def test_the_thread_makes_what_is_lacking_and_the_loop_keeps_it(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, _):
        write(journal, [event for events in GAMES * 4 for event in events])
        calls: list[str] = []

        def call(what: Callable[[], None]) -> None:
            calls.append("call")
            what()

        late = late_summaries(journal, call)
        late.start()
        late.wake()
        until(lambda: len(rows(tmp_path)) == 16)
        late.stop()
        assert len(calls) == 2
        assert read(tmp_path, most=0)[1].lacking == []
        assert isinstance(GAMES[0][0], GameStarted)


def test_a_summary_of_an_earlier_format_is_made_again(tmp_path: Path) -> None:
    """It had his heels under corrections: a game that was kept so is not lost, and not wrong."""
    with opened(tmp_path) as (journal, _):
        write(journal, [event for events in GAMES for event in events])
        rows_before = read(tmp_path)[1].made
        older = '[1,["ANN","BOB"],[31,20],0,31,[0,0],[[9,12,8,0,2],[8,12,0,0,0]],[],[[],[]]]'
        journal.keep_summaries(dict.fromkeys(rows_before, older))
    found, made = read(tmp_path)
    assert found == expected(GAMES)
    assert made.made == rows_before


def test_what_a_game_came_to_is_on_the_disk_with_the_press_that_wins_it(tmp_path: Path) -> None:
    """Nothing is to be filled in later, neither after an undo nor after a ruling that goes on from there."""
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(options={"target": "31"}, entry="peg")))
        table.do(Press("P1"))
        table.do(Play(PenaltyPegged(0, 29), table.now.state))
        assert rows(tmp_path) == {}
        for _ in range(2):
            assert table.do(Play(PenaltyPegged(0, 2), table.now.state)).is_accepted
            found, made = read(tmp_path, most=0)
            assert found == [(1, digest(table.now.state))]
            assert (made.made, made.lacking) == ({}, [])
            table.do(Press("UNDO"))
            assert read(tmp_path, most=0)[0] == []
            table.do(Press("OK"))


def test_a_fault_in_what_a_game_came_to_keeps_nobody_from_winning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_state: object) -> None:
        raise ZeroDivisionError

    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(options={"target": "31"}, entry="peg")))
        table.do(Press("P1"))
        with monkeypatch.context() as planted:
            planted.setattr("cribpi.companion.table.table.digest", broken)
            assert table.do(Play(PenaltyPegged(0, 31), table.now.state)).is_accepted
        assert table.now.state.winner == 0
        assert rows(tmp_path) == {}
        assert read(tmp_path)[0] == [(1, digest(table.now.state))], "it is made when it is asked for"
