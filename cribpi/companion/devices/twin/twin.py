"""The whole twin: a kit's chips, and fingers for its keys, on mock pins of the real gpiozero."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from gpiozero.pins.mock import MockFactory, MockPin

from cribpi.companion.devices.numpad import PRESSED, RELEASED
from cribpi.companion.devices.twin.panel import Bus, Panel
from cribpi.companion.devices.twin.usb import Pad, UsbPorts
from cribpi.companion.devices.twin.wire import Wire

GROUND = -1
"""Stands for the Pi's ground among GPIO numbers."""


class MatrixPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A pin with the level of its wire: that of the wire's driver, or else of its pulls."""

    _state: bool

    def _settled(self, change: Callable[[Any], None], value: object) -> None:
        with self.factory.lock:
            change(value)
            self.factory.settle(self._number)

    def _set_function(self, value: str) -> None:
        with self.factory.lock:
            self._function = value  # the mock would drive an input to its pull, which settling does
            self.factory.settle(self._number)

    def _set_state(self, value: bool) -> None:  # noqa: FBT001  the signature is gpiozero's
        self._settled(super()._set_state, value)

    def _set_pull(self, value: str) -> None:
        self._settled(super()._set_pull, value)

    def output_with_state(self, state: bool) -> None:  # noqa: FBT001  the signature is gpiozero's
        """Make this an output with the level *state* at once, as real pins do."""
        with self.factory.lock:
            self._function = "output"
            self._change_state(bool(state))
            self.factory.settle(self._number)

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001  the signature is gpiozero's
        """Set the level and return whether it is new; the mock's own list of levels would grow forever."""
        is_other, self._state = self._state != value, value
        if is_other and (watch := self.factory.watched.get(self._number)):
            watch(value)
        return is_other


