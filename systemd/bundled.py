"""Support for bundles. A bundle is this installer with all wheels, for a Pi without a network."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from steps import CHECKOUT, Step

from cribpi.companion.files.atomic import write_whole
from cribpi.companion.update.signature import SIGNERS, fingerprints

WHEELS: Final = CHECKOUT / "wheels"
"""Folder of wheels in a bundle. A checkout has none."""


def is_bundle() -> bool:
    """Return whether this installer is part of a bundle."""
    return WHEELS.is_dir()


def wheel_list() -> Path:
    """Return the requirements file that lists the wheels for this Python, with checksums."""
    return WHEELS / "cp{}{}.txt".format(*sys.version_info[:2])


def brings(name: str) -> bool:
    """Return whether the bundle has a wheel of *name*.

    A package may be missing if there was no compiler for it.
    """
    return any(line.startswith(f"{name}==") for line in wheel_list().read_text(encoding="utf-8").splitlines())


def signers(root: Path) -> list[Step]:
    """Return the step that trusts this bundle's signing key. The user trusts it by running the bundle.

    An existing list of trusted keys is not changed, so that an update can't add a key.
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
    """Return the install command's argument for the option *word*. In a checkout, the command is make."""
    return word if is_bundle() or "CRIBPI_UPDATE" in os.environ else f"ARGS={word}"
