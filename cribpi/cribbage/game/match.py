"""A match: several games, each side's wins, and the conditions for the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cribpi.cribbage.rules.rules import Rules


class Tally(NamedTuple):
    """A side's results in a match.

    *games* is the number of games won; *points* their worth by the stake (the ACC's game points if the stake
    is 2-3-3); *skunks* the number of losers skunked; and *spread* the points by which games were won, less
    those by which they were lost.
    """

    games: int = 0
    points: int = 0
    skunks: int = 0
    spread: int = 0


def after_game(tally: Sequence[Tally], scores: Sequence[int], winner: int, rules: Rules) -> tuple[Tally, ...]:
    """Return the *tally* with a game added that side *winner* won with these *scores*.

    With three sides each loser is skunked, and pays, by that loser's own score.

    >>> after_game((Tally(), Tally()), (121, 88), 0, Rules())
    (Tally(games=1, points=2, skunks=1, spread=33), Tally(games=0, points=0, skunks=0, spread=-33))
    """
    losers = [score for side, score in enumerate(scores) if side != winner]
    return tuple(
        Tally(
            before.games + 1,
            before.points + sum(map(rules.stake_of, losers)),
            before.skunks + sum(rules.skunk_of(score) > 0 for score in losers),
            before.spread + sum(scores[winner] - score for score in losers),
        )
        if side == winner
        else before._replace(spread=before.spread + scores[side] - scores[winner])
        for side, before in enumerate(tally)
    )


def is_decided(tally: Sequence[Tally], rules: Rules) -> bool:
    """Return whether the match is over: a side has enough games to win it, or all games are played."""
    games = [side.games for side in tally]
    if rules.games_to_win is not None and max(games) >= rules.games_to_win:
        return True
    return rules.games_in_match is not None and sum(games) >= rules.games_in_match


def leaders(tally: Sequence[Tally]) -> tuple[int, ...]:
    """Return the sides in the lead, by games, then points, then spread; several if they are equal."""
    results = [(side.games, side.points, side.spread) for side in tally]
    return tuple(side for side, result in enumerate(results) if result == max(results))
