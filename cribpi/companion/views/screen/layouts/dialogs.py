"""Screens of what is open beside the game: the new game, the menu, and a table's corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from cribpi.companion.entry import corrections
from cribpi.companion.entry import texts as choice_texts
from cribpi.companion.entry.choice import capital
from cribpi.companion.entry.debounce import HOLD_TO_SHUT_DOWN
from cribpi.companion.entry.desk import ChangeSettings, Correct, FalseWin, Menu, NewGame, Setup, Status
from cribpi.companion.entry.dialogs.menu import items
from cribpi.companion.entry.dialogs.new_game import field_of, new_game_lines
from cribpi.companion.entry.dialogs.settings import RESET, settings_lines
from cribpi.companion.entry.dialogs.status import page_address, version
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, WIDTH, fit, fit_width
from cribpi.companion.views.screen.font import SMALL
from cribpi.companion.views.screen.layouts.scores import scores, small_scores
from cribpi.companion.views.screen.sheet import TITLE, Sheet, cap
from cribpi.companion.views.screen.wording import fitted, labels, paragraph
from cribpi.cribbage.game.events import FalseWinRuled
from cribpi.cribbage.game.state import State, side_name
from cribpi.cribbage.game.step import step
from cribpi.cribbage.game.steps.corrections import FALSE_WIN_BACK

_LONG_RULES: Final = 14
"""Letters of rules beside which there is no room for more than a short word."""
_MENU_LINES: Final = 4
"""How many lines of the menu are seen at once."""
_FEW: Final = 3
"""How many lines are seen below scores of the usual size."""

_PITCH: Final = 9
"""Px from one line that can be lit to the next."""
_COLUMN: Final = 24
"""Px from the end of a column of scores to that of the next."""
_TITLE_CELLS: Final = 13
"""Cells of a title beside the heads of two columns."""
_GAP: Final = 3
"""Px between a key and the name of its line."""
_BAR: Final = 2
"""Width of the bar beside a long list, in px."""


def new_game(sheet: Sheet, state: State, dialog: NewGame) -> None:
    """Offer the next game: players, target, how it is kept, by whose rules; and name the seats."""
    setup = sheet.place.desk.setup
    small_scores(sheet, state)
    if not state.pegs:
        names = setup.seat_names()
        room = (COLUMNS + 1) // len(names) - 1
        sheet.small(WIDTH // 2, 0, " ".join(labels(names, [room] * len(names))), align="centre")
    sheet.title(texts.NEW_GAME, TITLE - 8)
    lines = [_field(line, setup) for line in new_game_lines(setup)]
    write_list(sheet, TITLE + 2, lines, min(dialog.line, len(lines) - 1), _MENU_LINES)
    sheet.keys(*sheet.stick, "OK", "P1", "P2", gap=4 if sheet.stick else CELL)


def _field(line: str, setup: Setup) -> tuple[str, str]:
    """Return the name of a line of the new-game menu, and what is set up there."""
    name, value = field_of(line, setup)
    if line == "rules" and len(value) >= _LONG_RULES:
        return texts.BY_RULES, value
    if line == "entry":
        value = choice_texts.ENTRIES[setup.entry].short
    return name if line.isdigit() else name.lower(), value


def settings(sheet: Sheet, state: State, dialog: ChangeSettings) -> None:
    """List the settings of the table and its device, each with its value."""
    lines = [(name, value[:1].lower() + value[1:]) for name, value in settings_lines(sheet.place.desk)]
    small_scores(sheet, state)
    reset = sheet.pad.hold_of(RESET)
    is_changed = reset is not None and sheet.place.desk.has_changes
    sheet.title(texts.HOLD_TO_RESET.format(key=reset) if is_changed else texts.SETTINGS, TITLE - 8)
    write_list(sheet, TITLE + 2, lines, dialog.line % len(lines), _MENU_LINES)
    sheet.keys(*sheet.stick, "OK", "P1", "P2", "GO", gap=4 if sheet.stick or sheet.offered("GO") else CELL)


def status(sheet: Sheet, state: State, dialog: Status) -> None:
    """Tell what runs here, where phones find it and how much is wrong; on each page after it one of that."""
    troubles, pages = sheet.trouble, len(sheet.trouble) + 1
    page = dialog.line % pages
    small_scores(sheet, state)
    title = texts.STATUS_PAGE.format(number=page, sum=len(troubles)) if page else texts.STATUS
    sheet.title(title, TITLE - 8)
    if page:
        told = paragraph(capital(troubles[page - 1]), _MENU_LINES)
    else:
        desk = sheet.place.desk
        told = (version(), page_address(desk) or texts.NO_PHONES, "", texts.WRONG[min(len(troubles), 2)])
    sheet.lines((line.format(number=len(troubles)) for line in told), y=TITLE + 3)
    following = ("DOWN", "") if sheet.stick else ("P2", texts.MORE_LINES)
    sheet.keys("OK", *[following] * bool(troubles))


def sentence(sheet: Sheet, state: State, _: object) -> None:
    """Show what an open dialog asks, and what can be chosen: for one that has no screen of its own."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.asks, 5))
    sheet.keys(*sheet.likely())


