"""The whole twin: the hardware of a kit, with keys to press, on mock pins of the real gpiozero."""

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
from cribpi.companion.devices.twin.usb import UsbPad, UsbPorts
from cribpi.companion.devices.twin.wire import Wire

GROUND = -1
"""The number that stands for ground among GPIO numbers."""


class MatrixPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A pin with the level of its wire.  Outputs on the wire set that level. Without outputs, pulls do."""

    _state: bool

    def _settled(self, change: Callable[[Any], None], value: object) -> None:
        with self.factory.lock:
            change(value)
            self.factory.settle(self._number)

    def _set_function(self, value: str) -> None:
        with self.factory.lock:
            self._function = value  # the mock would set an input to its pull, ignoring the wire
            self.factory.settle(self._number)

    def _set_state(self, value: bool) -> None:  # noqa: FBT001  the signature is gpiozero's
        self._settled(super()._set_state, value)

    def _set_pull(self, value: str) -> None:
        self._settled(super()._set_pull, value)

    def output_with_state(self, state: bool) -> None:  # noqa: FBT001  the signature is gpiozero's
        """Make this an output that has the level *state* from the beginning, as real pins do."""
        with self.factory.lock:
            self._function = "output"
            self._change_state(bool(state))
            self.factory.settle(self._number)

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001  the signature is gpiozero's
        """Set the level and return whether it has changed.

        The mock's own method would also append each level to a list, which would grow forever.
        """
        is_other, self._state = self._state != value, value
        if is_other and (watch := self.factory.watched.get(self._number)):
            watch(value)
        return is_other


class MatrixFactory(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """A Pi's pins with keys between them: a closed key joins two pins, or a pin and ground.

    There are no diodes, so current flows through a key in both directions. As in a real keypad without
    diodes, three closed keys at the corners of a rectangle close the fourth corner too.

    Attributes:
        lock: Held while levels change; callbacks run on the thread that made the change, with the lock held.
        shorts: The number of times that a high output and a low one were joined.
        watched: Callbacks for changes of a GPIO's level, by GPIO.
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
        """Do nothing: a reopened factory uses the same pins again, and devices close their own pins."""

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

        A wire with drivers has their level; if they differ, it is low, and a short is counted. A wire without
        drivers has the level of its pulls, low if they differ. Without pulls, each pin keeps its level.
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
"""Seconds for which a press holds the key, and for which it waits afterwards."""
FLUTTER = 0.0001
"""Seconds between two bounces."""


class Contact(NamedTuple):
    close: Callable[[], None]
    open: Callable[[], None]


class Twin:
    """A Pi's pins and USB ports with keys on them, an I2C bus with a panel, and a line of LEDs.

    Give `factory` or `ports` to the driver of the keys, `bus` to that of the OLED, and `wire` to that of the
    strip.  The drivers are the real ones; only the hardware is emulated.  Methods with the *name* of a key
    raise KeyError if there is no such key.

    Args:
        leds: The number of LEDs.
        address: The panel's address on the bus.
        panel: The panel there; by default an SSD1306.
        pause: Waits for a number of seconds between the movements of a press.  Without threads, it should
            advance a fake clock and call the keys' `service`.

    Attributes:
        factory: The pin factory.
        ports: The USB ports.
        pad: The USB keypad, or None if none was ever plugged in.
        bus: The I2C bus.
        panel: The panel on the bus.
        wire: The LEDs and their data line.
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
        self.pad: UsbPad | None = None
        self.panel = panel or Panel()
        self.bus = Bus(address, self.panel)
        self.wire = Wire(leds)
        self._pause = pause
        self._stuck = set[str]()
        self._keys: dict[str, Contact] = {}

    def solder_matrix(
        self, rows: tuple[int, ...], columns: tuple[int, ...], keys: tuple[tuple[str, ...], ...]
    ) -> None:
        """Connect a matrix to the pins; *keys* has a row of names for each GPIO of *rows*, "" for no key."""
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
        self.pad = UsbPad(name, codes.values())
        for key, code in codes.items():
            move = partial(self.ports.move, self.pad, code)
            self._keys[key] = Contact(partial(move, PRESSED), partial(move, RELEASED))
        self.plug()

    def unplug(self) -> None:
        """Unplug the USB keypad.

        Raises:
            ValueError: If the keys are soldered to the pins.
        """
        self.ports.unplug(self._usb_pad())

    def plug(self) -> None:
        """Plug in the same USB keypad again.

        Raises:
            ValueError: If the keys are soldered to the pins.
        """
        self.ports.plug(self._usb_pad())

    def _usb_pad(self) -> UsbPad:
        if self.pad is None:
            raise ValueError("these keys are soldered to the pins: only USB keys are plugged in and out")
        return self.pad

    def close_key(self, name: str) -> None:
        """Press the key *name* and keep it pressed."""
        self._key(name).close()

    def open_key(self, name: str) -> None:
        """Release the key *name*; a stuck key stays closed."""
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
        """Close the key *name* (or open it, if not *closes*) with a contact that bounces *times* times."""
        move, back = (self.close_key, self.open_key) if closes else (self.open_key, self.close_key)
        move(name)
        for _ in range(times):
            self._pause(FLUTTER)
            back(name)
            self._pause(FLUTTER)
            move(name)

    def stick(self, name: str) -> None:
        """Make the key *name* stay closed after its next press."""
        self._key(name)
        self._stuck.add(name)

    def unstick(self, name: str) -> None:
        """Release the stuck key *name*."""
        self._stuck.discard(name)
        self.open_key(name)

    def _key(self, name: str) -> Contact:
        if name not in self._keys:
            raise KeyError(f"the keypad has no key {name}; it has {' '.join(self._keys)}")
        return self._keys[name]
