"""What each hand is expected to peg in the play, for discards, and the distribution of those points."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.batch import deals_from_the_lead
from cribpi.analysis.pegging.policy import HAND_COUNTS, HANDS, Policy
from cribpi.analysis.pegging.training import BATCH, CHOOSE, WAYS, Tell, cards_of, drawn_hands, play_out
from cribpi.core.rules import Rules

MOST_POINTS: Final = 19
"""The last bin of the distribution: this many points or more."""

NEVER: Final = 255
"""The index of the card that reaches points which a seat never reaches."""

PONE, DEALER = 0, 1
"""The seats of the two players here: pone leads."""


class Pegging(NamedTuple):
    """What two players peg in the play, go and last included.  The first axis is the role: dealer, pone."""

    points: NDArray[np.float64]
    """The mean points for each of `HANDS`, and the other's against it: shape (2, 1820, 2)."""
    spread: NDArray[np.int64]
    """The number of deals by one's own points and the other's, 0 to `MOST_POINTS`: shape (2, 20, 20)."""
    first: NDArray[np.int64]
    """Deals in which the dealer has so many points (row) before pone has so many (column): (20, 20).

    Of the same deals as *spread*.
    """


def make_pegging(
    kept: NDArray[np.float64], policy: Policy, rules: Rules, *, seed: int, deals: int, tell: Tell = str
) -> Pegging:
    """Let *policy* play *deals* with each hand in each role, against hands as often as they are *kept*.

    Args:
        kept: How often the dealer (row 0) and pone (row 1) keep each of `HANDS`: shape (2, 1820).
        policy: How both play.
        rules: Rules for two players.
        seed: The seed of the random deals; the same seed makes the same table.
        deals: Deals per hand and role: 1,000 give means to about 0.06 of a point.
        tell: Receives lines about the progress.
    """
    chance = np.random.default_rng(seed)
    points = np.zeros((2, len(HANDS), 2))
    step = min(max(BATCH // deals, 1), 64)  # so that all hands against these fit in memory
    for role, seat in enumerate((DEALER, PONE)):
        for first in range(0, len(HANDS), step):
            mine = np.arange(first, min(first + step, len(HANDS)))
            pegged = pegged_by(mine, seat, kept[1 - role], policy, rules, chance, deals)
            points[role, mine, 0] = pegged[:, :, seat].mean(axis=1)
            points[role, mine, 1] = pegged[:, :, 1 - seat].mean(axis=1)
        tell(f"{('dealer', 'pone')[role]}: {deals:,} deals with each of {len(HANDS):,} hands")
    return Pegging(points, *spread_of(kept, policy, rules, chance, deals * 200))


def pegged_by(
    mine: NDArray[np.intp],
    seat: int,
    prior: NDArray[np.float64],
    policy: Policy,
    rules: Rules,
    chance: np.random.Generator,
    deals: int,
) -> NDArray[np.int16]:
    """Return what both seats peg in *deals* with each hand of *mine* in *seat*: shape (hands, deals, 2)."""
    free = 4 - HAND_COUNTS[mine]
    likely = prior * np.prod(CHOOSE[free[:, None, :], HAND_COUNTS] / WAYS[HAND_COUNTS], axis=2)
    sums = likely.cumsum(axis=1)
    theirs = np.stack([row.searchsorted(chance.random(deals) * row[-1], side="right") for row in sums])
    theirs = theirs.clip(max=len(HANDS) - 1)
    rest = (free[:, None, :] - HAND_COUNTS[theirs]).astype(np.int64).cumsum(axis=2)
    starters = (rest > chance.integers(0, rest[:, :, -1:], (*theirs.shape, 1))).argmax(axis=2)
    cards = np.empty((len(mine), deals, 2, 4), np.uint8)
    cards[:, :, seat] = HANDS[mine][:, None]
    cards[:, :, 1 - seat] = HANDS[theirs]
    played = deals_from_the_lead(
        rules, cards.reshape(-1, 2, 4), PONE, starters=starters.reshape(-1).astype(np.uint8)
    )
    whole = played.pegged
    play_out(played, (policy,))
    return whole.reshape(len(mine), deals, 2)


def spread_of(
    kept: NDArray[np.float64], policy: Policy, rules: Rules, chance: np.random.Generator, deals: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count *deals* by the points of both, and by who reaches them first: `Pegging.spread` and `.first`."""
    size = MOST_POINTS + 1
    counts, first_there = np.zeros((size, size), np.int64), np.zeros((size, size), np.int64)
    for first in range(0, deals, BATCH):
        hands, starters = drawn_hands(kept, chance, min(BATCH, deals - first))
        played = deals_from_the_lead(rules, HANDS[hands], PONE, starters=starters)
        whole = played.pegged
        there = np.full((*whole.shape, size), NEVER, np.uint8)
        there[:, :, 0] = 0
        for number, at in enumerate(cards_of(played, (policy,)), 1):
            has = whole[at][:, :, None] >= np.arange(size)
            there[at] = np.minimum(there[at], np.where(has, number, NEVER))
        capped = np.minimum(whole, MOST_POINTS)
        np.add.at(counts, (capped[:, DEALER], capped[:, PONE]), 1)
        for points in range(size):
            first_there[points] += (there[:, DEALER, points, None] < there[:, PONE]).sum(axis=0)
    return np.stack([counts, counts.T]), first_there
