"""Screens of what is open beside the game: the new game, and the menu."""

from __future__ import annotations

from typing import Final

from cribpi.core.state import State
from cribpi.entry import texts as choice_texts
from cribpi.entry.desk import Desk, Menu, NewGame, Setup
from cribpi.entry.dialogs.menu import items
from cribpi.entry.dialogs.new_game import field_of, new_game_lines
from cribpi.entry.keys import RANKS
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import COLUMNS, WIDTH, fit
from cribpi.views.glass.lines import PITCH, scroll_bar, write_line
from cribpi.views.glass.screens.scores import scores, small_scores
from cribpi.views.glass.sheet import TITLE, Key, Sheet
from cribpi.views.glass.wording import labels, paragraph

_LONG_RULES: Final = 14
"""Letters of rules beside which there is no room for more than a short word."""
_MENU_LINES: Final = 4
"""How many lines of the menu are seen at once."""


def new_game(sheet: Sheet, state: State, desk: Desk, dialog: NewGame) -> None:
    """Offer the next game: players, target, how it is kept, by whose rules; and name the seats."""
    if state.pegs:
        small_scores(sheet, state)
    else:
        names = desk.setup.seat_names()
        room = (COLUMNS + 1) // len(names) - 1
        sheet.small(WIDTH // 2, 0, " ".join(labels(names, [room] * len(names))), align="centre")
    sheet.title(texts.NEW_GAME, TITLE - 8)
    lines = new_game_lines(desk.setup)
    at = min(dialog.line, len(lines) - 1)
    first = min(max(at - _MENU_LINES // 2, 0), len(lines) - _MENU_LINES)
    for number in range(first, first + _MENU_LINES):
        y = TITLE + 2 + (number - first) * PITCH
        name, value = _field(lines[number], desk.setup)
        is_long = len(lines) > _MENU_LINES
        write_line(sheet, y, RANKS[number], name, value, is_at=number == at, is_short=is_long)
    if len(lines) > _MENU_LINES:
        scroll_bar(sheet, TITLE + 2, first, _MENU_LINES, len(lines))
    if sheet.pad.has_ranks:
        sheet.keys("OK", "P1", "P2")
    else:
        sheet.keys(("UP", ""), ("DOWN", ""), "OK", "P1", "P2", gap=4)


def _field(line: str, setup: Setup) -> tuple[str, str]:
    """Return the name of a line of the new-game menu, and what is set up there."""
    name, value = field_of(line, setup)
    if line == "rules" and len(value) >= _LONG_RULES:
        return texts.BY_RULES, value
    if line == "entry":
        value = choice_texts.ENTRIES[setup.entry].short
    return name if line.isdigit() else name.lower(), value


def sentence(sheet: Sheet, state: State) -> None:
    """Show what an open dialog asks, and what can be chosen: for one that has no screen of its own."""
    if state.pegs:
        scores(sheet, state)
    for row, line in enumerate(paragraph(sheet.asks, 5)):
        sheet.row(row, line)
    sheet.keys(*sheet.likely())


def menu(sheet: Sheet, state: State, desk: Desk, dialog: Menu, trouble: tuple[str, ...]) -> None:
    """List what can be done, round the line where the cursor is; trouble is told below."""
    listed = [item.text.short for item in items(state, desk)]
    at = dialog.line % len(listed)
    told = paragraph(trouble[at % len(trouble)], 4) if trouble else ()
    top = TITLE - 8 if told else TITLE
    if state.pegs and told:
        small_scores(sheet, state)
    elif state.pegs:
        scores(sheet, state)
    elif told:
        sheet.small(WIDTH // 2, 0, texts.MENU, align="centre")
    else:
        sheet.medium(WIDTH // 2, 0, texts.MENU, align="centre")
    height = min(_MENU_LINES if not told else 5 - len(told), len(listed))
    first = min(max(at - height // 2, 0), len(listed) - height)
    is_long = len(listed) > height
    for number in range(first, first + height):
        key = RANKS[number] if number < len(RANKS) else ""
        y, room = top + (number - first) * PITCH, COLUMNS - 1 - max(len(key), 1)
        text = fit(listed[number], room)
        write_line(sheet, y, key, text, is_at=number == at, is_short=is_long)
    if is_long:
        scroll_bar(sheet, top, first, height, len(listed))
    for row, line in enumerate(told):
        sheet.small(1, 54 - 8 * (len(told) - row), line)
    moves: tuple[Key, ...] = ("P1", "P2") if sheet.pad.has_ranks else (("UP", ""), ("DOWN", ""))
    sheet.keys(*moves, ("OK", texts.SELECTS), ("UNDO", ""), gap=4)
