"""What the game means for the lights: small flourishes worth looking up for, hints, games that are pegged."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cribpi.companion.entry.by_points import takers
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.ghosts import par_now
from cribpi.companion.kit import HOLES
from cribpi.companion.views.lights.frame import FULL, Lamp, light_of
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.rules import Rules

STEP: Final = 3 / 16
"""Seconds of a step: a light that is on for one and off for one flashes 2.7 times a second."""

GRAND: Final = 24
"""A show of this many points or more is worth a gesture."""

_SWEEP_STEP: Final = 3 / 32
_SWEEP_HOLES: Final = 5
_SWEEP_REST_STEPS: Final = 8
_SWEPT: Final = light_of(0.32)
"""The light behind the winner's sweep: a whole track of it stays below 500 mA on 242 LEDs."""


class GestureKind(StrEnum):
    """What there is a gesture for."""

    LINE = "line"
    """A side has passed the skunk line, or the double one: the holes on both sides of it flash twice."""

    THIRTY_ONE = "thirty-one"
    """The count is full: a ring of light closes in on the front peg."""

    HEELS = "heels"
    """Two for his heels: the holes beside the front peg flash twice."""

    GRAND = "grand"
    """A show of 24 or more: a ring of light runs out from the front peg."""

    WIN = "win"
    """The winner's colour sweeps the track from the first hole to the game hole, and stays a moment."""


_PICTURES: Final = {
    GestureKind.LINE: ((-1, 0), (), (-1, 0)),
    GestureKind.HEELS: ((-1, 1), (), (-1, 1)),
    GestureKind.THIRTY_ONE: ((-3, 3), (-2, 2), (-1, 1)),
    GestureKind.GRAND: ((-1, 1), (-2, 2), (-3, 3), (-4, 4), (-5, 5), (-6, 6)),
}
"""The holes that are lit in each picture, counted from the gesture's own; but for the sweep."""


_OF_A_SCORE: Final = {Kind.THIRTY_ONE: GestureKind.THIRTY_ONE, Kind.HEELS: GestureKind.HEELS}


@dataclass(frozen=True, slots=True)
class Gesture:
    """A gesture of *side* at *hole*: its front peg, or, for the line, the first hole past it."""

    kind: GestureKind
    side: int
    hole: int

    @property
    def step(self) -> float:
        """Seconds between two pictures."""
        return _SWEEP_STEP if self.kind is GestureKind.WIN else STEP

    @property
    def steps(self) -> int:
        """Pictures until it is over."""
        if self.kind is GestureKind.WIN:
            return -(-self.hole // _SWEEP_HOLES) + _SWEEP_REST_STEPS
        return len(_PICTURES[self.kind])

    def lamps(self, step: int) -> tuple[Lamp, ...]:
        """Return what lies over the pegs in picture *step*, from 0; nothing before and after."""
        if not 0 <= step < self.steps:
            return ()
        if self.kind is GestureKind.WIN:
            head = min((step + 1) * _SWEEP_HOLES, self.hole)
            swept = (Lamp(self.side, hole, _SWEPT) for hole in range(1, head))
            return (*swept, Lamp(self.side, head, FULL))
        holes = (self.hole + beside for beside in _PICTURES[self.kind][step])
        return tuple(Lamp(self.side, hole, FULL) for hole in holes if 1 <= hole <= HOLES)


def gesture_for(before: State, after: State) -> Gesture | None:
    """Return the gesture for the step from *before* to *after*; None for most."""
    last = after.last
    if last is None or after.outcomes is before.outcomes or len(before.pegs) != len(after.pegs):
        return None
    side, hole = last.side, after.pegs[last.side].front
    if after.winner is not None:
        return Gesture(GestureKind.WIN, after.winner, after.rules.target)
    kinds = [_OF_A_SCORE[score.kind] for score in last.scores if score.kind in _OF_A_SCORE]
    if kinds:
        return Gesture(kinds[0], side, hole)
    shown = after.outcomes[0]  # with muggins, what its player missed comes after it
    if shown.purpose in {Purpose.HAND, Purpose.CRIB} and shown.worth >= GRAND:
        return Gesture(GestureKind.GRAND, shown.side, after.pegs[shown.side].front)
    return line_passed(side, before.pegs[side].front, hole, after.rules)


def line_passed(side: int, before: int, after: int, rules: Rules) -> Gesture | None:
    """Return the gesture for a front peg that went from hole *before* to *after*, or None.

    It is for the last line passed: the skunk line, or the double one, of a game by *rules*.

    >>> line_passed(0, 88, 92, Rules())
    Gesture(kind=<GestureKind.LINE: 'line'>, side=0, hole=91)
    >>> line_passed(0, 91, 93, Rules()) is None
    True
    """
    lines = (rules.skunk_below, rules.double_skunk_below)
    past = next((line for line in lines if before < line <= after), None)
    return None if past is None else Gesture(GestureKind.LINE, side, past)


def hints_for(state: State, desk: Desk) -> tuple[tuple[int, int], ...]:
    """Return the holes, as side and hole, that the amount typed would reach, if it can be pegged."""
    if state.entry is not Entry.PEG or desk.dialog is not None or state.winner is not None:
        return ()
    target = state.rules.target
    return tuple((side, min(state.pegs[side].front + desk.amount, target)) for side in takers(state, desk))


def ghosts_for(state: State, desk: Desk) -> tuple[tuple[int, int], ...]:
    """Return the ghosts, as side and hole: par while cards are dealt, where the settings ask for it."""
    holes = par_now(state, desk)
    return tuple((side, hole) for side, hole in enumerate(holes) if hole is not None)


def games_for(state: State) -> tuple[int, ...]:
    """Return the games won that are pegged, a number a side; none where the rules have no third peg."""
    return state.games if state.rules.games_peg else ()
