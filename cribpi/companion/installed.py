"""How cribpi was installed on this machine, and so the command that installs it again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

STAMP: Final = "opt/cribpi/installed-from"
"""The installer's mark of what it has installed, seen from the root."""
IN_A_BUNDLE: Final = " in a bundle"
"""What stands there if that was the file of `make bundle`, after which there need be no Makefile."""

BY_MAKE: Final = "sudo make"
BY_FILE: Final = "sudo sh cribpi-*.run"

_MACHINE: Final = Path("/")


def is_from_bundle(root: Path = _MACHINE) -> bool:
    """Return whether the machine below *root* was installed from a bundle."""
    try:
        return IN_A_BUNDLE in (root / STAMP).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def again(root: Path = _MACHINE, option: str = "") -> str:
    """Return the command that installs again on the machine below *root*, with an *option* such as `phones`.

    >>> again(Path("/nothing")), again(Path("/nothing"), "phones")
    ('sudo make install', 'sudo make phones')
    """
    if is_from_bundle(root):
        return f"{BY_FILE} --{option}" if option else BY_FILE
    return f"{BY_MAKE} {option or 'install'}"
