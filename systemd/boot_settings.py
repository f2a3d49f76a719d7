"""What the Pi's boot files must say for the companion's buses: old text in, new text out, and nothing else.

`config.txt` is read as the firmware reads it (`cribpi.companion.devices.board`).  Nothing
that stands there is changed or moved; what is missing is added at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cribpi.companion.devices.board import core_clock, settings_of

TITLE: Final = "# For cribpi's OLED and strip"

SPIDEV_BUFFER: Final = 4096
"""Bytes that the kernel's spidev takes at once, unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a kit wants of the board that it is built on.

    Args:
        baudrate: The speed of the I2C bus, in baud.
        spi: Whether the strip's data comes out of SPI, on GPIO 10.
        bufsiz: Bytes that spidev must take at once, 0 where its ordinary buffer serves.
        audio: Whether the analogue audio may stay; PWM on GPIO 18 excludes it.
    """

    baudrate: int = 400_000
    spi: bool = True
    bufsiz: int = 0
    audio: bool = True


def config_txt(old: str, model: str | None, wanted: Wanted) -> str:
    """Return *old* with what is missing of *wanted* for a board of *model* added; None is any board.

    Applied to its own result it changes nothing.

    >>> print(config_txt("dtparam=spi=on", "Raspberry Pi 5 Model B Rev 1.0", Wanted()), end="")
    dtparam=spi=on
    <BLANKLINE>
    # For cribpi's OLED and strip
    [all]
    dtoverlay=
    dtparam=i2c_arm=on
    dtparam=i2c_arm_baudrate=400000
    """
    common = [("i2c_arm", "on"), ("i2c_arm_baudrate", str(wanted.baudrate))]
    common += [("spi", "on")] if wanted.spi else []
    common += [] if wanted.audio else [("audio", "off")]
    settings = settings_of(old, model)
    lines = [f"dtparam={name}={value}" for name, value in common if settings.get(f"dtparam {name}") != value]
    # Behind an overlay a parameter is first of all the overlay's: vc4-kms-v3d has an `audio` of its own,
    # HDMI's.
    lines = ["dtoverlay=", *lines] if lines else []
    if wanted.spi and (clock := core_clock(model)) is not None:
        section, name, value = clock
        lines += [section, f"{name}={value}", "[all]"] if settings.get(name) != value else []
    return _ended(old) + "\n".join(["", TITLE, "[all]", *lines, ""]) if lines else old


def cmdline_txt(old: str, wanted: Wanted) -> str:
    r"""Return *old*, one line of words for the kernel, with the spidev buffer that is *wanted*.

    Applied to its own result it changes nothing; a larger buffer stays.

    >>> cmdline_txt("console=tty1 rootwait\n", Wanted(bufsiz=8192))
    'console=tty1 rootwait spidev.bufsiz=8192\n'
    """
    if not wanted.bufsiz:
        return old
    line, newline, rest = old.partition("\n")
    if line.endswith("\r"):
        line, newline = line[:-1], f"\r{newline}"
    words = line.split(" ")
    sizes = [word.partition("=")[2] for word in words if word.startswith("spidev.bufsiz=")]
    if sizes and sizes[-1].isdecimal() and int(sizes[-1]) >= wanted.bufsiz:
        return old
    kept = [word for word in words if not word.startswith("spidev.bufsiz=")]
    while kept and not kept[-1]:
        kept.pop()
    return " ".join([*kept, f"spidev.bufsiz={wanted.bufsiz}"]) + newline + rest


def buffer_for(bytes_at_once: int) -> int:
    """Return the spidev buffer for *bytes_at_once*, in whole pages; 0 where the ordinary one serves.

    >>> [buffer_for(size) for size in (3357, 4096, 4097, 8700)]
    [0, 0, 8192, 12288]
    """
    return 0 if bytes_at_once <= SPIDEV_BUFFER else -(-bytes_at_once // SPIDEV_BUFFER) * SPIDEV_BUFFER


def _ended(text: str) -> str:
    """Return *text* with its last line ended."""
    return text if not text or text.endswith("\n") else f"{text}\n"
