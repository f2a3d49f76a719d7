"""Mock pins that keys join to each other, or to ground, for the real gpiozero."""

from __future__ import annotations

import threading
from collections import defaultdict

from gpiozero.pins.mock import MockFactory, MockPin

_STATES_KEPT = 64

GROUND = -1
"""Stands for the Pi's ground among GPIO numbers."""


class MatrixPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A pin with the level of the wire it is on: that of its driver, or else of its pulls."""

    def _set_function(self, value: str) -> None:
        with self.factory.lock:
            super()._set_function(value)
            self.factory.settle(self._number)

    def _set_state(self, value: bool) -> None:  # noqa: FBT001  the signature is gpiozero's
        with self.factory.lock:
            super()._set_state(value)
            self.factory.settle(self._number)

    def _set_pull(self, value: str) -> None:
        with self.factory.lock:
            super()._set_pull(value)
            self.factory.settle(self._number)

    def output_with_state(self, state: bool) -> None:  # noqa: FBT001  the signature is gpiozero's
        """Make this an output that never shows any level but *state*, as real pins do."""
        with self.factory.lock:
            self._function = "output"
            self._change_state(bool(state))
            self.factory.settle(self._number)

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001  the signature is gpiozero's
        """Keep short the mock's list of all its states, which would grow for ever."""
        if len(self.states) >= _STATES_KEPT:
            self.clear_states()
        return bool(super()._change_state(value))


class MatrixFactory(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """A Pi's pins with keys between them: a closed key joins two pins, or a pin and ground.

    Only keys join pins, and they have no diodes: current flows through a key both ways, and three keys at the
    corners of a rectangle close the fourth as well, as in a plain keypad.

    Attributes:
        lock: Held while levels change; callbacks run under it, in the thread that made the change.
        shorts: How often a high output and a low one were joined.
    """

    def __init__(self) -> None:
        super().__init__(revision="a02082", pin_class=MatrixPin)
        self.lock = threading.RLock()
        self.shorts = 0
        self._joined: defaultdict[int, set[int]] = defaultdict(set)
        self._found: dict[int | str, MatrixPin] = {}

    def pin(self, name: int | str) -> MatrixPin:
        """Return the pin *name*, cached: gpiozero's own lookup scans the whole board each time."""
        if name not in self._found:
            self._found[name] = super().pin(name)
        return self._found[name]

    def reset(self) -> None:
        """Forget every pin."""
        self._found.clear()
        super().reset()

    def close(self) -> None:
        """Do nothing: whoever opens the pins again gets the same ones, and each device closes its own."""

    def join(self, one: int, other: int) -> None:
        """Close the key between two GPIO numbers, or a number and `GROUND`."""
        with self.lock:
            self._joined[one].add(other)
            self._joined[other].add(one)
            self.settle(one)

    def part(self, one: int, other: int) -> None:
        """Open the key between two GPIO numbers, or a number and `GROUND`."""
        with self.lock:
            self._joined[one].discard(other)
            self._joined[other].discard(one)
            self.settle(one)
            self.settle(other)

    def settle(self, number: int) -> None:
        """Give every input on the wire of GPIO *number* the wire's level.

        A driven wire has its driver's level; low wins over high, and that counts as a short.  Otherwise it
        has that of its pulls, low if they disagree.  On a wire with neither, each pin keeps its level.
        """
        numbers = self._wire(number)
        wire = [self.pin(n) for n in numbers if n != GROUND]
        driven = {pin._state for pin in wire if pin._function == "output"}  # noqa: SLF001  MockPin's own fields
        driven |= {False} if GROUND in numbers else set()
        pulls = {pin._pull for pin in wire if pin._function == "input"} - {"floating"}  # noqa: SLF001
        if driven == {True, False}:
            self.shorts += 1
        high = driven == {True} if driven else pulls == {"up"}
        for pin in wire if driven or pulls else ():
            if pin._function == "input":  # noqa: SLF001
                (pin.drive_high if high else pin.drive_low)()

    def _wire(self, number: int) -> set[int]:
        """Return the pins that closed keys join to *number*, including itself."""
        wire, rest = {number}, [number]
        while rest:
            further = self._joined[rest.pop()] - wire
            wire |= further
            rest += further
        return wire
