"""The other players' hands, inferred from what is seen and from what a model would have played."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.batch import Deals, deals_from_the_lead
from cribpi.analysis.pegging.counts import NONE, PIPS_OR_NONE, RANKS
from cribpi.analysis.pegging.policy import HAND_COUNTS, HANDS, Policy
from cribpi.analysis.pegging.seen import Seen
from cribpi.analysis.pegging.training import CHOOSE, WAYS
from cribpi.core.play import LIMIT


def worlds(
    seen: Seen,
    prior: NDArray[np.float64],
    model: Policy,
    *,
    temperature: float,
    epsilon: float,
    most: int = 2000,
    needs: NDArray[np.int16] | None = None,
) -> tuple[Deals, NDArray[np.float64], NDArray[np.intp]]:
    """Return a two-player position with each hand the other may have kept, the weights, and the hands.

    Args:
        seen: What is seen.
        prior: How often such a player keeps each of `HANDS`, out of a full pack: shape (1820,).
        model: How the other chooses among cards.
        temperature: The temperature of the model's choice, in points.
        epsilon: The probability that the other plays at random.
        most: The most hands; of more, this many are drawn by systematic sampling.
        needs: What each side needs to win.

    All are empty if no hand is consistent with what is seen.
    """
    (other,) = seen.others
    weight = hand_weights(seen, other, prior)
    hands = np.flatnonzero(weight > 0)
    deals, weight, rows = replayed(
        seen, {other: hands}, weight[hands], model, temperature=temperature, epsilon=epsilon
    )
    hands = hands[rows]
    good = weight > 0
    keep = np.flatnonzero(good)
    weight = weight[keep]
    if len(keep) > most:
        weight, some = _evenly(weight, most)
        keep = keep[some]
    numbers = np.full((len(keep), 2), -1, np.intp)
    numbers[:, other] = hands[keep]
    return _set_up(deals.take(keep), needs), weight, numbers


def hand_weights(seen: Seen, seat: int, prior: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of each of `HANDS` for *seat*, from *prior*, the unseen cards, its plays and goes."""
    weight = prior * np.prod(CHOOSE[seen.free()[None, :], HAND_COUNTS] / WAYS[HAND_COUNTS], axis=1)
    weight[(seen.played_by(seat) > HAND_COUNTS).any(axis=1)] = 0
    weight[(seen.most_of(seat) < HAND_COUNTS).any(axis=1)] = 0
    return np.asarray(weight)


def replayed(
    seen: Seen,
    hands: Mapping[int, NDArray[np.intp]],
    weight: NDArray[np.float64],
    model: Policy,
    *,
    temperature: float,
    epsilon: float,
) -> tuple[Deals, NDArray[np.float64], NDArray[np.intp]]:
    """Replay the play so far with each of *hands*, weighted by the likelihood of the cards played.

    Returns:
        The positions reached, their weights, and their rows in *hands*, without those hands that would have
        made the turns fall otherwise.
    """
    number = len(weight)
    cards = np.empty((number, seen.rules.players, 4), np.uint8)
    cards[:, seen.seat] = sorted(seen.kept)
    for seat, kept in hands.items():
        cards[:, seat] = HANDS[kept]
    starters = None if seen.starter is None else np.full(number, seen.starter, np.uint8)
    deals = deals_from_the_lead(seen.rules, cards, seen.lead, starters=starters)
    rows = np.arange(number)
    for seat, rank in seen.plays:
        fits = np.flatnonzero((deals.turn == seat) & (deals.count + PIPS_OR_NONE[rank] <= LIMIT))
        if len(fits) < len(deals):
            deals, weight, rows = deals.take(fits), weight[fits], rows[fits]
        if not len(deals):
            break
        slots = (deals.hold() == rank).argmax(axis=1)
        if seat != seen.seat:
            weight = weight * likelihood(deals, slots, model, temperature, epsilon)
        deals.play(slots)
    fits = np.flatnonzero(deals.turn == seen.seat)
    return deals.take(fits), weight[fits], rows[fits]


