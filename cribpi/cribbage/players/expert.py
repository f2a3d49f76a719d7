"""The level `expert`: it plays to win the game, given the score and what the others may hold.

In the play it infers the others' hands from their discards and plays, and searches.  With two players it
finds the exact best reply to a model of the other, over every hand the other may hold.  With four it samples
hands, and tries each card in all of them to the end.  With three it plays as `solid`: see `has_chance`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.ways import Way, heels_chance
from cribpi.cribbage.analysis.pack import Floats, Places, hand_numbers
from cribpi.cribbage.analysis.pegging.belief import kept_by
from cribpi.cribbage.analysis.pegging.policy import pegging, policy
from cribpi.cribbage.analysis.pegging.search import Utility, values_in_worlds
from cribpi.cribbage.analysis.pegging.styles import Model, model_of_others
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.steps.deal import is_heels
from cribpi.cribbage.players.endgame_sampling import is_near, left_after_play
from cribpi.cribbage.players.opponent import draws
from cribpi.cribbage.players.solid import best_first, margin, solid_card, ways_of
from cribpi.cribbage.players.win_chance import (
    AverageGame,
    DiscardOutcome,
    after_the_play,
    average_game,
    before_the_crib,
    chances_of_ways,
    hand_points_by_ranks,
)
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.worth import hand_points

ALIKE: Final = 6
"""Decimals of a win chance by which two ways must differ: otherwise hand and crib decide."""

MOST_HANDS: Final = 500
"""The most hands of the other that are searched.

Before the first card there are 1,820; then a sample stands for them.
"""

ENOUGH: Final = 200
"""As many as are enough to choose by: a first card is worse by 0.01 % than one chosen in 8,000."""

CLOSE: Final = 0.008
"""With four players: a card that may be worse than another by more of the chance of winning is unsure."""

MOST_WORLDS: Final = 360
"""Worlds sampled with four players."""


@dataclass(frozen=True, slots=True)
class Expert:
    """With two sides it maximizes the chance of winning from this score; with three players it is `solid`."""

    seed: int
    reads: bool = True
    """Whether it makes out how the other plays; otherwise it takes everybody for `solid`."""
    usual: AverageGame | None = None
    """What deals bring, and what there is after one, with two sides: by default as the rules have it."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the discard that wins most often: by hand, crib, play, and what either side needs."""
        ways = ways_of(sight)
        if not has_chance(sight.rules):
            return ways[0].away
        won = chances(sight, ways, self.usual or average_game(sight.rules, with_stakes=True)).tolist()
        best = max(range(len(ways)), key=lambda way: (round(won[way], ALIKE), -way))
        return ways[best].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that wins most often, over every hand the other may hold.

        With two players it is the best reply to the ways in which the other may play, by what it has seen
        of the other so far; with four, to players as `solid`, the partner as well.

        Raises:
            ValueError: If no card of the hand fits.
        """
        if not sight.playable:
            raise ValueError("no card can be played: say go")
        if len({card.rank for card in sight.playable}) == 1:
            return min(sight.playable, key=lambda card: card.rank)
        if not has_chance(sight.rules):
            return solid_card(sight)
        model = None if self.reads else policy(sight.rules)
        utility = aim(sight, self.usual or average_game(sight.rules, with_stakes=True))
        most = ENOUGH if sight.players == 2 else None
        values = card_values(sight, utility=utility, most=most, seed=self.seed, model=model, close=CLOSE)
        return values[0][0] if values else solid_card(sight)


def has_chance(rules: Rules) -> bool:
    """Return whether the chance of winning is known.

    With three players it is not.  A table of it won 34 to 35 games in a hundred against `solid`, where 33 are
    even, and so did eight times as many worlds as `solid` tries.
    """
    return seats.sides(rules.players) == 2


def pegged_by_ways(sight: SeatSight, ways: tuple[Way, ...]) -> Floats:
    """Return what the side may be expected to peg in the play by each of *ways*, and the other: (ways, 2).

    Not with three players.
    """
    kept = np.sort(np.array([[card.rank - 1 for card in way.kept] for way in ways]), axis=1)
    seat = (sight.seat - sight.dealer) % sight.players
    return np.asarray(pegging(sight.players).points[seat, hand_numbers(kept)])


def chances(sight: SeatSight, ways: tuple[Way, ...], usual: AverageGame | None = None) -> Floats:
    """Return the chance of winning the game for each of *ways*, with two sides: shape (ways,).

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    usual = usual or average_game(sight.rules)
    place = seats.around(sight.dealer, sight.players).index(sight.seat)  # in the shows, the dealer's is last
    more = pegged_by_ways(sight, ways) - usual.points.pegged[:: 1 if place % 2 else -1]
    target, dealer_has = sight.rules.target, sight.scores[seats.side_of(sight.dealer, sight.players)]
    has_heels = is_heels(sight.rules, to_go=target - dealer_has)
    return chances_of_ways(
        usual,
        DiscardOutcome(
            hand=np.array([way.hand_points for way in ways]),
            crib=np.array([way.crib_points for way in ways]),
            mine=more[:, 0],
            theirs=more[:, 1],
        ),
        place=place,
        to_go=target - sight.scores[sight.side],
        their_to_go=target - sight.scores[1 - sight.side],
        heels=heels_chance(sight.seen) if has_heels else 0.0,
        left=left_after_play(sight, ways) if is_near(sight) else None,
    )


