"""The OLED: shows whole pictures, but sends only the changed columns over the bus.

It uses the chip's page mode, in which a position takes three bytes of commands; in horizontal mode, six.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from PIL import Image

from cribpi.companion.devices import panels
from cribpi.companion.devices.panels import COMMANDS, CONTRAST, PAGES, SIZE, SSD1306, WIDTH
from cribpi.companion.devices.supervisor import DeviceTrouble, sentence

NAME = "oled"
RUN_COST = 6
"""Bytes on the wire for a run, in addition to its data: two commands, two addresses, two control bytes."""
RESET = 0.01
"""Seconds for which the RES line is held low, and then for the chip to start.

The data sheet asks for only 3 microseconds, but modules have a capacitor on the line.
"""
_STATUS_OFF = 0x40


class Run(NamedTuple):
    """Adjacent columns of one page of the panel's memory, from *left* to *right* inclusive."""

    page: int
    left: int
    right: int


# A whole picture takes 97 ms at the default 100 kHz, and 24 at 400: most changes need far less.
WHOLE = tuple(Run(page, 0, WIDTH - 1) for page in range(PAGES))


def packed(picture: Image.Image) -> bytes:
    """Return *picture* in the format of the panel's memory: 8 pages of 128 bytes, bit 0 the topmost pixel.

    Raises:
        ValueError: If *picture* is not 128 x 64 of mode "1".
    """
    if picture.mode != "1" or picture.size != (WIDTH, panels.HEIGHT):
        raise ValueError(
            f'the screen shows pictures of 128 x 64, mode "1"; not {picture.size}, {picture.mode}'
        )
    # The driver's own image() takes 11 to 39 ms on emulated arm64; this takes 0.02.
    columns = picture.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


# A run of changed columns.  It includes gaps that cost no more bytes than beginning another run.
_CHANGED = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % RUN_COST)


def changed_runs(old: bytes, new: bytes) -> Iterator[Run]:
    """Yield the cheapest runs that cover every byte in which *new* differs from *old*, page by page.

    >>> old = bytes(SIZE)
    >>> list(changed_runs(old, b"x" + old[1:]))
    [Run(page=0, left=0, right=0)]
    """
    for page in range(PAGES):
        line = slice(page * WIDTH, (page + 1) * WIDTH)
        if old[line] != new[line]:
            changed = int.from_bytes(old[line]) ^ int.from_bytes(new[line])
            for run in _CHANGED.finditer(changed.to_bytes(WIDTH)):
                yield Run(page, run.start(), run.end() - 1)


