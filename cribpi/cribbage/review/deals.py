"""The deals of a finished or broken-off game, each with all cards known at its end.

In a game with real cards, hands are known only after the play.  Then the views of the play are rebuilt with
these hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal, find
from cribpi.cribbage.game.events import Event, GoSaid, Misdealt, NewCountLed
from cribpi.cribbage.game.sight import SeatSight, sight_with
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, with its number in the game, from 1, and the states around it."""

    number: int
    event: Event
    before: State
    after: State


@dataclass(slots=True)
class DealSeen:
    """One deal: its events, and the cards known at its end."""

    number: int
    dealer: int
    first: State
    """The state at its beginning, before any misdeal."""
    happened: list[Happened] = field(default_factory=list)

    @property
    def last(self) -> State:
        return self.happened[-1].after if self.happened else self.first

    @property
    def cards(self) -> Deal:
        """The deal with all cards known at its end."""
        states = (self.last, *(step.before for step in reversed(self.happened)))
        return next(
            state.deal for state in states if state.deal is not None and state.deal.number == self.number
        )

    def kept_cards(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that *seat* kept, without those that were never seen."""
        hand = self.cards.hand(seat)
        if len(hand) < self.cards.size and self.cards.discards[seat]:
            hand = (*hand, *(self.cards.possible_cards(seat) or ()))
        return hand

    def discards(self, seat: int) -> tuple[Card, ...]:
        """Return the discard of *seat*, or () if it is not known."""
        final = self.cards
        if final.discards[seat] or not final.dealt[seat]:
            return final.discards[seat]
        return (final.possible_cards(seat) or ()) if len(final.hand(seat)) == final.size else ()

    @property
    def crib(self) -> tuple[Card, ...]:
        return self.cards.crib

    @property
    def starter(self) -> Card | None:
        return self.cards.starter


def deals_of(events: Iterable[Event]) -> Iterator[DealSeen]:
    """Yield the deals of one game from its *events*.

    The events before a misdeal are left out, because they were retracted.

    Raises:
        RuleError: If an event is illegal.
    """
    state, deal = NEW_TABLE, None
    for number, event in enumerate(events, start=1):
        after = step(state, event)
        at = state.deal
        if at is not None and state.winner is None:
            if deal is None or deal.number != at.number:
                if deal is not None:
                    yield deal
                deal = DealSeen(at.number, at.dealer, state)
            deal.happened.append(Happened(number, event, state, after))
            if isinstance(event, Misdealt):
                deal = DealSeen(at.number, at.dealer, deal.first)
        state = after
    if deal is not None:
        yield deal


def sight_of_play(deal: DealSeen, played: Happened, seat: int) -> SeatSight | None:
    """Return the view of *seat* when it chose the card *played*, or None if its hand is not fully known."""
    state, left = after_the_goes(played), [*deal.kept_cards(seat)]
    if state.deal is None or len(left) < state.deal.size:
        return None
    for card in state.deal.played[seat]:
        left.remove(find(card, left))
    return sight_with(state, seat, tuple(left), deal.discards(seat))


def after_the_goes(played: Happened) -> State:
    """Return the state in which the card *played* was chosen: after the goes that a new count implies."""
    state = played.before
    if isinstance(played.event, NewCountLed):
        while state.phase is Phase.PLAY and state.deal is not None and state.deal.pile:
            if state.deal.turn is None:
                break
            state = step(state, GoSaid(state.deal.turn))
    return state
