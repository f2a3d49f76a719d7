"""Canonical hands: one representative of all hands that differ only by a permutation of the suits.

The 20,358,520 hands of six cards have 962,988 canonical ones.  This module also computes the exact points of
the cards that they keep, over all starters, for all hands at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import Floats, Places
from cribpi.cribbage.analysis.shows import NOT_A_SHOW, all_starters

Ways = Sequence[tuple[int, ...]]
"""For each way to discard, the indices of the cards in a sorted hand that go to the crib."""


class CanonicalHands(NamedTuple):
    """The canonical hands of one size, one a row."""

    cards: NDArray[np.uint8]
    """Card numbers, ascending: shape (n, size)."""
    weight: NDArray[np.int64]
    """Number of hands that each row stands for: 1, 4, 6, 12 or 24."""


def canonical_hands(size: int) -> CanonicalHands:
    """Return every hand of *size* cards up to a permutation of the suits, sorted by ranks, then suits.

    A hand is four sets of ranks, one a suit; hands with the same four sets in any order are equivalent.

    >>> [len(canonical_hands(size).weight) for size in (1, 2, 3)]
    [13, 169, 1755]
    """
    masks = [
        [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), length)]
        for length in range(size + 1)
    ]
    hands = []
    for lengths in combinations_with_replacement(range(size, -1, -1), 4):
        if sum(lengths) != size:
            continue
        groups = [
            np.array(list(combinations_with_replacement(masks[length], number)), np.intp)
            for length, number in Counter(lengths).items()
        ]
        places = np.indices([len(group) for group in groups]).reshape(len(groups), -1)
        hands.append(np.hstack([group[place] for group, place in zip(groups, places, strict=True)]))
    suits = np.vstack(hands)
    held = (suits[:, None, :] >> np.arange(13)[:, None] & 1).reshape(len(suits), 52)
    cards = np.nonzero(held)[1].reshape(len(suits), size).astype(np.uint8)
    order = np.lexsort(
        (*(cards[:, index] % 4 for index in range(size)), *(cards[:, index] // 4 for index in range(size)))
    )
    # The number of distinct orders of the four sets.
    orders = [24 // prod(map(factorial, Counter(row).values())) for row in suits.tolist()]
    return CanonicalHands(np.ascontiguousarray(cards[order]), np.array(orders, np.int64)[order])


def hand_means(cards: NDArray[np.uint8], ways: Ways) -> Floats:
    """Return the mean of the four cards that each way keeps, over all starters the hand leaves.

    *cards* has shape (n, size), each row ascending; the result has shape (n, ways).
    """
    fours = np.array(list(combinations(range(52), 4)), dtype=np.uint8)
    points = all_starters(fours)
    sums = np.where(points == NOT_A_SHOW, 0, points).sum(axis=1, dtype=np.int64)
    place = np.zeros((52,) * 4, dtype=np.int32)
    place[tuple(fours.T)] = np.arange(len(fours))
    means = np.empty((len(cards), len(ways)))
    for way, discarded in enumerate(ways):
        four = place[tuple(cards[:, kept_indices(cards.shape[1], discarded)].T)]
        means[:, way] = sums[four]
        for index in discarded:
            means[:, way] -= points[four, cards[:, index]]
    means /= 52 - cards.shape[1]
    return means


def hand_counts(
    cards: NDArray[np.uint8], weight: NDArray[np.int64], ways: Ways, way: Places
) -> NDArray[np.int64]:
    """Return the number of shows with each count, 0 to 29, when each hand in *cards* is kept by its *way*."""
    counts = np.zeros(30, dtype=np.int64)
    starters = np.arange(52, dtype=np.uint8)
    for number, discarded in enumerate(ways):
        mine, times = cards[way == number], weight[way == number]
        for start in range(0, len(mine), 1 << 13):
            hands = mine[start : start + (1 << 13)]
            points = all_starters(hands[:, kept_indices(cards.shape[1], discarded)])
            is_free = (hands[:, :, None] != starters).all(axis=1)
            each = np.broadcast_to(times[start : start + (1 << 13), None], points.shape)
            counts += np.rint(np.bincount(points[is_free], each[is_free], minlength=30)).astype(np.int64)
    return counts


def kept_indices(size: int, discarded: tuple[int, ...]) -> list[int]:
    """Return the indices of a hand of *size* cards that are not *discarded*."""
    return [index for index in range(size) if index not in discarded]
