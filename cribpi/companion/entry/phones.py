"""Phones, tablets and other browsers at the table, as menus and screens show them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """Role of a phone. It determines the phone's view and its keys."""

    SEAT = "seat"
    """Shows the hand of a seat, and makes that seat's decisions."""
    KEYPAD = "keypad"
    """Has the keys of the board's keypad, but can't play from a hand."""
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
    """A phone, tablet or other browser. *role* is None until it is chosen."""

    number: int
    """Small number by which people identify the phone. It is unique at this table."""
    kind: str
    """Type of device as reported by the browser, such as `iPhone`."""
    role: Role | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Phones:
    """The phones at the table, and all that another phone needs in order to join."""

    is_open: bool = False
    address: str = ""
    """Address of the board, such as `http://192.168.1.23:8121/`, or "" without a network."""
    host: str = ""
    """Name of the board in that network, such as `cribpi.local`, or ""."""
    code: str = ""
    """Code that the next phone needs in order to join."""
    trouble: str | None = None
    """Message if phones can't join, otherwise None."""
    present: tuple[Phone, ...] = ()

    @property
    def seats(self) -> frozenset[int]:
        """Seats whose hands are on a phone."""
        return frozenset(phone.seat for phone in self.present if phone.seat is not None)

    @property
    def page(self) -> str:
        """Address for phones, without scheme and final slash; "" if phones are off.

        >>> Phones(is_open=True, address="http://10.0.0.7:8121/").page
        '10.0.0.7:8121'
        """
        return self.address.removeprefix("http://").rstrip("/") if self.is_open else ""

    @property
    def joins_at(self) -> str:
        """URL for the QR code, or "" without a code. Capitals make the QR code smaller."""
        return f"{self.address}j/{self.code}".upper() if self.address and self.code else ""


@dataclass(frozen=True, slots=True)
class OpenPhones:
    """A command to let phones join."""


@dataclass(frozen=True, slots=True)
class ClosePhones:
    """A command to turn phones off and remove all of them."""


@dataclass(frozen=True, slots=True)
class RemovePhone:
    """A command to remove the phone *number*."""

    number: int


@dataclass(frozen=True, slots=True)
class GiveRole:
    """A command to change the role of phone *number*. With None, the phone chooses.

    If another phone has *seat*, that phone loses it.
    """

    number: int
    role: Role | None
    seat: int | None = None


NO_PHONES: Final = Phones()

PhoneCommand = OpenPhones | ClosePhones | RemovePhone | GiveRole
"""A command for the phone registry, caused by a press."""
