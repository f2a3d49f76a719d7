"""The screen that answers "why?": a rule in a sentence, its source, and as much of the source as fits."""

from __future__ import annotations

from typing import Final

from cribpi.core.rules.cite import HOUSE, OURS, SILENT, Reason
from cribpi.core.state import State
from cribpi.core.why import reasons_of
from cribpi.entry import texts as choice_texts
from cribpi.entry.desk import Why
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, COLUMNS
from cribpi.views.glass.screens.scores import bar_of_scores
from cribpi.views.glass.sheet import KEYS_RIGHT, ROWS, Sheet
from cribpi.views.glass.wording import paragraph

_TOP: Final = 9
_LINES: Final = 6
_NEXT: Final = 84
"""Where the key for the next rule stands, in px: the last line above it is seldom so long."""
_PITCH: Final = 8


def why(sheet: Sheet, state: State, dialog: Why) -> None:
    """Tell the rule that the last thing rests on; of several, the one at the dialog's line."""
    reasons = reasons_of(state)
    reason = reasons[dialog.line % len(reasons)]
    if state.pegs:
        bar_of_scores(sheet, state)
    lines = paragraph(reason.text, _LINES)
    room = _LINES - len(lines)
    if room > 1 and reason.words:
        lines += paragraph(_quoted(reason), room)
    for number, line in enumerate(lines):
        sheet.small(1, _TOP + number * _PITCH, line)
    named, room = texts.BY_SOURCE.format(source=reason.source), (_NEXT - 4) // CELL
    sheet.row(5, named if len(named) <= room or len(reasons) == 1 else reason.source)
    if len(reasons) > 1:
        following, label = ("P2", choice_texts.NEXT.short) if sheet.pad.has_ranks else ("DOWN", "")
        sheet.key(_NEXT, ROWS[-1], following, label)
    sheet.key(KEYS_RIGHT - sheet.key_width("OK", ""), ROWS[-1], "OK", "")


def _quoted(reason: Reason) -> str:
    """Write what the source says, between quotation marks where these are its own words."""
    return reason.words if reason.words == SILENT or reason.source == HOUSE else f'"{reason.words}"'


def source_of(reason: Reason) -> str:
    """Name whose rule *reason* is; an empty text where its source says nothing of it."""
    return (
        ""
        if reason.words == SILENT or reason.source == OURS
        else texts.RULE_OF.format(source=reason.source)[:COLUMNS]
    )
