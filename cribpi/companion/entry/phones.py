"""The phones, tablets and other screens at the table, as menus and screens know them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What such a screen may see and do."""

    SEAT = "seat"
    """Its seat's own hand, and what that seat decides."""
    KEYPAD = "keypad"
    """What the board's own keypad does, but for hands."""
    SCOREBOARD = "scoreboard"
    WATCH = "watch"


ROLE_TITLES: Final = {
    Role.SEAT: "a seat",
    Role.KEYPAD: "keypad",
    Role.SCOREBOARD: "scoreboard",
    Role.WATCH: "watching",
}


@dataclass(frozen=True, slots=True)
class Phone:
    """One such screen; without a *role* it has not chosen yet."""

    number: int
    """What people call it: a small number of its own."""
    kind: str
    """What it is as far as its browser says: `iPhone`, say."""
    role: Role | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Phones:
    """Who is there, and how another one joins."""

    is_open: bool = False
    address: str = ""
    """The board's address, such as `http://192.168.1.23:8121/`; empty without a network."""
    host: str = ""
    """The board's name on that network, such as `cribpi.local`; empty where it has none."""
    code: str = ""
    """What lets the next one in."""
    trouble: str | None = None
    """Why none can come, in a sentence."""
    present: tuple[Phone, ...] = ()

    @property
    def seats(self) -> frozenset[int]:
        """The seats whose persons hold their hand on a phone."""
        return frozenset(phone.seat for phone in self.present if phone.seat is not None)

    @property
    def page(self) -> str:
        """The address that phones open, without what goes without saying; empty while none are let in.

        >>> Phones(is_open=True, address="http://10.0.0.7:8121/").page
        '10.0.0.7:8121'
        """
        return self.address.removeprefix("http://").rstrip("/") if self.is_open else ""

    @property
    def joins_at(self) -> str:
        """What a camera is to read; in capitals, since a QR code of such is smaller."""
        return f"{self.address}j/{self.code}".upper() if self.address and self.code else ""


@dataclass(frozen=True, slots=True)
class OpenPhones:
    """Let phones in."""


@dataclass(frozen=True, slots=True)
class ClosePhones:
    """Let none in, and forget those that were."""


@dataclass(frozen=True, slots=True)
class RemovePhone:
    """Forget one of them, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class GiveRole:
    """Make the one of this number something else, or let it choose; a seat that another one has goes over."""

    number: int
    role: Role | None
    seat: int | None = None


NO_PHONES: Final = Phones()

Wish = OpenPhones | ClosePhones | RemovePhone | GiveRole
"""What a press asks of the phones."""
