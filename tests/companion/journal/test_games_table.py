"""The table of games: it says what the steps say, whatever was pressed, and is made where it is missing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random

import pytest
from support.paths import DATA, GAMES
from support.tables import opened, play_on, pragmas

from cribpi.commands import export, import_
from cribpi.companion.entry.requests import Press
from cribpi.companion.history.fill import fill_in
from cribpi.companion.history.past_games import read_games
from cribpi.companion.journal import database
from cribpi.companion.journal.database import VERSION
from cribpi.companion.journal.games_table import GameRow
from cribpi.companion.journal.journal import Journal
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import CardCut, Event, GameStarted
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import Comment, parse, parse_event
from cribpi.cribbage.results.statistics import read_summary, summary_of

OLD = {version: DATA / f"journal-version-{version}.sql" for version in (1, 2)}


def noted(path: Path) -> dict[int, GameRow]:
    """Return the rows of the table, by the row in which each game begins."""
    with closing(sqlite3.connect(path)) as db:
        return {row[0]: GameRow(*row) for row in db.execute("SELECT * FROM games")}


def summaries(path: Path) -> dict[int, str]:
    """Return the summaries, by the row of the last step of each game."""
    with closing(sqlite3.connect(path)) as db:
        return dict(db.execute("SELECT last, data FROM summaries"))


def told_by_the_steps(path: Path) -> dict[int, tuple[GameRow, str | None]]:
    """Return what the table must hold, with the summary of the game before each, found by a walk from each
    beginning through all steps before it."""
    with closing(sqlite3.connect(path)) as db:
        steps = {row[0]: row for row in db.execute("SELECT id, at, event, parent, depth FROM steps")}
    found: dict[int, tuple[GameRow, str | None]] = {}
    for start, at, event, parent, depth in steps.values():
        if not (event or "").startswith("game "):
            continue
        before, number, line, at_row = None, 1, list[Event](), parent
        while at_row is not None:
            text = steps[at_row][2]
            if number == 1:
                line.insert(0, parse_event(text))
            if text.startswith("game "):
                before = before or at_row
                number += 1
            at_row = steps[at_row][3]
        summary = summary_of(fold(line)).text() if line else None
        found[start] = GameRow(start, at, parent, depth, before, number), summary
    return found


def check(path: Path, *, is_summarized: bool = True) -> int:
    """Check the tables against the steps; return how many games there are."""
    rows, true, kept = noted(path), told_by_the_steps(path), summaries(path)
    assert rows.keys() == true.keys()
    for start, (begun, summary) in true.items():
        assert rows[start].is_whole
        assert rows[start]._replace(crc=0) == begun
        assert kept.get(begun.parent or 0) == (summary if is_summarized else None)
    return len(rows)


def play(folder: Path, seed: int, games: int) -> None:
    """Play parts of games with random keys, taken back now and then over their beginning, and other games
    begun."""
    chance = Random(seed)
    with opened(folder) as (_, table):
        for _ in range(games):
            for key in (*["hold:UNDO", "UNDO"] * 3, "MENU", "UP", "UP", "UP", "UP", "UP", "OK", "OK"):
                table.do(Press(key))
            play_on(table, chance, chance.randint(3, 40))
            for _ in range(chance.choice((0, 0, 2, 60))):
                table.do(Press("UNDO"))


@pytest.mark.parametrize("seed", range(4))
def test_the_table_says_what_the_steps_say_after_random_games_with_undo(seed: int, tmp_path: Path) -> None:
    play(tmp_path, seed, 6)
    assert check(tmp_path / "journal.db") > 3


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_the_table_says_what_the_steps_say_after_a_hundred_evenings(tmp_path: Path) -> None:
    for seed in range(100):
        play(tmp_path / str(seed), seed, 30)
        assert check(tmp_path / str(seed) / "journal.db") > 15


def two_games(folder: Path) -> list[Event]:
    """Leave a journal of two games on the line; return their events."""
    events: list[Event] = [
        GameStarted(("ANN", "BOB")),
        CardCut(0, PACK[3]),
        GameStarted(("EVA", "FAY")),
        CardCut(1, PACK[4]),
    ]
    with opened(folder) as (journal, _):
        journal.commit("then", 1, "{}", events)
    return events


def test_games_that_are_taken_in_are_noted_and_not_summarized(tmp_path: Path) -> None:
    two_games(tmp_path)
    assert check(tmp_path / "journal.db", is_summarized=False) == 2


@pytest.fixture
def _few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_, "AT_ONCE", 300)


@pytest.mark.usefixtures("_few_at_once")
def test_an_import_notes_each_game_and_summarizes_it(tmp_path: Path) -> None:
    play(tmp_path / "kept", 5, 2)
    files = sorted(GAMES.glob("*-2.crib"))
    several = tmp_path / "several.crib"
    bodies = [path.read_text(encoding="utf-8").partition("\n")[2] for path in files[:3]]
    several.write_text("cribpi record 1\n" + "".join(bodies), encoding="utf-8")
    assert len(list(import_.take_in([files[0], several, *files], tmp_path / "kept"))) == len(files) + 2
    assert check(tmp_path / "kept" / "journal.db") > len(files) + 4


def test_short_records_are_written_together_and_long_ones_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    commit = Journal.commit

    def counted(
        journal: Journal, at: str, seq: int, saved_input: str, events: Iterator[Event], *, again: str
    ) -> None:
        line = list(events)
        written.append(len(line))
        commit(journal, at, seq, saved_input, line, again=again)

    monkeypatch.setattr(Journal, "commit", counted)
    monkeypatch.setattr(import_, "AT_ONCE", 10)
    record = tmp_path / "four.crib"
    record.write_text(
        'cribpi record 1\ngame "ANN" "BOB" dealer=1\nstarter J\nplay 0:9 1:6\n', encoding="utf-8"
    )
    assert len(list(import_.take_in([record] * 7, tmp_path / "kept"))) == 7
    assert written == [12, 12, 4]


# --- earlier versions -------------------------------------------------------------------------------


def old_journal(folder: Path, version: int) -> Path:
    path = folder / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD[version].read_text(encoding="utf-8"))
    return path


@pytest.mark.parametrize("version", OLD)
def test_a_journal_of_an_earlier_version_gets_its_table_when_it_is_opened(
    version: int, tmp_path: Path
) -> None:
    path = old_journal(tmp_path, version)
    with opened(tmp_path) as (journal, table):
        assert pragmas(journal)["user_version"] == VERSION
        state = table.now.state
        assert table.do(Press("UNDO")).is_accepted
        assert table.do(Press("hold:UNDO")).is_accepted
        assert table.now.state == state
    assert check(path, is_summarized=False) == 2


@pytest.mark.parametrize("version", OLD)
def test_a_journal_of_an_earlier_version_is_listed_as_it_is_after_it_was_opened(
    version: int, tmp_path: Path
) -> None:
    path = old_journal(tmp_path, version)
    before = path.read_bytes()
    listed = export.listed(tmp_path, is_json=True)
    assert listed.damage is None
    assert len(json.loads(listed.text)["games"]) == 2
    assert path.read_bytes() == before
    with opened(tmp_path):
        pass
    assert export.listed(tmp_path, is_json=True) == listed


class Killed(BaseException):
    """Nothing can be done after it."""


@pytest.mark.parametrize("at", range(4))
def test_a_change_to_this_version_that_breaks_off_anywhere_is_done_at_the_next_start(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_journal(tmp_path, 1)
    numbers = count()

    def break_off(*_: object) -> None:
        if next(numbers) == at:
            raise Killed

    class Watched(sqlite3.Connection):
        def execute(self, *arguments: object) -> sqlite3.Cursor:
            if arguments[0] != "ROLLBACK" and ("games" in str(arguments[0]) or "COMMIT" in str(arguments[0])):
                break_off()
            return super().execute(*arguments)  # type: ignore[arg-type]

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k | {"factory": Watched}))
    with pytest.raises(Killed):
        Journal(path)
    monkeypatch.undo()
    listed = export.listed(tmp_path, is_json=True)
    assert len(json.loads(listed.text)["games"]) == 2, "meanwhile it can be read"
    with opened(tmp_path):
        pass
    assert check(path, is_summarized=False) == 2


OLD_CALLS = """cribpi record 1
game "ANN" "BOB" rules=acc-muggins dealer=1
starter 5
play 0:10 1:Q 0:A 1:4 0:6 1:9 0:8 1:2
show 0 counted=4
muggins 1 0 1
muggins 1 0 1
"""
"""A game as only version 2 took it: BOB is given 2 for what ANN could not have missed."""


def test_calls_of_muggins_that_an_earlier_version_took_stand_in_the_list_and_are_brought_back(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    kept = [event for event in parse(OLD_CALLS) if not isinstance(event, Comment)]
    with closing(Journal(path)) as journal:
        journal.commit("2026-05-03T19:04:21.000+00:00", 1, "{}", [*kept, GameStarted(("ANN", "BOB"))])
        fill_in(journal)
        for seq, steps in ((2, 1), (3, 2)):
            journal.commit("2026-05-03T19:05:00.000+00:00", seq, "{}", steps=-steps)
    assert [read_summary(text).shown_scores() for text in summaries(path).values()] == ["ANN 6, BOB 3"]
    with opened(tmp_path) as (_, table):
        assert table.now.state.scores() == (6, 1)
        for _ in range(2):
            assert table.do(Press("hold:UNDO")).is_accepted
        assert table.now.state.scores() == (6, 3)


def test_a_table_that_was_emptied_is_made_again(tmp_path: Path) -> None:
    play(tmp_path, 3, 4)
    path = tmp_path / "journal.db"
    before = noted(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DELETE FROM games")
    with opened(tmp_path):
        pass
    assert noted(path) == before


def test_a_journal_without_a_table_beside_a_companion_of_old_is_read(tmp_path: Path) -> None:
    path = old_journal(tmp_path, 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("UPDATE desk SET seq = seq")
        assert read_games(tmp_path, len) == 2


# --- what it costs ----------------------------------------------------------------------------------


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """Count the steps of SQLite's own machine, in hundreds: they grow with the rows that are read."""
    hundreds = count(1)
    connect = sqlite3.connect

    def watched(*arguments: object, **named: object) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*arguments, **named)  # type: ignore[call-overload]
        db.set_progress_handler(lambda: next(hundreds) * 0, 100)
        return db

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", watched)
        yield lambda: next(hundreds) - 1


