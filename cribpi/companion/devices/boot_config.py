"""`config.txt` as the firmware reads it: top to bottom, with sections by board; the last setting wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

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
"""The sections for a board, and parts of the model names of boards that read them."""

CORE: Final = (
    ("[pi02]", "core_freq", "250"),
    ("[pi3]", "core_freq", "250"),
    ("[pi4]", "core_freq_min", "500"),
)
"""The section, name and value of the setting that keeps the core clock constant, by board.

SPI's clock is divided from the core's.  On a Zero 2 W and a Pi 3 the kernel computes the divisor for 400 MHz;
at rest the core falls to 250 MHz, and a 0 on the strip's wire is then high for 504 ns instead of 315.  On a
Pi 4 it falls from 500 to 200 MHz, and a 0 is high for 790 ns, which a WS2812 reads as a 1: all white.
"""


def core_clock(model: str | None) -> tuple[str, str, str] | None:
    """Return the section, name and value that keep SPI's clock constant on *model*; None if not needed.

    >>> core_clock("Raspberry Pi Zero 2 W Rev 1.0")
    ('[pi02]', 'core_freq', '250')
    >>> core_clock("Raspberry Pi 5 Model B Rev 1.0")
    """
    if model is None:
        return None
    return next((row for row in CORE if _reads(row[0], model)), None)


def settings_of(text: str, model: str | None) -> dict[str, str]:
    """Return the settings of *text* for *model*; parameters of a dtparam are called `dtparam NAME`.

    After an overlay, up to an empty `dtoverlay=`, a parameter belongs to the overlay if that has one of the
    name, else to the board.  If the board's value can't be known because of this, it is "".
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


def _reads(section: str, model: str) -> bool:
    """Return whether a board of *model* reads *section*, as far as the model alone can tell."""
    return any(section == name and any(part in model for part in parts) for name, parts in FILTERS)


def _settings(line: str) -> Iterator[tuple[str, str]]:
    """Yield each setting of *line*: one, or the comma-separated parameters of a dtparam."""
    name, _, value = (part.strip() for part in line.partition("="))
    if name != "dtparam":
        yield name, value
        return
    for parameter in value.split(","):
        key, equals, word = (part.strip() for part in parameter.partition("="))
        # A bare parameter is on; the firmware has two names for these buses.
        key = {"i2c": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate"}.get(key, key)
        yield (
            f"dtparam {key}",
            {"true": "on", "yes": "on", "": "on"}.get(word.lower(), word) if equals else "on",
        )
