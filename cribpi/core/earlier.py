"""What an earlier cribpi has accepted and this one refuses, read as what it came to: an old journal stays
whole.
"""

from __future__ import annotations

from collections.abc import Iterable

from cribpi.core.errors import ImpossiblePoints
from cribpi.core.events import Event, MugginsCalled, PenaltyPegged
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.show import HIGHEST_SHOW
from cribpi.core.state import State


def as_accepted(events: Iterable[Event]) -> list[Event]:
    """Return *events* with each call of muggins that could not be as points that the table gave: the score is
    the same.

    Raises:
        RuleError: If another event is illegal.
    """
    found = list(events)
    if not any(isinstance(event, MugginsCalled) for event in found):
        return found  # nothing else was accepted that is refused now
    state = NEW_TABLE
    for place, event in enumerate(found):
        found[place], state = step_as_accepted(state, event)
    return found


def step_as_accepted(state: State, event: Event) -> tuple[Event, State]:
    """Return *event*, as points that the table gave where it is a call of muggins that cannot be, and what it
    leads to.

    Until version 2 of the journal any right call up to the largest flush was accepted, and any call again and
    again.

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
