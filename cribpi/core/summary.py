"""The result of a game: where each side's points came from, best hand, leads, scores after each deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from operator import add

from cribpi.core.cards import Card
from cribpi.core.events import (
    CribShown,
    Event,
    FalseWinRuled,
    HandCounted,
    HandShown,
    HeelsTaken,
    MugginsCalled,
    PenaltyPegged,
    PointsPegged,
    RenegeRuled,
    ScorePutRight,
)
from cribpi.core.scores import Kind
from cribpi.core.state import Phase, State

_RULINGS = (FalseWinRuled, MugginsCalled, PenaltyPegged, RenegeRuled, ScorePutRight)


@dataclass(frozen=True, slots=True)
class Gains:
    """The points of one side by what they are for; *other* are corrections and penalties, perhaps below 0."""

    pegging: int = 0
    hands: int = 0
    cribs: int = 0
    heels: int = 0
    other: int = 0

    @property
    def total(self) -> int:
        return sum(astuple(self))

    def __add__(self, more: Gains) -> Gains:
        return Gains(*map(add, astuple(self), astuple(more)))


_FOR = {
    Phase.STARTER: "heels",
    Phase.PLAY: "pegging",
    Phase.SHOW: "hands",
    Phase.CRIB: "cribs",
}


@dataclass(frozen=True, slots=True)
class Show:
    """A hand or a crib as it was shown; its cards and starter as far as they are known."""

    side: int
    seat: int
    deal: int
    points: int
    cards: tuple[Card, ...]
    starter: Card | None
    is_crib: bool


@dataclass(frozen=True, slots=True)
class DealGains:
    """What each side got in one deal, and which seat dealt it."""

    dealer: int
    gains: tuple[Gains, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in figures, side by side."""

    gains: tuple[Gains, ...]
    deals: tuple[DealGains, ...]
    """Deal by deal; the last may have been broken off by the end of the game."""
    leads: tuple[int, ...]
    """The longest lead of each side, in holes; 0 for one that never led."""
    course: tuple[tuple[int, ...], ...]
    """The scores after each deal, the last as they stand."""
    shows: tuple[Show, ...]

    @property
    def best(self) -> Show | None:
        """The hand or crib that counted most; of several the first."""
        return max(self.shows, key=lambda show: show.points, default=None)


def summary(line: Iterable[tuple[Event, State]], sides: int) -> Summary:
    """Return the summary of one game by its events, each with the state that it led to."""
    leads = [0] * sides
    deals: dict[int, tuple[int, list[Gains]]] = {}
    course: dict[int, tuple[int, ...]] = {}
    shows: list[Show] = []
    before: State | None = None
    for event, state in line:
        if not state.pegs:
            continue
        fronts = state.scores()
        olds = before.scores() if before is not None else (0,) * sides
        at = before if before is not None and before.deal is not None else state
        number, dealer = (at.deal.number, at.deal.dealer) if at.deal is not None else (0, 0)
        gains = deals.setdefault(number, (dealer, [Gains()] * sides))[1]
        if at.deal is not None:
            course[number] = fronts
        if fronts != olds:
            for side, (old, new) in enumerate(zip(olds or (0,) * sides, fronts, strict=True)):
                others = [front for other, front in enumerate(fronts) if other != side]
                leads[side] = max(leads[side], new - max(others, default=0))
                if new != old:
                    gains[side] = _added(gains[side], event, before, new - old)
        if before is not None and isinstance(event, HandShown | HandCounted | CribShown):
            shows.append(_show(event, before, state))
        before = state
    totals = (sum((gains[side] for _, gains in deals.values()), Gains()) for side in range(sides))
    dealt = (DealGains(dealer, tuple(gains)) for number, (dealer, gains) in deals.items() if number)
    return Summary(tuple(totals), tuple(dealt), tuple(leads), tuple(course.values()), tuple(shows))


def _added(gains: Gains, event: Event, before: State | None, points: int) -> Gains:
    what = "other" if before is None or isinstance(event, _RULINGS) else _FOR.get(before.phase, "other")
    if isinstance(event, HeelsTaken) or (isinstance(event, PointsPegged) and event.kind is Kind.HEELS):
        what = "heels"
    return replace(gains, **{what: getattr(gains, what) + points})


def _show(event: Event, before: State, after: State) -> Show:
    deal = before.deal
    if deal is None:
        raise TypeError("nothing is shown before the cards are dealt")
    is_crib = before.phase is Phase.CRIB
    cards, starter = deal.crib if is_crib else deal.hand(deal.shower), deal.starter
    if isinstance(event, HandCounted):
        cards, starter = event.cards, event.starter
    side = before.side(deal.shower)
    points = after.last.points if after.last is not None and after.last.side == side else 0
    return Show(side, deal.shower, deal.number, points, cards, starter, is_crib)
