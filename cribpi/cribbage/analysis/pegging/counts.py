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

from cribpi.cribbage.analysis.pack import PIPS_OF
from cribpi.cribbage.game.play import LIMIT

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
    node_of = {end: node for node, end in enumerate(ends)}
    pairs, royals = len(ends), len(ends) + RANKS
    points, follow = [[0] * RANKS], [[node_of[(rank,)] for rank in range(RANKS)]]
    pair = np.zeros((len(ends) + 2 * RANKS, RANKS), dtype=np.bool_)
    for node, end in enumerate(ends[1:], 1):  # shorter ones first: the longer build on them
        rest, last = node_of[end[1:]], end[-1]
        worth, leads_to = points[rest].copy(), follow[rest].copy()
        low, high, length = min(end), max(end), len(end)
        for rank in range(RANKS):
            if rank in end:
                continue
            leads_to[rank] = node_of.get((*end, rank), leads_to[rank])
            if length >= 2 and max(high, rank) - min(low, rank) == length:
                worth[rank] = length + 1
        worth[last], leads_to[last], pair[node, last] = 2, pairs + last, True
        points.append(worth)
        follow.append(leads_to)
    for after, worth_of_rank in ((royals, 6), (node_of[(0,)], 12)):
        for rank in range(RANKS):
            leads_to = follow[node_of[(rank,)]].copy()
            leads_to[rank] = after + rank
            follow.append(leads_to)
            points.append([worth_of_rank * (rank == other) for other in range(RANKS)])
    return Pile(np.array(points, dtype=np.uint8), np.array(follow, dtype=np.int16), pair)


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
