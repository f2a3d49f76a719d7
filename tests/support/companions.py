"""A companion on emulated hardware, with its loop in a thread and optionally its page."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cribpi.companion.devices.twin.twin import Twin
from cribpi.companion.entry.requests import Press, TableRequest
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import Running, assembled
from cribpi.companion.run.config import Config
from cribpi.companion.table.loop import Stop
from cribpi.companion.web.client import BoardClient
from cribpi.companion.web.requests import parse_request
from cribpi.companion.web.server import PageServer
from support.patience import PATIENCE, joined


@contextmanager
def running(
    state: Path,
    *,
    kit: str = "table",
    seed: int | None = None,
    is_sim: bool = True,
    trusts_engines: bool = False,
    **settings: Any,  # noqa: ANN401  the fields of Config
) -> Iterator[Running]:
    with assembled(
        Config(**settings), load_kit(kit), state, is_sim=is_sim, trusts_engines=trusts_engines, seed=seed
    ) as parts:
        thread = threading.Thread(target=parts.loop.run)
        thread.start()
        try:
            yield parts
        finally:
            parts.loop.post(Stop())
            joined(thread)


@contextmanager
def served(state: Path, **settings: Any) -> Iterator[tuple[Running, str]]:  # noqa: ANN401  as above
    with running(state, **settings) as parts, page_of(parts.companion) as page:
        yield parts, page.url


@contextmanager
def page_of(companion: BoardClient, port: int = 0) -> Iterator[PageServer]:
    """Serve the page of *companion*, by default at any free port. The caller may stop it earlier."""
    page = PageServer(companion, port)
    page.start()
    try:
        yield page
    finally:
        page.stop()


def twin_of(parts: Running) -> Twin:
    assert parts.chips.twin is not None
    return parts.chips.twin


def press(parts: Running, key: str) -> Any:  # noqa: ANN401  JSON
    return json.loads(parts.companion.do(Press(key)).result(PATIENCE).text)


def start_of(request: Mapping[str, object]) -> TableRequest:
    """Return the request that ``POST /api/game`` makes from this body."""
    return parse_request("game", json.dumps(request).encode()).request


def set_up_of(request: Mapping[str, object]) -> TableRequest:
    """Return the request that ``POST /api/rules`` makes from this body."""
    return parse_request("rules", json.dumps(request).encode()).request
