"""The lights over time: pegs in motion, gestures for special moments, hints and ghosts.

The lights and the time of their next change are pure functions of the current time, in seconds of one
monotonic clock. A loop draws `Motion.lights`, then sleeps until `Motion.wakes` or the next press, whichever
comes first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.view import TableView
from cribpi.companion.kit import HOLES, Kit
from cribpi.companion.views.lights.frame import FULL, QUARTER, Lamp, Lights, light_of, meet_on_a_led
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.show import Kind, total
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.results.games import par_holes
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.seats import START, Pegs

STEP: Final = 3 / 16
"""Seconds per picture of a gesture: a light that is on for one and off for one flashes 2.7 times a second."""

GRAND: Final = 24
"""Minimum points of a show that gets a gesture."""

_SWEEP_STEP: Final = 3 / 32
_SWEEP_HOLES: Final = 5
_SWEEP_REST_STEPS: Final = 8
_SWEPT: Final = light_of(0.32)
"""The light of the tail of the winner's sweep: on 242 LEDs, a whole track of it draws less than 500 mA."""


class GestureKind(StrEnum):
    """Occasions for a gesture."""

    LINE = "line"
    """A side has passed a skunk line, single or double: the holes on both sides of it flash twice."""

    THIRTY_ONE = "thirty-one"
    """The count is 31: a ring of light closes in on the front peg."""

    HEELS = "heels"
    """Two points for his heels: the holes beside the front peg flash twice."""

    GRAND = "grand"
    """A show of 24 or more: a ring of light runs out from the front peg."""

    WIN = "win"
    """A win: the winner's colour fills the track from the first hole to the game hole, and stays a moment."""


_PICTURES: Final = {
    GestureKind.LINE: ((-1, 0), (), (-1, 0)),
    GestureKind.HEELS: ((-1, 1), (), (-1, 1)),
    GestureKind.THIRTY_ONE: ((-3, 3), (-2, 2), (-1, 1)),
    GestureKind.GRAND: ((-1, 1), (-2, 2), (-3, 3), (-4, 4), (-5, 5), (-6, 6)),
}
"""The lit holes of each picture, relative to the gesture's hole.  The sweep of WIN is computed instead."""

_OF_A_SCORE: Final = {Kind.THIRTY_ONE: GestureKind.THIRTY_ONE, Kind.HEELS: GestureKind.HEELS}


