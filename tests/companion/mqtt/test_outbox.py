"""What is still to be told: from the journal, in order, nothing lost, and no card that nobody may see."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.presses import shuffled
from support.samples import some_of
from support.screens import ROUND_3
from support.tables import opened, play_on, play_to

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Play, Press, Rename, SetPairing, Start
from cribpi.companion.mqtt.messages import KINDS, SCHEMA, events_of, state_of
from cribpi.companion.mqtt.outbox import AT_ONCE, FILE, Outbox, StepMessages
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.state import AS_JSON
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import Entry, FalseWinRuled, PenaltyPegged
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.log import LogEntry


def every(outbox: Outbox, after: int = 0) -> list[StepMessages]:
    """Return all steps after a row."""
    found: list[StepMessages] = []
    while steps := outbox.after(found[-1].row if found else after):
        found += steps
    return found


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[Path, Table]]:
    with opened(tmp_path) as (_, table):
        play_to(table, Random(5), 400)
        (tmp_path / FILE).write_text("{}", encoding="utf-8")  # everything, and not the current game alone
        yield tmp_path, table


def test_every_step_is_told_once_and_in_order(played: tuple[Path, Table]) -> None:
    folder, _ = played
    steps = every(Outbox(folder, "oak"))
    assert [told.row for told in steps] == list(range(1, len(steps) + 1))
    assert len(steps) > AT_ONCE, "in several reads"
    events = [one for told in steps for one in told.events]
    assert all(told.events for told in steps)
    assert len({one["id"] for one in events}) == len(events)
    assert [one["seq"] for one in events] == sorted(one["seq"] for one in events)
    assert {one["event_type"] for one in events} <= set(KINDS)
    assert {one["board"] for one in events} == {"oak"}
    assert {one["schema"] for one in events} == {SCHEMA}
    assert {"undo", "card", "game"} <= {one["event_type"] for one in events}


def test_the_same_is_told_again_until_it_is_acknowledged(played: tuple[Path, Table]) -> None:
    folder, table = played
    first = Outbox(folder, "oak")
    steps = every(first)
    first.acknowledged(steps[99].row)
    first.acknowledged(steps[50].row)
    again = Outbox(folder, "oak")
    again.load()
    assert again.acknowledged_row == steps[99].row, "the later one counts"
    assert every(again, again.acknowledged_row) == steps[100:], "with the same ids"
    play_on(table, Random(9), 60)
    assert every(again, again.acknowledged_row)[: len(steps) - 100] == steps[100:], (
        "also what was undone since"
    )


def test_the_state_after_each_step_is_that_of_the_table(tmp_path: Path) -> None:
    chance = Random(11)
    with opened(tmp_path) as (_, table):
        outbox = Outbox(tmp_path, "oak")
        row = 0
        for _ in range(250):
            play_on(table, chance, 1)
            for told in outbox.after(row):
                row = told.row
            if row:
                now, state = outbox.now()
                assert now == row
                assert_is_of(state, table.now.state)


def assert_is_of(told: dict[str, Any], state: State) -> None:
    assert [side["score"] for side in told["sides"]] == [pegs.front for pegs in state.pegs]
    assert told["phase"] == str(state.phase)
    assert told["winner"] == state.winner
    assert [seat["name"] for seat in told["seats"]] == list(state.names)
    if state.deal is not None:
        assert told["count"] == state.deal.count
        assert told["pile"] == [str(card) for card in state.deal.pile]
        assert told["starter"] == (str(state.deal.starter) if state.deal.starter else None)


def test_the_points_of_a_step_are_those_of_its_scores_and_of_the_pegs(tmp_path: Path) -> None:
    """In every card, go and show of a random game."""
    with opened(tmp_path) as (_, table):
        play_to(table, Random(3), 300)
    front: dict[str, list[int]] = {}
    for told in every(Outbox(tmp_path, "oak")):
        act, *scores = told.events
        sides = [side["score"] for side in told.state["sides"]]
        if act["event_type"] in {"card", "go", "show"} and scores and "redone" not in act:
            for side, score in enumerate(sides):
                mine = [one["points"] for one in scores if one["side"] == side]
                pegged = [one["points"] for one in act["pegged"] if one["side"] == side]
                assert sum(pegged) == sum(mine), told
                if act["side"] == side:
                    assert act["points"] == sum(mine), told
                if told.state["winner"] is None and len(front.get("was", [])) == len(sides):
                    assert score - front["was"][side] == sum(mine), told
        front["was"] = sides


def test_no_card_is_told_before_it_lies_open(tmp_path: Path) -> None:
    """In games that the computer deals, the journal knows every card, and a hand is not to be told."""
    chance = Random(21)
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(entry=str(Entry.DEALT), levels=("", "thrifty"))))
        outbox, row, seen = Outbox(tmp_path, "oak"), 0, 0
        for _ in range(500):
            play_on(table, chance, 1)
            deal = table.now.state.deal
            steps = outbox.after(row)
            row = steps[-1].row if steps else row
            if deal is None or not steps:
                continue
            hidden = {
                str(card)
                for seat, cards in enumerate(deal.dealt)
                for card in cards
                if card not in deal.played[seat]
            }
            told = json.dumps([one for step in steps for one in step.events] + [steps[-1].state])
            if table.now.state.phase.value in {"deal", "play"} and steps[-1].events[0]["event_type"] in {
                "hand",
                "deal",
                "discard",
                "card",
                "starter",
            }:
                seen += 1
                starter = {str(deal.starter)} if deal.starter else set()
                assert not [card for card in hidden - starter if f'"{card}"' in told], told
        assert seen > 100


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_event_of_a_game_tells_a_card_that_is_closed(players: int) -> None:
    """Event by event, with hands that are dealt and discards that are known."""
    rules = preset("standard", players)
    sits = [opponent("thrifty", chance=Random(seat)) for seat in range(players)]
    before, told_of = NEW_TABLE, set()
    for event, after in game(sits, rules, lambda deal: Random(deal).sample(PACK, len(PACK))):
        told = [*events_of(LogEntry(before, event, after)), state_of(after)]
        told_of |= {one["event_type"] for one in told[:-1]}
        if (deal := after.deal) is not None and after.phase in {Phase.DEAL, Phase.STARTER, Phase.PLAY}:
            closed = {card for cards in deal.dealt for card in cards}
            closed -= {play.card for play in deal.plays} | {deal.starter}
            text = json.dumps(told)
            assert not [card for card in closed if f'"{card}"' in text or f" {card}" in text], text
        before = after
    assert {"hand", "discard", "starter", "card", "show", "win"} <= told_of


def test_a_win_is_a_result_and_an_undo_takes_it_back(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        table.do(Press("OK"))
        table.do(Start(Changes(options={"target": "31"})))
        table.do(Press("P1"))
        for side, points in ((0, 29), (1, 12)):
            table.do(Play(PenaltyPegged(side, points), table.now.state))
        table.do(Play(PenaltyPegged(0, 2), table.now.state))
        assert table.now.state.winner == 0
        steps = every(Outbox(tmp_path, "oak"))
        result = steps[-1].result
        assert result is not None
        assert (result["winner"], result["taken_back"], result["target"]) == (0, False, 31)
        assert [side["score"] for side in result["sides"]] == [31, 12]
        assert [one["event_type"] for one in steps[-1].events][-1] == "win"
        outbox = Outbox(tmp_path, "oak")
        outbox.load()
        assert outbox.last_result() is None, "it is still to be told for the first time"
        outbox.acknowledged(steps[-1].row)
        assert outbox.last_result() == result, "a broker that was killed may have forgotten it"
        table.do(Press("UNDO"))
        outbox.acknowledged(steps[-1].row + 1)
        assert outbox.last_result() is None
        back = every(Outbox(tmp_path, "oak"))[-1]
        assert back.result is not None
        assert (back.result["taken_back"], back.result["undone"]) == (True, steps[-1].row)
        assert [(one["event_type"], one["undone"]) for one in back.events] == [("undo", steps[-1].row)]


def test_a_result_bears_the_night_and_the_round_of_the_pairing_that_started_its_game(tmp_path: Path) -> None:
    """So does the undo of that end; a game that was started for no pairing bears none."""
    with opened(tmp_path) as (_, table):
        for pairing in (ROUND_3, replace(ROUND_3, night="2026-12-02", round=1), None):
            table.do(SetPairing(pairing))
            table.do(Start(Changes(rules="acc", names=("ANN", "BOB"))))
            table.do(Press("P1"))
            table.do(Play(PenaltyPegged(0, 121), table.now.state))
            table.do(Press("UNDO"))
            table.do(Press("OK"))
            table.do(Play(PenaltyPegged(0, 121), table.now.state))
        rounds = [
            (one.result["night"], one.result["round"]) for one in every(Outbox(tmp_path, "oak")) if one.result
        ]
        assert rounds == [("2026-11-25", 3)] * 3 + [("2026-12-02", 1)] * 3 + [(None, None)] * 3


def test_who_is_renamed_in_a_game_of_a_night_is_called_in_its_result_as_the_club_knows_her(
    tmp_path: Path,
) -> None:
    """The club's desk finds the pairing by the names on its list, and so does the table of the season."""

    def names(result: dict[str, Any]) -> list[tuple[str, list[str]]]:
        return [(side["name"], side["seats"]) for side in result["sides"]]

    for pairing, called in ((ROUND_3, "ANN"), (None, "Eve")):
        folder = tmp_path / called
        with opened(folder) as (_, table):
            table.do(SetPairing(pairing))
            table.do(Start(Changes(rules="acc", names=("ANN", "BOB"))))
            table.do(Press("P1"))
            for old, new in (("ANN", "Anna"), ("Anna", "Eve")):
                assert table.do(Rename(old, new)).is_accepted
            table.do(Play(PenaltyPegged(0, 121), table.now.state))
            (win,) = (one for one in every(Outbox(folder, "oak")) if one.result)
            assert win.result is not None
            assert names(win.result) == [(called, [called]), ("BOB", ["BOB"])]
            assert [side["name"] for side in win.state["sides"]] == ["Eve", "BOB"]
            table.do(Press("UNDO"))
            back = every(Outbox(folder, "oak"))[-1].result
            assert back is not None
            assert back["taken_back"]
            assert not back.get("sides")


