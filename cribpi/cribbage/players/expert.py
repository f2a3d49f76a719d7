"""The level `expert`: maximizes the chance of winning, given the score and the possible hands of the others.

In the play it infers the others' hands from their discards and plays, and searches.  With two players it
finds the exact best reply to a model of the other, over all hands that the other may hold.  With four it
samples hands, and tries each card in all of them to the end.  With three it plays as `solid`: see
`has_win_model`.
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
from cribpi.cribbage.players.endgame_sampling import is_near, to_go_after_play
from cribpi.cribbage.players.opponent import rng_for
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
"""Decimals to which chances of winning are compared.  In a tie, the points of hand and crib decide."""

MOST_HANDS: Final = 500
"""Maximum number of hands of the other player that advice searches.

Before the first card 1,820 hands are possible, so a sample of them is searched.
"""

ENOUGH: Final = 200
"""Maximum number of hands of the other player that the level itself searches.

Its first card is worse by 0.01 % in the chance of winning than one chosen among 8,000 hands."""

CLOSE: Final = 0.008
"""Tolerance of the search with four players, as a chance of winning: see `search.values_in_worlds`."""

MOST_WORLDS: Final = 360
"""Maximum number of sampled deals that are searched with four players."""


@dataclass(frozen=True, slots=True)
class Expert:
    """Maximizes the chance of winning with two sides; plays as `solid` with three players."""

    seed: int
    reads: bool = True
    """Whether it infers the other's style of play, rather than assume that others play as `solid` does."""
    usual: AverageGame | None = None
    """The points of an average deal with two sides; by default those of the rules."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the discard with the best chance of winning, given hand, crib, play, and both scores."""
        ways = ways_of(sight)
        if not has_win_model(sight.rules):
            return ways[0].away
        won = chances(sight, ways, self.usual or average_game(sight.rules, with_stakes=True)).tolist()
        best = max(range(len(ways)), key=lambda way: (round(won[way], ALIKE), -way))
        return ways[best].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card with the best chance of winning, over the possible hands of the others.

        With two players, the other is assumed to continue in the style inferred from its play so far.  With
        four, all others, including the partner, are assumed to play as `solid` does.

        Raises:
            ValueError: If no card of the hand is playable.
        """
        if not sight.playable:
            raise ValueError("no card can be played: say go")
        if len({card.rank for card in sight.playable}) == 1:
            return min(sight.playable, key=lambda card: card.rank)
        if not has_win_model(sight.rules):
            return solid_card(sight)
        model = None if self.reads else policy(sight.rules)
        utility = aim(sight, self.usual or average_game(sight.rules, with_stakes=True))
        most = ENOUGH if sight.players == 2 else None
        values = card_values(sight, utility=utility, most=most, seed=self.seed, model=model, close=CLOSE)
        return values[0][0] if values else solid_card(sight)


def has_win_model(rules: Rules) -> bool:
    """Return whether the chance of winning can be computed: not with three players.

    With three, a table of win chances does not pay: a level that used one won 34 to 35 games in a hundred
    against two `solid` players, hardly more than the even share of 33.  A search of eight times as many
    deals as `solid` searches won as many.
    """
    return seats.sides(rules.players) == 2


def pegged_by_ways(sight: SeatSight, ways: tuple[Way, ...]) -> Floats:
    """Return the expected points in the play after each of the discards *ways*: shape (ways, 2).

    The last axis is the player's side, then the other.  Three players are not supported.
    """
    kept = np.sort(np.array([[card.rank - 1 for card in way.kept] for way in ways]), axis=1)
    seat = (sight.seat - sight.dealer) % sight.players
    return np.asarray(pegging(sight.players).points[seat, hand_numbers(kept)])


def chances(sight: SeatSight, ways: tuple[Way, ...], usual: AverageGame | None = None) -> Floats:
    """Return the chance of winning after each of the discards *ways*, with two sides: shape (ways,).

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    usual = usual or average_game(sight.rules)
    place = seats.around(sight.dealer, sight.players).index(sight.seat)  # in the order of the shows
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
        left=to_go_after_play(sight, ways) if is_near(sight) else None,
    )


def aim(sight: SeatSight, usual: AverageGame | None = None) -> Utility | None:
    """Return the utility of the play: with two sides, the seat's chance of winning the game.

    The show that follows is included.  The seat's own hand is counted exactly, the others' by ranks only.
    The crib counts as its distribution after the seat's discard, or as an average crib if that is unknown.
    The result is None if the starter is unknown; then only points can be maximized.
    """
    if sight.starter is None:
        return None
    side, players = sight.side, sight.players
    dealer = seats.side_of(sight.dealer, players)
    usual = usual or average_game(sight.rules)
    crib = before_the_crib(usual.after, _crib_points(sight, usual.points.crib))
    needs = np.array([sight.rules.target - score for score in sight.scores])
    own_hand = hand_points(sight.kept, sight.starter)
    by_ranks = hand_points_by_ranks(sight.starter.rank - 1)
    order = seats.around(sight.dealer, players)

    def worth(pegged: NDArray[np.int16], hands: Places) -> Floats:
        to_go = np.maximum(needs - pegged, 0)
        shows = [
            np.full(len(hands), own_hand) if seat == sight.seat else by_ranks[hands[:, seat]]
            for seat in order
        ]
        chances = after_the_play(crib, to_go[:, dealer], to_go[:, 1 - dealer], shows)
        return chances if side == dealer else 1.0 - chances

    return worth


def _crib_points(sight: SeatSight, usual: Floats) -> Floats:
    dealt = (*sight.kept, *sight.discards)
    if len(dealt) < sight.rules.sizes.dealt or not all(card.suit for card in dealt):
        return usual
    return next(way for way in ways_of(sight) if set(way.away) == set(sight.discards)).crib_points


def card_values(
    sight: SeatSight,
    *,
    prior: Floats | None = None,
    utility: Utility | None = None,
    most: int | None = None,
    seed: int = 0,
    model: Model | None = None,
    close: float | None = None,
) -> tuple[tuple[Card, float], ...]:
    """Return one playable card of each rank with its worth, best first, with two sides.

    The result is empty if a wrong go leaves no possible hand for another player.

    Args:
        sight: The seat's view.
        prior: The probability that a player keeps each of `pack.HANDS`: row 0 for the dealer's side, row 1
            for the other side.  By default `belief.kept_by`.
        utility: A function of the end of the play that returns its worth; by default the `margin` of points.
            Its arguments are the points that each side pegs from now on, shape (n, sides), and the index of
            each seat's hand, shape (n, players), -1 for the player's own.  At most one side reaches the
            target, and no side passes it.
        most: The maximum number of hands or deals of the others to search.
        seed: The seed of the sampling; used with four players only.
        model: The model of the others' play; by default `styles.model_of_others`.
        close: The tolerance of the search with four players: see `values_in_worlds`.
    """
    needs = np.array([sight.rules.target - score for score in sight.scores], np.int16)
    ranks, values = values_in_worlds(
        sight,
        kept_by(sight) if prior is None else prior,
        needs,
        utility or margin(sight.side, needs),
        most or (MOST_HANDS if sight.players == 2 else MOST_WORLDS),
        np.random.default_rng([rng_for(seed, sight).getrandbits(32), len(sight.plays)]),
        model=model or model_of_others(sight),
        to_the_end=True,
        close=close,
    )
    return best_first(sight, ranks, values)
