"""The shipped chances of winning for two, and the average deal that they are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.playing_tables import pegging
from cribpi.analysis.tables import laying_away, load
from cribpi.analysis.winning import Chances, DealPoints, solve

NAME: Final = "winning-2"

SCALE: Final = 65_535
"""A chance is kept as a whole number of this part."""

_JACKS: Final = 4 / 52


def average_deal(*, has_heels: bool = True) -> DealPoints:
    """Return what a deal of two strong players brings; the points of each hand where nothing of it is known.

    Raises:
        TablesError: If a shipped table that it rests on is missing or damaged.
    """
    shows, play = laying_away(2), pegging().spread[0]
    return DealPoints(
        heels=_JACKS * has_heels,
        play=play,
        pone_hand=shows.hand_points[1],
        dealer_hand=shows.hand_points[0],
        crib=shows.crib_points,
    )


@cache
def winning() -> Chances:
    """Return the dealer's chances before a deal, by the dealer's and pone's points to go: shape (122, 122).

    Raises:
        TablesError: If the shipped table is missing, damaged, of another format, or made for other rules.
    """
    return load(NAME).arrays["chances"].astype(np.float64) / SCALE


def winning_table(tell: Callable[[str], None]) -> Mapping[str, NDArray[Any]]:
    """Return the table that `winning` reads, made from the other tables."""
    chances = solve(average_deal())
    tell(
        f"from the start of a game to 121 the dealer wins {chances[121, 121]:.4f}, to 61 {chances[61, 61]:.4f}"
    )
    return {"chances": np.rint(chances * SCALE).astype(np.uint16)}
