"""The Monte Carlo worth of each card with three and four players, in worlds inferred from what is seen."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.belief import sampled_worlds
from cribpi.analysis.pegging.lookahead import ahead_values
from cribpi.analysis.pegging.search import Utility
from cribpi.analysis.pegging.seen import Seen
from cribpi.analysis.pegging.tables import kept_by, policy

TEMPERATURE: Final = 0.25
"""The softmax temperature of the model of another player, in points."""

EPSILON: Final = 0.05
"""The share of random cards in the model of another player."""


def monte_carlo_values(
    seen: Seen,
    kept: NDArray[np.float64],
    needs: NDArray[np.int16] | None,
    utility: Utility,
    most: int,
    chance: np.random.Generator,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the ranks held and what each is worth to play; empty if no hands are consistent.

    A card that can't be played is worth -inf.

    Args:
        seen: What is seen.
        kept: How often hands are kept, as from `pegging.tables.kept_hands`.
        needs: What each side needs to reach the target; None to ignore the target.
        utility: The worth of what has been pegged, in points.
        most: The most worlds that are tried.
        chance: The random generator.
    """
    model, whose = policy(seen.rules), kept_by(kept, seen.rules.players, seen.dealer)
    prior = {seat: whose[seat] for seat in seen.others}
    deals, weights, hands = sampled_worlds(
        seen, prior, model, chance, temperature=TEMPERATURE, epsilon=EPSILON, most=most, needs=needs
    )
    if not len(deals):
        return np.zeros(0, np.uint8), np.zeros(0)
    return deals.hold()[0], ahead_values(deals, weights, hands, model, utility, seen.hidden)
