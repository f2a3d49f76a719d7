"""The desks at which things are entered: the board's own, the computer's, and one for each phone."""

from __future__ import annotations

from typing import Final, Protocol

from cribpi.companion.entry.ask import Ask, reply_to
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.reply import Reply
from cribpi.companion.table.snapshot import Snapshot


class InputDesk(Protocol):
    """A desk: the input at it, and how the table is seen from it."""

    is_persons: bool
    """Whether people ask there, and not the computer."""
    is_boards: bool
    """Whether it is the board's own: why something was refused there is shown on the board's screen."""

    def reply(self, ask: Ask, now: Snapshot, /) -> Reply:
        """Return what *ask* comes to, asked there; it may raise a `RuleError`."""

    def choices(self, now: Snapshot, /) -> tuple[Choice, ...]:
        """Return what can be pressed there."""

    def on_board(self, reply: Reply, now: Snapshot, /) -> Desk:
        """Return what the board's own desk is after *reply*."""

    def keep(self, desk: Desk, now: Snapshot, /) -> None:
        """Keep the input of this desk."""

    def is_meant_still(self, now: Snapshot, /) -> bool:
        """Tell whether what was meant for an earlier moment means the same *now*."""

    def seen(self, now: Snapshot, own: Desk | None = None, /) -> Snapshot:
        """Return *now* as it is seen there; with *own*, its input is that."""


class BoardDesk:
    """The board's own desk, number 0: the keypad's, and the page's beside it.

    The journal keeps its input, and a snapshot of the table holds it.
    """

    def __init__(self, *, is_persons: bool = True) -> None:
        self.is_persons = is_persons
        self.is_boards = is_persons

    def reply(self, ask: Ask, now: Snapshot) -> Reply:
        return reply_to(ask, now.state, now.desk, now.pad)

    def choices(self, now: Snapshot) -> tuple[Choice, ...]:
        return now.choices()

    def on_board(self, reply: Reply, _now: Snapshot) -> Desk:
        return reply.desk

    def keep(self, desk: Desk, now: Snapshot) -> None:
        """Leave it to the journal."""

    def is_meant_still(self, _now: Snapshot) -> bool:
        return False

    def seen(self, now: Snapshot, _own: Desk | None = None) -> Snapshot:
        return now


BOARD: Final = BoardDesk()
COMPUTER: Final = BoardDesk(is_persons=False)
"""Where the computer's seats ask; what is refused there is shown nowhere."""
