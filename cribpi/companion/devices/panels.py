"""What the panel is sent, byte for byte.

It loads nothing: the first picture of a start goes out by it, before Pillow or any driver is there.
"""

from __future__ import annotations

import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to load than all of this
    from collections.abc import Callable

WIDTH, HEIGHT, PAGES = 128, 64, 8
SIZE = WIDTH * PAGES
"""Bytes of a picture in the panel's memory."""
COMMANDS, DATA = 0x00, 0x40
"""The control bytes with which a transfer begins."""
PAGE_MODE = (0x20, 0x02)
CONTRAST = 0x81
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
_PAGE, _LOW_COLUMN, _HIGH_COLUMN = 0xB0, 0x00, 0x10
_I2C_SLAVE = 0x0703  # of linux/i2c-dev.h: whom the transfers that follow are for
SSD1306, SSD1309, SH1106 = CHIPS = ("SSD1306", "SSD1309", "SH1106")
"""The chips that are known.  SSD1309 is that of the panels of 2.42 inch, SH1106 that of 1.3 inch."""
ROTATIONS = (0, 180)
"""How the picture can be turned, in degrees."""
_SSD, _SH = (SSD1306, SSD1309), (SH1106,)
_BY_STATUS = {0x3: _SSD, 0x4: _SSD, 0x6: _SSD, 0x8: _SH}
"""The chips by the lower half of the status that they give.

The data sheets of the first two call it reserved.  It is what people have read from their panels: the program
ss_oled goes by 3, 6 and 8, and its issue 61 has a 4; some SH1106 are said to give an SSD1306's (issue 23 of
OneBitDisplay).
"""
_POWER = {
    SSD1306: (0xDB, 0x30, 0xAD, 0x30, 0x8D, 0x14),  # voltage, current, charge pump
    SSD1309: (0xDB, 0x34),  # its panels bring a converter of their own
    SH1106: (0xDB, 0x35, 0xAD, 0x8B),  # voltage, converter on
}
_SPARE = 4
"""How many more columns than the glass a memory of 132 has, such as an SH1106's."""
OFFSETS = (0, _SPARE)
"""The least and the greatest column of the memory that a panel can begin with."""


def registers(chip: str = SSD1306, rotate: int = 0) -> tuple[int, ...]:
    """Return what initialisation sets, except display off and on: a panel that is on won't flicker.

    The value of the contrast follows.  The remaps turn the picture: that of the segments acts on what is
    written after it.
    """
    mode = () if chip == SH1106 else PAGE_MODE  # it knows no other
    return (
        *mode, 0x40, *remaps(rotate),  # line
        0xA8, HEIGHT - 1, 0xD3, 0x00, 0xDA, 0x12,  # multiplex, offset, pins
        0xD5, 0x80, 0xD9, 0xF1, *_POWER[chip],  # clock, precharge
        0xA4, 0xA6,  # show the memory, not inverted
        CONTRAST,
    )  # fmt: skip


def remaps(rotate: int) -> tuple[int, int]:
    """Return the commands for segments and lines that turn the picture by *rotate*, 0 or 180 degrees."""
    return (0xA0, 0xC0) if rotate else (0xA1, 0xC8)


def left_of(chip: str, rotate: int = 0, offset: int | None = None) -> int:
    """Return the column of the memory of *chip* that is the leftmost of the glass.

    *offset* is that of a panel the right way up, one of `OFFSETS`; None for the usual one, which for an
    SH1106 is in the middle.  A panel with another has 132 columns, whatever its chip is called.

    >>> left_of("SH1106"), left_of("SH1106", 180), left_of("SSD1309", 0, 2), left_of("SH1106", 180, 0)
    (2, 2, 2, 4)
    """
    usual = _SPARE // 2 if chip == SH1106 else 0
    if offset is None:
        return usual
    return _SPARE - offset if rotate and (usual or offset) else offset


def chips_of(status: int) -> tuple[str, ...]:
    """Return which chips give such a *status*; none if that is not known.

    >>> chips_of(0x48), chips_of(0x06), chips_of(0x01)
    (('SH1106',), ('SSD1306', 'SSD1309'), ())
    """
    return _BY_STATUS.get(status & 0x0F, ())


def to_column(left: int) -> tuple[int, int]:
    """Return the commands that put the pointer of page mode to column *left* of the memory.

    >>> [hex(command) for command in to_column(100)]
    ['0x4', '0x16']
    """
    return _LOW_COLUMN | left & 0x0F, _HIGH_COLUMN | left >> 4


def to_page(number: int) -> int:
    """Return the command that puts the pointer of page mode to page *number*, 0 to 7."""
    return _PAGE | number


def show_first(
    write: Callable[[bytes], object],
    picture: bytes,
    chip: str = SSD1306,
    rotate: int = 0,
    offset: int | None = None,
) -> None:
    """Show *picture*, 8 pages of 128 bytes, on a panel in any state, by *write*, which sends one transfer.

    The display comes on last, as the memory of a panel that has just got power is noise; one that is on does
    not go dark.

    Raises:
        OSError: If the bus fails; what was sent before that stays sent.
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
    """Show *picture* on the panel at *address* of /dev/i2c-*bus*, by the kernel alone.

    Raises:
        OSError: If the bus can't be opened, or fails, or a companion that runs already holds it.
    """
    device = hold_bus(bus)
    try:
        fcntl.ioctl(device, _I2C_SLAVE, address)
        show_first(lambda transfer: os.write(device, transfer), picture, chip, rotate, offset)
    finally:
        os.close(device)


def hold_bus(bus: int) -> int:
    """Return /dev/i2c-*bus*, open and locked: until it is closed, no other start draws over the screen.

    The lock is for those who ask for it here; a driver does not.

    Raises:
        OSError: If it can't be opened, or another holds it.
    """
    device = os.open(f"/dev/i2c-{bus}", os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(device, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(device)
        raise
    return device
