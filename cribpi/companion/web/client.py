"""The table as one client sees it, and asks of it: the board's own page, or a phone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future

from cribpi.companion.entry.ask import Ask
from cribpi.companion.journal.journal import Answer
from cribpi.companion.table.desks import BOARD, InputDesk
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.answers import shown_json
from cribpi.companion.web.json.state import log_json
from cribpi.companion.web.observers import Observers
from cribpi.companion.web.page_data import page_json


class Client(Observers):
    """What everybody who looks and asks has in common; every method may be called from any thread.

    Args:
        loop: Gives the loop that is asked; it may be there only later.
        strip: Tells the colours of the LEDs, three bytes (red, green, blue) each; it may take a while.
    """

    def __init__(self, loop: Callable[[], Loop], strip: Callable[[], bytes]) -> None:
        super().__init__()
        self._loop = loop
        self._strip = strip

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
        line = [(moment.event, moment.state) for moment in self._seen(now, self.desk()).line]
        return faults.guarded("page (log)", now, lambda: log_json(line, None), lambda _error: [])

    def strip(self) -> bytes:
        """Return what the LEDs show: red, green and blue of each; may take a while."""
        return self._strip()

    def _seen(self, now: Snapshot, desk: InputDesk) -> Snapshot:
        """Return *now* as it is seen at *desk*; if that can't be worked out, nothing is to be seen."""
        faults = self.table.faults
        return faults.guarded("phone (view)", now, lambda: desk.seen(now), lambda _error: now.blank())
