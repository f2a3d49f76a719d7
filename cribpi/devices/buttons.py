"""Keys that each have a GPIO of their own, pulled up and closed to ground: no polling at all.

Every edge wakes a thread of ours, which hears of it through a queue, so that not even a press that is over
before the thread comes to run is lost.  Then the levels count: what the queue has missed shows in them.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from cribpi.devices.keys import Clock, PinKeys, Report, Sink


class Buttons(PinKeys):
    """Keys to ground on a pin factory's pins.

    Args:
        pins: Each key's GPIO number.
        factory: A gpiozero pin factory: the Pi's or the twin's; it is closed with the keys.
        sink: Takes each edge; called from the thread that runs `service`.
        report: Takes the device's name and what is wrong with it, once, and None once it is well again.
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
        self._callbacks = []  # gpiozero itself holds a callback by a weak reference
        try:
            self._pins = dict(zip(pins, self._claim(pins.values()), strict=True))
            for key, pin in self._pins.items():
                self._callbacks.append(partial(self._pin_changed, key))
                pin.edges = "both"
                pin.when_changed = self._callbacks[-1]
            self._ignore(self._closed())
        except Exception:
            self.close()
            raise

    def service(self, at: float) -> float | None:
        """Take all edges until the time *at*, give what changed to the sink, and return when to be called
        again.

        Returns:
            The seconds until a key that is held is called stuck, or None if an edge is to be waited for.

        Raises:
            gpiozero.GPIOZeroError: If the pins cannot be read.
            Exception: What the sink raised.
        """
        self._wake.clear()  # first: an edge from now on wakes again
        while not self._edges.empty():
            key, closed = self._edges.get_nowait()
            self._edge(key, closed=closed, at=at)
        self._take(self._closed(), at)
        self._say(self._stuck(at))
        return self._until_stuck(at)

    def _wait(self, pause: float | None) -> None:
        self._wake.wait(pause)

    def _pin_changed(self, key: str, _ticks: object, state: object) -> None:
        """Note an edge and wake our thread.  This runs on the one thread of all pins, and so can do no
        more.
        """
        self._edges.put((key, not state))
        self._rouse()

    def _closed(self) -> set[str]:
        """Return the keys whose pins are low."""
        return {key for key, pin in self._pins.items() if not pin.state}
