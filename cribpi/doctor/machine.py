"""What a machine tells of itself in files, under a root that a test can lay out as it likes."""

from __future__ import annotations

import grp
import os
import pwd
from dataclasses import dataclass, field
from pathlib import Path


def _groups() -> frozenset[str]:
    found = set[str]()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            found.add(grp.getgrgid(number).gr_name)
        except KeyError:  # a group without a name opens no device of ours
            continue
    return frozenset(found)


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


@dataclass(frozen=True, slots=True)
class Machine:
    """The files of a machine below *root*, and who asks: *user* with *groups*."""

    root: Path = Path("/")
    user: str = field(default_factory=_user)
    groups: frozenset[str] = field(default_factory=_groups)

    @property
    def is_root(self) -> bool:
        """Whether everything is allowed."""
        return self.user == "root"

    def path(self, name: str) -> Path:
        """Return where the absolute path *name* lies here."""
        return self.root / name.removeprefix("/")

    def exists(self, name: str) -> bool:
        """Return whether there is such a file."""
        return self.path(name).exists()

    def may_use(self, name: str) -> bool:
        """Return whether the device *name* may be read and written."""
        return os.access(self.path(name), os.R_OK | os.W_OK, effective_ids=True)

    def text(self, name: str) -> str | None:
        """Return the text of the file *name* without its end, or None where it can't be read."""
        try:
            return self.path(name).read_bytes().decode("utf-8", "replace").strip("\0\n ")
        except OSError:
            return None

    def number(self, name: str) -> int | None:
        """Return the number that the file *name* holds in decimal or as 0x..., or None."""
        try:
            return int(self.text(name) or "", 0)
        except ValueError:
            return None

    def cell(self, name: str) -> int | None:
        """Return the number in the device tree's file *name*, four bytes with the highest first, or None."""
        try:
            data = self.path(name).read_bytes()
        except OSError:
            return None
        return int.from_bytes(data) if len(data) == 4 else None

    def matching(self, pattern: str) -> list[str]:
        """Return the absolute paths that *pattern* fits, in order."""
        return sorted(f"/{path.relative_to(self.root)}" for path in self.root.glob(pattern.removeprefix("/")))
