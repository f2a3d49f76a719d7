"""The real table on the twin, in this process: where one of its own would prove no more, and takes a second
to start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.web.browser import SHOWS, usual_port, wait_until
from playwright.sync_api import Page
from support.companions import page_of, running
from support.patience import PATIENCE

from cribpi.companion.entry.requests import Press
from cribpi.companion.web.client import BoardClient


@dataclass(frozen=True, slots=True)
class RealTable:
    """A companion that runs, and the address of its page."""

    companion: BoardClient
    url: str

    def state(self) -> dict[str, Any]:
        return {**self.companion.state()}

    def press(self, *keys: str) -> None:
        for key in keys:
            assert self.companion.do(Press(key)).result(PATIENCE).is_accepted, key

    def until_shown(self, page: Page) -> None:
        """Wait until *page* shows what has happened: a press before that is meant for what was there before."""
        wait_until(page, lambda: page.evaluate(SHOWS, self.state()["seq"]))


@contextmanager
def real_table(
    state: Path,
    kit: str = "table",
    seed: int = 1,
    **settings: Any,  # noqa: ANN401  the fields of Config
) -> Iterator[RealTable]:
    """Run the table with *kit*; its lights stand still, and what is left to chance hangs on the *seed*
    alone."""
    with (
        running(state, kit=kit, seed=seed, still=True, **settings) as parts,
        page_of(parts.companion, usual_port("127.0.0.1")) as page,
    ):
        yield RealTable(parts.companion, page.url)
