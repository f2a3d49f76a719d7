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
from cribpi.core.steps.corrections import FALSE_WIN_BACK, muggins_calls
from cribpi.entry import texts
from cribpi.entry.choice import Offer, Place, Scene, scene
from cribpi.entry.desk import Correct, FalseWin
from cribpi.entry.keys import side_keys_of
from cribpi.entry.lines import changes, line_offers
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


def by_side_key(place: Place, *, is_go_third: bool = False) -> tuple[Offer, ...]:
    """Offer each side's corrections by its key, which is seldom what comes next."""
    state = place.state
    return tuple(
        Offer(
            key,
            texts.CORRECT.of(name=side_name(state, side)),
            place.opened(open_for(state, side)),
            is_likely=False,
        )
        for key, side in side_keys_of(state.sides, is_go_third=is_go_third)
    )


def correct(place: Place, dialog: Correct) -> Scene:
    """Take a key while the corrections of a side are open; GO goes on to the next side.

    OK leaves, where nothing is to be changed or called.
    """
    state = place.state
    listed = lines(state)
    what = listed[dialog.line % len(listed)]
    following = (dialog.side + 1) % state.sides
    is_number = what in {"penalty", "score", "muggins"}
    offers = [
        _apply(place, dialog, what),
        *(changes(place, dialog.by, lambda step: _changed(state, dialog, what, step)) if is_number else ()),
        *line_offers(
            place,
            dialog.line,
            [said(state, dialog, one) for one in listed],
            lambda line: replace(dialog, line=line),
        ),
        *([other_step(place, dialog)] if is_number else ()),
        Offer(
            "GO",
            texts.NEXT_SIDE.of(name=side_name(state, following)),
            place.opened(open_for(state, following)),
        ),
        Offer("UNDO", texts.CANCEL, place.opened(None)),
    ]
    return scene(f"Correct {side_name(state, dialog.side)}: {said(state, dialog, what)}", offers)


def said(state: State, dialog: Correct, what: str) -> str:
    """Say what a line would do."""
    match what:
        case "penalty":
            return f"penalty {dialog.penalty:+}"
        case "score":
            return f"set score: {dialog.score}"
        case "false-win":
            left = state.rules.target - state.pegs[dialog.side].front
            return f"false claim of the game: {FALSE_WIN_BACK} back, {left} to the other side"
        case "misdeal":
            return "misdeal: deal again"
        case _:
            of = side_name(state, missed_by(state, dialog.side))
            if not dialog.muggins:
                return f"no muggins: {of} missed nothing"
            call = "muggins" if dialog.muggins > 0 else "wrong call of muggins"
            return f"{call}: {abs(dialog.muggins)} of {of}"


def _apply(place: Place, dialog: Correct, what: str) -> Offer:
    """Apply the line that is chosen, or close where it changes nothing."""
    state, clear = place.state, place.desk.cleared()
    if what == "score" and dialog.score == state.pegs[dialog.side].front:
        return Offer("OK", texts.CLOSE, place.opened(None))
    if what == "muggins" and not dialog.muggins:
        missed = side_name(state, missed_by(state, dialog.side))
        remark = f"no muggins: {missed} missed nothing"
        return Offer("OK", texts.CLOSE, Reply(replace(clear, message=remark)))
    return Offer("OK", texts.APPLY, Reply(clear, _event(state, dialog, what)))


def false_win(place: Place, dialog: FalseWin) -> Scene:
    """Take a key while the table says that a game was not won."""
    most = place.state.rules.target - 1

    def moved(step: int) -> FalseWin:
        return replace(dialog, score=min(max(dialog.score + step, 0), most))

    offers = [
        Offer("OK", texts.APPLY, Reply(place.desk.cleared(), FalseWinRuled(dialog.side, dialog.score))),
        *changes(place, dialog.by, moved),
        other_step(place, dialog),
        Offer("UNDO", texts.CANCEL, place.opened(None)),
    ]
    back = f", and {FALSE_WIN_BACK} back" if place.state.rules.false_win == "acc" else ""
    return scene(
        f"{side_name(place.state, dialog.side)} has not won: the true score is {dialog.score}{back}", offers
    )


def other_step(place: Place, dialog: Correct | FalseWin) -> Offer:
    """Offer to change by tens in place of ones, or the other way round."""
    by = _other_step(dialog.by)
    return Offer("FLNB", texts.OTHER_STEP.of(points=by), place.opened(replace(dialog, by=by)))


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
    """Return what *side* can call, in order: a wrong call is below 0, and 0 is none."""
    calls = muggins_calls(state, side, missed_by(state, side))
    return calls if calls and calls[-1] > 0 else (*calls, 0)


def _next_call(calls: tuple[int, ...], value: int, step: int) -> int:
    """Return the one of *calls*, in order, that is *step* from *value*, or the next beyond, or the last."""
    wanted = value + step
    if step > 0:
        return next((call for call in calls if call >= wanted), calls[-1])
    return next((call for call in reversed(calls) if call <= wanted), calls[0])


def _skip_zero(value: int, step: int, most: int) -> int:
    value = min(max(value + step, -most), most)
    return value or (1 if step > 0 else -1)
