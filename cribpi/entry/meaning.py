"""What a key means now, where it can mean more than one thing: the same for the keypad and for the page."""

from __future__ import annotations

from cribpi.core import seats
from cribpi.core.decide import next_person
from cribpi.core.events import Entry
from cribpi.core.state import OVER, Phase, State
from cribpi.entry import by_cards, by_dealing
from cribpi.entry.desk import CountHand, Desk, Question, Undone
from cribpi.entry.pad import ARROWS, Pad


def meaning(state: State, desk: Desk, key: str, pad: Pad) -> str:
    """Return what *key* of *pad* means where the game stands at *state* and *desk* lies half entered.

    A joystick's left and right are the sides' keys.  A rank key that stands for a side is that side's, unless
    a rank can be pressed now: on a numpad `/` is J while cards are entered, and P1 in a menu or in a game
    kept by points.
    """
    if key in ARROWS:
        return ARROWS[key]
    side = dict(pad.sides).get(key)
    return key if side is None or takes_ranks(state, desk) else side


def takes_ranks(state: State, desk: Desk) -> bool:
    """Tell whether a rank, up to the king, is what is asked for now: a card, or an amount of a player's own count."""
    match desk.dialog:
        case Question() | CountHand():
            return True
        case Undone() | None:
            pass
        case _:
            return False
    if state.phase is Phase.IDLE or state.phase in OVER:
        return False
    if state.phase is Phase.CUT:
        return state.rules.first_dealer == "low-cut" and state.entry is not Entry.DEALT
    if state.entry is Entry.PEG:
        return False
    if state.entry is Entry.DEALT and state.phase in {Phase.DEAL, Phase.STARTER, Phase.PLAY}:
        return by_dealing.open_hand(state, desk) is not None and next_person(state) is not None
    if state.phase in {Phase.SHOW, Phase.CRIB}:
        if by_cards.offered(state) is not None:
            return False
        return len(by_cards.shown(state)) < seats.HAND or by_cards.players_count(state)
    return True
