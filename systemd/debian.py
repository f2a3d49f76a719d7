"""The system's packages, and the pins' library, for which pip's own can sometimes stand in."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

from bundled import is_bundle
from slots import VENV
from steps import Failed, Left, Step, run, succeeds

PACKAGES: Final = (
    "python3-venv",  # where the program lives
    "dbus",  # by which holding MENU asks
    "polkitd",  # and which decides that it may
    "udev",
)

PINS: Final = "python3-lgpio"
"""The pins, by which keys are heard.  Raspberry Pi OS has it, and some other Debian has not."""

PYTHON: Final = sys.version_info[:2]
"""The Python that the program gets, which is the one that this runs on."""

NO_WHEEL: Final = (3, 13)
"""The first Python for which pip has no lgpio: what it would install there is an empty module."""

COMPILER: Final = ("python3-dev", "gcc", "libc6-dev")
"""What rpi-ws281x is built with."""

_REMEDY: Final = "check the network and apt, then try again"

_OF_32_BITS: Final = re.compile(r"Raspberry Pi (Zero(?! 2)|Model |Compute Module Rev|2 Model B Rev 1\.[01])")
"""Boards whose processors (BCM2835, BCM2836) run no 64-bit system."""

BOARDS: Final = "a Zero 2 W, 3, 4 or 5"


def check_bits(model: str | None, *, is_64_bit: bool = sys.maxsize > 2**32) -> None:
    """Refuse a 32-bit system at once: pip has no NumPy and no Pillow for it, and would compile for an hour.

    Raises:
        Failed: If it is one, or *model* is a board that runs no other.
    """
    if model is not None and _OF_32_BITS.match(model):
        raise Failed(f"{model} runs 32-bit systems only, and cribpi needs a 64-bit one: use {BOARDS}")
    if not is_64_bit:
        raise Failed(
            f"this system is 32-bit, and cribpi needs a 64-bit one: on {BOARDS} write the card anew, and "
            "choose Raspberry Pi OS (64-bit) in Raspberry Pi Imager"
        )


def packages(names: tuple[str, ...] = PACKAGES) -> Step:
    """Install the packages without which nothing goes on."""
    return Step(f"system packages: {' '.join(names)}", lambda: not missing(names), lambda: install(names))


def pins(root: Path) -> Step:
    """Install the pins' library, or leave that to pip where the system has none and pip has."""
    python = root / VENV / "bin" / "python"
    version = ".".join(map(str, PYTHON))

    def is_done() -> bool:
        return not missing((PINS,)) or (
            PYTHON < NO_WHEEL
            and succeeds(str(python), "-c", "import importlib.util as u; exit(u.find_spec('lgpio') is None)")
        )

    def do() -> None:
        # Lists that are empty, as on a new card, know no package at all.
        update()
        if succeeds("apt-cache", "show", PINS):
            install((PINS,))
        elif PYTHON < NO_WHEEL:
            raise Left(f"{PINS}: apt has no such package; pip's own lgpio is used instead")
        else:
            raise Failed(
                f"{PINS}: apt has no such package, and pip has no lgpio for Python {version}: no key would "
                "work; Raspberry Pi OS has it: check the network and /etc/apt/sources.list.d, then try again"
            )

    return Step(f"{PINS}, or pip's own lgpio", is_done, do)


def missing(packages: tuple[str, ...]) -> list[str]:
    """Return which of *packages* are not installed.

    Raises:
        Failed: If this is no Debian.
    """
    return [name for name in packages if not _is_installed(name)]


def install(packages: tuple[str, ...]) -> None:
    """Install which of *packages* are missing; a bundle has no network, and only says which.

    Raises:
        Failed: If one cannot be had.
    """
    if is_bundle():
        names = " ".join(missing(packages))
        raise Failed(
            f"{names}: not installed, and a bundle brings only what Python needs; connect the Pi once, "
            f"`sudo apt install {names}`, then try again"
        )
    update()
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing(packages), remedy=_REMEDY)


@cache
def update() -> None:
    """Let apt read its lists anew, once an installation.

    Raises:
        Failed: If it cannot.
    """
    run("apt-get", "update", "-qq", remedy=_REMEDY)


def _is_installed(package: str) -> bool:
    command = ("dpkg-query", "-W", "-f", "${Status}", package)
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        raise Failed("this is not Debian (no dpkg): install by hand, see docs/how-to/install.md") from None
    return found.stdout == "install ok installed"
