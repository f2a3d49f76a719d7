"""Update bundles on a stick: find one, verify its signature, and read its contents."""

from __future__ import annotations

import json
import os
import platform
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import IO, Final, NamedTuple

from cribpi.companion.installed import Source, source_of
from cribpi.companion.update.news import News, new_lines
from cribpi.companion.update.signature import verified
from cribpi.cribbage.rules.errors import UserError

ABOUT: Final = b"# about: "
"""Start of a bundle's description line. A JSON object follows, with the fields of `Source` and three more.

`machine` is the processor. `bytes` and `sum` are the size and the SHA-256 checksum of the tar file at the
end.
"""

_HEAD: Final = 8192
"""Number of bytes at the start of a bundle in which the description line must be."""
_LONGEST: Final = 1 << 20
"""Maximum number of bytes read of a changelog."""

_PLACES: Final = ("media/*/*", "media/*", "mnt", "mnt/*")
"""Mount points of sticks: mounted by a desktop, by systemd, or by hand."""


class Bundle(NamedTuple):
    """A bundle for this processor: its path, its signed part, its source, and its changelog."""

    path: Path
    signed: IO[bytes]
    source: Source
    changelog: str


def read(path: Path, root: Path) -> Bundle:
    """Open the bundle at *path*. Its signer must be trusted by the machine below *root*.

    Nothing in it is parsed before the signature is verified.

    Raises:
        UserError: If the bundle is for another processor, damaged, not signed by a trusted key, or
            unreadable.
    """
    with ExitStack() as until_read:
        try:
            signed = until_read.enter_context(verified(path, root))
        except OSError as error:
            raise UserError(
                f"{path} can't be read ({error.strerror}): check the path, and the room in /var/tmp"
            ) from None
        bundle = _read(path, signed)
        until_read.pop_all()
    return bundle


def _read(path: Path, signed: IO[bytes]) -> Bundle:
    try:
        head = next((line for line in signed.read(_HEAD).split(b"\n") if line.startswith(ABOUT)), None)
        if head is None:
            raise UserError(f"{path} is not a cribpi bundle, or its version is missing")
        text = head.removeprefix(ABOUT).decode()
        about = json.loads(text)
        source = source_of(text)
        _age(source)
        signed.seek(-int(about["bytes"]), os.SEEK_END)
        with tarfile.open(fileobj=signed, mode="r:") as archive:
            changes = archive.extractfile("CHANGELOG.md")
            changelog = changes.read(_LONGEST).decode(errors="replace") if changes else ""
        machine = str(about["machine"])
    except (ValueError, KeyError, TypeError, OSError, RecursionError, tarfile.TarError):
        raise UserError(f"{path} was not made by this program: get another one") from None
    if machine != (here := platform.machine()):
        raise UserError(f"{path} is for {machine}, and this is {here}: get the one for {here}")
    return Bundle(path, signed, source, changelog)


def found(root: Path) -> Bundle:
    """Return the newest bundle for this processor on the file systems mounted below *root*.

    Raises:
        UserError: If no bundle there can be used. The message is about the first one found.
    """
    refusals: list[UserError] = []
    fitting: list[Bundle] = []
    for path in _candidates(root):
        try:
            fitting.append(read(path, root))
        except UserError as refused:
            refusals.append(refused)
    if fitting:
        *others, newest = sorted(fitting, key=lambda bundle: _age(bundle.source))
        for other in others:
            other.signed.close()
        return newest
    if refusals:
        raise refusals[0]
    raise UserError(
        "no bundle in /media or /mnt: mount the stick or give the path, "
        "such as cribpi update /mnt/cribpi-*.run"
    )


def newer(bundle: Bundle, installed: Source, root: Path, *, may_be_older: bool = False) -> News | None:
    """Return the news of *bundle* compared with *installed*, or None if both are the same version.

    Raises:
        UserError: If the bundle is older, unless *may_be_older*.
    """
    if bundle.source.commit == installed.commit and bundle.source.version == installed.version:
        return None
    if _age(bundle.source) < _age(installed) and not may_be_older:
        raise UserError(
            f"{bundle.path} has {bundle.source}, which is older than the installed {installed}: "
            f"sudo cribpi update --back {bundle.path} installs it anyway"
        )

    def prepare() -> tuple[str, ...]:
        file = bundle.signed.fileno()
        # Runs the verified copy instead of the file on the stick.
        os.set_inheritable(file, True)  # noqa: FBT003
        return "/bin/sh", f"/proc/self/fd/{file}"

    return News(bundle.source, new_lines(bundle.changelog, root), prepare)


def _candidates(root: Path) -> Iterator[Path]:
    for place in _PLACES:
        yield from sorted(root.glob(f"{place}/cribpi-*.run"))


def _age(source: Source) -> tuple[tuple[int, ...], float]:
    """Return a sort key: by version, then by the commit's time.

    >>> _age(Source("0.10.0")) > _age(Source("0.9.1", "780c4a8", "2026-11-27T12:00:00+01:00"))
    True
    """
    numbers = tuple(int(part) if part.isdecimal() else 0 for part in source.version.split("."))
    return numbers, datetime.fromisoformat(source.date).timestamp() if source.date else 0.0