def test_another_journal_in_its_place_is_told_from_its_start_by_another_name(tmp_path: Path) -> None:
    """Also where it is empty as long as nobody has pressed a key: what comes then is told, and all of it."""
    with opened(tmp_path) as (_, table):
        play_to(table, Random(1), 80)
        first = Outbox(tmp_path, "oak")
        first.load()
        steps = every(first)
        first.acknowledged(steps[-1].row)
    for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    with opened(tmp_path) as (journal, _):
        second = Outbox(tmp_path, "oak")
        second.load()
        assert second.acknowledged_row == 0
        assert second.after(second.acknowledged_row) == []
        table = Table(
            journal, formatter=AS_JSON, clock=later_clock(), draw=lambda: 0, shuffle=lambda: shuffled(7)
        )
        play_to(table, Random(2), 200)
        again = every(second, second.acknowledged_row)
        assert len(again) > len(steps)
        assert [told.row for told in again][:3] == [1, 2, 3]
        assert {one["journal"] for told in again for one in told.events} == {second.journal}
        assert second.journal != first.journal
        third = Outbox(tmp_path, "oak")
        third.load()
        assert third.acknowledged_row == 0, "it is as long as the other one was, and still another"
        assert not {one["id"] for told in again for one in told.events} & {
            one["id"] for told in steps for one in told.events
        }


