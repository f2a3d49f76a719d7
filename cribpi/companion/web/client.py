"""The interface between the table and a client: the local page or a phone."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING

from PIL import Image

from cribpi.companion.entry.phones import PhoneCommand
from cribpi.companion.entry.requests import TableRequest
from cribpi.companion.journal.journal import TableResponse
from cribpi.companion.kit import Kit
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.sessions import BOARD, ClientSession
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.web.history import GameHistory, NotNow
from cribpi.companion.web.json.page import page_json
from cribpi.companion.web.json.rules import plain_rules_json, rules_json, settings_json
from cribpi.companion.web.json.state import log_json, shown_json

if TYPE_CHECKING:
    from cribpi.companion.web.json import setup_types, table_types

_LOG = logging.getLogger(__name__)


class Client:
    """Base class of clients. Thread-safe.

    Args:
        loop: Returns the table's loop. Called only during requests, because the loop is created later.
        strip: Returns the colours of the LEDs, three bytes (red, green, blue) each. It may block.
        kit: The kit of the board.
    """

    def __init__(self, loop: Callable[[], Loop], strip: Callable[[], bytes], kit: Kit) -> None:
        self.kit = kit
        self._loop = loop
        self._strip = strip
        self._observers: tuple[Callable[[str], None], ...] = ()
        self._observing = threading.Lock()

    def subscribe(self, tell: Callable[[str], None]) -> Callable[[], None]:
        """Register *tell*, which is called with the kind of each change.

        Return a function that unregisters it.
        """
        with self._observing:
            self._observers = (*self._observers, tell)

        def unsubscribe() -> None:
            with self._observing:
                self._observers = tuple(other for other in self._observers if other is not tell)

        return unsubscribe

    def tell(self, *kinds: str) -> None:
        """Notify all subscribers that *kinds* have changed, such as `state` or `page`.

        A subscriber's error is logged: it must not stop the other subscribers, or the loop that calls this
        method.
        """
        for tell in self._observers:
            for kind in kinds:
                try:
                    tell(kind)
                except Exception:  # noqa: BLE001  see the docstring
                    _LOG.exception("reacting to a change of the %s failed", kind)

    @property
    def table(self) -> Table:
        return self._loop().table

    def session(self) -> ClientSession:
        """Return the session with this client's pending input and its view of the table."""
        return BOARD

    def do(
        self,
        request: TableRequest,
        id: str | None = None,  # noqa: A002  the contract's own word
        if_seq: int | None = None,
    ) -> Future[TableResponse]:
        """Run *request* on the loop thread. A repeated *id* only returns the first response again.

        If *if_seq* is given, and is not the table's current `seq`, the request is refused.
        """
        return self._loop().ask(lambda table: table.do(request, self.session(), id=id, if_seq=if_seq))

    def state(self) -> table_types.State:
        """Return the state as in ``GET /api/state``."""
        table = self.table
        return shown_json(table.now, table.faults, self.session().seen)

    def page(self) -> table_types.Page:
        """Return the data that only the page shows. A part that fails is left empty."""
        now, session = self.table.now, self.session()
        visible = self._visible(now, session)
        return page_json(visible, lambda: session.choices(now), self.table.faults, self.troubles())

    def troubles(self) -> Mapping[str, str]:
        """Return the board's faults, by component. Empty if this client must not see them."""
        return {}

    def log(self) -> list[table_types.LogLine]:
        """Return the complete log of this game, newest entry first."""
        now, faults = self.table.now, self.table.faults
        visible = self._visible(now, self.session())
        return faults.guarded("page (log)", now, lambda: log_json(visible.view.log, None), lambda _error: [])

    def strip(self) -> bytes:
        """Return the colours of the LEDs, three bytes (red, green, blue) each. May block."""
        return self._strip()

    def _visible(self, now: Snapshot, session: ClientSession) -> Snapshot:
        """Return the part of *now* that *session* may see. If this fails, return a blank snapshot."""
        faults = self.table.faults
        return faults.guarded("phone (view)", now, lambda: session.seen(now), lambda _error: now.blank())


class BoardClient(Client):
    """The client for the local page. It also provides history, settings, rules and phones."""

    loop: Loop
    """The table's loop. It must be set before the page is served."""
    phones: Callable[[], setup_types.Phones]
    """Returns the instructions for joining, and the joined phones. Set it before the page is served."""
    change_phones: Callable[[PhoneCommand], setup_types.Phones]
    """Opens or closes joining, removes a phone, or gives it a role. Returns the new `phones`."""

    def __init__(self, kit: Kit, glass: Callable[[], Image.Image], strip: Callable[[], bytes]) -> None:
        """*glass* returns the screen's picture, and *strip* the colours of the LEDs."""
        super().__init__(lambda: self.loop, strip, kit)
        self.history = GameHistory(kit)
        """Past games and statistics."""
        self._glass = glass

    def state(self) -> table_types.State:
        """Return the state as in ``GET /api/state``.

        A disk fault is reported in `message`, if there is no other message.
        """
        state, trouble = super().state(), self.table.trouble
        return state if trouble is None else {**state, "message": state["message"] or trouble}

    def troubles(self) -> Mapping[str, str]:
        return self.loop.troubles

    def rules(self) -> setup_types.Rules:
        """Return the available rules, the set-up of the next game, and the rules of this game."""
        now, faults = self.table.now, self.table.faults
        setup = now.context.next_game
        return faults.guarded(
            "page (rules)",
            now,
            lambda: rules_json(setup, now.state, now.context.machine.engines),
            lambda _error: plain_rules_json(setup),
        )

    def settings(self) -> setup_types.Settings:
        """Return the settings of the table and its device."""
        now, faults = self.table.now, self.table.faults
        none: setup_types.Settings = {"settings": [], "power": []}
        return faults.guarded(
            "page (all settings)", now, lambda: settings_json(now.context), lambda _error: none
        )

    def chances(self) -> table_types.Chances:
        """Return each side's chance of winning, from public cards.

        The chances are null without a game, with three sides, or in five-card cribbage.

        Raises:
            NotNow: If NumPy or its table is missing.
        """
        now, unknown = self.table.now, "the chances of winning are not known"
        try:
            from cribpi.cribbage.analysis.tables import TablesError  # noqa: PLC0415  loads NumPy
            from cribpi.cribbage.analysis.winning import chances_now  # noqa: PLC0415  loads NumPy
        except ImportError as bad:
            raise NotNow(f"{unknown} ({bad})") from None
        try:
            chances = chances_now(now.state)
        except TablesError as bad:
            raise NotNow(f"{unknown} ({bad})") from None
        rounded = None if chances is None else (round(chances[0], 3), round(chances[1], 3))
        return {"seq": now.seq, "chances": rounded}

    def glass(self) -> bytes:
        """Return the screen's picture as a PNG of 128 x 64 pixels, with one bit per pixel."""
        file = io.BytesIO()
        self._glass().save(file, "PNG")
        return file.getvalue()
