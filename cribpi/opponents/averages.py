"""What the cards that are kept are worth, on the average over every starter that can be turned: exact.

Plain Python, and quick enough for a seat: the ranks are looked up, the suits are counted.
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
    """One way to lay away, and what it keeps."""

    kept: tuple[Card, ...]
    away: tuple[Card, ...]
    points: int
    """The points of the kept cards, with each starter that can be turned, all added up."""
    starters: int
    """How many starters can be turned: 46 of six cards, 47 of five."""

    @property
    def mean(self) -> Fraction:
        """The points on the average over the starters.

        >>> from cribpi.core.cards import parse_cards
        >>> round(float(best_first(parse_cards("5C 5D 5S JH 2C 9D"))[0].mean), 3)
        16.652
        """
        return Fraction(self.points, self.starters)


def best_first(hand: Sequence[Card]) -> tuple[Keeping, ...]:
    """Return all ways to lay away *hand*, six cards or five: what keeps most first.

    Of ways that keep the same, the one that lays away the higher cards, which are worse in the play, is
    first.  A card of unknown suit makes no flush and no nobs.

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
    """Return the points of four *ranks* with a starter of each rank in turn, suits apart; no pack has a
    fifth.
    """
    cards = [Card(rank) for rank in ranks]
    return tuple(
        total(score_ranks(cards, Card(rank))) if ranks.count(rank) < _IN_A_RANK else 0 for rank in Rank
    )
