"""How two players lay away: the fixed point at which each of them does the best against what the other
throws.

Each of the 20,358,520 hands (`classes`: 962,988) is laid away in the best of its 15 ways by the mean of the
hand over all starters, plus the mean of the crib where it is the dealer's own, minus it where it is not.  The
crib depends on what the other throws; so dealer and pone choose in turn, each against the other's last
choice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.canonical import Classes, classes
from cribpi.analysis.discard.crib_suits import suit_means
from cribpi.analysis.discard.habits import DiscardHabits, habits_of
from cribpi.analysis.discard.hand_averages import hand_means
from cribpi.analysis.discard.rank_hands import Floats, Places, held_of, rank_hands
from cribpi.analysis.shows import rank_pair_of, rank_points

WAYS: Final = tuple(combinations(range(6), 2))
"""Which two of six sorted cards go to the crib."""

HANDS: Final = 20_358_520
"""The hands of six cards."""

ROLES: Final = ("dealer", "pone")
SIGNS: Final = (1, -1)
"""What a point in the crib is worth to each."""

TURNS: Final = 10
"""Turns that the search for the fixed point takes, half of them the dealer's."""

_ALIKE: Final = 1e-9  # points: nearer than this, two ways are worth the same, whatever the rounding


class SixCards(NamedTuple):
    """Hands of six, and what does not depend on what the other throws; of all of them n is 962,988, m
    18,395.
    """

    classes: Classes
    hands: Floats
    """The mean of the four kept over 46 starters, for each way: (n, 15)."""
    group: Places
    """The multiset of ranks of each hand; of all hands, a row of `rank_hands(6)`: (n,), ascending."""
    left: NDArray[np.intp]
    """How many cards of each rank each multiset leaves: (m, 13)."""
    pair: Places
    """The pair of ranks that each multiset throws by each way: (m, 15)."""


class Choice(NamedTuple):
    """What one role does with all hands."""

    way: Places
    """The place in `WAYS` of what each class throws."""
    entries: Floats
    """How many hands of each multiset throw each pair of ranks, noted at the first way that does: (m, 15)."""
    suited: Floats
    """How many of all hands throw each pair of ranks, in two suits and in one: (91, 2); of five, each rank:
    (13,)."""
    hand: float
    """The mean of the hands."""
    crib: float
    """The mean of the crib, by this player's lights."""

    def told(self, worth: Floats, before: Places, weight: NDArray[np.int64]) -> str:
        """Return it in words, and what it gains over the choice of *before*."""
        rows = np.arange(len(before))
        gain = np.average(worth[rows, self.way] - worth[rows, before], weights=weight)
        changed = weight[self.way != before].sum() / weight.sum()
        return (
            f"mean hand {self.hand:.4f}, mean crib {self.crib:.4f}; "
            f"{changed:.2%} of the hands discard differently, which gains {gain:.5f} points a hand"
        )


def share_of_turn(turn: int) -> float:
    """Return how much a choice counts against those before it: all, then two thirds, a half, and so on."""
    return 2 / (2 + turn // 2)


class Role(NamedTuple):
    """What one role does on the average of some choices."""

    entries: Floats
    suited: Floats

    def throws(self) -> DiscardHabits:
        """Return it as what the other can reckon with."""
        six = six_cards()
        hand, way = np.nonzero(self.entries)
        return habits_of(6, hand, six.pair[hand, way], self.entries[hand, way] / rank_hands(6).total[hand])


@cache
def six_cards() -> SixCards:
    """Return all hands of six cards, once enumerated: half a minute and 0.3 GB."""
    return prepared(classes(6))


def prepared(hands: Classes) -> SixCards:
    """Return *hands* with what does not depend on what the other throws; they are sorted by their ranks."""
    ranks = hands.cards // 4
    is_new = np.concatenate(([True], (ranks[1:] != ranks[:-1]).any(axis=1)))
    multisets = ranks[is_new]
    one, other = np.array(WAYS).T
    pair = rank_pair_of()[multisets[:, one], multisets[:, other]]
    means = hand_means(hands.cards, WAYS)
    return SixCards(hands, means, np.cumsum(is_new) - 1, 4 - held_of(multisets), pair)


def mean_cribs(six: SixCards, throws: DiscardHabits, suited: Floats, *, four_flush: bool) -> Floats:
    """Return the mean crib for each hand and way, (n, 15), where the other throws so.

    Exact in the ranks: each hand that the 46 unseen cards make throws what *throws* say, and each of the 40
    cards beside it may be the starter.  Flush and nobs come from `suit_means`.
    """
    points = rank_points().reshape(91, -1).astype(np.float64)
    means = np.empty((len(six.left), len(WAYS)))
    for row, left in enumerate(six.left):
        weights = throws.weights(left)
        means[row] = (points @ weights.reshape(-1) / weights.sum())[six.pair[row]]
    cribs = means[six.group]
    cribs += suit_means(six.classes.cards, WAYS, suited, four_flush=four_flush)
    return cribs


def best_choice(six: SixCards, cribs: Floats, sign: int) -> Choice:
    """Return what a player does to whom the crib is worth *cribs*, mean points, times *sign*: 1 or -1."""
    worth = six.hands + sign * cribs
    way = np.argmax(worth > worth.max(axis=1, keepdims=True) - _ALIKE, axis=1)
    rows = np.arange(len(way))
    weight = six.classes.weight
    first = (six.pair[:, :, None] == six.pair[:, None, :]).argmax(axis=2)
    entries = np.bincount(six.group * len(WAYS) + first[six.group, way], weight, minlength=six.pair.size)
    suited = np.bincount(pair_codes(six)[rows, way], weight, minlength=182)
    return Choice(
        way,
        np.asarray(entries, dtype=np.float64).reshape(six.pair.shape),
        np.asarray(suited, dtype=np.float64).reshape(91, 2),
        float(np.average(six.hands[rows, way], weights=weight)),
        float(np.average(cribs[rows, way], weights=weight)),
    )


def fixed_point(
    six: SixCards, *, four_flush: bool = False, turns: int = TURNS, tell: Callable[[str], None] = print
) -> tuple[Role, Role]:
    """Return what dealer and pone do when neither would do better otherwise.

    They begin as players who look at their own hand alone, and then answer each other in turn.  Left so, some
    change their minds for ever between ways that are worth nearly the same; so each answers what the other
    has done on the average, the later turns weighing more.  *tell* is given a sentence for each turn.
    """
    alone = best_choice(six, np.zeros_like(six.hands), 0)
    roles = [Role(alone.entries, alone.suited)] * 2
    before = [alone.way] * 2
    for turn in range(turns):
        role = turn % 2  # the dealer begins
        other = roles[1 - role]
        cribs = mean_cribs(six, other.throws(), other.suited, four_flush=four_flush)
        choice = best_choice(six, cribs, SIGNS[role])
        share = share_of_turn(turn)
        roles[role] = Role(
            *(old + share * (new - old) for old, new in zip(roles[role], choice[1:3], strict=True))
        )
        worth = six.hands + SIGNS[role] * cribs
        tell(
            f"turn {turn + 1} of {turns}, {ROLES[role]}: "
            f"{choice.told(worth, before[role], six.classes.weight)}"
        )
        before[role] = choice.way
    return roles[0], roles[1]


def pair_codes(six: SixCards) -> Places:
    """Return what each way throws, as twice the pair of ranks, and one more where it is of one suit: (n,
    15).
    """
    one, other = np.array(WAYS).T
    suits = six.classes.cards % 4
    return np.asarray(six.pair[six.group] * 2 + (suits[:, one] == suits[:, other]), dtype=np.intp)
