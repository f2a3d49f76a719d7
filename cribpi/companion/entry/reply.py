"""The result of a press: new input, and possibly an event, or an undo or redo in the journal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from cribpi.companion.entry.context import Context
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.phones import Wish
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import CardCut, DealerChosen, Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.errors import RuleError


class WrongKey(RuleError):
    """The key has no effect now.  *text* names those that do, *without_keys* does not."""

    def __init__(self, text: str, without_keys: str = "") -> None:
        super().__init__(text)
        self.without_keys = without_keys or text


class Move(StrEnum):
    """A command to the table that is not an event of the game."""

    UNDO = "undo"
    REDO = "redo"
    SHUT_DOWN = "shut-down"
    RESTART = "restart"
    SHUFFLE = "shuffle"
    """Shuffle the pack; the table makes the event."""
    CUT = "cut"
    """Draw a random card for the cut; the table makes the event."""
    DRAW = "draw"
    """Draw the first dealer; the table makes the event."""


class Reply(NamedTuple):
    """The result of a press, with at most one of *event*, *move* and *wish*."""

    desk: Desk
    event: Event | None = None
    move: Move | None = None
    wish: Wish | None = None
    before: tuple[Event, ...] = ()
    """Events that the press implies before *event*; they are undone with it."""
    context: Context | None = None
    """The new context, if the press changes it."""
    pace: str = ""
    """The speed of the game that *event* starts, if it is not that of other games."""
    renamed: tuple[str, str] | None = None
    """A person's old and new name, if the press renames one; undone with *event*."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error and the key of the last press, if refused.  Shown until the next press; never saved."""

    error: Exception
    key: str = ""


def event_of_draw(state: State, move: Move | None, draw: int) -> CardCut | DealerChosen | None:
    """Return the cut or the first dealer for the random integer *draw*; None if *move* needs neither."""
    match move:
        case Move.CUT if state.next_to_cut is not None:
            left = [card for card in PACK if card not in state.cuts]
            return CardCut(state.next_to_cut, left[draw % len(left)])
        case Move.DRAW:
            return DealerChosen(draw % state.players)
        case _:
            return None
