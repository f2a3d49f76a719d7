"""From a key to what it means: the one function that every press goes through, from keypad and page alike."""

from __future__ import annotations

from dataclasses import replace

from cribpi.core.events import Entry
from cribpi.core.game import next_game
from cribpi.core.state import OVER, Phase, State
from cribpi.entry import by_cards, by_points, menus
from cribpi.entry.desk import Desk, FalseWin, MatchSoFar, Menu, NewGame, Undone
from cribpi.entry.keys import side_key
from cribpi.entry.meaning import meaning
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.reply import Move, Reply, WrongKey


def press(state: State, desk: Desk, key: str, draw: int = 0, pad: Pad = TWENTY) -> Reply:
    """Return what *key* of *pad* means where the game stands at *state* and *desk* lies half entered.

    *draw* is a whole number, 0 or more, from the caller's chance: who deals, where that is left to it.

    Raises:
        RuleError: If the key does nothing here; nothing has changed, and the text says what would.
    """
    key = meaning(state, desk, key, pad)
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
        return menus.press(state, desk, key)
    if key == "UNDO":
        if desk.typed or desk.kind:
            return Reply(replace(desk, typed=desk.typed[:-1], kind=None))
        return Reply(desk.cleared(), move=Move.UNDO)
    if key == "MENU":
        return Reply(replace(desk, dialog=Menu()))
    if state.phase is Phase.IDLE:
        return _press_idle(desk, key)
    if state.phase in OVER:
        return _press_after_game(state, desk, key)
    if state.phase is Phase.CUT:
        return by_cards.press_cut(state, desk, key, draw)
    if state.entry is Entry.PEG:
        return by_points.press(state, desk, key)
    return by_cards.press(state, desk, key)


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
