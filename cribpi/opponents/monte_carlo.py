"""What each card brings with three and four players: tried in worlds that are inferred from what is seen."""

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
"""How far from the model's best card a player is thought to stray, in points."""

EPSILON: Final = 0.05
"""How often any card of his is thought to be played, whatever it is worth."""


def monte_carlo_values(
    seen: Seen,
    kept: NDArray[np.float64],
    needs: NDArray[np.int16] | None,
    utility: Utility,
    most: int,
    chance: np.random.Generator,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the ranks held and what each is worth to play, -inf for one that can't be; nothing where no
    hands fit.

    Args:
        seen: What is seen.
        kept: How often hands are kept, as `pegging.tables.kept_hands`.
        needs: What each side needs to reach the target; None to play on regardless.
        utility: What has been pegged is worth, in points.
        most: The most worlds that are tried.
        chance: Where chance comes from.
    """
    model, whose = policy(seen.rules), kept_by(kept, seen.rules.players, seen.dealer)
    prior = {seat: whose[seat] for seat in seen.others}
    deals, weights, hands = sampled_worlds(
        seen, prior, model, chance, heat=TEMPERATURE, doubt=EPSILON, most=most, needs=needs
    )
    if not len(deals):
        return np.zeros(0, np.uint8), np.zeros(0)
    return deals.hold()[0], ahead_values(deals, weights, hands, model, utility, seen.hidden)