def sampled_worlds(
    seen: Seen,
    prior: Mapping[int, NDArray[np.float64]],
    model: Policy,
    chance: np.random.Generator,
    *,
    temperature: float,
    epsilon: float,
    most: int,
    needs: NDArray[np.int16] | None = None,
) -> tuple[Deals, NDArray[np.float64], NDArray[np.intp]]:
    """Do as `worlds` for any number of players, with sampled hands; *prior* is that of each other seat.

    Returns:
        The position in each world, its weight, and the hand of each seat, -1 for the player's own: shape
        (worlds, players).
    """
    hands, weight = _drawn(seen, prior, chance, 4 * most)
    deals, weight, rows = replayed(seen, hands, weight, model, temperature=temperature, epsilon=epsilon)
    if weight.sum() <= 0:
        return _nothing(seen)
    weight, keep = _evenly(weight, most)
    numbers = np.full((len(keep), seen.rules.players), -1, np.intp)
    for seat, some in hands.items():
        numbers[:, seat] = some[rows[keep]]
    return _set_up(deals.take(keep), needs), weight, numbers


def _drawn(
    seen: Seen, prior: Mapping[int, NDArray[np.float64]], chance: np.random.Generator, number: int
) -> tuple[dict[int, NDArray[np.intp]], NDArray[np.float64]]:
    """Draw *number* hands for each other seat, and weight them by the chance that one pack holds them all.

    Impossible combinations are left out.  Nothing is drawn if no hand of some seat is consistent with what is
    seen.
    """
    free = seen.free()
    hands: dict[int, NDArray[np.intp]] = {}
    weight, gone = np.ones(number), np.zeros((number, RANKS), np.uint8)
    for seat in seen.others:
        marginal = hand_weights(seen, seat, prior[seat])
        total = marginal.sum()
        if total <= 0:
            return {other: np.zeros(0, np.intp) for other in seen.others}, np.zeros(0)
        some = chance.choice(len(HANDS), number, p=marginal / total)
        more = HAND_COUNTS[some]
        gone_too = gone + more
        fits = gone_too <= free
        weight *= np.prod(
            np.where(fits, CHOOSE[np.where(fits, free - gone, 0), more] / CHOOSE[free, more], 0), axis=1
        )
        hands[seat], gone = some, gone_too
    good = np.flatnonzero(weight > 0)
    return {seat: some[good] for seat, some in hands.items()}, weight[good]


def _nothing(seen: Seen) -> tuple[Deals, NDArray[np.float64], NDArray[np.intp]]:
    """Return no worlds."""
    players = seen.rules.players
    none = deals_from_the_lead(seen.rules, np.zeros((0, players, 4), np.uint8), seen.lead)
    return none, np.zeros(0), np.zeros((0, players), np.intp)


def _set_up(deals: Deals, needs: NDArray[np.int16] | None) -> Deals:
    """Count points from here on, and end the play when a side has what it *needs*."""
    deals.pegged[:] = 0
    if needs is not None:
        deals.needs = needs
    return deals


def _evenly(weight: NDArray[np.float64], most: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Draw *most* times by *weight*, at even steps; return the count of each index drawn, and the index."""
    sums = weight.cumsum()
    drawn = sums.searchsorted((np.arange(most) + 0.5) / most * sums[-1])
    some, times = np.unique(drawn, return_counts=True)
    return times.astype(np.float64), some


def likelihood(
    deals: Deals, slots: NDArray[np.intp], model: Policy, temperature: float, epsilon: float
) -> NDArray[np.float64]:
    """Return the probability that the player to move plays the rank in each of *slots*."""
    hold = deals.hold()
    can = PIPS_OR_NONE[hold] <= (LIMIT - deals.count)[:, None]
    for slot in range(1, 4):
        can[:, slot] &= (hold[:, :slot] != hold[:, slot : slot + 1]).all(axis=1)
    can &= hold != NONE
    values = np.where(can, model.values(deals), -np.inf)
    odds = np.exp((values - values.max(axis=1, keepdims=True)) / temperature)
    odds /= odds.sum(axis=1, keepdims=True)
    odds = (1 - epsilon) * odds + epsilon * can / can.sum(axis=1, keepdims=True)
    first = (hold == hold[np.arange(len(hold)), slots][:, None]).argmax(axis=1)
    return np.asarray(odds[np.arange(len(hold)), first])
