"""An opponent's random numbers: seeded by what it sees, so that the same sight gives the same card again.

A generator that ran on would give another card after an undo, and a person could undo until the card suits.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight


def draws(seed: int, sight: SeatSight, what: str = "") -> Random:
    """Return the generator for an opponent of *seed* that has *sight*: the same, even after a restart.

    *what* tells apart several draws for one sight.
    """
    return Random(f"{seed} {what} {_written(sight)}")  # noqa: S311  a game's


def _written(sight: SeatSight) -> str:
    """Return what tells *sight* apart from others of its game, in a form that no later version changes."""
    parts = (
        (sight.players, sight.seat, sight.dealer, *sight.scores),
        (_cards(sight.hand), _cards(sight.discards), sight.starter or "-"),
        (f"{play.seat}:{play.card}" for play in sight.plays),
        (f"{go.seat}:{go.count}:{go.played}" for go in sight.goes),
        sight.out,
    )
    return "|".join(" ".join(map(str, part)) for part in parts)


def _cards(cards: Iterable[Card]) -> str:
    return ",".join(map(str, cards))
