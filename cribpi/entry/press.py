"""From a key to what it means: the one function that every press goes through, from keypad and page alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cribpi.core.events import CribShown, Entry, GameStarted
from cribpi.core.game import next_game
from cribpi.core.state import OVER, Phase, State
from cribpi.entry import by_cards, by_dealing, by_points, menus
from cribpi.entry.desk import Desk, FalseWin, MatchSoFar, Menu, NewGame, Undone
from cribpi.entry.keys import side_key
from cribpi.entry.meaning import meaning, takes_ranks
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.reply import Move, Reply, WrongKey


def press(state: State, desk: Desk, key: str, draw: int = 0, pad: Pad = TWENTY) -> Reply:
    """Return what *key* of *pad* means where the game stands at *state* and *desk* lies half entered.

    *draw* is a whole number, 0 or more, from the caller's chance: who deals, where that is left to it.

    Raises:
        RuleError: If the key does nothing here; nothing has changed, and the text says what would.
    """
    reply = _press(state, fitting(desk, pad), meaning(state, desk, key, pad), draw, pad)
    event = reply.event
    if isinstance(event, GameStarted) and not pad.has_ranks:  # also the next one after a game by cards
        return replace(reply, event=replace(event, entry=Entry.PEG, levels=()))
    return reply


def _press(state: State, desk: Desk, key: str, draw: int, pad: Pad) -> Reply:
    if desk.message is not None:
        desk = replace(desk, message=None)
    if key == "hold:UNDO":
        return Reply(desk.cleared(), move=Move.REDO)
    if key == "hold:MENU":
        shown = None if isinstance(desk.dialog, Undone) else desk.dialog
        return Reply(replace(desk, dialog=shown), move=Move.SHUT_DOWN)
    if isinstance(desk.dialog, Undone):
        if key == "OK":
            return Reply(replace(desk, dialog=None))
        desk = replace(desk, dialog=None)
    if desk.dialog is not None:
        return menus.press(state, desk, key, pad)
    if key == "UNDO":
        if desk.hint is not None:
            return Reply(replace(desk, hint=None, chosen=()))
        if desk.typed or desk.kind or desk.chosen:
            return Reply(replace(desk, typed=desk.typed[:-1], kind=None, chosen=desk.chosen[:-1]))
        return Reply(desk.cleared(), move=Move.UNDO)
    if key == "MENU":
        return Reply(replace(desk, dialog=Menu()))
    if state.phase is Phase.IDLE:
        return _press_idle(desk, key)
    if state.phase in OVER:
        return _press_after_game(state, desk, key)
    if state.phase is Phase.CUT and state.entry is Entry.DEALT:
        return by_dealing.press_cut(state, desk, key, draw)
    if state.phase is Phase.CUT:
        return by_cards.press_cut(state, desk, key, draw)
    if state.entry is Entry.PEG:
        return by_points.press(state, desk, key)
    if state.entry is Entry.DEALT:
        if is_dead_end(state, desk, pad):
            raise WrongKey(NO_RANKS)
        return by_dealing.press(state, desk, key)
    try:
        reply = by_cards.press(state, desk, key)
    except WrongKey:
        if is_dead_end(state, desk, pad):
            raise WrongKey(NO_RANKS) from None
        raise
    if isinstance(reply.event, CribShown) and not desk.typed and is_dead_end(state, desk, pad):
        raise WrongKey(NO_RANKS)  # the rules would ask for the crib's cards
    return reply


NO_RANKS: Final = "this game is kept by cards, and this kit has no keys for the ranks: MENU starts a new one"
"""What there is to say where a game can't go on with the keys that there are."""


def fitting(desk: Desk, pad: Pad) -> Desk:
    """Return *desk* with the next game set up so that it can be kept with the keys of *pad*."""
    if pad.has_ranks or desk.setup.entry == Entry.PEG:
        return desk
    return replace(desk, setup=replace(desk.setup, entry=str(Entry.PEG)))


def is_dead_end(state: State, desk: Desk, pad: Pad) -> bool:
    """Tell whether a rank is wanted that no key of *pad* can say: a game by cards was begun with another kit."""
    if pad.has_ranks or desk.dialog is not None or state.entry is Entry.PEG:
        return False
    return state.phase is not Phase.CUT and takes_ranks(state, desk)  # a dealer can be chosen without a rank


def _press_idle(desk: Desk, key: str) -> Reply:
    if key == "OK":
        return Reply(replace(desk, dialog=NewGame()))
    raise WrongKey("no game has begun: OK starts a new one")


def _press_after_game(state: State, desk: Desk, key: str) -> Reply:
    if key == "OK" and state.phase is Phase.MATCH_OVER:
        return Reply(replace(desk.cleared(), dialog=MatchSoFar()))
    if key == "OK":
        return Reply(desk.cleared(), event=next_game(state))
    winner = state.winner
    if winner is not None and side_key(key, state.sides) == winner:
        return Reply(replace(desk, dialog=FalseWin(winner, state.pegs[winner].back)))
    raise WrongKey(
        "the game is over: OK goes on, UNDO takes the last step back, the winner's key says it was not won"
    )
