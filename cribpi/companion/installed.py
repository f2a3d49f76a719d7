"""The installation on this machine: its source, and the command to install again."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

STAMP: Final = "opt/cribpi/venv/installed-from"
"""Stamp file of the installer, relative to the root. It identifies the installed source."""
SOURCE: Final = "opt/cribpi/venv/source.json"
"""JSON file with the installed `Source`."""
CHANGES: Final = "opt/cribpi/venv/CHANGELOG.md"
"""Changelog of the installed version."""
IN_A_BUNDLE: Final = " in a bundle"
"""Text in the stamp file after an installation from a bundle. A bundle has no Makefile."""

BY_MAKE: Final = "sudo make"
BY_FILE: Final = "sudo sh cribpi-*.run"

_MACHINE: Final = Path("/")


@dataclass(frozen=True, slots=True)
class Source:
    """The source of an installation, or of an available version.

    Args:
        version: Version as in pyproject.toml.
        commit: Git commit hash; "" if unknown.
        date: Date of the commit in ISO 8601; "" if unknown.
        checkout: Folder that it was installed from; "" for a bundle.
    """

    version: str
    commit: str = ""
    date: str = ""
    checkout: str = ""

    def __str__(self) -> str:
        """Return the version, with commit and day if known.

        >>> print(Source("0.1.0", "780c4a8f3d", "2026-11-27T12:00:00+00:00"))
        0.1.0 (780c4a8 of 2026-11-27)
        """
        return f"{self.version} ({self.commit[:7]} of {self.date[:10]})" if self.commit else self.version

    def as_json(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def source_of(text: str) -> Source:
    """Parse the output of `Source.as_json`.

    Raises:
        ValueError: If *text* is something else.
    """
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("not an object")  # noqa: TRY004  the same error class as json's own
    words = {name: found.get(name, "") for name in Source.__slots__}
    if not (words["version"] and all(isinstance(word, str) for word in words.values())):
        raise ValueError("not a source")
    return Source(**words)


def source(root: Path = _MACHINE) -> Source | None:
    """Return the source of the installation below *root*.

    None if there is no installation, or it recorded none.
    """
    try:
        return source_of((root / SOURCE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def is_from_bundle(root: Path = _MACHINE) -> bool:
    """Return whether the installation below *root* came from a bundle."""
    try:
        return IN_A_BUNDLE in (root / STAMP).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def again(root: Path = _MACHINE, option: str = "") -> str:
    """Return the command to install again on the machine below *root*, with an *option* such as `phones`.

    >>> again(Path("/nothing")), again(Path("/nothing"), "phones")
    ('sudo make install', 'sudo make phones')
    """
    if is_from_bundle(root):
        return f"{BY_FILE} --{option}" if option else BY_FILE
    return f"{BY_MAKE} {option or 'install'}"
