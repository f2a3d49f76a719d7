"""Screens of dialogs that are no list: a question, the status, a game that was not won."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.choice import capital
from cribpi.companion.entry.debounce import HOLD_TO_SHUT_DOWN
from cribpi.companion.entry.desk import FalseWin, Status
from cribpi.companion.entry.device import page_address, version
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, WIDTH
from cribpi.companion.views.screen.layouts.lists import write_keys_of_number
from cribpi.companion.views.screen.layouts.scores import scores, small_scores
from cribpi.companion.views.screen.sheet import TITLE, Sheet
from cribpi.companion.views.screen.wording import fitted, labels, paragraph
from cribpi.cribbage.game.events import FalseWinRuled
from cribpi.cribbage.game.state import State, side_name
from cribpi.cribbage.game.step import step

_LINES: Final = 4
"""Lines of a page of the status."""


def sentence(sheet: Sheet, state: State, _: object) -> None:
    """Show what an open dialog asks, and what can be chosen: for one that has no screen of its own."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.asks, 5))
    sheet.keys(*sheet.likely())


def status(sheet: Sheet, state: State, dialog: Status) -> None:
    """Tell what runs here, where phones find it and how much is wrong; on each page after it one of that."""
    troubles, pages = sheet.trouble, len(sheet.trouble) + 1
    page = dialog.line % pages
    small_scores(sheet, state)
    title = texts.STATUS_PAGE.format(number=page, sum=len(troubles)) if page else texts.STATUS
    sheet.title(title, TITLE - 8)
    if page:
        told = paragraph(capital(troubles[page - 1]), _LINES)
    else:
        desk = sheet.place.desk
        told = (version(), page_address(desk) or texts.NO_PHONES, "", texts.WRONG[min(len(troubles), 2)])
    sheet.lines((line.format(number=len(troubles)) for line in told), y=TITLE + 3)
    following = ("DOWN", "") if sheet.stick else ("P2", texts.MORE_LINES)
    sheet.keys("OK", *[following] * bool(troubles))


def switch_off(sheet: Sheet, state: State, _: object) -> None:
    """Ask whether the machine is to be switched off, or to start again; name the shorter way to the first."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.asks, 3))
    held = sheet.pad.hold_of("hold:MENU")
    if held is not None:
        sheet.row(3, texts.HOLD_FOR_OFF.format(key=held, number=round(HOLD_TO_SHUT_DOWN)))
    sheet.keys("P1", "P2", ("UNDO", ""), gap=4)


def false_win(sheet: Sheet, state: State, dialog: FalseWin) -> None:
    """Ask for the true score of a side that has not won, with what that comes to for everybody."""
    scores(sheet, state)
    sheet.title(fitted(texts.NOT_WON, name=side_name(state, dialog.side).upper()))
    sheet.small(2, 28, texts.TRUE_SCORE)
    sheet.small(WIDTH - 1, 28, str(dialog.score), align="right")
    sheet.plate(0, 27, WIDTH, 9)
    after = step(state, FalseWinRuled(dialog.side, dialog.score)).scores()
    moved = [side for side, before in enumerate(state.scores()) if after[side] != before]
    names = labels([side_name(state, side) for side in moved], [COLUMNS - 9] * len(moved))
    becomes = (texts.BECOMES.format(before=state.pegs[side].front, after=after[side]) for side in moved)
    sheet.lines(map(" ".join, zip(names, becomes, strict=True)), x=1 + CELL, y=38)
    write_keys_of_number(sheet)