class Oled:
    """A panel of 128 x 64 on an I2C bus: an SSD1306, by the driver `adafruit_ssd1306`, or a similar chip.

    After a failed transfer the panel's state is unknown, because it may still be waiting for the rest of a
    command. The next picture then begins with the initialisation and is sent whole.

    Args:
        bus: The bus, with CircuitPython's methods.  The caller owns it: `close` leaves it open.
        address: The panel's address, 0x3C or 0x3D.
        chip: One of `panels.CHIPS`.
        rotate: Rotation of the picture, 0 or 180 degrees.
        offset: The first visible column of the panel's memory, as in `panels.left_of`.
        reset: Restarts the panel; called before each initialisation.

    Raises:
        DeviceTrouble: If no panel answers, or it can't be restarted.
    """

    def __init__(
        self,
        bus: Any,  # noqa: ANN401  Blinka ships no types
        address: int = 0x3C,
        chip: str = SSD1306,
        rotate: int = 0,
        offset: int | None = None,
        reset: Callable[[], object] | None = None,
    ) -> None:
        # Otherwise Blinka, on a Pi, checks for other packages first, which takes time.
        os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")

        self._contrast = 0xFF
        self._wanted: bytes | None = None
        self._shown: bytes | None = None
        self._registers = panels.registers(chip, rotate)
        self._left = panels.left_of(chip, rotate, offset)
        self._turned = panels.remaps(rotate) if rotate else ()
        self._reset = reset or (lambda: None)
        self._driver: Any = None
        self._reset()
        try:
            if chip == SSD1306 and not self._left:  # the driver's own pictures begin at column 0
                from adafruit_ssd1306 import SSD1306_I2C  # noqa: PLC0415  after the setting above

                self._driver = SSD1306_I2C(WIDTH, panels.HEIGHT, bus, addr=address)
                self._device = self._driver.i2c_device
                self._write(COMMANDS, *panels.PAGE_MODE, *self._turned)
                self._shown = bytes(SIZE)
            else:
                from adafruit_bus_device.i2c_device import I2CDevice  # noqa: PLC0415  after the setting above

                self._device = I2CDevice(bus, address)
        except ValueError as error:
            raise DeviceTrouble(
                f"{NAME}: no panel answers at address {address:#x}; check its four wires and its address"
            ) from error
        except OSError as error:
            raise DeviceTrouble(sentence(NAME, error)) from error

    def show(self, picture: Image.Image, contrast: int | None = None) -> None:
        """Show *picture*, 128 x 64 pixels of mode "1".

        *contrast* is 0 to 255; if None, it stays as it is.

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
            self._write(COMMANDS, CONTRAST, level)

    def check(self) -> None:
        """Read the panel's status; if its display is off after a power loss, initialise it and draw again.

        A spike on the wires can change a register while the display stays on and the bus reports no error. So
        a panel that is on gets all `panels.registers` again.

        Raises:
            DeviceTrouble: If the bus fails.
        """
        status = bytearray(1)
        with self._transfer(), self._device as device:
            device.readinto(status)
            if status[0] & _STATUS_OFF:
                self._shown = None
            else:
                device.write(bytes((COMMANDS, *self._registers, self._contrast)))
        self._refresh()

    def close(self) -> None:
        """Do nothing: the panel keeps its picture, and the caller owns the bus."""

    def _refresh(self) -> None:
        """Send the parts of the wanted picture that are not on the panel yet."""
        if self._wanted is None or self._wanted == self._shown:
            return
        shown, self._shown = self._shown, None
        with self._transfer():
            if shown is None:
                self._reset()
            # If a change of contrast failed, the panel still waits for its argument: initialise it too.
            if shown is None and self._driver is None:
                # An SH1106 accepts settings of its converter only while it is off.
                self._write(COMMANDS, panels.DISPLAY_OFF, *self._registers, self._contrast)
            elif shown is None:
                self._driver.init_display()
                self._write(COMMANDS, CONTRAST, self._contrast, *panels.PAGE_MODE, *self._turned)
            last = None
            for page, left, right in WHOLE if shown is None else changed_runs(shown, self._wanted):
                # The chip's pointer stays on its page, so the next run on the same page needs only a column.
                to_page = () if page == last else (panels.to_page(page),)
                self._write(COMMANDS, *to_page, *panels.to_column(self._left + left))
                self._write(panels.DATA, *self._wanted[page * WIDTH :][left : right + 1])
                last = page
            if shown is None and self._driver is None:
                self._write(COMMANDS, panels.DISPLAY_ON)  # not before its memory is written
        self._shown = self._wanted

    def _write(self, *transfer: int) -> None:
        with self._device as device:
            device.write(bytes(transfer))

    @contextmanager
    def _transfer(self) -> Iterator[None]:
        """Turn a failure of the bus into DeviceTrouble, after which the panel's content counts as unknown."""
        try:
            yield
        except OSError as error:
            self._shown = None
            raise DeviceTrouble(sentence(NAME, error)) from error


class ResetLine:
    """The RES line of a panel, on a GPIO: low restarts the chip. The line stays high until the process ends.

    If *gpio* is None, the line is not wired, and all methods do nothing.

    Not tried on a Pi yet.

    Args:
        open_pins: Returns gpiozero's pin factory.
        gpio: The line's GPIO, or None.
    """

    def __init__(self, open_pins: Callable[[], Any], gpio: int | None) -> None:
        self._open_pins = open_pins
        self._gpio = gpio
        self._line: Any = None

    def first(self) -> None:
        """Restart the panel, unless this object has already done so.

        Raises:
            DeviceTrouble: If the GPIO can't be opened.
        """
        if self._line is None:
            self.restart()

    def restart(self) -> None:
        """Restart the panel, which is dark afterwards, with its registers in their power-on state.

        Raises:
            DeviceTrouble: If the GPIO can't be opened.
        """
        if self._gpio is None:
            return
        if self._line is None:
            from gpiozero import DigitalOutputDevice  # noqa: PLC0415  slow, and for few panels

            try:
                pins = self._open_pins()
                self._line = DigitalOutputDevice(self._gpio, initial_value=True, pin_factory=pins)
            except DeviceTrouble as trouble:
                raise DeviceTrouble(str(trouble).replace("keypad: ", f"{NAME}: ", 1)) from trouble
            except Exception as error:  # lgpio.error is not an OSError, and needs lgpio to be named
                reason = f"its reset line, GPIO {self._gpio}, isn't available ({error})"
                raise DeviceTrouble(f"{NAME}: {reason}; stop whatever else uses that GPIO") from error
        self._line.off()
        time.sleep(RESET)
        self._line.on()
        time.sleep(RESET)


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
        raise DeviceTrouble(f"{NAME}: {error}; install cribpi with its pi extra") from error
    except OSError as error:
        raise DeviceTrouble(sentence(NAME, error)) from error
    except (ValueError, RuntimeError) as error:
        raise DeviceTrouble(f"{NAME}: /dev/i2c-{number} cannot be opened ({error}); enable I2C") from error
