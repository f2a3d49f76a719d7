"""The interface between the HTTP API and the companion behind it."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from cribpi.companion.entry.phones import Role, Wish
from cribpi.companion.kit import Kit
from cribpi.companion.web.history import History


class Answer(Protocol):
    """The answer to a press: an HTTP status and its JSON."""

    @property
    def status(self) -> int:
        """200 with the new state, or 409 with a sentence and no change."""

    @property
    def body(self) -> str:
        """JSON text: the state, or ``{"error": sentence}`` and perhaps why; written when it is first read."""


class LiveView(Protocol):
    """What a page is told without asking.  Every method may be called from any thread."""

    def state(self) -> dict[str, object]:
        """Return a consistent snapshot of the table, in the shape of ``GET /api/state``."""

    def page(self) -> dict[str, object]:
        """Return what only the page shows: useful keys, log, trouble, names, shower, amount typed."""

    def strip(self) -> bytes:
        """Return the colours of the LEDs, three bytes (red, green, blue) each; may take a while."""

    def subscribe(self, tell: Callable[[str], None]) -> Callable[[], None]:
        """Call *tell* with what has changed after each change: ``state``, ``page``, ``strip``.

        *tell* may be called from any thread.  Call the returned function to unsubscribe.
        """


class PhoneTable(LiveView, Protocol):
    """The table as one phone sees it: its own hand and no other."""

    def me(self) -> dict[str, object]:
        """Return which phone it is, its role, and the seats that there are."""

    def log(self) -> list[dict[str, object]]:
        """Return what happened in this game, newest first, all of it."""

    def press(self, key: str, id: str | None, if_seq: int | None = None) -> Future[Answer]:  # noqa: A002 - the contract's own word
        """Press *key*; as `Companion.press`, but at a desk of its own."""

    def choose(self, role: Role | None, seat: int | None) -> None:
        """Take a *role*, or none; that of a seat needs the *seat*.

        Raises:
            NotAdmitted: If somebody else has the seat, or this phone is gone.
        """

    def leave(self) -> None:
        """Be forgotten."""


class PhoneDoor(Protocol):
    """Lets phones in."""

    @property
    def kit(self) -> Kit:
        """The kit whose board the page draws."""

    def join(self, code: str, kind: str) -> str:
        """Let a phone in by *code*; return its token.

        Raises:
            NotAdmitted: If it is not the code.
        """

    def at(self, token: str) -> PhoneTable | None:
        """Return the table as the phone with *token* sees it; None where it is nobody's."""


class Companion(LiveView, Protocol):
    """The table as the HTTP API sees it.  Every method may be called from any thread."""

    @property
    def kit(self) -> Kit:
        """The kit whose board, keypad and strip the page draws."""

    @property
    def history(self) -> History:
        """The past games, and the statistics."""

    def log(self) -> list[dict[str, object]]:
        """Return what happened in this game, newest first, all of it."""

    def chances(self) -> dict[str, object]:
        """Return each side's chance of winning by what everybody sees; may take a while.

        Raises:
            NotNow: If a table for it is missing.
        """

    def press(self, key: str, id: str | None, if_seq: int | None = None) -> Future[Answer]:  # noqa: A002 - the contract's own word
        """Press *key*; the same *id* again returns the first answer again, and presses nothing.

        If *if_seq* is given and the table has moved on from there, the press is refused and changes nothing.
        """

    def peg(
        self,
        request: dict[str, object],
        id: str | None,  # noqa: A002 - as above
        if_seq: int | None = None,
    ) -> Future[Answer]:
        """Peg a scored event by name, or an amount; *id* and *if_seq* as in `press`."""

    def names(self, names: list[str], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        """Name the seats, in order."""

    def rules(self) -> dict[str, object]:
        """Return all rules on offer, the current set-up, and the rules of the game on the table."""

    def set_up(self, request: dict[str, object], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        """Set up the next new game by the requested rules; its menu opens, unless ``menu`` is false."""

    def start(self, request: dict[str, object], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        """Start a new game by the requested rules."""

    def settings(self) -> dict[str, object]:
        """Return the settings of the table and its device, with what each can be."""

    def change_settings(self, values: dict[str, str], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        """Change settings to *values*, by their names."""

    def power(self, wanted: str, id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        """Switch the machine off, or restart it; elsewhere than on a Pi, say that it can't."""

    def phones(self) -> dict[str, object]:
        """Return how a phone joins, and which ones are here."""

    def change_phones(self, wish: Wish) -> dict[str, object]:
        """Let phones in, send them away, or remove one; return what `phones` returns then."""

    def glass(self) -> bytes:
        """Return the OLED's picture, a PNG of 128 x 64 one-bit pixels; may take a while."""
