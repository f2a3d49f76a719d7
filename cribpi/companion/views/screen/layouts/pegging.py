"""Screens of points mode: the steps of a deal, and a typed amount before a side is chosen for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cribpi.companion.entry.input_state import InputState
from cribpi.companion.views.screen.canvas import CELL, WIDTH, fit
from cribpi.companion.views.screen.layouts.play import CELLS, RIGHT, write_heels
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.layouts.start import write_deal
from cribpi.companion.views.screen.sheet import KEYS_RIGHT, ROWS, Sheet, amount_keys
from cribpi.companion.views.screen.wording import back_peg, fitted, large, reason, who, why
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.show import Kind, Score
from cribpi.cribbage.game.state import Outcome, Phase, State
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.words.tell import for_his_heels

_DOTS: Final = "\N{HORIZONTAL ELLIPSIS}"

_REST: Final = 10
"""Number of cells for text to the right of the key UNDO."""

_NOT_PEGGED: Final = {
    Phase.DEAL: ("no starter", "is cut yet"),
    Phase.STARTER: ("only {points} for", "his heels"),
    Phase.PLAY: ("no card", "pegs that"),
    Phase.SHOW: ("no hand", "counts that"),
    Phase.CRIB: ("no crib", "counts that"),
}
"""The reason why no side can peg an amount, in two lines of 11 cells."""


def pegging(sheet: Sheet, state: State, input_state: InputState, deal: Deal) -> None:
    """Show the step of the deal, or the typed amount."""
    if state.phase is Phase.DEAL and not input_state.typed:
        write_deal(sheet, state, deal)
        sheet.keys("OK")
        return
    scores(sheet, state)
    if input_state.typed:
        _typed(sheet, state, input_state)
    elif state.phase is Phase.STARTER:
        _starter(sheet, state, deal)
    elif state.phase is Phase.PLAY:
        _play(sheet, state)
    else:
        sheet.medium(1, ROWS[0], large("{name}", state.names[deal.shower]))
        sheet.row(2, f"shows the {'crib' if state.phase is Phase.CRIB else 'hand'}")
        _write_together(sheet, amount_keys(sheet.pad), "the count", gap=3)
        sheet.keys_apart("OK", "FLNB")


def _starter(sheet: Sheet, state: State, deal: Deal) -> None:
    """Ask whether the starter is a jack, for which the dealer's side pegs."""
    side = state.side(deal.dealer)
    sheet.medium(1, ROWS[0], "A JACK?")
    sheet.row(2, for_his_heels(state.rules))
    # On a joystick OK pegs for the dealer's side, because no other side can peg here.
    own = (str(his_heels(state.rules)), sheet.pad.side_keys(state.sides)[side])
    name = fitted("{name}", 12, name=state.side_name(side))
    _write_together(sheet, ("UP", "OK") if sheet.stick else own, name, y=43)
    sheet.keys("OK")


def _play(sheet: Sheet, state: State) -> None:
    last = state.last
    if last is None:
        sheet.medium(1, ROWS[0], "THE PLAY")
    elif last.scores and last.scores[0].kind is Kind.HEELS:
        write_heels(sheet, state, last.side, last.points)
    else:
        _write_last(sheet, state, last)
    amounts = amount_keys(sheet.pad)
    commits = [key for side in range(state.sides) for key in _commits(sheet, side, state)]
    _write_together(sheet, (*amounts, *commits), "pegs", gap=CELL if len(amounts) == 1 else 4)
    sheet.keys("OK")


def _write_last(sheet: Sheet, state: State, last: Outcome) -> None:
    """Write the points pegged last, as large as the count is in cards mode."""
    points = f"{last.points:+d}"
    sheet.big(1, ROWS[0], points)
    left = max(RIGHT, 1 + 17 * len(points) + 4)
    cells = (WIDTH - left) // CELL
    lines = (reason(last, cells), *back_peg(state, "back peg {hole}"))
    sheet.row(0, fitted("{name}", cells, name=who(state, last)), x=left)
    sheet.lines((fit(line, cells) for line in lines), x=left, y=ROWS[1])


def _typed(sheet: Sheet, state: State, input_state: InputState) -> None:
    """Show the amount, with the new score of each side that can peg it, or the reason why none can."""
    amount = str(input_state.amount)
    sheet.big(1, ROWS[0], amount)
    left = max(RIGHT, 17 * len(amount) + 6)
    only, can = sheet.view.only_side, sheet.view.takers
    is_large = only is not None or state.sides == 2
    if not can:
        points = his_heels(state.rules)
        sheet.lines((line.format(points=points) for line in _NOT_PEGGED[state.phase]), x=left)
    for side in can:
        if only is None:
            top, keys = ROWS[0] + 1 + side * (18 if is_large else 11), _commits(sheet, side, state)
        else:
            top, keys = ROWS[0], ("OK",)
            sheet.row(2, fitted("{name}", CELLS, name=state.side_name(side)), x=left)
        before = state.pegs[side].front
        x, middle = left, top + (5 if is_large else 0)
        for key in keys:
            x += sheet.key(x, middle, key) + 3
        step = f"{before}→"
        sheet.small(x + 1, middle, step)
        write = sheet.medium if is_large else sheet.small
        write(x + CELL * len(step) + 2, top, str(min(before + input_state.amount, state.rules.target)))
    sheet.keys("UNDO")
    if input_state.kind:
        what = why((Score(Kind(input_state.kind), input_state.amount, ()),), _REST)
    else:
        what = _sum(input_state.typed) if len(input_state.typed) > 1 else ""
    sheet.small(KEYS_RIGHT, ROWS[-1], what, align="right")


def _write_together(sheet: Sheet, keys: Sequence[str], label: str, *, y: int = 45, gap: int = CELL) -> None:
    """Write *keys* to be pressed one after the other, followed by the *label* of their common effect."""
    *first, last = keys
    sheet.keys(*((key, "") for key in first), (last, label), y=y, gap=gap)


def _commits(sheet: Sheet, side: int, state: State) -> tuple[str, ...]:
    """Return the keys that peg an amount for *side*: its own key, or MENU and OK if it has none."""
    key = sheet.pad.side_keys(state.sides)[side]
    return (key, "OK") if key == "MENU" else (key,)


def _sum(typed: tuple[int, ...]) -> str:
    """Format typed numbers as a sum, of which only the end is shown if it is long.

    >>> _sum((10, 10)), _sum((13, 13, 13, 13))
    ('10+10', '…+13+13+13')
    """
    whole = "+".join(map(str, typed))
    while len(whole) > _REST:
        whole = _DOTS + whole[whole.index("+", len(_DOTS) + 1) :]
    return whole
