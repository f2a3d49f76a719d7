"""The average points of the cards kept, over every possible starter: exact.

Plain Python without NumPy, and fast enough for one decision: ranks are looked up, suits are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from cribpi.core import seats
from cribpi.core.cards import Card, Rank
from cribpi.core.scores import total
from cribpi.core.show import score_ranks

_IN_A_RANK = 4
_IN_A_SUIT = 13


@dataclass(frozen=True, slots=True)
class Keeping:
    """One way to discard, and what it keeps."""

    kept: tuple[Card, ...]
    away: tuple[Card, ...]
    points: int
    """The points of the kept cards, summed over all possible starters."""
    starters: int
    """The number of possible starters: 46 with six cards dealt, 47 with five."""

    @property
    def mean(self) -> Fraction:
        """The mean points over the starters.

        >>> from cribpi.core.cards import parse_cards
        >>> round(float(best_first(parse_cards("5C 5D 5S JH 2C 9D"))[0].mean), 3)
        16.652
        """
        return Fraction(self.points, self.starters)


def best_first(hand: Sequence[Card]) -> tuple[Keeping, ...]:
    """Return all ways to discard from *hand*, six cards or five: the one that keeps most first.

    Of ways that keep the same, the one that discards higher cards is first, as they are worse in the play.  A
    card of unknown suit makes no flush and no nobs.

    >>> from cribpi.core.cards import parse_cards
    >>> " ".join(map(str, best_first(parse_cards("5H 6C 7D JS QS KH"))[0].away))
    '6C 7D'
    """
    found = sorted(_keepings(hand), key=lambda one: sum(card.rank for card in one.away), reverse=True)
    return tuple(sorted(found, key=lambda one: one.points, reverse=True))


def _keepings(hand: Sequence[Card]) -> Iterator[Keeping]:
    ranks = Counter(card.rank for card in hand)
    suits = Counter(card.suit for card in hand)
    left = [_IN_A_RANK - ranks[rank] for rank in Rank]
    for places in combinations(range(len(hand)), seats.HAND):
        kept = tuple([hand[place] for place in places])
        by_starter = _by_starter(tuple(sorted([card.rank for card in kept])))
        points = sum([many * worth for many, worth in zip(left, by_starter, strict=True)])
        suit = kept[0].suit
        if suit is not None and suit is kept[1].suit is kept[2].suit is kept[3].suit:
            points += 4 * sum(left) + _IN_A_SUIT - suits[suit]
        for card in kept:
            if card.rank is Rank.JACK and card.suit is not None:
                points += _IN_A_SUIT - suits[card.suit]
        away = tuple([card for place, card in enumerate(hand) if place not in places])
        yield Keeping(kept, away, points, sum(left))


@lru_cache(maxsize=2048)
def _by_starter(ranks: tuple[Rank, ...]) -> tuple[int, ...]:
    """Return the points of four *ranks*, suits ignored, with a starter of each rank; 0 for a fifth of one."""
    cards = [Card(rank) for rank in ranks]
    return tuple(
        total(score_ranks(cards, Card(rank))) if ranks.count(rank) < _IN_A_RANK else 0 for rank in Rank
    )
