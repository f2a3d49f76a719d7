"""The whole twin: the chips of one kit, and hands for its keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product

from cribpi.devices.twin.bus import Bus
from cribpi.devices.twin.panel import Panel
from cribpi.devices.twin.pins import MatrixFactory
from cribpi.devices.twin.wire import Wire

TOUCH = 0.03
"""Seconds that a press holds its key, and that it leaves it alone afterwards."""
FLUTTER = 0.0001
"""Seconds between two bounces."""


class Twin:
    """A Pi's pins with a keypad on them, an I2C bus with a panel on it, and a line of LEDs.

    Give `factory` to the keypad, `bus` to the OLED and `wire` to the strip's encoder: they are the real
    drivers, and this is all they have of hardware.

    Args:
        rows: The rows' GPIO numbers.
        columns: The columns' GPIO numbers.
        keys: The keys' names, a row of them for each of *rows*.
        leds: How many LEDs the line has.
        address: The panel's address on the bus.
        pause: Lets a number of seconds pass between the movements of a press.  Without threads, let it move
            an imagined clock and call the keypad's `service`.

    Attributes:
        factory: The pin factory.
        bus: The I2C bus.
        panel: The panel on it.
        wire: The LEDs and their line.
    """

    def __init__(
        self,
        rows: tuple[int, ...],
        columns: tuple[int, ...],
        keys: tuple[tuple[str, ...], ...],
        leds: int,
        *,
        address: int = 0x3C,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.factory = MatrixFactory()
        self.panel = Panel()
        self.bus = Bus({address: self.panel})
        self.wire = Wire(leds)
        self._pause = pause
        self._stuck = set[str]()
        self._pins = {
            keys[row][column]: (rows[row], columns[column])
            for row, column in product(range(len(rows)), range(len(columns)))
            if keys[row][column]
        }

    def close_key(self, name: str) -> None:
        """Put a finger on the key *name*.

        Raises:
            KeyError: If the keypad has no such key.
        """
        self.factory.join(*self._contacts(name))

    def open_key(self, name: str) -> None:
        """Take the finger off the key *name*; a stuck one stays closed.

        Raises:
            KeyError: If the keypad has no such key.
        """
        contacts = self._contacts(name)
        if name not in self._stuck:
            self.factory.part(*contacts)

    def press(self, name: str, seconds: float = TOUCH) -> None:
        """Press the key *name* and let it go after *seconds*.

        Raises:
            KeyError: If the keypad has no such key.
        """
        self.close_key(name)
        self._pause(seconds)
        self.open_key(name)
        self._pause(TOUCH)

    def bounce(self, name: str, times: int, *, closes: bool = True) -> None:
        """Close the key *name*, or open it, with a contact that first opens and closes *times* more.

        Raises:
            KeyError: If the keypad has no such key.
        """
        move, back = (self.close_key, self.open_key) if closes else (self.open_key, self.close_key)
        move(name)
        for _ in range(times):
            self._pause(FLUTTER)
            back(name)
            self._pause(FLUTTER)
            move(name)

    def stick(self, name: str) -> None:
        """Let the key *name* not come up again once it is pressed.

        Raises:
            KeyError: If the keypad has no such key.
        """
        self._contacts(name)
        self._stuck.add(name)

    def unstick(self, name: str) -> None:
        """Free the key *name*, which comes up.

        Raises:
            KeyError: If the keypad has no such key.
        """
        self._stuck.discard(name)
        self.open_key(name)

    def _contacts(self, name: str) -> tuple[int, int]:
        """Return the two pins that the key *name* joins."""
        try:
            return self._pins[name]
        except KeyError:
            raise KeyError(f"the keypad has no key {name}; it has {' '.join(self._pins)}") from None
