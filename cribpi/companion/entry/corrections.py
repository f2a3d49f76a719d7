"""Corrections and the keys of their dialogs: penalties, scores, muggins, false wins and misdeals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from cribpi.companion.entry.choice import (
    GameView,
    KeyBinding,
    Number,
    Row,
    Rows,
    Scene,
    Text,
    per_side,
    text_of,
)
from cribpi.companion.entry.effect import Effect
from cribpi.companion.entry.input_state import Correct, FalseWin, InputState
from cribpi.companion.entry.keys import grown
from cribpi.companion.entry.lists import list_scene, lower_and_raise
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.show import HIGHEST_SHOW
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.steps.corrections import FALSE_WIN_BACK, muggins_calls
from cribpi.cribbage.rules.errors import ImpossiblePoints
from cribpi.cribbage.rules.grammar import does, whose, within
from cribpi.cribbage.rules.names import YOU

MISDEAL: Final = Text("misdeal: deal again", "misdeal")
BY_TENS: Final = 10
APPLY: Final = "apply"
_TITLE_CELLS: Final = 13
"""Maximum width of the title on the screen, in characters. Two column headings follow."""

D = TypeVar("D", Correct, FalseWin)


def open_for(state: State, side: int) -> Correct:
    """Return the corrections dialog of *side*.

    If another side has just missed points, the cursor is at muggins.
    """
    front, counted = state.pegs[side].front, state.counted
    if counted is not None and counted.side != side and counted.least and "muggins" in lines(state):
        return Correct(side=side, score=front, line=lines(state).index("muggins"), muggins=counted.least)
    return Correct(side=side, score=front, muggins=next(call for call in _calls(state, side) if call >= 0))


def missed_by(state: State, side: int) -> int:
    """Return the side on which *side* can call muggins: the side that counted last, or else the next side."""
    counted = state.counted
    is_any_card = state.entry is Entry.PEG and state.phase is Phase.PLAY
    if counted is not None and counted.side != side and not is_any_card:
        return counted.side
    return (side + 1) % state.sides


def by_side_key(view: GameView, *, is_go_third: bool = False) -> tuple[KeyBinding, ...]:
    """Return a binding for each side's key that opens the side's corrections. All are unlikely."""
    return tuple(
        per_side(
            view,
            lambda name: Text(f"Correct {whose(within(name))} score", "correct {name}", name),
            lambda side: view.opened(open_for(view.state, side)),
            is_go_third=is_go_third,
            is_likely=False,
        )
    )


def _penalty(view: GameView, dialog: Correct) -> Row:
    target, said = view.state.rules.target, f"penalty {dialog.penalty:+}"

    def moved(by: int) -> int:
        points = min(max(dialog.penalty + by, -target), target)
        return points or (1 if by > 0 else -1)  # There is no penalty of 0, so that number is skipped.

    event = events.PenaltyPegged(dialog.side, dialog.penalty)
    name = within(view.state.side_name(dialog.side))
    offered = f"Give {name} {dialog.penalty}" if dialog.penalty > 0 else f"Take {-dialog.penalty} from {name}"
    shown = _moved(view.state, dialog.side, dialog.penalty)
    row = Row(said, view.makes(event), Text(offered, APPLY), shown=shown)
    return _with_number(view, dialog, row, "penalty", moved, target, least=1)


def _score(view: GameView, dialog: Correct) -> Row:
    target, front = view.state.rules.target, view.state.pegs[dialog.side].front
    offered, effect = (
        Text(f"Set to {dialog.score}", APPLY),
        view.makes(events.ScorePutRight(dialog.side, dialog.score)),
    )
    if dialog.score == front:
        offered, effect = text_of("Close"), view.opened(None)
    shown, also = _moved(view.state, dialog.side, dialog.score - front), ""
    if dialog.score < front and view.state.rules.overpegged == "to-the-other":
        also = f", and {front - dialog.score} to {within(view.state.side_name(1 - dialog.side))}"
    row = Row(Text(f"set score to {dialog.score}{also}", "score"), effect, offered, shown=shown)

    def moved(by: int) -> int:
        return _within(dialog.score + by, target)

    return _with_number(view, dialog, row, "score", moved, target)


def _muggins(view: GameView, dialog: Correct) -> Row:
    state, side = view.state, dialog.side
    calls = _calls(state, side)
    missed, points = missed_by(state, side), abs(dialog.muggins)
    of = state.side_name(missed)
    call = events.MugginsCalled(side, missed, points, is_right=dialog.muggins > 0)
    offered, effect = Text(f"Take {points} from {within(of)}", APPLY), view.makes(call)
    shown: str | tuple[str, str]
    if dialog.muggins > 0:
        name = Text(f"muggins: {points} from {within(of)}", f"muggins {points:+}")
        shown = _moved(state, side, points)
    elif dialog.muggins < 0:
        name = Text(f"wrong muggins call: {points} of {within(of)}", "wrong call")
        offered = Text(f"Give {within(of)} {points}", APPLY)
        shown = Text("", f"{{name}} {points:+}", of).fit(8)
    else:
        name, shown = Text(f"no muggins: {within(of)} missed nothing", "muggins"), "none"
        offered, effect = text_of("Close"), Effect(InputState(message=name.long))

    def moved(by: int) -> int:
        wanted = dialog.muggins + by
        if by > 0:
            return next((call for call in calls if call >= wanted), calls[-1])
        return next((call for call in reversed(calls) if call <= wanted), calls[0])

    row = Row(name, effect, offered, shown=shown)
    return _with_number(view, dialog, row, "muggins", moved, HIGHEST_SHOW)


def _with_number(
    view: GameView,
    dialog: Correct,
    row: Row,
    field: str,
    moved: Callable[[int], int],
    most: int,
    least: int = 0,
) -> Row:
    """Return *row* with an editable number, which is *field* of *dialog*.

    *moved* returns its value after a step.
    """
    number = Number(
        getattr(dialog, field),
        lambda digit: view.opened(_with_digit(dialog, field, digit, most, least)),
        lambda by: view.opened(replace(dialog, is_typed=False, **{field: moved(by)})),
    )
    return replace(row, number=number, by=dialog.by)


def _false_claim(view: GameView, dialog: Correct) -> Row:
    front = view.state.pegs[dialog.side].front
    left = view.state.rules.target - front
    event, shown = events.FalseWinRuled(dialog.side, front), _moved(view.state, dialog.side, -FALSE_WIN_BACK)
    loses = view.state.rules.false_win == "lose"
    said = "the opponent wins" if loses else f"{FALSE_WIN_BACK} back, {left} to the opponent"
    text = Text(f"false claim of the game: {said}", "false win")
    return Row(text, view.makes(event), "Apply", shown="loses" if loses else shown)


def _misdeal(view: GameView, _: Correct) -> Row:
    return Row(MISDEAL, view.makes(events.Misdealt()), Text("Deal again", APPLY), shown="deal again")


def _moved(state: State, side: int, points: int) -> tuple[str, str]:
    """Return the score of *side* before and after *points*, as texts."""
    before = state.pegs[side].front
    return str(before), str(_within(before + points, state.rules.target))


LINES: Final = {
    "penalty": _penalty,
    "score": _score,
    "muggins": _muggins,
    "false-win": _false_claim,
    "misdeal": _misdeal,
}


def lines(state: State) -> tuple[str, ...]:
    """Return the names of those `LINES` that the rules and the phase allow.

    Rank keys select them in this order.
    """
    has_deal, rules = state.deal is not None, state.rules
    can = {
        "muggins": rules.miscount == "muggins",
        "false-win": has_deal and rules.false_win != "put-right",
        "misdeal": has_deal,
    }
    return tuple(what for what in LINES if can.get(what, True))


def correction_name(name: str) -> str:
    """Return the title of the corrections of the side called *name*. For `YOU`, it is "your score"."""
    return f"{whose(within(name))} score" if name == YOU else name


def correct(view: GameView, dialog: Correct) -> Scene:
    """Return the scene for the corrections of a side. GO switches to the next side."""
    state, listed = view.state, lines(view.state)
    found = tuple(LINES[what](view, dialog) for what in listed)
    at = dialog.line % len(found)
    name, following = state.side_name(dialog.side), (dialog.side + 1) % state.sides
    title = Text("", "CORRECT {name}", name)
    if listed[at] == "false-win":
        left = state.to_go(dialog.side)
        does_what = "WINS" if state.rules.false_win == "lose" else f"GETS {left}"
        title = Text("", f"{{name}} {does_what}", state.side_name(following))
    other = state.side_name(following)
    next_side = Text(f"{whose(other)} score", "{name}", other)
    dialog = replace(dialog, is_typed=False)  # any key other than a digit ends the number
    return list_scene(
        view,
        dialog,
        Rows(title.fit(_TITLE_CELLS), found, at),
        f"Correct {correction_name(name)}: {found[at].sentence}",
        others=(
            *([other_step(view, dialog)] if found[at].number else []),
            KeyBinding("GO", next_side, view.opened(open_for(state, following))),
        ),
        leave=(KeyBinding("UNDO", "Cancel", view.opened(None)),),
    )


def false_win(view: GameView, dialog: FalseWin) -> Scene:
    most, shown = view.state.rules.target - 1, dialog
    dialog = replace(dialog, is_typed=False)

    def moved(by: int) -> Effect:
        return view.opened(replace(dialog, score=_within(dialog.score + by, most)))

    offered = Text(f"Set to {dialog.score}", APPLY)
    bindings = (
        KeyBinding("OK", offered, view.makes(events.FalseWinRuled(dialog.side, dialog.score))),
        *lower_and_raise(moved, dialog.by),
        other_step(view, dialog),
        KeyBinding("UNDO", "Cancel", view.opened(None)),
    )
    wins = does(within(view.state.spoken_side((dialog.side + 1) % view.state.sides)), "wins")
    thens = {"put-right": "", "acc": f", and {FALSE_WIN_BACK} back", "lose": f", and {wins}"}
    return Scene(
        f"{does(view.state.spoken_side(dialog.side), 'has')} not won: "
        f"the true score is {dialog.score}{thens[view.state.rules.false_win]}",
        bindings,
        number=Number(
            dialog.score, lambda digit: view.opened(_with_digit(shown, "score", digit, most)), moved
        ),
    )


def taken_back(state: State, winner: int) -> tuple[tuple[Text, FalseWin], ...]:
    """Return the label and dialog of the ruling that *winner* had not won.

    Empty if that ruling is not allowed.

    It is not allowed if a ruling on an opponent's false claim caused the win.
    """
    if any(isinstance(one.event, events.FalseWinRuled) for one in state.outcomes):
        return ()
    text = Text(does(state.spoken_side(winner), "has not won"), "{name} not won", state.side_name(winner))
    return ((text, FalseWin(winner, state.pegs[winner].back)),)


def other_step(view: GameView, dialog: Correct | FalseWin) -> KeyBinding:
    by = BY_TENS if dialog.by == 1 else 1
    text = Text(f"Steps of {by}", "ones" if by == 1 else "tens")
    return KeyBinding("FLNB", text, view.opened(replace(dialog, by=by)))


def _calls(state: State, side: int) -> tuple[int, ...]:
    """Return the muggins calls of *side* in points, ascending. Wrong calls are negative; 0 is no call."""
    calls = muggins_calls(state, side, missed_by(state, side))
    return calls if max(calls, default=0) > 0 else (*calls, 0)


def _with_digit(dialog: D, field: str, digit: int | None, most: int, least: int = 0) -> D:
    """Return *dialog* with *digit* appended to the number in *field*.

    If *digit* is None, the last digit is removed.

    The number keeps its sign.

    Raises:
        ImpossiblePoints: If the number would exceed *most*.
    """
    value = getattr(dialog, field)
    number = grown(abs(value) if dialog.is_typed or digit is None else 0, digit)
    if number > most:
        raise ImpossiblePoints(f"{number} is too many: {most} at most")
    signed = max(number, least) * (-1 if value < 0 else 1)
    return replace(dialog, is_typed=number >= least, **{field: signed})


def _within(value: int, most: int) -> int:
    return min(max(value, 0), most)
