"""The last holes, as two of the level `expert` play them: how much more often the dealer wins there.

An average deal is that of players who keep and play the same cards at every score.  Players who play to the
score do otherwise near the end: whoever needs four points keeps cards that peg four.  So `expert` plays deals
against itself from there, and what the dealer wins more often than after an average deal is a table.

`make endgame` makes it in an hour of one core: first with the chances of average
deals, then once more with those that came out.  Every deal is seeded, and the sums are in order, so it gives
the same table again.
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
"""The deals of each round."""

SEED: Final = 16

FARTHEST: Final = ENDGAME + 3
"""The most points to go from which deals are played: the table is smoothed over a few holes."""

CLOSE: Final = 12
"""The most points to go in every other deal: there the table is steepest."""

NEAR: Final = 2
"""A deal also says how it had ended with up to so many points fewer to go, for either side."""

FADING: Final = 6
"""Over the last so many holes of the table, what it says fades to nothing."""

_PER_HOLE: Final = 0.5
"""What a deal counts for each point fewer than those it was played from."""

_SMOOTH: Final = 2.0
"""The width of the smoothing, in holes."""

_RIDGE: Final = 20.0
"""Deals that say nothing, so that a few alone don't say much."""

_MOST: Final = 0.2
"""What the table says at most."""

_LEAST_ROOM: Final = 0.01

_TIMES: Final = 6
"""How often the table and the chances that follow from it are worked out from each other."""

_PIECE: Final = 100
"""Deals that a process plays at a time."""

_TELLING: Final = 2_000

Pegged: TypeAlias = tuple[tuple[int, int], ...]
"""What was pegged in a deal, in order: the role, `DEALER` or `PONE`, and the points."""

Played: TypeAlias = tuple[int, int, Pegged]
"""A deal: the points that the dealer and pone had to go, and what they pegged, up to the one that won."""


def played_deal(number: int, usual: AverageGame, seed: int) -> Played:
    """Play deal *number* between two of the level `expert`, from points to go that it draws."""
    chance = Random(f"{seed}/{number}")  # noqa: S311  so that it can be had again
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


def left_after(pegged: Pegged, to_go: tuple[int, int]) -> tuple[int, int]:
    """Return the points that both have to go after a deal from *to_go*; whoever has 0 has won.

    >>> left_after(((0, 1), (1, 8), (0, 6)), (7, 9)), left_after(((0, 1), (1, 8), (0, 6)), (7, 8))
    ((0, 1), (6, 0))
    """
    left = list(to_go)
    for role, points in pegged:
        left[role] = max(left[role] - points, 0)
        if not left[role]:
            break
    return left[DEALER], left[PONE]


def endgame_of(played: Iterable[Played], points: DealPoints) -> Floats:
    """Return how much more often the dealer wins than *points* say: shape (ENDGAME + 1, ENDGAME + 1).

    Each deal counts for the points to go that it was played from, and less for a few less, from which it can
    be told how it had ended.  What is found is smoothed, and made to fit the chances that follow from it.
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
    bells = np.exp(-0.5 * ((holes[:, None] - holes) / _SMOOTH) ** 2)  # how much each counts for each other
    plain = replace(points, endgame=np.zeros_like(points.endgame))
    more = np.zeros((size, size))
    for _ in range(_TIMES):
        chances = solve(replace(points, endgame=on_the_board(_tapered(more))))
        brought = settled(1.0 - chances.T)[left_dealer, left_pone]
        expected = stages(plain, chances).deal[dealer, pone]
        room = 4 * expected * (1.0 - expected)  # what `lifted` moves it by
        over, under = (
            bells @ np.bincount(place, weight * one, size * size).reshape(size, size) @ bells.T
            for one in (room * (brought - expected), room * room)
        )
        more = over / (under + _RIDGE)
    return _tapered(np.clip(more, -_MOST, _MOST))


def _tapered(more: Floats) -> Floats:
    """Return *more* for the points to go of the table, fading to nothing over its last holes."""
    size = ENDGAME + 1
    share = np.clip((size - np.arange(size)) / FADING, 0.0, 1.0)
    faded = more[:size, :size] * np.minimum(share[:, None], share)
    faded[0], faded[:, 0] = 0.0, 0.0
    return faded


def endgame_table(tell: Tell, rounds: Sequence[int] = ROUNDS, jobs: int = 1) -> Arrays:
    """Make the table of what `DealPoints.endgame` is, from deals of *rounds*, played in *jobs* processes.

    In each round `expert` plays by the chances that the round before has led to.
    """
    average, more, first = average_deal(), np.zeros((ENDGAME + 1, ENDGAME + 1)), 0
    for number, deals in enumerate(rounds, 1):
        points = replace(average, endgame=on_the_board(more))
        usual = AverageGame(points, settled(1.0 - solve(points).T))
        played: list[Played] = []
        for piece in _pieces(range(first, first + deals), usual, jobs):
            played += piece
            if len(played) % _TELLING == 0:
                tell(f"round {number} of {len(rounds)}: {len(played):,} of {deals:,} deals")
        more = endgame_of(played, average)
        first += deals
    return {"more": np.rint(calibrated(more, average) * SCALE).astype(np.int32)}


def calibrated(more: Floats, points: DealPoints) -> Floats:
    """Return *more* so that a hole more to go is never better: what deals say against that is chance."""
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


def _pieces(numbers: range, usual: AverageGame, jobs: int) -> Iterator[list[Played]]:
    pieces = [numbers[start : start + _PIECE] for start in range(0, len(numbers), _PIECE)]
    if jobs == 1:
        yield from map(partial(_piece, usual), pieces)
        return
    # Spawned, not forked: a fork of a process with threads may deadlock.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(partial(_piece, usual), pieces)


def _piece(usual: AverageGame, numbers: range) -> list[Played]:
    return [played_deal(number, usual, SEED) for number in numbers]
