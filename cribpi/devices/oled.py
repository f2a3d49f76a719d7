"""The OLED: whole pictures in; on the bus, only the windows that changed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from PIL import Image

from cribpi.devices.trouble import DeviceTrouble, sentence

NAME = "oled"
WIDTH, HEIGHT, PAGES = 128, 64, 8
SIZE = WIDTH * PAGES
"""Bytes of a picture in the panel's memory."""
WINDOW_COST = 10
"""Bytes on the wire for a window besides its data: six of commands, two addresses, two control bytes."""
_COLUMN_ADDRESS, _PAGE_ADDRESS = 0x21, 0x22
_COMMANDS, _DATA = 0x00, 0x40
_STATUS_OFF = 0x40
_REGISTERS = (
    0x20, 0x00,  # horizontal addressing
    0x40, 0xA1, 0xA8, HEIGHT - 1, 0xC8, 0xD3, 0x00, 0xDA, 0x12,  # line, remaps, multiplex, offset, pins
    0xD5, 0x80, 0xD9, 0xF1, 0xDB, 0x30, 0xAD, 0x30, 0x8D, 0x14,  # clock, voltages, current, charge pump
    0xA4, 0xA6,  # show the memory, not inverted
    0x81,  # contrast; its value follows
)  # fmt: skip
"""What the driver's initialisation sets, except display off and on: a panel that is on won't flicker."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the panel's memory: columns and pages, last ones included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def cost(self) -> int:
        """The bytes on the wire to send it."""
        return WINDOW_COST + (self.right - self.left + 1) * (self.bottom - self.top + 1)

    def saving(self, other: Window) -> int:
        """Return how many bytes on the wire it saves to join this one and *other*."""
        return self.cost + other.cost - self.joined(other).cost

    def joined(self, other: Window) -> Window:
        """Return the smallest window around this one and *other*."""
        return Window(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


# On the wire it takes 94 ms at the default 100 kHz, 23.5 at 400: most changes need far smaller windows.
WHOLE = Window(0, WIDTH - 1, 0, PAGES - 1)


def packed(picture: Image.Image) -> bytes:
    """Return *picture* in the format of the panel's memory: 8 pages of 128 bytes, bit 0 the topmost pixel.

    Raises:
        ValueError: If *picture* is not 128 x 64 of mode "1".
    """
    if picture.mode != "1" or picture.size != (WIDTH, HEIGHT):
        raise ValueError(
            f'the screen takes pictures of 128 x 64, mode "1"; not {picture.size}, {picture.mode}'
        )
    # The driver's own image() takes 11 to 39 ms on emulated arm64; this takes 0.02.
    columns = picture.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def changed_windows(old: bytes, new: bytes) -> tuple[Window, ...]:
    """Return cheap windows that cover every byte in which *new* differs from *old*.

    Two windows are joined if that puts no more bytes on the wire.

    >>> old = bytes(SIZE)
    >>> changed_windows(old, old)
    ()
    >>> changed_windows(old, b"x" + old[1:])
    (Window(left=0, right=0, top=0, bottom=0),)
    """
    windows: list[Window] = []
    for run in _runs(old, new):
        grown = run
        while windows and grown.saving(other := max(windows, key=grown.saving)) >= 0:
            windows.remove(other)
            grown = grown.joined(other)
        windows.append(grown)
    return tuple(windows) if sum(window.cost for window in windows) < WHOLE.cost else (WHOLE,)


# A run of changed columns, across gaps that cost no more than another window.
_RUN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % WINDOW_COST)


def _runs(old: bytes, new: bytes) -> Iterator[Window]:
    """Yield the runs of changed columns, page by page from left to right."""
    for page in range(PAGES):
        line = slice(page * WIDTH, (page + 1) * WIDTH)
        if old[line] != new[line]:
            changed = int.from_bytes(old[line]) ^ int.from_bytes(new[line])
            for run in _RUN.finditer(changed.to_bytes(WIDTH)):
                yield Window(run.start(), run.end() - 1, page, page)


class Oled:
    """An SSD1306 of 128 x 64 on an I2C bus, behind the driver `adafruit_ssd1306`.

    After a failed transfer the panel may be inside a command, so its state is unknown; the next picture
    begins with the initialisation and is sent whole.

    Args:
        bus: The bus, with CircuitPython's methods.  The caller owns it: it stays open when this closes.
        address: The panel's address, 0x3C or 0x3D.

    Raises:
        DeviceTrouble: If no panel answers.
    """

    def __init__(self, bus: Any, address: int = 0x3C) -> None:  # noqa: ANN401  Blinka ships no types
        # On a Pi, Blinka otherwise checks for other packages before its driver can be imported.
        os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
        from adafruit_ssd1306 import SSD1306_I2C  # noqa: PLC0415  after the setting above

        self._contrast = 0xFF
        self._wanted: bytes | None = None
        self._shown: bytes | None = None
        try:
            self._driver = SSD1306_I2C(WIDTH, HEIGHT, bus, addr=address)
        except ValueError as error:
            raise DeviceTrouble(
                f"{NAME}: no panel answers at address {address:#x}; check its four wires and its address"
            ) from error
        except OSError as error:
            raise DeviceTrouble(sentence(NAME, error)) from error
        self._shown = bytes(SIZE)

    def show(self, picture: Image.Image, contrast: int | None = None) -> None:
        """Show *picture*, 128 x 64 of mode "1", with *contrast* or else as before.

        Raises:
            ValueError: If *picture* is of another size or mode.
            DeviceTrouble: If the bus fails; the next picture repairs the panel.
        """
        if contrast is not None and contrast != self._contrast:
            self.contrast(contrast)
        self._wanted = packed(picture)
        self._refresh()

    def contrast(self, level: int) -> None:
        """Set the brightness of the lit pixels, 0 to 255, until it is set again.

        Raises:
            DeviceTrouble: If the bus fails; the next picture sets the contrast too.
        """
        self._contrast = level
        with self._transfer():
            self._driver.contrast(level)

    def check(self) -> None:
        """Ask the panel whether its display is on; if it has lost power, initialise it and draw again.

        A spike on the wires can upset a register without a bus error and leave the display on, so a panel
        that is on gets all registers again.

        Raises:
            DeviceTrouble: If the bus fails.
        """
        status = bytearray(1)
        with self._transfer(), self._driver.i2c_device as device:
            device.readinto(status)
            if status[0] & _STATUS_OFF:
                self._shown = None
            else:
                device.write(bytes((_COMMANDS, *_REGISTERS, self._contrast)))
        self._refresh()

    def close(self) -> None:
        """Release the panel, which keeps its picture."""

    def _refresh(self) -> None:
        """Send the parts of the wanted picture that are not on the panel yet."""
        if self._wanted is None or self._wanted == self._shown:
            return
        shown, self._shown = self._shown, None
        with self._transfer():
            # After a bus error, the picture alone was right in 12 of 28 trials; after initialisation, in all.
            if shown is None:
                self._driver.init_display()
                self._driver.contrast(self._contrast)
            windows = (WHOLE,) if shown is None else changed_windows(shown, self._wanted)
            self._driver.buffer[1:] = self._wanted
            with self._driver.i2c_device as device:
                pages = None
                for window in sorted(windows, key=lambda window: (window.top, window.bottom, window.left)):
                    self._send(device, window, new_pages=pages != (window.top, window.bottom))
                    pages = (window.top, window.bottom)
        self._shown = self._wanted

    def _send(self, device: Any, window: Window, *, new_pages: bool) -> None:  # noqa: ANN401  no types there
        """Send the driver's buffer inside *window*: its address in one transfer, its data in another.

        A filled window leaves the pointer at its first page, so the next window on the same pages needs only
        its columns.
        """
        columns = (_COLUMN_ADDRESS, window.left, window.right)
        pages = (_PAGE_ADDRESS, window.top, window.bottom) if new_pages else ()
        device.write(bytes((_COMMANDS, *columns, *pages)))
        data = bytearray((_DATA,))
        for page in range(window.top, window.bottom + 1):
            start = 1 + page * WIDTH
            data += self._driver.buffer[start + window.left : start + window.right + 1]
        device.write(data)

    @contextmanager
    def _transfer(self) -> Iterator[None]:
        """Raise DeviceTrouble if the bus fails, and forget what is on the panel."""
        try:
            yield
        except OSError as error:
            self._shown = None
            raise DeviceTrouble(sentence(NAME, error)) from error


def open_bus(number: int = 1) -> Any:  # noqa: ANN401  Blinka ships no types
    """Return the Pi's I2C bus *number*: /dev/i2c-1 by default.

    Raises:
        DeviceTrouble: If the bus, or the package that opens it, is missing.
    """
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        from adafruit_extended_bus import ExtendedI2C  # noqa: PLC0415  on a Pi alone

        return ExtendedI2C(number)
    except ImportError as error:
        raise DeviceTrouble(f"{NAME}: {error}; install cribpi with its extra pi") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise DeviceTrouble(f"{NAME}: /dev/i2c-{number} cannot be opened ({error}); enable I2C") from error
