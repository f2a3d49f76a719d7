"""Models of other people's play: a few styles, and the probability of each, given a player's past deals.

A style is a function that values each card.  A `Mixture` of styles is used like a single `Policy`: each deal
has a style, in `Deals.style`.  The search tries each possible hand with each style, and chooses the card that
is best on the weighted mean of all.
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
"""Softmax temperature for the choice of another player, in points."""

EPSILON: Final = 0.05
"""Probability that another player plays a random card."""

PRIOR_SHARE: Final = 0.1
"""Weight of the prior, however many deals are seen: people change between styles."""

LEAST_WEIGHT: Final = 0.02
"""Styles less likely than this are not searched, because each takes time."""

MOST_STYLES: Final = 4
"""Maximum number of styles that are searched, the likeliest first."""

PER_RANK: Final = 0.15
"""Bonus in points per rank, by which `PointsNow` prefers the highest of equally good cards."""

AT_ONCE: Final = 16
"""Deals per call of `evidence`, whose results are cached: a new deal changes the last call only."""


class Model(Protocol):
    """A model of a person's play.  `Policy` is one, and so is each class below."""

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        """Return the worth of each card to the seat to play, in points: shape (deals, 4)."""
        ...


class PointsNow(NamedTuple):
    """A simple style of many people: prefers the card that pegs most now, among equals the highest.

    The fields are the parameters of such a player.
    """

    feared: float = 0.0
    """The factor on the expected reply, which is subtracted from the card's points."""
    height: float = 1.0
    """The preference for high cards, as a multiple of `PER_RANK`; below 0 for low cards."""
    lead: float = 1.0
    """The preference for high cards when leading a count."""
    avoids: float = 0.0
    """The penalty in points for a count of 5 or 21; for leading a five it is three times as high."""
    firm: float = 1.0
    """A factor on the worth of cards: a higher one makes the best card more likely."""

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        del hidden
        return _points_now(deals, np.array([self]))


def _points_now(deals: Deals, tastes: Floats) -> Values:
    """Return the worth of each card.

    *tastes* has one row per deal, or a single row for all deals. Each row holds the fields of a `PointsNow`.
    """
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
    """Plays any playable card, as the level `chance` does."""

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        del hidden
        hold = deals.hold().astype(np.int64)
        # The search needs a best card, so a hash of the hand breaks the tie.  Its values are far below
        # `TEMPERATURE`, so that all cards stay equally likely.
        mixed = (hold @ np.array([7, 31, 101, 211]))[:, None] + 37 * hold
        return _where_it_fits(deals, (mixed % 97).astype(np.float32) * np.float32(1e-5))


def _where_it_fits(deals: Deals, worth: Values) -> Values:
    fits = PIPS_OR_NONE[deals.hold()] <= (LIMIT - deals.count)[:, None]
    return np.where(fits, worth, WORTHLESS)


@dataclass(frozen=True, eq=False, slots=True)
class Mixture:
    """Several styles with *weights* that sum to 1; `Deals.style` is an index into *styles*."""

    styles: tuple[Model, ...]
    weights: Floats

    def values(self, deals: Deals, hidden: NDArray[np.uint8] | None = None) -> Values:
        """Return the worth of each card by the style of its deal; *hidden*, if given, has shape (13,)."""
        values = np.empty((len(deals), 4), np.float32)
        # One call for all `PointsNow`, because it takes as long for one deal as for a hundred.
        tastes = np.array([model if isinstance(model, PointsNow) else [np.nan] * 5 for model in self.styles])
        rows = np.flatnonzero(~np.isnan(tastes[deals.style, 0]))
        if len(rows):
            values[rows] = _points_now(deals.take(rows), tastes[deals.style[rows]])
        for style, model in enumerate(self.styles):
            rows = np.flatnonzero(deals.style == style)
            if len(rows) and not isinstance(model, PointsNow):
                values[rows] = model.values(deals.take(rows), hidden)
        return values


HEIGHTS: Final = ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (0.1, 0.1))
"""Pairs of *height* and *lead*: for high or low cards.  The last one is for high cards among equals only."""

