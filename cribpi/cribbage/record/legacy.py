"""Replays of records and old journals: events that only an older version accepted keep their effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cribpi.cribbage.game.events import Event, MugginsCalled, PenaltyPegged, PointsPegged
from cribpi.cribbage.game.show import HIGHEST_SHOW
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record.text import Comment, parse_places
from cribpi.cribbage.rules.errors import ImpossiblePoints, RecordError, RuleError


def played(text: str) -> Iterator[tuple[Event, State]]:
    """Yield each event of the record *text*, of one game or several, with the state after it.

    Raises:
        RecordError: If it is not a record, or has an illegal event.
    """
    state = NEW_TABLE
    for line, column, entry in parse_places(text):
        if isinstance(entry, Comment):
            continue
        try:
            event, state = step_as_accepted(state, entry)
        except RuleError as illegal:
            raise RecordError(str(illegal), line, column) from None
        yield event, state


def as_accepted(events: Iterable[Event]) -> list[Event]:
    """Return *events* with each that is impossible now as one with the same effect on the score.

    Raises:
        RuleError: If another event is illegal.
    """
    found = list(events)
    if not any(isinstance(event, MugginsCalled | PointsPegged) for event in found):
        return found  # only the checks of these events have become stricter
    state = NEW_TABLE
    for place, event in enumerate(found):
        found[place], state = step_as_accepted(state, event)
    return found


def step_as_accepted(state: State, event: Event) -> tuple[Event, State]:
    """Return *event* and the state after it; an impossible muggins call becomes a ruling with its points.

    Up to version 2 of the journal, any right call up to the largest flush was accepted, and repeated calls;
    and in points mode any amount up to 15 for a card.

    Raises:
        RuleError: If *event* is illegal, and always was.
    """
    try:
        return event, step(state, event)
    except ImpossiblePoints:
        match event:
            case MugginsCalled(side, of, points, is_right) if 1 <= points <= HIGHEST_SHOW:
                event = PenaltyPegged(side if is_right else of, points)
            case PointsPegged(is_earlier=False):
                event = replace(event, is_earlier=True)
            case _:
                raise
    return event, step(state, event)
