"""Discard habits from the shipped tables: the ranks that players discard and keep from each hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import CHOOSE, HANDS, Floats, Places, hand_numbers, rank_counts
from cribpi.cribbage.analysis.shows import RANK_PAIRS
from cribpi.cribbage.analysis.tables import Arrays, load, unusable
from cribpi.cribbage.rules import seats

# Ranks in the lower half.  A value for each half hand, multiplied for the two halves, is much faster to
# compute than one for each hand.
_SPLIT: Final = 7


class RankHands(NamedTuple):
    """All hands of *size* cards as multisets of ranks, sorted by the highest rank, then the next."""

    ranks: NDArray[np.uint8]
    """The ranks of each hand, 0 to 12, ascending: (n, size)."""
    total: Floats
    """The number of ways to draw each hand from a full pack: (n,)."""
    lows: Places
    """The number of cards of each of the 7 lower ranks, in each of *l* lower half hands: (7, l)."""
    low: Places
    """The lower half of each hand, as a column of *lows*: (n,).  *highs* and *high* are the upper half."""
    highs: Places
    high: Places


@cache
def rank_hands(size: int) -> RankHands:
    """Return all hands of *size* cards, by ranks alone: 6,175 of five cards, 18,395 of six.

    >>> [len(rank_hands(size).ranks) for size in (4, 5, 6)]
    [1820, 6175, 18395]
    """
    ranks = np.array(list(combinations_with_replacement(range(13), size)), dtype=np.uint8)
    held = rank_counts(ranks)
    is_in_pack = held.max(axis=1) <= 4
    ranks, held = ranks[is_in_pack], held[is_in_pack]
    order = np.lexsort(tuple(ranks.T))
    ranks, held = ranks[order], held[order]
    total = CHOOSE[4, held].prod(axis=1)
    return RankHands(ranks, total, *_halves(held[:, :_SPLIT]), *_halves(held[:, _SPLIT:]))


def ways_to_hold(size: int, cards: Places) -> Floats:
    """Return the number of ways to make each hand of `rank_hands(size)`: shape (n,).

    *cards* is the number of unseen cards of each rank: (13,).

    >>> float(ways_to_hold(4, np.array([4] * 13)).sum())
    270725.0
    """
    hands = rank_hands(size)
    low, high = _ways(cards[:_SPLIT], hands.lows), _ways(cards[_SPLIT:], hands.highs)
    ways = low.take(hands.low)
    ways *= high.take(hands.high)
    return ways


def _ways(cards: Places, halves: Places) -> Floats:
    ways = np.ones(halves.shape[1])
    for number, column in zip(cards, halves, strict=True):
        ways *= CHOOSE[number].take(column)
    return ways


def _halves(counts: Places) -> tuple[Places, Places]:
    """Return the distinct rows of *counts* as the columns of an array, and the column of each row."""
    code = counts @ 5 ** np.arange(counts.shape[1])[::-1]  # base 5: a hand has at most four cards of a rank
    _, first, place = np.unique(code, return_index=True, return_inverse=True)
    return np.ascontiguousarray(counts[first].T), place.reshape(-1)


class DiscardHabits(NamedTuple):
    """The discards of a player in one role, dealer's side or not: an entry per rank hand and discard.

    A rank hand has several entries if its best discard depends on suits, or if two are equally good.  Entries
    are sorted by the discard.
    """

    size: int
    """The number of cards dealt, six or five."""
    hand: Places
    """The rank hand of each entry, a row of `rank_hands(size)`."""
    share: Floats
    """The probability of this discard, given the rank hand; sums to 1 for each rank hand."""
    discarded: Places
    """The discard: of six cards a pair, an index of `shows.RANK_PAIRS`; of five a rank, 0 to 12."""
    kept: Places
    """The four ranks kept: an index of `pack.HANDS`."""
    cells: Places
    """The entries, grouped by discard and rank kept for the sums of `weights`.

    An entry is in the group of each of its four kept cards, and in the group of the discard itself."""
    starts: Places
    """The index in *cells* at which each group begins."""
    makes: Places
    """The key of each group: discard * 14 + rank kept, or discard * 14 + 13 for the discard itself."""

    def weights(self, left: Places) -> Floats:
        """Return the weight of each discard with a starter of each rank.

        *left* is the number of unseen cards of each rank: (13,).  The weights have shape (91, 13) or (13, 13)
        and any scale.  The starter may be any unseen card that is not in this player's hand.
        """
        ways = ways_to_hold(self.size, left).take(self.hand)
        ways *= self.share
        discards = rank_counts(ranks_discarded(self.size))
        sums = np.zeros((len(discards), 14))
        sums.reshape(-1)[self.makes] = np.add.reduceat(ways.take(self.cells), self.starts)
        return np.asarray(sums[:, 13:] * (left - discards) - sums[:, :13])

    def kept_weights(self, left: Places) -> Floats:
        """Return the weight of keeping each of `HANDS`, with *left* unseen cards of each rank: (1820,)."""
        ways = ways_to_hold(self.size, left).take(self.hand)
        return np.asarray(np.bincount(self.kept, ways * self.share, minlength=len(HANDS)))


class Others(NamedTuple):
    """The discards of the other players: index 0 is for those of the dealer's side, 1 for the rest."""

    habits: tuple[DiscardHabits, DiscardHabits]
    suited: tuple[Floats, Floats]
    """The share of each discard among all discards; sums to 1.

    With two players, by `shows.RANK_PAIRS`, unsuited and suited: (91, 2).  With three or four, by rank:
    (13,).
    """


