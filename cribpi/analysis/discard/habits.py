"""Discard habits: what players discard and keep, hand by hand in ranks, given what another has seen."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.hand_averages import KEPT, kept_place
from cribpi.analysis.discard.rank_hands import Floats, Places, held_of, rank_hands, ways_to_hold
from cribpi.analysis.shows import RANK_PAIRS, rank_pair_of
from cribpi.core import seats


class DiscardHabits(NamedTuple):
    """What a player in one role discards: an entry for each multiset of ranks and discard made from it.

    Where suits decide, or two ways are worth the same, a multiset has more than one entry.  Entries are
    sorted by the discard.
    """

    size: int
    """The number of cards dealt, six or five."""
    hand: Places
    """The multiset of each entry, a row of `rank_hands(size)`."""
    share: Floats
    """The share of its hands that discard so; sums to 1 for each multiset."""
    discarded: Places
    """The discard: of six cards a pair, an index of `shows.RANK_PAIRS`; of five a rank, 0 to 12."""
    kept: Places
    """What is kept: an index of `hand_averages.KEPT`."""
    cells: Places
    """The entries of each discard and rank kept, one for each card of the rank; `weights` sums them."""
    starts: Places
    """Where in *cells* each discard and rank begins."""
    makes: Places
    """Which discard and rank that is: the discard times 14 plus the rank, or 13 for the discard itself."""

    def weights(self, left: NDArray[np.intp]) -> Floats:
        """Return how often each discard goes with a starter of each rank, by the unseen cards.

        *left* is how many cards of each rank are unseen: (13,).  The weights have shape (91, 13) or (13, 13)
        and arbitrary scale.  The starter may be any unseen card not in the hand that discards.
        """
        ways = ways_to_hold(self.size, left).take(self.hand)
        ways *= self.share
        away = _held_in_discard(self.size)
        sums = np.zeros((len(away), 14))
        sums.reshape(-1)[self.makes] = np.add.reduceat(ways.take(self.cells), self.starts)
        return np.asarray(sums[:, 13:] * (left - away) - sums[:, :13])

    def kept_weights(self, left: NDArray[np.intp]) -> Floats:
        """Return how often each four ranks are kept, by the number *left* of each rank: (1820,)."""
        ways = ways_to_hold(self.size, left).take(self.hand)
        return np.asarray(np.bincount(self.kept, ways * self.share, minlength=len(KEPT)))


class Others(NamedTuple):
    """What the others discard: where the crib is theirs (0), and where it is not (1)."""

    habits: tuple[DiscardHabits, DiscardHabits]
    suited: tuple[Floats, Floats]
    """How often each pair of ranks is discarded, unsuited and suited: (91, 2); unused for single cards."""


def habits_of(size: int, hand: Places, away: Places, share: Floats) -> DiscardHabits:
    """Return `DiscardHabits` from entries: the multiset, its discard (91 or 13), and its share.

    Raises:
        ValueError: If a hand discards what it does not hold.
    """
    order = np.argsort(away, kind="stable")
    hand, away, share = hand[order], away[order], share[order]
    held = held_of(rank_hands(size).ranks)[hand]
    rows = np.arange(len(hand))
    for ranks in ranks_discarded(size)[away].T:
        held[rows, ranks] -= 1
    if held.min() < 0:
        raise ValueError("a hand discards a rank that it does not hold")
    kept = np.repeat(np.tile(np.arange(13), len(hand)), held.reshape(-1)).reshape(-1, 4)
    return DiscardHabits(size, hand, share, away, kept_place()[tuple(kept.T)], *_cells(away, kept))


def _cells(away: Places, kept: Places) -> tuple[Places, Places, Places]:
    cell = (away[:, None] * 14 + np.hstack((kept, np.full((len(kept), 1), 13)))).reshape(-1)
    order = np.argsort(cell, kind="stable")
    makes, starts = np.unique(cell[order], return_index=True)
    return order // 5, starts, makes


def crib_worth(players: int, *, own_crib: bool) -> float:
    """Return what a point in the crib is worth to a player, in points of the hand.

    What counts is the margin over the others' average: of three players only the dealer gains by the crib, so
    each of the other two loses half as much by it.

    >>> crib_worth(2, own_crib=False), crib_worth(3, own_crib=False), crib_worth(4, own_crib=False)
    (-1.0, -0.5, -1.0)
    """
    return 1.0 if own_crib else -1.0 / (seats.sides(players) - 1)


@cache
def even_others(players: int) -> Others:
    """Return others who discard at random: for callers that do without the shipped table.

    Raises:
        ValueError: If there are not 2, 3 or 4 players.
    """
    if players not in seats.PLAYERS:
        raise ValueError(f"{players} players: cribbage is for 2, 3 or 4")
    size = seats.cards_dealt(players)
    ranks = rank_hands(size).ranks.astype(np.intp)
    one, other = np.array(list(combinations(range(size), 2))).T
    away = rank_pair_of()[ranks[:, one], ranks[:, other]] if size == 6 else ranks
    number = len(ranks_discarded(size))
    code, times = np.unique(np.arange(len(ranks))[:, None] * number + away, return_counts=True)
    even = habits_of(size, code // number, code % number, times / away.shape[1])
    return Others((even, even), (pairs_in_pack(), pairs_in_pack()))


@cache
def ranks_discarded(size: int) -> NDArray[np.intp]:
    """Return the ranks of each discard: (91, 2) of six cards, (13, 1) of five."""
    return np.array(RANK_PAIRS, dtype=np.intp) if size == 6 else np.arange(13).reshape(13, 1)


@cache
def _held_in_discard(size: int) -> NDArray[np.intp]:
    return held_of(ranks_discarded(size))


def pairs_in_pack() -> Floats:
    """Return the number of pairs of cards of each pair of ranks in a pack, unsuited and suited: (91, 2)."""
    return np.array([(12.0, 4.0) if low != high else (6.0, 0.0) for low, high in RANK_PAIRS])
