"""A bundle on a stick: what is in it, by its first lines, and whether it is complete."""

from __future__ import annotations

import json
import platform
import tarfile
from collections.abc import Iterator
from datetime import datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, NamedTuple

from cribpi.companion.installed import Source, source_of
from cribpi.companion.update.news import News, new_lines
from cribpi.cribbage.rules.errors import UserError

ABOUT: Final = b"# about: "
"""What the line of a bundle's head begins with that has a `Source` in JSON, and in addition its `machine`,
and of the tar file behind it `bytes` and `sum`, its SHA-256."""

_HEAD: Final = 8192
"""Bytes within which that line is."""

_PLACES: Final = ("media/*/*", "media/*", "mnt", "mnt/*")
"""Where sticks are mounted: by a desktop, by systemd, and by hand."""


class Bundle(NamedTuple):
    """A bundle that is whole: its file, what is in it, its changelog, and the processor it is for."""

    path: Path
    source: Source
    changelog: str
    machine: str


def read(path: Path) -> Bundle:
    """Return the bundle *path*.

    Raises:
        UserError: If it is not one, is damaged, or can't be read.
    """
    try:
        with path.open("rb") as file:
            head = next((line for line in file.read(_HEAD).split(b"\n") if line.startswith(ABOUT)), None)
            if head is None:
                raise UserError(f"{path} is not a cribpi bundle, or its version is missing")
            text = head.removeprefix(ABOUT).decode()
            about = json.loads(text)
            begins = file.seek(0, 2) - int(about["bytes"])
            file.seek(max(begins, 0))
            if begins < 0 or file_digest(file, sha256).hexdigest() != about["sum"]:
                raise UserError(f"{path} is damaged or incomplete: copy it again")
            file.seek(begins)
            with tarfile.open(fileobj=file, mode="r:") as archive:
                changes = archive.extractfile("CHANGELOG.md")
                changelog = changes.read().decode() if changes else ""
            return Bundle(path, source_of(text), changelog, str(about["machine"]))
    except OSError as error:
        raise UserError(f"{path} can't be read ({error.strerror}): check the path") from None
    except (ValueError, KeyError, TypeError, tarfile.TarError):
        raise UserError(f"{path} is damaged or incomplete: copy it again") from None


def found(root: Path) -> Bundle:
    """Return the newest bundle for this processor on what is mounted below *root*.

    Raises:
        UserError: If no bundle there can be used; the text says what is wrong with the first one.
    """
    refusals: list[UserError] = []
    fitting: list[Bundle] = []
    for path in _candidates(root):
        try:
            fitting.append(_fitting(read(path)))
        except UserError as refused:
            refusals.append(refused)
    if fitting:
        return max(fitting, key=lambda bundle: _age(bundle.source))
    if refusals:
        raise refusals[0]
    raise UserError(
        "no bundle in /media or /mnt: mount the stick or give the path, "
        "such as cribpi update /mnt/cribpi-*.run"
    )


def newer(bundle: Bundle, installed: Source, root: Path) -> News | None:
    """Return what *bundle* has newer than *installed*; None if it is the same.

    Raises:
        UserError: If it is older, or for another processor.
    """
    _fitting(bundle)
    if bundle.source.commit == installed.commit and bundle.source.version == installed.version:
        return None
    if _age(bundle.source) < _age(installed):
        raise UserError(
            f"{bundle.path} has {bundle.source}, which is older than the installed {installed}: "
            f"sudo sh {bundle.path} installs it anyway"
        )
    command = ("/bin/sh", str(bundle.path.absolute()))
    return News(bundle.source, new_lines(bundle.changelog, root), lambda: None, command)


def _candidates(root: Path) -> Iterator[Path]:
    for place in _PLACES:
        yield from sorted(root.glob(f"{place}/cribpi-*.run"))


def _fitting(bundle: Bundle) -> Bundle:
    here = platform.machine()
    if bundle.machine != here:
        raise UserError(f"{bundle.path} is for {bundle.machine}, and this is {here}: get the one for {here}")
    return bundle


def _age(source: Source) -> tuple[tuple[int, ...], float]:
    """Return what orders versions, and commits of one version by their time.

    >>> _age(Source("0.10.0")) > _age(Source("0.9.1", "780c4a8", "2026-11-27T12:00:00+01:00"))
    True
    """
    numbers = tuple(int(part) if part.isdecimal() else 0 for part in source.version.split("."))
    return numbers, datetime.fromisoformat(source.date).timestamp() if source.date else 0.0
