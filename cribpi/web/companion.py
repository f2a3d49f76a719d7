"""What the page's door asks of the companion behind it, and nothing more."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from cribpi.kit import Kit


class Answer(Protocol):
    """What came of a press: an HTTP status and the JSON that goes with it."""

    @property
    def status(self) -> int:
        """200 with the new state, or 409 with a sentence and nothing changed."""

    @property
    def body(self) -> dict[str, object]:
        """The state, or ``{"error": sentence}`` and perhaps why."""


class Companion(Protocol):
    """The table as the door sees it.  Every method may be called from any thread."""

    @property
    def kit(self) -> Kit:
        """The kit whose board, keypad and strip the page draws."""

    def state(self) -> dict[str, object]:
        """Return a consistent snapshot of the table, in the shape of ``GET /api/state``."""

    def page(self) -> dict[str, object]:
        """Return what only the page shows: keys that make sense, log, trouble, names, shower, amount
        typed.
        """

    def press(self, key: str, id: str | None, if_seq: int | None = None) -> Future[Answer]:  # noqa: A002 - the contract's own word
        """Press *key*; the same *id* again gives the first answer again and presses nothing.

        Where *if_seq* is given and the table has gone on from there, the press is refused and changes
        nothing.
        """

    def peg(
        self,
        request: dict[str, object],
        id: str | None,  # noqa: A002 - as above
        if_seq: int | None = None,
    ) -> Future[Answer]:
        """Peg a scored event by its name, or an amount; *id* and *if_seq* as of a press."""

    def names(self, names: list[str], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        """Name the seats, in their order."""

    def rules(self) -> dict[str, object]:
        """Return all rules that can be chosen, what is set up, and what the game on the table is played
        by.
        """

    def set_up(self, request: dict[str, object], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        """Set the next new game up by the rules that are asked for."""

    def glass(self) -> bytes:
        """Return what the OLED's glass shows, a PNG of 128 x 64 pixels of one bit; it may take a while."""

    def strip(self) -> bytes:
        """Return the colours that the LEDs show, three bytes (red, green, blue) for each; it may take a
        while.
        """

    def subscribe(self, tell: Callable[[str], None]) -> Callable[[], None]:
        """Call *tell* with ``state``, ``page``, ``strip`` or ``oled`` after each change.

        *tell* may be called from any thread.  The function returned ends it.
        """
