"""A bundle: this installer with the wheels of all that it installs, for a Pi without a network."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from steps import CHECKOUT, Step

from cribpi.companion.files.whole import write_whole
from cribpi.companion.update.signature import SIGNERS, fingerprints

WHEELS: Final = CHECKOUT / "wheels"
"""Where they lie in a bundle; a checkout has no such folder."""


def is_bundle() -> bool:
    """Return whether this installer came in a bundle."""
    return WHEELS.is_dir()


def wheel_list() -> Path:
    """Return the list of the wheels for this Python, with their checksums."""
    return WHEELS / "cp{}{}.txt".format(*sys.version_info[:2])


def brings(name: str) -> bool:
    """Return whether the bundle has a wheel of *name*; what is compiled depends on where it was made."""
    return any(line.startswith(f"{name}==") for line in wheel_list().read_text(encoding="utf-8").splitlines())


def signers(root: Path) -> list[Step]:
    """Return the step that trusts the key of this bundle, because somebody has run the bundle by hand.

    A list of trusted keys that is there stays as it is, so that an update can't add to it.
    """
    there, ours = root / SIGNERS, CHECKOUT / Path(SIGNERS).name
    if not ours.is_file():
        return []
    data = ours.read_bytes()
    keys = " ".join(fingerprints(data.decode()))
    name = f"/{SIGNERS}: updates are from {keys}"

    def do() -> None:
        there.parent.mkdir(parents=True, exist_ok=True)
        write_whole(there, data, mode=0o644)

    return [Step(name if not there.exists() else f"/{SIGNERS}", there.exists, do)]


def argument(word: str) -> str:
    """Return how *word* is added to the command that installs: by make, or as it is."""
    return word if is_bundle() or "CRIBPI_UPDATE" in os.environ else f"ARGS={word}"
