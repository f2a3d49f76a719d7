"""A seat's choices of discard and what each is worth: computed once a deal, and cached for the play."""

from __future__ import annotations

from functools import lru_cache

from cribpi.analysis.discard.ways import Way, ways
from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.rules import Rules
from cribpi.core.sight import SeatSight


def ways_of(sight: SeatSight) -> tuple[Way, ...]:
    """Return all ways to discard from what the seat was dealt, best first by hand and crib.

    Raises:
        TablesError: If the shipped table is missing or damaged.
        ValueError: If a card has no suit.
    """
    dealt = tuple(sorted((*sight.kept, *sight.discards), key=lambda card: (card.rank, card.suit or "")))
    return _ways(dealt, has_own_crib(sight), sight.rules)


def way_taken(sight: SeatSight) -> Way:
    """Return the seat's actual discard.

    Raises:
        LookupError: If it has not discarded yet.
    """
    away = set(sight.discards)
    for way in ways_of(sight):
        if set(way.away) == away:
            return way
    raise LookupError("nothing has been discarded yet")


def has_own_crib(sight: SeatSight) -> bool:
    """Return whether the crib belongs to the seat or its partner."""
    return seats.side_of(sight.dealer, sight.players) == sight.side


@lru_cache(maxsize=16)
def _ways(dealt: tuple[Card, ...], own_crib: bool, rules: Rules) -> tuple[Way, ...]:  # noqa: FBT001  only a key
    return ways(dealt, own_crib=own_crib, rules=rules)
