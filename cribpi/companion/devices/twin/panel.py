"""An emulated OLED of 128 x 64 px, with an SSD1306, SSD1309 or SH1106, and its I2C bus.

Bytes go in, and a picture comes out. The bus has the methods that CircuitPython's drivers call, and can fail
as a real one does.
"""

from __future__ import annotations

import errno
import os
import random
import threading
from collections.abc import Callable

from PIL import Image

from cribpi.companion.devices.panels import HEIGHT, PAGES, SH1106, SSD1306, SSD1309, WIDTH

# The number of arguments of each command of each chip; commands not listed have none.
_ARGUMENTS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x23: 1, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2,
    0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD6: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
_OF_SSD1309 = {
    command: number for command, number in _ARGUMENTS.items() if command not in {0x23, 0x8D, 0xAD, 0xD6}
} | {0xDC: 1, 0xFD: 1}
_OF_SH1106 = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)
_ARGUMENTS_OF = {SSD1306: _ARGUMENTS, SSD1309: _OF_SSD1309, SH1106: _OF_SH1106}
# Commands without arguments that do not affect the picture: scrolling off and on, no operation; on an SH1106
# the converter's voltage, and read-modify-write.
_NOTHING = {0x2E, 0x2F, 0xE3}
_NOTHING_OF = {SSD1306: _NOTHING, SSD1309: _NOTHING, SH1106: {0x30, 0x31, 0x32, 0x33, 0xE0, 0xE3, 0xEE}}
_HORIZONTAL, _VERTICAL = 0, 1


