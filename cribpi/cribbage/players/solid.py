"""The level `solid`: discards by exact hand and crib points, and looks a few cards ahead in the play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.ways import Way, ways
from cribpi.cribbage.analysis.pack import Floats, Places
from cribpi.cribbage.analysis.pegging.belief import counted, position
from cribpi.cribbage.analysis.pegging.policy import kept_hands, policy
from cribpi.cribbage.analysis.pegging.search import Utility, values_in_worlds
from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.opponent import has_own_crib
from cribpi.cribbage.rules.rules import Rules

WORLDS: Final = 60
"""Number of sampled deals, called worlds, in which each card is tried with three or four players."""

WON: Final = 25.0
"""Extra worth, in points, of winning the game during the play."""


@dataclass(frozen=True, slots=True)
class Solid:
    """Maximizes expected points, and ignores the score."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the best discard by hand plus crib, or hand minus crib if the crib is the other side's."""
        return ways_of(sight)[0].away

    def play(self, sight: SeatSight) -> Card:
        return solid_card(sight)


def ways_of(sight: SeatSight) -> tuple[Way, ...]:
    """Return all possible discards from the cards dealt to the seat, best first by hand and crib.

    The result is cached, because the play needs it again in the same deal.

    Raises:
        TablesError: If the shipped table is missing or damaged.
        ValueError: If a card has no suit.
    """
    dealt = tuple(in_order((*sight.kept, *sight.discards)))
    return _ways(dealt, sight.rules, own_crib=has_own_crib(sight))


@lru_cache(maxsize=16)
def _ways(dealt: tuple[Card, ...], rules: Rules, *, own_crib: bool) -> tuple[Way, ...]:
    return ways(dealt, own_crib=own_crib, rules=rules)


def solid_card(sight: SeatSight) -> Card:
    """Return the best card to play by `pegging.policy.Policy`; among equals, the lowest.

    With two players, the next reply is an exact expectation over the unseen cards, given the next player's
    goes.  The remaining cards are worth their average over millions of deals.  With three or four players,
    the replies are tried in `WORLDS` sampled deals, which are the same for the same view.

    Raises:
        ValueError: If no card of the hand is playable.
    """
    cards = sorted(sight.playable, key=lambda card: card.rank)
    if not cards:
        raise ValueError("no card can be played: say go")
    if cards[0].rank == cards[-1].rank:
        return cards[0]
    ranks, values = np.zeros(0, np.uint8), np.zeros(0)
    # `Careless` hides a card from the view.  The sampled deals need all four cards of the seat.
    if sight.players != 2 and len(sight.kept) == sight.rules.sizes.hand:
        ranks, values = points_in_worlds(sight)
    if not len(values):
        deals = position(sight)
        ranks, (values,) = deals.hold()[0], policy(sight.rules).values(deals, counted(sight.discards))
    return next(card for card in cards if card.rank - 1 == ranks[values.argmax()])


def points_in_worlds(sight: SeatSight, most: int = WORLDS) -> tuple[NDArray[np.uint8], Floats]:
    """Return the ranks held and the average points of playing each, from at most *most* worlds.

    For three or four players; all four cards of the seat must be known.  See `values_in_worlds`.
    """
    kept = sorted(card.rank - 1 for card in sight.kept)
    return values_in_worlds(
        sight,
        kept_hands(sight.players),
        None,
        margin(sight.side),
        most,
        np.random.default_rng([sight.seat, len(sight.plays), *kept]),
        model=policy(sight.rules),
    )


def best_first(sight: SeatSight, ranks: NDArray[np.uint8], values: Floats) -> tuple[tuple[Card, float], ...]:
    """Return a card of each playable rank in *ranks* with its value, best first.

    *values* is not finite for a rank that can't be played.
    """
    first = {card.rank - 1: card for card in reversed(sight.playable)}
    fits = np.flatnonzero(np.isfinite(values))
    order = fits[np.argsort(-values[fits], kind="stable")]
    return tuple((first[int(ranks[place])], float(values[place])) for place in order)


def margin(side: int, needs: NDArray[np.int16] | None = None) -> Utility:
    """Return a utility function: the points of *side* less the mean of the others'.

    *needs* has the points that each side needs to win; a side that gets them has `WON` points more.
    """

    def worth(pegged: NDArray[np.int16], hands: Places) -> Floats:
        del hands
        points = pegged if needs is None else pegged + WON * (pegged >= needs)
        own = points[:, side]
        return np.asarray(own - (points.sum(axis=1) - own) / (points.shape[1] - 1))

    return worth
