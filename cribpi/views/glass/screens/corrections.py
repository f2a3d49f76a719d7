"""Screens of a table's corrections: what a side asks for, and a game that was not won."""

from __future__ import annotations

from typing import Final

from cribpi.core.events import FalseWinRuled
from cribpi.core.game import step
from cribpi.core.state import State
from cribpi.core.steps.corrections import FALSE_WIN_BACK
from cribpi.entry import corrections
from cribpi.entry.desk import Correct, FalseWin
from cribpi.entry.keys import RANKS
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, COLUMNS
from cribpi.views.glass.lines import PITCH, scroll_bar, write_line
from cribpi.views.glass.screens.outcomes import signed
from cribpi.views.glass.screens.scores import scores, small_scores
from cribpi.views.glass.sheet import TITLE, Sheet
from cribpi.views.glass.wording import fitted, labels, side_label

_FEW: Final = 3
"""How many lines are seen below scores of the usual size."""
_CHANGED: Final = ("penalty", "score", "muggins")
"""The lines with a number that keys change."""
_STICK: Final = (("UP", ""), ("DOWN", ""))
"""What picks a line where no rank does."""


def correct(sheet: Sheet, state: State, dialog: Correct) -> None:
    """Offer what *dialog*'s side can ask for, with what it would come to."""
    listed = corrections.lines(state)
    title = fitted(texts.CORRECT, name=side_label(state, dialog.side))
    if len(listed) <= _FEW:
        scores(sheet, state)
        top = TITLE
    else:
        small_scores(sheet, state)
        top = TITLE - 8
    sheet.title(title, top)
    seen = _FEW + (top < TITLE)
    at = dialog.line % len(listed)
    first = min(max(at - seen + 2, 0), max(len(listed) - seen, 0))
    for place, what in enumerate(listed[first : first + seen]):
        number = first + place
        name, value = _line(state, dialog, what)
        y = top + 11 + place * PITCH
        write_line(sheet, y, RANKS[number], name, value, is_at=number == at, is_short=len(listed) > seen)
    if len(listed) > seen:
        scroll_bar(sheet, top + 11, first, seen, len(listed))
    picks = () if sheet.pad.has_ranks else _STICK
    if listed[at] in _CHANGED:
        keys_that_change(sheet, *picks)
    elif picks:
        sheet.keys(*picks, "OK", ("UNDO", ""), gap=4)
    else:
        sheet.keys_apart("OK", ("UNDO", ""))


def _line(state: State, dialog: Correct, what: str) -> tuple[str, str]:
    """Return the name of a line, and what it would come to."""
    before = state.pegs[dialog.side].front
    match what:
        case "penalty":
            return texts.PENALTY, f"{dialog.penalty:+d} {_moved(state, before, dialog.penalty)}"
        case "score":
            return texts.SCORE, f"{before}{_ARROW}{dialog.score}" if dialog.score != before else str(before)
        case "muggins" if not dialog.muggins:
            return texts.MUGGINS, texts.NOTHING_MISSED
        case "muggins" if dialog.muggins > 0:
            return texts.MUGGINS, f"{dialog.muggins:+d} {_moved(state, before, dialog.muggins)}"
        case "muggins":
            name = side_label(state, corrections.missed_by(state, dialog.side))
            points = signed(-dialog.muggins)
            return texts.WRONG_CALL, fitted(texts.TAKE_POINTS, 8, name=name, points=points)
        case "false-win":
            left = state.rules.target - before  # what the other side takes
            return texts.FALSE_WIN, f"{_moved(state, before, -FALSE_WIN_BACK)} {left:+d}"
        case _:
            return texts.MISDEAL, texts.DEAL_AGAIN


_ARROW: Final = "\N{RIGHTWARDS ARROW}"


def _moved(state: State, before: int, points: int) -> str:
    after = min(max(before + points, 0), state.rules.target)
    return texts.BECOMES.format(before=before, after=after)


def false_win(sheet: Sheet, state: State, dialog: FalseWin) -> None:
    """Ask for the true score of a side that has not won, with what that comes to for everybody."""
    scores(sheet, state)
    sheet.title(fitted(texts.NOT_WON, name=side_label(state, dialog.side).upper()))
    write_line(sheet, 28, "", texts.TRUE_SCORE, str(dialog.score), is_at=True)
    after = step(state, FalseWinRuled(dialog.side, dialog.score))
    moved = [
        (side_label(state, side), texts.BECOMES.format(before=before, after=then))
        for side, (before, then) in enumerate(zip(state.scores(), after.scores(), strict=True))
        if then != before
    ]
    names = labels([name for name, _ in moved], [COLUMNS - 9] * len(moved))
    for place, (name, (_, then)) in enumerate(zip(names, moved, strict=True)):
        sheet.small(1 + CELL, 38 + place * 8, f"{name} {then}")
    keys_that_change(sheet)


def keys_that_change(sheet: Sheet, *picks: tuple[str, str]) -> None:
    """Say which keys change a number, by how much; before them, those that pick a line."""
    sheet.keys(*picks, ("OK", ""), "P1", "P2", "FLNB", gap=3)
