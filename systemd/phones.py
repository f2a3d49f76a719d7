"""A drop-in for the systemd unit: it lets phones in the home network reach the service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steps import PHONE_FILES, Step, optional

QUESTION = "May phones on your Wi-Fi join the game, once you choose MENU, Phones at the board? [y/N] "


def files(root: Path, after: Callable[[], None], *, is_wanted: bool | None) -> list[Step]:
    """Return the steps that install or remove the drop-in below *root*, and then call *after*.

    If *is_wanted* is None, its state does not change.
    """
    if is_wanted is None:
        is_wanted = any((root / path).exists() for _, path in PHONE_FILES)
    return optional(PHONE_FILES, root, after, "no phones", is_wanted=is_wanted)
