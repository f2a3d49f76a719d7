"""The screen of the match: what each side has won in it, and who won it once it is decided."""

from __future__ import annotations

from typing import Final

from cribpi.core.state import Phase, State
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, WIDTH
from cribpi.views.glass.screens.outcomes import signed
from cribpi.views.glass.screens.scores import bar_of_scores
from cribpi.views.glass.sheet import KEYS_RIGHT, ROWS, Sheet
from cribpi.views.glass.wording import labels, side_label

_LABEL: Final = 6
"""Cells of the words at the left of the table."""
_HEAD: Final = 11
"""The top of the names, in px; what they have won stands below."""


def match_so_far(sheet: Sheet, state: State) -> None:
    """Show games, points, skunks and spread, a column a side; the winner's name is lit."""
    _table(sheet, state, _heading(state))
    is_over = state.phase is Phase.MATCH_OVER
    sheet.keys("OK")
    if not is_over:
        sheet.small(KEYS_RIGHT, ROWS[-1], length_of(state), align="right")


def end_match(sheet: Sheet, state: State) -> None:
    """Ask whether a new game is to end the match, and show what each side has won in it."""
    _table(sheet, state, texts.END_MATCH)
    sheet.keys_apart("OK", "UNDO")


def _table(sheet: Sheet, state: State, heading: str) -> None:
    bar_of_scores(sheet, state)
    pitch = (WIDTH - _LABEL * CELL) // state.sides
    names = labels(
        [side_label(state, side) for side in range(state.sides)], [pitch // CELL - 1] * state.sides
    )
    sheet.small(1, _HEAD, heading)
    standing = state.standing
    for side, name in enumerate(names):
        right = _LABEL * CELL + (side + 1) * pitch - 1
        sheet.small(right, _HEAD, name, align="right")
        if side in state.match_winners:
            width = len(name) * CELL + 1
            sheet.plate(right - width, _HEAD - 1, width + 1, 9)
        one = standing[side]
        for place, value in enumerate((one.games, one.points, one.skunks, signed(one.spread))):
            sheet.small(right, _row(place), str(value), align="right")
    for place, label in enumerate(texts.STANDING):
        sheet.small(1, _row(place), label)


def length_of(state: State) -> str:
    """Say how long the match is; an empty text where it has no end."""
    rules = state.rules
    if rules.games_in_match is not None:
        return texts.BEST_OF.format(number=rules.games_in_match)
    return texts.FIRST_TO.format(number=rules.games_to_win) if rules.games_to_win is not None else ""


def games(state: State) -> str:
    """Write the games won, a side each; an empty text before the first."""
    return "-".join(map(str, state.games)) if any(state.games) else ""


def _heading(state: State) -> str:
    if not state.match_winners:
        return texts.MATCH
    return texts.MATCH_WON if len(state.match_winners) == 1 else texts.MATCH_EQUAL


def _row(place: int) -> int:
    return _HEAD + 10 + place * 8
