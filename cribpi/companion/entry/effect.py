"""The result of a press: new input, and possibly an event, or a move in the journal such as undo."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.phones import PhoneCommand
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import CardCut, DealerChosen, Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.errors import RuleError


class WrongKey(RuleError):
    """The key has no effect now.

    *text* names keys that have one; *without_keys* is the same without key names.
    """

    def __init__(self, text: str, without_keys: str = "") -> None:
        super().__init__(text)
        self.without_keys = without_keys or text


class TableCommand(StrEnum):
    """A command to the table that is not an event of the game."""

    UNDO = "undo"
    REDO = "redo"
    SHUT_DOWN = "shut-down"
    RESTART = "restart"
    SHUFFLE = "shuffle"
    """Shuffle the pack. The table creates the event."""
    CUT = "cut"
    """Draw a random card for the cut. The table creates the event."""
    DRAW = "draw"
    """Draw the first dealer at random. The table creates the event."""


class Effect(NamedTuple):
    """The result of a press. It has at most one of *event*, *command* and *phone_command*."""

    input_state: InputState
    event: Event | None = None
    command: TableCommand | None = None
    phone_command: PhoneCommand | None = None
    before: tuple[Event, ...] = ()
    """Implied events before *event*. They are undone with it."""
    context: InputContext | None = None
    """New context if the press changes it, otherwise None."""
    pace: str = ""
    """Speed of the game that *event* starts, or "" for the usual speed."""
    renamed: tuple[str, str] | None = None
    """Old and new name of a person whom the press renames, or None. Undone with *event*."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error and the key of a refused press. Shown until the next press, and never saved."""

    error: Exception
    key: str = ""


def event_of_draw(state: State, command: TableCommand | None, draw: int) -> CardCut | DealerChosen | None:
    """Return the event for the random integer *draw*: a cut or the first dealer.

    None if *command* needs no draw.
    """
    match command:
        case TableCommand.CUT if state.next_to_cut is not None:
            left = [card for card in PACK if card not in state.cuts]
            return CardCut(state.next_to_cut, left[draw % len(left)])
        case TableCommand.DRAW:
            return DealerChosen(draw % state.players)
        case _:
            return None
