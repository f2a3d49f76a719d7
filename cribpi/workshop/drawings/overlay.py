"""Printable labels of the keys, true to scale, with the actions of long presses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from cribpi.companion.entry.debounce import holds_of
from cribpi.companion.kit import KEY_PITCH, Kit
from cribpi.workshop.drawings.circuit import cells
from cribpi.workshop.drawings.parts import texts
from cribpi.workshop.drawings.shapes import (
    A4,
    FAINT,
    GREY,
    INK,
    RULE,
    Circle,
    Drawing,
    DrawnShape,
    Paper,
    Pen,
    Rectangle,
    TextLine,
    line,
    text_width,
)
from cribpi.workshop.drawings.svg import figure
from cribpi.workshop.drawings.template import BAR, scale_bar

KEY: Final = KEY_PITCH
"""Distance between the middles of two keys, in millimetres."""

LABEL: Final = 14.0
"""Side of a label in millimetres: it fits on a key cap, or below a transparent one."""

_LEFT: Final = 18.0
_CUT = Pen(FAINT, 0.15, (1.2, 0.8))
_RED: Final = "#b3261e"
_ARROWS: Final = {"UP", "DOWN", "LEFT", "RIGHT"}
_HOLDS: Final = {
    "hold:UNDO": ("redo", "redoes what was undone"),
    "hold:MENU": ("off", "shuts the Pi down safely"),
}
"""Label and description of the long presses whose effect no key has."""


def overlay_sheet(kit: Kit, paper: Paper = A4) -> Drawing:
    """Return the labels of the keys of *kit* on *paper*, in landscape if the rows are too long."""
    keys = kit.keypad
    title = f"Keypad of the kit {kit.name}"
    shapes: list[DrawnShape] = [TextLine(_LEFT, 20, title, 6.2, is_bold=True)]
    for n, words in enumerate(texts(kit, "labels", pitch=KEY)):
        shapes.append(TextLine(_LEFT, 26 + 4.1 * n, words, 2.9, colour=GREY))
    across, down = len(keys.keys[0]) * KEY, len(keys.keys) * KEY
    width, height = paper.width, paper.height
    if across + 28 > width:
        width, height = max(paper.height, across + 28), paper.width
    left, top = (width - across) / 2, 50.0
    shapes.append(Rectangle(left - 4, top - 4, across + 8, down + 8, Pen(width=0.3), None, 3, role="frame"))
    for name, row, column in cells(keys):
        shapes += _label(kit, name, left + KEY * (column + 0.5), top + KEY * (row + 0.5))
    foot = top + down + 18
    shapes += scale_bar((width - BAR) / 2, foot, "Measure this bar: 50 mm.")
    shapes += _table(kit, foot + 18)
    lowest = height - 13
    shapes.append(line(_LEFT, lowest, 192, lowest, Pen(RULE, 0.15)))
    drawn = f"Drawn from kit.toml by: cribpi kits draw {kit.name}"
    shapes.append(TextLine(_LEFT, lowest + 4, drawn, 2.2, colour=FAINT))
    return Drawing(title, width, height, tuple(shapes))


def hold_label(kit: Kit, name: str) -> str:
    """Return the label for a long press of the key *name*, or "" if that is the same as a short one.

    >>> from cribpi.companion.kit.reader import load_kit
    >>> hold_label(load_kit("table"), "UNDO"), hold_label(load_kit("table"), "OK")
    ('1 s: redo', '')
    """
    return _holds(kit).get(name, ("", ""))[0]


def _holds(kit: Kit) -> dict[str, tuple[str, str]]:
    """Return the label and description of each long press, by key."""
    labels = {}
    for hold in holds_of(kit.keypad.holds):
        label, words = _HOLDS.get(hold.key, (hold.key, f"as {hold.key}"))
        labels[hold.button] = f"{hold.seconds:g} s: {label}", f"for {hold.seconds:g} s: {words}"
    return labels


def _label(kit: Kit, name: str, x: float, y: float) -> Iterator[DrawnShape]:
    half = LABEL / 2
    yield Rectangle(x - half, y - half, LABEL, LABEL, _CUT, None, 1.2, role="label", name=name)
    if name in _ARROWS:
        yield from figure(name, x, y - 2)
        yield TextLine(x, y + 4.2, name, 2.6, "middle", is_bold=True)
    else:
        size = min(5.4, 5.4 * 11.5 / text_width(name, 5.4, is_bold=True))
        yield TextLine(x, y + 0.36 * size, name, size, "middle", is_bold=True)
    cap = dict(kit.keypad.caps).get(name, name)
    if cap != name:
        yield TextLine(x - half + 0.9, y - half + 2.5, cap, 2.2, colour=GREY)
    if side := dict(kit.keypad.sides).get(name):
        yield TextLine(x + half - 0.9, y - half + 2.5, side, 2.2, "end", is_bold=True)
    if action := hold_label(kit, name):
        yield TextLine(x, y + half - 1, action, 2, "middle", colour=_RED)


def _table(kit: Kit, y: float) -> Iterator[DrawnShape]:
    names, holds = chain.from_iterable(kit.keypad.keys), _holds(kit)
    holding = {name: holds[name][1] for name in names if name in holds}
    sides = {name: f"stands for {side}, the key of a side" for name, side in kit.keypad.sides}
    parts = ("Held down", _RED, holding), ("Where a rank means nothing", INK, sides)
    for title, ink, rows in parts:
        if not rows:
            continue
        yield TextLine(_LEFT, y, title, 3.4, is_bold=True)
        for name, words in rows.items():
            y += 5
            yield Circle(_LEFT + 1, y - 1, 0.6, None, ink)
            yield TextLine(_LEFT + 4, y, name, 2.9, is_bold=True)
            yield TextLine(_LEFT + 20, y, words, 2.9)
        y += 9
