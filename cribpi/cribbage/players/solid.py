"""The level `solid`: exact hand and crib points for the discard, and a play that looks a few cards ahead."""

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
"""The number of worlds in which a card is tried with three and four players."""

WON: Final = 25.0
"""The worth of winning the game in the play, in points."""


@dataclass(frozen=True, slots=True)
class Solid:
    """Maximizes expected points, and ignores the score."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the best discard by hand plus its own side's crib, or minus the other side's."""
        return ways_of(sight)[0].away

    def play(self, sight: SeatSight) -> Card:
        return solid_card(sight)


def ways_of(sight: SeatSight) -> tuple[Way, ...]:
    """Return all ways to discard from the cards dealt to the seat, best first by hand and crib.

    They are computed once per deal, and cached for the play.

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
    """Return the best card to play by `pegging.policy.Policy`; of equals, the lowest.

    The reply is an exact expectation over the cards that *sight* does not show, given the next player's goes.
    The remaining cards are worth their average over millions of deals.  With three and four players, the
    replies are tried in `WORLDS` worlds, the same for the same view.

    Raises:
        ValueError: If no card of the hand fits.
    """
    cards = sorted(sight.playable, key=lambda card: card.rank)
    if not cards:
        raise ValueError("no card can be played: say go")
    if cards[0].rank == cards[-1].rank:
        return cards[0]
    ranks, values = np.zeros(0, np.uint8), np.zeros(0)
    # `Careless` hides a card from the view, and then not all four are known.
    if sight.players != 2 and len(sight.kept) == sight.rules.sizes.hand:
        ranks, values = points_in_worlds(sight)
    if not len(values):
        deals = position(sight)
        ranks, (values,) = deals.hold()[0], policy(sight.rules).values(deals, counted(sight.discards))
    return next(card for card in cards if card.rank - 1 == ranks[values.argmax()])


def points_in_worlds(sight: SeatSight, most: int = WORLDS) -> tuple[NDArray[np.uint8], Floats]:
    """Return the ranks held, and the average points of each, from at most *most* worlds.

    It is for three and four players, if all four cards of the seat are known: see `values_in_worlds`.
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
    """Return a card of each of *ranks* that fits, with its value, best first."""
    first = {card.rank - 1: card for card in reversed(sight.playable)}
    fits = np.flatnonzero(np.isfinite(values))
    order = fits[np.argsort(-values[fits], kind="stable")]
    return tuple((first[int(ranks[place])], float(values[place])) for place in order)


def margin(side: int, needs: NDArray[np.int16] | None = None) -> Utility:
    """Return the utility of *side*'s points less the others' mean.

    If *needs*, the points each side needs to reach the target, is given, reaching it is worth `WON` more.
    """

    def worth(pegged: NDArray[np.int16], hands: Places) -> Floats:
        del hands
        points = pegged if needs is None else pegged + WON * (pegged >= needs)
        own = points[:, side]
        return np.asarray(own - (points.sum(axis=1) - own) / (points.shape[1] - 1))

    return worth