class Panel:
    """The chip's registers, its display memory, and the picture they make.

    It decodes control bytes, commands with their arguments in one transfer or in several, the three memory
    modes with their windows and pointers, contrast, inversion, all pixels on, on and off, the charge pump,
    start line, offset, multiplex ratio, both remaps and the wiring of the lines. Scrolling, fading and
    zooming are accepted but not shown.

    An SSD1309 has no charge pump. An SH1106 has neither a charge pump nor windows. It has only page mode, and
    interprets the bytes of other chips' commands as its own. Its memory has 132 columns, of which the first
    two and the last two are invisible; data past the last column is lost.

    Args:
        chip: One of `panels.CHIPS`.
        is_upside_down: Whether it is mounted upside down.
        waits: Whether it ignores transfers until its RES line has been low.
        offset: The first visible column of its memory, 0 to 4, for a panel with 132 columns; None for the
            chip's default.

    Attributes:
        on: Whether the display is on.
        contrast: 0 to 255.
        unknown: The number of bytes received that are no command of this chip.  A real chip's reaction to
            these is undefined.
        when_changed: Called, in the thread that wrote, after each transfer that may have changed the picture.
    """

    def __init__(
        self,
        chip: str = SSD1306,
        *,
        is_upside_down: bool = False,
        waits: bool = False,
        offset: int | None = None,
    ) -> None:
        self.when_changed: Callable[[], None] | None = None
        self.unknown = 0
        self.is_upside_down = is_upside_down
        self._chip = chip
        self._arguments = _ARGUMENTS_OF[chip]
        self._nothing = _NOTHING_OF[chip]
        self._columns_there = 132 if chip == SH1106 or offset else WIDTH
        spare = self._columns_there - WIDTH
        # the first memory column that the screen shows
        self._first = spare // 2 if offset is None else spare - offset
        self._is_held = waits
        self._was_low = False
        self._lock = threading.Lock()
        self._chance = random.Random(1306)  # noqa: S311  noise for a display, not a secret
        self._reset()

    def lose_power(self) -> None:
        """Lose power for a moment: registers as after a reset, random memory, display off."""
        with self._lock:
            self._reset()
        self._changed()

    def reset_line(self, level: bool) -> None:  # noqa: FBT001  a level, as of any line
        """Set the level of the RES line: low restarts the chip, which then waits until the line is high."""
        self._was_low = self._was_low or not level
        self._is_held = not (level and self._was_low)
        if not level:
            self.lose_power()

    def receive(self, data: bytes) -> None:
        """Receive the bytes of one transfer: control bytes, each followed by the bytes that it announces.

        If the transfer was interrupted, *data* has only the bytes before that.

        A control byte of 0x80 or 0xC0 announces one byte and then another control byte; 0x00 or 0x40
        announces that all the rest is commands or data.
        """
        with self._lock:
            at = len(data) if self._is_held else 0
            while at < len(data):
                control = data[at]
                end = at + 2 if control & 0x80 else len(data)
                run = data[at + 1 : end]
                if control & 0x40:
                    self._write(run)
                else:
                    for byte in run:
                        self._command(byte)
                at = end
        self._changed()

    def send(self) -> int:
        """Return the status byte: bit 6 is set while the display is off, and the lower half is the chip's."""
        return (0x08 if self._chip == SH1106 else 0x06) | (0x00 if self.on else 0x40)

    def picture(self) -> Image.Image:
        """Return the picture on the screen as people see it: mode "1", 128 x 64, lit pixels white."""
        glass = self._on_glass()
        return glass.transpose(Image.Transpose.ROTATE_180) if self.is_upside_down else glass

    def _on_glass(self) -> Image.Image:
        with self._lock:
            if not (self.on and self._pumping):
                return Image.new("1", (WIDTH, HEIGHT))
            if self._all_on:
                return Image.new("1", (WIDTH, HEIGHT), 1)
            memory = bytes(self._memory)
            lines = [self._row_shown(y) for y in range(HEIGHT)]
            inverted = self._inverted
        upright = bytearray(WIDTH * PAGES)
        for page in range(PAGES):
            start = page * self._columns_there + self._first
            # Segment 0 is at the right edge of the screen; bit 0 of a column's byte is its topmost pixel.
            upright[PAGES - 1 - page :: PAGES] = memory[start : start + WIDTH][::-1]
        stored = Image.frombytes("1", (HEIGHT, WIDTH), bytes(upright)).transpose(Image.Transpose.ROTATE_90)
        size, rows = WIDTH // 8, stored.tobytes()
        glass = b"".join(bytes(size) if row is None else rows[row * size :][:size] for row in lines)
        shown = bytes(byte ^ 0xFF for byte in glass) if inverted else glass
        return Image.frombytes("1", (WIDTH, HEIGHT), shown)

    def _row_shown(self, y: int) -> int | None:
        """Return the row of memory shown in line *y* of the screen, or None if the line is dark.

        On this panel, COM63 is the top line, and the lines are wired in the alternative order of COM pins.
        """
        if not self._alternative:
            y = (y // 2) if y % 2 == 0 else HEIGHT // 2 + y // 2
        line = y if self._descending else HEIGHT - 1 - y
        line = (line - self._offset) % HEIGHT
        return (line + self._start_line) % HEIGHT if line <= self._multiplex else None

    def _reset(self) -> None:
        self.on = False
        self.contrast = 0x7F
        self._memory = bytearray(self._chance.randbytes(self._columns_there * PAGES))
        self._waiting: list[int] = []
        self._mode = 2
        self._columns, self._pages = (0, WIDTH - 1), (0, PAGES - 1)
        self._column, self._page = 0, 0
        self._segment_remap = self._descending = False
        self._start_line = self._offset = 0
        self._multiplex = HEIGHT - 1
        self._alternative = True
        self._all_on = self._inverted = False
        # only an SSD1306 has a charge pump that is off after a reset
        self._pumping = self._chip != SSD1306

    def _write(self, data: bytes) -> None:
        """Store *data* at the pointer, which moves according to the memory mode."""
        width = self._columns_there
        first, last = self._columns if self._mode in {_HORIZONTAL, _VERTICAL} else (0, width - 1)
        while data and self._column < width:  # an SH1106 ignores data past the end of a page
            # While the pointer moves by columns, the bytes are adjacent in memory.
            end = last if self._column <= last else width - 1
            run = data[:1] if self._mode == _VERTICAL else data[: end - self._column + 1]
            data = data[len(run) :]
            begin, end = self._column, self._column + len(run)
            if self._segment_remap:
                begin, end = width - end, width - begin
                run = run[::-1]
            self._memory[self._page * width + begin : self._page * width + end] = run
            if self._mode == _VERTICAL and not self._step_page():
                continue
            self._column += len(run)
            if self._chip != SH1106:
                wraps = self._column == last + 1
                self._column = first if wraps else self._column % width
                if wraps and self._mode == _HORIZONTAL:
                    self._step_page()

    def _step_page(self) -> bool:
        """Advance the pointer by a page, and return whether it wrapped to the first."""
        first, last = self._pages
        wraps = self._page == last
        self._page = first if wraps else (self._page + 1) % PAGES
        return wraps

    def _command(self, byte: int) -> None:
        """Receive one byte of a command, which is executed once its last argument arrives."""
        self._waiting.append(byte)
        command, *arguments = self._waiting
        if len(arguments) == self._arguments.get(command, 0):
            self._waiting = []
            self._act(command, arguments)

    def _act(self, command: int, arguments: list[int]) -> None:
        match command, arguments:
            case 0x20, [mode]:
                self._mode = mode & 3
            case 0x21, [first, last]:
                self._columns = (first & 127, last & 127)
                self._column = first & 127
            case 0x22, [first, last]:
                self._pages = (first & 7, last & 7)
                self._page = first & 7
            case 0x81, [level]:
                self.contrast = level
            case 0x8D, [pump]:
                self._pumping = bool(pump & 4)
            case 0xAD, [0x8A | 0x8B as converter] if self._chip == SH1106:
                self._pumping = converter == 0x8B
            case 0xAD, _ if self._chip == SH1106:
                self.unknown += 1
            case 0xA8, [ratio]:
                self._multiplex = ratio & 63
            case 0xD3, [offset]:
                self._offset = offset & 63
            case 0xDA, [pins]:
                self._alternative = bool(pins & 0x10)
            case _, [] if command < 0x20:  # low or high nibble of the column number; page mode only
                half = command & 0x0F
                column = self._column & 0xF0 | half if command < 0x10 else half << 4 | self._column & 0x0F
                if self._mode not in {_HORIZONTAL, _VERTICAL}:
                    self._column = column if self._columns_there > WIDTH else column & 127
            case _, [] if 0x40 <= command <= 0x7F:
                self._start_line = command & 63
            case ((0xA0 | 0xA1), []):
                self._segment_remap = bool(command & 1)
            case ((0xA4 | 0xA5), []):
                self._all_on = bool(command & 1)
            case ((0xA6 | 0xA7), []):
                self._inverted = bool(command & 1)
            case ((0xAE | 0xAF), []):
                self.on = bool(command & 1)
            case _, [] if 0xB0 <= command <= 0xB7:
                if self._mode not in {_HORIZONTAL, _VERTICAL}:
                    self._page = command & 7
            case _, [] if 0xC0 <= command <= 0xCF:
                self._descending = bool(command & 8)
            case _ if command not in self._arguments and command not in self._nothing:
                self.unknown += 1
            case _:
                pass  # timings, voltages and scrolling do not affect this picture

    def _changed(self) -> None:
        if self.when_changed is not None:
            self.when_changed()


class Bus:
    """An I2C bus with the *chip* at its *address*; counts all bytes.

    Attributes:
        sent: The bytes on the wire since the start, including each transfer's address byte.
        plugged: Whether the chip answers; if not, every transfer raises `OSError` with errno 121.
    """

    def __init__(self, address: int, chip: Panel) -> None:
        self.sent = 0
        self.plugged = True
        self._address, self._chip = address, chip
        self._breaks: int | None = None
        self._lock = threading.Lock()

    def break_at(self, byte: int) -> None:
        """Fail once, at the byte with the number *byte* from now on, counted from 1, addresses included.

        The chip receives the bytes before that one, and the sender gets an `OSError` with errno 5.
        """
        self._breaks = byte

    def try_lock(self) -> bool:
        return self._lock.acquire(blocking=False)

    def unlock(self) -> None:
        self._lock.release()

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        """Write the bytes *start* to *end* of *buffer* to the chip at *address*.

        Raises:
            OSError: If no chip answers there, or the bus breaks.
        """
        self._reach(address)
        data = bytes(buffer[start:end])
        whole = 1 + len(data)
        passed = self._passed(whole)
        if passed > 1:
            self._chip.receive(data[: passed - 1])
        if passed < whole:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def readfrom_into(
        self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Fill the bytes *start* to *end* of *buffer* from the chip at *address*.

        Raises:
            OSError: If no chip answers there, or the bus breaks.
        """
        self._reach(address)
        places = range(len(buffer))[start:end]
        whole = 1 + len(places)
        if self._passed(whole) < whole:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        for place in places:
            buffer[place] = self._chip.send()

    def deinit(self) -> None:
        """Do nothing: an emulated bus has nothing to close."""

    def _reach(self, address: int) -> None:
        """Raise OSError if no chip answers at *address*."""
        if not self.plugged or address != self._address:
            self.sent += 1
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def _passed(self, whole: int) -> int:
        """Count a transfer of *whole* bytes, and return the number of bytes before a failure."""
        passed = whole
        if self._breaks is not None:
            passed = min(whole, self._breaks - 1)
            self._breaks = None if passed < whole else self._breaks - whole
        self.sent += passed
        return passed
