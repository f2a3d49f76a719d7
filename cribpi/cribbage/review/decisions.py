"""The decisions of each player, with the best options, the cost of each choice, and marks.

A decision is judged by the player's view, with the search of the level `expert`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CardPlayed, Discarded, NewCountLed
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.review.deals import DealSeen, Happened, sight_of_play
from cribpi.cribbage.rules import seats

if TYPE_CHECKING:  # NumPy and tables, for a review alone
    from cribpi.cribbage.players.advice import Advised


class Mark(StrEnum):
    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


BY_CHANCE: Final = ((0.08, Mark.BLUNDER), (0.03, Mark.MISTAKE), (0.01, Mark.INACCURACY), (0.002, Mark.GOOD))
"""The least cost for each mark with two and four players, in chance of winning."""

BY_POINTS: Final = ((3.0, Mark.BLUNDER), (1.5, Mark.MISTAKE), (0.5, Mark.INACCURACY), (0.1, Mark.GOOD))
"""The least cost for each mark with three players, in points."""


def mark(lost: float, *, is_chance: bool) -> Mark:
    """Return the mark of a decision that *lost* this much, in chance of winning or in points.

    >>> mark(0.041, is_chance=True), mark(0.041, is_chance=False)
    (<Mark.MISTAKE: 'mistake'>, <Mark.BEST: 'best'>)
    """
    steps = BY_CHANCE if is_chance else BY_POINTS
    return next((name for least, name in steps if lost >= least), Mark.BEST)


def accuracy(lost: Iterable[float], *, is_chance: bool) -> float | None:
    """Return the mean quality of decisions, 0 to 1, from the losses, or None without decisions.

    A decision that *lost* 0 counts 1, one that lost as much as the least blunder a half, twice as much a
    quarter, and so on.  Chess sites compute accuracy from the chances of winning in this way.

    >>> accuracy([0.0, 0.08, 0.16], is_chance=True)
    0.5833333333333334
    """
    steps = BY_CHANCE if is_chance else BY_POINTS
    halves = next(least for least, name in steps if name is Mark.BLUNDER)
    counted = [0.5 ** (each / halves) for each in lost]
    return sum(counted) / len(counted) if counted else None


MOST: Final = {2: 500, 3: 240, 4: 960}
"""The most hands searched (two players) or worlds sampled, by the number of players."""

SURE: Final = 0.003
"""The tolerance of the search with four players, in chance of winning: see `search.values_in_worlds`."""

UNSURE: Final = 0.002
"""The noise of the search: smaller losses in chance of winning don't count."""


CHANCE: Final = 3
"""Decimals of a chance: each is rounded first, and differences and sums are made from rounded figures."""

POINTS: Final = 1
"""Decimals of points, rounded first like chances."""


class Which(StrEnum):
    DISCARD = "discard"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class DecisionOption:
    """One option in a decision: *cards* is the discard, or the one card to play."""

    cards: tuple[Card, ...]
    chance: float | None
    """The chance of winning the game, 0 to 1; None with three players."""
    points: float
    """The average margin in points over the others: for a discard from hand, crib and play, for a card from
    the rest of the play."""
    parts: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """For a discard: the hand, the crib (negative if it is another's, and weighted) and the play, which add
    up to *points*."""
    brings: float | None = None
    """The worth of the game if skunks count, in plain games: a win is 1, a loss 0.  None if they don't count
    or it was not computed."""

    @property
    def worth(self) -> float:
        return self.points if self.chance is None else self.chance


def lost_by(option: DecisionOption, options: Iterable[DecisionOption]) -> float:
    """Return the cost of *option* compared with the best of *options*: 0 or more.

    The cost is in chance of winning, or in points with three players.  If a player gives up some of that
    chance to escape a skunk, or for one, the cost is at most the loss in the worth of the game.
    """
    options = list(options)
    lost = max(other.worth for other in options) - option.worth
    brings = [other.brings for other in options if other.brings is not None]
    return _exact(lost if option.brings is None else min(lost, max(brings) - option.brings))


