"""Alternative deals: the same game with all cards that someone can't see exchanged at random."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Discarded, Event, HandDealt, PackShuffled
from cribpi.cribbage.game.state import Phase, State


def cards_within(value: object) -> Iterator[Card]:
    """Yield each card that can be reached from *value*, at any depth."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from cards_within(one)
    elif isinstance(value, dict):
        yield from cards_within(list(value.values()))
    elif is_dataclass(value):
        for field in fields(value):
            yield from cards_within(getattr(value, field.name))


def open_cards(state: State) -> set[Card]:
    """Return the cards of this deal that are face up for all: played, turned up, or shown."""
    deal = state.deal
    if deal is None:
        return set()
    found = {card for played in (*deal.played, *deal.held) for card in played}
    if deal.starter is not None:
        found.add(deal.starter)
    if (state.won_in or state.phase) is Phase.CRIB:
        found |= set(deal.crib)
    return found


def own_cards(state: State, seat: int) -> set[Card]:
    """Return the cards dealt to *seat* in this deal."""
    return set(state.deal.dealt[seat]) if state.deal else set()


def another_world(done: Sequence[Event], known: Collection[Card], chance: Random) -> list[Event]:
    """Return *done* with all cards of its last deal that are not *known* shuffled."""
    hidden = [card for card in PACK if card not in known]
    elsewhere = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    began = max((at for at, event in enumerate(done) if isinstance(event, PackShuffled)), default=0)
    return [
        replace(event, cards=tuple(elsewhere.get(card, card) for card in event.cards))
        if at >= began and isinstance(event, HandDealt | Discarded | PackShuffled)
        else event
        for at, event in enumerate(done)
    ]
