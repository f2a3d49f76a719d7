"""The desk: each board gets its pairing, doubts are bounded, and a log that fails changes nothing."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator
from random import Random

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")

from club.ends import end_of, text, undone
from support.newcomers import NEWCOMERS, add_newcomers
from support.patience import PATIENCE
from support.refusals import refused

from cribpi.club.desk import MOST_DOUBTS, Desk
from cribpi.club.entries import Arrived, BoardPlaced, Gone, Listed, Renamed, Reported, Settled
from cribpi.club.log import Log, LogTrouble
from cribpi.club.pairings import TablePairing
from cribpi.club.standings import Result
from cribpi.companion.mqtt.pairing import read_pairing
from cribpi.cribbage.rules.errors import RuleError


def following(desk: Desk) -> tuple[TablePairing, ...]:
    """Return who meets whom in the next round."""
    return desk.night.following.tables


@pytest.fixture
def log(database: str) -> Iterator[Log]:
    found = Log(database)
    yield found
    found.close()


def begun(log: Log, *boards: str, night: str = "a night") -> Desk:
    """Return a desk with ANN and BOB at board 1, and CAT and DOT at board 2, in some order, in round 1."""
    desk = Desk(log, night)
    for player in ("ANN", "BOB", "CAT", "DOT"):
        desk.do(Listed(player))
        desk.do(Arrived(player))
    for board in boards:
        comes(desk, board)
    desk.draw(Random(1))
    desk.open_round()
    return desk


def state(score: int, *, club: bool = True) -> bytes:
    sides = [{"name": "ANN", "score": score}, {"name": "BOB", "score": 3}]
    return json.dumps({"sides": sides, "phase": "play", "club": club}).encode()


def comes(desk: Desk, board: str) -> None:
    """Have a board come that takes pairings."""
    desk.on_online(board, is_there=True)
    desk.on_state(board, state(0))


def test_boards_get_the_tables_without_one_in_the_order_in_which_they_come(log: Log) -> None:
    desk = begun(log, "oak", "elm", "fir")
    assert dict(desk.night.boards) == {1: "oak", 2: "elm"}
    assert desk.spare == ["fir"]
    desk.do(BoardPlaced(1, ""))
    assert desk.night.boards[1] in {"fir", "oak"}


def test_a_board_that_takes_no_pairings_gets_no_table_and_is_named(log: Log) -> None:
    """It has no `club = true`, or is of an earlier version, which does not say."""
    desk = begun(log)
    for board, told in (("oak", state(0, club=False)), ("elm", b'{"sides": [], "phase": "idle"}')):
        desk.on_online(board, is_there=True)
        assert desk.deaf == [], "it has said nothing yet"
        desk.on_state(board, told)
        assert desk.deaf == [board]
        desk.on_online(board, is_there=False)
    assert dict(desk.night.boards) == {}
    desk.on_state("fir", state(0))
    desk.on_online("fir", is_there=True)
    assert dict(desk.night.boards) == {1: "fir"}, "in whatever order it is heard"
    desk.on_online("oak", is_there=True)
    desk.do(BoardPlaced(2, "oak"))
    assert "oak" in desk.pairings(), "the director may say so all the same"
    desk.on_online("elm", is_there=True)
    desk.on_state("elm", state(0))
    assert desk.deaf == []


def test_each_board_gets_its_pairing_and_one_without_a_table_gets_none(log: Log) -> None:
    desk = begun(log, "oak", "elm")
    told = {board: json.loads(found) for board, found in desk.pairings().items()}
    for number, board in ((1, "oak"), (2, "elm")):
        table = desk.night.table(1, number)
        assert told[board] == {
            "schema": 1,
            "night": "a night",
            "round": 1,
            "games": 9,
            "board": number,
            "players": list(table.players),
            "rules": "acc",
        }
    desk.do(Gone(desk.night.table(1, 1).players[0]))
    for number in (1, 2):
        if desk.night.here.issuperset(desk.night.table(1, number).players):
            board, table = desk.night.boards[number], desk.night.table(1, number)
            desk.on_result(board, text(end_of(*table.players, 90, board=board)))
    desk.open_round()
    assert desk.pairings()["elm"] == b""


def test_what_a_board_reports_of_a_round_that_the_log_has_lost_can_be_counted_once_it_is_played(
    log: Log,
) -> None:
    """The log was restored from a backup."""
    desk = begun(log, "oak", "elm")
    for table in desk.night.missing:
        desk.do(Reported(Result(1, table.board, *table.players, 90), "the desk"))
    one, _ = following(desk)
    desk.on_result("oak", text(end_of(*one.players, 90, 2, seq=20)))
    (doubt,) = Desk(log, "a night").night.doubts
    assert doubt.why.endswith(
        "this log has no round 2, so it seems to be a backup. Start the rounds again, then count this"
    )
    assert refused(RuleError, desk.do, Settled(doubt.number, is_right=True)) == "round 2 has not started"
    desk.open_round()
    assert len(desk.night.results) == 2, "only the director counts it"
    desk.do(Settled(doubt.number, is_right=True))
    assert desk.night.result(2, 1) == Result(2, 1, *one.players, 90)


def test_a_game_of_two_who_meet_later_does_not_count_by_itself(log: Log) -> None:
    desk = begun(log, "oak", "elm")
    one, _ = following(desk)
    desk.on_result("oak", text(end_of(*one.players, 90, seq=3, night=None)))
    for table in desk.night.missing:
        desk.do(Reported(Result(1, table.board, *table.players, 90), "the desk"))
    desk.open_round()
    assert len(desk.night.results) == 2
    (doubt,) = desk.night.doubts
    assert doubt.why.endswith("they aren't paired in round 1")


def test_a_player_who_is_renamed_is_so_on_every_screen(log: Log) -> None:
    desk = begun(log, "oak", "elm")
    desk.on_state("oak", state(50))
    desk.do(Renamed("ANN", "ANNA"))
    told = [player for text in desk.pairings().values() for player in json.loads(text)["players"]]
    assert sorted(told) == ["ANNA", "BOB", "CAT", "DOT"]
    sides = [{"name": "ANNA", "score": 50}, {"name": "BOB", "score": 3}]
    desk.on_state("elm", json.dumps({"sides": sides, "phase": "play"}).encode())
    assert desk.live["oak"].sides == desk.live["elm"].sides, "its game goes on under the former name"
    assert log.entries("a night")[-1] == Renamed("ANN", "ANNA")
    assert Desk(log, "a night").night == desk.night


def test_before_the_draw_no_board_has_a_pairing(log: Log) -> None:
    desk = Desk(log, "a night")
    for player in ("ANN", "BOB"):
        desk.do(Listed(player))
        desk.do(Arrived(player))
    comes(desk, "oak")
    assert desk.pairings() == {"oak": b""}


def test_what_another_night_has_not_heard_is_shown_once(
    log: Log,
) -> None:
    """A broker keeps a board's last result, and what a night has not heard while another was open."""
    last = begun(log, "oak", night="last week")
    one, other = (end_of(*last.night.table(1, 1).players, 90, seq=seq, night="last week") for seq in (9, 12))
    last.on_result("oak", text(one))
    tonight = begun(log, "oak")
    for told in (one, other, other, {**undone(seq=14), "night": "last week"}):
        tonight.on_result("oak", text(told))
    first, second = (doubt.why for doubt in tonight.night.doubts)
    on = "on another night, last week: that doesn't count here"
    sides = ", ".join(f"{side['name']} {side['score']}" for side in other["sides"])
    assert (first, second) == (f"oak reports {sides} {on}", f"oak undid the end of a game {on}")
    assert tonight.night.results == ()
    tonight.do(Settled(tonight.night.doubts[0].number, is_right=False))
    Desk(log, "a night").on_result("oak", text(other))
    assert len(Desk(log, "a night").night.doubts) == 1, "nor after a restart"


