"""Discard habits: what players discard and keep, hand by hand in ranks, and the shipped tables of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import CHOOSE, HANDS, Floats, Places, hand_numbers, held_of
from cribpi.cribbage.analysis.shows import RANK_PAIRS
from cribpi.cribbage.analysis.tables import Arrays, load, unusable
from cribpi.cribbage.rules import seats

_SPLIT: Final = 7  # split by rank: there are far fewer half hands than hands, and a product joins them


class RankHands(NamedTuple):
    """Every multiset of so many ranks, none more than four times.

    Sorted by the highest rank, then the next.
    """

    ranks: NDArray[np.uint8]
    """The ranks of each multiset, 0 to 12, ascending: (n, size)."""
    total: Floats
    """The number of ways a full pack makes each: (n,)."""
    lows: Places
    """How often each of the 7 lower ranks is in each half hand: (7, l)."""
    low: Places
    """The lower half of each hand, a column of *lows*: (n,)."""
    highs: Places
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


def ways_to_hold(size: int, left: Places) -> Floats:
    """Return the number of ways to make each hand of *size*, (n,), from the cards *left* of each rank.

    >>> float(ways_to_hold(4, np.array([4] * 13)).sum())
    270725.0
    """
    hands = rank_hands(size)
    low, high = _ways(left[:_SPLIT], hands.lows), _ways(left[_SPLIT:], hands.highs)
    ways = low.take(hands.low)
    ways *= high.take(hands.high)
    return ways


def _ways(left: Places, held: Places) -> Floats:
    ways = np.ones(held.shape[1])
    for number, column in zip(left, held, strict=True):
        ways *= CHOOSE[number].take(column)
    return ways


def _halves(held: Places) -> tuple[Places, Places]:
    """Return the distinct rows of *held* as columns, and the column of each row."""
    code = held @ 5 ** np.arange(held.shape[1])[::-1]  # no rank is held more than four times
    _, first, place = np.unique(code, return_index=True, return_inverse=True)
    return np.ascontiguousarray(held[first].T), place.reshape(-1)


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
    """What is kept: an index of `pack.HANDS`."""
    cells: Places
    """The entries of each discard and rank kept, one for each card of the rank; `weights` sums them."""
    starts: Places
    """Where in *cells* each discard and rank begins."""
    makes: Places
    """Which discard and rank that is: the discard times 14 plus the rank, or 13 for the discard itself."""

    def weights(self, left: Places) -> Floats:
        """Return how often each discard goes with a starter of each rank, by the unseen cards.

        *left* is how many cards of each rank are unseen: (13,).  The weights have shape (91, 13) or (13, 13)
        and arbitrary scale.  The starter may be any unseen card not in the hand that discards.
        """
        ways = ways_to_hold(self.size, left).take(self.hand)
        ways *= self.share
        away = held_of(ranks_discarded(self.size))
        sums = np.zeros((len(away), 14))
        sums.reshape(-1)[self.makes] = np.add.reduceat(ways.take(self.cells), self.starts)
        return np.asarray(sums[:, 13:] * (left - away) - sums[:, :13])

    def kept_weights(self, left: Places) -> Floats:
        """Return how often each four ranks are kept, by the number *left* of each rank: (1820,)."""
        ways = ways_to_hold(self.size, left).take(self.hand)
        return np.asarray(np.bincount(self.kept, ways * self.share, minlength=len(HANDS)))


class Others(NamedTuple):
    """What the others discard: where the crib is theirs (0), and where it is not (1)."""

    habits: tuple[DiscardHabits, DiscardHabits]
    suited: tuple[Floats, Floats]
    """How often each discard is made; sums to 1.

    Of two players pairs of `shows.RANK_PAIRS`, unsuited and suited: (91, 2).  Of three and four single cards,
    by rank: (13,).
    """


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
    cell = (away[:, None] * 14 + np.hstack((kept, np.full((len(kept), 1), 13)))).reshape(-1)
    order = np.argsort(cell, kind="stable")
    makes, starts = np.unique(cell[order], return_index=True)
    return DiscardHabits(size, hand, share, away, hand_numbers(kept), order // 5, starts, makes)


def crib_worth(players: int, *, own_crib: bool) -> float:
    """Return what a point in the crib is worth to a player, in points of the hand.

    What counts is the margin over the others' average: of three players only the dealer gains by the crib, so
    each of the other two loses half as much by it.

    >>> crib_worth(2, own_crib=False), crib_worth(3, own_crib=False), crib_worth(4, own_crib=False)
    (-1.0, -0.5, -1.0)
    """
    return 1.0 if own_crib else -1.0 / (seats.sides(players) - 1)


@cache
def ranks_discarded(size: int) -> Places:
    """Return the ranks of each discard: (91, 2) of six cards, (13, 1) of five."""
    return np.array(RANK_PAIRS, dtype=np.intp) if size == 6 else np.arange(13).reshape(13, 1)


@dataclass(frozen=True, eq=False)
class DiscardTable:
    """What players discard and keep when each plays the best reply to the others.

    `workshop.tables.discards` finds it.  The first axis of each array is the crib: 0 if it belongs to the
    player's own side, else 1.
    """

    others: Others
    """The discard habits of the others, hand by hand, for `ways.ways`."""
    kept: Floats
    """How often each four ranks are kept: (2, 1820).

    In the order of `combinations_with_replacement(range(13), 4)`; sums to 1.
    """
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
            Others(habits, (discarded[0], discarded[1])),
            np.stack([_shares(one.kept_weights(np.full(13, 4)).reshape(1, -1))[0] for one in habits]),
            _shares(arrays["hand_points"]),
            _shares(arrays["crib_points"].reshape(1, 30))[0],
        )
    except (IndexError, ValueError) as trouble:
        raise unusable(table.name, f"it is incomplete ({trouble})") from None


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
