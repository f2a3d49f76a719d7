"""What an earlier cribpi has accepted and this one refuses, read as what it came to: an old journal stays whole."""

from __future__ import annotations

from collections.abc import Iterable

from cribpi.core.errors import ImpossiblePoints
from cribpi.core.events import Event, MugginsCalled, PenaltyPegged
from cribpi.core.game import NEW_TABLE, step


def as_accepted(events: Iterable[Event]) -> list[Event]:
    """Return *events* with each call of muggins that could not be as points that the table gave: the score is the same.

    Until version 2 of the journal any call up to the largest flush was accepted, and again and again.

    Raises:
        RuleError: If another event is illegal.
    """
    found = list(events)
    if not any(isinstance(event, MugginsCalled) for event in found):
        return found  # nothing else was accepted that is refused now
    state = NEW_TABLE
    for place, event in enumerate(found):
        try:
            state = step(state, event)
        except ImpossiblePoints:
            if not isinstance(event, MugginsCalled) or not event.is_right:
                raise
            found[place] = PenaltyPegged(event.side, event.points)
            state = step(state, found[place])
    return found
