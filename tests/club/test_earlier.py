"""Logs of the version before a round's entry said who meets whom are read, and go on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")

from sqlalchemy import text
from support.paths import DATA

from cribpi.club.desk import Desk
from cribpi.club.entries import Reported
from cribpi.club.log import Log
from cribpi.club.standings import Result

KEPT: Final = json.loads((DATA / "club-log-version-1.json").read_text("utf-8"))
"""A night that version wrote, and what it made of it: its rounds, results and standings.

Two come late to eight at full tables, two leave, two who would both sit out meet, and two are renamed: one
before round 1, and P2 after it.
"""

INSERT: Final = "INSERT INTO cribpi_club_log (night, number, at, entry) VALUES ('then', :number, :at, :entry)"


@pytest.fixture
def log(database: str) -> Iterator[Log]:
    found = Log(database)
    yield found
    found.close()


def write(log: Log, rows: list[dict[str, Any]]) -> None:
    with log._engine.begin() as db:
        for number, row in enumerate(rows, 1):
            values = {"number": number, "at": row["at"], "entry": json.dumps(row["entry"])}
            db.execute(text(INSERT), values)


def met(rounds: list[list[list[str]]]) -> list[list[list[str]]]:
    return [[sorted(pair) for pair in tables] for tables in rounds]


def test_a_night_comes_to_what_it_came_to(log: Log) -> None:
    write(log, KEPT["log"])
    night = Desk(log, "then").night
    called = night.name_of
    rounds = [[list(map(called, table.players)) for table in one.tables] for one in night.opened]
    assert met(rounds) == met([tables for tables, _ in KEPT["rounds"]])
    assert [sorted(map(called, one.sits_out)) for one in night.opened] == [out for _, out in KEPT["rounds"]]
    assert [
        [one.round, one.board, called(one.winner), called(one.loser), one.score] for one in night.results
    ] == KEPT["results"]
    assert [
        [one.rank, called(one.player), one.game_points, one.wins, one.spread] for one in night.standings
    ] == KEPT["standings"]


@pytest.mark.parametrize("opened", [1, 2, 3, 4])
def test_a_night_goes_on_in_the_middle_of_any_round(log: Log, opened: int) -> None:
    starts = [at for at, row in enumerate(KEPT["log"]) if row["entry"]["kind"] == "RoundOpened"]
    write(log, KEPT["log"][: starts[opened - 1] + 1])
    desk = Desk(log, "then")
    for _ in range(2):
        for table in desk.night.missing:
            desk.do(Reported(Result(desk.night.round, table.board, *table.players, 90), "the desk"))
        if desk.night.round < desk.night.games:
            desk.open_round()
    again = Desk(log, "then").night
    assert again == desk.night
    assert len(again.opened) == min(opened + 2, 5)
    by_id = json.loads(json.dumps(KEPT["rounds"]).replace("R4230", "P2"))
    tables = [[list(table.players) for table in one.tables] for one in again.opened[: opened - 1]]
    assert met(tables) == met([tables for tables, _ in by_id[: opened - 1]]), "as their results say"
