"""Human mistakes: now and then a card or a combination is overlooked, and the second best is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.greedy import Keeping, best_first
from cribpi.cribbage.players.opponent import Opponent, draws

RATE: Final = 0.1
"""The share of decisions in which something is overlooked."""

_FIFTEEN = 15
_SLIP: Final = "slip"


@dataclass(frozen=True, slots=True)
class Careless:
    """An opponent that overlooks something in one decision in ten."""

    opponent: Opponent
    seed: int
    rate: float = RATE

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return *opponent*'s discard; after an oversight, the one that then seems to keep more.

        What is overlooked is a fifteen, a pair or a run among the four cards it would have kept.  If they
        have none, or are best even without it, nothing changes.
        """
        away = self.opponent.discard(sight)
        chance = draws(self.seed, sight, _SLIP)
        if chance.random() >= self.rate:
            return away
        seen = tuple(combinations_of([card for card in sight.hand if card not in away]))
        if not seen:
            return away
        missed, points = chance.choice(seen)

        def seeming(one: Keeping) -> int:
            """Return what *one* seems to be worth to a player who overlooks the combination."""
            return one.points - missed.issubset(one.kept) * points * one.starters

        ways = best_first(sight.hand)
        best = max(ways, key=seeming)
        return away if best is ways[0] else best.away

    def play(self, sight: SeatSight) -> Card:
        """Return *opponent*'s card; after an oversight, its choice among the other cards."""
        card = self.opponent.play(sight)
        if draws(self.seed, sight, _SLIP).random() >= self.rate or len(sight.playable) < 2:
            return card
        return self.opponent.play(replace(sight, hand=tuple(one for one in sight.hand if one != card)))


def combinations_of(cards: Sequence[Card]) -> Iterator[tuple[frozenset[Card], int]]:
    """Yield each fifteen, pair or run among *cards*, at most four of them, and its points.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> [points for _, points in combinations_of(parse_cards("7C 8D 9S 8H"))]
    [2, 2, 2, 3, 3]
    """
    for size in range(2, len(cards) + 1):
        for some in combinations(cards, size):
            ranks = sorted(card.rank for card in some)
            if sum(card.rank.pips for card in some) == _FIFTEEN or (ranks[0] == ranks[-1] and size == 2):
                yield frozenset(some), 2
            elif size > 2 and all(high == low + 1 for low, high in pairwise(ranks)):
                yield frozenset(some), size
