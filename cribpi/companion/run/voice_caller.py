"""The caller: speaks each event at the table once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cribpi.companion.table.loop import Loop
from cribpi.companion.table.snapshot import Snapshot

SAMPLE: Final = "fifteen two, fifteen four, and a pair is six"
"""A sample, spoken when the voice is turned on to show its volume."""
_VIEW: Final = "voice (words)"
"""The name of this view in error messages."""


class Caller:
    """Speaks the events at *loop*'s table while the setting `voice` is on.  *say* must not block."""

    def __init__(self, loop: Loop, say: Callable[[str], None]) -> None:
        self._loop = loop
        self._say = say
        self._before = loop.table.now

    def on_change(self, kind: str) -> None:
        """Speak the new events if *kind* is `state`.  Loop's thread only."""
        before, now = self._before, self._loop.table.now
        if kind != "state" or now is before:
            return
        self._before = now
        if now.context.value("voice") != "on":
            return
        is_new = before.context.value("voice") != "on"
        faults = self._loop.table.faults
        words = faults.guarded(_VIEW, now, lambda: SAMPLE if is_new else news(before, now), lambda _error: "")
        if words:
            self._say(words)


def news(before: Snapshot, now: Snapshot) -> str:
    """Return the spoken text of the events from *before* to *now*, or "" if *now* does not continue it."""
    return ". ".join(entry.spoken for entry in now.since(before) if entry.spoken)
