"""The real table on the twin, in this process: where one of its own would prove no more, and takes a second
to start."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cribpi.app.bootstrap import assembled
from cribpi.app.config import Config
from cribpi.app.loop import Stop
from cribpi.kit import load_kit
from cribpi.web.companion import Companion
from web.browser import served

WAIT = 20.0


@dataclass(frozen=True, slots=True)
class RealTable:
    """A companion that runs, and the address of its page."""

    companion: Companion
    url: str

    def state(self) -> dict[str, Any]:
        return self.companion.state()


@contextmanager
def real_table(state: Path, kit: str = "table", seed: int = 1) -> Iterator[RealTable]:
    """Run the table with *kit*; its lights stand still, and what is left to chance hangs on the *seed*
    alone."""
    with assembled(Config(still=True), load_kit(kit), state, is_sim=True, seed=seed) as parts:
        thread = threading.Thread(target=parts.loop.run)
        thread.start()
        try:
            with served(parts.companion) as url:
                yield RealTable(parts.companion, url)
        finally:
            parts.loop.post(Stop())
            thread.join(WAIT)
