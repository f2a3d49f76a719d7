"""What a game came to: what each side got from what, the best hand, the leads, the score after each deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cribpi.core.cards import Card
from cribpi.core.events import (
    CribShown,
    Event,
    FalseWinRuled,
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
    deal: int
    points: int
    cards: tuple[Card, ...]
    starter: Card | None
    is_crib: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in figures, side by side."""

    gains: tuple[Gains, ...]
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
    gains, leads = [Gains()] * sides, [0] * sides
    course: dict[int, tuple[int, ...]] = {}
    shows: list[Show] = []
    before: State | None = None
    for event, state in line:
        if not state.pegs:
            continue
        fronts = state.scores()
        olds = before.scores() if before is not None else ()
        for side, (old, new) in enumerate(zip(olds or (0,) * sides, fronts, strict=True)):
            others = [front for other, front in enumerate(fronts) if other != side]
            leads[side] = max(leads[side], new - max(others, default=0))
            if new != old:
                gains[side] = _added(gains[side], event, before, new - old)
        at = before if before is not None and before.deal is not None else state
        if at.deal is not None:
            course[at.deal.number] = fronts
        if before is not None and isinstance(event, HandShown | CribShown):
            shows.append(_show(before, state))
        before = state
    return Summary(tuple(gains), tuple(leads), tuple(course.values()), tuple(shows))


def _added(gains: Gains, event: Event, before: State | None, points: int) -> Gains:
    what = "other" if before is None or isinstance(event, _RULINGS) else _FOR.get(before.phase, "other")
    if isinstance(event, HeelsTaken) or (isinstance(event, PointsPegged) and event.kind is Kind.HEELS):
        what = "heels"
    return replace(gains, **{what: getattr(gains, what) + points})


def _show(before: State, after: State) -> Show:
    deal = before.deal
    if deal is None:
        raise TypeError("nothing is shown before the cards are dealt")
    is_crib = before.phase is Phase.CRIB
    cards = deal.crib if is_crib else deal.hand(deal.shower)
    side = before.side(deal.shower)
    points = after.last.points if after.last is not None and after.last.side == side else 0
    return Show(side, deal.number, points, cards, deal.starter, is_crib)
