"""Screens of a game that the machine deals: the hand of the person whose eyes it is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.deal import Deal
from cribpi.core.decide import deciders, next_person
from cribpi.core.heels import his_heels
from cribpi.core.sight import sight_of
from cribpi.core.state import Phase, State
from cribpi.entry import by_dealing
from cribpi.entry.desk import Desk
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import MARGIN, WIDTH
from cribpi.views.glass.screens import play, start
from cribpi.views.glass.screens.outcomes import signed
from cribpi.views.glass.screens.scores import scores
from cribpi.views.glass.sheet import KEYS_RIGHT, ROWS, Sheet
from cribpi.views.glass.wording import fitted

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
    """Show the deal, the laying away, the starter, or the play, with the open hand where there is one."""
    if state.phase is Phase.PLAY:
        play.board_of_play(sheet, state, deal, deed_rows=1 if _hint(desk) else 2)
        _write_starter(sheet, deal, ROWS[4] if _hint(desk) else _STARTER_TOP)
        if play.is_jack_to_take(deal) and by_dealing.takes_heels(state, desk):
            play.ask_for_heels(sheet)
        _ask_to_play(sheet, state, desk, deal)
    elif state.phase is Phase.STARTER or not any(deal.dealt):
        start.write_deal(sheet, state, deal)
        sheet.keys("OK")
    else:
        _lay_away(sheet, state, desk, deal)


def _write_starter(sheet: Sheet, deal: Deal, top: int) -> None:
    """Write the starter under the count, its *top* in px: no card of paper lies there to be seen."""
    if deal.starter and (deal.pile or deal.last_to_play is not None):
        sheet.small(0, top, texts.CUT_CARD.format(card=deal.starter.face))


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
    sheet.row(
        0, _hint(desk) or fitted(whose, 21, name=state.names[dealer], number=str(by_dealing.wanted(state)))
    )
    _write_hand(sheet, by_dealing.hand(state, seat), picked)
    if missing:
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


def _write_hand(sheet: Sheet, hand: tuple[Card, ...], picked: tuple[Card, ...]) -> None:
    """Draw the cards of a *hand* side by side; those *picked* stand higher, and lit."""
    pitch = min(_WIDEST, WIDTH // len(hand))
    width, left = pitch - 1, (WIDTH - pitch * len(hand) + 1) // 2
    for place, one in enumerate(hand):
        x, y, middle = left + place * pitch, _CARD_TOP - _LIFTED * (one in picked), pitch // 2
        sheet.edge(x, y, width, _CARD_HEIGHT)
        sheet.medium(x + middle, y + 2, one.rank.symbol, align="centre")
        sheet.small(x + middle, y + 18, one.face[len(one.rank.symbol) :], align="centre")
        sheet.fill(
            x + width - 1, y, 1, _CARD_HEIGHT
        )  # a ten takes all the room there is, and its gap the edge
        if one in picked:
            sheet.plate(x + 1, y + 1, width - 2, _CARD_HEIGHT - 2)


def _ask_to_play(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    """Show the hand as the keys that play it, or say who is at it."""
    seat = next_person(state)
    if seat is None or by_dealing.open_hand(state, desk) != seat:
        _wait(sheet, state, seat)
        return
    held, fits = by_dealing.hand(state, seat), sight_of(state, seat).playable
    picked = by_dealing.chosen(state, desk, seat)
    is_open = by_dealing.takes_heels(state, desk)
    if not fits:
        sheet.keys("GO" if is_open else "OK")
        sheet.small(KEYS_RIGHT, ROWS[-1], " ".join(one.rank.symbol for one in held), align="right")
        return
    sheet.row(4, _hint(desk), x=WIDTH, align="right")
    if picked:
        sheet.keys_apart("OK", ("UNDO", ""))
        return
    x = MARGIN + 1
    for one in held:
        symbol = one.rank.symbol
        if one in fits:
            sheet.key(x, ROWS[-1], symbol, "")
        else:
            sheet.small(x, ROWS[-1], symbol)
        x += sheet.key_width(symbol, "") + 6
    if is_open and not play.is_jack_to_take(deal):
        sheet.key(x, ROWS[-1], "OK", signed(his_heels(state.rules)))
    elif by_dealing.may_hint(state, desk):
        sheet.key(KEYS_RIGHT - sheet.key_width("FLNB", texts.HINT), ROWS[-1], "FLNB", texts.HINT)
    else:
        sheet.small(x + 2, ROWS[-1], texts.YOUR_HAND)


def _wait(sheet: Sheet, state: State, seat: int | None) -> None:
    """Say who is to act: a person, whose hand OK opens, or the machine."""
    if seat is None:
        sheet.row(5, _at_it([state.names[one] for one in deciders(state)]))
    else:
        sheet.keys("OK")


def _at_it(names: Sequence[str]) -> str:
    """Say which seats of the machine are at it, or how many where their names have no room."""
    if len(names) == 1:
        return fitted(texts.THINKS, _WAITING, name=names[0])
    told = texts.THINK.format(name="+".join(names))
    return told if len(told) <= _WAITING else texts.THINK.format(name=f"{len(names)} players")
