"""The Pi that the stand-in for `_rpi_ws281x` finds: its wire, its memory, and what it objects to."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from cribpi.companion.devices.twin.wire import WS2812B, Wire

HERTZ: Final = 2_400_000
"""The library's SPI clock."""
BUFFER: Final = 4096
GUARD: Final = 64
"""Words around the LEDs' own that nobody may touch."""
GUARD_WORD: Final = 0xDEADBEEF


class Crash(BaseException):
    """The real extension would have read or written what is not its own: the interpreter dies or goes mad.

    It is no `Exception`, so that nothing that suppresses those can hide it.
    """


def library_wire(leds: int) -> Wire:
    """Return a line on which the library can be understood: without pauses between bytes, and low at rest."""
    return Wire(leds, HERTZ, led=WS2812B, idle=0, rests_high=False)


def crash(why: str) -> Crash:
    """Return the objection *why*."""
    return Crash(f"_rpi_ws281x would crash here: {why}")


@dataclass
class Board:
    """The Pi that the extension finds, and what it has noticed.

    Attributes:
        wire: What hangs on the data line.
        knows: Whether the library knows this board.
        is_root: Whether it may reach the memory, as PWM needs.
        buffer: The bytes of spidev's buffer.
        init_code: What the next beginnings answer in any case; 0 lets the rest decide.
        render_code: The same for sending.
        has_spi: Whether /dev/spidev0.0 can be opened.
        sending: Called while a frame is sent, with the number of its bytes.
        live: The handles that were made and not deleted.
        sent: What was sent last: the SPI bytes, or those of PWM in the order of the wire.
        frames: How many frames were sent.
        freed: Memory that was given back.
    """

    wire: Wire
    knows: bool = True
    is_root: bool = False
    buffer: int = BUFFER
    init_code: int = 0
    render_code: int = 0
    has_spi: bool = True
    sending: Callable[[int], None] = lambda _size: None
    live: list[Handle] = field(default_factory=list)
    sent: bytes = b""
    frames: int = 0
    freed: list[Any] = field(default_factory=list)

    def check(self) -> None:
        """Object if memory around the LEDs, or of a strip that has ended, was written to."""
        for handle in self.live:
            if not all(channel.guards_hold() for channel in handle.channels):
                raise crash("the memory around the LEDs was overwritten")
        if any(word != GUARD_WORD for memory in self.freed for word in memory):
            raise crash("memory was written to after it had been given back")


@dataclass(eq=False)
class Channel:
    """A `ws2811_channel_t`, which lives as long as its handle."""

    owner: Handle
    gpionum: int = 0
    invert: int = 0
    count: int = 0
    strip_type: int = 0
    brightness: int = 0
    gamma: list[int] | None = None
    memory: Any = None
    """The LEDs' words, with `GUARD` more before and after."""

    def guards_hold(self) -> bool:
        if self.memory is None:
            return True
        around = self.memory[:GUARD] + self.memory[len(self.memory) - GUARD :]
        return bool(all(word == GUARD_WORD for word in around))

    def take(self) -> None:
        """Take memory for as many LEDs as are counted, all dark."""
        size = self.count + 2 * GUARD
        self.memory = (ctypes.c_uint32 * size)(*([GUARD_WORD] * size))
        self.memory[GUARD : GUARD + self.count] = [0] * self.count

    def give_back(self, board: Board) -> None:
        """Give the memory back; *board* keeps an eye on it."""
        if self.memory is not None:
            self.memory[:] = [GUARD_WORD] * len(self.memory)
            board.freed.append(self.memory)
        self.memory = self.gamma = None

    def words(self) -> list[int]:
        return list(self.memory[GUARD : len(self.memory) - GUARD])


@dataclass(eq=False)
class Handle:
    """A `ws2811_t`."""

    channels: list[Channel] = field(default_factory=list)
    freq: int = 0
    dmanum: int = 0
    mode: str | None = None
    """`spi` or `pwm` from a beginning that succeeded to its end; None before and after."""
    deleted: bool = False


def transfer_bytes(leds: int, freq: int) -> int:
    """Return PCM_BYTE_COUNT of ws2811.c, which is the length of an SPI transfer as well."""
    bits = leds * 4 * 8 * 3 + 55 * (freq * 3) // 1_000_000
    return ((bits >> 3) & ~0x7) + 4 + 4


def pulses(channel: Channel) -> bytes:
    """Return what carries the LEDs' colours: 110 for a one and 100 for a nought, the highest bit first."""
    gamma = channel.gamma or list(range(256))
    scale = channel.brightness + 1
    bits = list[str]()
    for word in channel.words():
        for shift in (
            channel.strip_type >> 16 & 0xFF,
            channel.strip_type >> 8 & 0xFF,
            channel.strip_type & 0xFF,
        ):
            colour = gamma[((word >> shift & 0xFF) * scale) >> 8]
            bits.extend("110" if colour >> bit & 1 else "100" for bit in range(7, -1, -1))
    text = "".join(bits)
    return int(text, 2).to_bytes(len(text) // 8) if text else b""
