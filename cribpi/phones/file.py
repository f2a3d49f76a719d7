"""The file of the phones that have joined, next to the journal: JSON, private, replaced atomically."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from cribpi.entry.phones import Phone, Role
from cribpi.phones.registry import Kept

NAME: Final = "phones.json"
VERSION: Final = 1


def read_kept(folder: Path) -> Kept:
    """Return what *folder* keeps of the last run; of a file that is damaged or newer, nothing.

    Nothing is lost with it but that each phone scans the code again.
    """
    try:
        told = json.loads((folder / NAME).read_text())
        return _kept(told) if told["version"] == VERSION else Kept()
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return Kept()


def write_kept(folder: Path, kept: Kept) -> None:
    """Keep *kept* in *folder*: after a power cut there is the old file or the new one.

    Raises:
        OSError: If the disk refuses.
    """
    told = {
        "version": VERSION,
        "open": kept.is_open,
        "phones": [{"token": key} | asdict(phone) for key, phone in kept.phones],
    }
    path, new = folder / NAME, folder / f"{NAME}.new"
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(told, file)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _kept(told: dict[str, Any]) -> Kept:
    phones = tuple((str(one.pop("token")), _phone(one)) for one in told["phones"])
    return Kept(told["open"] is True, phones)


def _phone(told: dict[str, Any]) -> Phone:
    role = None if told["role"] is None else Role(told["role"])
    seat = int(told["seat"]) if role is Role.SEAT else None
    return Phone(int(told["number"]), str(told["kind"]), role, seat)
