"""A pile of cards as one number, so that arrays of piles can be played and scored at once.

What can be made with a pile depends on its count and on its last cards: how many of one rank they are, and
which different ranks a run may still use.  Each such ending is a node; a table gives, for each node and each
rank played on it, the points and the next node.  Suits do not matter in the play.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pack import PIPS_OF
from cribpi.core.play import LIMIT

RANKS: Final = 13
NONE: Final = 13
"""Stands for the rank of an absent card."""

PIPS_OR_NONE: Final[NDArray[np.uint8]] = np.array([*PIPS_OF, 99], dtype=np.uint8)
"""The pips of each rank; for `NONE` 99, which never fits."""

BONUS: Final[NDArray[np.uint8]] = np.array(
    [2 * (count in {15, LIMIT}) for count in range(LIMIT + 1)], dtype=np.uint8
)
"""The points of a count: two for fifteen and thirty-one."""

_SUMS: Final = PIPS_OF[None, :] + np.arange(LIMIT + 1)[:, None]

FITS: Final[NDArray[np.float32]] = (_SUMS <= LIMIT).astype(np.float32)
"""Whether a rank fits at a count, 1 or 0: shape (32, 13)."""

BONUSES: Final[NDArray[np.float32]] = BONUS[np.minimum(_SUMS, LIMIT)] * FITS
"""The points for fifteen or thirty-one when a rank is played at a count: shape (32, 13)."""

EMPTY: Final = 0
"""The node of an empty pile."""


class Pile(NamedTuple):
    """The transitions of nodes: a row per node, a column per rank, 0 (ace) to 12 (king)."""

    points: NDArray[np.uint8]
    """The points for pairs and runs; those for fifteen and thirty-one are in `BONUSES`."""
    next: NDArray[np.int16]
    """The next node."""
    pair: NDArray[np.bool_]
    """Whether the rank makes a plain pair: some rules give nothing for one over a player's own card."""


@cache
def pile_tables() -> Pile:
    """Return the transitions of all 8,872 nodes, computed once."""
    ends = _ends()
    codes = np.array([_code(end) for end in ends])
    order = codes.argsort()
    singles = 1 + np.arange(RANKS)
    pairs = len(ends) + np.arange(RANKS)
    royals = pairs + RANKS
    size = len(ends) + 2 * RANKS
    points = np.zeros((size, RANKS), dtype=np.uint8)
    follow = np.zeros((size, RANKS), dtype=np.int16)
    pair = np.zeros((size, RANKS), dtype=np.bool_)
    follow[EMPTY] = singles
    lengths = np.array([len(end) for end in ends])
    for length in range(1, int(lengths.max()) + 1):  # shorter ones first: the longer build on them
        rows = np.flatnonzero(lengths == length)
        these = np.array([ends[row] for row in rows])
        rest = order[codes[order].searchsorted(codes[rows] // _BASE)]
        follow[rows], points[rows] = follow[rest], points[rest]
        longer = codes[rows][:, None] + (np.arange(RANKS) + 1) * _BASE**length
        places = order[codes[order].searchsorted(longer).clip(max=len(ends) - 1)]
        follow[rows] = np.where(codes[places] == longer, places, follow[rows])
        ranks = np.arange(RANKS)[None, :]
        span = np.maximum(these.max(axis=1)[:, None], ranks) - np.minimum(these.min(axis=1)[:, None], ranks)
        is_new = (these[:, :, None] != ranks[None]).all(axis=1)
        if length >= 2:
            points[rows] = np.where(is_new & (span == length), length + 1, points[rows])
        last = these[:, -1]
        follow[rows, last], points[rows, last], pair[rows, last] = pairs[last], 2, True
    for rank in range(RANKS):
        for node, leads_to, worth in ((pairs[rank], royals[rank], 6), (royals[rank], singles[rank], 12)):
            follow[node] = follow[singles[rank]]
            follow[node, rank] = leads_to
            points[node, rank] = worth
    return Pile(points, follow, pair)


_BASE: Final = 14


def _code(end: tuple[int, ...]) -> int:
    """Encode an ending in base `_BASE`, the first card lowest.

    Integer division by the base drops the first card.
    """
    return sum((rank + 1) * _BASE**place for place, rank in enumerate(end))


def _ends() -> list[tuple[int, ...]]:
    """Return the distinct endings of piles, shorter ones first, beginning with the empty one.

    An ending is the longest sequence of different ranks that more cards may still make into a run.
    """
    ranges = [
        frozenset(range(low, high + 1))
        for low in range(RANKS)
        for high in range(low + 2, RANKS)
        if sum(int(PIPS_OF[rank]) for rank in range(low, high + 1)) <= LIMIT
    ]
    ends: set[tuple[int, ...]] = {(), *((rank,) for rank in range(RANKS))}
    for whole in ranges:
        for size in range(2, len(whole)):
            ends.update(permutations(sorted(whole), size))
    return sorted(ends, key=lambda end: (len(end), end))