def switch_off(sheet: Sheet, state: State, _: object) -> None:
    """Ask whether the machine is to be switched off, or to start again; name the shorter way to the first."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.asks, 3))
    held = sheet.pad.hold_of("hold:MENU")
    if held is not None:
        sheet.row(3, texts.HOLD_FOR_OFF.format(key=held, number=round(HOLD_TO_SHUT_DOWN)))
    sheet.keys("P1", "P2", ("UNDO", ""), gap=4)


def menu(sheet: Sheet, state: State, dialog: Menu) -> None:
    """List what can be done, round the line where the cursor is; of trouble a line stands above."""
    listed = [(item.text.short, "") for item in items(state, sheet.place.desk)]
    at = dialog.line % len(listed)
    head, title = (small_scores, sheet.small) if sheet.trouble else (scores, sheet.medium)
    head(sheet, state)
    if not state.pegs:
        title(WIDTH // 2, 0, texts.MENU, align="centre")
    if sheet.trouble:
        sheet.small(1, SMALL.height, fit(capital(sheet.trouble[at % len(sheet.trouble)]), COLUMNS))
    write_list(sheet, sheet.title_top, listed, at, _MENU_LINES)
    sheet.keys(*(sheet.stick or ("P1", "P2")), ("OK", texts.SELECTS), ("UNDO", ""), gap=4)


# --- corrections --------------------------------------------------------------------------------------


def correct(sheet: Sheet, state: State, dialog: Correct) -> None:
    """Offer what *dialog*'s side can ask for, with what it would come to."""
    names = corrections.lines(state)
    lines = [_CORRECTIONS[what](state, dialog) for what in names]
    at = dialog.line % len(lines)
    is_few = len(lines) <= _FEW
    head, top, seen = (scores, sheet.title_top, _FEW) if is_few else (small_scores, TITLE - 8, _FEW + 1)
    head(sheet, state)
    is_long = len(lines) > seen
    title = fitted(texts.CORRECT, _TITLE_CELLS, name=side_name(state, dialog.side))
    if names[at] == "false-win":
        title = _gets(state, dialog.side)
    sheet.small(1, top, title)
    for right, word in zip(_columns(is_short=is_long), texts.WAS_NOW, strict=True):
        sheet.small(right, top, word, align="right")
    sheet.plate(0, top - 1, WIDTH, _PITCH)
    write_list(sheet, top + 11, lines, at, seen)
    if sheet.offered("P1"):
        _write_keys_that_change(sheet)
    elif sheet.stick:
        sheet.keys(*sheet.stick, "OK", ("UNDO", ""), gap=4)
    else:
        sheet.keys_apart("OK", ("UNDO", ""))


def _gets(state: State, side: int) -> str:
    """Say what the others get if *side* has claimed the game falsely."""
    others = [side_name(state, one) for one in range(state.sides) if one != side]
    left = state.rules.target - state.pegs[side].front
    return fitted(texts.GETS, _TITLE_CELLS, name="+".join(others), points=left)


def _penalty(state: State, dialog: Correct) -> Line:
    return f"{texts.PENALTY} {dialog.penalty:+d}", _moved(state, dialog.side, dialog.penalty)


def _score(state: State, dialog: Correct) -> Line:
    return texts.SCORE, _moved(state, dialog.side, dialog.score - state.pegs[dialog.side].front)


def _muggins(state: State, dialog: Correct) -> Line:
    points = dialog.muggins
    if points < 0:
        name = side_name(state, corrections.missed_by(state, dialog.side))
        return texts.WRONG_CALL, fitted(texts.TAKE_POINTS, 8, name=name, points=f"{-points:+d}")
    if not points:
        return texts.MUGGINS, texts.NOTHING_MISSED
    return f"{texts.MUGGINS} {points:+d}", _moved(state, dialog.side, points)


