"""The chance of winning the game from the middle of a deal, for two sides of one or two players.

Scores are given as points to go: 0 is the game hole.  Arrays indexed by points to go have a row for each
score of the dealer's side and a column for each of pone's side, 0 to 121.

Hands are numbered from 0 in the order of the shows: even numbers are pone's side, odd ones the dealer's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from cribpi.cribbage.analysis.pack import HANDS, Floats, Places
from cribpi.cribbage.analysis.shows import rank_pair_of, rank_points
from cribpi.cribbage.analysis.tables import TablesError
from cribpi.cribbage.analysis.winning import (
    LONGEST,
    SIZE,
    Chances,
    DealPoints,
    advance,
    average_deal,
    lifted,
    settled,
    solve,
    winning,
)
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.rules.rules import Rules

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class AverageGame:
    """The points of an average deal, and the chances of winning after it."""

    points: DealPoints
    after: Chances
    """The chance of this deal's dealer after the deal, by points to go; a side with 0 to go has won."""


Stakes = tuple[int, ...]
"""The worth of a game to its winner, indexed by the loser's points to go, 0 to 121."""


def stakes_of(rules: Rules) -> Stakes | None:
    """Return the stakes of *rules*, or None if all wins are worth the same.

    Stakes count only in an open match.  Other matches are won by games, and stakes only break a tie.
    """
    if rules.match != "open" or not rules.skunk_below or len(set(rules.stake)) == 1:
        return None
    return tuple(rules.stake_of(max(rules.target - to_go, 0)) for to_go in range(SIZE))


def worth_of(stakes: Stakes) -> Floats:
    """Return the worth of winning, 0.5 to 1, by the loser's points to go: see `DealPoints.worth`."""
    return np.asarray(0.5 + np.array(stakes) / (2 * max(stakes)))


def in_games(chances: Floats, stakes: Stakes) -> Floats:
    """Convert *chances* from the scale of `worth_of` to plain games.

    A plain win is 1 and a plain loss 0; skunks are above 1 or below 0.

    >>> in_games(np.array([0.25, 0.5, 0.75, 1.0]), (1, 1, 2, 2)).tolist()
    [0.0, 0.5, 1.0, 1.5]
    """
    return np.asarray(0.5 + (chances - 0.5) * max(stakes) / stakes[0])


def average_game(rules: Rules, *, with_stakes: bool = False) -> AverageGame:
    """Return the average game of strong players.  Of *rules* only players, his heels and stakes matter.

    *with_stakes* replaces the chance of winning by the worth of the game, if the rules have stakes.  That
    takes a second or more to compute.  If the shipped table of chances is missing, they are computed as well,
    and a warning is logged.

    Raises:
        TablesError: If another table is missing.
    """
    return _average_game(his_heels(rules), stakes_of(rules) if with_stakes else None, rules.players)


@cache
def _average_game(heels: int, stakes: Stakes | None, players: int) -> AverageGame:
    points = average_deal(heels, players)
    if stakes is not None:
        points = replace(points, worth=worth_of(stakes))
        return AverageGame(points, settled(1.0 - solve(points).T, points.worth))
    # The shipped chances assume two points for his heels.  With one, three or no points, the chances before a
    # deal differ by 0.0004, 0.0004 and 0.0007 on average.  In the current deal, his heels count exactly.
    try:
        before = winning(players)
    except TablesError as trouble:
        _LOG.warning("the chances of winning are calculated again: %s", trouble)
        before = solve(points)
    return AverageGame(points, settled(1.0 - before.T))  # the deal passes to pone


def before_the_crib(after: Chances, crib: Floats) -> Chances:
    """Return the dealer's chances before the crib is shown; *crib* has the probability of each count."""
    return _kept_settled(advance(crib) @ after, after)


def after_the_play(after: Chances, dealer: Places, pone: Places, shows: Sequence[Places | int]) -> Floats:
    """Return the dealer's chance after the play, given the points of each show.

    Shows after a side has gone out don't count.

    Args:
        after: The dealer's chances after the last of *shows*.
        dealer: The points to go of the dealer's side after the play: 0 if it has won.
        pone: The points to go of pone's side after the play: 0 if it has won.
        shows: The points of each hand in the order of the shows: pone's side and the dealer's alternate.
    """
    left = [pone, dealer]
    for place, points in enumerate(shows):
        is_over = (left[0] == 0) | (left[1] == 0)
        side = place % 2
        left[side] = np.where(is_over, left[side], np.maximum(left[side] - points, 0))
    return np.asarray(after[left[1], left[0]])


def _kept_settled(chances: Chances, after: Chances) -> Chances:
    """Overwrite *chances*, in place, with the chances *after* the deal wherever a side has already won."""
    chances[..., 0, :], chances[..., :, 0] = after[0], after[:, 0]
    return chances


def hand_points_by_ranks(starter: int) -> Places:
    """Return the points of each of `HANDS` with a *starter* of rank 0 to 12, suits ignored: shape (1820,)."""
    pairs = rank_pair_of()
    first, second = pairs[HANDS[:, 0], HANDS[:, 1]], pairs[HANDS[:, 2], HANDS[:, 3]]
    points: Places = rank_points()[first, second, starter].astype(np.intp)
    return points


