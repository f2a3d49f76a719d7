"""The lights over time: pegs in motion, gestures for special moments, hints and ghosts.

The lights at a time are a pure function of that time, and so is the time of the next change. Times are
seconds of one monotonic clock, passed in. A loop draws `Motion.lights`, then sleeps until `Motion.wakes` or
the next press, whichever comes first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cribpi.companion.entry.context import Context
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
"""Seconds per step: a light that is on for one and off for one flashes 2.7 times a second."""

GRAND: Final = 24
"""A show of this many points or more is worth a gesture."""

_SWEEP_STEP: Final = 3 / 32
_SWEEP_HOLES: Final = 5
_SWEEP_REST_STEPS: Final = 8
_SWEPT: Final = light_of(0.32)
"""The light behind the head of the winner's sweep: a whole track of it stays below 500 mA on 242 LEDs."""


class GestureKind(StrEnum):
    """Occasions for a gesture."""

    LINE = "line"
    """A side has passed the skunk line, or the double one: the holes on both sides of it flash twice."""

    THIRTY_ONE = "thirty-one"
    """The count is full: a ring of light closes in on the front peg."""

    HEELS = "heels"
    """Two for his heels: the holes beside the front peg flash twice."""

    GRAND = "grand"
    """A show of 24 or more: a ring of light runs out from the front peg."""

    WIN = "win"
    """A win: the winner's colour sweeps the track from the first hole to the game hole, and stays a moment.
    """


_PICTURES: Final = {
    GestureKind.LINE: ((-1, 0), (), (-1, 0)),
    GestureKind.HEELS: ((-1, 1), (), (-1, 1)),
    GestureKind.THIRTY_ONE: ((-3, 3), (-2, 2), (-1, 1)),
    GestureKind.GRAND: ((-1, 1), (-2, 2), (-3, 3), (-4, 4), (-5, 5), (-6, 6)),
}
"""The lit holes of each picture, counted from the gesture's hole; the sweep is calculated."""

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
        """Return the lamps that picture *step* (from 0) lights over the pegs; empty outside the gesture."""
        if not 0 <= step < self.steps:
            return ()
        if self.kind is GestureKind.WIN:
            head = min((step + 1) * _SWEEP_HOLES, self.hole)
            swept = (Lamp(self.side, hole, _SWEPT) for hole in range(1, head))
            return (*swept, Lamp(self.side, head, FULL))
        holes = (self.hole + beside for beside in _PICTURES[self.kind][step])
        return tuple(Lamp(self.side, hole, FULL) for hole in holes if 1 <= hole <= HOLES)


def gesture_for(before: State, after: State) -> Gesture | None:
    """Return the gesture for the step from *before* to *after*; None for most steps."""
    last = after.last
    if last is None or after.outcomes is before.outcomes or len(before.pegs) != len(after.pegs):
        return None
    side, hole = last.side, after.pegs[last.side].front
    if after.winner is not None:
        return Gesture(GestureKind.WIN, after.winner, after.rules.target)
    kinds = [_OF_A_SCORE[score.kind] for score in last.scores if score.kind in _OF_A_SCORE]
    if kinds:
        return Gesture(kinds[0], side, hole)
    shown = after.outcomes[0]  # with muggins, the points that the player missed come after it
    worth = total(shown.scores) or shown.points  # a player may have counted wrongly
    if shown.purpose in {Purpose.HAND, Purpose.CRIB} and worth >= GRAND:
        return Gesture(GestureKind.GRAND, shown.side, after.pegs[shown.side].front)
    return line_passed(side, before.pegs[side].front, hole, after.rules)


def line_passed(side: int, before: int, after: int, rules: Rules) -> Gesture | None:
    """Return the gesture for a front peg that moved from hole *before* to *after*, or None.

    It is for the last line passed: the skunk line, or the double one, of a game by *rules*.

    >>> line_passed(0, 88, 92, Rules())
    Gesture(kind=<GestureKind.LINE: 'line'>, side=0, hole=91)
    >>> line_passed(0, 91, 93, Rules()) is None
    True
    """
    lines = (rules.skunk_below, rules.double_skunk_below)
    past = next((line for line in lines if before < line <= after), None)
    return None if past is None else Gesture(GestureKind.LINE, side, past)


def hints_for(view: TableView) -> tuple[tuple[int, int], ...]:
    """Return the holes, as side and hole, that the typed amount would reach, if it can be pegged."""
    state, desk = view.state, view.desk
    if state.entry is not Entry.PEG or desk.dialog is not None or state.winner is not None:
        return ()
    target = state.rules.target
    return tuple((side, min(state.pegs[side].front + desk.amount, target)) for side in view.takers)


def par_now(state: State, context: Context) -> tuple[int | None, ...]:
    """Return `par_holes` while cards are dealt, until the starter, if the settings ask for it; else empty."""
    if context.value("ghost") != "on" or state.phase not in {Phase.DEAL, Phase.STARTER}:
        return ()
    return par_holes(state)


