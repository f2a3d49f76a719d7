"""What the Pi's boot files must say for the companion's buses: old text in, new text out, and nothing else.

`config.txt` is read as the firmware reads it: from top to bottom, in sections for some boards, the last word
counts.  Nothing that stands there is changed or moved; what is missing is added at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

TITLE: Final = "# For cribpi's OLED and strip"

SPIDEV_BUFFER: Final = 4096
"""Bytes that the kernel's spidev takes at once, unless it is told otherwise."""

FILTERS: Final = (
    ("[pi02]", ("Zero 2",)),
    ("[pi0]", ("Zero",)),
    ("[pi3]", ("Pi 3", "Compute Module 3")),
    ("[pi3+]", ("Pi 3 Model A Plus", "Pi 3 Model B Plus")),
    ("[pi400]", ("Pi 400",)),
    ("[pi4]", ("Pi 4", "Compute Module 4")),
    ("[cm4]", ("Compute Module 4",)),
    ("[pi500]", ("Pi 500",)),
    ("[pi5]", ("Pi 5", "Compute Module 5")),
    ("[cm5]", ("Compute Module 5",)),
)
"""The sections for a board, and what stands in the model's name of a board that reads them."""

CORE: Final = (
    # The strip's timing by SPI follows the core's clock, which these keep where it is.
    ("[pi3]", "core_freq", "250"),
    ("[pi4]", "core_freq_min", "500"),
)


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
    """Return *old* with what is missing of *wanted* on a board of *model* added at its end; None is any board.

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
    said = _said(old, model)
    lines = [f"dtparam={name}={value}" for name, value in common if said.get(f"dtparam {name}") != value]
    # Behind an overlay a parameter is first of all the overlay's: vc4-kms-v3d has an `audio` of its own, HDMI's.
    lines = ["dtoverlay=", *lines] if lines else []
    for section, name, value in CORE if wanted.spi else ():
        if model is not None and _reads(section, model) and said.get(name) != value:
            lines += [section, f"{name}={value}", "[all]"]
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


def _reads(section: str, model: str) -> bool:
    """Return whether a board of *model* reads *section*, as far as that can be told from here."""
    return any(section == name and any(part in model for part in parts) for name, parts in FILTERS)


def _said(text: str, model: str | None) -> dict[str, str]:
    """Return the last word of *text* on each setting for *model*; the parameters of a dtparam as `dtparam NAME`.

    Behind an overlay, up to an empty `dtoverlay=`, a parameter is the overlay's if that has one of the name, else
    the board's.  What another word there leaves of the board's cannot be told from here, and is "".
    """
    found: dict[str, str] = {}
    is_read, overlay = True, ""
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("[") and line.endswith("]"):
            section = line.lower()
            is_read = section == "[all]" or (model is not None and _reads(section, model))
        elif is_read and "=" in line:
            for name, value in _settings(line):
                if name == "dtoverlay":
                    overlay = value
                elif overlay and name.startswith("dtparam ") and found.get(name) != value:
                    found[name] = ""
                else:
                    found[name] = value
    return found


def _settings(line: str) -> Iterator[tuple[str, str]]:
    """Yield each setting of *line*, which is one, or a dtparam with several parameters, parted by commas."""
    name, _, value = (part.strip() for part in line.partition("="))
    if name != "dtparam":
        yield name, value
        return
    for parameter in value.split(","):
        key, equals, word = (part.strip() for part in parameter.partition("="))
        # A parameter alone is on; the firmware knows these buses by two names.
        key = {"i2c": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate"}.get(key, key)
        yield (
            f"dtparam {key}",
            {"true": "on", "yes": "on", "": "on"}.get(word.lower(), word) if equals else "on",
        )


def _ended(text: str) -> str:
    """Return *text* with its last line ended."""
    return text if not text or text.endswith("\n") else f"{text}\n"
