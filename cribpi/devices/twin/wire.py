"""The strip's data line and its LEDs: SPI bytes in, pulses measured as a WS2812B does, colours out."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable
from functools import lru_cache

# How long the chip's pulses may last, in nanoseconds, and what the line is low for when it latches.
_HIGH_0 = range(200, 551)
_HIGH_1 = range(550, 1001)
_LOW = range(200, 1201)
_RESET = 280_000
_BITS = 24


class WireError(Exception):
    """A pulse that no WS2812B would read for certain; its text says which and how long it was."""


class Wire:
    """LEDs in a row on one data line that is fed by an SPI port.

    Each LED takes the first 24 bits it sees, green, red and blue, and passes on the rest; all show what they
    took once the line has been low for long enough.  What is sent past the last LED is lost.

    Args:
        leds: How many LEDs there are.
        hertz: The SPI clock.

    Attributes:
        colours: What the LEDs show: red, green and blue of each, in the order of the line.
        frames: How often the LEDs have latched.
        plugged: Whether the port is there; if not, a write is an `OSError` with errno 19.
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
            OSError: If the port is not there.
            WireError: If a pulse is out of its limits, or an LED's bits are not whole.
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
    """Return the colours, red, green and blue of each LED, that the pulses of *signal* carry.

    It is the inverse of the strip's encoder, whatever SPI clock that uses.

    Args:
        signal: The SPI bytes without the rest at the end, most significant bit first.
        hertz: The SPI clock.

    Raises:
        WireError: If a pulse is out of its limits, or an LED's bits are not whole.
    """
    if not signal:
        return b""
    # A LED's bits fill whole bytes at every clock that makes whole bits of them, so that an LED's bytes can
    # be read by themselves, and those of a colour that was seen before need no measuring.
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
