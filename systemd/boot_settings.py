"""Boot settings that a kit needs, as pure functions from a boot file's old text to its new text.

`config.txt` is parsed as the firmware does (`cribpi.companion.devices.board`). Existing lines are not changed
or moved. Missing settings are appended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cribpi.companion.devices.board import core_clock, settings_of

TITLE: Final = "# For cribpi's OLED and strip"

SPIDEV_BUFFER: Final = 4096
"""Default size in bytes of the kernel's spidev buffer."""


@dataclass(frozen=True, slots=True)
class BoardNeeds:
    """Boot settings that a kit needs.

    Args:
        baudrate: Speed of the I2C bus, in baud.
        spi: Whether SPI drives the strip, on GPIO 10.
        bufsiz: Size of the spidev buffer in bytes; 0 if the default is enough.
        audio: Whether analogue audio may stay on. It can't be used together with PWM on GPIO 18.
    """

    baudrate: int = 400_000
    spi: bool = True
    bufsiz: int = 0
    audio: bool = True


def config_txt(old: str, model: str | None, needs: BoardNeeds) -> str:
    """Return *old* with missing settings of *needs* appended. *model* is the Pi; None means any. Idempotent.

    >>> print(config_txt("dtparam=spi=on", "Raspberry Pi 5 Model B Rev 1.0", BoardNeeds()), end="")
    dtparam=spi=on
    <BLANKLINE>
    # For cribpi's OLED and strip
    [all]
    dtoverlay=
    dtparam=i2c_arm=on
    dtparam=i2c_arm_baudrate=400000
    """
    common = [("i2c_arm", "on"), ("i2c_arm_baudrate", str(needs.baudrate))]
    common += [("spi", "on")] if needs.spi else []
    common += [] if needs.audio else [("audio", "off")]
    settings = settings_of(old, model)
    lines = [f"dtparam={name}={value}" for name, value in common if settings.get(f"dtparam {name}") != value]
    # The empty dtoverlay ends the scope of a previous overlay. Otherwise a dtparam could set a parameter of
    # that overlay: vc4-kms-v3d, for example, also has an `audio`, for HDMI.
    lines = ["dtoverlay=", *lines] if lines else []
    if needs.spi and (clock := core_clock(model)) is not None:
        section, name, value = clock
        lines += [section, f"{name}={value}", "[all]"] if settings.get(name) != value else []
    return _ended(old) + "\n".join(["", TITLE, "[all]", *lines, ""]) if lines else old


def cmdline_txt(old: str, needs: BoardNeeds) -> str:
    r"""Return *old*, the kernel's command line, with the spidev buffer of *needs*. Idempotent.

    A larger buffer is not changed.

    >>> cmdline_txt("console=tty1 rootwait\n", BoardNeeds(bufsiz=8192))
    'console=tty1 rootwait spidev.bufsiz=8192\n'
    """
    if not needs.bufsiz:
        return old
    line, newline, rest = old.partition("\n")
    if line.endswith("\r"):
        line, newline = line[:-1], f"\r{newline}"
    words = line.split(" ")
    sizes = [word.partition("=")[2] for word in words if word.startswith("spidev.bufsiz=")]
    if sizes and sizes[-1].isdecimal() and int(sizes[-1]) >= needs.bufsiz:
        return old
    others = [word for word in words if not word.startswith("spidev.bufsiz=")]
    while others and not others[-1]:
        others.pop()
    return " ".join([*others, f"spidev.bufsiz={needs.bufsiz}"]) + newline + rest


def buffer_for(bytes_at_once: int) -> int:
    """Return the spidev buffer size for *bytes_at_once*, in whole pages, or 0 if the default is enough.

    >>> [buffer_for(size) for size in (3357, 4096, 4097, 8700)]
    [0, 0, 8192, 12288]
    """
    return 0 if bytes_at_once <= SPIDEV_BUFFER else -(-bytes_at_once // SPIDEV_BUFFER) * SPIDEV_BUFFER


def _ended(text: str) -> str:
    """Return *text* with a final newline."""
    return text if not text or text.endswith("\n") else f"{text}\n"
