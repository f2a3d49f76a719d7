"""The keypad's labels in their true size: what is on each key, and what holding it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cribpi.drawings.letters import text_width, wrap
from cribpi.drawings.shapes import Circle, Path, Pen, Rectangle, Shape, Sheet, Text, line
from cribpi.drawings.template import BAR, scale_bar
from cribpi.entry.debounce import holds_of
from cribpi.kit import Buttons, Keypad, Kit, UsbKeys

KEY: Final = 19.05
"""From one key to the next: 0.75 inch, as on nearly every keypad and keyboard."""

LABEL: Final = 14.0
"""A label's side: it fits on a key cap, or under a clear one."""

_LEFT: Final = 18.0
_TOP: Final = 50.0
_GREY: Final = "#57606a"
_CUT = Pen("#8b929b", 0.15, (1.2, 0.8))
_INK: Final = "#1f2328"
_ARROWS: Final = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
_WORDS: Final = {
    "hold:UNDO": "redo",
    "hold:MENU": "off",
}


def overlay_sheet(kit: Kit) -> Sheet:
    """Return the labels of the keys of *kit*, on A4 upright, or lying if the rows are too long."""
    keys = kit.keypad
    title = f"Keypad of the kit {kit.name}"
    shapes: list[Shape] = [Text(_LEFT, 20, title, 6.2, is_bold=True)]
    y = 26.0
    for text in _how(kit):
        for words in wrap(text, 174, 2.9):
            shapes.append(Text(_LEFT, y, words, 2.9, colour=_GREY))
            y += 4.1
    rows, columns = len(keys.keys), len(keys.keys[0])
    width, height = (210.0, 297.0) if columns * KEY + 28 <= 210 else (max(297.0, columns * KEY + 28), 210.0)
    left = (width - columns * KEY) / 2
    top = max(_TOP, y + 6)
    frame = Rectangle(
        left - 4, top - 4, columns * KEY + 8, rows * KEY + 8, Pen(width=0.3), None, 3, role="frame"
    )
    shapes.append(frame)
    for row, names in enumerate(keys.keys):
        for column, name in enumerate(names):
            if name:
                shapes += _label(kit, name, left + KEY * (column + 0.5), top + KEY * (row + 0.5))
    foot = top + rows * KEY + 18
    shapes += scale_bar((width - BAR) / 2, foot, "Measure this bar: 50 mm.")
    shapes += _table(kit, foot + 18, height - 13)
    return Sheet(title, width, height, tuple(shapes))


def held(kit: Kit, name: str) -> str:
    """Return what holding the key *name* does, in words; nothing if it is the same as a press.

    >>> from cribpi.kit import load_kit
    >>> held(load_kit("table"), "UNDO"), held(load_kit("table"), "OK")
    ('1 s: redo', '')
    """
    for hold in holds_of(kit.keypad.holds):
        if hold.button == name:
            return f"{hold.seconds:g} s: {_WORDS.get(hold.key, hold.key)}"
    return ""


def _how(kit: Kit) -> tuple[str, ...]:
    """Return what to do with the sheet, line by line."""
    match kit.keypad:
        case Keypad():
            labels = f"The labels are {KEY:g} mm apart, as keys on nearly every keypad are: lay the sheet"
            return (
                f"Print at 100 %. {labels}",
                "under a clear cover, or cut the labels out and put each under a clear cap or on its key.",
            )
        case UsbKeys():
            cut = "Cut the labels out and stick them on the keys: small, at the upper left, is what"
            return f"Print at 100 %. {cut}", "is printed on the key; large is what it is here."
        case Buttons():
            card = "A card to keep beside the screen: what each button is. It is not a template for holes."
            return (f"Print at 100 %. {card}",)


def _label(kit: Kit, name: str, x: float, y: float) -> Iterator[Shape]:
    """Draw the label of one key around *x*, *y*."""
    half = LABEL / 2
    keys = kit.keypad
    yield Rectangle(x - half, y - half, LABEL, LABEL, _CUT, None, 1.2, role="label", name=name)
    if name in _ARROWS:
        yield _arrow(x, y - 2, *_ARROWS[name])
        yield Text(x, y + 4.2, name, 2.6, "middle", is_bold=True)
    else:
        size = min(5.4, 5.4 * 11.5 / text_width(name, 5.4, is_bold=True))
        yield Text(x, y + 0.36 * size, name, size, "middle", is_bold=True)
    cap = dict(keys.caps).get(name, name)
    if cap != name:
        yield Text(x - half + 0.9, y - half + 2.5, cap, 2.2, colour=_GREY)
    side = dict(keys.sides).get(name)
    if side:
        yield Text(x + half - 0.9, y - half + 2.5, side, 2.2, "end", is_bold=True)
    action = held(kit, name)
    if action:
        yield Text(x, y + half - 1, action, 2, "middle", colour="#b3261e")


def _arrow(x: float, y: float, right: int, down: int) -> Path:
    """Return a triangle that points *right* or *down* if that is 1, and left or up if it is -1."""
    size = 2.4
    if right:
        corners = ((x - size * right, y - size), (x + size * right, y), (x - size * right, y + size))
    else:
        corners = ((x - size, y - size * down), (x, y + size * down), (x + size, y - size * down))
    return Path(corners, None, _INK, is_closed=True)


def _table(kit: Kit, y: float, lowest: float) -> Iterator[Shape]:
    """Write what the small signs on the labels mean, as far as the kit has them."""
    keys = kit.keypad
    names = [name for row in keys.keys for name in row if name]
    held_ones = [name for name in names if held(kit, name)]
    if held_ones:
        yield Text(_LEFT, y, "Held down", 3.4, is_bold=True)
        for name in held_ones:
            y += 5
            yield Circle(_LEFT + 1, y - 1, 0.6, None, "#b3261e")
            yield Text(_LEFT + 4, y, name, 2.9, is_bold=True)
            yield Text(_LEFT + 20, y, _in_words(held(kit, name)), 2.9)
        y += 9
    if keys.sides:
        yield Text(_LEFT, y, "Where a rank means nothing", 3.4, is_bold=True)
        for name, side in keys.sides:
            y += 5
            yield Circle(_LEFT + 1, y - 1, 0.6, None, _INK)
            yield Text(_LEFT + 4, y, name, 2.9, is_bold=True)
            yield Text(_LEFT + 20, y, f"stands for {side}, the key of a side", 2.9)
        y += 9
    yield line(_LEFT, lowest, 192, lowest, Pen("#d5dae0", 0.15))
    yield Text(
        _LEFT, lowest + 4, f"Drawn from kit.toml by: cribpi kits draw {kit.name}", 2.2, colour="#8b929b"
    )


def _in_words(action: str) -> str:
    """Return a hold's label as a sentence.

    >>> _in_words("3 s: off")
    'for 3 s: shuts the Pi down safely'
    """
    time, _, what = action.partition(": ")
    told = {"redo": "redoes what was undone", "off": "shuts the Pi down safely"}
    return f"for {time}: {told.get(what, f'as {what}')}"
