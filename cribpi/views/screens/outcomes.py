"""What happened last, in a line: who, how many points, and for what."""

from __future__ import annotations

from cribpi.core import events
from cribpi.core.state import Outcome, State
from cribpi.views import texts
from cribpi.views.canvas import COLUMNS
from cribpi.views.screens.wording import fitted, side_label, why


def told(state: State, cells: int = COLUMNS) -> str:
    """Tell the last outcome in one line of *cells*; an empty text where there is none."""
    last = state.last
    if last is None:
        return ""
    name, points = who(state, last), signed(last.points)
    room = cells - len(points) - 2 - min(len(name), 4)
    what = reason(last, room)
    text = fitted(texts.LAST, cells, name=name, points=points, what=what if len(what) <= room else "")
    return text.rstrip()


def who(state: State, outcome: Outcome) -> str:
    """Name who did it: a seat where the event knows it, else the side."""
    event = outcome.event
    if isinstance(event, events.CardPlayed | events.HandShown | events.HandCounted):
        return state.names[event.seat]
    return side_label(state, outcome.side)


def reason(outcome: Outcome, cells: int) -> str:
    """Say what *outcome* was for, in a few words."""
    match outcome.event:
        case events.HandShown() | events.HandCounted():
            return texts.HAND
        case events.CribShown():
            return texts.CRIB
        case events.PenaltyPegged():
            return texts.RULING
        case events.ScorePutRight():
            return texts.PUT_RIGHT
        case _:
            return why(outcome.scores, cells) if outcome.scores else ""


def signed(points: int) -> str:
    """Write points with their sign.

    >>> signed(2), signed(0), signed(-2)
    ('+2', '+0', '-2')
    """
    return f"{points:+d}"