BY_MEAN: Final = 0.1
"""Weight of the chance computed from mean points; the chance from sampled deals has the rest.

The mean decides between discards that win in all sampled deals, or in none."""


@dataclass(frozen=True, eq=False)
class DiscardOutcome:
    """The distribution of points after each possible discard, called a way: one entry or row per way."""

    hand: Floats
    """The probability of each count of the hand: shape (ways, 30)."""
    crib: Floats
    """The probability of each count of the crib, whoever owns it: shape (ways, 30)."""
    mine: Floats
    """The expected points of the player's side in the play, above average: shape (ways,)."""
    theirs: Floats
    """The expected points of the other side in the play, above average: shape (ways,)."""


def chances_of_ways(
    usual: AverageGame,
    outcome: DiscardOutcome,
    *,
    place: int,
    to_go: int,
    their_to_go: int,
    heels: float,
    left: Places | None = None,
) -> Floats:
    """Return the player's chance of winning after each way to discard: shape (ways,).

    Args:
        usual: The average game.
        outcome: The points of each way.
        place: The number of the player's hand in the order of the shows.
        to_go: The points to go of the player's side.
        their_to_go: The points to go of the other side.
        heels: The probability of his heels.
        left: The points to go of the dealer's side and pone's after the play, in equally likely worlds: shape
            (ways, worlds, 2).  By default they are derived from *outcome*.
    """
    before_shows = _before_the_shows(usual, outcome, place)
    is_dealer = bool(place % 2)
    needs, more = (to_go, their_to_go), (outcome.mine, outcome.theirs)
    if not is_dealer:
        needs, more = needs[::-1], more[::-1]

    def after_the_play(dealer: Places, pone: Places) -> Floats:
        return before_shows[:, dealer, pone]

    chances = before_the_play(usual, needs, more, after_the_play, heels)
    if left is not None:
        ends = before_shows[np.arange(len(left))[:, None], left[..., 0], left[..., 1]].mean(axis=1)
        # In the sampled deals, the player plays to the score and the other does not.  So *ends* already has
        # the player's gain, and the endgame table may only lower the player's chance.
        worst = np.minimum if is_dealer else np.maximum
        chances = BY_MEAN * chances + (1 - BY_MEAN) * worst(ends, _as_played(usual, needs, ends))
    return chances if is_dealer else 1.0 - chances


def before_the_play(
    usual: AverageGame,
    to_go: tuple[int, int],
    more: tuple[Floats, Floats],
    after_the_play: Callable[[Places, Places], Floats],
    heels: float = 0.0,
) -> Floats:
    """Return the dealer's chance before his heels and the play: shape (ways,).

    Expected points above average count as so many fewer holes to go, points below average as more holes.

    Args:
        usual: The average game.
        to_go: The points to go of the dealer's side and pone's, 1 to 121.
        more: The expected points in the play above average, of the dealer's side and pone's, for each way.
        after_the_play: Returns the dealer's chances, shape (ways, n), for n pairs of points to go after the
            play.
        heels: The probability of his heels.
    """
    points, (dealer, pone) = usual.points, to_go

    def worth(dealer: int, pone: int) -> Floats:
        if pone <= 0 or dealer <= 0:
            return np.asarray(usual.after[max(dealer, 0), max(pone, 0)])
        by_dealer, by_pone = np.nonzero(points.play[:dealer, :pone])
        likely = points.play[by_dealer, by_pone]
        return np.asarray(
            points.out[dealer, pone] + after_the_play(dealer - by_dealer, pone - by_pone) @ likely
        )

    plain = worth(dealer, pone)

    def by_holes(holes: Floats, to_go: int, worth_from: Callable[[int], Floats]) -> Floats:
        """Return the change of the chance if a side with *to_go* gains *holes*, by linear interpolation."""
        forward = worth_from(to_go - 1) - plain
        # At the start of the board the tables have no hole further back: assume the worth of one forward.
        back = plain - worth_from(to_go + 1) if to_go < LONGEST else forward
        return holes * np.where(holes >= 0, forward, back)

    value = (
        (1.0 - heels) * plain
        + heels * worth(dealer - points.heels_points, pone)
        + by_holes(more[0], dealer, lambda to_go: worth(to_go, pone))
        + by_holes(more[1], pone, lambda to_go: worth(dealer, to_go))
    )
    return _as_played(usual, to_go, value)


def _as_played(usual: AverageGame, to_go: tuple[int, int], chances: Floats) -> Floats:
    """Return the dealer's *chances* plus the gain from playing to the score near the end of the game."""
    points = usual.points
    least, most = points.least[to_go], points.most[to_go]
    return lifted(np.clip(chances, least, most), points.endgame[to_go], least, most)


def _before_the_shows(usual: AverageGame, outcome: DiscardOutcome, place: int) -> Chances:
    """Return the dealer's chances before the first hand is shown, for each way: shape (ways, 122, 122)."""
    own_hand = advance(outcome.hand)
    chances = _kept_settled(advance(outcome.crib) @ usual.after, usual.after)
    for show in reversed(range(2 * usual.points.hands)):
        step = own_hand if show == place else usual.points.steps[show % 2]
        passed = step @ chances if show % 2 else chances @ np.swapaxes(step, -1, -2)
        chances = _kept_settled(passed, usual.after)
    return chances
