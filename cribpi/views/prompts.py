"""The next thing to do, in one line, and the keys for it."""

from __future__ import annotations

from typing import Final

from cribpi.core import seats
from cribpi.core.errors import RuleError
from cribpi.core.events import Entry
from cribpi.core.game import step
from cribpi.core.state import Deal, Phase, State, side_name
from cribpi.entry import by_cards, menus
from cribpi.entry.desk import Correct, CountHand, Desk, Menu, NewGame, Question
from cribpi.entry.keys import RANKS, SIDES
from cribpi.entry.press import press

OVER_31: Final = "OK: all said go, {leader} leads the {card}.  UNDO: a slip."


def phase_of(state: State, desk: Desk) -> str:
    """Return the phase as the page is told it: a core phase, or `new-game` while that menu is open."""
    return "new-game" if isinstance(desk.dialog, NewGame) else str(state.phase)


def prompt(state: State, desk: Desk) -> str:
    """Say what to do next, in one line."""
    match desk.dialog:
        case NewGame():
            return "New game: OK starts it; A, 2, 3 pick a line, P1 and P2 change it"
        case Question(card):
            return f"The {card} would pass 31: OK for a new count, UNDO for a slip"
        case Menu():
            return "Menu: OK takes the line, UNDO leaves"
        case Correct(side):
            return f"Correct {side_name(state, side)}: P1 less, P2 more, OK applies, UNDO leaves"
        case CountHand():
            return _counting(state, desk.dialog)
    if state.phase is Phase.IDLE:
        return "Press OK for a new game"
    if state.winner is not None:
        return f"{side_name(state, state.winner)} has won: OK for the next game"
    if state.next_to_cut is not None and state.phase is Phase.CUT:
        return (
            f"{state.names[state.next_to_cut]} cuts for the deal: press the rank, or OK to leave it to chance"
        )
    if state.deal is None:
        return ""
    if state.entry is Entry.PEG:
        return _by_points(state, desk, state.deal)
    return _by_cards(state, state.deal)


def _by_cards(state: State, deal: Deal) -> str:
    dealer, leads = state.names[deal.dealer], state.names[deal.show_order[0]]
    match state.phase:
        case Phase.DEAL | Phase.STARTER:
            return f"{dealer} deals, {leads} cuts: press the starter's rank"
        case Phase.PLAY:
            return f"{state.names[deal.turn or 0]} to play"
        case Phase.SHOW:
            choice = ", FLNB for flush or nobs" if len(by_cards.claims(state)) > 1 else ""
            return f"{state.names[deal.shower]} shows: OK pegs it{choice}"
        case _:
            missing = seats.HAND - len(deal.crib)
            if missing:
                return f"{dealer}'s crib: press its cards, {missing} to come"
            choice = ", FLNB for flush or nobs" if len(by_cards.claims(state)) > 1 else ""
            return f"{dealer}'s crib: OK pegs it{choice}"


def _by_points(state: State, desk: Desk, deal: Deal) -> str:
    dealer, shower = state.names[deal.dealer], state.names[deal.shower]
    if desk.typed:
        side = state.side(deal.shower)
        if state.phase in {Phase.SHOW, Phase.CRIB}:
            return f"{desk.amount}: OK pegs it for {side_name(state, side)}"
        keys = " or ".join(side_keys(state))
        return f"{desk.amount}: {keys} pegs it"
    match state.phase:
        case Phase.DEAL:
            return f"{dealer} deals: OK when the starter is cut"
        case Phase.STARTER:
            return f"Starter: 2 for his heels to {dealer}, or OK to play"
        case Phase.PLAY:
            return "The play: type an amount, then a side's key; OK when it is over"
        case Phase.SHOW:
            return f"{shower} shows: type the count and OK, or FLNB to count it by cards"
        case _:
            return f"{dealer}'s crib: type the count and OK, or FLNB to count it by cards"


def _counting(state: State, dialog: CountHand) -> str:
    hand, starter, claims = menus.counted(state, dialog)
    if len(hand) < seats.HAND:
        return f"Count a hand: press its cards, {seats.HAND - len(hand)} to come"
    if starter is None:
        return "Count a hand: now the starter"
    return "OK pegs it" + (", FLNB for flush or nobs" if len(claims) > 1 else "")


def side_keys(state: State) -> tuple[str, ...]:
    """Return the keys that commit an amount to each side, on a keypad of twenty keys."""
    return (*SIDES[:2], "GO")[: state.sides]


def keys(state: State, desk: Desk) -> tuple[str, ...]:
    """Return the keys that make sense next and would be accepted, the likeliest first."""
    return tuple(key for key in _likely(state, desk) if _is_accepted(state, desk, key)) or ("UNDO",)


def _is_accepted(state: State, desk: Desk, key: str) -> bool:
    try:
        event = press(state, desk, key).event
        if event is not None:
            step(state, event)
    except RuleError:
        return False
    return True


def _likely(state: State, desk: Desk) -> tuple[str, ...]:
    match desk.dialog:
        case Question():
            return ("OK", "UNDO")
        case NewGame():
            return ("OK", *RANKS[: len(menus.NEW_GAME_LINES)], "P1", "P2")
        case Menu() | Correct():
            return ("OK", "P1", "P2", "UNDO")
        case CountHand():
            ready = menus.counted(state, desk.dialog)[2]
            return ("OK", *(["FLNB"] * (len(ready) > 1)), "UNDO") if ready else RANKS
    if state.phase in {Phase.IDLE, Phase.GAME_OVER}:
        return ("OK",)
    if state.phase is Phase.CUT:
        return ("OK", *RANKS)
    if state.entry is Entry.PEG:
        return _keys_by_points(state, desk)
    return _keys_by_cards(state)


def _keys_by_points(state: State, desk: Desk) -> tuple[str, ...]:
    is_show = state.phase in {Phase.SHOW, Phase.CRIB}
    if desk.typed:
        return ("OK", "UNDO") if is_show else side_keys(state)
    if state.phase is Phase.PLAY:
        return (*RANKS, "GO", "OK")
    return (*RANKS, "OK", "FLNB") if is_show else ("OK",)


def _keys_by_cards(state: State) -> tuple[str, ...]:
    deal = state.deal
    if deal is None or state.phase in {Phase.DEAL, Phase.STARTER}:
        return RANKS
    if state.phase is Phase.PLAY:
        fitting = tuple(key for key in RANKS if min(RANKS.index(key) + 1, 10) <= deal.room)
        return fitting if deal.room >= 10 else (*fitting, "GO")
    if state.phase is Phase.CRIB and len(deal.crib) < seats.HAND:
        return RANKS
    return ("OK", "FLNB") if len(by_cards.claims(state)) > 1 else ("OK",)
