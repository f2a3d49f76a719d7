"""A publisher that sends to a broker on loopback, and the faults that it reports."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.outbox import FILE, Outbox
from cribpi.companion.mqtt.publisher import Publisher
from support.patience import PATIENCE

EVENT, STATE, ONLINE, RESULT = (f"cribpi/oak/{what}" for what in ("event", "state", "online", "result"))


class Said:
    """Records the faults that a publisher reports, in order."""

    def __init__(self) -> None:
        self.all: list[str | None] = []

    def __call__(self, part: str, sentence: str | None) -> None:
        assert part == "mqtt"
        self.all.append(sentence)

    def wait(self, is_it: Callable[[str | None], bool], seconds: float = PATIENCE) -> str | None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.all and is_it(self.all[-1]):
                return self.all[-1]
            time.sleep(0.02)
        raise AssertionError(self.all)


@contextmanager
def telling(
    folder: Path,
    port: int,
    on_undo: Callable[[str | None], None] = lambda _id: None,
    *,
    host: str = "127.0.0.1",
    **more: Any,  # noqa: ANN401  settings
) -> Iterator[tuple[Publisher, Said]]:
    if not (folder / FILE).exists():
        (folder / FILE).write_text("{}", encoding="utf-8")  # publish all games, not only the current one
    said = Said()
    publisher = Publisher(Broker(host=host, port=port, **{"board": "oak"} | more), folder, said, on_undo)
    publisher.start()
    try:
        yield publisher, said
    finally:
        publisher.stop()


def wanted(folder: Path) -> list[str]:
    """Return the ids of all events in a journal, in order."""
    outbox, found, row = Outbox(folder, "oak"), [], 0
    while steps := outbox.after(row):
        found += [one["id"] for told in steps for one in told.events]
        row = steps[-1].row
    return found


def told(folder: Path) -> int:
    """Return the stored number of the last row that the broker has acknowledged."""
    outbox = Outbox(folder, "oak")
    outbox.load()
    return outbox.acknowledged_row


def in_order(heard: list[dict[str, Any]]) -> list[str]:
    """Return the received ids, each once, in order of first receipt."""
    return list(dict.fromkeys(one["id"] for one in heard))
