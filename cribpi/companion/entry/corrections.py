"""Corrections at a table: what a side can ask for, and the keys while that is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from cribpi.companion.entry import texts
from cribpi.companion.entry.choice import Offer, Place, Scene, per_side, scene
from cribpi.companion.entry.desk import Correct, FalseWin
from cribpi.companion.entry.keys import grown
from cribpi.companion.entry.lines import changes, line_offers
from cribpi.companion.entry.reply import Reply
from cribpi.cribbage.game.events import (
    Entry,
    Event,
    FalseWinRuled,
    Misdealt,
    MugginsCalled,
    PenaltyPegged,
    ScorePutRight,
)
from cribpi.cribbage.game.show import HIGHEST_SHOW
from cribpi.cribbage.game.state import Phase, State, side_name
from cribpi.cribbage.game.steps.corrections import FALSE_WIN_BACK, muggins_calls
from cribpi.cribbage.rules.errors import ImpossiblePoints

BY_TENS: Final = 10

D = TypeVar("D", Correct, FalseWin)


def open_for(state: State, side: int) -> Correct:
    """Return the corrections of *side*, at muggins where it can take what another has just missed."""
    front, counted = state.pegs[side].front, state.counted
    if "muggins" in lines(state) and counted is not None and counted.side != side and counted.least:
        return Correct(side, front, line=lines(state).index("muggins"), muggins=counted.least)
    return Correct(side, front, muggins=next(call for call in _calls(state, side) if call >= 0))


def missed_by(state: State, side: int) -> int:
    """Return the side whose count *side* calls muggins on: whose show was last, or else the next side."""
    counted = state.counted
    is_any_card = state.entry is Entry.PEG and state.phase is Phase.PLAY
    if counted is not None and counted.side != side and not is_any_card:
        return counted.side
    return (side + 1) % state.sides


def by_side_key(place: Place, *, is_go_third: bool = False) -> tuple[Offer, ...]:
    """Offer each side's corrections by its key, which is seldom what comes next."""
    found = per_side(
        place, texts.CORRECT, lambda side: place.opened(open_for(place.state, side)), is_go_third=is_go_third
    )
    return tuple(offer.unlikely() for offer in found)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the corrections."""

    said: str
    """What it would do."""
    event: Event
    changed: Callable[[int], Correct] | None = None
    """The dialog after its number was changed by so much, where it has one."""
    typed: Callable[[int | None], Correct] | None = None
    """The dialog after a digit, as in `keys.DIGITS`."""


def _penalty(state: State, dialog: Correct) -> Line:
    target = state.rules.target
    return Line(
        f"penalty {dialog.penalty:+}",
        PenaltyPegged(dialog.side, dialog.penalty),
        lambda step: replace(dialog, penalty=_skip_zero(dialog.penalty, step, target)),
        lambda digit: _with_digit(dialog, "penalty", digit, target, least=1),
    )


def _score(state: State, dialog: Correct) -> Line:
    target = state.rules.target
    return Line(
        f"set score to {dialog.score}",
        ScorePutRight(dialog.side, dialog.score),
        lambda step: replace(dialog, score=_within(dialog.score + step, target)),
        lambda digit: _with_digit(dialog, "score", digit, target),
    )


def _muggins(state: State, dialog: Correct) -> Line:
    side = dialog.side
    missed, points = missed_by(state, side), abs(dialog.muggins)
    call = "muggins" if dialog.muggins > 0 else "wrong call of muggins"
    of = side_name(state, missed)
    return Line(
        f"{call}: {points} of {of}" if points else f"no muggins: {of} missed nothing",
        MugginsCalled(side, missed, points, is_right=dialog.muggins > 0),
        lambda step: replace(dialog, muggins=_next_call(_calls(state, side), dialog.muggins, step)),
        lambda digit: _with_digit(dialog, "muggins", digit, HIGHEST_SHOW),
    )


def _false_claim(state: State, dialog: Correct) -> Line:
    front = state.pegs[dialog.side].front
    left = state.rules.target - front
    said = f"false claim of the game: {FALSE_WIN_BACK} back, {left} to the other side"
    return Line(said, FalseWinRuled(dialog.side, front))


def _misdeal(_: State, __: Correct) -> Line:
    return Line(texts.MISDEAL.long, Misdealt())


LINES: Final = {
    "penalty": _penalty,
    "score": _score,
    "muggins": _muggins,
    "false-win": _false_claim,
    "misdeal": _misdeal,
}
"""All that a side can ask for, in the order of their lines."""


def lines(state: State) -> tuple[str, ...]:
    """Return which of `LINES` a side can ask for by the rules of this game; a rank key picks one."""
    has_deal, rules = state.deal is not None, state.rules
    can = {
        "muggins": rules.miscount == "muggins",
        "false-win": has_deal and rules.false_win == "acc",
        "misdeal": has_deal,
    }
    return tuple(what for what in LINES if can.get(what, True))


def correct(place: Place, dialog: Correct) -> Scene:
    """Take a key while the corrections of a side are open; GO goes on to the next side.

    OK leaves, where nothing is to be changed or called.
    """
    state = place.state
    listed = lines(state)
    at = dialog.line % len(listed)
    typed = LINES[listed[at]](state, dialog).typed
    dialog = replace(dialog, is_typed=False)  # whatever else is pressed ends the number
    found = [LINES[what](state, dialog) for what in listed]
    here, following = found[at], (dialog.side + 1) % state.sides
    offers = [
        _apply(place, dialog, listed[at], here),
        *(changes(place, dialog.by, here.changed) if here.changed else ()),
        *line_offers(
            place, dialog.line, [line.said for line in found], lambda line: replace(dialog, line=line)
        ),
        *[other_step(place, dialog)] * bool(here.changed),
        Offer(
            "GO",
            texts.NEXT_SIDE.of(name=side_name(state, following)),
            place.opened(open_for(state, following)),
        ),
        Offer("UNDO", texts.CANCEL, place.opened(None)),
    ]
    number = (lambda digit: place.opened(typed(digit))) if typed else None
    return scene(f"Correct {side_name(state, dialog.side)}: {here.said}", offers, number=number)


def _apply(place: Place, dialog: Correct, what: str, line: Line) -> Offer:
    """Apply the *line* that is chosen, or close where it changes nothing."""
    if what == "score" and dialog.score == place.state.pegs[dialog.side].front:
        return Offer("OK", texts.CLOSE, place.opened(None))
    if what == "muggins" and not dialog.muggins:
        return Offer("OK", texts.CLOSE, Reply(replace(place.desk.cleared(), message=line.said)))
    return Offer("OK", texts.APPLY, place.makes(line.event))


def false_win(place: Place, dialog: FalseWin) -> Scene:
    """Take a key while the table says that a game was not won."""
    most, shown = place.state.rules.target - 1, dialog
    dialog = replace(dialog, is_typed=False)
    offers = [
        Offer("OK", texts.APPLY, place.makes(FalseWinRuled(dialog.side, dialog.score))),
        *changes(place, dialog.by, lambda step: replace(dialog, score=_within(dialog.score + step, most))),
        other_step(place, dialog),
        Offer("UNDO", texts.CANCEL, place.opened(None)),
    ]
    back = f", and {FALSE_WIN_BACK} back" if place.state.rules.false_win == "acc" else ""
    return scene(
        f"{side_name(place.state, dialog.side)} has not won: the true score is {dialog.score}{back}",
        offers,
        number=lambda digit: place.opened(_with_digit(shown, "score", digit, most)),
    )


def other_step(place: Place, dialog: Correct | FalseWin) -> Offer:
    """Offer to change by tens in place of ones, or the other way round."""
    by = BY_TENS if dialog.by == 1 else 1
    return Offer("FLNB", texts.OTHER_STEP[by], place.opened(replace(dialog, by=by)))


def _calls(state: State, side: int) -> tuple[int, ...]:
    """Return what *side* can call, in order: a wrong call is below 0, and 0 is none."""
    calls = muggins_calls(state, side, missed_by(state, side))
    return calls if max(calls, default=0) > 0 else (*calls, 0)


def _next_call(calls: tuple[int, ...], value: int, step: int) -> int:
    """Return the one of *calls*, in order, that is *step* from *value*, or the next beyond, or the last."""
    wanted = value + step
    if step > 0:
        return next((call for call in calls if call >= wanted), calls[-1])
    return next((call for call in reversed(calls) if call <= wanted), calls[0])


def _with_digit(dialog: D, field: str, digit: int | None, most: int, least: int = 0) -> D:
    """Return *dialog* with *digit* behind the number in its *field*, which keeps its sign."""
    value = getattr(dialog, field)
    number = grown(abs(value) if dialog.is_typed else 0, digit)
    if number > most:
        raise ImpossiblePoints(f"{number}: {most} is the most here")
    signed = max(number, least) * (-1 if value < 0 else 1)
    return replace(dialog, is_typed=number >= least, **{field: signed})


def _skip_zero(value: int, step: int, most: int) -> int:
    value = min(max(value + step, -most), most)
    return value or (1 if step > 0 else -1)


def _within(value: int, most: int) -> int:
    return min(max(value, 0), most)
