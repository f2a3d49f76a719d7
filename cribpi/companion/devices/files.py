"""What a machine says about itself in files, under a root that tests can set up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a machine below *root*; names are absolute, as on that machine."""

    root: Path = Path("/")

    def path(self, name: str) -> Path:
        """Return the absolute path *name* below the root."""
        return self.root / name.removeprefix("/")

    def exists(self, name: str) -> bool:
        return self.path(name).exists()

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
