"""The screen of every list: as many of its rows as there is room for, round the one where the cursor is."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.choice import Row, Rows, capital
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, WIDTH, fit, fit_width
from cribpi.companion.views.screen.font import SMALL
from cribpi.companion.views.screen.layouts.scores import scores, small_scores
from cribpi.companion.views.screen.sheet import TITLE, Key, Sheet, cap
from cribpi.companion.views.screen.wording import labels
from cribpi.cribbage.game.state import State

_SEEN: Final = 4
"""How many rows are seen at once."""
_FEW: Final = 3
"""How many are seen below scores of the usual size and the heads of columns."""
_PITCH: Final = 9
"""Px from one row that can be lit to the next."""
_COLUMN: Final = 24
"""Px from the end of a column of scores to that of the next."""
_GAP: Final = 3
"""Px between a key and the name of its row."""
_BAR: Final = 2
"""Width of the bar beside a long list, in px."""


def listed(sheet: Sheet, state: State, rows: Rows) -> None:
    """Draw a list under its title, and the keys that change its rows, or else choose one."""
    small_scores(sheet, state)
    sheet.title(rows.title, TITLE - 8)
    write_rows(sheet, TITLE + 2, rows)
    if rows.can_change:
        is_full = sheet.stick or sheet.offered("GO")
        sheet.keys(*sheet.stick, "OK", "P1", "P2", "GO", gap=4 if is_full else CELL)
    else:
        sheet.keys(*sheet.stick, "OK", ("UNDO", ""), gap=4)


def new_game(sheet: Sheet, state: State, rows: Rows) -> None:
    """Name the seats over the list, where no scores stand there."""
    if not state.pegs:
        names = sheet.place.desk.setup.seat_names()
        room = (COLUMNS + 1) // len(names) - 1
        sheet.small(WIDTH // 2, 0, " ".join(labels(names, [room] * len(names))), align="centre")
    listed(sheet, state, rows)


def menu(sheet: Sheet, state: State, rows: Rows) -> None:
    """Draw the menu under the scores, or under a line that tells of trouble."""
    head, title = (small_scores, sheet.small) if sheet.trouble else (scores, sheet.medium)
    head(sheet, state)
    if not state.pegs:
        title(WIDTH // 2, 0, texts.MENU, align="centre")
    if sheet.trouble:
        sheet.small(1, SMALL.height, fit(capital(sheet.trouble[rows.at % len(sheet.trouble)]), COLUMNS))
    write_rows(sheet, sheet.title_top, rows)
    sheet.keys(*(sheet.stick or ("P1", "P2")), ("OK", texts.SELECTS), ("UNDO", ""), gap=4)


def correct(sheet: Sheet, state: State, rows: Rows) -> None:
    """Draw the corrections under the heads of their two columns."""
    is_few = len(rows.rows) <= _FEW
    head, top, seen = (scores, sheet.title_top, _FEW) if is_few else (small_scores, TITLE - 8, _SEEN)
    head(sheet, state)
    sheet.small(1, top, rows.title)
    right = _end(is_long=len(rows.rows) > seen)
    sheet.small(right - _COLUMN, top, texts.WAS, align="right")
    sheet.small(right, top, texts.NOW, align="right")
    sheet.plate(0, top - 1, WIDTH, _PITCH)
    write_rows(sheet, top + 11, rows, seen)
    if sheet.offered("P1"):
        write_keys_of_number(sheet, *sheet.stick)
    elif sheet.stick:
        sheet.keys(*sheet.stick, "OK", ("UNDO", ""), gap=4)
    else:
        sheet.keys_apart("OK", ("UNDO", ""))


def write_keys_of_number(sheet: Sheet, *picks: Key) -> None:
    """Say which keys change a number, by how much; before them *picks*, those that select a row."""
    sheet.keys(*picks, ("OK", ""), "P1", "P2", "FLNB", gap=3)


def write_rows(sheet: Sheet, y: int, rows: Rows, seen: int = _SEEN) -> None:
    """Write as many *rows* as are *seen*, round the one where the cursor is; the first has its top at *y*.

    At the right edge of a longer list a bar shows which part of it is seen.
    """
    number = len(rows.rows)
    first, is_long = max(min(rows.at - seen // 2, number - seen), 0), number > seen
    for line, row in enumerate(rows.rows[first : first + seen], start=first):
        top = y + (line - first) * _PITCH
        _write_row(sheet, top, line, row, rows.cells, is_long=is_long)
        if line == rows.at:
            sheet.plate(0, top - 1, _end(is_long=is_long) + 1 - is_long, _PITCH)
    if is_long:
        whole = seen * _PITCH
        start, length = first * whole // number, -(-seen * whole // number)
        sheet.fill(WIDTH - _BAR, y - 1 + min(start, whole - length), _BAR, length)


def _end(*, is_long: bool) -> int:
    """Return where a row ends, in px."""
    return WIDTH - (_BAR + 2 if is_long else 1)


def _write_row(sheet: Sheet, y: int, line: int, row: Row, cells: int, *, is_long: bool) -> None:
    """Write *row*, the key that selects it before it, and at the right its value, or that and what it was."""
    name, right = row.name.fit(cells), _end(is_long=is_long)
    key = RANKS[line] if line < len(RANKS) else ""
    # A rank key that stands for a side changes a row, and selects none.
    shown = "" if key in dict(sheet.pad.sides) else cap(key, sheet.pad) or ""
    if shown:
        sheet.legend.append((key, name))
        sheet.small(2, y, shown, inverse=True)
    left = 2 + len(shown) * CELL + _GAP * bool(shown)
    was, value = row.shown if isinstance(row.shown, tuple) else ("", row.shown)
    if was:
        sheet.small(right - _COLUMN, y, was, align="right")
    first = SMALL.width_of(was) + _COLUMN if was else SMALL.width_of(value)
    room = right - first - _GAP - left if value else right - left
    sheet.small(left, y, fit_width(name, room, SMALL))
    sheet.small(right, y, value, align="right")
