"""The status: what runs here, where phones find it, and what is wrong now."""

from __future__ import annotations

from cribpi import __version__
from cribpi.companion.entry.choice import Offer, Place, Scene, closing, scene
from cribpi.companion.entry.desk import Desk, Status
from cribpi.companion.entry.lists import back_and_on
from cribpi.companion.entry.phones import NO_PHONES


def version() -> str:
    """Say which program runs."""
    return f"cribpi {__version__}"


def page_address(desk: Desk) -> str:
    """Return the address that phones open, without what goes without saying; empty while none are let in.

    >>> from cribpi.companion.entry.phones import Phones
    >>> page_address(Desk(phones=Phones(is_open=True, address="http://10.0.0.7:8121/")))
    '10.0.0.7:8121'
    """
    phones = desk.phones or NO_PHONES
    return phones.address.removeprefix("http://").rstrip("/") if phones.is_open else ""


def status(place: Place, dialog: Status) -> Scene:
    address = page_address(place.desk)
    where = f": the page is at {address}" if address else ": phones are off"
    if place.desk.phones is None:  # it is a phone's own desk, which shows none
        where = ""
    # How much is wrong, and so how many pages there are, the screen alone knows.
    back, on = (place.opened(Status(max(dialog.line + step, 0))) for step in (-1, 1))
    offers = (
        Offer("OK", "Done", place.opened(None)),
        *back_and_on("P1", "P2", back, on),
        *back_and_on("UP", "DOWN", back, on),
        *closing(place),
    )
    return scene(f"{version()}{where}", offers)
