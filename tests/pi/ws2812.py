"""What a chain of WS2812 shows, read off its wire: how long it is high and low, after the LEDs' data sheet.

The twin's wire, which cribpi brings along, has no part in this.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Final

ZERO_NS: Final = (250, 380)
ONE_NS: Final = (650, 950)
"""For how many nanoseconds the wire is high for a 0 and for a 1, as WS2812B-V5 and the WS2812B of 2013 both
take it."""
BIT_NS: Final = (1050, 1850)
"""How long a bit takes in all."""
LATCH_NS: Final = 280_000
"""How long the wire is low before the LEDs show what they have received."""
IDLE: Final = 1
"""The clocks for which a Pi's driver leaves the wire low after each byte, where it does not use DMA."""

_PULSE: Final = re.compile("(1+)(0+)")
_HEAD: Final = struct.Struct("<II")


class Garbled(Exception):
    """The wire did not keep to the LEDs' times."""


class Chain:
    """A chain of LEDs at the end of a wire that is high between two transfers, as a Pi 5's is.

    Attributes:
        colours: Red, green and blue of each, 0 to 255, as they shine.
        frames: How often they have latched new colours.
    """

    def __init__(self, leds: int) -> None:
        self.colours = bytes(3 * leds)
        self.frames = 0

    def lose_power(self) -> None:
        """Take the LEDs' supply away for a moment: they are dark, and know nothing."""
        self.colours = bytes(len(self.colours))

    def hear(self, data: bytes, hertz: int) -> None:
        """Take a transfer of an SPI port at *hertz*: each bit is a level of the wire, high bit first.

        Raises:
            Garbled: If a pulse is neither a 0 nor a 1, or colours are not complete, or the wire is not low
                for long enough before the first bit and after the last.
        """
        nanoseconds = 1e9 / hertz
        levels = "".join(f"{byte:08b}{'0' * IDLE}" for byte in data)
        # The LEDs take the level of rest for a bit of theirs, until a long low makes them begin anew.
        before = len(levels) - len(levels.lstrip("0"))
        if levels and before * nanoseconds < LATCH_NS:
            raise Garbled(f"low for {before * nanoseconds:.0f} ns before the first bit, after a wire at rest")
        bits: list[str] = []
        for pulse in _PULSE.finditer(levels):
            high, low = len(pulse[1]) * nanoseconds, len(pulse[2]) * nanoseconds
            if ZERO_NS[0] <= high <= ZERO_NS[1]:
                bits.append("0")
            elif ONE_NS[0] <= high <= ONE_NS[1]:
                bits.append("1")
            else:
                raise Garbled(f"high for {high:.0f} ns at bit {len(bits)}: neither a 0 nor a 1")
            if low >= LATCH_NS:
                self._latch(bits)
                bits = []
            elif not BIT_NS[0] <= high + low <= BIT_NS[1]:
                raise Garbled(f"bit {len(bits)} takes {high + low:.0f} ns")
        if bits:
            raise Garbled(f"{len(bits)} bits without the pause after which the LEDs show them")

    def _latch(self, bits: list[str]) -> None:
        if len(bits) % 24:
            raise Garbled(f"{len(bits)} bits: each LED takes 24")
        sent = int("".join(bits), 2).to_bytes(len(bits) // 8)
        shown = bytearray(self.colours)
        for at in range(0, min(len(sent), len(shown)), 3):
            green, red, blue = sent[at : at + 3]
            shown[at : at + 3] = red, green, blue
        self.colours = bytes(shown)
        self.frames += 1


def transfers(log: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield each transfer of the *log* that the test's module keeps: its bytes, and its clock in hertz.

    >>> list(transfers(struct.pack("<II", 2, 2_400_000) + b"ab"))
    [(b'ab', 2400000)]
    """
    at = 0
    while at < len(log):
        length, hertz = _HEAD.unpack_from(log, at)
        at += _HEAD.size
        yield log[at : at + length], hertz
        at += length
