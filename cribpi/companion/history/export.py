"""A game's record as it is exported: with comments that say who played, when, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cribpi import __version__
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.record.text import Comment, print_record
from cribpi.cribbage.results.games import Listing


def exported(events: Sequence[Event], listing: Listing, began: str) -> str:
    """Return the record of a game that *began* at that time and is summed up by *listing*."""
    head = (
        f"{listing.side_names()}, {listing.of_the_game()}",
        f"started {minute(began)}; {listing.scores()}; {listing.outcome()}",
        f"exported by cribpi {__version__}",
    )
    return print_record([*map(Comment, head), *events])


def minute(at: str) -> str:
    """Abbreviate the journal's timestamp.

    >>> minute("2026-05-03T19:04:14.000+00:00"), minute("of a damaged journal")
    ('2026-05-03 19:04 UTC', 'at a time unknown')
    """
    found = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", at)
    return f"{found[1]} {found[2]} UTC" if found else "at a time unknown"
