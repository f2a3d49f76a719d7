"""Detection of a state folder whose file system loses its files when the machine is switched off.

A card that raspi-config protects by an overlay accepts every game, and has lost them all at the next start.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

MOUNTS: Final = "/proc/self/mountinfo"
"""The mounted file systems; the kernel documents the format in Documentation/filesystems/proc.rst."""

_IN_MEMORY: Final = {"tmpfs", "ramfs"}
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


class _Mount(NamedTuple):
    place: Path
    kind: str
    options: str


def forgetting(folder: Path, mounts: str) -> str | None:
    r"""Return the kind of *folder*'s file system if it is volatile, else None; *mounts* is like `MOUNTS`.

    An overlay forgets unless what is written goes to another file system, which lasts.

    >>> mounts = "1 0 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n2 1 0:30 / /run rw - tmpfs tmpfs rw"
    >>> forgetting(Path("/var/lib/cribpi"), mounts), forgetting(Path("/run/cribpi"), mounts)
    (None, 'tmpfs')
    """
    known = [mount for line in mounts.splitlines() if (mount := _mount(line))]
    own = _mount_of(folder, known)
    if own is None or own.kind not in {*_IN_MEMORY, "overlay"}:
        return None
    if own.kind == "overlay" and (upper := re.search(r"(?:^|,)upperdir=([^,]+)", own.options)):
        beneath = _mount_of(Path(upper[1]), known)
        if beneath and beneath.place != own.place and beneath.kind not in {*_IN_MEMORY, "overlay"}:
            return None
    return own.kind


def _mount(line: str) -> _Mount | None:
    before, dash, after = line.partition(" - ")
    fields, more = before.split(), after.split()
    if not dash or len(fields) < 5 or len(more) < 3:
        return None
    place = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[4])
    return _Mount(Path(place), more[0], more[2])


def _mount_of(path: Path, mounts: list[_Mount]) -> _Mount | None:
    """Return the mount that contains *path*, or would contain it; of several in one place the last."""
    resolved = path.resolve()
    within = [mount for mount in mounts if resolved.is_relative_to(mount.place)]
    return max(reversed(within), key=lambda mount: len(mount.place.parts), default=None)
