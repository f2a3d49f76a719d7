"""Screens of a show that the players count themselves: what is on the table, never what it is worth."""

from __future__ import annotations

from typing import Final

from cribpi.core.deal import Deal
from cribpi.core.state import Phase, State
from cribpi.entry import by_cards
from cribpi.entry.desk import Desk
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, MARGIN, WIDTH
from cribpi.views.glass.screens.cards import laid_out
from cribpi.views.glass.screens.outcomes import told, wrong_count
from cribpi.views.glass.screens.scores import scores
from cribpi.views.glass.sheet import ROWS, Sheet
from cribpi.views.glass.wording import claimed

_BOX: Final = 41
"""Width of the box for the count, in px."""
_RIGHT: Final = 46
"""Where the words beside it begin."""
_CELLS: Final = (WIDTH - _RIGHT) // CELL


def claiming(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    """Ask for a player's count; what the last one came to is told until the first key, and FLNB after it."""
    scores(sheet, state)
    if deal.starter is None:
        return
    what = texts.CRIB if state.phase is Phase.CRIB else texts.HAND
    sheet.row(0, f"{what} {laid_out(by_cards.shown(state), deal.starter)}")
    sheet.edge(MARGIN, ROWS[1] + 1, _BOX, 28)
    middle = MARGIN + _BOX // 2
    if desk.typed:
        sheet.big(middle, ROWS[1] + 3, str(desk.amount), align="centre")
    else:
        sheet.medium(middle, ROWS[1] + 7, "?", align="centre")
    is_told = not desk.typed and is_new(state, deal)
    told_lines = wrong_count(state, _CELLS) if is_told else ()
    beside = told_lines or (texts.COUNTED if desk.typed else texts.YOUR_COUNT,)
    for row, line in enumerate(beside, start=1):
        sheet.row(row, line, x=_RIGHT)
    if not told_lines:
        _write_choice(sheet, state, desk)
    if is_told and not told_lines and state.last is not None:
        sheet.row(4, texts.BEFORE.format(told=told(state, _CELLS - 2)), x=_RIGHT)
    ask_count(sheet, state, desk)


def is_new(state: State, deal: Deal) -> bool:
    """Tell whether nothing of the next show has been turned up yet, so that the last one is still news."""
    return not (deal.turned if state.phase is Phase.CRIB else deal.held[deal.shower])


def _write_choice(sheet: Sheet, state: State, desk: Desk) -> None:
    """Write what FLNB has chosen, or could; what the count itself speaks of is not given away."""
    possible = by_cards.claims(state)
    if len(possible) < 2:
        return
    claim = possible[desk.claim % len(possible)]
    is_chosen = bool(desk.claim and claim.points)
    flush, nobs = any(one.flush for one in possible), any(one.nobs for one in possible)
    label = claimed(claim) if is_chosen else texts.ASKS[flush, nobs]
    y = ROWS[2] + 4
    sheet.key(_RIGHT, y, "FLNB", label if sheet.key_width("FLNB", label) < 126 - _RIGHT else texts.ASKS_BOTH)


def ask_count(sheet: Sheet, state: State, desk: Desk) -> None:
    """Say which keys take a player's count."""
    if desk.typed and not by_cards.can_count(state, desk.amount):
        sheet.keys_apart((texts.ANY_RANK, texts.COUNTS), ("UNDO", ""))
    elif desk.typed:
        sheet.keys_apart("OK", ("UNDO", ""))
    else:
        sheet.keys((texts.ANY_RANK, texts.COUNTS), "GO")
