"""The worth of each card of the seat to play, in the worlds that it cannot tell apart.

With two players it is exact, without peeking: the best reply to a model of the other.  For each hand the
other may hold and each order in which one's own cards may be played, the deal is played to its end in one
batch, with the other replying by a `Policy`.  One's own choices are then made by backward induction: where
two hands look the same to the player, the same card is chosen for both, the best on their weighted mean.

With three and four players each card is tried in many worlds, up to the player's next turn or to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import Floats, Places
from cribpi.cribbage.analysis.pegging.batch import Deals
from cribpi.cribbage.analysis.pegging.belief import counted, worlds
from cribpi.cribbage.analysis.pegging.styles import Model
from cribpi.cribbage.game.sight import SeatSight

Utility = Callable[[NDArray[np.int16], Places], Floats]
"""What the end of the play is worth.

Its arguments are what each side has pegged from now on, shape (deals, sides), and the index in `HANDS` of
each seat's hand, shape (deals, players), -1 for the player's own.
"""


NOBODY: Final = -1

MORE: Final = 4
"""With so many times as many worlds a search that is not sure is done once more."""


def values_in_worlds(
    sight: SeatSight,
    kept: Floats,
    needs: NDArray[np.int16] | None,
    utility: Utility,
    most: int,
    chance: np.random.Generator,
    *,
    model: Model,
    to_the_end: bool = False,
    close: float | None = None,
) -> tuple[NDArray[np.uint8], Floats]:
    """Return the ranks held and what each is worth to play; empty if no hands are consistent.

    A card that can't be played is worth -inf.

    Args:
        sight: What the seat sees.
        kept: How often hands are kept, as from `policy.kept_hands`.
        needs: What each side needs to reach the target; None to ignore the target.
        utility: The worth of what has been pegged, in points, or with two players, and *to_the_end*, in any
            scale.
        most: The most worlds that are tried.
        chance: The random generator.
        model: How the others play.
        to_the_end: With three and four players, see `ahead_values`; the hands are then sampled by what their
            seats have played, see `belief.worlds`.
        close: With three and four players: if the best card is not sure to so much of *utility*, and to a
            standard error, the search is done again with `MORE` times as many worlds.
    """
    last = most if close is None else most * MORE
    while True:
        deals, weights, hands = worlds(sight, kept, model, chance, most=most, needs=needs, by_seat=to_the_end)
        if not len(deals):
            return np.zeros(0, np.uint8), np.zeros(0)
        ranks = deals.hold()[0]
        if sight.players == 2:
            return ranks, best_values(deals, weights, hands, model, utility)
        hidden = counted(sight.discards)
        each = ahead_values(deals, hands, model, utility, hidden, to_the_end=to_the_end)
        values = weights @ each / weights.sum()
        if most >= last or is_sure(each, weights, close or 0.0):
            return ranks, values
        most = last


def is_sure(each: Floats, weights: Floats, close: float) -> bool:
    """Return whether the best card is the best, or as good to *close*, but for a standard error.

    *each* is the worth of each card in each world, as from `ahead_values`; *weights* are those of the worlds.
    """
    values = weights @ each / weights.sum()
    best = values.argmax()
    others = [slot for slot in range(4) if slot != best and np.isfinite(values[slot])]
    if not others:
        return True
    less = each[:, [best]] - each[:, others]
    mean = weights @ less / weights.sum()
    number = weights.sum() ** 2 / (weights**2).sum()
    error = np.sqrt(weights @ (less - mean) ** 2 / weights.sum() / number)
    return bool((error - mean <= close).all())


def best_values(deals: Deals, weights: Floats, hands: Places, model: Model, utility: Utility) -> Floats:
    """Return what each card of the seat to play is worth: shape (4,), -inf for one that can't be played.

    Args:
        deals: One position as one player sees it, with each hand the other may hold.
        weights: The weight of each; any scale.
        hands: The hands of each, for *utility*.
        model: How the other plays.
        utility: What the end is worth.
    """
    me = int(deals.turn[0])

    def solved(deals: Deals, sight: Places, weights: Floats, hands: Places) -> tuple[Floats, Floats]:
        """Return the worth of each deal, and of each card for each *sight*: one card for the same sight.

        *sight* is what was seen on the way to each deal, as a number.
        """
        hold, can = deals.hold(), deals.choices()
        rows, slots = np.nonzero(can)
        after = deals.take(rows)
        after.play(slots)
        seen = sight[rows] * 28 + 1 + hold[rows, slots]
        for theirs, ranks in _replies(after, me, model):
            seen[theirs] = seen[theirs] * 28 + 14 + ranks
        worth = np.zeros(len(rows))
        over, on = np.flatnonzero(after.turn < 0), np.flatnonzero(after.turn == me)
        if len(over):
            worth[over] = utility(after.pegged[over], hands[rows[over]])
        if len(on):
            worth[on] = solved(after.take(on), seen[on], weights[rows[on]], hands[rows[on]])[0]
        _, same = np.unique(sight, return_inverse=True)
        shape = int(same.max()) + 1, 4
        place = same[rows] * 4 + slots
        weight = weights[rows]
        total = np.bincount(place, weight * worth, minlength=4 * shape[0]).reshape(shape)
        weighed = np.bincount(place, weight, minlength=4 * shape[0]).reshape(shape)
        tried = np.bincount(place, minlength=4 * shape[0]).reshape(shape) > 0
        values = np.where(tried, total / np.maximum(weighed, 1e-300), -np.inf)
        child = np.full(can.shape, -1, np.intp)
        child[rows, slots] = np.arange(len(rows))
        return worth[child[np.arange(len(same)), values.argmax(axis=1)[same]]], values

    values: Floats = solved(deals, np.zeros(len(deals), np.intp), weights, hands)[1][0]
    return values


def ahead_values(
    deals: Deals,
    hands: Places,
    model: Model,
    utility: Utility,
    hidden: NDArray[np.uint8] | None = None,
    *,
    to_the_end: bool = False,
) -> Floats:
    """Return what each card is worth in each of *deals*, if the others reply by *model*: shape (deals, 4).

    The play continues until that seat's next turn, where the best of its cards counts for what *model* says.
    Stopping there rather than at the end reduces the variance: far fewer worlds do as well, for points.

    Args:
        deals: One position as one player sees it, in many worlds.
        hands: The hands in each, for *utility*.
        model: How all play.
        utility: The worth of what has been pegged, in points.
        hidden: What the seat to play knows besides: see `Policy.values`.
        to_the_end: Whether the play goes on to its end, that seat's cards by *model* too; then *utility* may
            have any scale.

    Returns:
        -inf for a card that can't be played, and for a second one of the same rank.
    """
    me = int(deals.turn[0])
    rows, slots = np.nonzero(deals.choices())
    after = deals.take(rows)
    after.play(slots)
    _play_up_to(NOBODY if to_the_end else me, after, model)
    worth = utility(after.pegged, hands[rows])
    mine = np.flatnonzero(after.turn == me)
    if len(mine):  # in one call: the policy takes as long for one deal as for a hundred
        worth[mine] += model.values(after.take(mine), hidden).max(axis=1)
    each = np.full((len(deals), 4), -np.inf)
    each[rows, slots] = worth
    return each


def play_to_the_end(deals: Deals, model: Model) -> None:
    """Play all *deals* to the end, every seat by *model*."""
    _play_up_to(NOBODY, deals, model)


def answers(deals: Deals, model: Model) -> Places:
    """Return the card that the other plays in each of *deals*."""
    slots: Places = deals.hold().argmin(axis=1)  # a single card left; NONE is the highest value
    choose = np.flatnonzero(deals.left[np.arange(len(deals)), deals.turn] > 1)
    if len(choose):
        slots[choose] = model.values(deals.take(choose)).argmax(axis=1)
    return slots


def _play_up_to(me: int, deals: Deals, model: Model) -> None:
    for _ in _replies(deals, me, model):
        pass


def _replies(deals: Deals, me: int, model: Model) -> Iterator[tuple[Places, NDArray[np.uint8]]]:
    """Let the others play *deals* up to the next turn of *me*; yield the rows of each card, and its rank."""
    at = np.flatnonzero((deals.turn >= 0) & (deals.turn != me))
    moving = deals.take(at)
    while len(at):
        slots = answers(moving, model)
        ranks = moving.hold()[np.arange(len(at)), slots]
        moving.play(slots)
        deals.put(at, moving)
        yield at, ranks
        on = np.flatnonzero((moving.turn >= 0) & (moving.turn != me))
        at, moving = at[on], moving.take(on)
