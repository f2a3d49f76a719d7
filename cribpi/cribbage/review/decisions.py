"""What each player decided, what would have been best, what the difference cost, and a mark for it.

A decision is weighed by what its player could see, with the search of the level `expert`.
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
"""With two and four players: a decision that cost at least so much of the chance of winning."""

BY_POINTS: Final = ((3.0, Mark.BLUNDER), (1.5, Mark.MISTAKE), (0.5, Mark.INACCURACY), (0.1, Mark.GOOD))
"""With three players: the same in points."""


def mark(lost: float, *, is_chance: bool) -> Mark:
    """Return the mark of a decision that *lost* so much, as a chance of winning or in points.

    >>> mark(0.041, is_chance=True), mark(0.041, is_chance=False)
    (<Mark.MISTAKE: 'mistake'>, <Mark.BEST: 'best'>)
    """
    steps = BY_CHANCE if is_chance else BY_POINTS
    return next((name for least, name in steps if lost >= least), Mark.BEST)


def accuracy(lost: Iterable[float], *, is_chance: bool) -> float | None:
    """Return how well was decided, 0 to 1: the mean over all decisions; None without one.

    A decision that *lost* nothing counts 1, one that lost as much as the least blunder a half, twice as much
    a quarter, and so on: as sites for chess do it, from the chances of winning.

    >>> accuracy([0.0, 0.08, 0.16], is_chance=True)
    0.5833333333333334
    """
    steps = BY_CHANCE if is_chance else BY_POINTS
    halves = next(least for least, name in steps if name is Mark.BLUNDER)
    counted = [0.5 ** (each / halves) for each in lost]
    return sum(counted) / len(counted) if counted else None


MOST: Final = {2: 500, 3: 240, 4: 960}
"""So many of the hands that the other may hold are searched, at even steps, or worlds sampled, by players."""

SURE: Final = 0.003
"""With four, more are where it is not sure to so much of the chance of winning which card is the best."""

UNSURE: Final = 0.002
"""What costs less of the chance of winning is within the noise of the search."""


CHANCE: Final = 3
"""Decimals of a chance: each is rounded once, and differences and sums are made from that."""

POINTS: Final = 1
"""The same of points."""


class Which(StrEnum):
    DISCARD = "discard"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that could be decided."""

    cards: tuple[Card, ...]
    """The discard, or the one card to play."""
    chance: float | None
    """The chance of winning the game, 0 to 1; None with three players."""
    points: float
    """Points more than the others', on average, from here to the end of the deal; for a discard of the hand,
    the crib and the play; for a card of the play alone."""
    parts: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """For a discard: the hand, the crib (negative if it is another's, and as far as it counts) and the play;
    they add up to the points."""
    brings: float | None = None
    """What the game brings by it where skunks count, in plain games: a win is 1, a loss 0.  None where they
    don't, and where that was not asked."""

    @property
    def worth(self) -> float:
        return self.points if self.chance is None else self.chance


def lost_by(option: Option, options: Iterable[Option]) -> float:
    """Return what *option* costs beside the best of all *options*: 0 or more.

    As a chance of winning, or with three players in points.  Who gives up some of that chance to
    escape a skunk, or to give one, has lost no more than the game brings less by it.
    """
    every = list(options)
    lost = max(one.worth for one in every) - option.worth
    brings = [one.brings for one in every if one.brings is not None]
    return _exact(lost if option.brings is None else min(lost, max(brings) - option.brings))


def _exact(difference: float) -> float:
    """Return the *difference* of two figures without what binary fractions add to it."""
    return round(difference, CHANCE) + 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """What *seat* decided, and what else it could have."""

    number: int
    """The event of the game, from 1."""
    deal: int
    seat: int
    which: Which
    sight: SeatSight
    chosen: Option
    options: tuple[Option, ...]
    """All of them, best first; of cards of one rank the lowest suit stands for all."""

    @property
    def best(self) -> Option:
        return self.options[0]

    @property
    def lost(self) -> float:
        """What it cost: see `lost_by`."""
        return lost_by(self.chosen, self.options)

    @property
    def lost_worth(self) -> float:
        """The same by the chance of winning alone, skunk or not."""
        return _exact(self.best.worth - self.chosen.worth)

    @property
    def is_for_the_skunk(self) -> bool:
        """Whether it is better for the skunk's sake than the chance of winning says."""
        return self.is_chance and _exact(self.lost_worth - self.lost) >= UNSURE

    @property
    def lost_points(self) -> float:
        """What it cost in points; negative where the better chance of winning costs points."""
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


def decision_in(deal: DealSeen, one: Happened) -> Decision | None:
    """Return the decision that *one* event of *deal* was; None if it can't be weighed, as if it was forced.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    match one.event:
        case Discarded(seat, cards):
            which, sight = Which.DISCARD, _sight_of_discard(one, seat)
        case CardPlayed(seat, card) | NewCountLed(seat, card):
            which, cards, sight = Which.PLAY, (card,), sight_of_play(deal, one, seat)
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
    return Decision(one.number, deal.number, seat, which, sight, options[place], options)


def _sight_of_discard(one: Happened, seat: int) -> SeatSight | None:
    """Return what *seat* saw; None if its cards were not all known."""
    deal, players = one.before.deal, one.before.players
    if deal is None or len(deal.dealt[seat]) != seats.usual(players).dealt:
        return None
    if not all(card.suit for card in deal.dealt[seat]):
        return None
    return SeatSight(one.before.rules, seat, deal.dealer, one.before.scores(), deal.dealt[seat])


def options_of(sight: SeatSight, which: Which) -> tuple[Option, ...]:
    """Return all that can be decided by the seat that has *sight*, best first.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    from cribpi.cribbage.players.advice import advise, card_worths  # noqa: PLC0415  NumPy and tables, for a review alone

    if which is Which.DISCARD:
        return tuple(sorted(map(_discard, advise(sight)), key=lambda one: -(one.chance or 0.0)))
    rows = card_worths(sight, most=MOST[sight.players], close=SURE, with_stakes=False)
    return tuple(Option((one.card,), _shown(one.win), round(one.points, POINTS)) for one in rows)


def option_for(cards: Sequence[Card], options: Iterable[Option], which: Which) -> Option | None:
    """Return the one of *options* that is *cards*: a discard in any order, or a card of any suit."""
    if which is Which.DISCARD:
        return next((one for one in options if set(one.cards) == set(cards)), None)
    return next((one for one in options if one.cards[0].rank is cards[0].rank), None)


def _discard(row: Advised) -> Option:
    """Return what discarding as *row* says comes to: its parts add up to its points."""
    hand, points = round(row.hand, POINTS), round(row.points, POINTS)
    crib = points - hand if row.play is None else row.crib  # with three players only half of it may count
    crib = round(crib, POINTS)
    parts = (hand, crib, round(points - hand - crib, POINTS) + 0.0)
    return Option(row.away, _shown(row.win), points, parts, _shown(row.brings))


def _shown(chance: float | None) -> float | None:
    """Return *chance* as it is shown: what is said of it is worked out from that."""
    return None if chance is None else round(chance, CHANCE)


def _with_stakes(sight: SeatSight, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return the cards that are *options* with what the game brings by each, where skunks count."""
    from cribpi.cribbage.players.advice import brought_by_cards  # noqa: PLC0415  as above

    brought = brought_by_cards(sight, most=MOST[sight.players])
    return tuple(replace(one, brings=_shown(brought.get(one.cards[0]))) for one in options)
