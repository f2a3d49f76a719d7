"""The desks at which things are entered: the board's own, the computer's, and one for each phone."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.ask import Ask, reply_to
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.reply import Reply
from cribpi.companion.table.snapshot import Snapshot


class InputDesk:
    """A desk: the input at it, and how the table is seen from it.

    This one is the board's own, number 0: the keypad's, and the page's beside it.  The journal keeps its
    input, and a snapshot of the table holds it.

    Attributes:
        is_persons: Whether people ask there, and not the computer.
        is_boards: Whether why something was refused there is shown on the board's screen.
    """

    def __init__(self, *, is_persons: bool = True, is_boards: bool = True) -> None:
        self.is_persons = is_persons
        self.is_boards = is_boards

    def reply(self, ask: Ask, now: Snapshot) -> Reply:
        """Return what *ask* comes to, asked there.

        Raises:
            RuleError: If it is refused.
        """
        return reply_to(ask, now.view)

    def choices(self, now: Snapshot) -> tuple[Choice, ...]:
        """Return what can be pressed there."""
        return now.choices()

    def on_board(self, reply: Reply, _now: Snapshot) -> Desk:
        """Return what the board's own desk is after *reply*."""
        return reply.desk

    def keep(self, desk: Desk, now: Snapshot) -> None:
        """Keep the input of this desk, where the journal does not."""

    def is_meant_still(self, _now: Snapshot) -> bool:
        """Tell whether what was meant for an earlier moment means the same now."""
        return False

    def seen(self, now: Snapshot, _own: Desk | None = None) -> Snapshot:
        """Return *now* as it is seen there; with another desk, its input is that."""
        return now


BOARD: Final = InputDesk()
COMPUTER: Final = InputDesk(is_persons=False, is_boards=False)
"""Where the computer's seats ask; what is refused there is shown nowhere."""