def test_a_flood_of_nonsense_fills_neither_the_desk_nor_the_log(log: Log) -> None:
    desk = begun(log, "oak")
    entries = desk.night.entries
    for number in range(3 * MOST_DOUBTS):
        desk.on_result("oak", b"{%d" % number)
    assert len(desk.night.doubts) == MOST_DOUBTS
    assert desk.night.entries == entries + MOST_DOUBTS
    desk.on_result("oak", text(end_of(*desk.night.table(1, 1).players, 90)))
    assert len(desk.night.results) == 1, "what is right still counts"


def test_the_next_desk_goes_on_where_this_one_was(log: Log) -> None:
    desk = begun(log, "oak")
    desk.on_result("oak", text(end_of(*desk.night.table(1, 1).players, 90)))
    desk.on_result("oak", b"nonsense")
    again = Desk(log, "a night")
    assert again.night == desk.night
    assert again.pairings() == desk.pairings()
    assert Desk(log, "another night").night.entries == 0


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "one\nnight", "\x1b[2J"])
def test_a_night_has_a_name_that_can_be_read(log: Log, name: str) -> None:
    assert (
        refused(RuleError, Desk, log, name) == "the night's name: use 1 to 80 visible characters on one line"
    )


def test_a_pairing_is_one_that_a_board_takes(log: Log) -> None:
    for name in ("2026-11-25", "x" * 80, "Tuesday, the second try"):
        desk = begun(log, "oak", night=name)
        pairing = read_pairing("cribpi/oak/pairing", desk.pairings()["oak"])
        assert pairing is not None
        assert (pairing.night, pairing.players) == (name, desk.night.table(1, 1).players)


