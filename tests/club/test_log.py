"""The log is kept in SQLite and in PostgreSQL alike: in order, once, and never changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")

from sqlalchemy import text
from support.refusals import refused

from cribpi.club.entries import ClubEntry, Listed, Noted, Planned, Reported
from cribpi.club.log import CLUB, Log, LogTrouble
from cribpi.club.standings import Result

ENTRIES: list[ClubEntry] = [
    Planned(9),
    Listed("Zoë 👩‍👧"),
    Reported(Result(1, 1, "ANN", "'; DROP TABLE", 80), "oak", "j-1"),
]


@pytest.fixture
def log(database: str) -> Iterator[Log]:
    found = Log(database)
    yield found
    found.close()


def run(log: Log, statement: str) -> None:
    """Do by hand in the database what the log never does."""
    with log._engine.begin() as db:
        db.execute(text(statement))


def test_what_was_added_is_there_after_the_next_start(log: Log, database: str) -> None:
    for number, entry in enumerate(ENTRIES, 1):
        log.add("first", number, entry)
    log.add("second", 1, Planned(3))
    log.close()
    again = Log(database)
    assert again.entries("first") == ENTRIES
    assert again.entries("second") == [Planned(3)]
    assert again.entries("third") == []
    last = {night: again.timed(night)[-1][0] for night in ("second", "first")}
    assert list(again.nights().items()) == list(last.items()), "the latest first"
    assert len(again.timed("first")) == 3
    assert again._engine.dialect.name in database
    again.close()


def test_of_two_desks_one_writes(log: Log, database: str) -> None:
    other = Log(database)
    log.add("both", 1, Planned(9))
    said = refused(LogTrouble, other.add, "both", 1, Planned(8))
    assert said == "another desk is running this night: close one of them"
    assert other.entries("both") == [Planned(9)]
    other.close()


def test_two_desks_that_change_the_book_at_once_are_told_so(log: Log) -> None:
    log.add(CLUB, 1, Noted(night="one"))
    said = refused(LogTrouble, log.add, CLUB, 1, Noted(night="other"))
    assert said == "another desk has changed the book of players: try again"


@pytest.mark.parametrize(
    "entry", ["5", "[1]", '{"kind": "Reported", "result": {"x": 1}}', "{}", '{"kind": 5}']
)
def test_what_is_no_entry_is_said(log: Log, entry: str) -> None:
    log.add("night", 1, Planned(9))
    run(log, f"UPDATE cribpi_club_log SET entry = '{entry}'".replace(":", "\\:"))  # noqa: S608  the test's own
    assert "the night night can't be read" in refused(LogTrouble, log.entries, "night")


def test_an_entry_whose_answer_got_lost_is_in(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit came through, and the connection broke: the desk's own row is not another desk's."""
    times = iter(["2026-11-25T20:00:00.000001+00:00"] * 2 + ["2026-11-25T20:00:00.000002+00:00"])

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.fromisoformat(next(times)).astimezone(tz)

    monkeypatch.setattr("cribpi.club.log.datetime", Clock)
    log.add("lost", 1, Planned(9))
    log.add("lost", 1, Planned(9))
    said = refused(LogTrouble, log.add, "lost", 1, Planned(9))
    assert "another desk" in said


def test_a_gap_is_seen(log: Log) -> None:
    for number in (1, 2, 3):
        log.add("gap", number, Planned(9))
    run(log, "DELETE FROM cribpi_club_log WHERE number = 2")
    assert refused(LogTrouble, log.entries, "gap") == "entries of the night gap are missing"


def test_a_desk_writes_nothing_behind_entries_that_are_gone(log: Log) -> None:
    log.add("night", 1, Planned(9))
    run(log, "DELETE FROM cribpi_club_log")
    why = "entries of the night night are gone from the log: was it changed by hand? Start the desk again"
    assert refused(LogTrouble, log.add, "night", 2, Planned(8)) == why
    assert log.entries("night") == []
    log.add("night", 1, Planned(8))


def test_a_damaged_entry_is_not_guessed(log: Log) -> None:
    log.add("night", 1, Planned(9))
    run(log, "UPDATE cribpi_club_log SET entry = '{'")
    assert "the night night can't be read" in refused(LogTrouble, log.entries, "night")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("nonsense", "not a database address"),
        ("oracle+nonsense://x", "not a database address"),
        ("sqlite:////proc/nowhere/club.db", "unable to open database file"),
        ("postgresql+psycopg://desk@/club?host=/nowhere", "gave an unexpected answer"),
    ],
)
def test_an_address_that_does_not_do_is_said(address: str, why: str) -> None:
    if "psycopg" in address:
        pytest.importorskip("psycopg", reason="psycopg is not installed")
    assert why in refused(LogTrouble, Log, address)


FULL = {
    "sqlite": "CREATE TRIGGER no_room BEFORE INSERT ON cribpi_club_log "
    "BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
    "postgresql": "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS "
    "'BEGIN RAISE EXCEPTION ''disk is full''; END'; "
    "CREATE TRIGGER no_room BEFORE INSERT ON cribpi_club_log FOR EACH ROW EXECUTE FUNCTION no_room()",
}
"""How each database is made to answer as one whose disk is full."""


def test_a_disk_that_is_full_is_said_and_nothing_is_kept(log: Log) -> None:
    log.add("night", 1, Planned(9))
    run(log, FULL[log._engine.dialect.name])
    said = refused(LogTrouble, log.add, "night", 2, Planned(8))
    assert said == "the database gave an unexpected answer (disk is full)"
    assert log.entries("night") == [Planned(9)]
