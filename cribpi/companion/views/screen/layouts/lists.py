"""Screens of lists: as many rows around the cursor as fit.

The first page of the list of phones is a QR code for joining.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Final

from cribpi.companion.entry.choice import Row, Rows
from cribpi.companion.entry.input_state import PhoneList
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, SMALL, WIDTH, fit
from cribpi.companion.views.screen.layouts.scores import scores, small_scores
from cribpi.companion.views.screen.sheet import ROWS, TITLE, Key, Sheet, cap
from cribpi.companion.views.screen.wording import labels, paragraph, remedy
from cribpi.cribbage.game.state import State

_VISIBLE: Final = 4
"""Number of rows of a list on the screen."""
_FEW: Final = 3
"""Number of rows of a list below scores of normal size and column heads."""
_PITCH: Final = 9
"""Px from a row to the next: one more than the font's height, so that a row can be lit."""
_COLUMN: Final = 24
"""Px between the right edges of the columns "was" and "now"."""
_GAP: Final = 3
"""Px between a key and the name of its row."""
_BAR: Final = 2
"""Width of the bar at the right of a long list, in px."""


def listed(sheet: Sheet, state: State, rows: Rows) -> None:
    """Draw a list below its title, with the keys that change or choose a row."""
    small_scores(sheet, state)
    sheet.title(rows.title, TITLE - 8)
    write_rows(sheet, TITLE + 2, rows)
    if rows.can_change:
        is_full = sheet.stick or sheet.offered("GO")
        sheet.keys(*sheet.stick, "OK", "P1", "P2", "GO", gap=4 if is_full else CELL)
    else:
        sheet.keys(*sheet.stick, "OK", ("UNDO", ""), gap=4)


