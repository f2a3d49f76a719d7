"""A game that is over: its lines by deal, its best hand in words, its sides by their names."""

from __future__ import annotations

from random import Random

import pytest
from support.games import NAMES, referee_game

from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.keys import TWENTY
from cribpi.companion.entry.view import view_of
from cribpi.companion.mqtt.messages import state_of
from cribpi.companion.web.history import game_json
from cribpi.companion.web.json.page import counts_of, table_json
from cribpi.companion.web.json.results import result_json
from cribpi.companion.web.json.state import log_json, plain_json, state_json
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Played
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.show import SuitClaim, total
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.results.statistics import summary_of
from cribpi.cribbage.rules.rules import STANDARD, changed, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.log import game_log


def of_one_deal(**options: str) -> list[Event]:
    """A deal with real cards, dealt by ANN: BOB plays 5 J 4 K, ANN 5 10 6 Q, the starter is a 5."""
    plays = zip((1, 0, 1, 0, 1, 0, 1, 0), parse_cards("5 5 J 10 4 6 K Q"), strict=True)
    started = events.GameStarted(NAMES[:2], changed(STANDARD, {"target": "31", **options}), dealer=0)
    found: list[Event] = [started, events.StarterTurned(Card.parse("5"))]
    state = fold(found)
    for seat, card in plays:
        if state.deal is not None and card.rank.pips > state.deal.room:
            found.append(events.NewCountLed(seat, card))
        else:
            found.append(events.CardPlayed(seat, card))
        state = step(state, found[-1])
    return found


def test_each_crib_is_listed_in_its_own_deal() -> None:
    line = game_log(one.event for one in referee_game(Random(3), 2, 121, suited=True))
    deals = 0
    for told in (game_json(1, "", line)["lines"], log_json(line, None)[::-1]):
        assert isinstance(told, list)
        shown = [row for row in told if "'s crib: " in str(row["text"])]
        assert [row["deal"] for row in shown] == list(range(1, len(shown) + 1))
        deals = len(shown)
    assert deals > 4


def test_the_best_hand_is_called_with_what_was_said_of_its_suits() -> None:
    """Nobs and a flush are given by key where suits were not entered."""
    happened = [*of_one_deal(), events.HandShown(1, SuitClaim(nobs=True))]
    penalty = events.PenaltyPegged(0, 31 - fold(happened).pegs[0].front)
    state = fold([*happened, penalty])
    told, found = result_json(state), summary_of(state)
    assert told is not None
    best = told["best"]
    assert isinstance(best, dict)
    assert str(best["call"]).count("nobs") == 1
    (own,) = found.best[1]
    assert (own.points, own.flush, own.nobs) == (best["points"], 0, True)


@pytest.mark.parametrize("counted", [0, 2, 19])
def test_a_best_hand_is_what_it_was_worth_whoever_took_the_points(counted: int) -> None:
    happened = of_one_deal(miscount="muggins")
    before = fold(happened).scores()
    state = fold([*happened, events.HandShown(1, SuitClaim(), counted)])
    (show,) = state.shows
    worth = total(state.outcomes[0].scores)
    assert worth > 2, "or nothing is missed"
    assert show.points == worth
    pegged = min(counted, worth)
    assert state.gains[1].hands == pegged
    assert (state.gains[0].hands, state.gains[0].muggins) == (0, worth - pegged)
    assert state.scores() == (before[0] + worth - pegged, before[1] + pegged)


def test_a_count_that_a_wrong_go_ended_early_is_told_as_the_engine_has_it() -> None:
    """A count of 27 was closed with a 2 in hand, which then begins the next: 10 8 9, and 2."""
    started = events.GameStarted(NAMES[:2], STANDARD, dealer=0)
    ten, eight, nine, two = parse_cards("10 8 9 2")
    state = fold(
        [
            started,
            events.StarterTurned(Card.parse("K")),
            events.CardPlayed(1, ten),
            events.CardPlayed(0, eight),
            events.CardPlayed(1, nine),
            events.GoSaid(0),
            events.GoSaid(1),
            events.CardPlayed(0, two),
        ]
    )
    assert state.deal is not None
    assert state.deal.count == 2
    assert counts_of(state.deal) == ((Played(1, ten), Played(0, eight), Played(1, nine)), (Played(0, two),))
    told = table_json(view_of(state, InputState(), TWENTY))["counts"]
    assert isinstance(told, list)
    assert [[row["card"] for row in count] for count in told] == [["10", "8", "9"], ["2"]]


@pytest.mark.parametrize(
    ("names", "sides"),
    [
        (("ANN", "X", "ANN B", "Y"), ["ANN+ANN B", "X+Y"]),
        (("ORANGE", "BLUE", "ORANGE 2", "BLUE 2"), ["ORANGE", "BLUE"]),
        (("ANN", "BLUE", "ORANGE 2", "BLUE 2"), ["ANN+ORANGE 2", "BLUE"]),
    ],
)
def test_a_side_has_one_name_wherever_it_is_named(names: tuple[str, ...], sides: list[str]) -> None:
    started = events.GameStarted(names, preset("standard", 4), Entry.PEG, dealer=0)
    state = fold([started, events.PenaltyPegged(0, 5)])
    told = (
        state_json(view_of(state, InputState()), 1, may_undo=False, may_redo=False)["sides"],
        plain_json(view_of(state, InputState()), 1, None, may_undo=False, may_redo=False)["sides"],
        state_of(state)["sides"],
    )
    for rows in told:
        assert isinstance(rows, list)
        assert [row["name"] for row in rows] == sides
