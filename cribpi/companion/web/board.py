"""The board's own page, as the HTTP API sees it: it asks of the loop's queue, and snapshots come out."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Protocol

from PIL import Image

from cribpi.companion.entry.phones import Wish
from cribpi.companion.kit import Kit
from cribpi.companion.table.loop import Loop
from cribpi.companion.web.client import Client
from cribpi.companion.web.history import NotNow
from cribpi.companion.web.json.plain import plain_rules_json
from cribpi.companion.web.json.rules import rules_json
from cribpi.companion.web.json.settings import settings_json
from cribpi.companion.web.past import GameHistory


class Guests(Protocol):
    """Who joins from a phone, as the board's own page shows it."""

    def json(self) -> dict[str, object]:
        """Return how a phone joins, and which ones are here."""

    def do(self, wish: Wish) -> None:
        """Do what was asked for on the page."""


class BoardClient(Client):
    """The board's own page: what it sees in addition to what a phone does."""

    loop: Loop
    """The loop that is asked; it is given before the page is served."""
    guests: Guests
    """Who joins from a phone; given as the loop is."""

    def __init__(self, kit: Kit, glass: Callable[[], Image.Image], strip: Callable[[], bytes]) -> None:
        """Take the kit, and what tells the picture on the glass and the colours of the LEDs."""
        super().__init__(lambda: self.loop, strip)
        self.kit = kit
        self.history = GameHistory(kit)
        """The past games, and the statistics."""
        self._glass = glass

    def state(self) -> dict[str, object]:
        """Return the state in the shape of the contract; what is wrong with the disk is a message, too."""
        state, trouble = super().state(), self.table.trouble
        return state if trouble is None else {**state, "message": state["message"] or trouble}

    def troubles(self) -> Mapping[str, str]:
        return self.loop.troubles

    def rules(self) -> dict[str, object]:
        """Return the rules that can be chosen, those set up for the next new game, and those of this one."""
        now = self.table.now
        return self._guarded(
            "rules", lambda: rules_json(now.desk.setup, now.state), plain_rules_json(now.desk.setup)
        )

    def settings(self) -> dict[str, object]:
        """Return the settings of the table and its device."""
        desk = self.table.now.desk
        return self._guarded("all settings", lambda: settings_json(desk), {"settings": [], "power": []})

    def _guarded(
        self, part: str, make: Callable[[], dict[str, object]], plain: dict[str, object]
    ) -> dict[str, object]:
        """Return what *make* makes for the page, or what is *plain* if that fails."""
        table = self.table
        return table.faults.guarded(f"page ({part})", table.now, make, lambda _error: plain)

    def chances(self) -> dict[str, object]:
        """Return each side's chance of winning by what everybody sees, as null without a game of two sides.

        Raises:
            NotNow: If NumPy, or a table for it, is missing.
        """
        now, unknown = self.table.now, "the chances of winning are not known"
        try:
            from cribpi.cribbage.analysis.tables import TablesError  # noqa: PLC0415  as above
            from cribpi.cribbage.analysis.winning import chances_now  # noqa: PLC0415  NumPy, for who asks
        except ImportError as bad:
            raise NotNow(f"{unknown} ({bad})") from None
        try:
            found = chances_now(now.state)
        except TablesError as bad:
            raise NotNow(f"{unknown} ({bad})") from None
        return {"seq": now.seq, "chances": None if found is None else [round(one, 3) for one in found]}

    def phones(self) -> dict[str, object]:
        """Return how a phone joins, and which ones are here."""
        return self.guests.json()

    def change_phones(self, wish: Wish) -> dict[str, object]:
        """Let phones in, send them away, or remove one; return what `phones` returns then."""
        self.guests.do(wish)
        return self.guests.json()

    def glass(self) -> bytes:
        """Return what the glass shows as a PNG, 128 x 64 of one bit."""
        file = io.BytesIO()
        self._glass().save(file, "PNG")
        return file.getvalue()
