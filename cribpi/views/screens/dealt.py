"""Screens of a game that the machine deals: the hand of the person whose eyes it is for."""

from __future__ import annotations

from typing import Final

from cribpi.core.cards import Card
from cribpi.core.deal import Deal
from cribpi.core.decide import deciders, next_person
from cribpi.core.sight import sight_of
from cribpi.core.state import Phase, State
from cribpi.entry import by_dealing
from cribpi.entry.desk import Desk
from cribpi.views import texts
from cribpi.views.canvas import MARGIN, WIDTH
from cribpi.views.screens import play, start
from cribpi.views.screens.scores import scores
from cribpi.views.screens.sheet import ROWS, Sheet
from cribpi.views.screens.wording import card, card_rank, fitted

_PITCH: Final = 21
"""Px from one card of a hand to the next: six of them fill the glass."""

_LIFTED: Final = 3
"""Px by which a chosen card stands higher."""

_CARD_TOP: Final = 29
_CARD_HEIGHT: Final = 25


def dealt(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    """Show the deal, the laying away, the starter, or the play, with the open hand where there is one."""
    if state.phase is Phase.PLAY:
        play.board_of_play(sheet, state, deal)
        _ask_to_play(sheet, state, desk)
    elif state.phase is Phase.STARTER or not any(deal.dealt):
        start.write_deal(sheet, state, deal)
        sheet.keys(("OK", texts.TURNS_IT_UP if state.phase is Phase.STARTER else texts.SHUFFLES))
    else:
        _lay_away(sheet, state, desk, deal)


def _lay_away(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    seat = next_person(state)
    if seat is None or by_dealing.open_hand(state, desk) != seat:
        start.write_deal(sheet, state, deal)
        _wait(sheet, state, seat)
        return
    scores(sheet, state)
    picked = by_dealing.chosen(state, desk, seat)
    dealer = deal.dealer
    whose = texts.OWN_CRIB if seat == dealer else texts.OTHERS_CRIB
    missing = by_dealing.wanted(state) - len(picked)
    sheet.row(0, fitted(whose, 21, name=state.names[dealer], number=str(by_dealing.wanted(state))))
    _write_hand(sheet, by_dealing.hand(state, seat), picked)
    if missing:
        sheet.keys((texts.ANY_RANK, texts.CHOOSES))
    else:
        sheet.keys_apart(("OK", texts.LAYS_AWAY), ("UNDO", ""))


def _write_hand(sheet: Sheet, hand: tuple[Card, ...], picked: tuple[Card, ...]) -> None:
    """Draw the cards of a *hand* side by side; those *picked* stand higher, and lit."""
    left = (WIDTH - _PITCH * len(hand) + 1) // 2
    for place, one in enumerate(hand):
        x, y, middle = left + place * _PITCH, _CARD_TOP - _LIFTED * (one in picked), _PITCH // 2
        sheet.edge(x, y, _PITCH - 1, _CARD_HEIGHT)
        sheet.medium(x + middle, y + 1, card_rank(one), align="centre")
        sheet.small(x + middle, y + 15, card(one)[len(card_rank(one)) :], align="centre")
        if one in picked:
            sheet.plate(x + 1, y + 1, _PITCH - 3, _CARD_HEIGHT - 2)


def _ask_to_play(sheet: Sheet, state: State, desk: Desk) -> None:
    """Show the hand as the keys that play it, or say who is at it."""
    seat = next_person(state)
    if seat is None or by_dealing.open_hand(state, desk) != seat:
        _wait(sheet, state, seat)
        return
    held, fits = by_dealing.hand(state, seat), sight_of(state, seat).playable
    picked = by_dealing.chosen(state, desk, seat)
    if not fits:
        sheet.keys_apart(("OK", texts.SAYS_GO), ("", ""))
        x = WIDTH - MARGIN
        sheet.small(x, ROWS[-1], " ".join(one.rank.symbol for one in held), align="right")
        return
    if picked:
        sheet.keys_apart(("OK", texts.PLAYS_IT.format(card=card(picked[0]))), ("UNDO", ""))
        return
    x = MARGIN + 1
    for one in held:
        symbol = one.rank.symbol
        if one in fits:
            sheet.key(x, ROWS[-1], symbol, "")
        else:
            sheet.small(x, ROWS[-1], symbol)
        x += sheet.key_width(symbol, "") + 6
    sheet.small(x + 2, ROWS[-1], texts.YOUR_HAND)


def _wait(sheet: Sheet, state: State, seat: int | None) -> None:
    """Say who is to act: a person, whose hand OK opens, or the machine."""
    if seat is None:
        names = [state.names[one] for one in deciders(state)]
        sheet.row(5, fitted(texts.THINKS, 20, name="+".join(names)))
    else:
        sheet.keys(("OK", fitted(texts.OPENS_HAND, 17, name=state.names[seat])))
