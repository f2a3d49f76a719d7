"""What a machine says about itself in files, under a root that tests can set up."""

from __future__ import annotations

import grp
import os
import pwd
from dataclasses import dataclass, field
from pathlib import Path

from cribpi.devices.board import pi_model


def _groups() -> frozenset[str]:
    found = set[str]()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            found.add(grp.getgrgid(number).gr_name)
        except KeyError:  # a group without a name owns no device of ours
            continue
    return frozenset(found)


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


@dataclass(frozen=True, slots=True)
class Machine:
    """The files of a machine below *root*, and who is asking: *user* with *groups*."""

    root: Path = Path("/")
    user: str = field(default_factory=_user)
    groups: frozenset[str] = field(default_factory=_groups)

    @property
    def is_root(self) -> bool:
        return self.user == "root"

    @property
    def model(self) -> str | None:
        """The Pi that this is, or None."""
        return pi_model(self.path("/proc/device-tree/model"))

    def path(self, name: str) -> Path:
        """Return the absolute path *name* below the root."""
        return self.root / name.removeprefix("/")

    def exists(self, name: str) -> bool:
        return self.path(name).exists()

    def may_use(self, name: str) -> bool:
        """Return whether the device *name* may be read and written."""
        return os.access(self.path(name), os.R_OK | os.W_OK, effective_ids=True)

    def text(self, name: str) -> str | None:
        """Return the text of the file *name*, stripped at both ends, or None if it can't be read."""
        try:
            return self.path(name).read_bytes().decode("utf-8", "replace").strip("\0\n ")
        except OSError:
            return None

    def number(self, name: str) -> int | None:
        """Return the number in the file *name*, decimal or 0x..., or None."""
        try:
            return int(self.text(name) or "", 0)
        except ValueError:
            return None

    def cell(self, name: str) -> int | None:
        """Return the four-byte big-endian number in the device tree's file *name*, or None."""
        try:
            data = self.path(name).read_bytes()
        except OSError:
            return None
        return int.from_bytes(data) if len(data) == 4 else None

    def matching(self, pattern: str) -> list[str]:
        """Return the absolute paths that match *pattern*, sorted."""
        return sorted(f"/{path.relative_to(self.root)}" for path in self.root.glob(pattern.removeprefix("/")))
