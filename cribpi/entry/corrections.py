"""Corrections at a table: what a side can ask for, and the keys while that is open."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cribpi.core.events import (
    Entry,
    Event,
    FalseWinRuled,
    Misdealt,
    MugginsCalled,
    PenaltyPegged,
    ScorePutRight,
)
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps.corrections import muggins_calls
from cribpi.entry.desk import Correct, Desk, FalseWin
from cribpi.entry.lines import STEPS, line_of
from cribpi.entry.reply import Reply

BY_TENS: Final = 10


def lines(state: State) -> tuple[str, ...]:
    """Return what a side can ask for by the rules of this game: each has a line, picked by a rank key."""
    found = ["penalty", "score"]
    if state.rules.miscount == "muggins":
        found.append("muggins")
    if state.rules.false_win == "acc" and state.deal is not None:
        found.append("false-win")
    if state.deal is not None:
        found.append("misdeal")
    return tuple(found)


def open_for(state: State, side: int) -> Correct:
    """Return the corrections of *side*, at muggins where it can take what another has just missed."""
    counted = state.counted
    if "muggins" in lines(state) and counted is not None and counted.side != side and counted.least:
        line = lines(state).index("muggins")
        return Correct(side, state.pegs[side].front, line=line, muggins=counted.least)
    first = next(call for call in _calls(state, side) if call >= 0)
    return Correct(side, state.pegs[side].front, muggins=first)


def missed_by(state: State, side: int) -> int:
    """Return the side whose count *side* calls muggins on: whose show was last, or else the next side."""
    counted = state.counted
    is_any_card = state.entry is Entry.PEG and state.phase is Phase.PLAY
    if counted is not None and counted.side != side and not is_any_card:
        return counted.side
    return (side + 1) % state.sides


def press(state: State, desk: Desk, dialog: Correct, key: str) -> Reply:
    """Take a key while the corrections of a side are open; GO goes on to the next side.

    OK leaves, where nothing is to be changed or called.
    """
    what = lines(state)[dialog.line % len(lines(state))]
    if key == "UNDO":
        return Reply(replace(desk, dialog=None))
    if key == "FLNB":
        return Reply(replace(desk, dialog=replace(dialog, by=_other_step(dialog.by))))
    if key == "GO":
        return Reply(replace(desk, dialog=open_for(state, (dialog.side + 1) % state.sides)))
    if key == "OK" and what == "score" and dialog.score == state.pegs[dialog.side].front:
        return Reply(replace(desk, dialog=None))  # nothing was changed
    if key == "OK" and what == "muggins" and not dialog.muggins:
        missed = side_name(state, missed_by(state, dialog.side))
        return Reply(
            replace(desk.cleared(), message=f"nothing was called: {missed} has missed nothing to take")
        )
    if key == "OK":
        return Reply(desk.cleared(), _event(state, dialog, what))
    if key in STEPS:
        return Reply(replace(desk, dialog=_changed(state, dialog, what, STEPS[key] * dialog.by)))
    return Reply(replace(desk, dialog=replace(dialog, line=line_of(key, dialog.line, len(lines(state))))))


def press_false_win(state: State, desk: Desk, dialog: FalseWin, key: str) -> Reply:
    """Take a key while the table says that a game was not won."""
    if key == "UNDO":
        return Reply(replace(desk, dialog=None))
    if key == "FLNB":
        return Reply(replace(desk, dialog=replace(dialog, by=_other_step(dialog.by))))
    if key == "OK":
        return Reply(desk.cleared(), FalseWinRuled(dialog.side, dialog.score))
    step = STEPS.get(key)
    if step is None:
        line_of(key, 0, 0)
        return Reply(desk)
    score = min(max(dialog.score + step * dialog.by, 0), state.rules.target - 1)
    return Reply(replace(desk, dialog=replace(dialog, score=score)))


def _other_step(by: int) -> int:
    return BY_TENS if by == 1 else 1


def _changed(state: State, dialog: Correct, what: str, step: int) -> Correct:
    target = state.rules.target
    match what:
        case "penalty":
            return replace(dialog, penalty=_skip_zero(dialog.penalty, step, target))
        case "score":
            return replace(dialog, score=min(max(dialog.score + step, 0), target))
        case "muggins":
            return replace(dialog, muggins=_next_call(_calls(state, dialog.side), dialog.muggins, step))
        case _:
            return dialog


def _event(state: State, dialog: Correct, what: str) -> Event:
    side = dialog.side
    match what:
        case "penalty":
            return PenaltyPegged(side, dialog.penalty)
        case "muggins":
            of = missed_by(state, side)
            return MugginsCalled(side, of, abs(dialog.muggins), is_right=dialog.muggins > 0)
        case "false-win":
            return FalseWinRuled(side, state.pegs[side].front)
        case "misdeal":
            return Misdealt()
        case _:
            return ScorePutRight(side, dialog.score)


def _calls(state: State, side: int) -> tuple[int, ...]:
    """Return what *side* can call, in order, a wrong call below 0; and 0, for none, where no call is right."""
    calls = muggins_calls(state, side, missed_by(state, side))
    return calls if calls and calls[-1] > 0 else (*calls, 0)


def _next_call(calls: tuple[int, ...], value: int, step: int) -> int:
    """Return the one of *calls*, in order, that is *step* from *value* or the next beyond that, or else the last."""
    wanted = value + step
    if step > 0:
        return next((call for call in calls if call >= wanted), calls[-1])
    return next((call for call in reversed(calls) if call <= wanted), calls[0])


def _skip_zero(value: int, step: int, most: int) -> int:
    value = min(max(value + step, -most), most)
    return value or (1 if step > 0 else -1)
