"""Screens of what is open beside the game: the new game, the menu, corrections."""

from __future__ import annotations

from typing import Final

from cribpi.core.state import State
from cribpi.entry import menus
from cribpi.entry.desk import Correct, Desk, Menu, NewGame
from cribpi.views import texts
from cribpi.views.canvas import CELL, COLUMNS, WIDTH, fit
from cribpi.views.screens.scores import scores, small_scores
from cribpi.views.screens.sheet import TITLE, Sheet
from cribpi.views.screens.wording import fitted, labels, paragraph, side_label

_PITCH: Final = 9
"""Px from one line that can be lit to the next."""

_MENU_LINES: Final = 4
"""How many lines of the menu are seen at once."""


def new_game(sheet: Sheet, state: State, desk: Desk, dialog: NewGame) -> None:
    """Offer the next game: players, target, how it is kept; and name the seats."""
    if state.pegs:
        scores(sheet, state)
        sheet.title(texts.NEW_GAME)
    else:
        sheet.medium(WIDTH // 2, 0, texts.NEW_GAME, align="centre")
        names = desk.setup.seat_names()
        room = (COLUMNS + 1) // len(names) - 1
        sheet.small(WIDTH // 2, 17, " ".join(labels(names, [room] * len(names))), align="centre")
    setup = desk.setup
    lines = (
        ("A", texts.PLAYERS, str(setup.players)),
        ("2", texts.TARGET, str(setup.target)),
        ("3", texts.ENTRY, texts.ENTRIES[setup.entry]),
    )
    for number, (key, name, value) in enumerate(lines):
        _line(sheet, 27 + number * _PITCH, key, name, value, is_at=number == dialog.line)
    sheet.keys(("OK", texts.STARTS), ("P1", texts.LESS), ("P2", texts.MORE_OF))


def _line(sheet: Sheet, y: int, key: str, name: str, value: str, *, is_at: bool) -> None:
    """Write a line that *key* picks, and light the one where the cursor is."""
    sheet.legend.append((key, name))
    sheet.small(2, y, key)
    sheet.small(2 + 2 * CELL, y, name)
    sheet.small(WIDTH - 2, y, value, align="right")
    if is_at:
        _light(sheet, y)


def _light(sheet: Sheet, y: int) -> None:
    sheet.plate(0, y - 1, WIDTH, _PITCH)


def menu(sheet: Sheet, state: State, desk: Desk, dialog: Menu, trouble: tuple[str, ...]) -> None:
    """List what can be done, round the line where the cursor is; trouble is told below."""
    lines = [item.text for item in menus.items(state, desk)]
    at = dialog.line % len(lines)
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
    height = min(_MENU_LINES if not told else 5 - len(told), len(lines))
    first = min(max(at - height // 2, 0), len(lines) - height)
    for place, text in enumerate(lines[first : first + height]):
        y = top + place * _PITCH
        sheet.small(2, y, fit(text, COLUMNS - 1))
        if first + place == at:
            _light(sheet, y)
    if len(lines) > height:
        _scroll_bar(sheet, top, first, height, len(lines))
    for row, line in enumerate(told):
        sheet.small(1, 54 - 8 * (len(told) - row), line)
    sheet.keys(
        ("P1", texts.PREVIOUS),
        ("P2", texts.FOLLOWING),
        ("OK", texts.TAKES),
        ("UNDO", ""),
        gap=4,
    )


def _scroll_bar(sheet: Sheet, top: int, first: int, height: int, lines: int) -> None:
    """Draw at the right edge which part of a long list is seen."""
    whole = height * _PITCH
    start, length = first * whole // lines, -(-height * whole // lines)
    sheet.plate(WIDTH - 2, top - 1 + min(start, whole - length), 2, length)


def correct(sheet: Sheet, state: State, dialog: Correct) -> None:
    """Offer a penalty, or the score put right, with what the score becomes."""
    scores(sheet, state)
    sheet.title(fitted(texts.CORRECT, name=side_label(state, dialog.side)))
    before = state.pegs[dialog.side].front
    after = min(max(before + dialog.penalty, 0), state.rules.target)
    penalty = f"{dialog.penalty:+d} {texts.BECOMES.format(before=before, after=after)}"
    _line(sheet, 28, "A", texts.PENALTY, penalty, is_at=dialog.line == 0)
    _line(sheet, 37, "2", texts.SCORE, str(dialog.score), is_at=dialog.line == 1)
    sheet.keys(("OK", texts.APPLIES), ("P1", texts.LESS), ("P2", texts.MORE_OF), ("UNDO", ""), gap=4)