def aim(sight: SeatSight, usual: AverageGame | None = None) -> Utility | None:
    """Return the utility of the play: with two sides the seat's chance of winning the game.

    Its own hand is counted as it is, the others' by ranks, and the crib at its expectation after the seat's
    discard, or an average one where that is not known.  Without the starter it is None, which means points.
    """
    if sight.starter is None:
        return None
    side, players = sight.side, sight.players
    dealer = seats.side_of(sight.dealer, players)
    usual = usual or average_game(sight.rules)
    crib = before_the_crib(usual.after, _crib_points(sight, usual.points.crib))
    needs = np.array([sight.rules.target - score for score in sight.scores])
    mine = hand_points(sight.kept, sight.starter)
    by_ranks = hand_points_by_ranks(sight.starter.rank - 1)
    order = seats.around(sight.dealer, players)

    def worth(pegged: NDArray[np.int16], hands: Places) -> Floats:
        to_go = np.maximum(needs - pegged, 0)
        shows = [
            np.full(len(hands), mine) if seat == sight.seat else by_ranks[hands[:, seat]] for seat in order
        ]
        chances = after_the_play(crib, to_go[:, dealer], to_go[:, 1 - dealer], shows)
        return chances if side == dealer else 1.0 - chances

    return worth


def _crib_points(sight: SeatSight, usual: Floats) -> Floats:
    """Return the probability of each count of the crib: shape (30,)."""
    dealt = (*sight.kept, *sight.discards)
    if len(dealt) < sight.rules.sizes.dealt or not all(card.suit for card in dealt):
        return usual
    return next(way for way in ways_of(sight) if set(way.away) == set(sight.discards)).crib_points


def card_values(
    sight: SeatSight,
    *,
    kept: Floats | None = None,
    utility: Utility | None = None,
    most: int | None = None,
    seed: int = 0,
    model: Model | None = None,
    close: float | None = None,
) -> tuple[tuple[Card, float], ...]:
    """Return a card of each rank that fits with its worth, best first, with two sides.

    Empty if no hand is consistent with what was seen: somebody has said go who could have played.

    Args:
        sight: What the seat sees.
        kept: How often the dealer's side (row 0) and the others (row 1) keep each hand of four ranks, in the
            order of `pack.HANDS`; by default as `belief.kept_by` says.
        utility: The worth of the end of the play, given what each side pegs from now on (shape (n, sides); no
            side has more than it needs to win, and only one can have that) and the index of each seat's hand
            (shape (n, players), -1 for one's own).  By default the `margin` of points.
        most: The most hands, or worlds, that are searched.
        seed: The seed of the sampling, with four players.
        model: How the others play; by default as *sight* tells of them.
        close: With four players: see `values_in_worlds`.
    """
    needs = np.array([sight.rules.target - score for score in sight.scores], np.int16)
    ranks, values = values_in_worlds(
        sight,
        kept_by(sight) if kept is None else kept,
        needs,
        utility or margin(sight.side, needs),
        most or (MOST_HANDS if sight.players == 2 else MOST_WORLDS),
        np.random.default_rng([draws(seed, sight).getrandbits(32), len(sight.plays)]),
        model=model or model_of_others(sight),
        to_the_end=True,
        close=close,
    )
    return best_first(sight, ranks, values)
