"""Canonical hands: each hand that can be dealt, once up to a permutation of the suits.

Of the 20,358,520 hands of six cards 962,988 remain, each with the number of hands it stands for.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class CanonicalHands(NamedTuple):
    """The canonical hands of one size, one a row."""

    cards: NDArray[np.uint8]
    """Card numbers, ascending: shape (n, size)."""
    weight: NDArray[np.int64]
    """How many hands each row stands for: 1, 4, 6, 12 or 24."""


def canonical_hands(size: int) -> CanonicalHands:
    """Return every hand of *size* cards up to a permutation of the suits, sorted by ranks, then suits.

    A hand is four sets of ranks, one a suit; hands with the same four sets in any order are equivalent.

    >>> [len(canonical_hands(size).weight) for size in (1, 2, 3)]
    [13, 169, 1755]
    """
    sets = {length: _sets(length) for length in range(size + 1)}
    hands = []
    for lengths in combinations_with_replacement(range(size, -1, -1), 4):
        if sum(lengths) != size:
            continue
        groups = [_multisets(sets[length], number) for length, number in Counter(lengths).items()]
        places = _grid(groups)
        hands.append(np.hstack([group[places[:, at]] for at, group in enumerate(groups)]))
    suits = np.vstack(hands)
    held = (suits[:, None, :] >> np.arange(13)[:, None] & 1).reshape(len(suits), 52)
    cards = np.nonzero(held)[1].reshape(len(suits), size).astype(np.uint8)
    order = np.lexsort(
        (*(cards[:, at] % 4 for at in range(size)), *(cards[:, at] // 4 for at in range(size)))
    )
    return CanonicalHands(np.ascontiguousarray(cards[order]), _orders(suits)[order])


def _sets(length: int) -> NDArray[np.intp]:
    """Return the sets of *length* ranks as 13-bit masks."""
    return np.array(
        [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), length)], dtype=np.intp
    )


def _multisets(sets: NDArray[np.intp], number: int) -> NDArray[np.intp]:
    """Return the combinations with replacement of *number* of *sets*: shape (n, number)."""
    return np.array(list(combinations_with_replacement(sets.tolist(), number)), dtype=np.intp).reshape(
        -1, number
    )


def _grid(groups: list[NDArray[np.intp]]) -> NDArray[np.intp]:
    """Return the Cartesian product of the groups' rows: shape (n, groups)."""
    return np.indices([len(group) for group in groups]).reshape(len(groups), -1).T


def _orders(suits: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the number of distinct permutations of the four sets of each row."""
    same = np.sort(suits, axis=1)
    same = (same[:, 1:] == same[:, :-1]).astype(np.intp)
    alike = same[:, 0] * 4 + same[:, 1] * 2 + same[:, 2]
    runs = {0: (1,), 1: (2,), 2: (2,), 4: (2,), 5: (2, 2), 3: (3,), 6: (3,), 7: (4,)}
    orders = [24 // int(np.prod([factorial(run) for run in runs[bits]])) for bits in range(8)]
    return np.asarray(np.array(orders, dtype=np.int64).take(alike))