def _false_claim(state: State, dialog: Correct) -> Line:
    return texts.FALSE_WIN, _moved(state, dialog.side, -FALSE_WIN_BACK)


def _misdeal(_: State, __: Correct) -> Line:
    return texts.MISDEAL, texts.DEAL_AGAIN


_CORRECTIONS: Final = {
    "penalty": _penalty,
    "score": _score,
    "muggins": _muggins,
    "false-win": _false_claim,
    "misdeal": _misdeal,
}
"""The name of each of `corrections.LINES`, and what it would come to."""


def _moved(state: State, side: int, points: int) -> tuple[str, str]:
    before = state.pegs[side].front
    return str(before), str(min(max(before + points, 0), state.rules.target))


def false_win(sheet: Sheet, state: State, dialog: FalseWin) -> None:
    """Ask for the true score of a side that has not won, with what that comes to for everybody."""
    scores(sheet, state)
    sheet.title(fitted(texts.NOT_WON, name=side_name(state, dialog.side).upper()))
    _write_line(sheet, 28, "", texts.TRUE_SCORE, str(dialog.score), is_at=True)
    after = step(state, FalseWinRuled(dialog.side, dialog.score)).scores()
    moved = [side for side, before in enumerate(state.scores()) if after[side] != before]
    names = labels([side_name(state, side) for side in moved], [COLUMNS - 9] * len(moved))
    becomes = (texts.BECOMES.format(before=state.pegs[side].front, after=after[side]) for side in moved)
    sheet.lines(map(" ".join, zip(names, becomes, strict=True)), x=1 + CELL, y=38)
    _write_keys_that_change(sheet)


def _write_keys_that_change(sheet: Sheet) -> None:
    """Say which keys change a number, by how much; before them, those that pick a line."""
    picks = sheet.stick if sheet.offered("DOWN") else ()
    sheet.keys(*picks, ("OK", ""), "P1", "P2", "FLNB", gap=3)


# --- lists --------------------------------------------------------------------------------------------


Line: TypeAlias = tuple[str, str | tuple[str, str]]
"""A name and its value, or what the value was and what it becomes."""


def write_list(sheet: Sheet, y: int, lines: Sequence[Line], at: int, seen: int) -> None:
    """Write as many *lines* as are *seen*, round the one that the cursor is *at*.

    The first has its top at *y*.  At the right edge of a longer list a bar shows which part of it is seen.
    """
    first = max(min(at - seen // 2, len(lines) - seen), 0)
    is_long = len(lines) > seen
    for number, (name, value) in enumerate(lines[first : first + seen], start=first):
        key = RANKS[number] if number < len(RANKS) else ""
        top = y + (number - first) * _PITCH
        _write_line(sheet, top, key, name, value, is_at=number == at, is_short=is_long)
    if is_long:
        whole = seen * _PITCH
        start, length = first * whole // len(lines), -(-seen * whole // len(lines))
        sheet.fill(WIDTH - _BAR, y - 1 + min(start, whole - length), _BAR, length)


def _columns(*, is_short: bool) -> tuple[int, int]:
    """Return where the columns of what was and what is now end, in px."""
    right = _end(is_short=is_short)
    return right - _COLUMN, right


def _end(*, is_short: bool) -> int:
    return WIDTH - (_BAR + 2 if is_short else 1)


def _write_line(
    sheet: Sheet,
    y: int,
    key: str,
    name: str,
    value: str | tuple[str, str],
    *,
    is_at: bool,
    is_short: bool = False,
) -> None:
    """Write a line that *key* picks, lit where the cursor is; one that *is_short* has a bar beside it."""
    right, first = _end(is_short=is_short), 0
    if isinstance(value, tuple):
        was, value = value
        first = _columns(is_short=is_short)[0] - right
        sheet.small(right + first, y, was, align="right")
        first -= SMALL.width_of(was) - SMALL.width_of(value)
    # A rank key that stands for a side changes a line, and picks none.
    shown = "" if key in dict(sheet.pad.sides) else cap(key, sheet.pad) or ""
    if shown:
        sheet.legend.append((key, name))
        sheet.small(2, y, shown, inverse=True)
    left = 2 + len(shown) * CELL + _GAP * bool(shown)
    room = right + first - SMALL.width_of(value) - _GAP - left if value else right - left
    sheet.small(left, y, fit_width(name, room, SMALL))
    sheet.small(right, y, value, align="right")
    if is_at:
        sheet.plate(0, y - 1, right + 1 - is_short, _PITCH)
