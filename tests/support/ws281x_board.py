"""The emulated Pi below the stand-in for `_rpi_ws281x`: wire, memory, and checks."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from cribpi.companion.devices.twin.wire import WS2812B, Wire

HERTZ: Final = 2_400_000
"""SPI clock of the library in hertz."""
BUFFER: Final = 4096
GUARD: Final = 64
"""Guard words before and after the LEDs' words. They must not be changed."""
GUARD_WORD: Final = 0xDEADBEEF


class Crash(BaseException):
    """The real extension would access memory that it does not own, and could crash the interpreter.

    It is not an `Exception`, so that code that suppresses exceptions can't hide it.
    """


def library_wire(leds: int) -> Wire:
    """Return a wire that can decode the library's data: no pauses between bytes, and low when idle."""
    return Wire(leds, HERTZ, led=WS2812B, idle=0, rests_high=False)


def crash(why: str) -> Crash:
    """Return the objection *why*."""
    return Crash(f"_rpi_ws281x would crash here: {why}")


@dataclass
class Board:
    """The emulated Pi below the extension, and its records.

    Attributes:
        wire: The data line with its LEDs.
        knows: Whether the library supports this board.
        is_root: Whether the process can access the memory, which PWM requires.
        buffer: Size of the spidev buffer in bytes.
        init_code: Result of the next initializations; 0 lets other conditions decide.
        render_code: Result of the next renderings; 0 lets other conditions decide.
        has_spi: Whether /dev/spidev0.0 can be opened.
        sending: Called with the number of bytes while a frame is sent.
        live: Handles that were created and not deleted.
        sent: Last data sent: SPI bytes, or PWM bytes in wire order.
        frames: Number of frames sent.
        freed: Memory that was freed.
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
        """Raise an objection if memory around the LEDs, or memory already freed, was written."""
        for handle in self.live:
            if not all(channel.guards_hold() for channel in handle.channels):
                raise crash("the memory around the LEDs was overwritten")
        if any(word != GUARD_WORD for memory in self.freed for word in memory):
            raise crash("memory was written to after it had been given back")


@dataclass(eq=False)
class Channel:
    """A `ws2811_channel_t`. It lives as long as its handle."""

    owner: Handle
    gpionum: int = 0
    invert: int = 0
    count: int = 0
    strip_type: int = 0
    brightness: int = 0
    gamma: list[int] | None = None
    memory: Any = None
    """Words of the LEDs, with `GUARD` more before and after."""

    def guards_hold(self) -> bool:
        if self.memory is None:
            return True
        around = self.memory[:GUARD] + self.memory[len(self.memory) - GUARD :]
        return bool(all(word == GUARD_WORD for word in around))

    def take(self) -> None:
        """Allocate memory for `count` LEDs, all dark."""
        size = self.count + 2 * GUARD
        self.memory = (ctypes.c_uint32 * size)(*([GUARD_WORD] * size))
        self.memory[GUARD : GUARD + self.count] = [0] * self.count

    def give_back(self, board: Board) -> None:
        """Free the memory. *board* detects later writes to it."""
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
    """"spi" or "pwm" while initialized, otherwise None."""
    deleted: bool = False


def transfer_bytes(leds: int, freq: int) -> int:
    """Return PCM_BYTE_COUNT of ws2811.c. It is also the length of an SPI transfer."""
    bits = leds * 4 * 8 * 3 + 55 * (freq * 3) // 1_000_000
    return ((bits >> 3) & ~0x7) + 4 + 4


def pulses(channel: Channel) -> bytes:
    """Return the pulses of the LEDs' colours: 110 for a one and 100 for a zero, highest bit first."""
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
