"""Screens that answer a press in a sentence: what was refused, what was taken back, a remark."""

from __future__ import annotations

from typing import Final

from cribpi.core import words
from cribpi.core.errors import ImpossibleCards, RuleError
from cribpi.core.state import State
from cribpi.core.why import reason_of_refusal
from cribpi.entry.desk import Undone
from cribpi.entry.reply import Refusal
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import COLUMNS
from cribpi.views.glass.screens.reasons import source_of
from cribpi.views.glass.screens.scores import scores, small_scores
from cribpi.views.glass.screens.start import write_sign
from cribpi.views.glass.sheet import KEYS_RIGHT, ROWS, TITLE, Sheet
from cribpi.views.glass.wording import paragraph, sentence, wrap

_CELLS: Final = COLUMNS - 1
"""Cells of a line: the mark of trouble stands behind the last."""


_LINES: Final = 4
"""Lines of a sentence under a title; a row is left below them but for a long one."""


def refused(sheet: Sheet, state: State, refusal: Refusal) -> None:
    """Tell what was wrong, and the key that puts it right: the refusal's own sentence."""
    error = refusal.error
    lines = _write(sheet, state, title_of(refusal), sentence(str(error)))
    if isinstance(error, RuleError) and state.pegs and lines < _LINES and error.rule != "keys":
        source = source_of(reason_of_refusal(error, state.rules))
        sheet.small(KEYS_RIGHT, ROWS[-1], source, align="right")


def title_of(refusal: Refusal) -> str:
    """Return the title over a refusal: five sevens, no go, wrong key."""
    error = refusal.error
    if isinstance(error, ImpossibleCards) and error.rank:
        number = str(error).split(" ", 1)[0]
        if number.isdigit():
            return texts.TOO_MANY.format(
                number=words.number(int(number)), rank=texts.RANKS[error.rank]
            ).upper()
        return texts.TWICE
    for kind in type(error).__mro__:
        if kind in texts.ERRORS:
            return texts.ERRORS[kind]
    return texts.NOT_SAVED


def noted(sheet: Sheet, state: State, message: str) -> None:
    """Tell a remark on the last press."""
    _write(sheet, state, texts.NOTE, sentence(message))


def parting(sheet: Sheet, state: State, message: str) -> None:
    """Tell when the plug may be pulled: *message* is what happens, a colon, and what to do."""
    title, _, text = message.partition(": ")
    _write(sheet, state, title.upper(), sentence(text))


def undone(sheet: Sheet, state: State, dialog: Undone) -> None:
    """Tell what the last undo took away, and how many more there are."""
    _write(sheet, state, texts.TAKEN_BACK, sentence(dialog.what), lines=2, may_shrink=False)
    left = {0: texts.NO_STEPS_LEFT, 1: texts.STEP_LEFT}.get(dialog.left, texts.STEPS_LEFT)
    sheet.small(1, 44, left.format(number=dialog.left))
    if dialog.left:
        sheet.keys_apart("OK", "UNDO")
    else:
        sheet.keys("OK")


def _write(
    sheet: Sheet, state: State, title: str, text: str, lines: int = _LINES, *, may_shrink: bool = True
) -> int:
    """Write *text* under *title* in *lines*; one that is longer makes the scores above it small.

    Return in how many lines it was written.
    """
    top = TITLE
    if state.pegs and may_shrink and len(wrap(text, _CELLS)) > lines:
        top, lines = 8, lines + 2
        small_scores(sheet, state)
    elif state.pegs:
        scores(sheet, state)
    else:
        write_sign(sheet)
    sheet.title(title, top)
    written = paragraph(text, lines, _CELLS)
    for number, line in enumerate(written):
        sheet.small(1, top + 9 + number * 8, line)
    return len(written)
