"""The phones, tablets and other browsers at the table, as menus and screens show them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """A phone's role, which determines the view it gets and the keys it has."""

    SEAT = "seat"
    """Shows the hand of one seat, and makes that seat's decisions."""
    KEYPAD = "keypad"
    """Has the keys of the board's keypad, except for playing from a hand."""
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
    """A phone, tablet or other browser; *role* is None until one is chosen."""

    number: int
    """A small number, unique at this table, by which people identify the phone."""
    kind: str
    """The type of device according to the browser, such as `iPhone`."""
    role: Role | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Phones:
    """The phones at the table, and the information that another phone needs to join."""

    is_open: bool = False
    address: str = ""
    """The board's address, such as `http://192.168.1.23:8121/`; empty without a network."""
    host: str = ""
    """The board's name on that network, such as `cribpi.local`; or empty."""
    code: str = ""
    """The code that the next phone needs to join."""
    trouble: str | None = None
    """A message if phones cannot join; otherwise None."""
    present: tuple[Phone, ...] = ()

    @property
    def seats(self) -> frozenset[int]:
        """The seats whose hands are shown on a phone."""
        return frozenset(phone.seat for phone in self.present if phone.seat is not None)

    @property
    def page(self) -> str:
        """The address for phones, without scheme and final slash; empty if phones are off.

        >>> Phones(is_open=True, address="http://10.0.0.7:8121/").page
        '10.0.0.7:8121'
        """
        return self.address.removeprefix("http://").rstrip("/") if self.is_open else ""

    @property
    def joins_at(self) -> str:
        """The URL for the QR code, in capitals because they make the code smaller; empty without a code."""
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
    """A command to change the role of phone *number*; None lets it choose.

    If another phone has *seat*, that phone loses it.
    """

    number: int
    role: Role | None
    seat: int | None = None


NO_PHONES: Final = Phones()

Wish = OpenPhones | ClosePhones | RemovePhone | GiveRole
"""A command to the phone registry that results from a press."""
