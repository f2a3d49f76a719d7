"""Screens before the play: nobody is playing, the cut for the deal, the deal itself."""

from __future__ import annotations

from typing import Final

from cribpi.core.deal import Deal
from cribpi.core.events import Entry
from cribpi.core.state import State
from cribpi.entry.keys import RANKS, SIDES
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, COLUMNS, MARGIN, WIDTH, fit
from cribpi.views.glass.caps import cap
from cribpi.views.glass.screens.cards import draw_back, draw_card
from cribpi.views.glass.screens.match import games
from cribpi.views.glass.screens.outcomes import told_in_full
from cribpi.views.glass.screens.scores import scores
from cribpi.views.glass.sheet import ROWS, Sheet
from cribpi.views.glass.wording import fitted, labels, large, paired, paragraph

_MIDDLE: Final = WIDTH // 2
_DEAL_ROWS: Final = 3
"""Rows between who deals and the keys."""
_SHIFTS: Final = ((0, 0), (1, 0), (2, 1), (1, 2), (0, 2), (-1, 1), (-2, 0), (-1, 0))
"""Where the idle screen stands, in px from its place, one after the other."""


def idle(sheet: Sheet, shift: int, trouble: tuple[str, ...]) -> None:
    """Invite to a game; trouble with a device is told in full here, one after the other."""
    x, y = _SHIFTS[shift % len(_SHIFTS)]
    write_sign(sheet, x)
    held = _held_menu(sheet)
    if trouble:
        for row, line in enumerate(paragraph(trouble[shift % len(trouble)], 4)):
            sheet.small(1, 20 + row * 8, line)
    else:
        sheet.small(_MIDDLE + x, y + (28 if held else 31), texts.INVITATION, align="centre")
        if held:
            sheet.key(MARGIN + 1, 46, held, texts.HELD_MENU)
    is_plain = cap("MENU", sheet.pad) in {"MENU", None}
    sheet.keys_apart("OK", ("MENU", "") if is_plain else "MENU")


def _held_menu(sheet: Sheet) -> str | None:
    """Return the key whose long press is the menu, where there is no key of its own for it."""
    if sheet.pad.reach("MENU"):
        return None
    return next((key for key, longer in sheet.pad.holds if longer == "MENU"), None)


def write_sign(sheet: Sheet, x: int = 0) -> None:
    """Write the name, *x* px off the middle, between two rows of holes with two pegs in each."""
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
    if state.rules.first_dealer != "low-cut":
        _first_dealer(sheet, state)
        return
    won = texts.CUT_WON.format(games=games(state)) if games(state) else texts.CUT
    sheet.title(texts.CUT_AGAIN if state.ties else fit(won, COLUMNS))
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
    if state.entry is Entry.DEALT:
        sheet.keys("OK")
    else:
        sheet.keys((texts.ANY_RANK, texts.THE_CUT), "OK")


def _first_dealer(sheet: Sheet, state: State) -> None:
    """Ask who deals first, where no cards are cut: it is drawn, or the table says."""
    sheet.title(texts.DEALS_FIRST)
    is_drawn = state.rules.first_dealer == "random"
    if is_drawn:
        sheet.small(_MIDDLE, 33, texts.DRAWN, align="centre")
        sheet.keys("OK")
    else:
        pitch = 64 if state.players != 3 else 42
        names = labels(state.names, [(pitch - 4) // CELL - 2] * state.players)
        for seat, name in enumerate(names):
            row, column = divmod(seat, 3 if state.players == 3 else 2)
            key = RANKS[seat] if sheet.pad.has_ranks else (*SIDES[:2], "MENU", "MENU")[seat]
            sheet.key(3 + column * pitch, 31 + row * 12, key, name)
        sheet.row(5, texts.CHOSEN)
    won = games(state)
    if won and state.players < 4:
        sheet.small(_MIDDLE, 46, texts.GAMES.format(games=won), align="centre")


def deal(sheet: Sheet, state: State, deal: Deal) -> None:
    """Tell who deals how many, what was pegged last, and ask for the starter."""
    write_deal(sheet, state, deal)
    sheet.keys((texts.ANY_RANK, texts.THE_STARTER))


def write_deal(sheet: Sheet, state: State, deal: Deal) -> None:
    """Write who deals how many, who cuts, and what was pegged last, or the games won, or who pegs."""
    scores(sheet, state)
    write_dealer(sheet, state.names[deal.dealer])
    told = told_in_full(state) or _beside(state, deal)
    lines = [*_how_many(state, _DEAL_ROWS - 1 - len(told)), _who_cuts(state, deal), *told]
    for row, line in enumerate(lines[-_DEAL_ROWS:], start=2):
        sheet.row(row, line)


def _how_many(state: State, rows: int) -> tuple[str, ...]:
    """Say in *rows* at most how many cards are dealt: with three the crib has one from the pack besides."""
    if state.players != 3 or rows < 1:
        return (texts.DEALT[state.players],)
    return (texts.DEALT[3], texts.FROM_PACK) if rows > 1 else (texts.DEALT_AND_PACK,)


def _who_cuts(state: State, deal: Deal) -> str:
    """Say who cuts and who turns up the starter, by the option `starter_cut`."""
    dealer, left = state.names[deal.dealer], state.names[deal.show_order[0]]
    match state.rules.starter_cut:
        case "pone-cuts":
            return paired(texts.CUTS_FOR, left, dealer)
        case "dealer-turns":
            return fitted(texts.TURNS_STARTER, name=dealer)
        case "left-cuts":
            return fitted(texts.CUTS_STARTER, name=left)


def _beside(state: State, deal: Deal) -> tuple[str, ...]:
    """Tell the games won, where there are any; or which partners move the pegs, once a match."""
    won = games(state)
    if won:
        return (texts.GAMES.format(games=won),)
    if state.rules.scorekeepers and deal.number == 1 and state.entry is not Entry.DEALT:
        first, second = (state.names[seat] for seat in state.rules.scorekeepers)
        return (paired(texts.KEEP_BOARD, first, second),)
    return ()


def write_dealer(sheet: Sheet, name: str) -> None:
    """Write who deals, in the medium face."""
    sheet.medium(1, ROWS[0], large(texts.DEALS, name))
