"""The level `expert`: it plays to win the game, given the score and what the others may hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.analysis.discard.hand_averages import kept_place
from cribpi.analysis.discard.ways import Way, heels_chance
from cribpi.analysis.pegging.search import Utility
from cribpi.analysis.pegging.tables import pegging
from cribpi.core.cards import Card
from cribpi.core.heels import his_heels
from cribpi.core.show import hand_points
from cribpi.core.sight import SeatSight
from cribpi.opponents.discards import way_taken, ways_of
from cribpi.opponents.expert_pegging import expert_card
from cribpi.opponents.seeded import draws
from cribpi.opponents.win_chance import (
    DiscardOutcome,
    after_the_play,
    before_the_crib,
    chances_of_ways,
    habits,
    hand_points_by_ranks,
)

ALIKE: Final = 6
"""Decimals of a win chance by which two ways must differ: otherwise hand and crib decide."""


@dataclass(frozen=True, slots=True)
class Expert:
    """With two players it maximizes the chance of winning from this score; with three or four, the points."""

    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the discard that wins most often: by hand, crib, play, and what either side needs."""
        ways = ways_of(sight)
        if sight.players != 2:
            return ways[0].away
        won = chances(sight, ways).tolist()
        best = max(range(len(ways)), key=lambda way: (round(won[way], ALIKE), -way))
        return ways[best].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that wins most often, over every hand the other may hold."""
        return expert_card(sight, seed=worlds_seed(self.seed, sight), utility=aim(sight))


def worlds_seed(seed: int, sight: SeatSight) -> int:
    """Return the seed of an expert's sampled worlds, used with three and four players."""
    return draws(seed, sight).getrandbits(32)


def chances(sight: SeatSight, ways: tuple[Way, ...]) -> NDArray[np.float64]:
    """Return the chance of winning the game for each of *ways*, with two players: shape (ways,).

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    role, target = int(not sight.is_dealer), sight.rules.target
    pegged = pegging()
    kept = np.array([[card.rank - 1 for card in way.kept] for way in ways])
    more = pegged.points[role, kept_place()[tuple(np.sort(kept, axis=1).T)]] - _means(pegged.spread[role])
    outcome = DiscardOutcome(
        hand=np.array([way.hand_points for way in ways]),
        crib=np.array([way.crib_points for way in ways]),
        mine=more[:, 0],
        theirs=more[:, 1],
    )
    return chances_of_ways(
        habits(sight.rules),
        outcome,
        is_dealer=sight.is_dealer,
        to_go=target - sight.scores[sight.side],
        their_to_go=target - sight.scores[1 - sight.side],
        heels=heels_chance(sight.seen) if his_heels(sight.rules) else 0.0,
    )


def aim(sight: SeatSight) -> Utility | None:
    """Return the utility of the play: with two players the win chance; with more None, which means points."""
    return winning(sight, sight.starter) if sight.players == 2 and sight.starter is not None else None


def winning(sight: SeatSight, starter: Card) -> Utility:
    """Return the utility that is the seat's chance of winning the game, with two players.

    Its own hand is counted as it is, the other's by ranks, and the crib at its expectation after the seat's
    discard.
    """
    side, other, dealer = sight.side, 1 - sight.side, sight.dealer
    crib = before_the_crib(habits(sight.rules).after, way_taken(sight).crib_points)
    needs = np.array([sight.rules.target - score for score in sight.scores])
    mine = hand_points(sight.kept, starter)
    by_ranks = hand_points_by_ranks(starter.rank - 1)

    def worth(pegged: NDArray[np.int16], hands: NDArray[np.intp]) -> NDArray[np.float64]:
        to_go = np.maximum(needs - pegged, 0)
        shown = [np.zeros(0, np.intp)] * 2
        shown[side] = np.full(len(hands), mine)
        shown[other] = by_ranks[hands[:, other]]
        chances = after_the_play(
            crib, to_go[:, dealer], to_go[:, 1 - dealer], shown[1 - dealer], shown[dealer]
        )
        return chances if side == dealer else 1.0 - chances

    return worth


def _means(spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of what a role pegs and of what the other pegs: shape (2,)."""
    points = np.arange(len(spread))
    return np.array([spread.sum(axis=1) @ points, spread.sum(axis=0) @ points])
