"""The file of the phones that have joined, next to the journal: JSON, private, replaced atomically."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from cribpi.companion.entry.phones import Phone, Role
from cribpi.companion.files.whole import erase, write_whole

NAME: Final = "phones.json"
VERSION: Final = 1
DEALS: Final = 200
"""The deals of which it is kept whose hand a phone has seen, the last ones: some twenty games."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A phone that has joined."""

    key: str
    """The hash of its token."""
    phone: Phone
    saw: tuple[tuple[str, int], ...] = ()
    """Each deal of which it may see a hand, and the seat whose hand that is; the latest last."""

    def with_hand(self, deal: str, seat: int) -> Joined:
        """Return the same phone, which may see the hand of *seat* in *deal*, and no other there."""
        before = [one for one in self.saw if one[0] != deal]
        return replace(self, saw=(*before, (deal, seat))[-DEALS:])


@dataclass(frozen=True, slots=True)
class SavedPhones:
    """What outlasts a restart: whether phones are let in, and which."""

    is_open: bool = False
    phones: tuple[Joined, ...] = ()


class PhoneFile:
    """What *folder* keeps of the phones."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def read(self) -> SavedPhones:
        """Return what was kept of the last run; of a file that is damaged or newer, nothing.

        Nothing is lost with it but that each phone scans the code again.
        """
        try:
            told = json.loads(self._path.read_text())
            if told["version"] != VERSION:
                return SavedPhones()
            return SavedPhones(told["open"] is True, tuple(map(_joined, told["phones"])))
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return SavedPhones()

    def keep(self, kept: SavedPhones) -> None:
        """Keep *kept*: after a power cut there is the old file or the new one.  Nothing needs no file.

        Raises:
            OSError: If the disk refuses.
        """
        if kept == SavedPhones():
            self.erase()
            return
        told = {
            "version": VERSION,
            "open": kept.is_open,
            "phones": [
                {"token": one.key} | asdict(one.phone) | {"saw": list(map(list, one.saw))}
                for one in kept.phones
            ],
        }
        write_whole(self._path, json.dumps(told).encode(), mode=0o600)

    def erase(self) -> None:
        """Keep nothing any more; that needs no room on the disk.

        Raises:
            OSError: If the disk refuses.
        """
        erase(self._path)


def _joined(told: dict[str, Any]) -> Joined:
    role = None if told["role"] is None else Role(told["role"])
    seat = int(told["seat"]) if role is Role.SEAT else None
    saw = tuple((str(deal), int(seen)) for deal, seen in told.get("saw", ()))
    return Joined(str(told["token"]), Phone(int(told["number"]), str(told["kind"]), role, seat), saw)
