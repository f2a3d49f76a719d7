"""Sampling near the end of a game: the scores after the play for each discard, over sampled hands.

The mean is not enough there.  With seven points to go, a hand that pegs three on average may peg seven
sometimes or never; only sampling shows how often the play alone wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from cribpi.cribbage.analysis.discard.ways import Way
from cribpi.cribbage.analysis.pack import HAND_COUNTS, HANDS, Places, ways_left
from cribpi.cribbage.analysis.pegging.batch import RANKS, deals_from_the_lead
from cribpi.cribbage.analysis.pegging.belief import free_cards, hand_weights, kept_by, sample_hands
from cribpi.cribbage.analysis.pegging.policy import policy_to_win
from cribpi.cribbage.analysis.pegging.search import play_to_the_end
from cribpi.cribbage.game.cards import Rank
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.rules import seats

NEAR: Final = 10
"""The play is sampled if the leading side has at most this many points to go."""

HANDS_OF_OTHER: Final = 16
"""Hands of the other player that are sampled for each possible starter card, with two players."""

WORLDS_OF_FOUR: Final = 736
"""Deals sampled with four players: about as many as with two."""

Worlds = tuple[Places, np.ndarray[tuple[int], np.dtype[np.uint8]]]
"""Sampled deals, called worlds.  First the hands, as indices into `HANDS`, -1 for the player's own: shape
(worlds, players).  Then the ranks of the starters, 0 to 12: shape (worlds,)."""


def is_near(sight: SeatSight) -> bool:
    """Return whether there are two sides and the leader is within `NEAR` points of the target."""
    return seats.sides(sight.players) == 2 and sight.rules.target - max(sight.scores) <= NEAR


def to_go_after_play(sight: SeatSight, ways: Sequence[Way]) -> Places:
    """Return the points to go of both sides after the play, for each of the discards *ways*.

    The shape is (ways, worlds, 2); the last axis is the dealer's side, then pone's.  A side with 0 points to
    go has won.  All ways are tried in the same worlds.  All players play as `solid` does, except that they
    play a card that wins.
    """
    players, dealer = sight.players, seats.side_of(sight.dealer, sight.players)
    hands, starters = _worlds(sight) if players == 2 else _worlds_of_four(sight)
    needs = np.array([sight.rules.target - score for score in sight.scores], np.int16)
    kept, same = np.unique(
        np.sort(np.array([[card.rank - 1 for card in way.kept] for way in ways], np.uint8), axis=1),
        axis=0,
        return_inverse=True,
    )
    cards = np.broadcast_to(HANDS[hands], (len(kept), *hands.shape, seats.HAND)).copy()
    cards[:, :, sight.seat] = kept[:, None]
    left = np.empty((len(kept), len(hands), 2), np.intp)
    is_jack = starters == Rank.JACK - 1
    for some, heels in ((~is_jack, 0), (is_jack, his_heels(sight.rules, int(needs[dealer])))):
        to_go = needs.copy()
        to_go[dealer] = max(to_go[dealer] - heels, 0)
        left[:, some] = to_go
        if to_go.all() and some.any():
            deals = deals_from_the_lead(
                sight.rules,
                cards[:, some].reshape(-1, players, seats.HAND),
                seats.left_of(sight.dealer, players),
                starters=np.tile(starters[some], len(kept)),
                needs=to_go,
            )
            play_to_the_end(deals, policy_to_win(sight.rules))
            left[:, some] -= deals.pegged.reshape(len(kept), -1, 2)
    return left[same.reshape(-1)][:, :, [dealer, 1 - dealer]]


def _worlds(sight: SeatSight) -> Worlds:
    free = free_cards(sight).astype(np.intp)
    likely = kept_by(sight)[int(sight.seat == sight.dealer)]
    of_other, starters = [], []
    for rank in np.flatnonzero(free):
        weight = (likely * ways_left(free - np.eye(RANKS, dtype=np.intp)[rank], HAND_COUNTS)).cumsum()
        number = HANDS_OF_OTHER * free[rank]
        of_other.append(weight.searchsorted((np.arange(number) + 0.5) / number * weight[-1]))
        starters.append(np.full(number, rank, np.uint8))
    hands = np.full((sum(map(len, of_other)), 2), -1)
    hands[:, 1 - sight.seat] = np.concatenate(of_other)
    return hands, np.concatenate(starters)


def _worlds_of_four(sight: SeatSight) -> Worlds:
    """Return equally likely worlds for four players, drawn with a constant seed."""
    chance, dealer = np.random.default_rng(0), seats.side_of(sight.dealer, sight.players)
    kept = kept_by(sight)
    samples, weight = sample_hands(
        sight,
        {
            seat: hand_weights(sight, seat, kept[int(seats.side_of(seat, sight.players) != dealer)])
            for seat in seats.around(sight.seat, sight.players)[:-1]
        },
        chance,
        4 * WORLDS_OF_FOUR,
    )
    sums, steps = weight.cumsum(), (np.arange(WORLDS_OF_FOUR) + 0.5) / WORLDS_OF_FOUR
    some = sums.searchsorted(steps * sums[-1])
    hands, left = np.full((len(some), sight.players), -1), free_cards(sight).astype(np.intp)
    for seat, numbers in samples.items():
        hands[:, seat] = numbers[some]
        left = left - HAND_COUNTS[hands[:, seat]]
    sums = left.cumsum(axis=1)
    starters = (sums > (chance.random(len(some)) * sums[:, -1])[:, None]).argmax(axis=1)
    return hands, starters.astype(np.uint8)