class MatrixFactory(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """A Pi's pins with keys between them: a closed key joins two pins, or a pin and ground.

    Only keys join pins, and they have no diodes: current flows through a key both ways, and three keys at the
    corners of a rectangle close the fourth as well, as in a plain keypad.

    Attributes:
        lock: Held while levels change; callbacks run under it, in the thread that made the change.
        shorts: The number of times that a high output and a low one were joined.
        watched: Callbacks for the level of a GPIO.
    """

    def __init__(self) -> None:
        super().__init__(revision="a02082", pin_class=MatrixPin)
        self.lock = threading.RLock()
        self.shorts = 0
        self.watched: dict[int, Callable[[bool], None]] = {}
        self._joined: defaultdict[int, set[int]] = defaultdict(set)
        self._found: dict[int | str, MatrixPin] = {}

    def pin(self, name: int | str) -> MatrixPin:
        """Return the pin *name*, cached: gpiozero's own lookup scans the whole board each time."""
        if name not in self._found:
            self._found[name] = super().pin(name)
        return self._found[name]

    def reset(self) -> None:
        self._found.clear()
        super().reset()

    def close(self) -> None:
        """Do nothing: a reopened factory reuses the same pins, and each device closes its own."""

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
        """Set every input on the wire of GPIO *number* to the wire's level.

        A driven wire has its driver's level; low wins over high, and that counts as a short. Otherwise it has
        that of its pulls, low if they disagree. On a wire with neither, each pin keeps its level.
        """
        inputs: list[MatrixPin] = []
        driven: set[bool] = set()
        pulls: set[str] = set()
        for joined in self._wire(number) if self._joined[number] else (number,):
            if joined == GROUND:
                driven |= {False}
                continue
            pin = self.pin(joined)
            if pin._function == "output":  # noqa: SLF001  MockPin's own fields
                driven.add(pin._state)  # noqa: SLF001
            else:
                inputs.append(pin)
                pulls.add(pin._pull)  # noqa: SLF001
        pulls.discard("floating")
        if len(driven) > 1:
            self.shorts += 1
        if driven or pulls:
            high = driven == {True} if driven else pulls == {"up"}
            for pin in inputs:
                if pin._state != high:  # noqa: SLF001
                    (pin.drive_high if high else pin.drive_low)()

    def _wire(self, number: int) -> set[int]:
        """Return the pins that closed keys join to *number*, including itself."""
        wire, rest = {number}, [number]
        while rest:
            further = self._joined[rest.pop()] - wire
            wire |= further
            rest += further
        return wire


TOUCH = 0.03
"""Seconds that a press holds its key, and that it waits afterwards."""
FLUTTER = 0.0001
"""Seconds between two bounces."""


class Contact(NamedTuple):
    close: Callable[[], None]
    open: Callable[[], None]


class Twin:
    """A Pi's pins and USB ports with keys on them, an I2C bus with a panel, and a line of LEDs.

    Give `factory` or `ports` to the keys, `bus` to the OLED and `wire` to the strip's encoder: those are the
    real drivers, and this is all the hardware they get.  Methods that take the *name* of a key raise
    KeyError if there is no such key.

    Args:
        leds: The number of LEDs.
        address: The panel's address on the bus.
        panel: The panel there; by default an SSD1306.
        pause: Lets a number of seconds pass between the movements of a press.  Without threads, let it move
            an imagined clock and call the keys' `service`.

    Attributes:
        factory: The pin factory.
        ports: The USB ports, as the kernel presents them.
        pad: The USB keypad, if one was plugged in.
        bus: The I2C bus.
        panel: The panel on it.
        wire: The LEDs and their line.
    """

    def __init__(
        self,
        leds: int,
        *,
        address: int = 0x3C,
        panel: Panel | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.factory = MatrixFactory()
        self.ports = UsbPorts()
        self.pad: Pad | None = None
        self.panel = panel or Panel()
        self.bus = Bus(address, self.panel)
        self.wire = Wire(leds)
        self._pause = pause
        self._stuck = set[str]()
        self._keys: dict[str, Contact] = {}

    def solder_matrix(
        self, rows: tuple[int, ...], columns: tuple[int, ...], keys: tuple[tuple[str, ...], ...]
    ) -> None:
        """Put a matrix on the pins: *keys* has a tuple of names for each GPIO of *rows*; "" means no key."""
        for row, names in zip(rows, keys, strict=True):
            for column, name in zip(columns, names, strict=True):
                if name:
                    self._solder(name, row, column)

    def solder_buttons(self, pins: Mapping[str, int]) -> None:
        for name, pin in pins.items():
            self._solder(name, pin, GROUND)

    def _solder(self, name: str, one: int, other: int) -> None:
        self._keys[name] = Contact(
            partial(self.factory.join, one, other), partial(self.factory.part, one, other)
        )

    def solder_reset(self, gpio: int) -> None:
        self.factory.watched[gpio] = self.panel.reset_line

    def plug_in_pad(self, codes: Mapping[str, int], name: str = "USB keypad") -> None:
        """Plug in a keypad called *name* with a key for each of *codes*."""
        self.pad = Pad(name, codes.values())
        for key, code in codes.items():
            move = partial(self.ports.move, self.pad, code)
            self._keys[key] = Contact(partial(move, PRESSED), partial(move, RELEASED))
        self.plug()

    def unplug(self) -> None:
        """Unplug the keypad.

        Raises:
            ValueError: If it is soldered.
        """
        self.ports.unplug(self._usb_pad())

    def plug(self) -> None:
        """Plug the same keypad in again.

        Raises:
            ValueError: If it is soldered.
        """
        self.ports.plug(self._usb_pad())

    def _usb_pad(self) -> Pad:
        if self.pad is None:
            raise ValueError("these keys are soldered to the pins: only USB keys are plugged in and out")
        return self.pad

    def close_key(self, name: str) -> None:
        """Put a finger on the key *name*."""
        self._key(name).close()

    def open_key(self, name: str) -> None:
        """Take the finger off the key *name*; a stuck key stays closed."""
        key = self._key(name)
        if name not in self._stuck:
            key.open()

    def press(self, name: str, seconds: float = TOUCH) -> None:
        """Press the key *name* and release it after *seconds*."""
        self.close_key(name)
        self._pause(seconds)
        self.open_key(name)
        self._pause(TOUCH)

    def bounce(self, name: str, times: int, *, closes: bool = True) -> None:
        """Close the key *name*, or open it, with a contact that first bounces *times* times."""
        move, back = (self.close_key, self.open_key) if closes else (self.open_key, self.close_key)
        move(name)
        for _ in range(times):
            self._pause(FLUTTER)
            back(name)
            self._pause(FLUTTER)
            move(name)

    def stick(self, name: str) -> None:
        """Make the key *name* stay down once it is pressed."""
        self._key(name)
        self._stuck.add(name)

    def unstick(self, name: str) -> None:
        """Free the key *name*, which comes up."""
        self._stuck.discard(name)
        self.open_key(name)

    def _key(self, name: str) -> Contact:
        if name not in self._keys:
            raise KeyError(f"the keypad has no key {name}; it has {' '.join(self._keys)}")
        return self._keys[name]
