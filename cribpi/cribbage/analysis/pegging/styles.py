"""How other people play: a few styles, and how likely each is after what has been seen of somebody.

A style says what each card is worth to whoever plays so.  Several together are a `Mixture`, which stands
where one `Policy` would: in it each deal has a style of its own, in `Deals.style`.  So the search weighs a
hand together with a style, and its answer is the best on the mean of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import Floats
from cribpi.cribbage.analysis.pegging.batch import PIPS_OR_NONE, Deals, deals_from_the_lead, joined
from cribpi.cribbage.analysis.pegging.policy import WORTHLESS, Values, plain_policy, policy
from cribpi.cribbage.game.deal import PlayedDeal
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules

TEMPERATURE: Final = 0.25
"""The softmax temperature of the model of another player, in points."""

EPSILON: Final = 0.05
"""The share of random cards in the model of another player."""

PRIOR_SHARE: Final = 0.1
"""The weight the prior keeps however much has been seen: nobody plays by one style alone."""

LEAST_WEIGHT: Final = 0.02
"""Styles less likely than this are left out of the search, as each takes time."""

MOST_STYLES: Final = 4
"""So many of the likeliest are searched."""

PER_RANK: Final = 0.15
"""The points by which `PointsNow` prefers the next higher rank: of equals it mostly plays the highest."""

AT_ONCE: Final = 16
"""Deals whose evidence is found together, and kept: a deal more asks for the last of these anew."""


class Model(Protocol):
    """How somebody plays: `Policy` is one, and so is each class below."""

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        """Return what each card of the seat to play is worth to it, in points: shape (deals, 4)."""
        ...


class PointsNow(NamedTuple):
    """Plays what pegs most now, and of equals the highest, as `thrifty` and many people do, or nearly so."""

    feared: float = 0.0
    """The share of the expected reply that is taken off."""
    height: float = 1.0
    """How much high cards are preferred, in `PER_RANK`; below 0 low ones."""
    lead: float = 1.0
    """The same for the first card of a count."""
    avoids: float = 0.0
    """The points that a count of 5 or 21 costs; a five that is led costs three times as many."""
    firm: float = 1.0
    """By how much its temperature is below `TEMPERATURE`."""

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        del hidden
        return _points_now(deals, np.array([self]))


def _points_now(deals: Deals, tastes: Floats) -> Values:
    """Return what each card is worth by the `PointsNow` in each row of *tastes*; one row is for all deals."""
    hold, leads = deals.hold(), (deals.count == 0)[:, None]
    count = deals.count[:, None] + PIPS_OR_NONE[hold]
    feared, height, lead, avoids, firm = tastes.T[:, :, None]
    worth = deals.points(hold) + PER_RANK * hold * np.where(leads, lead, height)
    worth -= avoids * np.where(count == 5, 1 + 2 * leads, count == 21)
    if feared.any():
        worth -= feared * plain_policy().parts(deals)[1]
    return _where_it_fits(deals, (worth * firm).astype(np.float32))


@dataclass(frozen=True, slots=True)
class AnyCard:
    """Plays any card that fits, as `chance` does."""

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        del hidden
        hold = deals.hold().astype(np.int64)
        # The search asks for one card, so chance is replaced by a hash of the hand: far below `TEMPERATURE`,
        # so that all cards are as likely as each other.
        mixed = (hold @ np.array([7, 31, 101, 211]))[:, None] + 37 * hold
        return _where_it_fits(deals, (mixed % 97).astype(np.float32) * np.float32(1e-5))


def _where_it_fits(deals: Deals, worth: Values) -> Values:
    fits = PIPS_OR_NONE[deals.hold()] <= (LIMIT - deals.count)[:, None]
    return np.where(fits, worth, WORTHLESS)


@dataclass(frozen=True, eq=False, slots=True)
class Mixture:
    """Players of several styles: `Deals.style` says which of *styles* plays each deal."""

    styles: tuple[Model, ...]
    weights: Floats
    """How likely each style is: shape (styles,), sums to 1."""

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        """Return what each card is worth by the style of its deal; *hidden*, if given, has shape (13,)."""
        found = np.empty((len(deals), 4), np.float32)
        # All `PointsNow` in one call, which takes as long for one deal as for a hundred.
        tastes = np.array([model if isinstance(model, PointsNow) else [np.nan] * 5 for model in self.styles])
        rows = np.flatnonzero(~np.isnan(tastes[deals.style, 0]))
        if len(rows):
            found[rows] = _points_now(deals.take(rows), tastes[deals.style[rows]])
        for style, model in enumerate(self.styles):
            rows = np.flatnonzero(deals.style == style)
            if len(rows) and not isinstance(model, PointsNow):
                found[rows] = model.values(deals.take(rows), hidden)
        return found


HEIGHTS: Final = ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (0.1, 0.1))
"""High cards or low ones, in answer and in the lead; in the last, high ones, but only of equals."""

CAUTION: Final = ((0.0, 0.0, 2.5), (0.0, 0.5, 2.5), (0.5, 0.0, 1.0), (0.5, 0.5, 1.0), (1.0, 0.0, 2.5))
"""What is feared, avoided, and how firmly: who fears half the reply wavers, who fears it all avoids 5 too."""


@cache
def styles(rules: Rules) -> Mixture:
    """Return all styles with their prior, a guess, which a game of nine deals outweighs.

    Half of it is for the first four, the only ones that are searched before anything has been seen.
    """
    found = (policy(rules), plain_policy(), PointsNow(), AnyCard())
    more = [
        PointsNow(feared, height, lead, avoids, firm)
        for (feared, avoids, firm), (height, lead) in product(CAUTION, HEIGHTS)
    ]
    first = np.array([0.6, 0.15, 0.2, 0.05])
    return Mixture((*found, *more), np.append(first, np.full(len(more), 1 / len(more))) / 2)


def model_of_others(sight: SeatSight) -> Model:
    """Return how the others are taken to play: with two players as they have played so far in this game."""
    if sight.players != 2:
        return policy(sight.rules)
    return read_style(sight.rules, 1 - sight.seat, sight.past)


def read_style(rules: Rules, seat: int, earlier: tuple[PlayedDeal, ...]) -> Mixture:
    """Return the likely styles of *seat*, by Bayes over the choices it had in *earlier* deals."""
    guess = styles(rules)
    seen = np.log(guess.weights)
    for first in range(0, len(earlier), AT_ONCE):
        seen = seen + evidence(rules, seat, earlier[first : first + AT_ONCE])
    weights = np.exp(seen - seen.max())
    weights = (1 - PRIOR_SHARE) * weights / weights.sum() + PRIOR_SHARE * guess.weights
    keep = np.sort(np.argsort(-weights, kind="stable")[:MOST_STYLES])
    keep = keep[weights[keep] >= LEAST_WEIGHT]
    return Mixture(tuple(guess.styles[style] for style in keep), weights[keep] / weights[keep].sum())


@lru_cache(maxsize=16)
def evidence(rules: Rules, seat: int, earlier: tuple[PlayedDeal, ...]) -> Floats:
    """Return the log likelihood of *seat*'s choices in *earlier* deals by each of `styles`: shape (styles,).

    A deal counts as far as its play was by the rules: after a go that was wrong, it says nothing.
    """
    mixture = styles(rules)
    number = len(mixture.styles)
    if not earlier:
        return np.zeros(number)
    who = np.array([[play.seat for play in deal.plays] for deal in earlier])
    ranks = np.array([[play.card.rank - 1 for play in deal.plays] for deal in earlier])
    held = [np.sort(ranks[who == one].reshape(len(ranks), -1), axis=1) for one in range(rules.players)]
    deals = deals_from_the_lead(
        rules,
        np.stack(held, axis=1).astype(np.uint8),
        np.array([seats.left_of(deal.dealer, rules.players) for deal in earlier], np.int8),
        starters=np.array([deal.starter.rank - 1 for deal in earlier], np.uint8),
    )
    choices: list[Deals] = []
    chosen: list[NDArray[np.intp]] = []
    for at in range(who.shape[1]):
        is_right = (deals.turn == who[:, at]) & (deals.count + PIPS_OR_NONE[ranks[:, at]] <= LIMIT)
        going = np.flatnonzero(is_right)
        deals, who, ranks = deals.take(going), who[going], ranks[going]
        slots = (deals.hold() == ranks[:, at][:, None]).argmax(axis=1)
        choose = np.flatnonzero((who[:, at] == seat) & (deals.choices().sum(axis=1) > 1))
        choices.append(deals.take(choose))
        chosen.append(slots[choose])
        deals.play(slots)
    slots = np.concatenate(chosen).repeat(number)
    seen = joined(choices).take(np.arange(len(slots)) // number)
    seen.style = np.resize(np.arange(number, dtype=np.int8), len(slots))
    return np.asarray(np.log(likelihood(seen, slots, mixture)).reshape(-1, number).sum(axis=0))


def likelihood(deals: Deals, slots: NDArray[np.intp], model: Model) -> Floats:
    """Return the probability that the player to move plays the rank in each of *slots*."""
    hold, can = deals.hold(), deals.choices()
    values = np.where(can, model.values(deals), -np.inf)
    odds = np.exp((values - values.max(axis=1, keepdims=True)) / TEMPERATURE)
    odds /= odds.sum(axis=1, keepdims=True)
    odds = (1 - EPSILON) * odds + EPSILON * can / can.sum(axis=1, keepdims=True)
    first = (hold == hold[np.arange(len(hold)), slots][:, None]).argmax(axis=1)
    return np.asarray(odds[np.arange(len(hold)), first])
