"""Gestures: the small flourishes that the lights make when something happened worth looking up for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cribpi.core.rules import Rules
from cribpi.kit import HOLES
from cribpi.views.lights.frame import FULL, Lamp, light_of

STEP: Final = 3 / 16
"""Seconds of a step: a light that is on for one and off for one flashes 2.7 times a second."""

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
        match self.kind:
            case GestureKind.LINE | GestureKind.HEELS | GestureKind.THIRTY_ONE:
                return 3
            case GestureKind.GRAND:
                return 6
            case GestureKind.WIN:
                return -(-self.hole // _SWEEP_HOLES) + _SWEEP_REST_STEPS

    def lamps(self, step: int) -> tuple[Lamp, ...]:
        """Return what lies over the pegs in picture *step*, from 0; nothing before and after."""
        if not 0 <= step < self.steps:
            return ()
        match self.kind:
            case GestureKind.LINE:
                return self._lit(self.hole - 1, self.hole) if step != 1 else ()
            case GestureKind.HEELS:
                return self._lit(self.hole - 1, self.hole + 1) if step != 1 else ()
            case GestureKind.THIRTY_ONE:
                return self._lit(self.hole - 3 + step, self.hole + 3 - step)
            case GestureKind.GRAND:
                return self._lit(self.hole - 1 - step, self.hole + 1 + step)
            case GestureKind.WIN:
                head = min((step + 1) * _SWEEP_HOLES, self.hole)
                swept = (Lamp(self.side, hole, _SWEPT) for hole in range(1, head))
                return (*swept, Lamp(self.side, head, FULL))

    def _lit(self, *holes: int) -> tuple[Lamp, ...]:
        return tuple(Lamp(self.side, hole, FULL) for hole in holes if 1 <= hole <= HOLES)


def line_passed(side: int, before: int, after: int, rules: Rules) -> Gesture | None:
    """Return the gesture for a front peg that went from hole *before* to *after*, or None.

    It is for the last line passed: the skunk line, or the double one, of a game by *rules*.

    >>> line_passed(0, 88, 92, Rules())
    Gesture(kind=<GestureKind.LINE: 'line'>, side=0, hole=91)
    >>> line_passed(0, 91, 93, Rules()) is None
    True
    """
    for past in (rules.skunk_below, rules.double_skunk_below):
        if before < past <= after:
            return Gesture(GestureKind.LINE, side, past)
    return None
