"""Hands by their ranks alone, and the number of ways the unseen cards make each of them."""

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
"""The binomial coefficients: n (row) choose k (column), 0 to 4."""

_SPLIT: Final = 7  # split by rank: there are far fewer half hands than hands, and a product joins them


class RankHands(NamedTuple):
    """Every multiset of so many ranks, none more than four times.

    Sorted by the highest rank, then the next.
    """

    ranks: NDArray[np.uint8]
    """The ranks of each multiset, 0 to 12, ascending: (n, size)."""
    total: Floats
    """The number of ways a full pack makes each: (n,)."""
    lows: NDArray[np.intp]
    """How often each of the 7 lower ranks is in each half hand: (7, l)."""
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
    """Count each rank in each row of *ranks*: (n, size) gives (n, 13)."""
    return np.asarray((ranks[:, :, None] == np.arange(13)).sum(axis=1), dtype=np.intp)


def ways_to_hold(size: int, left: NDArray[np.intp]) -> Floats:
    """Return the number of ways to make each hand of *size*, (n,), from the cards *left* of each rank.

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
    """Return the distinct rows of *held* as columns, and the column of each row."""
    code = held @ 5 ** np.arange(held.shape[1])[::-1]  # no rank is held more than four times
    _, first, place = np.unique(code, return_index=True, return_inverse=True)
    return np.ascontiguousarray(held[first].T), place.reshape(-1)
