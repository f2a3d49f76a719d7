"""How `expert` plays a card: it infers the others' hands from their discards and plays, and searches.

With two players it finds the exact best reply to a model of the other, over every hand the other may hold.
With three and four it samples hands, and tries each card in all of them up to its next turn.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.belief import worlds
from cribpi.analysis.pegging.search import Utility, best_values
from cribpi.analysis.pegging.seen import Seen, seen_in
from cribpi.analysis.pegging.tables import kept_by, kept_hands, policy
from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.monte_carlo import EPSILON, TEMPERATURE, monte_carlo_values
from cribpi.opponents.solid_pegging import solid_card

MOST_HANDS: Final = 500
"""The most hands of the other that are searched.

Before the first card there are 1,820; then a sample stands for them.
"""

MOST_WORLDS: Final = 480
"""Worlds sampled with three and four players."""

WON: Final = 25.0
"""The worth of winning the game in the play, in points, if the caller gives no utility."""


def expert_card(
    sight: SeatSight,
    *,
    kept: NDArray[np.float64] | None = None,
    utility: Utility | None = None,
    most: int | None = None,
    seed: int = 0,
) -> Card:
    """Return the card to play: the best reply to others who play as `solid` does.

    The arguments are those of `card_values`.

    Raises:
        ValueError: If no card of the hand fits.
    """
    if not sight.playable:
        raise ValueError("no card can be played: say go")
    if len({card.rank for card in sight.playable}) == 1:
        return min(sight.playable, key=lambda card: card.rank)
    values = card_values(sight, kept=kept, utility=utility, most=most, seed=seed)
    return values[0][0] if values else solid_card(sight)


def card_values(
    sight: SeatSight,
    *,
    kept: NDArray[np.float64] | None = None,
    utility: Utility | None = None,
    most: int | None = None,
    seed: int = 0,
) -> tuple[tuple[Card, float], ...]:
    """Return a card of each rank that fits with its worth, best first.

    Empty if no hand is consistent with what was seen: somebody has said go who could have played.

    Args:
        sight: What the seat sees.
        kept: How often the dealer's side (row 0) and the others (row 1) keep each hand of four ranks, in the
            order of `pegging.policy.HANDS`; by default as in the shipped tables.
        utility: The worth of the end of the play, given what each side pegs from now on (shape (n, sides); no
            side has more than it needs to win, and only one can have that) and the index of each seat's hand
            (shape (n, players), -1 for one's own).  By default the margin of points, and `WON`.
        most: The most hands, or worlds, that are searched.
        seed: The seed of the sampling, with three and four players.
    """
    seen = seen_in(sight)
    needs = np.array([sight.rules.target - score for score in sight.scores], np.int16)
    if utility is None:
        utility = margin(sight.side, needs)
    ranks, values = _weighed(
        seen, kept_hands(sight.rules) if kept is None else kept, needs, utility, most, seed
    )
    first = {card.rank - 1: card for card in reversed(sight.playable)}
    fits = np.flatnonzero(np.isfinite(values))
    best_first = fits[np.argsort(-values[fits], kind="stable")]
    return tuple((first[int(ranks[place])], float(values[place])) for place in best_first)


def margin(side: int, needs: NDArray[np.int16]) -> Utility:
    """Return the utility of *side*'s points less the others' mean, plus `WON` for reaching the target."""

    def worth(pegged: NDArray[np.int16], hands: NDArray[np.intp]) -> NDArray[np.float64]:
        del hands
        points = pegged + WON * (pegged >= needs)
        return np.asarray(points[:, side] - (points.sum(axis=1) - points[:, side]) / (points.shape[1] - 1))

    return worth


def _weighed(
    seen: Seen,
    kept: NDArray[np.float64],
    needs: NDArray[np.int16],
    utility: Utility,
    most: int | None,
    seed: int,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the ranks held and the worth of each; empty if no hand is consistent with what is seen."""
    if seen.rules.players != 2:
        chance = np.random.default_rng([seed, len(seen.plays)])
        return monte_carlo_values(seen, kept, needs, utility, most or MOST_WORLDS, chance)
    model, (other,) = policy(seen.rules), seen.others
    prior = kept_by(kept, 2, seen.dealer)[other]
    deals, weights, hands = worlds(
        seen, prior, model, temperature=TEMPERATURE, epsilon=EPSILON, most=most or MOST_HANDS, needs=needs
    )
    if not len(deals):
        return np.zeros(0, np.uint8), np.zeros(0)
    return deals.hold()[0], best_values(deals, weights, hands, model, utility)