def test_of_two_desks_at_one_night_the_second_is_stopped(log: Log) -> None:
    desk, other = begun(log), Desk(log, "a night")
    desk.do(Listed("EVE"))
    before = other.night
    said = refused(LogTrouble, other.do, Listed("FAY"))
    assert "another desk" in said
    assert other.night == before


def test_what_can_not_be_kept_has_not_happened(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = begun(log, "oak")
    heard = []
    desk.subscribe(lambda: heard.append(1))

    def full(*_: object) -> None:
        raise LogTrouble("the disk is full")

    monkeypatch.setattr(log, "add", full)
    with pytest.raises(LogTrouble):
        desk.on_result("oak", text(end_of(*desk.night.table(1, 1).players, 90)))
    assert desk.night.results == ()
    assert not heard
    monkeypatch.undo()
    desk.on_result("oak", text(end_of(*desk.night.table(1, 1).players, 90)))
    assert len(desk.night.results) == 1


def test_a_board_that_is_near_the_end_shows(log: Log) -> None:
    desk = begun(log, "oak")
    heard = []
    desk.subscribe(lambda: heard.append(1))
    for score, near in ((100, False), (101, True)):
        desk.on_state("oak", state(score))
        assert desk.live["oak"].is_near == near
    desk.on_state("oak", state(101))
    assert len(heard) == 2, "what is known changes nothing"


@pytest.mark.parametrize("garbage", [b"", b"[]", b"null", b"{}", b'{"sides": 3, "phase": 1}', b"[" * 90_000])
def test_a_state_that_can_not_be_read_is_left_out(log: Log, garbage: bytes) -> None:
    desk = begun(log, "oak")
    before = desk.live
    desk.on_state("oak", garbage)
    assert desk.live == before


def test_two_desks_that_add_newcomers_at_once_lose_none(log: Log, database: str) -> None:
    processes = multiprocessing.get_context("spawn")
    ready = processes.Barrier(2)
    nights = ("Tuesday", "Thursday")
    desks = [processes.Process(target=add_newcomers, args=(database, night, ready)) for night in nights]
    for one in desks:
        one.start()
    for one in desks:
        one.join(PATIENCE)
        assert one.exitcode == 0
    book = Desk(log, "a third").book()
    every = {f"{night} {number}" for night in nights for number in range(NEWCOMERS)}
    assert {one.name for one in book.by_name} == every
    assert len(book.people) == len(every), "each has an id"
    assert {*book.nights} == {*nights}
