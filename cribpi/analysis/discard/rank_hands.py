"""Hands by their ranks alone, and in how many ways the cards that nobody has seen make each of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

CHOOSE: Final = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], float
)
"""In how many ways so many cards (row, 0 to 4) give so many (column)."""

_SPLIT: Final = 7  # the lower ranks and the others: far fewer half hands than hands, and a product joins two


class RankHands(NamedTuple):
    """Every multiset of so many ranks, none more than four times; sorted by the highest rank, then the
    next.
    """

    ranks: NDArray[np.uint8]
    """The ranks of each, 0 to 12, ascending: (n, size)."""
    total: Floats
    """In how many ways a whole pack makes each: (n,)."""
    lows: NDArray[np.intp]
    """How often each of the 7 lower ranks is in each half of a hand: (7, l)."""
    low: Places
    """The lower half of each hand, a column of *lows*: (n,)."""
    highs: NDArray[np.intp]
    high: Places


@cache
def rank_hands(size: int) -> RankHands:
    """Return the multisets of *size* ranks: 18,395 of six, 6,175 of five.

    >>> [len(rank_hands(size).ranks) for size in (4, 5, 6)]
    [1820, 6175, 18395]
    """
    ranks = np.array(list(combinations_with_replacement(range(13), size)), dtype=np.uint8)
    held = held_of(ranks)
    is_in_pack = held.max(axis=1) <= 4
    ranks, held = ranks[is_in_pack], held[is_in_pack]
    order = np.lexsort(tuple(ranks.T))
    ranks, held = ranks[order], held[order]
    total = CHOOSE[4, held].prod(axis=1)
    return RankHands(ranks, total, *_halves(held[:, :_SPLIT]), *_halves(held[:, _SPLIT:]))


def held_of(ranks: NDArray[np.uint8] | Places) -> NDArray[np.intp]:
    """Return how often each rank is in each row of *ranks*: (n, size) gives (n, 13)."""
    return np.asarray((ranks[:, :, None] == np.arange(13)).sum(axis=1), dtype=np.intp)


def ways_to_hold(size: int, left: NDArray[np.intp]) -> Floats:
    """Return in how many ways the cards that are *left* of each rank, (13,), make each hand of *size*: (n,).

    >>> float(ways_to_hold(4, np.array([4] * 13)).sum())
    270725.0
    """
    hands = rank_hands(size)
    low, high = _ways(left[:_SPLIT], hands.lows), _ways(left[_SPLIT:], hands.highs)
    ways = low.take(hands.low)
    ways *= high.take(hands.high)
    return ways


def _ways(left: NDArray[np.intp], held: NDArray[np.intp]) -> Floats:
    ways = np.ones(held.shape[1])
    for number, column in zip(left, held, strict=True):
        ways *= CHOOSE[number].take(column)
    return ways


def _halves(held: NDArray[np.intp]) -> tuple[NDArray[np.intp], Places]:
    """Return the different rows of *held* as columns, and which of them each row is."""
    code = held @ 5 ** np.arange(held.shape[1])[::-1]  # no rank is held more than four times
    _, first, place = np.unique(code, return_index=True, return_inverse=True)
    return np.ascontiguousarray(held[first].T), place.reshape(-1)
