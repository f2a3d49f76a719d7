"""The screen of the phones at the table: a QR code to join by, and who is here."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cribpi.companion.entry.choice import Rows
from cribpi.companion.entry.desk import PhoneList
from cribpi.companion.entry.device import phones_of
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import CELL, WIDTH
from cribpi.companion.views.screen.layouts.lists import listed
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.sheet import ROWS, Sheet
from cribpi.companion.views.screen.wording import paragraph
from cribpi.cribbage.game.state import State

_HEIGHT: Final = 64
_DOT: Final = 2
"""Px to a module: a camera at arm's length tells them apart."""
_GROUND: Final = 64
"""Px of the lit ground, as wide as it is high: 7 px round a code of 25 modules."""
_RIGHT: Final = _GROUND + 3
_CELLS: Final = (WIDTH - _RIGHT) // CELL


def phones_off(sheet: Sheet, state: State, _: PhoneList) -> None:
    """Ask whether phones are to be let in; or say why none can join."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.asks, 4))
    sheet.keys("OK", ("UNDO", ""), gap=4)


def phone_list(sheet: Sheet, state: State, rows: Rows) -> None:
    """Show how a phone joins, or who is here."""
    phones = phones_of(sheet.place.desk)
    if rows.at:
        listed(sheet, state, rows)
    elif phones.joins_at:
        _join(sheet, phones.joins_at, phones.address, phones.code, len(phones.present))
    else:
        phones_off(sheet, state, PhoneList())


def _join(sheet: Sheet, link: str, address: str, code: str, present: int) -> None:
    """Draw the code at the left, and at the right what to type where there is no camera."""
    sheet.fill(0, 0, _GROUND, _HEIGHT)
    modules = modules_of(link)
    margin = (_GROUND - _DOT * len(modules)) // 2
    for row, line in enumerate(modules):
        for first, length in _dark_runs(line):
            x, y = margin + _DOT * first, margin + _DOT * row
            sheet.plate(x, y, _DOT * length, _DOT)
    host, _, port = address.removeprefix("http://").rstrip("/").partition(":")
    sheet.lines([*_wrapped(host, f":{port}"), texts.CODE], x=_RIGHT, y=0)
    sheet.small(_RIGHT, 32, code)
    sheet.plate(_RIGHT - 2, 31, CELL * len(code) + 3, 9)
    sheet.small(_RIGHT, 44, texts.PHONES_HERE.format(number=present))
    sheet.key(_RIGHT + 1, ROWS[-1], "P2" if sheet.pad.has_ranks else "DOWN", texts.MORE_LINES)


def _wrapped(host: str, port: str) -> list[str]:
    """Break an address where it can be: after a dot, and before the port.

    >>> _wrapped("192.168.178.123", ":8121"), _wrapped("10.0.0.7", ":80")
    (['192.168.', '178.123', ':8121'], ['10.0.0.7', ':80'])
    """
    if len(host) <= _CELLS:
        return [host, port]
    half = host.rfind(".", 0, _CELLS) + 1
    return [host[:half], host[half:], port]


@lru_cache(maxsize=2)
def modules_of(link: str) -> tuple[tuple[bool, ...], ...]:
    """Return the QR code of *link*, row by row, True where it is dark; without the quiet zone round it."""
    import segno  # noqa: PLC0415  for the one screen that needs it

    code = segno.make_qr(link, error="l", boost_error=True)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


def _dark_runs(line: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return where each run of dark modules begins in *line*, and how long it is.

    >>> _dark_runs((True, False, True, True))
    [(0, 1), (2, 2)]
    """
    runs: list[tuple[int, int]] = []
    for at, dark in enumerate(line):
        if dark and runs and sum(runs[-1]) == at:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        elif dark:
            runs.append((at, 1))
    return runs
