"""The strip's data line and its LEDs: decodes the pulses in SPI bytes as a WS2812B does."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final


@dataclass(frozen=True, eq=False, slots=True)
class Led:
    """The limits for the bits of a WS2812B according to a data sheet, in nanoseconds."""

    high_0: range
    high_1: range
    low_0: int
    """The shortest low after a 0; *low_1* is that after a 1."""
    low_1: int


WS2812B_V5: Final = Led(high_0=range(220, 381), high_1=range(580, 1001), low_0=580, low_1=220)
"""The limits of the WS2812B-V5 and the WS2812B-2020."""
WS2812B: Final = Led(high_0=range(250, 551), high_1=range(650, 951), low_0=700, low_1=300)
"""The limits of the WS2812B of 2013."""

_LONGEST_LOW: Final = 5_000
"""The longest low in nanoseconds between two bits.  Data sheets give less, but LEDs wait for 6 us or more."""
_RESET: Final = 280_000
"""Nanoseconds of low after which the LEDs show their colours and wait for a new frame."""
_BITS: Final = 24


class WireError(Exception):
    """A pulse that a WS2812B might misread; the message has its length."""


class Wire:
    """LEDs in a row on one data line driven by an SPI port.

    Each LED takes the first 24 bits that it receives (green, red, blue), and passes on the rest. All LEDs
    latch, that is, show their colours, once the line has been low for long enough. Bits past the last LED are
    lost.

    By default the line has the worst timing that was reported for a Pi: a pause between two bytes, and a high
    line between two transfers.

    Args:
        leds: The number of LEDs.
        hertz: The SPI clock.
        led: The limits for a 0 and a 1.
        idle: The number of clocks for which the line is low after each byte.
        rests_high: Whether the line is high between two transfers, rather than low.

    Attributes:
        colours: The colours shown: red, green and blue of each LED, in the order of the line.
        frames: The number of times that the LEDs have latched a frame.
        plugged: Whether the port exists; if not, a write raises `OSError` with errno 19.
        when_changed: Called, in the thread that wrote, after each frame that changes the shown colours.
    """

    def __init__(
        self,
        leds: int,
        hertz: int = 3_200_000,
        *,
        led: Led = WS2812B_V5,
        idle: int = 1,
        rests_high: bool = True,
    ) -> None:
        self.colours = bytes(3 * leds)
        self.frames = 0
        self.plugged = True
        self.when_changed: Callable[[], None] | None = None
        self._hertz = hertz
        self._led = led
        self._idle = idle
        self._rests_high = rests_high
        self._taken = b""
        self._lock = threading.Lock()

    def lose_power(self) -> None:
        """Interrupt the LEDs' supply for a moment: they go dark and lose their bits."""
        with self._lock:
            self.colours, self._taken = bytes(len(self.colours)), b""

    def write(self, data: bytes) -> int:
        """Put *data* on the line, most significant bit first, and return its length.

        Raises:
            OSError: If the port does not exist.
            WireError: If a pulse is outside its limits, the bits of an LED are incomplete, or on a line that
                is high at rest, the low before the first or after the last bit is too short.
        """
        if not self.plugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        signal = data.strip(b"\0")
        before = self._lasts(len(data) - len(data.lstrip(b"\0")))
        after = self._lasts(len(data) - len(data.rstrip(b"\0")))
        with self._lock:
            shown = self.colours
            if before >= _RESET:
                self._latch()
            if signal:
                if self._rests_high and min(before, after) < _RESET:
                    raise WireError(f"the line, high at rest, is low for {before} ns first, and {after} last")
                self._taken += decode(signal, self._hertz, self._led, self._idle)
                if after >= _RESET:
                    self._latch()
            is_news = self.colours != shown
        if is_news and self.when_changed is not None:
            self.when_changed()
        return len(data)

    def _lasts(self, size: int) -> int:
        """Return the duration of *size* bytes in nanoseconds."""
        return size * (8 + self._idle) * 1_000_000_000 // self._hertz

    def _latch(self) -> None:
        if self._taken:
            latched = self._taken[: len(self.colours)]
            self.colours = latched + self.colours[len(latched) :]
            self._taken = b""
            self.frames += 1

    def close(self) -> None:
        """Close the port; the LEDs keep what they show."""


def decode(signal: bytes, hertz: int, led: Led = WS2812B_V5, idle: int = 0) -> bytes:
    """Return the colours (red, green and blue of each LED) in the pulses of *signal*.

    This is the inverse of `BitEncoding.encode`, at any SPI clock.

    Args:
        signal: The SPI bytes without the low before and after them, most significant bit first.
        hertz: The SPI clock.
        led: The limits of a 0 and a 1.
        idle: The number of clocks for which the line is low after each byte.

    Raises:
        WireError: If a pulse is outside its limits, or the bits of an LED are incomplete.
    """
    if not signal:
        return b""
    # A bit takes a whole number of SPI bits, so the 24 bits of an LED fill whole bytes at every clock.  Each
    # LED can therefore be decoded alone, and the result cached by colour.
    size = _BITS * 1250 * hertz // 8_000_000_000
    return b"".join(_colour(signal[at : at + size], hertz, led, idle) for at in range(0, len(signal), size))


@lru_cache(maxsize=4096)
def _colour(signal: bytes, hertz: int, led: Led, idle: int) -> bytes:
    levels = "".join(f"{byte:08b}{'0' * idle}" for byte in signal)
    bits = 0
    pulses = re.findall("(1*)(0*)", levels)[:-1]
    if len(pulses) != _BITS:
        raise WireError(f"an LED got {len(pulses)} of {_BITS} bits: {levels}")
    for high, low in pulses:
        up, down = (len(run) * 1_000_000_000 // hertz for run in (high, low))
        is_one = up in led.high_1
        least = led.low_1 if is_one else led.low_0
        if not (is_one or up in led.high_0) or not least <= down <= _LONGEST_LOW:
            raise WireError(f"a pulse is {up} ns high and {down} ns low: {levels}")
        bits = bits << 1 | is_one
    green, red, blue = bits.to_bytes(3)
    return bytes((red, green, blue))
