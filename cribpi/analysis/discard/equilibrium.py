"""What two players discard at equilibrium: each plays the best reply to the other.

Of each of the 20,358,520 hands (962,988 canonical ones) the best of its 15 discards is chosen: by the mean of
the hand over all starters, plus the mean of the crib for the dealer, minus it for pone.  The crib depends on
what the other discards, so dealer and pone choose in turn, each replying to the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.canonical import CanonicalHands, canonical_hands
from cribpi.analysis.discard.crib_suits import suit_means
from cribpi.analysis.discard.habits import DiscardHabits, habits_of
from cribpi.analysis.discard.hand_averages import hand_means
from cribpi.analysis.discard.rank_hands import Floats, Places, held_of, rank_hands
from cribpi.analysis.shows import rank_pair_of, rank_points

WAYS: Final = tuple(combinations(range(6), 2))
"""Which two of six sorted cards go to the crib."""

HANDS: Final = 20_358_520
"""The number of hands of six cards."""

ROLES: Final = ("dealer", "pone")
SIGNS: Final = (1, -1)
"""What a point in the crib is worth to dealer and pone."""

TURNS: Final = 10
"""Iterations of the search, half of them the dealer's."""

_ALIKE: Final = 1e-9  # points: ways closer than this tie, whatever the rounding


class SixCards(NamedTuple):
    """Hands of six, and what does not depend on the other's discards.

    Of all canonical hands n is 962,988, and m is 18,395.
    """

    canonical_hands: CanonicalHands
    hands: Floats
    """The mean of the four cards kept over 46 starters, for each way: (n, 15)."""
    group: Places
    """The multiset of ranks of each hand, for all hands a row of `rank_hands(6)`: (n,), ascending."""
    left: NDArray[np.intp]
    """How many cards of each rank each multiset leaves in the pack: (m, 13)."""
    pair: Places
    """The pair of ranks that each way discards from each multiset: (m, 15)."""


class Choice(NamedTuple):
    """What one role discards from every hand."""

    way: Places
    """The index in `WAYS` of each canonical hand's discard."""
    entries: Floats
    """How many hands of each multiset discard each pair of ranks, entered at its first way: (m, 15)."""
    suited: Floats
    """How many of all hands discard each pair of ranks, unsuited and suited: (91, 2).

    With five cards, each rank: (13,).
    """
    hand: float
    """The mean points of the hand."""
    crib: float
    """The mean points of the crib, as this player sees it."""

    def summary(self, worth: Floats, before: Places, weight: NDArray[np.int64]) -> str:
        """Describe the choice, and what it gains over the choice *before*."""
        rows = np.arange(len(before))
        gain = np.average(worth[rows, self.way] - worth[rows, before], weights=weight)
        changed = weight[self.way != before].sum() / weight.sum()
        return (
            f"mean hand {self.hand:.4f}, mean crib {self.crib:.4f}; "
            f"{changed:.2%} of the hands discard differently, which gains {gain:.5f} points a hand"
        )


def share_of_turn(turn: int) -> float:
    """Return the weight of a turn's choice in the running average: 1, then 2/3, 1/2, and so on."""
    return 2 / (2 + turn // 2)


class Role(NamedTuple):
    """The average of several choices of one role."""

    entries: Floats
    suited: Floats

    def habits(self) -> DiscardHabits:
        """Return the role's discard habits."""
        six = six_cards()
        hand, way = np.nonzero(self.entries)
        return habits_of(6, hand, six.pair[hand, way], self.entries[hand, way] / rank_hands(6).total[hand])


@cache
def six_cards() -> SixCards:
    """Return all hands of six cards, enumerated once: half a minute and 0.3 GB."""
    return prepared(canonical_hands(6))


def prepared(hands: CanonicalHands) -> SixCards:
    """Return *hands*, sorted by rank, with what does not depend on the other's discards."""
    ranks = hands.cards // 4
    is_new = np.concatenate(([True], (ranks[1:] != ranks[:-1]).any(axis=1)))
    multisets = ranks[is_new]
    one, other = np.array(WAYS).T
    pair = rank_pair_of()[multisets[:, one], multisets[:, other]]
    means = hand_means(hands.cards, WAYS)
    return SixCards(hands, means, np.cumsum(is_new) - 1, 4 - held_of(multisets), pair)


def mean_cribs(six: SixCards, habits: DiscardHabits, suited: Floats, *, four_flush: bool) -> Floats:
    """Return the mean crib for each hand and way, (n, 15), when the other discards by *habits*.

    Exact in the ranks: the other discards from each hand that the 46 unseen cards make, and each of the 40
    cards not in it may be the starter.  Flush and nobs come from `suit_means`.
    """
    points = rank_points().reshape(91, -1).astype(np.float64)
    means = np.empty((len(six.left), len(WAYS)))
    for row, left in enumerate(six.left):
        weights = habits.weights(left)
        means[row] = (points @ weights.reshape(-1) / weights.sum())[six.pair[row]]
    cribs = means[six.group]
    cribs += suit_means(six.canonical_hands.cards, WAYS, suited, four_flush=four_flush)
    return cribs


def best_choice(six: SixCards, cribs: Floats, sign: int) -> Choice:
    """Return the best choice when the crib is worth *cribs*, mean points, times *sign*: 1 or -1."""
    worth = six.hands + sign * cribs
    way = np.argmax(worth > worth.max(axis=1, keepdims=True) - _ALIKE, axis=1)
    rows = np.arange(len(way))
    weight = six.canonical_hands.weight
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
    """Return what dealer and pone discard at equilibrium, where neither gains by a change.

    They begin as players who look only at their own hand, and then reply to each other in turn.  Some pure
    replies would alternate for ever between ways of nearly the same worth, so each replies to the other's
    running average, which weights later turns more (fictitious play).  *tell* is given a sentence for each
    turn.
    """
    alone = best_choice(six, np.zeros_like(six.hands), 0)
    roles = [Role(alone.entries, alone.suited)] * 2
    before = [alone.way] * 2
    for turn in range(turns):
        role = turn % 2  # the dealer begins
        other = roles[1 - role]
        cribs = mean_cribs(six, other.habits(), other.suited, four_flush=four_flush)
        choice = best_choice(six, cribs, SIGNS[role])
        share = share_of_turn(turn)
        roles[role] = Role(
            *(old + share * (new - old) for old, new in zip(roles[role], choice[1:3], strict=True))
        )
        worth = six.hands + SIGNS[role] * cribs
        tell(
            f"turn {turn + 1} of {turns}, {ROLES[role]}: "
            f"{choice.summary(worth, before[role], six.canonical_hands.weight)}"
        )
        before[role] = choice.way
    return roles[0], roles[1]


def pair_codes(six: SixCards) -> Places:
    """Return the discard of each way as twice the pair of ranks, plus 1 if it is suited: (n, 15)."""
    one, other = np.array(WAYS).T
    suits = six.canonical_hands.cards % 4
    return np.asarray(six.pair[six.group] * 2 + (suits[:, one] == suits[:, other]), dtype=np.intp)
