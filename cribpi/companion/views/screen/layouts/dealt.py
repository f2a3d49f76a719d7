"""Screens of a game that the computer deals: the hand of the person who may see it."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry import by_dealing
from cribpi.companion.entry.desk import Desk
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import MARGIN, WIDTH
from cribpi.companion.views.screen.layouts import play, start
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.sheet import KEYS_RIGHT, ROWS, Sheet
from cribpi.companion.views.screen.wording import fitted
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.steps.deal import his_heels

_WIDEST: Final = 25
"""Px from one card of a hand to the next, at the most; six of them fill the glass with less."""

_WAITING: Final = 20
"""Cells for who is at it: the last of the row is for the mark of trouble."""

_LIFTED: Final = 3
"""Px by which a chosen card stands higher."""

_STARTER_TOP: Final = 45
"""Where the starter stands in the play, in px from the top: midway between the count and the keys."""

_CARD_TOP: Final = 28
_CARD_HEIGHT: Final = 27


def dealt(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    """Show the deal, the discards, the starter, or the play, with the open hand where there is one."""
    seat = by_dealing.asked(state, desk)
    if state.phase is Phase.PLAY:
        _write_play(sheet, state, desk, deal)
    elif seat is None:
        start.write_deal(sheet, state, deal)
    if seat is None:
        _wait(sheet, state, desk)
    elif state.phase is Phase.PLAY:
        _ask_to_play(sheet, state, desk, deal, seat)
    else:
        _lay_away(sheet, state, desk, deal, seat)


def _write_play(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    """Show the play, with the starter under the count: no card of paper lies there to be seen."""
    hint = _hint(desk)
    play.board_of_play(sheet, state, deal, is_short=bool(hint or _too_high(state, desk)))
    if deal.starter and (deal.pile or deal.last_to_play is not None):
        sheet.small(0, ROWS[4] if hint else _STARTER_TOP, texts.CUT_CARD.format(card=deal.starter.face))
    if play.is_jack_to_take(deal) and by_dealing.takes_heels(state, desk):
        sheet.keys("OK", y=play.HEELS_KEY)


def _wait(sheet: Sheet, state: State, desk: Desk) -> None:
    """Say which seats elsewhere are at it, or how many where names have no room; or what OK does."""
    waiting = [state.names[seat] for seat in deciders(state)]
    if by_dealing.next_here(state, desk) is not None or not waiting:
        sheet.keys("OK")
    elif len(waiting) == 1:
        sheet.row(5, fitted(texts.THINKS, _WAITING, name=waiting[0]))
    else:
        told = texts.THINK.format(name="+".join(waiting))
        sheet.row(5, told if len(told) <= _WAITING else texts.THINK.format(name=f"{len(waiting)} players"))


def _lay_away(sheet: Sheet, state: State, desk: Desk, deal: Deal, seat: int) -> None:
    """Show the hand of *seat*, and ask for what it sends to the crib."""
    scores(sheet, state)
    picked, wanted = by_dealing.chosen(state, desk, seat), by_dealing.wanted(state)
    whose = texts.OWN_CRIB if seat == deal.dealer else texts.OTHERS_CRIB
    sheet.row(0, _hint(desk) or fitted(whose, name=state.names[deal.dealer], number=str(wanted)))
    _write_hand(sheet, by_dealing.hand(state, seat), picked)
    if len(picked) < wanted:
        sheet.keys_apart((texts.ANY_RANK, texts.CHOOSES), "FLNB")
    else:
        sheet.keys_apart("OK", ("UNDO", ""))


def _hint(desk: Desk) -> str:
    """Return the hint in short, or that it comes; nothing where none was asked for."""
    if desk.hint is None:
        return ""
    if not desk.hint.cards:
        return texts.HINT_COMES
    return texts.HINTED.format(brief=desk.hint.brief) if desk.hint.brief else texts.HINT


def _too_high(state: State, desk: Desk) -> str:
    """Say which cards of the hand that is asked to play would pass thirty-one; nothing if all fit, or none.

    Who has none that fits is asked to say go.
    """
    seat = by_dealing.asked(state, desk)
    if seat is None:
        return ""
    fits = sight_of(state, seat).playable
    high = dict.fromkeys(one.rank.symbol for one in by_dealing.hand(state, seat) if one not in fits)
    return texts.TOO_HIGH.format(cards=" ".join(high)) if high and fits else ""


def _write_hand(sheet: Sheet, hand: tuple[Card, ...], picked: tuple[Card, ...]) -> None:
    """Draw the cards of a *hand* side by side; those *picked* stand higher, and lit."""
    pitch = min(_WIDEST, WIDTH // len(hand))
    width, left = pitch - 1, (WIDTH - pitch * len(hand) + 1) // 2
    for place, one in enumerate(hand):
        x, y, middle = left + place * pitch, _CARD_TOP - _LIFTED * (one in picked), pitch // 2
        sheet.edge(x, y, width, _CARD_HEIGHT)
        sheet.medium(x + middle, y + 2, one.rank.symbol, align="centre")
        sheet.small(x + middle, y + 18, one.face.removeprefix(one.rank.symbol), align="centre")
        # A ten takes all the room there is, and its gap the edge.
        sheet.fill(x + width - 1, y, 1, _CARD_HEIGHT)
        if one in picked:
            sheet.plate(x + 1, y + 1, width - 2, _CARD_HEIGHT - 2)


def _ask_to_play(sheet: Sheet, state: State, desk: Desk, deal: Deal, seat: int) -> None:
    """Show the hand of *seat* as the keys that play it."""
    held, fits = by_dealing.hand(state, seat), sight_of(state, seat).playable
    takes_heels = by_dealing.takes_heels(state, desk)
    if not fits:
        sheet.keys("GO" if takes_heels else "OK")
        sheet.small(KEYS_RIGHT, ROWS[-1], " ".join(one.rank.symbol for one in held), align="right")
        return
    said = _hint(desk) or _too_high(state, desk)
    sheet.row(4, said, x=WIDTH, align="right")
    if by_dealing.chosen(state, desk, seat):
        sheet.keys_apart("OK", ("UNDO", ""))
        return
    x = MARGIN + 1
    for one in held:
        symbol = one.rank.symbol
        write = sheet.key if one in fits else sheet.small
        write(x, ROWS[-1], symbol)
        x += sheet.key_width(symbol) + 6
    if takes_heels and not play.is_jack_to_take(deal):
        sheet.key(x, ROWS[-1], "OK", f"{his_heels(state.rules):+d}")
    elif sheet.offered("FLNB"):
        sheet.last_key("FLNB", texts.HINT)
    else:
        sheet.small(x + 2, ROWS[-1], texts.YOUR_HAND)