def ghosts_for(state: State, context: Context) -> tuple[tuple[int, int], ...]:
    """Return the ghosts, as side and hole: par while cards are dealt, if the settings ask for it."""
    holes = par_now(state, context)
    return tuple((side, hole) for side, hole in enumerate(holes) if hole is not None)


def games_for(state: State) -> tuple[int, ...]:
    """Return the games won that are pegged, per side; empty if the rules have no third peg."""
    return state.games if state.rules.games_peg else ()


# --- pegs in motion -----------------------------------------------------------------------------------

HOP: Final = 0.08
"""Seconds per hole, unless the walk would then exceed `LONGEST_WALK`."""

LONGEST_WALK: Final = 1.2
"""Seconds of the longest walk."""

TURN: Final = 0.5
"""Seconds for which each of several sides in one hole is shown in turn."""

ATTRACT: Final = 600.0
"""Seconds for which an idle board moves before it goes dark."""

_LEAP: Final = 1.0
_LEAP_HOLES: Final = 4
_LEAP_ROUND: Final = 120
_DIM: Final = light_of(0.4)
_STILL: Final = light_of(0.65)
"""The steady light in still mode of a peg at the start, and of a hole that would be reached."""

_BREATH_STEP: Final = 3 / 32  # 3/32 is exact in binary, so that the n-th step begins at exactly n times this.
_BREATH: Final = tuple(light_of(0.675 - 0.325 * math.cos(math.tau * step / 20)) for step in range(20))
"""Light levels of one breath of 1.9 s: from about a third of the lightness to full and back."""


@dataclass(frozen=True, slots=True)
class _Steps:
    """A number of steps, of *length* seconds each, from *since* on."""

    since: float
    length: float
    number: int = 0

    @property
    def ends(self) -> float:
        return self._time(self.number)

    def begun(self, at: float) -> int:
        """Return the number of the step under way at the time *at*, from 0; negative before the first."""
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
        """Return the time of *step*; every other time here is derived from this one, so that they agree."""
        return self.since + step * self.length


_TURNS: Final = _Steps(0.0, TURN)
_BREATHS: Final = _Steps(0.0, _BREATH_STEP)


@dataclass(frozen=True, slots=True)
class _Walk:
    """A peg of *side* on its way from *old* to *new*, one hole per step.

    The back peg jumps at once to the hole after the front peg and walks on, reaching its final hole one step
    before the end. During that last step the old front peg is dimmed, and then it counts as the back peg.
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
    """The lights of a table over time: *pegs* by side, at rest or on their way.

    ``Motion(kit, pegs)`` is at rest. With *still*, pegs jump instead of walking, nothing pulses, and there
    are no gestures; sides in one hole of a shared track still take turns. *hints* are holes that would be
    reached, as ``(side, hole)``: they breathe. *games* is the pegged games won, per side. *target* is the
    score to win. *ghosts* are holes, as ``(side, hole)``, that stay dimly lit under everything else.

    On a board with two laps, the start of a side on its second lap stays lit, as dim as a back peg: the front
    and back peg alone could stand alike on the first lap.
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
        """Return the motion of an idle table: from *since*, two dim pegs leapfrog, then it goes dark."""
        return cls(kit, (), still, idle_since=since)

    def toward(
        self,
        pegs: tuple[Pegs, ...],
        at: float,
        gesture: Gesture | None = None,
        games: tuple[int, ...] = (),
        target: int | None = None,
    ) -> Motion:
        """Return the motion that goes to *pegs*, from *at* on, and makes *gesture* when it has arrived.

        Earlier motion ends at once, and hints and ghosts are dropped. A side that has leapfrogged walks; a
        side that moved in any other way (undo, a penalty, a new game) jumps, and so does the peg of the
        *games* won. The game goes to *target*, by default the earlier one.
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
        """Return whether *side*'s front peg stands in a starting hole that has no LED."""
        return self.pegs[side].front == START and self.kit.led(side, START) is None

    def _lamps(self, walks: dict[int, _Walk], at: float) -> tuple[Lamp, ...]:
        """Return the pegs in their holes, and the hints.

        A front peg that is off the board pulses in the first hole. The start of a side on its second lap
        stays lit.
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
        """Return two dim pegs of sides 0 and 1, each in turn leaping past the other, round and round."""
        if at >= since + ATTRACT:
            return ()
        leaps = 0 if self.still else _Steps(since, _LEAP).begun(at)
        first = (leaps + 1) // 2 * _LEAP_HOLES
        second = leaps // 2 * _LEAP_HOLES + _LEAP_HOLES // 2
        return Lamp(0, 1 + first % _LEAP_ROUND, _DIM), Lamp(1, 1 + second % _LEAP_ROUND, _DIM)
