"""Old journals: what an earlier version accepted and this one refuses is read for its effect."""

from __future__ import annotations

from collections.abc import Iterable

from cribpi.core.errors import ImpossiblePoints
from cribpi.core.events import Event, MugginsCalled, PenaltyPegged
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.show import HIGHEST_SHOW
from cribpi.core.state import State


def as_accepted(events: Iterable[Event]) -> list[Event]:
    """Return *events* with each impossible call of muggins as points given by the table: the same score.

    Raises:
        RuleError: If another event is illegal.
    """
    found = list(events)
    if not any(isinstance(event, MugginsCalled) for event in found):
        return found  # nothing else is refused now that was accepted
    state = NEW_TABLE
    for place, event in enumerate(found):
        found[place], state = step_as_accepted(state, event)
    return found


def step_as_accepted(state: State, event: Event) -> tuple[Event, State]:
    """Return *event* and the state after it; an impossible muggins call becomes points given by the table.

    Up to version 2 of the journal any right call up to the largest flush was accepted, and repeated calls.

    Raises:
        RuleError: If it is illegal, and always was.
    """
    try:
        return event, step(state, event)
    except ImpossiblePoints:
        if not isinstance(event, MugginsCalled) or not 1 <= event.points <= HIGHEST_SHOW:
            raise
    given = PenaltyPegged(event.side if event.is_right else event.of, event.points)
    return given, step(state, given)
