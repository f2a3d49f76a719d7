"""A loop that the test itself serves, until its last picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from cribpi.companion.entry.requests import Press
from cribpi.companion.journal.journal import StateFolder
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.table import ShutdownResult, Table
from cribpi.companion.views.dimming import BRIGHT
from cribpi.companion.views.lights.frame import Frame
from cribpi.companion.web.json.state import AS_JSON


class Shown:
    """Records the last frame and picture that the loop shows, in place of strip and screen."""

    def __init__(self) -> None:
        self.frame = Frame(b"")
        self.picture = Image.new("1", (128, 64))

    def show_frame(self, frame: Frame, /) -> None:
        self.frame = frame

    def show_picture(self, picture: Image.Image, contrast: int, /, *, is_turned: bool = False) -> None:
        assert (contrast, is_turned) == (BRIGHT, False)
        self.picture = picture


@contextmanager
def leaving(state: Path, result: ShutdownResult) -> Iterator[tuple[Loop, Shown]]:
    folder = StateFolder(state)
    journal, _ = folder.open_journal()
    shown = Shown()
    try:
        table = Table(
            journal, formatter=AS_JSON, clock=lambda: "2026-11-21", draw=lambda: 0, power=lambda _move: result
        )
        loop = Loop(table, load_kit("table"), shown)
        yield loop, shown
    finally:
        journal.close()
        folder.close()


def keyed(loop: Loop, *keys: str) -> None:
    """Press *keys* one after another, in a loop that the test serves."""
    for key in keys:
        answer = loop.ask(lambda table, key=key: table.do(Press(key)))  # type: ignore[misc]  # a lambda in a loop
        loop.serve()
        assert answer.result(0).is_accepted
