"""Each card tried in many worlds, up to the player's next turn: for three and four players."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.batch import Deals
from cribpi.analysis.pegging.policy import Policy
from cribpi.analysis.pegging.search import Utility, answers, put, tries


def ahead_values(
    deals: Deals,
    weights: NDArray[np.float64],
    hands: NDArray[np.intp],
    model: Policy,
    utility: Utility,
    hidden: NDArray[np.uint8] | None = None,
) -> NDArray[np.float64]:
    """Return what each card of the seat to play is worth if the others reply by *model*: shape (4,).

    The play continues until that seat's next turn, where the best of its cards counts for what *model* says.
    Stopping there rather than at the end reduces the variance: far fewer worlds do as well.

    Args:
        deals: One position as one player sees it, in many worlds.
        weights: The weight of each world; any scale.
        hands: The hands in each, for *utility*.
        model: How all play.
        utility: The worth of what has been pegged, in points.
        hidden: What the seat to play knows besides: see `Policy.values`.

    Returns:
        -inf for a card that can't be played, and for a second one of the same rank.
    """
    me = int(deals.turn[0])
    rows, slots = np.nonzero(tries(deals))
    after = deals.take(rows)
    after.play(slots)
    theirs = np.flatnonzero((after.turn >= 0) & (after.turn != me))
    moving = after.take(theirs)
    while len(theirs):
        moving.play(answers(moving, model, None))
        put(after, theirs, moving)
        on = np.flatnonzero((moving.turn >= 0) & (moving.turn != me))
        theirs, moving = theirs[on], moving.take(on)
    worth = utility(after.pegged, hands[rows])
    mine = np.flatnonzero(
        after.turn == me
    )  # in one call: the policy takes as long for one deal as for a hundred
    if len(mine):
        worth[mine] += model.values(after.take(mine), hidden).max(axis=1)
    weight = weights[rows]
    total = np.bincount(slots, weights=weight * worth, minlength=4)
    weighed = np.bincount(slots, weights=weight, minlength=4)
    return np.where(weighed > 0, total / np.where(weighed > 0, weighed, 1), -np.inf)
