"""The endgame table: how much more often the dealer wins near the end than the average deal predicts.

Average deals assume that players keep and play the same cards at every score.  Near the end, good players
consider the score: a player who needs four points keeps cards that peg four.  So `expert` plays deals
against itself from there, and the table has the difference from the average deal.

`make endgame` takes an hour on one core: first with the chances of average deals, then once more with the
resulting ones.  Deals are seeded and added up in order, so the table is reproducible.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from typing import Final, TypeAlias

import numpy as np

from cribpi.cribbage.analysis.pack import Floats
from cribpi.cribbage.analysis.tables import Arrays, Tell
from cribpi.cribbage.analysis.winning import (
    ENDGAME,
    SCALE,
    DealPoints,
    average_deal,
    on_the_board,
    settled,
    solve,
    stages,
)
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import GameStarted, ScorePutRight
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.expert import Expert
from cribpi.cribbage.players.games import next_event
from cribpi.cribbage.players.win_chance import AverageGame
from cribpi.cribbage.rules.rules import STANDARD

DEALER, PONE = 0, 1

ROUNDS: Final = (8_000, 30_000)
"""Number of deals in each round."""

SEED: Final = 16

FARTHEST: Final = ENDGAME + 3
"""Maximum points to go when a deal begins; beyond the table, which is smoothed over a few holes."""

CLOSE: Final = 12
"""Maximum points to go in every other deal, where the table is steepest."""

NEAR: Final = 2
"""Each deal is also evaluated as if either side had up to this many points fewer to go."""

FADING: Final = 6
"""Number of last holes of the table over which its values fade to zero."""

_PER_HOLE: Final = 0.5
"""Factor of a deal's weight for each point fewer than it was played from."""

_SMOOTH: Final = 2.0
"""Width of the smoothing, in holes."""

_RIDGE: Final = 20.0
"""Regularization: weight of the prior, which is zero."""

_MOST: Final = 0.2
"""Maximum absolute value in the table."""

_LEAST_ROOM: Final = 0.01

_TIMES: Final = 6
"""Number of iterations between the table and the chances that follow from it."""

_PIECE: Final = 100
"""Deals in a batch of a process."""

_TELLING: Final = 2_000

PeggedPoints: TypeAlias = tuple[tuple[int, int], ...]
"""Points pegged in a deal, in order: the role, `DEALER` or `PONE`, and the points."""

PeggedDeal: TypeAlias = tuple[int, int, PeggedPoints]
"""A deal: the dealer's and pone's points to go at its start, and the points pegged, up to a win."""


def played_deal(number: int, usual: AverageGame, seed: int) -> PeggedDeal:
    """Play deal *number* between two `expert` players, from random points to go."""
    chance = Random(f"{seed}/{number}")  # noqa: S311  must be reproducible
    most = chance.choice((CLOSE, FARTHEST))
    to_go = chance.randint(1, most), chance.randint(1, most)
    pack = chance.sample(PACK, len(PACK))
    seats = [Expert(chance.getrandbits(64), reads=False, usual=usual) for _ in to_go]
    state, pegged = step(NEW_TABLE, GameStarted(("DEALER", "PONE"), STANDARD, dealer=DEALER)), []
    for role, points in enumerate(to_go):
        state = step(state, ScorePutRight(role, STANDARD.target - points))
    while state.winner is None and state.deal is not None and state.deal.number == 1:
        before, state = state, step(state, next_event(state, seats, pack))
        scores = zip(before.scores(), state.scores(), strict=True)
        pegged += [(role, now - then) for role, (then, now) in enumerate(scores) if now > then]
    return (*to_go, tuple(pegged))


def left_after(pegged: PeggedPoints, to_go: tuple[int, int]) -> tuple[int, int]:
    """Return both sides' points to go after a deal from *to_go*; 0 means that the side has won.

    >>> left_after(((0, 1), (1, 8), (0, 6)), (7, 9)), left_after(((0, 1), (1, 8), (0, 6)), (7, 8))
    ((0, 1), (6, 0))
    """
    remaining = list(to_go)
    for role, points in pegged:
        remaining[role] = max(remaining[role] - points, 0)
        if not remaining[role]:
            break
    return remaining[DEALER], remaining[PONE]


