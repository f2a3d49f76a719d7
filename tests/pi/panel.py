"""What an SSD1306 shows on its glass, worked out from its registers and memory after the data sheet.

The twin's panel, which cribpi brings along, has no part in this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8
PUMP_ON: Final = 0x14
ALTERNATING, SWAPPED = 0x10, 0x20
"""Bits of the register of the COM pins: in which order they drive the lines of a glass."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The chip's registers by name, and its memory: eight pages of 128 bytes, bit 0 the topmost."""

    registers: dict[str, int]
    memory: bytes

    @property
    def is_lit(self) -> bool:
        """Whether it has power, is on, and makes the voltage that its dots need."""
        found = self.registers
        return bool(found["power"] and found["on"] and found["pump"] == PUMP_ON)

    def picture(self) -> bytes:
        """Return what is on the glass, as a picture of 128 x 64 of one bit has its bytes."""
        glass = Image.new("1", (WIDTH, HEIGHT))
        found = self.registers
        if not self.is_lit:
            return glass.tobytes()
        dots = glass.load()
        assert dots is not None
        for y in range(HEIGHT):
            # Modules are mounted so that both remaps are needed for an upright picture: COM63 is at the top.
            com = self._com(HEIGHT - 1 - y)
            if com > found["multiplex"]:
                continue  # nothing drives it
            line = found["multiplex"] - com if found["down"] else com
            row = (line + found["line"] + found["offset"]) % HEIGHT
            for x in range(WIDTH):
                column = x if found["segments"] else WIDTH - 1 - x
                is_set = self.memory[row // 8 * WIDTH + column] >> row % 8 & 1
                dots[x, y] = 255 * (bool(is_set or found["all"]) != bool(found["inverse"]))
        return glass.tobytes()

    def _com(self, line: int) -> int:
        """Return which of the chip's outputs drives a *line* of the glass, counted from the bottom.

        The lines of a glass of 64 are wired to the pins of one side of the chip and of the other in turn.
        """
        pins = self.registers["pins"]
        pin, side = line // 2, line % 2
        if pins & SWAPPED:
            side = 1 - side
        return 2 * pin + side if pins & ALTERNATING else pin + HEIGHT // 2 * side


def parse(text: str) -> Panel:
    """Return the panel that the test's module tells of: registers in a line, then the pages in hexadecimal.

    >>> parse("power=1 on=0" + chr(10) + "00ff" + chr(10)).registers
    {'power': 1, 'on': 0}
    """
    first, *pages = text.splitlines()
    registers = {name: int(number) for name, _, number in (word.partition("=") for word in first.split())}
    return Panel(registers, bytes.fromhex("".join(pages)))
