"""The input and the view of each client: the board, the computer's seats, and each phone."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.effect import Effect
from cribpi.companion.entry.input_context import SavedInput
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.requests import TableRequest, effect_of
from cribpi.companion.table.snapshot import Snapshot


class ClientSession:
    """The input and the view of one client.

    This class itself serves the board. Its keypad and page share one input, which is kept in the snapshot and
    the journal. It serves the computer's seats, too.

    Attributes:
        is_persons: Whether a person uses the client, not the computer.
        has_own_input: Whether the client's input is its own, not the board's.
        is_boards: Whether the board's screen shows the client's refusals.
    """

    has_own_input = False

    def __init__(self, *, is_persons: bool = True, is_boards: bool = True) -> None:
        self.is_persons = is_persons
        self.is_boards = is_boards

    def effect(self, request: TableRequest, now: Snapshot) -> Effect:
        """Return the effect of *request*.

        Raises:
            RuleError: If it is refused.
        """
        return effect_of(request, now.view)

    def choices(self, now: Snapshot) -> tuple[Choice, ...]:
        """Return the choices that this client can make."""
        return now.choices()

    def on_board(self, effect: Effect, now: Snapshot) -> SavedInput:
        """Return the board's input after *effect*."""
        return SavedInput(effect.input_state, effect.context or now.context)

    def keep(self, input_state: InputState, now: Snapshot) -> None:
        """Store the client's own *input_state*.  Does nothing here: the journal stores the board's."""

    def is_meant_still(self, _now: Snapshot) -> bool:
        """Return whether a request for an earlier state still applies."""
        return False

    def seen(self, now: Snapshot, _own: InputState | None = None) -> Snapshot:
        """Return *now* as this client sees it, with the input *_own* if it is given."""
        return now


BOARD: Final = ClientSession()
COMPUTER: Final = ClientSession(is_persons=False, is_boards=False)
"""The client of the computer's seats.  The board's screen does not show their refusals."""