def endgame_of(played: Iterable[PeggedDeal], points: DealPoints) -> Floats:
    """Return the dealer's extra win rate relative to *points*: shape (ENDGAME + 1, ENDGAME + 1).

    Each deal counts for the points to go that it was played from, and with less weight for slightly fewer
    (`NEAR`).  The result is smoothed, and iterated until it is consistent with the chances it implies.
    """
    rows = np.array(
        [
            (dealer - fewer, pone - less, *left_after(pegged, (dealer - fewer, pone - less)), fewer + less)
            for dealer, pone, pegged in played
            for fewer, less in product(range(min(NEAR + 1, dealer)), range(min(NEAR + 1, pone)))
        ]
    ).T
    dealer, pone, left_dealer, left_pone, away = rows
    weight = _PER_HOLE**away
    size = FARTHEST + 1
    place = dealer * size + pone
    holes = np.arange(size)
    bells = np.exp(-0.5 * ((holes[:, None] - holes) / _SMOOTH) ** 2)  # weight of each hole for each other
    plain = replace(points, endgame=np.zeros_like(points.endgame))
    more = np.zeros((size, size))
    for _ in range(_TIMES):
        chances = solve(replace(points, endgame=on_the_board(_tapered(more))))
        brought = settled(1.0 - chances.T)[left_dealer, left_pone]
        expected = stages(plain, chances).deal[dealer, pone]
        room = 4 * expected * (1.0 - expected)  # `lifted` scales the table's values by this
        over, under = (
            bells @ np.bincount(place, weight * terms, size * size).reshape(size, size) @ bells.T
            for terms in (room * (brought - expected), room * room)
        )
        more = over / (under + _RIDGE)
    return _tapered(np.clip(more, -_MOST, _MOST))


def _tapered(more: Floats) -> Floats:
    """Return *more* cut to the size of the table, fading to zero over its last holes."""
    size = ENDGAME + 1
    share = np.clip((size - np.arange(size)) / FADING, 0.0, 1.0)
    faded = more[:size, :size] * np.minimum(share[:, None], share)
    faded[0], faded[:, 0] = 0.0, 0.0
    return faded


def endgame_table(tell: Tell, rounds: Sequence[int] = ROUNDS, jobs: int = 1) -> Arrays:
    """Make the table for `DealPoints.endgame` from *rounds* of deals, played in *jobs* processes.

    In each round, `expert` plays by the chances of the round before.
    """
    average, first = average_deal(), 0
    more = np.zeros((ENDGAME + 1, ENDGAME + 1))
    for number, deals in enumerate(rounds, 1):
        points = replace(average, endgame=on_the_board(more))
        usual = AverageGame(points, settled(1.0 - solve(points).T))
        played: list[PeggedDeal] = []
        for piece in _pieces(range(first, first + deals), usual, jobs):
            played += piece
            if len(played) % _TELLING == 0:
                tell(f"round {number} of {len(rounds)}: {len(played):,} of {deals:,} deals")
        more = endgame_of(played, average)
        first += deals
    return {"more": np.rint(calibrated(more, average) * SCALE).astype(np.int32)}


def calibrated(more: Floats, points: DealPoints) -> Floats:
    """Return *more* adjusted so that a hole more to go is never better; any such result is noise."""
    near, and_next = slice(1, ENDGAME + 1), slice(1, ENDGAME + 2)
    plain = replace(points, endgame=np.zeros_like(points.endgame))
    more = more.copy()
    for _ in range(_TIMES):
        chances = solve(replace(points, endgame=on_the_board(more)))
        expected = stages(plain, chances).deal[near, near]
        # The dealer's chance falls with the dealer's points to go, and grows with pone's.
        level = np.maximum.accumulate(chances[and_next, and_next][::-1], axis=0)[::-1]
        level = np.minimum.accumulate(level[:, ::-1], axis=1)[:, ::-1][:-1, :-1]
        room = 4 * expected * (1.0 - expected)
        more[near, near] += (level - chances[near, near]) / np.maximum(room, _LEAST_ROOM)
    return np.clip(more, -_MOST, _MOST)


def _pieces(numbers: range, usual: AverageGame, jobs: int) -> Iterator[list[PeggedDeal]]:
    pieces = [numbers[start : start + _PIECE] for start in range(0, len(numbers), _PIECE)]
    if jobs == 1:
        yield from map(partial(_piece, usual), pieces)
        return
    # Spawned, not forked: a fork of a process with threads may deadlock.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(partial(_piece, usual), pieces)


def _piece(usual: AverageGame, numbers: range) -> list[PeggedDeal]:
    return [played_deal(number, usual, SEED) for number in numbers]