def habits_of(size: int, hand: Places, discarded: Places, share: Floats) -> DiscardHabits:
    """Build `DiscardHabits` from parallel arrays.

    Each entry has the index of a rank hand, the index of its discard (one of 91 pairs or 13 ranks), and its
    share.

    Raises:
        ValueError: If a hand discards a rank that it does not hold.
    """
    order = np.argsort(discarded, kind="stable")
    hand, discarded = hand[order], discarded[order]
    held = rank_counts(rank_hands(size).ranks)[hand]
    rows = np.arange(len(hand))
    for ranks in ranks_discarded(size)[discarded].T:
        held[rows, ranks] -= 1
    if held.min() < 0:
        raise ValueError("a hand discards a rank that it does not hold")
    kept = np.repeat(np.tile(np.arange(13), len(hand)), held.reshape(-1)).reshape(-1, 4)
    cell = (discarded[:, None] * 14 + np.hstack((kept, np.full((len(kept), 1), 13)))).reshape(-1)
    by_cell = np.argsort(cell, kind="stable")
    makes, starts = np.unique(cell[by_cell], return_index=True)
    return DiscardHabits(size, hand, share[order], discarded, hand_numbers(kept), by_cell // 5, starts, makes)


def crib_worth(players: int, *, own_crib: bool) -> float:
    """Return the worth of a point in the crib, relative to a point in the player's own hand.

    A player maximizes the margin over the mean of the others.  With three players, a point in the dealer's
    crib raises the mean of the two others of a non-dealer by only half a point.

    >>> crib_worth(2, own_crib=False), crib_worth(3, own_crib=False), crib_worth(4, own_crib=False)
    (-1.0, -0.5, -1.0)
    """
    return 1.0 if own_crib else -1.0 / (seats.sides(players) - 1)


@cache
def ranks_discarded(size: int) -> Places:
    """Return the ranks of each possible discard: (91, 2) of six cards, (13, 1) of five."""
    return np.array(RANK_PAIRS, dtype=np.intp) if size == 6 else np.arange(13).reshape(13, 1)


@dataclass(frozen=True, eq=False)
class DiscardTable:
    """The discards and hands of players who each make the best reply to the others' discards.

    `workshop.tables.discards` computes it.  The first axis of an array is 0 if the crib belongs to the
    player's side, else 1; *crib_points* has no such axis.
    """

    others: Others
    """The discard habits of the others, as an argument for `ways.ways`."""
    kept: Floats
    """The probability that a player keeps each of `HANDS`: (2, 1820); each row sums to 1."""
    hand_points: Floats
    """The probability of each count of a hand, 0 to 29: (2, 30)."""
    crib_points: Floats
    """The probability of each count of a crib: (30,)."""


@cache
def discard_table(players: int = 2) -> DiscardTable:
    """Return the shipped discard table for *players* (2, 3 or 4).

    The table assumes that a crib flush needs five cards; if four are enough, discards are almost the same.

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
            np.stack([_shares(role.kept_weights(np.full(13, 4)).reshape(1, -1))[0] for role in habits]),
            _shares(arrays["hand_points"]),
            _shares(arrays["crib_points"].reshape(1, 30))[0],
        )
    except (IndexError, ValueError) as trouble:
        raise unusable(table.name, f"it is incomplete ({trouble})") from None


def _habits(size: int, arrays: Arrays, role: int) -> DiscardHabits:
    """Return the habits of a *role* (0 or 1) from the arrays of the table, which hold counts of deals."""
    hand = arrays[f"steps_{role}"].cumsum(dtype=np.intp)
    discarded, times = arrays[f"throws_{role}"].astype(np.intp), arrays[f"times_{role}"].astype(np.intp)
    number = len(rank_hands(size).total)
    total = np.bincount(hand, times, minlength=number)
    if len(total) > number or not total.all():
        raise ValueError("some hands discard nothing")
    return habits_of(size, hand, discarded, times / total[hand])


def _shares(counts: NDArray[Any]) -> Floats:
    """Normalize each row of *counts* to sum to 1."""
    rows = counts.reshape(len(counts), -1).astype(np.float64)
    return np.asarray((rows / rows.sum(axis=1, keepdims=True)).reshape(counts.shape))
