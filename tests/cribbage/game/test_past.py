"""The play of earlier deals, as the state keeps it: cards that lay open, of hands that were played out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.greedy_games import greedy_game

from cribpi.cribbage.game.deal import Played, PlayedDeal
from cribpi.cribbage.game.events import CardPlayed, Event, GameStarted, StarterTurned
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.words.cards import parse_cards


def walked(events: list[Event]) -> list[State]:
    states = [NEW_TABLE]
    for event in events:
        states.append(step(states[-1], event))
    return states


@pytest.mark.parametrize("names", [("ANN", "BOB"), ("ANN", "BOB", "CLEO"), ("ANN", "BOB", "CLEO", "DAN")])
def test_each_deal_that_was_played_out_is_kept_as_it_was_played(names: tuple[str, ...]) -> None:
    events = greedy_game(3, names)
    starters = [event.card for event in events if isinstance(event, StarterTurned)]
    plays = [Played(event.seat, event.card) for event in events if isinstance(event, CardPlayed)]
    found = fold(events).played_deals
    assert [deal.starter for deal in found] == starters[: len(found)]
    assert [play for deal in found for play in deal.plays] == plays[: 4 * len(names) * len(found)]
    assert len(starters) - len(found) <= 1, "the last may have ended in the play"


def test_a_deal_is_past_once_its_last_card_is_played_and_not_before() -> None:
    for before, after in pairwise(walked(greedy_game(3, ("ANN", "BOB")))):
        kept = len(before.played_deals), len(after.played_deals)
        if after.deal is not None and before.deal is not None and before.deal.number == after.deal.number:
            ends = len(after.deal.order) == 8 > len(before.deal.order)
            assert kept[1] - kept[0] == ends
        else:
            assert kept[0] == kept[1]


def test_a_new_game_begins_without_a_past() -> None:
    end = fold(greedy_game(3, ("ANN", "BOB")))
    assert end.past
    again = step(end, GameStarted(("ANN", "BOB"), end.rules, dealer=1))
    assert again.past == again.played_deals == ()


def test_with_their_seats_changed_each_has_the_others_cards_and_the_other_deals() -> None:
    ace, two, nine = parse_cards("AS 2H 9D")
    deal = PlayedDeal(1, nine, (Played(0, ace), Played(1, two)))
    assert deal.with_seats_swapped() == PlayedDeal(0, nine, (Played(1, ace), Played(0, two)))
    assert deal.with_seats_swapped().with_seats_swapped() == deal
