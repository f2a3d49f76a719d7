"""The best reply to a model of the other, over all hands the other may hold: exact, without peeking.

For each hand the other may hold and each order in which one's own cards may be played, the deal is played to
its end in one batch, with the other replying by a `Policy`.  One's own choices are then made by backward
induction: where two hands look the same to the player, the same card is chosen for both, the best on their
weighted mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.batch import Deals
from cribpi.analysis.pegging.counts import PIPS_OR_NONE
from cribpi.analysis.pegging.policy import Policy
from cribpi.core.play import LIMIT

Utility = Callable[[NDArray[np.int16], NDArray[np.intp]], NDArray[np.float64]]
"""What the end of the play is worth.

Its arguments are what each side has pegged from now on, shape (deals, sides), and the index in `HANDS` of
each seat's hand, shape (deals, players), -1 for the player's own.
"""


@dataclass(slots=True)
class _Choice:
    """The player's own choices with so many cards left."""

    sight: NDArray[np.int64]
    """What was seen on the way to each, as a number."""
    weight: NDArray[np.float64]
    child: NDArray[np.intp]
    """The child of each card: shape (choices, 4), -1 where it can't or need not be tried."""
    worth: NDArray[np.float64]
    """The worth of each child in which the play is over."""
    goes_on: NDArray[np.intp]
    """The children that lead to another choice, in the order of the next level."""


def best_values(
    deals: Deals,
    weights: NDArray[np.float64],
    hands: NDArray[np.intp],
    model: Policy,
    utility: Utility,
    hidden: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]:
    """Return what each card of the seat to play is worth: shape (4,), -inf for one that can't be played.

    Args:
        deals: One position as one player sees it, with each hand the other may hold.
        weights: The weight of each; any scale.
        hands: The hands of each, for *utility*.
        model: How the other plays.
        utility: What the end is worth.
        hidden: What the *other* knows besides: see `Policy.values`.  None for nothing.
    """
    me = int(deals.turn[0])
    choices: list[_Choice] = []
    sight = np.zeros(len(deals), np.int64)
    while len(deals):
        choice, deals, sight, weights, hands = _forward(
            deals, sight, weights, hands, model, utility, me, hidden
        )
        choices.append(choice)
    later = np.zeros(0)
    for choice in reversed(choices[1:]):
        later = _backward(choice, later)[0]
    values: NDArray[np.float64] = _backward(choices[0], later)[1][0]
    return values


def _forward(
    deals: Deals,
    sight: NDArray[np.int64],
    weights: NDArray[np.float64],
    hands: NDArray[np.intp],
    model: Policy,
    utility: Utility,
    me: int,
    hidden: NDArray[np.uint8] | None,
) -> tuple[_Choice, Deals, NDArray[np.int64], NDArray[np.float64], NDArray[np.intp]]:
    """Try each of the player's cards, and let the other play up to the player's next turn."""
    hold = deals.hold()
    can = tries(deals)
    rows, slots = np.nonzero(can)
    child = np.full(can.shape, -1, np.intp)
    child[rows, slots] = np.arange(len(rows))
    after = deals.take(rows)
    seen = sight[rows] * 28 + 1 + hold[rows, slots]
    after.play(slots)
    theirs = np.flatnonzero((after.turn >= 0) & (after.turn != me))
    moving = after.take(theirs)
    while len(theirs):
        card = answers(moving, model, hidden)
        seen[theirs] = seen[theirs] * 28 + 14 + moving.hold()[np.arange(len(theirs)), card]
        moving.play(card)
        put(after, theirs, moving)
        on = np.flatnonzero((moving.turn >= 0) & (moving.turn != me))
        theirs = theirs[on]
        moving = moving.take(on)
    on = np.flatnonzero(after.turn == me)
    worth = np.zeros(len(rows))
    over = np.flatnonzero(after.turn < 0)
    if len(over):
        worth[over] = utility(after.pegged[over], hands[rows[over]])
    choice = _Choice(sight, weights, child, worth, on)
    return choice, after.take(on), seen[on], weights[rows[on]], hands[rows[on]]


def tries(deals: Deals) -> NDArray[np.bool_]:
    """Return which cards of the seat to play fit, the first of each rank: shape (deals, 4)."""
    hold = deals.hold()
    can = PIPS_OR_NONE[hold] <= (LIMIT - deals.count)[:, None]
    for slot in range(1, 4):
        can[:, slot] &= (hold[:, :slot] != hold[:, slot : slot + 1]).all(axis=1)
    return can


def answers(deals: Deals, model: Policy, hidden: NDArray[np.uint8] | None) -> NDArray[np.intp]:
    """Return the card that the other plays in each of *deals*."""
    hold = deals.hold()
    slots: NDArray[np.intp] = hold.argmin(axis=1)  # a single card left; NONE is the highest value
    choose = np.flatnonzero(deals.left[np.arange(len(deals)), deals.turn] > 1)
    if len(choose):
        slots[choose] = model.values(deals.take(choose), hidden).argmax(axis=1)
    return slots


def put(whole: Deals, rows: NDArray[np.intp], part: Deals) -> None:
    """Write *part* back into its *rows* of *whole*."""
    for name in (
        "cards",
        "turn",
        "count",
        "node",
        "last",
        "pegged",
        "low",
        "left",
        "out",
        "taken",
        "open",
        "above",
    ):
        getattr(whole, name)[rows] = getattr(part, name)


def _backward(choice: _Choice, later: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the worth of each choice, and of each card for each sight: one card for the same sight."""
    worth = choice.worth
    worth[choice.goes_on] = later
    _, same = np.unique(choice.sight, return_inverse=True)
    sights = int(same.max()) + 1
    rows, slots = np.nonzero(choice.child >= 0)
    weight = choice.weight[rows]
    place = same[rows] * 4 + slots
    total = np.bincount(place, weights=weight * worth, minlength=4 * sights).reshape(sights, 4)
    tried = np.bincount(place, minlength=4 * sights).reshape(sights, 4) > 0
    weighed = np.bincount(place, weights=weight, minlength=4 * sights).reshape(sights, 4)
    value = np.where(tried, total / np.maximum(weighed, 1e-300), -np.inf)
    best = value.argmax(axis=1)
    return worth[choice.child[np.arange(len(same)), best[same]]], value
