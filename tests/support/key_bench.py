"""A test bench for keys of any kind, with simulated time."""

from __future__ import annotations

from cribpi.companion.devices.keys import Keys
from cribpi.companion.entry.debounce import Debouncer, Edge, Hold, holds_of


class KeyBench:
    """Base of the benches: the driver under test, its edges, and the simulated time in seconds."""

    driver: Keys

    def __init__(self) -> None:
        self.now = 0.0
        self.edges: list[Edge] = []

    def passes(self, seconds: float) -> None:
        """Let time pass as the driver's thread does: wait as long as it asks, or until woken."""
        end = self.now + seconds
        while (pause := self.driver.service(self.now)) is not None and self.now + pause <= end:
            self.now += pause
        self.now = end

    def typed(self, holds: tuple[Hold, ...] = holds_of()) -> list[str]:
        """Return the keys pressed so far, after debouncing. *holds* are the long presses."""
        keys, found = Debouncer(holds), list[str]()
        for edge in self.edges:
            keys, presses = keys.feed(edge)
            found += presses
        _, presses = keys.tick(self.now + 60)
        return [*found, *presses]
