"""The review of one game: its decisions, its course, and what can't be reviewed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.review.course import Course, course_of
from cribpi.cribbage.review.deals import DealSeen, deals_of
from cribpi.cribbage.review.decisions import Decision, Mark, Which, accuracy, decision_in

Progress = Callable[[int, int], None]
"""Told how many deals are reviewed, and of how many."""


@dataclass(frozen=True, slots=True)
class Review:
    state: State
    """The state at the end."""
    decisions: tuple[Decision, ...]
    """In the order of the game."""
    course: Course | None
    """The chance of winning, deal by deal; not with three players."""
    lacking: tuple[str, ...]
    """What can't be reviewed, and why: a sentence each."""

    def of(self, seat: int, which: Which | None = None) -> tuple[Decision, ...]:
        """Return the decisions of *seat*, all or of one kind."""
        return tuple(
            one for one in self.decisions if one.seat == seat and (which is None or one.which is which)
        )

    def accuracy(self, seat: int, which: Which | None = None) -> float | None:
        """Return the accuracy of *seat*, 0 to 1; None without a decision."""
        return accuracy((one.lost, one.stake) for one in self.of(seat, which))

    def marks(self, seat: int) -> dict[Mark, int]:
        """Return how often *seat* earned each mark."""
        found = Counter(one.mark for one in self.of(seat))
        return {mark: found[mark] for mark in Mark}


def review(events: Iterable[Event], tell: Progress = lambda _done, _all: None) -> Review:
    """Review one game by its *events*; a game that is not over is reviewed as far as it goes.

    Raises:
        RuleError: If an event is illegal.
        TablesError: If a shipped table is missing or damaged.
    """
    happened = tuple(events)
    deals = [deal for deal in deals_of(happened) if deal.happened]
    decisions: list[Decision] = []
    for number, deal in enumerate(deals):
        tell(number, len(deals))
        decisions += filter(None, (decision_in(deal, one) for one in deal.happened))
    tell(len(deals), len(deals))
    state = fold(happened)
    course = course_of(deals, decisions) if state.players != 3 and deals else None
    return Review(state, tuple(decisions), course, tuple(_lacking(state, deals)))


def _lacking(state: State, deals: Sequence[DealSeen]) -> Iterator[str]:
    if not deals:
        yield "no cards were dealt: there is nothing to review"
        return
    if state.entry is Entry.PEG:
        yield "only points were entered: decisions can't be reviewed"
        return
    begun = [deal for deal in deals if deal.starter is not None]
    unknown = sum(not deal.discards(seat) for deal in begun for seat in range(state.players))
    if unknown:
        what = "1 discard" if unknown == 1 else f"{unknown} discards"
        yield f"{what} can't be reviewed: not entered, or the full hand was not"
    if state.players == 3:
        yield "with three players everything is in points, without a chance of winning"
