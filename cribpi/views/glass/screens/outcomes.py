"""What happened last, in a line or two: who, how many points, and for what."""

from __future__ import annotations

from typing import Final

from cribpi.core import events
from cribpi.core.scores import total
from cribpi.core.state import Outcome, State
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import COLUMNS
from cribpi.views.glass.wording import fitted, labels, side_label, why

_SHOWS: Final = (events.HandShown, events.CribShown, events.HandCounted)
_SEATED: Final = (events.CardPlayed, events.HandShown, events.HandCounted)
"""The events that know a seat."""


def told(state: State, cells: int = COLUMNS) -> str:
    """Tell the last outcome in one line of *cells*; an empty text where there is none."""
    last = state.last
    if last is None:
        return ""
    if isinstance(last.event, events.Misdealt):
        return texts.A_MISDEAL
    if isinstance(last.event, events.RenegeRuled) and not last.points:
        return next((text for text in texts.LET_BE if len(text) <= cells), "")
    name, points = who(state, last), signed(last.points)
    room = cells - len(points) - 2 - min(len(name), 4)
    what = reason(last, room)
    text = fitted(texts.LAST, cells, name=name, points=points, what=what if len(what) <= room else "")
    return text.rstrip()


def told_in_full(state: State) -> tuple[str, ...]:
    """Return the last outcome in two lines at most, or three where three sides have moved.

    A second line tells what became of a count that was wrong, whose points a correction or a misdeal has
    moved, and where the back peg stands while it is the further one.
    """
    last = state.last
    if last is None:
        return ()
    counted = wrong_count(state)
    if counted:
        said, *rest = counted
        return said, ": ".join(rest)
    if isinstance(last.event, events.Misdealt | events.FalseWinRuled | events.RenegeRuled):
        several = [one for one in state.outcomes if one.points]
        first = told(state) if not isinstance(last.event, events.FalseWinRuled) else texts.FALSE_WIN
        return (first, *_moved(state, several)) if several else (first,)
    back = back_peg(state)
    return (told(state), *([texts.BACK_PEG_AT.format(hole=back)] if back is not None else ()))


def _moved(state: State, outcomes: list[Outcome]) -> tuple[str, ...]:
    """Tell by how much each score was moved, in one line; of three sides the last has a line of its own."""
    points = [signed(one.points) for one in outcomes]
    names = [side_label(state, one.side) for one in outcomes]
    spelled = [f"{name} {more}" for name, more in zip(names, points, strict=True)]
    if len(", ".join(spelled)) <= COLUMNS:
        return (", ".join(spelled),)
    rows = [slice(0, 2), slice(2, None)] if len(outcomes) > 2 else [slice(None)]
    return tuple(_in_a_row(names[row], points[row]) for row in rows)


def _in_a_row(names: list[str], points: list[str]) -> str:
    """Write *names*, each with its *points*, in one line; they are cut where they are too long."""
    number = len(names)
    room = max((COLUMNS - sum(map(len, points)) - 2 * (number - 1)) // number - 1, 1)
    short = labels(names, [room] * number)
    return ", ".join(f"{name} {more}" for name, more in zip(short, points, strict=True))


def wrong_count(state: State, cells: int = COLUMNS) -> tuple[str, ...]:
    """Say what was counted wrongly at the last show, what was true and what came of it, in *cells* a line.

    Nothing where the count was right, or none was asked for.
    """
    if not state.outcomes:
        return ()
    main, *taken = state.outcomes
    truth = total(main.scores)
    if main.claimed is None or main.claimed == truth:
        return ()
    said = fitted(texts.SAID, cells, name=who(state, main), number=main.claimed)
    if main.claimed > truth:
        then = texts.TOO_MUCH.format(points=main.claimed - truth)
    elif taken:
        points = signed(taken[0].points)
        then = fitted(texts.TAKE_POINTS, min(cells, 12), name=who(state, taken[0]), points=points)
    elif state.rules.miscount == "muggins" and state.counted is not None:
        then = texts.OPEN.format(points=main.missed)
    else:
        then = texts.ARE_LOST.format(points=main.missed)
    return said, texts.TRUE.format(number=truth), then


def back_peg(state: State) -> int | None:
    """Return the hole of the back peg, where the last outcome has put the front one behind it."""
    if state.last is None:
        return None
    pegs = state.pegs[state.last.side]
    return pegs.back if state.last.points < 0 and pegs.front < pegs.back else None


def who(state: State, outcome: Outcome) -> str:
    """Name who did it: a seat where the event knows it, else the side."""
    event = outcome.event
    if isinstance(event, _SEATED) and state.side(event.seat) == outcome.side:
        return state.names[event.seat]
    return side_label(state, outcome.side)


def reason(outcome: Outcome, cells: int) -> str:
    """Say what *outcome* was for, in a few words."""
    if is_taken(outcome):
        return texts.MUGGINS
    match outcome.event:
        case events.HandShown() | events.HandCounted():
            return texts.HAND
        case events.CribShown():
            return texts.CRIB
        case events.PenaltyPegged():
            return texts.RULING
        case events.ScorePutRight():
            return texts.PUT_RIGHT
        case events.Misdealt():
            return texts.MISDEAL
        case events.MugginsCalled(is_right=is_right):
            return texts.MUGGINS if is_right else texts.WRONG_CALL
        case events.RenegeRuled():
            return texts.WRONG_GO
        case events.FalseWinRuled():
            return texts.FALSE_WIN
        case _:
            return why(outcome.scores, cells) if outcome.scores else ""


def is_taken(outcome: Outcome) -> bool:
    """Tell whether *outcome* is what another missed at its show, taken by muggins."""
    is_show = isinstance(outcome.event, _SHOWS)
    return is_show and outcome.points > 0 and not outcome.scores and outcome.claimed is None


def signed(points: int) -> str:
    """Write points with their sign.

    >>> signed(2), signed(0), signed(-2)
    ('+2', '+0', '-2')
    """
    return f"{points:+d}"
