"""A match of several games: each side's results, and when the match ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cribpi.cribbage.rules.rules import Rules


class Tally(NamedTuple):
    """A side's results in a match.

    *games* is the number of games won, and *points* their worth by the stake. With the stake 2-3-3, *points*
    are the ACC's game points. *skunks* is the number of losers skunked. *spread* is the total of winning
    margins minus the total of losing margins, in points.
    """

    games: int = 0
    points: int = 0
    skunks: int = 0
    spread: int = 0


def after_game(tally: Sequence[Tally], scores: Sequence[int], winner: int, rules: Rules) -> tuple[Tally, ...]:
    """Return *tally* after a game that side *winner* won. *scores* are the final scores.

    With three sides, each loser's own score decides whether that loser is skunked, and what the loser pays.

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
    """Return whether the match is over: a side has won enough games, or all games are played."""
    games = [side.games for side in tally]
    if rules.games_to_win is not None and max(games) >= rules.games_to_win:
        return True
    return rules.games_in_match is not None and sum(games) >= rules.games_in_match


def leaders(tally: Sequence[Tally]) -> tuple[int, ...]:
    """Return the sides in the lead, by games, then points, then spread. Equal sides are all returned."""
    results = [(side.games, side.points, side.spread) for side in tally]
    return tuple(side for side, result in enumerate(results) if result == max(results))
