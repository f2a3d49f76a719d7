"""Reconstruction of a seat's view from the cards alone: the rules determine which seat played each card.

Seat 0 is the seat whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.deal import Played
from cribpi.cribbage.game.events import CardPlayed, GameStarted, GoSaid, StarterTurned
from cribpi.cribbage.game.sight import SeatSight, sight_with
from cribpi.cribbage.game.state import State, the_deal
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import RuleError, UserError
from cribpi.cribbage.rules.rules import Rules

SURE_TO_FIT: Final = 21
"""The highest count at which every card is playable, so that go is impossible."""


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards that seat 0 knows.  Cards played are in the order of play."""

    hand: tuple[Card, ...]
    """The unplayed cards of seat 0: one to four."""
    pile: tuple[Card, ...]
    before: tuple[Card, ...] = ()
    """The cards of the earlier counts; empty if there was none, or if they are unknown."""
    starter: Card | None = None
    discards: tuple[Card, ...] = ()

    @property
    def played(self) -> tuple[Card, ...]:
        return (*self.before, *self.pile)


def sight_of_cards(
    cards: Cards, rules: Rules, dealers: tuple[int, ...], scores: tuple[int, ...]
) -> SeatSight:
    """Return the view of seat 0, given the possible *dealers* and the *scores* of the sides.

    If the cards can have been played in several ways, the way with the fewest goes is used.  If seat 0 must
    have played in earlier counts whose cards are unknown, the view has none of those, and the cards of this
    count are assumed to have been played in turn.

    Raises:
        UserError: If the cards can't have been played under the rules.
    """
    ends: list[State] = []
    for dealer in dealers:
        names = tuple(f"seat {seat}" for seat in range(rules.players))
        state = step(NEW_TABLE, GameStarted(names, rules, dealer=dealer))
        state = step(state, StarterTurned(cards.starter or Card(Rank.KING)))
        ends += _ends(replace(state, deal=replace(the_deal(state), starter=cards.starter)), cards, 0)
    if ends:
        state = min(ends, key=lambda end: len(the_deal(end).goes))
        return replace(sight_with(state, 0, cards.hand, cards.discards), scores=scores)
    plays = tuple(
        Played((place - len(cards.pile)) % rules.players, card) for place, card in enumerate(cards.pile)
    )
    known = len(cards.hand) + sum(play.seat == 0 for play in plays)
    if cards.before or known >= rules.sizes.hand:
        raise UserError(
            f"with {len(cards.hand)} of your cards left it can't be your turn after "
            f"{' '.join(map(str, cards.played)) or 'no card'}: check the cards, their order and who dealt"
        )
    seen = SeatSight(rules, 0, dealers[0], scores, cards.hand, cards.discards, cards.starter, plays)
    return replace(seen, pile=cards.pile, turn=0)


def _ends(state: State, cards: Cards, number: int) -> Iterator[State]:
    """Yield each state after all cards in which seat 0 is to play; *number* are already played in *state*."""
    deal = state.deal
    if deal is None or deal.turn is None or deal.cards_left(0) < len(cards.hand):
        return
    if number == len(cards.played):
        if deal.turn == 0 and deal.pile == cards.pile:
            # Excluded: ways in which seat 0 said go although it held a playable card.
            is_honest = not replace(deal, held=(cards.hand, *deal.held[1:])).reneges()
            if deal.cards_left(0) == len(cards.hand) and is_honest:
                yield state
            return
    else:
        yield from _after(state, CardPlayed(deal.turn, cards.played[number]), cards, number + 1)
    if deal.count > SURE_TO_FIT:
        yield from _after(state, GoSaid(deal.turn), cards, number)


def _after(state: State, event: CardPlayed | GoSaid, cards: Cards, number: int) -> Iterator[State]:
    try:
        after = step(state, event)
    except RuleError:
        return
    yield from _ends(after, cards, number)
