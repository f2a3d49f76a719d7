"""How good a decision was: marks by what it cost, and one figure for a game."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Protocol


class Mark(StrEnum):
    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


BY_CHANCE: Final = ((0.08, Mark.BLUNDER), (0.03, Mark.MISTAKE), (0.01, Mark.INACCURACY), (0.002, Mark.GOOD))
"""With two and four players: a decision that cost at least so much of the chance of winning."""

BY_POINTS: Final = ((3.0, Mark.BLUNDER), (1.5, Mark.MISTAKE), (0.5, Mark.INACCURACY), (0.1, Mark.GOOD))
"""With three players: the same in points."""


class Weighed(Protocol):
    """What a decision was worth beside the best and the worst that could have been decided."""

    @property
    def lost(self) -> float:
        """What it cost beside the best: 0 or more."""

    @property
    def stake(self) -> float:
        """The difference between the best and the worst: 0 or more."""


def mark(lost: float, *, is_chance: bool) -> Mark:
    """Return the mark of a decision that *lost* so much, as a chance of winning or in points.

    >>> mark(0.041, is_chance=True), mark(0.041, is_chance=False)
    (<Mark.MISTAKE: 'mistake'>, <Mark.BEST: 'best'>)
    """
    steps = BY_CHANCE if is_chance else BY_POINTS
    return next((name for least, name in steps if lost >= least), Mark.BEST)


def accuracy(decisions: Iterable[Weighed]) -> float | None:
    """Return the share of what could be won by deciding that was won, 0 to 1; None without a choice.

    1 is the best each time, 0 the worst each time.  What was at stake weighs each decision, so that games can
    be compared whatever was in their cards.
    """
    found = list(decisions)
    stakes = sum(one.stake for one in found)
    return 1.0 - sum(one.lost for one in found) / stakes if stakes > 0 else None
