"""What phones need on the machine: permission for the service to be reached from the home network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steps import PHONE_FILES, Step, optional

QUESTION = "May phones on your Wi-Fi join the game, once you choose MENU, Phones at the board? [y/N] "


def files(root: Path, after: Callable[[], None], *, is_wanted: bool | None) -> list[Step]:
    """Return the steps that put the drop-in below *root*, or take it away; then do *after*.

    Where it is None whether it *is_wanted*, it stays as it is.
    """
    if is_wanted is None:
        is_wanted = any((root / path).exists() for _, path in PHONE_FILES)
    return optional(PHONE_FILES, root, after, "no phones", is_wanted=is_wanted)