def later_clock() -> Callable[[], str]:
    seconds = count()
    return lambda: f"2031-01-01T{next(seconds):08}Z"


def test_a_journal_of_which_no_broker_has_heard_is_told_from_its_current_game(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        play_to(table, Random(5), 60)
        table.do(Start(Changes()))
        play_to(table, Random(6), 70)
        outbox = Outbox(tmp_path, "oak")
        outbox.load()
        steps = every(outbox, outbox.acknowledged_row)
        assert outbox.acknowledged_row > 0
        assert steps[0].events[0]["event_type"] == "game"
        assert [one["event_type"] for told in steps for one in told.events].count("game") == 1


def test_a_step_that_can_not_be_read_is_a_gap_and_the_others_are_told(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        play_to(table, Random(5), 60)
    whole = every(Outbox(tmp_path, "oak"))
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db, db:
        db.execute("UPDATE steps SET at = 'never' WHERE id = 20")
    steps = every(Outbox(tmp_path, "oak"))
    assert [told.row for told in steps] == [told.row for told in whole]
    assert [one["event_type"] for one in steps[19].events] == ["gap"]
    assert [told.events for told in steps[:19]] == [told.events for told in whole[:19]]


def test_a_disk_that_can_not_be_read_now_makes_no_gap(
    played: tuple[Path, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What can't be read at this moment is told the next time."""
    folder, _ = played

    def fails(*_: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    outbox = Outbox(folder, "oak")
    with monkeypatch.context() as broken:
        broken.setattr("cribpi.companion.mqtt.outbox.step_at", fails)
        with pytest.raises(sqlite3.OperationalError):
            outbox.after(5)
    assert "gap" not in {one["event_type"] for told in outbox.after(5) for one in told.events}


def test_a_win_that_a_ruling_takes_back_is_taken_back(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(options={"target": "31"})))
        table.do(Press("P1"))
        for side, points in ((1, 12), (0, 31)):
            table.do(Play(PenaltyPegged(side, points), table.now.state))
        assert table.now.state.winner == 0
        table.do(Play(FalseWinRuled(0, 20), table.now.state))
        steps = every(Outbox(tmp_path, "oak"))
        assert [one.result["taken_back"] for one in steps if one.result] == [False, True]
        table.do(Press("UNDO"))
        assert table.now.state.winner == 0
        back = every(Outbox(tmp_path, "oak"))[-1].result
        assert back is not None
        assert (back["taken_back"], back["winner"]) == (False, 0)


def test_a_win_that_a_ruling_gives_to_the_other_side_is_reported_again(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(options={"false_win": "lose"})))
        table.do(Press("P1"))
        for event in (PenaltyPegged(0, 121), FalseWinRuled(0, 100)):
            table.do(Play(event, table.now.state))
        steps = every(Outbox(tmp_path, "oak"))
        told = [(one.result["taken_back"], one.result["winner"]) for one in steps if one.result]
        assert told == [(False, 0), (False, 1)]
        wins = [one["side"] for step in steps for one in step.events if one["event_type"] == "win"]
        assert wins == [0, 1]


@pytest.mark.parametrize("kept", some_of([b"", b"{", b"[]", b'{"row": "7"}', b"\xff\xfe"], 1, 3))
def test_a_damaged_place_is_told_from_the_start(played: tuple[Path, Table], kept: bytes) -> None:
    folder, _ = played
    (folder / FILE).write_bytes(kept)
    outbox = Outbox(folder, "oak")
    outbox.load()
    assert outbox.acknowledged_row == 0
    assert every(outbox), "by the same ids"
    assert outbox.journal == every(Outbox(folder, "oak"))[0].events[0]["journal"]
