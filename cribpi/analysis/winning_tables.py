"""The shipped chances of winning for two players, and the average deal they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.tables import discard_table
from cribpi.analysis.pegging.tables import pegging
from cribpi.analysis.tables import load
from cribpi.analysis.winning import LONGEST, Chances, DealPoints, solve

NAME: Final = "winning-2"

SCALE: Final = 65_535
"""Chances are stored as integers: multiples of 1 / 65,535."""

_JACKS: Final = 4 / 52


def average_deal(heels: int = 2) -> DealPoints:
    """Return what a deal brings between two strong players, with *heels* points for his heels.

    Raises:
        TablesError: If a shipped table it needs is missing or damaged.
    """
    shows, pegged = discard_table(2), pegging()
    return DealPoints(
        heels=_JACKS if heels else 0.0,
        play=pegged.spread[0],
        first=pegged.first,
        pone_hand=shows.hand_points[1],
        dealer_hand=shows.hand_points[0],
        crib=shows.crib_points,
        heels_points=heels,
    )


@cache
def winning() -> Chances:
    """Return the dealer's chances before a deal, by the dealer's and pone's points to go: shape (122, 122).

    Raises:
        TablesError: If the shipped table is missing, damaged, of another format, or made for other rules.
    """
    return load(NAME).arrays["chances"].astype(np.float64) / SCALE


def chance(score: int, other: int, *, is_dealer: bool, target: int = LONGEST) -> float:
    """Return the chance, 0 to 1, that a side with *score* beats one with *other*, before a deal.

    It assumes two strong players and standard rules.  Only the points that each side still needs matter, so
    every *target* from 1 to 121 will do.

    >>> round(chance(0, 0, is_dealer=True), 2), round(chance(0, 0, is_dealer=False), 2)
    (0.56, 0.44)
    >>> chance(62, 60, is_dealer=True) == chance(2, 0, is_dealer=True, target=61)
    True

    Args:
        score: The side's front peg, 0 to *target* - 1.
        other: The other side's, likewise.
        is_dealer: Whether the side deals next.
        target: The game hole, 1 to 121.

    Raises:
        ValueError: If the target or a score is out of range: a side at the game hole has already won.
        TablesError: If the shipped table is missing, damaged, of another format, or made for other rules.
    """
    if not 1 <= target <= LONGEST:
        raise ValueError(
            f"a game to {target}: the board has {LONGEST} holes, give a target from 1 to {LONGEST}"
        )
    for one in (score, other):
        if not 0 <= one < target:
            raise ValueError(
                f"a score of {one} in a game to {target}: give one from 0 to {target - 1}, "
                f"as whoever has {target} has won"
            )
    mine, theirs = target - score, target - other
    return float(winning()[mine, theirs] if is_dealer else 1.0 - winning()[theirs, mine])


def winning_table(tell: Callable[[str], None]) -> Mapping[str, NDArray[Any]]:
    """Make the table that `winning` reads, from the other tables."""
    chances = solve(average_deal())
    tell(
        f"from the start of a game to 121 the dealer wins {chances[121, 121]:.4f}, to 61 "
        f"{chances[61, 61]:.4f}"
    )
    return {"chances": np.rint(chances * SCALE).astype(np.uint16)}