CAUTION: Final = ((0.0, 0.0, 2.5), (0.0, 0.5, 2.5), (0.5, 0.0, 1.0), (0.5, 0.5, 1.0), (1.0, 0.0, 2.5))
"""Rows of *feared*, *avoids* and *firm*; `styles` combines each of them with each of `HEIGHTS`."""


@cache
def styles(rules: Rules) -> Mixture:
    """Return all styles with their prior probabilities, a guess that the evidence of one game outweighs.

    Half of the prior belongs to the first four styles.  Without past deals, only those are searched.
    """
    first = (policy(rules), plain_policy(), PointsNow(), AnyCard())
    more = [
        PointsNow(feared, height, lead, avoids, firm)
        for (feared, avoids, firm), (height, lead) in product(CAUTION, HEIGHTS)
    ]
    weights = np.array([0.6, 0.15, 0.2, 0.05])
    return Mixture((*first, *more), np.append(weights, np.full(len(more), 1 / len(more))) / 2)


def model_of_others(sight: SeatSight) -> Model:
    """Return the model of the others' play: with two players inferred from the past deals, else `policy`."""
    if sight.players != 2:
        return policy(sight.rules)
    return read_style(sight.rules, 1 - sight.seat, sight.past)


def read_style(rules: Rules, seat: int, earlier: tuple[PlayedDeal, ...]) -> Mixture:
    """Return the likely styles of *seat*, by Bayes' rule from its choices in *earlier* deals."""
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

    After a wrong go, the rest of a deal is ignored.
    """
    mixture = styles(rules)
    number = len(mixture.styles)
    if not earlier:
        return np.zeros(number)
    who = np.array([[play.seat for play in deal.plays] for deal in earlier])
    ranks = np.array([[play.card.rank - 1 for play in deal.plays] for deal in earlier])
    held = [np.sort(ranks[who == player].reshape(len(ranks), -1), axis=1) for player in range(rules.players)]
    deals = deals_from_the_lead(
        rules,
        np.stack(held, axis=1).astype(np.uint8),
        np.array([seats.left_of(deal.dealer, rules.players) for deal in earlier], np.int8),
        starters=np.array([deal.starter.rank - 1 for deal in earlier], np.uint8),
    )
    choices: list[Deals] = []
    chosen: list[NDArray[np.intp]] = []
    for number_played in range(who.shape[1]):
        player, rank = who[:, number_played], ranks[:, number_played]
        legal = np.flatnonzero((deals.turn == player) & (deals.count + PIPS_OR_NONE[rank] <= LIMIT))
        deals = deals.take(legal)
        who, ranks = who[legal], ranks[legal]
        slots = (deals.hold() == rank[legal][:, None]).argmax(axis=1)
        choose = np.flatnonzero((player[legal] == seat) & (deals.choices().sum(axis=1) > 1))
        choices.append(deals.take(choose))
        chosen.append(slots[choose])
        deals.play(slots)
    slots = np.concatenate(chosen).repeat(number)
    seen = joined(choices).take(np.arange(len(slots)) // number)
    seen.style = np.resize(np.arange(number, dtype=np.int8), len(slots))
    return np.asarray(np.log(likelihood(seen, slots, mixture)).reshape(-1, number).sum(axis=0))


def likelihood(deals: Deals, slots: NDArray[np.intp], model: Model) -> Floats:
    """Return the probability that the seat to play chooses the rank of the card in each of *slots*."""
    hold, can = deals.hold(), deals.choices()
    values = np.where(can, model.values(deals), -np.inf)
    odds = np.exp((values - values.max(axis=1, keepdims=True)) / TEMPERATURE)
    odds /= odds.sum(axis=1, keepdims=True)
    odds = (1 - EPSILON) * odds + EPSILON * can / can.sum(axis=1, keepdims=True)
    first = (hold == hold[np.arange(len(hold)), slots][:, None]).argmax(axis=1)
    return np.asarray(odds[np.arange(len(hold)), first])
