"""The average points of the cards kept, over all starters: exact, for all hands at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.shows import NOT_A_SHOW, all_starters

KEPT: Final = tuple(combinations_with_replacement(range(13), 4))
"""The 1820 multisets of four ranks, 0 to 12."""

Ways = Sequence[tuple[int, ...]]
"""Which places of a sorted hand go to the crib, for each way."""


def hand_means(cards: NDArray[np.uint8], ways: Ways) -> NDArray[np.float64]:
    """Return the mean of the four cards that each way keeps, over all starters the hand leaves.

    *cards* has shape (n, size), each row ascending; the result has shape (n, ways).
    """
    fours = np.array(list(combinations(range(52), 4)), dtype=np.uint8)
    points = all_starters(fours)
    sums = np.where(points == NOT_A_SHOW, 0, points).sum(axis=1, dtype=np.int64)
    place = np.zeros((52,) * 4, dtype=np.int32)
    place[tuple(fours.T)] = np.arange(len(fours))
    means = np.empty((len(cards), len(ways)))
    for way, gone in enumerate(ways):
        four = place[tuple(cards[:, stay(cards.shape[1], gone)].T)]
        means[:, way] = sums[four]
        for at in gone:
            means[:, way] -= points[four, cards[:, at]]
    means /= 52 - cards.shape[1]
    return means


def hand_counts(
    cards: NDArray[np.uint8], weight: NDArray[np.int64], ways: Ways, way: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Return the number of shows with each count, 0 to 29, when each hand in *cards* is kept by its *way*."""
    counts = np.zeros(30, dtype=np.int64)
    starters = np.arange(52, dtype=np.uint8)
    for gone_by, gone in enumerate(ways):
        mine, times = cards[way == gone_by], weight[way == gone_by]
        for start in range(0, len(mine), 1 << 13):
            hands = mine[start : start + (1 << 13)]
            points = all_starters(hands[:, stay(cards.shape[1], gone)])
            is_free = (hands[:, :, None] != starters).all(axis=1)
            each = np.broadcast_to(times[start : start + (1 << 13), None], points.shape)
            counts += np.rint(np.bincount(points[is_free], each[is_free], minlength=30)).astype(np.int64)
    return counts


def stay(size: int, gone: tuple[int, ...]) -> list[int]:
    """Return the places of a hand of *size* that remain when those in *gone* are discarded."""
    return [place for place in range(size) if place not in gone]


@cache
def kept_place() -> NDArray[np.intp]:
    """Return the index in `KEPT` of four ranks in ascending order: shape (13, 13, 13, 13)."""
    table = np.zeros((13,) * 4, dtype=np.intp)
    table[tuple(np.array(KEPT).T)] = np.arange(len(KEPT))
    return table
