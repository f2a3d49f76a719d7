"""Screens of a game kept by points: each step of the deal, and an amount that waits for a side."""

from __future__ import annotations

from typing import Final

from cribpi.core.deal import Deal
from cribpi.core.heels import for_his_heels, his_heels
from cribpi.core.scores import Kind, Score
from cribpi.core.state import Outcome, Phase, State
from cribpi.entry.by_points import only_side, takers
from cribpi.entry.desk import Desk
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, WIDTH, fit
from cribpi.views.glass.caps import amount_keys
from cribpi.views.glass.screens.outcomes import back_peg, reason, signed, who
from cribpi.views.glass.screens.play import CELLS, RIGHT, heels
from cribpi.views.glass.screens.scores import scores
from cribpi.views.glass.screens.start import write_deal
from cribpi.views.glass.sheet import KEYS_RIGHT, ROWS, Sheet
from cribpi.views.glass.wording import fitted, large, side_label, why

_ARROW: Final = "\N{RIGHTWARDS ARROW}"

_DOTS: Final = "\N{HORIZONTAL ELLIPSIS}"

_REST: Final = 10
"""Cells beside the key that clears."""


def pegging(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    """Show the step of the deal, or the amount that has been typed."""
    if desk.typed:
        scores(sheet, state)
        _typed(sheet, state, desk)
        return
    if state.phase is not Phase.DEAL:
        scores(sheet, state)
    match state.phase:
        case Phase.DEAL:
            write_deal(sheet, state, deal)
            sheet.keys("OK")
        case Phase.STARTER:
            sheet.medium(1, ROWS[0], texts.A_JACK)
            sheet.row(2, for_his_heels(state.rules))
            # With a joystick the middle pegs it for the dealer, whichever side that is.
            own = sheet.pad.side_keys(state.sides)[state.side(deal.dealer)]
            amount, key = (str(his_heels(state.rules)), own) if sheet.pad.has_ranks else ("UP", "OK")
            sheet.keys(
                (amount, ""),
                (key, fitted("{name}", 12, name=side_label(state, state.side(deal.dealer)))),
                y=43,
            )
            sheet.keys("OK")
        case Phase.PLAY:
            _play(sheet, state)
        case _:
            _show(sheet, state, deal)


def _play(sheet: Sheet, state: State) -> None:
    last = state.last
    if last is not None and last.scores and last.scores[0].kind is Kind.HEELS:
        heels(sheet, side_label(state, last.side), last.points)
    elif last is not None:
        _write_last(sheet, state, last)
    else:
        sheet.medium(1, ROWS[0], texts.THE_PLAY)
    *others, last_key = (*sheet.pad.side_keys(state.sides)[:-1], *_commits(sheet, state.sides - 1, state))
    amounts = amount_keys(sheet.pad)
    sheet.keys(
        *((key, "") for key in (*amounts, *others)),
        (last_key, texts.PEGS),
        y=45,
        gap=CELL if len(amounts) == 1 else 4,
    )
    sheet.keys("OK")


def _write_last(sheet: Sheet, state: State, last: Outcome) -> None:
    """Write what was pegged last, as large as the count in a game kept by cards."""
    sheet.big(1, ROWS[0], signed(last.points))
    left = max(RIGHT, 1 + 17 * len(signed(last.points)) + 4)
    sheet.row(0, fitted("{name}", (WIDTH - left) // CELL, name=who(state, last)), x=left)
    cells = (WIDTH - left) // CELL
    sheet.row(1, fit(reason(last, cells), cells), x=left)
    back = back_peg(state)
    if back is not None:
        sheet.row(2, fit(texts.BACK_PEG_AT.format(hole=back), cells), x=left)


def _show(sheet: Sheet, state: State, deal: Deal) -> None:
    what = texts.CRIB if state.phase is Phase.CRIB else texts.HAND
    sheet.medium(1, ROWS[0], large("{name}", state.names[deal.shower]))
    sheet.row(2, texts.SHOWS.format(what=what))
    *others, last_key = amount_keys(sheet.pad)
    sheet.keys(*((key, "") for key in others), (last_key, texts.TYPE_COUNT), y=45, gap=3)
    sheet.keys_apart("OK", "FLNB")


def _typed(sheet: Sheet, state: State, desk: Desk) -> None:
    """Show the amount, and where it would take each side that can peg it, or that none can."""
    amount = str(desk.amount)
    sheet.big(1, ROWS[0], amount)
    left = max(RIGHT, 17 * len(amount) + 6)
    side, can = only_side(state), takers(state, desk)
    if not can:
        for row, line in enumerate(texts.NOT_PEGGED[state.phase]):
            sheet.row(row, line.format(points=his_heels(state.rules)), x=left)
    elif side is not None:
        _preview(sheet, left, ROWS[0], "OK", *_steps(state, side, desk.amount), large=True)
        sheet.row(2, fitted("{name}", CELLS, name=side_label(state, side)), x=left)
    else:
        large = state.sides == 2
        for side in can:
            top = ROWS[0] + 1 + side * (18 if large else 11)
            *first, key = _commits(sheet, side, state)
            for place, one in enumerate(first):
                sheet.cap(left + place * 15, top, one)
            _preview(sheet, left + len(first) * 15, top, key, *_steps(state, side, desk.amount), large=large)
    sheet.keys("UNDO")
    if desk.kind:
        what = why((Score(Kind(desk.kind), desk.amount, ()),), _REST)
    else:
        what = _sum(desk.typed) if len(desk.typed) > 1 else ""
    sheet.small(KEYS_RIGHT, ROWS[-1], what, align="right")


def _commits(sheet: Sheet, side: int, state: State) -> tuple[str, ...]:
    """Return the keys that commit an amount to *side*: if the menu does, OK takes its first line."""
    key = sheet.pad.side_keys(state.sides)[side]
    return (key, "OK") if key == "MENU" else (key,)


def _steps(state: State, side: int, amount: int) -> tuple[int, int]:
    before = state.pegs[side].front
    return before, min(before + amount, state.rules.target)


def _preview(sheet: Sheet, x: int, y: int, key: str, before: int, after: int, *, large: bool) -> None:
    """Write a key, and the score before and after it."""
    down = 5 if large else 0
    sheet.cap(x, y + down, key)
    x += sheet.key_width(key, "") + 4
    step = f"{before}{_ARROW}"
    sheet.small(x, y + down, step)
    x += 6 * len(step) + 1
    if large:
        sheet.medium(x, y, str(after))
    else:
        sheet.small(x, y, str(after))


def _sum(typed: tuple[int, ...]) -> str:
    """Write what was typed as a sum; of a long one the end.

    >>> _sum((10, 10)), _sum((13, 13, 13, 13))
    ('10+10', '…+13+13+13')
    """
    whole = "+".join(map(str, typed))
    while len(whole) > _REST:
        whole = _DOTS + whole[whole.index("+", len(_DOTS) + 1) :]
    return whole
