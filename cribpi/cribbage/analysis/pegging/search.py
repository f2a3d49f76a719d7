"""Search for the value of each playable card, using only information that the seat to play has.

With two players the result is exact: the best reply to a model of the opponent.  For each possible hand of
the other and each order of the player's own cards, the deal is played to its end in one batch, the other
replying by the model.  The player's choices then follow by backward induction.  The player can't tell worlds
apart that look the same, so it chooses the same card in all of them: the best on their weighted mean.

With three or four players each card is tried in many worlds, up to the player's next turn or to the end.
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
"""A function that returns the worth of each deal at the end of the play: shape (deals,).

Its arguments are the points that each side has pegged since the search began, shape (deals, sides), and the
index in `HANDS` of each seat's hand, shape (deals, players), -1 for the player's own.
"""


NOBODY: Final = -1

MORE: Final = 4
"""A search without a clear result is repeated with this many times as many worlds."""


def values_in_worlds(
    sight: SeatSight,
    prior: Floats,
    needs: NDArray[np.int16] | None,
    utility: Utility,
    most: int,
    chance: np.random.Generator,
    *,
    model: Model,
    to_the_end: bool = False,
    close: float | None = None,
) -> tuple[NDArray[np.uint8], Floats]:
    """Return the ranks in the hand and the worth of playing each, -inf for one that can't be played.

    Both are empty if no hands of the others fit the plays so far.

    Args:
        sight: The seat's view.
        prior: The probability that a player keeps each hand, such as `policy.kept_hands`.
        needs: The points each side needs to reach the target; None to ignore the target.
        utility: The worth of the points pegged.  It must be in points if the search stops at the next turn,
            as with three or four players without *to_the_end*; otherwise any scale will do.
        most: The maximum number of worlds.
        chance: The random generator.
        model: The model of the others' play.
        to_the_end: For three or four players: see `ahead_values`.  It also sets `by_seat` of `belief.worlds`.
        close: For three or four players: the search is repeated with `MORE` times as many worlds if another
            card may be better than the best by more than *close*, within a standard error.
    """
    last = most if close is None else most * MORE
    while True:
        deals, weights, hands = worlds(
            sight, prior, model, chance, most=most, needs=needs, by_seat=to_the_end
        )
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
    """Return whether no card is likely to be better than the best by more than *close*.

    Likely means within one standard error.  *each* is the worth of each card in each world, from
    `ahead_values`; *weights* are those of the worlds.
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
    """Return the worth of each card of the seat to play: shape (4,), -inf for one that can't be played.

    Args:
        deals: The position that the player sees, once for each possible hand of the other.
        weights: The weight of each deal, at any scale.
        hands: The hands in each deal, for *utility*.
        model: The model of the other's play.
        utility: The worth of the end of the play.
    """
    me = int(deals.turn[0])

    def solved(deals: Deals, sight: Places, weights: Floats, hands: Places) -> tuple[Floats, Floats]:
        """Return the worth of each deal, and of each card for each distinct *sight*.

        *sight* is the player's information set as a number, which encodes the cards seen since the search
        began.  In deals with the same sight the player chooses the same card.
        """
        hold, can = deals.hold(), deals.choices()
        rows, slots = np.nonzero(can)
        after = deals.take(rows)
        after.play(slots)
        seen = sight[rows] * 28 + 1 + hold[rows, slots]
        for replied, ranks in _replies(after, me, model):
            seen[replied] = seen[replied] * 28 + 14 + ranks
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
    """Return the worth of each card in each of *deals*, if the others reply by *model*: shape (deals, 4).

    The play continues until the seat's next turn, where *model*'s value of the best card is added.  Stopping
    there reduces the variance, so that far fewer worlds are needed than by playing to the end.

    Args:
        deals: The position that the player sees, in many worlds.
        hands: The hands in each deal, for *utility*.
        model: The model of all players.
        utility: The worth of the points pegged, in points.
        hidden: The discards that only the seat to play knows: see `Policy.values`.
        to_the_end: Whether the play continues to its end, *model* also choosing the seat's later cards.  Then
            *utility* may have any scale.

    Returns:
        The worths; -inf for a card that can't be played, and for a second card of the same rank.
    """
    me = int(deals.turn[0])
    rows, slots = np.nonzero(deals.choices())
    after = deals.take(rows)
    after.play(slots)
    _play_up_to(NOBODY if to_the_end else me, after, model)
    worth = utility(after.pegged, hands[rows])
    next_turns = np.flatnonzero(after.turn == me)
    if len(next_turns):  # skipped if empty: a call takes as long for one deal as for a hundred
        worth[next_turns] += model.values(after.take(next_turns), hidden).max(axis=1)
    each = np.full((len(deals), 4), -np.inf)
    each[rows, slots] = worth
    return each


def play_to_the_end(deals: Deals, model: Model) -> None:
    """Play all *deals* to the end; *model* chooses for every seat."""
    _play_up_to(NOBODY, deals, model)


def answers(deals: Deals, model: Model) -> Places:
    """Return the slot of the card that *model* chooses for the seat to play, in each of *deals*."""
    # The only card left, if there is just one: NONE is larger than any rank.
    slots: Places = deals.hold().argmin(axis=1)
    choose = np.flatnonzero(deals.left[np.arange(len(deals)), deals.turn] > 1)
    if len(choose):
        slots[choose] = model.values(deals.take(choose)).argmax(axis=1)
    return slots


def _play_up_to(me: int, deals: Deals, model: Model) -> None:
    for _ in _replies(deals, me, model):
        pass


def _replies(deals: Deals, me: int, model: Model) -> Iterator[tuple[Places, NDArray[np.uint8]]]:
    """Play *deals* up to the next turn of *me*; yield the rows and ranks of the cards after each step."""
    rows = np.flatnonzero((deals.turn >= 0) & (deals.turn != me))
    moving = deals.take(rows)
    while len(rows):
        slots = answers(moving, model)
        ranks = moving.hold()[np.arange(len(rows)), slots]
        moving.play(slots)
        deals.put(rows, moving)
        yield rows, ranks
        on = np.flatnonzero((moving.turn >= 0) & (moving.turn != me))
        rows, moving = rows[on], moving.take(on)
