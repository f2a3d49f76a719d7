"""The chance of winning the game from the middle of a deal, for two players.

Scores are given as points to go: 0 is the game hole.  Arrays by points to go have the dealer's in their rows
and pone's in their columns, 0 to 121 each.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from cribpi.analysis.pack import HANDS, Floats, Places
from cribpi.analysis.shows import rank_pair_of, rank_points
from cribpi.analysis.tables import TablesError
from cribpi.analysis.winning import (
    LONGEST,
    SIZE,
    Chances,
    DealPoints,
    average_deal,
    lifted,
    settled,
    solve,
    winning,
)
from cribpi.core.rules import Rules

_LOG: Final = logging.getLogger(__name__)

_TO_GO: Final = np.arange(SIZE)
_MOST_PLAYED: Final = 19
_MOST_SHOWN: Final = 29


@dataclass(frozen=True, eq=False)
class Habits:
    """What deals bring on average, and the chances after one."""

    points: DealPoints
    after: Chances
    """The dealer's chance after the deal, by the points to go then; a side with none has won."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a game is worth: *plain*, and where the loser has more points to go than those given."""

    plain: int
    skunk: int
    skunk_over: int
    double: int
    double_over: int

    @classmethod
    def of(cls, rules: Rules) -> Stakes | None:
        """Return the stakes of *rules*; None where a win is a win.

        They count where game follows game: a match is won by games, and their worth only breaks a tie.
        """
        plain, skunk, double = rules.stake
        if rules.match != "open" or not rules.skunk_below or plain == skunk == double:
            return None
        over = rules.target - rules.skunk_below
        if not rules.double_skunk_below:
            return cls(plain, skunk, over, skunk, over)
        return cls(plain, skunk, over, double, rules.target - rules.double_skunk_below)

    @property
    def most(self) -> int:
        return max(self.plain, self.skunk, self.double)

    def in_games(self, chances: Floats) -> Floats:
        """Return *chances* by `worth` in plain games: a plain win is 1, a plain loss 0, a skunk beyond.

        >>> Stakes(1, 2, 30, 2, 30).in_games(np.array([0.25, 0.5, 0.75, 1.0])).tolist()
        [0.0, 0.5, 1.0, 1.5]
        """
        return np.asarray(0.5 + (chances - 0.5) * self.most / self.plain)

    def worth(self) -> Floats:
        """Return what winning is worth, by the loser's points to go: see `DealPoints.worth`."""
        stake = np.where(self.skunk_over < _TO_GO, self.skunk, self.plain)
        stake = np.where(self.double_over < _TO_GO, self.double, stake)
        return np.asarray(0.5 + stake / (2 * self.most))


def habits(heels: int, stakes: Stakes | None = None) -> Habits:
    """Return the habits of two strong players, with *heels* points for his heels.

    With *stakes* what counts is not the chance of winning but what the game brings.  That, and the chances if
    those shipped are missing (with a warning in the log), are computed: it takes a second or more.

    Raises:
        TablesError: If another table is missing.
    """
    return _habits(heels, stakes)


@cache
def _habits(heels: int, stakes: Stakes | None) -> Habits:
    points = average_deal(heels)
    if stakes is not None:
        points = replace(points, worth=stakes.worth())
        return Habits(points, settled(1.0 - solve(points).T, points.worth))
    # The shipped chances are for two points for his heels.  With three, or none, those before a deal differ
    # by 0.0004 and 0.0007 on average; his heels of the current deal are counted exactly.
    try:
        before = winning()
    except TablesError as trouble:
        _LOG.warning("the chances of winning are worked out anew: %s", trouble)
        before = solve(points)
    return Habits(points, settled(1.0 - before.T))  # the deal passes to pone


def before_the_crib(after: Chances, crib: Floats) -> Chances:
    """Return the dealer's chances when only the crib is left, with the probabilities *crib* of its counts."""
    chances = np.zeros_like(after)
    for points, likely in enumerate(crib):
        chances += likely * after[np.maximum(_TO_GO - points, 0)]
    chances[0], chances[:, 0] = after[0], after[:, 0]
    return chances


def after_the_play(
    crib: Chances, dealer: Places, pone: Places, pone_hand: Places, dealer_hand: Places
) -> Floats:
    """Return the dealer's chance when the play has left *dealer* and *pone* that many points to go.

    Args:
        crib: The dealer's chances when only the crib is left.
        dealer: The dealer's points to go after the play: 0 if the dealer has won in it.
        pone: Pone's, likewise.
        pone_hand: The points of pone's hand, which shows first.
        dealer_hand: The points of the dealer's hand.
    """
    # Whoever goes out first ends the game; what the other would have shown counts no more.
    left = np.where(dealer == 0, pone, np.maximum(pone - pone_hand, 0))
    has_won = (dealer == 0) | (left == 0)
    return np.asarray(crib[np.where(has_won, dealer, np.maximum(dealer - dealer_hand, 0)), left])


