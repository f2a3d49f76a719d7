"""The result of a press: a new desk, and perhaps an event, or a step back or forward in the journal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.phones import Wish
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import CardCut, DealerChosen, Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.errors import RuleError


class WrongKey(RuleError):
    """The key does nothing here.  The text names the keys that would; *told* says the same without keys."""

    def __init__(self, text: str, told: str = "") -> None:
        super().__init__(text)
        self.told = told or text


class Move(StrEnum):
    """What a press asks of the table itself."""

    UNDO = "undo"
    REDO = "redo"
    SHUT_DOWN = "shut-down"
    RESTART = "restart"
    SHUFFLE = "shuffle"
    """A shuffled pack is wanted: the table shuffles, and makes the event."""
    CUT = "cut"
    """The same for a card that is cut."""
    DRAW = "draw"
    """The same for who deals first."""


class Reply(NamedTuple):
    """The result of a press.  It makes at most one of *event*, *move* and *wish*."""

    desk: Desk
    event: Event | None = None
    move: Move | None = None
    wish: Wish | None = None
    before: tuple[Event, ...] = ()
    """The events of a card or a digit before *event*, which are undone with it."""
    next_game: NextGame | None = None
    """The next game, if the press changes it."""
    renamed: tuple[str, str] | None = None
    """Who goes by another name from now on, the old one and the new one; it is undone with *event*."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the last press was refused, and its key; it is shown until the next press, and kept nowhere."""

    error: Exception
    key: str = ""


def drawn(state: State, move: Move | None, draw: int) -> CardCut | DealerChosen | None:
    """Turn *draw*, a random integer that the table has drawn, into the cut card or the dealer.

    None where *move* asks for neither.
    """
    match move:
        case Move.CUT if state.next_to_cut is not None:
            left = [card for card in PACK if card not in state.cuts]
            return CardCut(state.next_to_cut, left[draw % len(left)])
        case Move.DRAW:
            return DealerChosen(draw % state.players)
        case _:
            return None