def new_game(sheet: Sheet, state: State, rows: Rows) -> None:
    """Draw the set-up of a new game, with the names of the seats above it if there are no scores yet."""
    if not state.pegs:
        names = [name.upper() for name in sheet.view.next_game.seat_names()]  # no descender touches the bar
        room = (COLUMNS + 1) // len(names) - 1
        sheet.small(WIDTH // 2, 0, " ".join(labels(names, [room] * len(names))), align="centre")
    listed(sheet, state, rows)


def menu(sheet: Sheet, state: State, rows: Rows) -> None:
    head, title = (small_scores, sheet.small) if sheet.trouble else (scores, sheet.medium)
    head(sheet, state)
    if not state.pegs:
        title(WIDTH // 2, 0, "MENU", align="centre")
    if sheet.trouble:
        sheet.small(1, SMALL.height, remedy(sheet.trouble[rows.at % len(sheet.trouble)]))
    write_rows(sheet, sheet.title_top, rows)
    sheet.keys(*(sheet.stick or ("P1", "P2")), ("OK", "pick"), ("UNDO", ""), gap=4)


def correct(sheet: Sheet, state: State, rows: Rows) -> None:
    """Draw the list of corrections with the columns "was" and "now"."""
    is_few = len(rows.rows) <= _FEW
    head, top, visible = (scores, sheet.title_top, _FEW) if is_few else (small_scores, TITLE - 8, _VISIBLE)
    head(sheet, state)
    sheet.small(1, top, rows.title)
    right = _end(is_long=len(rows.rows) > visible)
    sheet.small(right - _COLUMN, top, "was", align="right")
    sheet.small(right, top, "now", align="right")
    sheet.invert(0, top - 1, WIDTH, _PITCH)
    write_rows(sheet, top + 11, rows, visible)
    if sheet.offered("P1"):
        write_keys_of_number(sheet, *sheet.stick)
    elif sheet.stick:
        sheet.keys(*sheet.stick, "OK", ("UNDO", ""), gap=4)
    else:
        sheet.keys_apart("OK", ("UNDO", ""))


def write_keys_of_number(sheet: Sheet, *picks: Key) -> None:
    """Write *picks*, the keys that select a row, and then the keys that change a number."""
    sheet.keys(*picks, ("OK", ""), "P1", "P2", "FLNB", gap=3)


def write_rows(sheet: Sheet, y: int, rows: Rows, visible: int = _VISIBLE) -> None:
    """Write as many *rows* around the cursor as *visible* says; the first has its top at *y*.

    A longer list has a scroll bar at the right edge.
    """
    number = len(rows.rows)
    first, is_long = max(min(rows.at - visible // 2, number - visible), 0), number > visible
    for line, row in enumerate(rows.rows[first : first + visible], start=first):
        top = y + (line - first) * _PITCH
        _write_row(sheet, top, line, row, rows.cells, is_long=is_long)
        if line == rows.at:
            sheet.invert(0, top - 1, _end(is_long=is_long) + (0 if is_long else 1), _PITCH)
    if is_long:
        whole = visible * _PITCH
        start, length = first * whole // number, -(-visible * whole // number)
        sheet.fill(WIDTH - _BAR, y - 1 + min(start, whole - length), _BAR, length)


def _end(*, is_long: bool) -> int:
    return WIDTH - (_BAR + 2 if is_long else 1)


def _write_row(sheet: Sheet, y: int, line: int, row: Row, cells: int, *, is_long: bool) -> None:
    """Write the key that selects *row*, its name, and at the right its value, perhaps with the old value."""
    name, right = row.name.fit(cells), _end(is_long=is_long)
    key = RANKS[line] if line < len(RANKS) else ""
    # A rank key that stands for a side changes the value of a row; it can't select one.
    shown = "" if key in dict(sheet.pad.sides) else cap(key, sheet.pad) or ""
    if shown:
        sheet.legend.append((key, name))
        sheet.small(2, y, shown, inverse=True)
    left = 2 + len(shown) * CELL + (_GAP if shown else 0)
    was, value = row.shown if isinstance(row.shown, tuple) else ("", row.shown)
    if was:
        sheet.small(right - _COLUMN, y, was, align="right")
    first = SMALL.width_of(was) + _COLUMN if was else SMALL.width_of(value)
    room = right - first - _GAP - left if value else right - left
    sheet.small(left, y, fit(name, (room + 1) // CELL))
    sheet.small(right, y, value, align="right")


_HEIGHT: Final = 64
_DOT: Final = 2
"""Px per module of a QR code: large enough for a camera at arm's length."""
_GROUND: Final = 64
"""Side in px of the lit square behind the code, which leaves 7 px around a code of 25 modules."""
_RIGHT: Final = _GROUND + 3
_CELLS: Final = (WIDTH - _RIGHT) // CELL


def phones_off(sheet: Sheet, state: State, _: PhoneList) -> None:
    """Ask whether to let phones join, or show the reason why none can."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.view.scene.prompt, 4))
    sheet.keys("OK", ("UNDO", ""), gap=4)


def phone_list(sheet: Sheet, state: State, rows: Rows) -> None:
    """Show the QR code for joining, or further down the list of phones."""
    phones = sheet.view.phones
    if rows.at:
        listed(sheet, state, rows)
    elif phones.joins_at:
        _join(sheet, phones.joins_at, phones.address, phones.code, len(phones.present))
    else:
        phones_off(sheet, state, PhoneList())


def _join(sheet: Sheet, link: str, address: str, code: str, present: int) -> None:
    """Draw the QR code at the left; at the right, the address and the code for typing instead."""
    sheet.fill(0, 0, _GROUND, _HEIGHT)
    modules = modules_of(link)
    margin = (_GROUND - _DOT * len(modules)) // 2
    for row, line in enumerate(modules):
        x = margin
        for is_dark, run in groupby(line):
            width = _DOT * len(list(run))
            if is_dark:
                sheet.invert(x, margin + _DOT * row, width, _DOT)
            x += width
    host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
    sheet.lines([*_wrapped(host, f":{port}"), "code"], x=_RIGHT, y=0)
    sheet.small(_RIGHT, 32, code)
    sheet.invert(_RIGHT - 2, 31, CELL * len(code) + 3, 9)
    sheet.small(_RIGHT, 44, f"{present} here")
    sheet.key(_RIGHT + 1, ROWS[-1], "P2" if sheet.pad.has_ranks else "DOWN", "more")


def _wrapped(host: str, port: str) -> list[str]:
    """Break an address into lines: before the port, and if it is too long after a dot.

    >>> _wrapped("192.168.178.123", ":8121"), _wrapped("10.0.0.7", ":80")
    (['192.168.', '178.123', ':8121'], ['10.0.0.7', ':80'])
    """
    if len(host) <= _CELLS:
        return [host, port]
    half = host.rfind(".", 0, _CELLS) + 1
    return [host[:half], host[half:], port]


@lru_cache(maxsize=2)
def modules_of(link: str) -> tuple[tuple[bool, ...], ...]:
    """Return the QR code of *link* as rows of modules, True if dark, without the quiet zone around it."""
    import segno  # noqa: PLC0415  only one screen needs it

    code = segno.make_qr(link, error="l", boost_error=True)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)