def many_games(folder: Path, games: int, events: int) -> None:
    """Leave a journal of *games* games, of so many *events* each."""
    game: list[Event] = [
        GameStarted(("ANN", "BOB")),
        *[CardCut(seat % 2, PACK[3]) for seat in range(events - 1)],
    ]
    with opened(folder) as (journal, _):
        journal.commit("2030-01-01T00:00:00Z", 1, "{}", game * games)
        fill_in(journal)


def open_and_close(folder: Path) -> None:
    with opened(folder):
        pass


ACTS: dict[str, Callable[[Path], object]] = {
    "start": open_and_close,
    "export": lambda folder: export.record(folder, None),
    "list": lambda folder: export.listed(folder, is_json=False),
}


def cost(folder: Path, act: str, games: int, events: int, monkeypatch: pytest.MonkeyPatch) -> int:
    many_games(folder, games, events)
    with counted(monkeypatch) as so_far:
        ACTS[act](folder)
        return so_far()


@pytest.fixture
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take each journal for a large one, not all of whose rows are looked at; SQLite's own check looks at
    all."""
    monkeypatch.setattr(database, "faults", lambda _, **__: "")
    monkeypatch.setattr("cribpi.companion.journal.database.CHECKED_BY_ROW", 0)
    monkeypatch.setattr(database, "CHECKED_AT_START", 0)


@pytest.mark.usefixtures("_large")
@pytest.mark.parametrize("act", ["start", "export"])
def test_a_start_and_the_export_of_the_game_in_hand_cost_the_same_whatever_was_played_before(
    act: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = cost(tmp_path / "few", act, 5, 30, monkeypatch)
    many = cost(tmp_path / "many", act, 100, 30, monkeypatch)
    assert many <= few + 1


@pytest.mark.usefixtures("_large")
def test_a_list_costs_by_games_and_not_by_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = cost(tmp_path / "short", "list", 100, 3, monkeypatch)
    long = cost(tmp_path / "long", "list", 100, 43, monkeypatch)
    assert long < 2 * short, "the game in hand is played through, and no other"
