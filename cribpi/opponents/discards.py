"""The ways to lay away that a seat has, and what each brings: worked out once a deal, and kept for the
play.
"""

from __future__ import annotations

from functools import lru_cache

from cribpi.analysis.discard.ways import Way, ways
from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.rules import Rules
from cribpi.core.sight import SeatSight


def ways_of(sight: SeatSight) -> tuple[Way, ...]:
    """Return all ways to lay away what was dealt to the seat, best first by hand and crib.

    Raises:
        TablesError: If the shipped table is missing or damaged.
        ValueError: If a card has no suit.
    """
    dealt = tuple(sorted((*sight.kept, *sight.laid_away), key=lambda card: (card.rank, card.suit or "")))
    return _ways(dealt, has_own_crib(sight), sight.rules)


def way_taken(sight: SeatSight) -> Way:
    """Return the way in which the seat has laid away.

    Raises:
        LookupError: If it has not.
    """
    away = set(sight.laid_away)
    for way in ways_of(sight):
        if set(way.away) == away:
            return way
    raise LookupError("nothing has been discarded yet")


def has_own_crib(sight: SeatSight) -> bool:
    """Tell whether the crib is the seat's own, or its partner's."""
    return seats.side_of(sight.dealer, sight.players) == sight.side


@lru_cache(maxsize=16)
def _ways(dealt: tuple[Card, ...], own_crib: bool, rules: Rules) -> tuple[Way, ...]:  # noqa: FBT001  only a key
    return ways(dealt, own_crib=own_crib, rules=rules)
