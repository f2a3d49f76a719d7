"""Screens of sentences: what was refused, what was taken back, a remark, and the rule that answers "why?"."""

from __future__ import annotations

from typing import Final

from cribpi.core import words
from cribpi.core.errors import ImpossibleCards, RuleError
from cribpi.core.rules.cite import HOUSE, OURS, SILENT
from cribpi.core.state import State
from cribpi.core.why import reason_of_refusal, reasons_of
from cribpi.entry import texts as choice_texts
from cribpi.entry.choice import capital
from cribpi.entry.desk import Undone, Why
from cribpi.entry.reply import Refusal
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, COLUMNS
from cribpi.views.glass.screens.scores import bar_of_scores, scores, small_scores
from cribpi.views.glass.screens.start import write_sign
from cribpi.views.glass.sheet import KEYS_RIGHT, ROWS, TITLE, Sheet
from cribpi.views.glass.wording import paragraph, wrap

_CELLS: Final = COLUMNS - 1
"""Cells of a line: the mark of trouble stands behind the last."""
_LINES: Final = 4
"""Lines of a sentence under a title; a row is left below them but for a long one."""
_WHY_LINES: Final = 6
"""Lines of a rule and what its source says."""
_NEXT: Final = 84
"""Where the key for the next rule stands, in px: the last line above it is seldom so long."""


def refused(sheet: Sheet, state: State, refusal: Refusal) -> None:
    """Tell what was wrong, and the key that puts it right: the refusal's own sentence."""
    error = refusal.error
    lines = _write(sheet, state, title_of(refusal), capital(str(error)))
    if isinstance(error, RuleError) and state.pegs and lines < _LINES and error.rule != "keys":
        reason = reason_of_refusal(error, state.rules)
        if reason.words != SILENT and reason.source != OURS:
            named = texts.RULE_OF.format(source=reason.source)[:COLUMNS]
            sheet.small(KEYS_RIGHT, ROWS[-1], named, align="right")


def title_of(refusal: Refusal) -> str:
    """Return the title over a refusal: five sevens, no go, wrong key."""
    error = refusal.error
    if isinstance(error, ImpossibleCards) and error.rank:
        number = str(error).split(" ", 1)[0]
        if not number.isdigit():
            return texts.TWICE
        return texts.TOO_MANY.format(number=words.number(int(number)), rank=texts.RANKS[error.rank]).upper()
    titles = (texts.ERRORS[kind] for kind in type(error).__mro__ if kind in texts.ERRORS)
    return next(titles, texts.NOT_SAVED)


def noted(sheet: Sheet, state: State, message: str) -> None:
    """Tell a remark on the last press."""
    _write(sheet, state, texts.NOTE, capital(message))


def parting(sheet: Sheet, state: State, message: str) -> None:
    """Tell when the plug may be pulled: *message* is what happens, a colon, and what to do."""
    title, _, text = message.partition(": ")
    _write(sheet, state, title.upper(), capital(text))


def undone(sheet: Sheet, state: State, dialog: Undone) -> None:
    """Tell what the last undo took away, and how many more there are."""
    _write(sheet, state, texts.TAKEN_BACK, capital(dialog.what), lines=2, may_shrink=False)
    sheet.small(1, 44, texts.STEPS_LEFT[min(dialog.left, 2)].format(number=dialog.left))
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
    if not state.pegs:
        write_sign(sheet)
    elif may_shrink and len(wrap(text, _CELLS)) > lines:
        top, lines = 8, lines + 2
        small_scores(sheet, state)
    else:
        scores(sheet, state)
    sheet.title(title, top)
    written = paragraph(text, lines, _CELLS)
    sheet.lines(written, y=top + 9)
    return len(written)


def why(sheet: Sheet, state: State, dialog: Why) -> None:
    """Tell the rule that the last thing rests on, its source, and as much of the source as there is room for.

    Of several rules it is the one at the dialog's line.
    """
    reasons = reasons_of(state)
    reason = reasons[dialog.line % len(reasons)]
    if state.pegs:
        bar_of_scores(sheet, state)
    lines = paragraph(reason.text, _WHY_LINES)
    if reason.words and len(lines) < _WHY_LINES - 1:
        is_quoted = reason.words != SILENT and reason.source != HOUSE
        quoted = f'"{reason.words}"' if is_quoted else reason.words
        lines += paragraph(quoted, _WHY_LINES - len(lines))
    sheet.lines(lines, y=9)
    named, room = texts.BY_SOURCE.format(source=reason.source), (_NEXT - 4) // CELL
    sheet.row(5, named if len(named) <= room or len(reasons) == 1 else reason.source)
    if len(reasons) > 1:
        following = ("DOWN", "") if sheet.stick else ("P2", choice_texts.NEXT.short)
        sheet.key(_NEXT, ROWS[-1], *following)
    sheet.last_key("OK")
