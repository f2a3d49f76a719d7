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
_RULINGS: Final = (events.Misdealt, events.FalseWinRuled, events.RenegeRuled)
"""The events that may move several scores."""


def told(state: State, cells: int = COLUMNS) -> str:
    """Tell the last outcome in one line of *cells*; an empty text where there is none."""
    last = state.last
    if last is None:
        return ""
    if isinstance(last.event, events.Misdealt):
        return texts.A_MISDEAL
    if isinstance(last.event, events.RenegeRuled) and not last.points:
        return next((text for text in texts.LET_BE if len(text) <= cells), "")
    name, points = who(state, last), f"{last.points:+d}"
    room = cells - len(points) - 2 - min(len(name), 4)
    what = reason(last, room)
    text = fitted(texts.LAST, cells, name=name, points=points, what=what if len(what) <= room else "")
    return text.rstrip()


def aside(state: State, cells: int) -> str:
    """Tell the last outcome in brackets, in one line of *cells*; an empty text where there is none."""
    return texts.BEFORE.format(told=told(state, cells - 2)) if state.last else ""


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
    if isinstance(last.event, _RULINGS):
        is_false_win = isinstance(last.event, events.FalseWinRuled)
        return (texts.FALSE_WIN if is_false_win else told(state), *_moved(state))
    return (told(state), *back_peg(state, texts.BACK_PEG_AT))


def _moved(state: State) -> tuple[str, ...]:
    """Tell by how much each score was moved, in one line; of three sides the last has a line of its own."""
    moved = [(side_label(state, one.side), f"{one.points:+d}") for one in state.outcomes if one.points]
    whole = ", ".join(map(" ".join, moved))
    if len(whole) <= COLUMNS:
        return (whole,) if moved else ()
    return tuple(_in_a_row(row) for row in (moved[:2], moved[2:]) if row)


def _in_a_row(moved: list[tuple[str, str]]) -> str:
    """Write names, each with its points, in one line; they are cut where they are too long."""
    number, taken = len(moved), sum(len(points) for _, points in moved)
    room = max((COLUMNS - taken - 2 * (number - 1)) // number - 1, 1)
    names = labels([name for name, _ in moved], [room] * number)
    return ", ".join(f"{name} {points}" for name, (_, points) in zip(names, moved, strict=True))


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
        points = f"{taken[0].points:+d}"
        then = fitted(texts.TAKE_POINTS, min(cells, 12), name=who(state, taken[0]), points=points)
    else:
        is_open = state.rules.miscount == "muggins" and state.counted is not None
        then = (texts.OPEN if is_open else texts.ARE_LOST).format(points=main.missed)
    return said, texts.TRUE.format(number=truth), then


def back_peg(state: State, template: str) -> tuple[str, ...]:
    """Tell by *template* where the back peg stands, if the last outcome has put the front one behind it."""
    if state.last is None:
        return ()
    pegs = state.pegs[state.last.side]
    is_ahead = state.last.points < 0 and pegs.front < pegs.back
    return (template.format(hole=pegs.back),) if is_ahead else ()


def who(state: State, outcome: Outcome) -> str:
    """Name who did it: a seat where the event knows it, else the side."""
    event = outcome.event
    if isinstance(event, _SEATED) and state.side(event.seat) == outcome.side:
        return state.names[event.seat]
    return side_label(state, outcome.side)


def reason(outcome: Outcome, cells: int) -> str:
    """Say what *outcome* was for, in a few words: by muggins, what another has missed at a show."""
    event = outcome.event
    is_missed = outcome.points > 0 and not outcome.scores and outcome.claimed is None
    if isinstance(event, _SHOWS) and is_missed:
        return texts.MUGGINS
    if isinstance(event, events.MugginsCalled) and not event.is_right:
        return texts.WRONG_CALL
    return texts.REASONS.get(type(event)) or (why(outcome.scores, cells) if outcome.scores else "")
