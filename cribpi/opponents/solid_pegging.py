"""How `solid` plays a card: points now, less the expected reply, plus the worth of the cards left.

With three and four players each card is tried, in a sample of worlds, up to the player's next turn.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.pegging.seen import counted, position, seen_in
from cribpi.analysis.pegging.tables import kept_hands, policy
from cribpi.analysis.pegging.training import margins
from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.monte_carlo import monte_carlo_values

WORLDS: Final = 60
"""The number of worlds in which a card is tried with three and four players."""


def solid_card(sight: SeatSight) -> Card:
    """Return the best card to play by `pegging.policy.Policy`; of equals, the lowest.

    The reply is an exact expectation over the cards that *sight* does not show, given the next player's goes.
    Cards left are worth their average over millions of deals.  If two or three others follow, their replies
    are tried in `WORLDS` worlds, the same for the same sight.

    Raises:
        ValueError: If no card of the hand fits.
    """
    cards = sorted(sight.playable, key=lambda card: card.rank)
    if not cards:
        raise ValueError("no card can be played: say go")
    if cards[0].rank == cards[-1].rank:
        return cards[0]
    if sight.players != 2 and (found := _tried(sight)) is not None:
        rank = found
    else:
        deals = position(sight)
        values = policy(sight.rules).values(deals, counted(tuple(card.rank - 1 for card in sight.discards)))
        rank = int(deals.hold()[0, values[0].argmax()])
    return next(card for card in cards if card.rank - 1 == rank)


def _tried(sight: SeatSight) -> int | None:
    """Return the rank with the most points by Monte Carlo; None if no hands fit what is seen.

    None too for a careless seat that has overlooked one of its cards: it does not know its whole hand.
    """
    seen, side = seen_in(sight), np.int8(sight.side)
    if len(seen.kept) < seats.HAND:
        return None

    def points(pegged: NDArray[np.int16], hands: NDArray[np.intp]) -> NDArray[np.float64]:
        del hands
        return margins(pegged, np.full(len(pegged), side)).astype(np.float64)

    chance = np.random.default_rng([sight.seat, len(seen.plays), *sorted(seen.kept)])
    ranks, values = monte_carlo_values(seen, kept_hands(sight.rules), None, points, WORLDS, chance)
    return int(ranks[values.argmax()]) if len(values) else None
