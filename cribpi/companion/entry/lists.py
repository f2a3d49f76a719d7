"""The scene of a list. Its keys move the cursor, and change or choose the row with the cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from cribpi.companion.entry.choice import GameView, KeyBinding, Rows, Scene, Text
from cribpi.companion.entry.effect import Effect
from cribpi.companion.entry.input_state import ListDialog
from cribpi.companion.entry.keys import RANKS, Pad

PREVIOUS: Final = Text("Previous", "\N{UPWARDS ARROW}")
NEXT: Final = Text("Next", "\N{DOWNWARDS ARROW}")


def list_scene(
    view: GameView,
    dialog: ListDialog,
    rows: Rows,
    prompt: str,
    *,
    key_help: str | None = None,
    others: Iterable[KeyBinding] = (),
    leave: Iterable[KeyBinding] = (),
) -> Scene:
    """Return the scene of the open list *dialog* with *rows*.

    A rank key selects a row; on a keypad without ranks, UP and DOWN move the cursor. P1 and P2 change the
    row's value, or move the cursor if the list has no values. *others* are further bindings, and *leave*
    those that close the list.
    """
    row = rows.row
    by_rank, has_more = view.pad.has_ranks, len(rows.rows) > 1

    def at(line: int) -> Effect:
        return view.opened(replace(dialog, line=line % len(rows.rows)))

    bindings = [KeyBinding("OK", row.ok, row.effect)]
    above, below = at(rows.at - 1), at(rows.at + 1)
    if not rows.can_change:
        bindings += back_and_on("P1", "P2", above, below, is_likely=by_rank and has_more)
    if row.number and row.number.moved:
        bindings += lower_and_raise(row.number.moved, row.by)
    bindings += back_and_on("UP", "DOWN", above, below, is_likely=not by_rank and has_more)
    for line, (rank, one) in enumerate(zip(RANKS, rows.rows, strict=False)):
        text = Text(one.sentence, "{name}", one.sentence)
        bindings.append(KeyBinding(rank, text, at(line), is_likely=rows.can_change))
    bindings += others
    if row.turned:
        what = row.name.long
        bindings.append(KeyBinding("P1", Text(f"{what}: previous", "-"), partial(row.turned, -1)))
        bindings.append(KeyBinding("P2", Text(f"{what}: next", "+"), partial(row.turned, 1)))
    return Scene(prompt, (*bindings, *leave), key_help=key_help, number=row.number, rows=rows)


def back_and_on(
    first: str, second: str, back: Effect, on: Effect, *, is_likely: bool = False
) -> tuple[KeyBinding, KeyBinding]:
    """Return the bindings of the *first* key, to go *back*, and of the *second* key, to go *on*."""
    return KeyBinding(first, PREVIOUS, back, is_likely), KeyBinding(second, NEXT, on, is_likely)


def lower_and_raise(moved: Callable[[int], Effect], by: int) -> tuple[KeyBinding, KeyBinding]:
    """Return the bindings of P1 to lower a number by *by*, and of P2 to raise it."""
    lower, higher = partial(moved, -by), partial(moved, by)
    return KeyBinding("P1", Text("Lower", "-"), lower), KeyBinding("P2", Text("Higher", "+"), higher)


def how_to_change(pad: Pad) -> str:
    """Return help on the keys of *pad* that select a row and change it."""
    say = pad.label_for
    if pad.has_ranks:
        return f"Press a line's number to select it, {say('P1')} or {say('P2')} to change it"
    return f"{say('UP')} and {say('DOWN')} select a line, {say('P1')} and {say('P2')} change it"


def how_to_move(pad: Pad, ok: str) -> str:
    """Return help on the keys of *pad* in a list. *ok* is what OK does."""
    say = pad.label_for
    up, down = ("P1", "P2") if pad.has_ranks else ("UP", "DOWN")
    return f"{say('OK')}{ok}, {say(up)} and {say(down)} move, {say('UNDO')} closes"
