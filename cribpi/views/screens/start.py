"""Screens before the play: nobody is playing, the cut for the deal, the deal itself."""

from __future__ import annotations

from typing import Final

from cribpi.core.state import Deal, State
from cribpi.views import texts
from cribpi.views.canvas import CELL, WIDTH
from cribpi.views.screens.cards import draw_back, draw_card
from cribpi.views.screens.outcomes import told
from cribpi.views.screens.scores import scores
from cribpi.views.screens.sheet import ROWS, Sheet
from cribpi.views.screens.wording import fitted, labels, large, paragraph

_MIDDLE: Final = WIDTH // 2
_SHIFTS: Final = ((0, 0), (1, 0), (2, 1), (1, 2), (0, 2), (-1, 1), (-2, 0), (-1, 0))
"""Where the idle screen stands, in px from its place, one after the other."""


def idle(sheet: Sheet, shift: int, trouble: tuple[str, ...]) -> None:
    """Invite to a game; trouble with a device is told in full here, one after the other."""
    x, y = _SHIFTS[shift % len(_SHIFTS)]
    write_sign(sheet, x)
    if trouble:
        for row, line in enumerate(paragraph(trouble[shift % len(trouble)], 4)):
            sheet.small(1, 20 + row * 8, line)
    else:
        sheet.small(_MIDDLE + x, y + 31, texts.INVITATION, align="centre")
    sheet.keys_apart(("OK", texts.BEGIN), ("MENU", ""))


def write_sign(sheet: Sheet, x: int = 0) -> None:
    """Write the name, *x* px off the middle, between two rows of holes with two pegs in each, as on a board."""
    sheet.medium(_MIDDLE + x, 0, texts.PRODUCT, align="centre")
    for hole in range(5):
        for left, pegs in ((6, {1, 3}), (94, {0, 2})):
            at = left + x + hole * 6
            if hole in pegs:
                sheet.fill(at, 5, 4, 4)
            else:
                sheet.fill(at + 1, 6, 2, 2)


def cut(sheet: Sheet, state: State) -> None:
    """Tell what each has cut for the deal, and who cuts next."""
    scores(sheet, state)
    sheet.title(texts.CUT_AGAIN if state.ties else texts.CUT)
    pitch = {2: 56, 3: 42, 4: 31}[state.players]
    names = labels(state.names, [(pitch - 4) // CELL] * state.players)
    for seat, name in enumerate(names):
        middle = _MIDDLE + pitch * (2 * seat - state.players + 1) // 2
        drawn = state.cuts[seat]
        if drawn is None:
            draw_back(sheet, middle - 14, 27)
        else:
            draw_card(sheet, middle - 14, 27, drawn)
        if seat == state.next_to_cut:
            sheet.edge(middle - 14, 27, 28, 19)
            sheet.medium(middle, 29, "?", align="centre")
        sheet.small(middle, 47, name, align="centre")
    sheet.keys((texts.ANY_RANK, texts.THE_CUT), ("OK", texts.BY_CHANCE))


def deal(sheet: Sheet, state: State, deal: Deal) -> None:
    """Tell who deals how many, what was pegged last, and ask for the starter."""
    scores(sheet, state)
    dealer = state.names[deal.dealer]
    write_dealer(sheet, dealer)
    sheet.row(2, texts.DEALT[state.players])
    if state.players == 3:
        sheet.row(3, texts.FROM_PACK)
    else:
        sheet.row(3, fitted(texts.CUTS_STARTER, name=state.names[deal.show_order[0]]))
    sheet.row(4, told(state))
    sheet.keys((texts.ANY_RANK, texts.THE_STARTER))


def write_dealer(sheet: Sheet, name: str) -> None:
    """Write who deals, in the medium face."""
    sheet.medium(1, ROWS[0], large(texts.DEALS, name))
