"""The strip's data line and its LEDs: SPI bytes in, pulses measured as by a WS2812B, colours out."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable
from functools import lru_cache

# The limits of the chip's pulses in nanoseconds, and how long the line is low when it latches.
_HIGH_0 = range(200, 551)
_HIGH_1 = range(550, 1001)
_LOW = range(200, 1201)
_RESET = 280_000
_BITS = 24


class WireError(Exception):
    """A pulse that a WS2812B might misread; the message gives the pulse and its length."""


class Wire:
    """LEDs in a row on one data line driven by an SPI port.

    Each LED takes the first 24 bits it sees (green, red, blue) and passes on the rest; all latch once the
    line has been low for long enough.  What is sent past the last LED is lost.

    Args:
        leds: The number of LEDs.
        hertz: The SPI clock.

    Attributes:
        colours: What the LEDs show: red, green and blue of each, in the order of the line.
        frames: How often the LEDs have latched.
        plugged: Whether the port exists; if not, a write is an `OSError` with errno 19.
        when_changed: Called, in the thread that wrote, after each frame.
    """

    def __init__(self, leds: int, hertz: int = 2_400_000) -> None:
        self.colours = bytes(3 * leds)
        self.frames = 0
        self.plugged = True
        self.when_changed: Callable[[], None] | None = None
        self._hertz = hertz
        self._taken = b""
        self._lock = threading.Lock()

    def write(self, data: bytes) -> int:
        """Put *data* on the line, most significant bit first, and return its length.

        Raises:
            OSError: If the port does not exist.
            WireError: If a pulse is out of its limits, or an LED's bits are incomplete.
        """
        if not self.plugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        with self._lock:
            signal = data.rstrip(b"\0")
            self._taken += decode(signal, self._hertz)
            latches = (len(data) - len(signal)) * 8 * 1_000_000_000 // self._hertz >= _RESET
            if latches:
                taken = self._taken[: len(self.colours)]
                self.colours = taken + self.colours[len(taken) :]
                self._taken = b""
                self.frames += 1
        if latches and self.when_changed is not None:
            self.when_changed()
        return len(data)

    def close(self) -> None:
        """Close the port; the LEDs keep what they show."""


def decode(signal: bytes, hertz: int) -> bytes:
    """Return the colours (red, green and blue of each LED) in the pulses of *signal*.

    The inverse of the strip's encoder, at any SPI clock.

    Args:
        signal: The SPI bytes without the low at the end, most significant bit first.
        hertz: The SPI clock.

    Raises:
        WireError: If a pulse is out of its limits, or an LED's bits are incomplete.
    """
    if not signal:
        return b""
    # At every clock that makes whole SPI bits, an LED's 24 bits fill whole bytes: so each LED's bytes can be
    # decoded alone, and the result cached by colour.
    size = _BITS * 1250 * hertz // 8_000_000_000
    return b"".join(_colour(signal[at : at + size], hertz) for at in range(0, len(signal), size))


@lru_cache(maxsize=4096)
def _colour(signal: bytes, hertz: int) -> bytes:
    """Return red, green and blue from the pulses of one LED."""
    levels = f"{int.from_bytes(signal):0{8 * len(signal)}b}"
    bits = 0
    pulses = re.findall("(1*)(0*)", levels)[:-1]
    if len(pulses) != _BITS:
        raise WireError(f"an LED got {len(pulses)} bits of {_BITS}: {levels}")
    for high, low in pulses:
        up, down = (len(run) * 1_000_000_000 // hertz for run in (high, low))
        if down not in _LOW or (up not in _HIGH_0 and up not in _HIGH_1):
            raise WireError(f"a pulse is {up} ns high and {down} ns low: {levels}")
        bits = bits << 1 | (up in _HIGH_1)
    green, red, blue = bits.to_bytes(3)
    return bytes((red, green, blue))
