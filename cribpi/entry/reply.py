"""What a press comes to: a new desk, and perhaps an event, or a step back or forward in the journal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cribpi.core.errors import RuleError
from cribpi.core.events import Event
from cribpi.entry.desk import Desk


class WrongKey(RuleError):
    """The key does nothing here; the text says which would."""


class Move(StrEnum):
    """What a press asks of the table itself."""

    UNDO = "undo"
    REDO = "redo"
    SHUT_DOWN = "shut-down"
    SHUFFLE = "shuffle"
    """A pack is wanted, shuffled: the table has the chance for it, and makes an event of it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a press comes to.  It makes at most one of *event* and *move*."""

    desk: Desk
    event: Event | None = None
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the last press was refused, and its key; it is shown until the next press, and kept nowhere."""

    error: Exception
    key: str = ""
