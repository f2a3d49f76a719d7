"""The last holes: where the play of a deal ends after each way to discard, tried over sampled hands.

With seven to go, a hand that pegs three on average may peg seven now and then, or never: the mean does not
tell how often the play alone wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from cribpi.cribbage.analysis.discard.ways import Way
from cribpi.cribbage.analysis.pack import HAND_COUNTS, HANDS, Places, ways_left
from cribpi.cribbage.analysis.pegging.batch import RANKS, deals_from_the_lead
from cribpi.cribbage.analysis.pegging.belief import free_cards, kept_by
from cribpi.cribbage.analysis.pegging.policy import policy_to_win
from cribpi.cribbage.analysis.pegging.search import play_to_the_end
from cribpi.cribbage.game.cards import Rank
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.rules import seats

NEAR: Final = 10
"""The most points to go of either side from which the plays are tried."""

HANDS_OF_OTHER: Final = 16
"""So many are tried with each card that may be the starter, at even steps of their likelihood."""


def is_near(sight: SeatSight) -> bool:
    """Return whether the seat, one of two, or the other is in the last holes."""
    return sight.players == 2 and sight.rules.target - max(sight.scores) <= NEAR


def left_after_play(sight: SeatSight, ways: Sequence[Way]) -> Places:
    """Return what the dealer and pone have to go after the play, in the same worlds for all *ways*.

    Both play as `solid`, but take a card that wins.  Shape (ways, worlds, 2); a side with 0 has won.
    """
    hands, starters = _worlds(sight)
    needs = np.array([sight.rules.target - score for score in sight.scores], np.int16)
    kept, same = np.unique(
        np.sort(np.array([[card.rank - 1 for card in way.kept] for way in ways], np.uint8), axis=1),
        axis=0,
        return_inverse=True,
    )
    cards = np.empty((len(kept), len(hands), 2, seats.HAND), np.uint8)
    cards[:, :, sight.seat] = kept[:, None]
    cards[:, :, 1 - sight.seat] = HANDS[hands]
    left = np.empty((len(kept), len(hands), 2), np.intp)
    is_jack, to_dealer = starters == Rank.JACK - 1, int(needs[sight.dealer])
    for some, heels in ((~is_jack, 0), (is_jack, his_heels(sight.rules, to_dealer))):
        to_go = needs.copy()
        to_go[sight.dealer] = max(to_go[sight.dealer] - heels, 0)
        left[:, some] = to_go
        if to_go.all() and some.any():
            deals = deals_from_the_lead(
                sight.rules,
                cards[:, some].reshape(-1, 2, seats.HAND),
                1 - sight.dealer,
                starters=np.tile(starters[some], len(kept)),
                needs=to_go,
            )
            play_to_the_end(deals, policy_to_win(sight.rules))
            left[:, some] -= deals.pegged.reshape(len(kept), -1, 2)
    return left[same.reshape(-1)][:, :, [sight.dealer, 1 - sight.dealer]]


def _worlds(sight: SeatSight) -> tuple[Places, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    """Return the other's hand, as an index in `HANDS`, and the rank of the starter in each world."""
    free = free_cards(sight).astype(np.intp)
    likely = kept_by(sight)[int(sight.is_dealer)]
    hands, starters = [], []
    for rank in np.flatnonzero(free):
        weight = (likely * ways_left(free - np.eye(RANKS, dtype=np.intp)[rank], HAND_COUNTS)).cumsum()
        number = HANDS_OF_OTHER * free[rank]
        hands.append(weight.searchsorted((np.arange(number) + 0.5) / number * weight[-1]))
        starters.append(np.full(number, rank, np.uint8))
    return np.concatenate(hands), np.concatenate(starters)
