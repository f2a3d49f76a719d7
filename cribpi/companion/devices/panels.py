"""The OLED panels' commands and data as bytes, and functions that show the first picture at start-up.

The module imports almost nothing, so that this picture appears before Pillow and the driver are loaded.
"""

from __future__ import annotations

import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to load than all of this
    from collections.abc import Callable

WIDTH = 128
HEIGHT = 64
PAGES = 8
SIZE = WIDTH * PAGES
"""Number of bytes of a picture in the panel's memory."""
COMMANDS, DATA = 0x00, 0x40
"""The control bytes that begin a transfer."""
PAGE_MODE = (0x20, 0x02)
CONTRAST = 0x81
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
_PAGE = 0xB0
_LOW_COLUMN, _HIGH_COLUMN = 0x00, 0x10
_I2C_SLAVE = 0x0703  # sets the address for the next transfers, as in linux/i2c-dev.h
SSD1306 = "SSD1306"
SSD1309 = "SSD1309"
SH1106 = "SH1106"
CHIPS = (SSD1306, SSD1309, SH1106)
"""The supported chips. 2.42-inch panels have an SSD1309, 1.3-inch panels an SH1106."""
ROTATIONS = (0, 180)
"""The rotations of the picture, in degrees."""
_SSD, _SH = (SSD1306, SSD1309), (SH1106,)
_BY_STATUS = {0x3: _SSD, 0x4: _SSD, 0x6: _SSD, 0x8: _SH}
"""The chips by the lower half of their status byte.

The data sheets of the SSD13xx call these bits reserved. The values come from real panels: the program ss_oled
relies on 3, 6 and 8, and its issue 61 reports a 4. Some SH1106 are said to return the value of an SSD1306
(issue 23 of OneBitDisplay).
"""
_POWER = {
    SSD1306: (0xDB, 0x30, 0xAD, 0x30, 0x8D, 0x14),  # voltage, current, charge pump
    SSD1309: (0xDB, 0x34),  # SSD1309 panels have their own converter.
    SH1106: (0xDB, 0x35, 0xAD, 0x8B),  # voltage, converter on
}
_SPARE = 4
"""Number of invisible columns in a memory of 132 columns, such as that of an SH1106."""
OFFSETS = (0, _SPARE)
"""The minimum and maximum of the first visible column of the memory."""


def registers(chip: str = SSD1306, rotate: int = 0) -> tuple[int, ...]:
    """Return the commands that initialise a panel, without turning the display off and on: it won't flicker.

    The last command is CONTRAST, so the contrast must follow. The remaps turn the picture; the segment remap
    affects only data that is written after it.
    """
    mode = () if chip == SH1106 else PAGE_MODE  # An SH1106 has only page mode.
    return (
        *mode, 0x40, *remaps(rotate),  # line
        0xA8, HEIGHT - 1, 0xD3, 0x00, 0xDA, 0x12,  # multiplex, offset, pins
        0xD5, 0x80, 0xD9, 0xF1, *_POWER[chip],  # clock, precharge
        0xA4, 0xA6,  # show the memory, not inverted
        CONTRAST,
    )  # fmt: skip


def remaps(rotate: int) -> tuple[int, int]:
    """Return the two commands that turn the picture by *rotate*, 0 or 180 degrees: segment and line remap."""
    return (0xA0, 0xC0) if rotate else (0xA1, 0xC8)


def left_of(chip: str, rotate: int = 0, offset: int | None = None) -> int:
    """Return the first visible column of the memory of *chip*, after the rotation by *rotate* degrees.

    *offset* is that column without rotation, in the range `OFFSETS`; by default it is 2 for an SH1106, else
    0. A panel with another offset has a memory of 132 columns, whatever its chip is called.

    >>> left_of("SH1106"), left_of("SH1106", 180), left_of("SSD1309", 0, 2), left_of("SH1106", 180, 0)
    (2, 2, 2, 4)
    """
    usual = _SPARE // 2 if chip == SH1106 else 0
    if offset is None:
        return usual
    return _SPARE - offset if rotate and (usual or offset) else offset


def chips_of(status: int) -> tuple[str, ...]:
    """Return the chips that report this *status*, or () if it is unknown.

    >>> chips_of(0x48), chips_of(0x06), chips_of(0x01)
    (('SH1106',), ('SSD1306', 'SSD1309'), ())
    """
    return _BY_STATUS.get(status & 0x0F, ())


def to_column(left: int) -> tuple[int, int]:
    """Return the commands that move the pointer to column *left* of the memory, in page mode.

    >>> [hex(command) for command in to_column(100)]
    ['0x4', '0x16']
    """
    return _LOW_COLUMN | left & 0x0F, _HIGH_COLUMN | left >> 4


def to_page(number: int) -> int:
    """Return the command that moves the pointer to page *number*, 0 to 7, in page mode."""
    return _PAGE | number


def show_first(
    write: Callable[[bytes], object],
    picture: bytes,
    chip: str = SSD1306,
    rotate: int = 0,
    offset: int | None = None,
) -> None:
    """Show *picture*, 8 pages of 128 bytes, on a panel in any state; *write* sends one transfer.

    The display is turned on last, because the memory of a panel that was just powered on is noise. A panel
    that is already on does not go dark.

    Raises:
        OSError: If the bus fails; the transfers before that have taken effect.
    """
    write(bytes((COMMANDS, *registers(chip, rotate), 0xFF)))
    for number in range(PAGES):
        write(bytes((COMMANDS, to_page(number), *to_column(left_of(chip, rotate, offset)))))
        write(bytes((DATA, *picture[number * WIDTH : (number + 1) * WIDTH])))
    write(bytes((COMMANDS, DISPLAY_ON)))


def show_on_bus(
    picture: bytes,
    bus: int,
    address: int,
    chip: str = SSD1306,
    rotate: int = 0,
    offset: int | None = None,
) -> None:
    """Show *picture* on the panel at *address* of /dev/i2c-*bus*, without a driver.

    Raises:
        OSError: If the bus can't be opened, fails, or is locked by a running companion.
    """
    device = hold_bus(bus)
    try:
        fcntl.ioctl(device, _I2C_SLAVE, address)
        show_first(lambda transfer: os.write(device, transfer), picture, chip, rotate, offset)
    finally:
        os.close(device)


def hold_bus(bus: int) -> int:
    """Open and lock /dev/i2c-*bus*, so that another start can't draw over the screen, until it is closed.

    The lock works only between callers of this function; drivers ignore it.

    Raises:
        OSError: If the bus can't be opened, or is locked already.
    """
    device = os.open(f"/dev/i2c-{bus}", os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(device, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(device)
        raise
    return device