def _exact(difference: float) -> float:
    """Return the *difference* of two rounded figures without the error of binary fractions."""
    return round(difference, CHANCE) + 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of *seat*, with all its options."""

    number: int
    """The number of the event in the game, from 1."""
    deal: int
    seat: int
    which: Which
    sight: SeatSight
    chosen: DecisionOption
    options: tuple[DecisionOption, ...]

    @property
    def best(self) -> DecisionOption:
        return self.options[0]

    @property
    def lost(self) -> float:
        return lost_by(self.chosen, self.options)

    @property
    def lost_worth(self) -> float:
        """The cost in chance of winning, or in points with three players, without regard to skunks."""
        return _exact(self.best.worth - self.chosen.worth)

    @property
    def is_for_the_skunk(self) -> bool:
        """Whether skunks make the decision better than its chance of winning."""
        return self.is_chance and _exact(self.lost_worth - self.lost) >= UNSURE

    @property
    def lost_points(self) -> float:
        """The cost in points; negative if the option with the best chance of winning scores less."""
        return _exact(self.best.points - self.chosen.points)

    @property
    def stake(self) -> float:
        return _exact(self.best.worth - self.options[-1].worth)

    @property
    def is_chance(self) -> bool:
        return self.best.chance is not None

    @property
    def mark(self) -> Mark:
        return mark(self.lost, is_chance=self.is_chance)


def decision_in(deal: DealSeen, happened: Happened) -> Decision | None:
    """Return the decision in one event of *deal*, or None if it was forced, or the cards are not known.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    match happened.event:
        case Discarded(seat, cards):
            which, sight = Which.DISCARD, _sight_of_discard(happened, seat)
        case CardPlayed(seat, card) | NewCountLed(seat, card):
            which, cards = Which.PLAY, (card,)
            sight = sight_of_play(deal, happened, seat)
            if sight is None or len({card.rank for card in sight.playable}) < 2:
                return None
        case _:
            return None
    options = options_of(sight, which) if sight and cards else ()
    chosen = option_for(cards, options, which)
    if sight is None or chosen is None:
        return None
    place = options.index(chosen)
    if which is Which.PLAY and _exact(options[0].worth - chosen.worth) >= UNSURE:
        options = _with_stakes(sight, options)
    return Decision(happened.number, deal.number, seat, which, sight, options[place], options)


def _sight_of_discard(discarded: Happened, seat: int) -> SeatSight | None:
    """Return the view of *seat* before the discard, or None if its cards were not all known."""
    state, deal = discarded.before, discarded.before.deal
    if deal is None or len(deal.dealt[seat]) != seats.usual(state.players).dealt:
        return None
    if not all(card.suit for card in deal.dealt[seat]):
        return None
    return SeatSight(state.rules, seat, deal.dealer, state.scores(), deal.dealt[seat])


def options_of(sight: SeatSight, which: Which) -> tuple[DecisionOption, ...]:
    """Return all options of the seat with *sight*, best first.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    from cribpi.cribbage.players.advice import advise, card_worths  # noqa: PLC0415  NumPy and tables

    if which is Which.DISCARD:
        return tuple(sorted(map(_discard, advise(sight)), key=lambda option: -(option.chance or 0.0)))
    rows = card_worths(sight, most=MOST[sight.players], close=SURE, with_stakes=False)
    return tuple(DecisionOption((row.card,), _rounded(row.win), round(row.points, POINTS)) for row in rows)


def option_for(
    cards: Sequence[Card], options: Iterable[DecisionOption], which: Which
) -> DecisionOption | None:
    """Return the option for *cards*, or None: a discard in any order, or a card with any suit."""
    if which is Which.DISCARD:
        return next((option for option in options if set(option.cards) == set(cards)), None)
    return next((option for option in options if option.cards[0].rank is cards[0].rank), None)


def _discard(row: Advised) -> DecisionOption:
    """Return the option for the discard in *row*, rounded so that its parts add up to its points."""
    hand, points = round(row.hand, POINTS), round(row.points, POINTS)
    crib = points - hand if row.play is None else row.crib  # with three players only half of it may count
    crib = round(crib, POINTS)
    parts = (hand, crib, round(points - hand - crib, POINTS) + 0.0)
    return DecisionOption(row.away, _rounded(row.win), points, parts, _rounded(row.brings))


def _rounded(chance: float | None) -> float | None:
    return None if chance is None else round(chance, CHANCE)


def _with_stakes(sight: SeatSight, options: tuple[DecisionOption, ...]) -> tuple[DecisionOption, ...]:
    """Return the cards in *options* with the worth of the game for each, if skunks count."""
    from cribpi.cribbage.players.advice import brought_by_cards  # noqa: PLC0415  NumPy and tables

    brought = brought_by_cards(sight, most=MOST[sight.players])
    return tuple(replace(option, brings=_rounded(brought.get(option.cards[0]))) for option in options)