@dataclass(frozen=True, slots=True)
class Gesture:
    """A gesture of *side* at *hole*: the hole of its front peg, or the first hole past a skunk line."""

    kind: GestureKind
    side: int
    hole: int

    @property
    def step(self) -> float:
        """Seconds between two pictures."""
        return _SWEEP_STEP if self.kind is GestureKind.WIN else STEP

    @property
    def steps(self) -> int:
        """Number of pictures in the gesture."""
        if self.kind is GestureKind.WIN:
            return -(-self.hole // _SWEEP_HOLES) + _SWEEP_REST_STEPS
        return len(_PICTURES[self.kind])

    def lamps(self, step: int) -> tuple[Lamp, ...]:
        """Return the lamps of picture *step*, from 0, which cover the pegs; () outside the gesture."""
        if not 0 <= step < self.steps:
            return ()
        if self.kind is GestureKind.WIN:
            head = min((step + 1) * _SWEEP_HOLES, self.hole)
            swept = (Lamp(self.side, hole, _SWEPT) for hole in range(1, head))
            return (*swept, Lamp(self.side, head, FULL))
        holes = (self.hole + beside for beside in _PICTURES[self.kind][step])
        return tuple(Lamp(self.side, hole, FULL) for hole in holes if 1 <= hole <= HOLES)


def gesture_for(before: State, after: State) -> Gesture | None:
    """Return the gesture for the event that led from *before* to *after*; None for most events."""
    last = after.last
    if last is None or after.outcomes is before.outcomes or len(before.pegs) != len(after.pegs):
        return None
    side, hole = last.side, after.pegs[last.side].front
    if after.winner is not None:
        return Gesture(GestureKind.WIN, after.winner, after.rules.target)
    kinds = [_OF_A_SCORE[score.kind] for score in last.scores if score.kind in _OF_A_SCORE]
    if kinds:
        return Gesture(kinds[0], side, hole)
    shown = after.outcomes[0]  # the show itself: points missed, taken by muggins, follow it
    worth = total(shown.scores) or shown.points  # the true worth: the player may have miscounted
    if shown.purpose in {Purpose.HAND, Purpose.CRIB} and worth >= GRAND:
        return Gesture(GestureKind.GRAND, shown.side, after.pegs[shown.side].front)
    return line_passed(side, before.pegs[side].front, hole, after.rules)


def line_passed(side: int, before: int, after: int, rules: Rules) -> Gesture | None:
    """Return the gesture for a front peg that moved from hole *before* to *after*, or None.

    If it passed both skunk lines of *rules*, the gesture is for the last one.

    >>> line_passed(0, 88, 92, Rules())
    Gesture(kind=<GestureKind.LINE: 'line'>, side=0, hole=91)
    >>> line_passed(0, 91, 93, Rules()) is None
    True
    """
    lines = (rules.skunk_below, rules.double_skunk_below)
    past = next((line for line in lines if before < line <= after), None)
    return None if past is None else Gesture(GestureKind.LINE, side, past)


def hints_for(view: TableView) -> tuple[tuple[int, int], ...]:
    """Return the holes that the typed amount would reach, as (side, hole); () if it can't be pegged."""
    state, input_state = view.state, view.input_state
    if state.entry is not Entry.PEG or input_state.dialog is not None or state.winner is not None:
        return ()
    target = state.rules.target
    return tuple((side, min(state.pegs[side].front + input_state.amount, target)) for side in view.takers)


def par_now(state: State, context: InputContext) -> tuple[int | None, ...]:
    """Return `par_holes` from the deal to the starter if the ghost setting is on; otherwise ()."""
    if context.value("ghost") != "on" or state.phase not in {Phase.DEAL, Phase.STARTER}:
        return ()
    return par_holes(state)


def ghosts_for(state: State, context: InputContext) -> tuple[tuple[int, int], ...]:
    """Return the ghosts of `par_now`, as (side, hole): the holes where each side should be by now."""
    holes = par_now(state, context)
    return tuple((side, hole) for side, hole in enumerate(holes) if hole is not None)


def games_for(state: State) -> tuple[int, ...]:
    """Return the games won per side, or () if the rules have no peg for them."""
    return state.games if state.rules.games_peg else ()


# --- pegs in motion -----------------------------------------------------------------------------------

HOP: Final = 0.08
"""Seconds per hole of a walking peg; less if the walk would exceed `LONGEST_WALK`."""

LONGEST_WALK: Final = 1.2
"""Maximum duration of a walk, in seconds."""

TURN: Final = 0.5
"""Seconds for which each side is shown if several in one hole take turns."""

ATTRACT: Final = 600.0
"""Seconds for which the pegs of an idle board move before it goes dark."""

_LEAP: Final = 1.0
_LEAP_HOLES: Final = 4
_LEAP_ROUND: Final = 120
_DIM: Final = light_of(0.4)
_STILL: Final = light_of(0.65)
"""The steady light in still mode of lamps that otherwise breathe: a peg at the start, and hints."""

_BREATH_STEP: Final = 3 / 32  # 3/32 is exact in binary: step n begins at exactly n times this
_BREATH: Final = tuple(light_of(0.675 - 0.325 * math.cos(math.tau * step / 20)) for step in range(20))
"""Light levels of one breath of 1.9 s: from about a third of the lightness to full and back."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """A clock that makes *number* steps of *length* seconds each, beginning at the time *since*."""

    since: float
    length: float
    number: int = 0

    @property
    def ends(self) -> float:
        return self._time(self.number)

    def begun(self, at: float) -> int:
        """Return the number of the current step at the time *at*, from 0; negative before the first."""
        count = math.floor((at - self.since) / self.length)
        while self._time(count) > at:
            count -= 1
        while self._time(count + 1) <= at:
            count += 1
        return count

    def next(self, at: float) -> float:
        """Return the time of the next step after *at*."""
        return max(self.since, self._time(self.begun(at) + 1))

    def _time(self, step: int) -> float:
        """Return the time of *step*.  All times are computed here, so that rounding errors agree."""
        return self.since + step * self.length


_TURNS: Final = _Steps(0.0, TURN)
_BREATHS: Final = _Steps(0.0, _BREATH_STEP)


@dataclass(frozen=True, slots=True)
class _Walk:
    """A peg of *side* on its way from *old* to *new*, one hole per step.

    The back peg jumps to the hole after the front peg and walks on. It reaches its final hole one step before
    the end. During the last step the old front peg is dimmed: it has become the back peg.
    """

    side: int
    old: Pegs
    new: Pegs
    steps: _Steps

    @classmethod
    def begun(cls, side: int, old: Pegs, new: Pegs, at: float) -> _Walk:
        holes = new.front - old.front
        return cls(side, old, new, _Steps(at, min(HOP, LONGEST_WALK / holes), holes))

    def left_behind(self, at: float) -> Lamp:
        """Return the lamp of the old front peg: full until the walker has arrived."""
        arrived = self.steps.begun(at) >= self.steps.number - 1
        return Lamp(self.side, self.old.front, FULL / 2 if arrived else FULL)

    def walker(self, at: float) -> Lamp:
        step = min(self.steps.begun(at), self.steps.number - 1)
        return Lamp(self.side, self.old.front + 1 + step, FULL)


@dataclass(frozen=True, slots=True)
class Motion:
    """The lights of a table over time: *pegs* by side, at rest or walking.

    ``Motion(kit, pegs)`` is at rest. With *still*, pegs jump instead of walking, nothing pulses, and there
    are no gestures; but sides that share a hole still take turns. *hints* are holes that a typed amount would
    reach, as ``(side, hole)``; they breathe. *games* is the number of games won per side. *target* is the
    score to win. *ghosts* are holes, as ``(side, hole)``, that are dimly lit unless something covers them.

    On a board with two laps, a side on its second lap also has its start lit, as dim as a back peg.
    Otherwise its pegs would look the same as on the first lap.
    """

    kit: Kit
    pegs: tuple[Pegs, ...]
    still: bool = False
    hints: tuple[tuple[int, int], ...] = ()
    idle_since: float | None = None
    games: tuple[int, ...] = ()
    target: int = HOLES
    ghosts: tuple[tuple[int, int], ...] = ()
    _walks: tuple[_Walk, ...] = ()
    _gesture: Gesture | None = None
    _pictures: _Steps = _Steps(0.0, STEP)

    @classmethod
    def attract(cls, kit: Kit, since: float, *, still: bool = False) -> Motion:
        """Return the motion of an idle table: from *since* on, two dim pegs leapfrog, until it goes dark."""
        return cls(kit, (), still, idle_since=since)

    def toward(
        self,
        pegs: tuple[Pegs, ...],
        at: float,
        gesture: Gesture | None = None,
        games: tuple[int, ...] = (),
        target: int | None = None,
    ) -> Motion:
        """Return the motion that moves to *pegs*, starting at the time *at*, and then makes *gesture*.

        Earlier motion ends at once, and hints and ghosts are removed. If a side's back peg has leapfrogged
        its front peg, it walks; after any other move (undo, a penalty, a new game) pegs jump, and so does the
        peg for *games* won. *target* is the score to win, by default as before.
        """
        goes_to = self.target if target is None else target
        fresh = Motion(self.kit, pegs, self.still, games=games, target=goes_to)
        if self.still:
            return fresh
        is_same_game = len(pegs) == len(self.pegs)
        walks = tuple(
            _Walk.begun(side, old, new, at)
            for side, (old, new) in enumerate(zip(self.pegs, pegs, strict=False))
            if is_same_game and new.back == old.front < new.front
        )
        there = max((walk.steps.ends for walk in walks), default=at)
        if gesture is None:
            return replace(fresh, _walks=walks)
        pictures = _Steps(there, gesture.step, gesture.steps)
        return replace(fresh, _walks=walks, _gesture=gesture, _pictures=pictures)

    def lights(self, at: float) -> Lights:
        if self.idle_since is not None:
            return Lights(self._leapfrogging(self.idle_since, at))
        walks = self._walking(at)
        gesture = self._gesture.lamps(self._pictures.begun(at)) if self._gesture else ()
        walkers = (walk.walker(at) for walk in walks.values())
        pegs = self._lamps(walks, at)
        turn = math.floor(at / TURN)
        return Lights(pegs, (*gesture, *walkers), turn, self.games, self.target, self.ghosts)

    def wakes(self, at: float) -> float | None:
        """Return the time of the next change after *at*, or None if nothing moves."""
        if self.idle_since is not None:
            ends = self.idle_since + ATTRACT
            next_leap = ends if self.still else _Steps(self.idle_since, _LEAP).next(at)
            return next_leap if at < ends else None
        walks = self._walking(at)
        moving = [walk.steps for walk in walks.values()]
        if self._gesture and at < self._pictures.ends:
            moving.append(self._pictures)
        if not self.still and (self.hints or any(self._is_off_board(side) for side in self._at_rest(walks))):
            moving.append(_BREATHS)
        at_rest = Lights(self._lamps(walks, at), games=self.games, target=self.target)
        if meet_on_a_led(self.kit, at_rest):
            moving.append(_TURNS)
        return min((steps.next(at) for steps in moving), default=None)

    def _walking(self, at: float) -> dict[int, _Walk]:
        return {walk.side: walk for walk in self._walks if at < walk.steps.ends}

    def _at_rest(self, walks: dict[int, _Walk]) -> list[int]:
        return [side for side in range(len(self.pegs)) if side not in walks]

    def _is_off_board(self, side: int) -> bool:
        """Return whether *side*'s front peg is at the start and the start has no LED."""
        return self.pegs[side].front == START and self.kit.led(side, START) is None

    def _lamps(self, walks: dict[int, _Walk], at: float) -> tuple[Lamp, ...]:
        """Return the pegs in their holes, and the hints.

        A front peg at a start without an LED breathes in the first hole instead. The start of a side on its
        second lap is lit too.
        """
        breath = _STILL if self.still else _BREATH[math.floor(at / _BREATH_STEP) % len(_BREATH)]
        lamps = [walk.left_behind(at) for walk in walks.values()]
        for side in self._at_rest(walks):
            pegs, is_off = self.pegs[side], self._is_off_board(side)
            lamps.append(Lamp(side, START + 1, breath) if is_off else Lamp(side, pegs.front, FULL))
            lamps.append(Lamp(side, pegs.back, QUARTER))
        for side, pegs in enumerate(self.pegs):
            front = walks[side].walker(at).hole if side in walks else pegs.front
            if self.kit.track_of(side).lap_of(front, self.target) > 1:
                lamps.append(Lamp(side, START, QUARTER))
        return (*lamps, *(Lamp(side, hole, breath) for side, hole in self.hints))

    def _leapfrogging(self, since: float, at: float) -> tuple[Lamp, ...]:
        """Return two dim pegs, of sides 0 and 1, that leap past each other in turn all round the board."""
        if at >= since + ATTRACT:
            return ()
        leaps = 0 if self.still else _Steps(since, _LEAP).begun(at)
        first = (leaps + 1) // 2 * _LEAP_HOLES
        second = leaps // 2 * _LEAP_HOLES + _LEAP_HOLES // 2
        return Lamp(0, 1 + first % _LEAP_ROUND, _DIM), Lamp(1, 1 + second % _LEAP_ROUND, _DIM)
