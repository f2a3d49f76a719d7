"""The step that builds rpi-ws281x, for kits whose strip needs it. PyPI has no wheels of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bundled import is_bundle
from debian import COMPILER, install, missing
from slots import used
from steps import CHECKOUT, Failed, Left, Step, find_environment, printed, requirements, run

from cribpi.companion.devices.board import is_pi_5
from cribpi.companion.devices.strip import chosen_driver
from cribpi.companion.devices.strip_ws281x import SPI_PIN
from cribpi.companion.kit import Kit

NAME: Final = "rpi-ws281x"
_VERSION: Final = f"from importlib.metadata import version; print(version({NAME!r}))"


def is_wanted(kit: Kit) -> bool:
    """Return whether this library drives the strip of *kit*."""
    return chosen_driver(kit.strip.driver, kit.strip.gpio) == NAME


def strip_library(root: Path, kit: Kit, model: str | None = None, source: Path = CHECKOUT) -> Step:
    """Return the step that builds the library into the environment of *source*.

    If that fails, or *model* is unsupported, the step is skipped: its `Left` describes the effect on the
    strip.
    """

    def python() -> Path:
        return (find_environment(source, root) or used(root)) / "bin" / "python"

    def is_done() -> bool:
        version = printed(str(python()), "-c", _VERSION)
        if not version or is_bundle():
            return bool(version)
        return version == _requirement().partition("==")[2]

    def do() -> None:
        if model is not None and is_pi_5(model):
            raise Left(f"{NAME} does not support the Pi 5: {instead(kit)}")
        if is_bundle():
            raise Left(f"this bundle was made without {NAME}: {instead(kit)}")
        trouble: Failed | None = None
        try:
            if missing(COMPILER):
                install(COMPILER)
        except Failed as failed:  # another compiler may be installed, so try anyway
            trouble = failed
        try:
            pip = (python(), "-m", "pip", "install", "-q", "-c", CHECKOUT / "constraints.txt")
            run(*pip, _requirement(), remedy="check the network")
        except Failed as failed:
            why = (trouble or failed).last_line or str(trouble or failed)
            raise Left(
                f"{NAME} cannot be built ({why}): {instead(kit)}; `sudo make install` tries again"
            ) from None

    return Step(f"{NAME}, which drives the kit's strip", is_done, do)


def _requirement() -> str:
    """Return the library's requirement with its version, as in the checkout."""
    return next(requirement for requirement in requirements() if requirement.startswith(NAME))


def instead(kit: Kit) -> str:
    """Return the effect on the strip of *kit* if the library is missing."""
    strip = kit.strip
    if strip.gpio != SPI_PIN:
        return f"the strip on GPIO {strip.gpio} stays dark without it; GPIO 10 needs none"
    return 'the kit asks for it, and its strip stays dark; driver = "auto" needs none'