def hand_points_by_ranks(starter: int) -> Places:
    """Return the points of each of `HANDS`, suits ignored, with a *starter* of rank 0 to 12: (1820,)."""
    pairs = rank_pair_of()
    first, second = pairs[HANDS[:, 0], HANDS[:, 1]], pairs[HANDS[:, 2], HANDS[:, 3]]
    points: Places = rank_points()[first, second, starter].astype(np.intp)
    return points


@dataclass(frozen=True, eq=False)
class DiscardOutcome:
    """What each way to discard brings its player: an entry, or a row, per way."""

    hand: Floats
    """The probability of each count of the hand: shape (ways, 30)."""
    crib: Floats
    """The probability of each count of the crib, whoever owns it: shape (ways, 30)."""
    mine: Floats
    """The points the player is expected to peg in the play above the average: shape (ways,)."""
    theirs: Floats
    """The same for the other player."""


def chances_of_ways(
    habits: Habits, outcome: DiscardOutcome, *, is_dealer: bool, to_go: int, their_to_go: int, heels: float
) -> Floats:
    """Return the player's chance of winning after each way to discard: shape (ways,).

    *heels* is the probability of his heels.  Expected points in the play above or below the average are
    applied as that many holes fewer or more to go.
    """
    dealer, pone = (to_go, their_to_go) if is_dealer else (their_to_go, to_go)

    def worth(dealer: int, pone: int) -> Floats:
        if pone <= 0 or dealer <= 0:
            over = habits.after[max(dealer, 0), max(pone, 0)]
            return np.full(len(outcome.mine), over if is_dealer else 1.0 - over)
        return _before_the_play(habits, outcome, dealer, pone, is_dealer=is_dealer)

    plain = worth(dealer, pone)

    def by_holes(holes: Floats, to_go: int, worth_from: Callable[[int], Floats]) -> Floats:
        """Return how *holes* change the chance of the side with *to_go*, by the worth of one hole."""
        forward = worth_from(to_go - 1) - plain
        # The tables end at the start: one hole back from there is taken to be worth what one forward is.
        back = plain - worth_from(to_go + 1) if to_go < LONGEST else forward
        return holes * np.where(holes >= 0, forward, back)

    by_dealer, by_pone = (outcome.mine, outcome.theirs)[:: 1 if is_dealer else -1]
    value = (
        (1.0 - heels) * plain
        + heels * worth(dealer - habits.points.heels_points, pone)
        + by_holes(by_dealer, dealer, lambda to_go: worth(to_go, pone))
        + by_holes(by_pone, pone, lambda to_go: worth(dealer, to_go))
    )
    points, at = habits.points, (dealer, pone)
    least, most = points.least[at], points.most[at]
    of_dealer = np.clip(value if is_dealer else 1.0 - value, least, most)
    found = lifted(of_dealer, points.endgame[at], least, most)
    return found if is_dealer else 1.0 - found


def _before_the_play(
    habits: Habits, outcome: DiscardOutcome, dealer: int, pone: int, *, is_dealer: bool
) -> Floats:
    """Return the player's chance after each way, with the points *dealer* and *pone* to go, of both some."""
    usual = habits.points
    ways = len(outcome.crib)
    if is_dealer:
        dealer_hands, pone_hands = outcome.hand, np.tile(usual.pone_hand, (ways, 1))
    else:
        dealer_hands, pone_hands = np.tile(usual.dealer_hand, (ways, 1)), outcome.hand
    by_dealer, by_pone = np.nonzero(usual.play[:dealer, :pone])
    likely = usual.play[by_dealer, by_pone]
    # Before the dealer shows, by way and points to go: shape (ways, dealer's, pone's).
    low, least = max(dealer - _MOST_PLAYED, 0), max(pone - _MOST_PLAYED - _MOST_SHOWN, 0)
    shown = np.array([np.convolve(*both) for both in zip(dealer_hands, outcome.crib, strict=True)])
    rows = np.maximum(np.arange(low, dealer + 1)[:, None] - np.arange(shown.shape[1]), 0)
    stage = np.tensordot(shown, habits.after[rows, least : pone + 1], axes=(1, 1))
    # After pone's show, by way, points pegged in the play and pone's hand.
    left = np.maximum((pone - by_pone)[:, None] - np.arange(_MOST_SHOWN + 1), 0)
    chances = stage[:, (dealer - by_dealer - low)[:, None], np.maximum(left - least, 0)]
    # Pone has won if nothing is left, before the dealer shows.
    chances = np.where(left > 0, chances, habits.after[dealer - by_dealer, 0][:, None])
    won = usual.out[dealer, pone] + np.einsum("wnp,wp->wn", chances, pone_hands) @ likely
    return np.asarray(won if is_dealer else 1.0 - won)
