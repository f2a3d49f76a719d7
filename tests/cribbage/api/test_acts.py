"""The acts that are listed are those that `step` accepts, although none is tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, product
from random import Random

import pytest
from support.games import ALL_PRESETS, random_event, random_house, random_start

from cribpi.cribbage.api.acts import legal_acts
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.show import HIGHEST_SHOW, possible_claims
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, is_legal, step
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import Rules

COUNTS = (None, *range(HIGHEST_SHOW + 1))


def acts_to_try(state: State) -> Iterator[Event]:
    """Yield acts of every kind that `legal_acts` lists, most of them illegal in *state*."""
    deal, seats = state.deal, range(state.players)
    yield from (events.CardCut(seat, card) for seat in seats for card in PACK[::5])
    yield from map(events.DealerChosen, seats)
    yield events.HeelsTaken()
    yield from map(events.GoSaid, seats)
    yield from map(events.StarterTurned, PACK)
    yield from map(events.CribCardTurned, PACK)
    for side, of, points in product(range(state.sides), range(state.sides), range(1, HIGHEST_SHOW + 1)):
        yield events.MugginsCalled(side, of, points)
    if deal is None:
        return
    for seat in seats:
        held = deal.possible_cards(seat)
        cards: tuple[Card, ...] = PACK if held is None else held
        yield from (events.CardPlayed(seat, card) for card in cards)
        yield from (events.HandCardTurned(seat, card) for card in cards)
        away = combinations(held or (), state.rules.sizes.discarded)
        yield from (events.Discarded(seat, laid) for laid in away)
        if deal.starter:
            claims = (
                possible_claims(deal.hand(seat), deal.starter) if len(deal.hand(seat)) == deal.size else ()
            )
            yield from (events.HandShown(seat, claim, count) for claim in claims for count in COUNTS)
    if deal.starter and len(deal.crib) == 4:
        claims = possible_claims(deal.crib, deal.starter)
        yield from (events.CribShown(claim, count) for claim in claims for count in COUNTS)


TABLES = [
    pytest.param(rules, entry, id=f"{rules.name}-{rules.players}-{entry}")
    for rules in ALL_PRESETS
    for entry in (Entry.CARDS, Entry.DEALT)
]


@pytest.mark.parametrize(("rules", "entry"), TABLES)
def test_the_acts_listed_are_those_that_a_step_accepts(
    rules: Rules,
    entry: Entry,
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    chance = Random(f"{rules.name}{rules.players}{entry}")
    kinds = set[type[Event]]()
    for _ in range(30 if whole else 2):
        house = random_house(chance, rules)
        state = step(NEW_TABLE, random_start(chance, house.players, entry, house))
        for _ in range(60):
            listed = legal_acts(state)
            if chance.random() < 0.2 or state.counted is not None:
                kinds |= set(map(type, listed))
                assert all(is_legal(state, act) for act in listed)
                accepted = [act for act in acts_to_try(state) if is_legal(state, act)]
                assert set(accepted) <= set(listed), state
            act = chance.choice(listed) if listed and chance.random() < 0.7 else random_event(state, chance)
            with suppress(RuleError):
                state = step(state, act)
    assert {events.CardPlayed, events.StarterTurned, events.HandShown} & kinds
