"""What the game means for the lights: a gesture for a step, holes that breathe, games that are pegged."""

from __future__ import annotations

from typing import Final

from cribpi.core.events import CribShown, Entry, HandCounted, HandShown, PointsPegged
from cribpi.core.scores import Kind
from cribpi.core.state import Phase, State
from cribpi.entry.by_points import takers
from cribpi.entry.desk import Desk
from cribpi.views.lights.gestures import Gesture, GestureKind, line_passed

GRAND: Final = 24
"""A show of this many points or more is worth a gesture."""


def gesture_for(before: State, after: State) -> Gesture | None:
    """Return the gesture for the step from *before* to *after*; None for most."""
    last = after.last
    if last is None or after.outcomes is before.outcomes or len(before.pegs) != len(after.pegs):
        return None
    side, hole = last.side, after.pegs[last.side].front
    if after.winner is not None:
        return Gesture(GestureKind.WIN, after.winner, after.rules.target)
    kinds = {score.kind for score in last.scores}
    if Kind.THIRTY_ONE in kinds:
        return Gesture(GestureKind.THIRTY_ONE, side, hole)
    if Kind.HEELS in kinds:
        return Gesture(GestureKind.HEELS, side, hole)
    is_show = isinstance(last.event, HandShown | CribShown | HandCounted) or (
        isinstance(last.event, PointsPegged) and before.phase in {Phase.SHOW, Phase.CRIB}
    )
    if is_show and last.points >= GRAND:
        return Gesture(GestureKind.GRAND, side, hole)
    return line_passed(side, before.pegs[side].front, hole, after.rules)


def hints_for(state: State, desk: Desk) -> tuple[tuple[int, int], ...]:
    """Return the holes, as side and hole, that the amount typed would reach, if it can be pegged."""
    if state.entry is not Entry.PEG or not desk.typed or desk.dialog is not None or state.winner is not None:
        return ()
    target = state.rules.target
    return tuple((side, min(state.pegs[side].front + desk.amount, target)) for side in takers(state, desk))


def games_for(state: State) -> tuple[int, ...]:
    """Return the games won that are pegged, a number a side; none where the rules have no third peg."""
    return tuple(state.games[side] for side in range(state.sides)) if state.rules.games_peg else ()
