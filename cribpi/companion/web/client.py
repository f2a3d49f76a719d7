"""The table as one client sees it, and asks of it: the board's own page, or a phone."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future

from PIL import Image

from cribpi.companion.entry.ask import Ask
from cribpi.companion.entry.phones import Wish
from cribpi.companion.journal.journal import Answer
from cribpi.companion.kit import Kit
from cribpi.companion.table.desks import BOARD, InputDesk
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.web.history import GameHistory, NotNow
from cribpi.companion.web.json.page import page_json
from cribpi.companion.web.json.rules import plain_rules_json, rules_json, settings_json
from cribpi.companion.web.json.state import log_json, shown_json

_LOG = logging.getLogger(__name__)


class Client:
    """What everybody who looks and asks has in common; every method may be called from any thread.

    Args:
        loop: Gives the loop that is asked; it may be there only later.
        strip: Tells the colours of the LEDs, three bytes (red, green, blue) each; it may take a while.
        kit: The kit of the board.
    """

    def __init__(self, loop: Callable[[], Loop], strip: Callable[[], bytes], kit: Kit) -> None:
        self.kit = kit
        self._loop = loop
        self._strip = strip
        self._observers: tuple[Callable[[str], None], ...] = ()
        self._observing = threading.Lock()

    def subscribe(self, tell: Callable[[str], None]) -> Callable[[], None]:
        """Have *tell* called after each change with what has changed; the function returned ends it."""
        with self._observing:
            self._observers = (*self._observers, tell)

        def unsubscribe() -> None:
            with self._observing:
                self._observers = tuple(other for other in self._observers if other is not tell)

        return unsubscribe

    def tell(self, *kinds: str) -> None:
        """Tell all who have subscribed that these *kinds* have changed, such as `state` or `page`.

        One that fails keeps nobody else from it, and least of all the loop, which tells.
        """
        for tell in self._observers:
            for kind in kinds:
                try:
                    tell(kind)
                except Exception:  # noqa: BLE001  as the docstring says
                    _LOG.exception("reacting to a change of the %s failed", kind)

    @property
    def table(self) -> Table:
        return self._loop().table

    def desk(self) -> InputDesk:
        """Return the desk at which this client asks, and from which it sees the table."""
        return BOARD

    def do(self, ask: Ask, id: str | None = None, if_seq: int | None = None) -> Future[Answer]:  # noqa: A002  the contract's own word
        """Have *ask* done; the same *id* again returns the first answer again, and does nothing.

        If *if_seq* is given and the table has moved on from there, it is refused and changes nothing.
        """
        return self._loop().ask(lambda table: table.do(ask, self.desk(), id=id, if_seq=if_seq))

    def state(self) -> dict[str, object]:
        """Return the state in the shape of ``GET /api/state``."""
        table = self.table
        return shown_json(table.now, table.faults, self.desk().seen)

    def page(self) -> dict[str, object]:
        """Return what only the page shows; a part that fails is left empty."""
        now, desk, faults = self.table.now, self.desk(), self.table.faults
        return page_json(self._seen(now, desk), lambda: desk.choices(now), faults, self.troubles())

    def troubles(self) -> Mapping[str, str]:
        """Return what is wrong with the board, where this client is to know."""
        return {}

    def log(self) -> list[dict[str, object]]:
        """Return what happened in this game, newest first, all of it."""
        now, faults = self.table.now, self.table.faults
        seen = self._seen(now, self.desk())
        return faults.guarded("page (log)", now, lambda: log_json(seen.view.log, None), lambda _error: [])

    def strip(self) -> bytes:
        """Return what the LEDs show: red, green and blue of each; may take a while."""
        return self._strip()

    def _seen(self, now: Snapshot, desk: InputDesk) -> Snapshot:
        """Return *now* as it is seen at *desk*; if that can't be worked out, nothing is to be seen."""
        faults = self.table.faults
        return faults.guarded("phone (view)", now, lambda: desk.seen(now), lambda _error: now.blank())


class BoardClient(Client):
    """The board's own page: what it sees in addition to what a phone does."""

    loop: Loop
    """The loop that is asked; it is given before the page is served."""
    phones: Callable[[], dict[str, object]]
    """Tells how a phone joins, and which ones are here; given as the loop is."""
    change_phones: Callable[[Wish], dict[str, object]]
    """Lets phones in, sends them away, or removes one; returns what `phones` returns then."""

    def __init__(self, kit: Kit, glass: Callable[[], Image.Image], strip: Callable[[], bytes]) -> None:
        """Take the kit, and what tells the picture on the glass and the colours of the LEDs."""
        super().__init__(lambda: self.loop, strip, kit)
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
        now, faults = self.table.now, self.table.faults
        setup = now.desk.setup
        return faults.guarded(
            "page (rules)",
            now,
            lambda: rules_json(setup, now.state, now.desk.machine.engines),
            lambda _error: plain_rules_json(setup),
        )

    def settings(self) -> dict[str, object]:
        """Return the settings of the table and its device."""
        now, faults = self.table.now, self.table.faults
        none: dict[str, object] = {"settings": [], "power": []}
        return faults.guarded(
            "page (all settings)", now, lambda: settings_json(now.desk), lambda _error: none
        )

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

    def glass(self) -> bytes:
        """Return what the glass shows as a PNG, 128 x 64 of one bit."""
        file = io.BytesIO()
        self._glass().save(file, "PNG")
        return file.getvalue()
