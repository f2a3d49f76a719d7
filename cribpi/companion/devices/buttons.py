"""Keys with a GPIO each, pulled up and closing to ground: no polling at all.

Every edge wakes a thread of ours through a queue, so that even a press that is over before the thread runs is
not lost.  Then the levels decide: they reveal what the queue has missed.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from cribpi.companion.devices.keys import Clock, PinKeys, Report, Sink


class Buttons(PinKeys):
    """Keys to ground on a pin factory's pins.

    Args:
        pins: Each key's GPIO number.
        factory: A gpiozero pin factory: the Pi's or the twin's; it is closed with the keys.
        sink: Receives each edge, on the thread that runs `service`.
        report: Receives the device's name and its trouble, once, and None once it is well again.
        clock: The time in monotonic seconds.

    Raises:
        gpiozero.GPIOZeroError: If a pin does not exist or is in use.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        factory: Any,  # noqa: ANN401  gpiozero ships no types
        sink: Sink,
        *,
        report: Report = lambda _name, _sentence: None,
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(factory, sink, report, clock)
        self._edges: queue.SimpleQueue[tuple[str, bool]] = queue.SimpleQueue()
        self._callbacks = []  # gpiozero keeps only a weak reference to a callback
        try:
            self._pins = dict(zip(pins, self._claim(pins.values()), strict=True))
            for key, pin in self._pins.items():
                self._callbacks.append(partial(self._pin_changed, key))
                pin.edges = "both"
                pin.when_changed = self._callbacks[-1]
            self._ignore_held(self._closed())
        except Exception:
            self.close()
            raise

    def service(self, at: float) -> float | None:
        """Take all edges up to the time *at*, and give the changes to the sink.

        Returns:
            The seconds until a held key is called stuck, or None to wait for an edge.

        Raises:
            gpiozero.GPIOZeroError: If the pins cannot be read.
            Exception: What the sink raised.
        """
        self._wake.clear()  # first, so that an edge from now on wakes again
        while not self._edges.empty():
            key, closed = self._edges.get_nowait()
            self._edge(key, closed=closed, at=at)
        self._update_held(self._closed(), at)
        self._report_change(self._stuck(at))
        return self._until_stuck(at)

    def _wait(self, pause: float | None) -> None:
        self._wake.wait(pause)

    def _pin_changed(self, key: str, _ticks: object, state: object) -> None:
        """Queue an edge and wake our thread: this runs on the one thread of all pins, and can do no more."""
        self._edges.put((key, not state))
        self._wake_thread()

    def _closed(self) -> set[str]:
        """Return the keys whose pins are low."""
        return {key for key, pin in self._pins.items() if not pin.state}
