"""The shipped tables of discarding: what players discard and keep, and what that brings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.habits import DiscardHabits, Others, habits_of, rank_hands
from cribpi.cribbage.analysis.pack import Floats
from cribpi.cribbage.analysis.tables import Arrays, load, unusable


@dataclass(frozen=True, eq=False)
class DiscardTable:
    """What players discard and keep when each plays the best reply to the others: see `equilibrium`.

    The first axis of each array is the crib: 0 if it belongs to the player's own side, else 1.
    """

    players: int
    others: Others
    """The discard habits of the others, hand by hand, for `ways.ways`."""
    discarded: Floats
    """How often each discard is made; sums to 1.

    Two players: (2, 91, 2), pairs of ranks as in `shows.RANK_PAIRS`, unsuited and suited.  Three and four
    players: (2, 13), by rank.
    """
    kept: Floats
    """How often each four ranks are kept: (2, 1820).

    In the order of `combinations_with_replacement(range(13), 4)`; sums to 1.
    """
    cribs: Floats
    """The mean crib over all hands that could make each discard, as their holder sees it.

    Has the shape of *discarded*; 0 for a suited pair of one rank, which cannot be.
    """
    discarded_cribs: Floats
    """The same over the hands that do make the discard; NaN where none does."""
    hand_points: Floats
    """The probability of each count of a hand, 0 to 29: (2, 30)."""
    crib_points: Floats
    """The probability of each count of a crib: (30,)."""


@cache
def discard_table(players: int = 2) -> DiscardTable:
    """Return what *players* (2, 3 or 4) discard and keep.

    Made for a five-card flush in the crib; where four cards will do, players discard almost the same.

    Raises:
        TablesError: If the table is missing, damaged, of another format, or made for other rules.
    """
    table = load(f"laying-away-{players}")
    size = 6 if players == 2 else 5
    try:
        arrays = table.arrays
        habits = (_habits(size, arrays, 0), _habits(size, arrays, 1))
        discarded = _shares(arrays["thrown"])
        return DiscardTable(
            players,
            Others(habits, (discarded[0], discarded[1])),
            discarded,
            np.stack([_shares(one.kept_weights(np.full(13, 4)).reshape(1, -1))[0] for one in habits]),
            arrays["cribs"].astype(np.float64),
            arrays["thrown_cribs"].astype(np.float64),
            _shares(arrays["hand_points"]),
            _shares(arrays["crib_points"].reshape(1, 30))[0],
        )
    except (IndexError, ValueError) as trouble:
        raise unusable(table.name, f"it is not whole ({trouble})") from None


def _habits(size: int, arrays: Arrays, role: int) -> DiscardHabits:
    """Return the habits of a *role* from its entries: how many hands of a multiset make a discard."""
    hand = arrays[f"steps_{role}"].cumsum(dtype=np.intp)
    away, times = arrays[f"throws_{role}"].astype(np.intp), arrays[f"times_{role}"].astype(np.intp)
    number = len(rank_hands(size).total)
    total = np.bincount(hand, times, minlength=number)
    if len(total) > number or not total.all():
        raise ValueError("some hands discard nothing")
    return habits_of(size, hand, away, times / total[hand])


def _shares(counts: NDArray[Any]) -> Floats:
    """Normalize each row of *counts* to sum to 1."""
    rows = counts.reshape(len(counts), -1).astype(np.float64)
    return np.asarray((rows / rows.sum(axis=1, keepdims=True)).reshape(counts.shape))
