"""Debian packages. For lgpio, pip's package may be a substitute."""

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
    "python3-venv",  # for the program's environment
    "dbus",  # to request a shutdown when MENU is held
    "polkitd",  # to permit that request
    "udev",
)

PINS: Final = "python3-lgpio"
"""GPIO library for the keys. Raspberry Pi OS has this package, but some other Debian systems don't."""

PYTHON: Final = sys.version_info[:2]
"""Python version of the program: that of the installer."""

NO_WHEEL: Final = (3, 13)
"""First Python version for which PyPI has no lgpio wheel. pip would install an empty module."""

COMPILER: Final = ("python3-dev", "gcc", "libc6-dev")
"""Packages needed to build rpi-ws281x."""

_REMEDY: Final = "check the network and apt, then try again"

_OF_32_BITS: Final = re.compile(r"Raspberry Pi (Zero(?! 2)|Model |Compute Module Rev|2 Model B Rev 1\.[01])")
"""Models whose processor (BCM2835 or BCM2836) can't run a 64-bit system."""

BOARDS: Final = "a Zero 2 W, 3, 4 or 5"


def check_bits(model: str | None, *, is_64_bit: bool = sys.maxsize > 2**32) -> None:
    """Reject a 32-bit system. pip has no NumPy and Pillow wheels for it, and would compile for an hour.

    Raises:
        Failed: If the system is 32-bit, or *model* can run only that.
    """
    if model is not None and _OF_32_BITS.match(model):
        raise Failed(f"{model} runs 32-bit systems only, and cribpi needs a 64-bit one: use {BOARDS}")
    if not is_64_bit:
        raise Failed(
            f"this system is 32-bit, and cribpi needs a 64-bit one: on {BOARDS} write the card anew, and "
            "choose Raspberry Pi OS (64-bit) in Raspberry Pi Imager"
        )


def packages(names: tuple[str, ...] = PACKAGES) -> Step:
    """Return the step that installs the required packages."""
    return Step(f"system packages: {' '.join(names)}", lambda: not missing(names), lambda: install(names))


def pins(root: Path) -> Step:
    """Return the step that installs lgpio from Debian. If only pip has it, pip installs it later."""
    python = root / VENV / "bin" / "python"
    version = ".".join(map(str, PYTHON))

    def is_done() -> bool:
        return not missing((PINS,)) or (
            PYTHON < NO_WHEEL
            and succeeds(str(python), "-c", "import importlib.util as u; exit(u.find_spec('lgpio') is None)")
        )

    def do() -> None:
        # On a new card, apt's package lists are empty.
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
    """Return the *packages* that are not installed.

    Raises:
        Failed: If the system is not Debian.
    """
    return [name for name in packages if not _is_installed(name)]


def install(packages: tuple[str, ...]) -> None:
    """Install those of *packages* that are missing.

    Raises:
        Failed: If a package can't be installed. In a bundle this is always so, because it must work without a
            network.
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
    """Update apt's package lists, once per installation.

    Raises:
        Failed: If apt fails.
    """
    run("apt-get", "update", "-qq", remedy=_REMEDY)


def _is_installed(package: str) -> bool:
    command = ("dpkg-query", "-W", "-f", "${Status}", package)
    try:
        query = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        raise Failed("this is not Debian (no dpkg): install by hand, see docs/how-to/install.md") from None
    return query.stdout == "install ok installed"
