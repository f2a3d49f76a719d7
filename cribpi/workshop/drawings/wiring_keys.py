"""The OLED and the keys on the wiring diagram: a matrix, buttons, a bonnet or a keypad on USB."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Final

from cribpi.companion.kit import Buttons, Keypad, Kit, UsbKeys
from cribpi.workshop.drawings.circuit import GLASS, KEYS, cells, is_left, pin_of, row_of, wires
from cribpi.workshop.drawings.routes import MIDDLE, PAPER, SOFT, End, Parts, box, row_y, wired
from cribpi.workshop.drawings.shapes import GREY, Circle, DrawnShape, Pen, Rectangle, TextLine, line

_GLASS_LEFT, _GLASS_RIGHT = 8.0, 46.0
_WIDEST: Final = 76.0
_BOTTOM: Final = 199.0
_KEY = Pen(GREY, 0.25)
_BUS = Pen("#b9b09a", 0.35)
_SWITCH = Pen("#22252a", 0.35)


def draw_glass(kit: Kit) -> Parts:
    """Draw the OLED.  If all its pins are in the near column, each terminal is at the height of its pin."""
    if kit.glass.bonnet and isinstance(kit.keypad, Buttons):
        return  # the bonnet is drawn with the keys
    found = [wire for wire in wires(kit) if wire.device == GLASS]
    bus = [wire for wire in found if wire.terminal != "RES"]
    is_beside = all(is_left(wire.pin) for wire in bus)
    rows = [row_of(wire.pin) for wire in bus] if is_beside else [0.5, 1.5, 2.5, 3.5]
    # Halfway between rows of pins, where no other wire runs.
    rows += [ceil(max(rows)) + 0.5] * (len(found) - len(bus))
    top, bottom = row_y(floor(min(rows))) - 7, row_y(ceil(max(rows))) + 5
    left, middle = _GLASS_LEFT + 2.5, (top + bottom) / 2
    yield box(GLASS, _GLASS_LEFT, top, _GLASS_RIGHT - _GLASS_LEFT, bottom - top, "#dceaf7")
    what = "OLED bonnet" if kit.glass.bonnet else f"OLED, {kit.glass.panel}"
    yield TextLine(left, top + 4.2, what, 2.6, is_bold=True)
    yield from _panel(left, middle, 26, 13)
    yield TextLine(left, bottom - 2, f"I2C {kit.glass.bus}, address 0x{kit.glass.address:02X}", 2.1)
    for wire, row in zip(found, rows, strict=True):
        y = row_y(row)
        yield End(GLASS, wire.terminal, (_GLASS_RIGHT, y), "left")
        yield TextLine(_GLASS_RIGHT - 1.2, y + 0.8, wire.terminal, 2.2, "end", is_bold=True)


def _panel(left: float, middle: float, width: float, height: float) -> Iterator[DrawnShape]:
    yield Rectangle(left, middle - height / 2, width, height, Pen("#0d1117", 0.3), "#0d1117", 0.6)
    yield TextLine(left + width / 2, middle + 0.9, "128 x 64", 2.6, "middle", colour="#9fd0ff")


def draw_keys(kit: Kit, top: float) -> Parts:
    match kit.keypad:
        case Keypad():
            return _matrix(kit.keypad, top)
        case Buttons():
            return _buttons(kit, top)
        case UsbKeys():
            return _usb(kit.keypad, top)


def _matrix(keys: Keypad, top: float) -> Parts:
    across = min(11.0, (_WIDEST - 20) / len(keys.columns))
    down = min(9.0, (_BOTTOM - top - 6) / len(keys.rows))
    width = across * len(keys.columns) + 20
    left = MIDDLE - width / 2
    right = left + width
    yield box(KEYS, left, top, width, down * len(keys.rows) + 6, "#f3efe6")
    columns = [left + 10 + across * (n + 0.5) for n in range(len(keys.columns))]
    rows = [top + 5 + down * (n + 0.5) for n in range(len(keys.rows))]
    for n, x in enumerate((round(x, 3) for x in columns), start=1):
        yield End(KEYS, f"column {n}", (x, top), "below")
        yield TextLine(x, top + 3, f"column {n}" if across > 10 else str(n), 1.9, "middle", is_bold=True)
        yield line(x, top + 3.9, x, rows[-1], _BUS)
    for n, (gpio, at) in enumerate(zip(keys.rows, rows, strict=True), start=1):
        y = round(at, 3)
        if is_left(pin_of(gpio)):
            yield End(KEYS, f"row {n}", (left, y), "left")
            yield TextLine(left + 1.2, y + 0.7, f"row {n}", 1.9, "start", is_bold=True)
            yield line(left + 8.5, y, right - 10 - across / 2, y, _BUS)
        else:
            yield End(KEYS, f"row {n}", (right, y), "right")
            yield TextLine(right - 1.2, y + 0.7, f"row {n}", 1.9, "end", is_bold=True)
            yield line(left + 10 + across / 2, y, right - 8.5, y, _BUS)
    for name, row, column in cells(keys):
        yield from _key(columns[column], rows[row], across - 2, down - 2.4, name, name)


def _key(x: float, y: float, width: float, height: float, name: str, cap: str) -> Iterator[DrawnShape]:
    yield Rectangle(x - width / 2, y - height / 2, width, height, _KEY, PAPER, 1)
    yield TextLine(x, y + (0.85 if cap == name else 1.9), name, 2.3, "middle", is_bold=True)
    if cap != name:
        yield TextLine(x - width / 2 + 0.9, y - height / 2 + 2.2, cap, 1.9, colour=GREY)


def _buttons(kit: Kit, top: float) -> Parts:
    is_bonnet = kit.glass.bonnet
    devices = {KEYS, GLASS} if is_bonnet else {KEYS}
    # Wires from left pins arrive on the left and those from right pins on the right: so few of them cross.
    order = sorted(
        (wire for wire in wires(kit) if wire.device in devices and (wire.terminal != "GND" or is_bonnet)),
        key=lambda wire: (wire.pin % 2 == 0, wire.pin if wire.pin % 2 else -wire.pin),
    )
    across = min(8.0, (_WIDEST - 4) / len(order))
    width = across * len(order) + 4
    left = MIDDLE - width / 2
    height = min(34.0, _BOTTOM - top)
    yield box(KEYS, left, top, width, height, "#dceaf7" if is_bonnet else "#f3efe6")
    ground = top + height - 6
    for n, wire in enumerate(order):
        x = round(left + 2 + across * (n + 0.5), 3)
        yield End(wire.device, wire.terminal, (x, top), "below")
        yield TextLine(x, top + 3.4, wire.terminal, 1.9 if across > 6 else 1.5, "middle", is_bold=True)
        if not is_bonnet:
            yield from _switch(x, top + 5, ground)
    if is_bonnet:
        yield from _bonnet(left, top, width, height)
        return
    yield line(left + 2, ground, left + width - 2, ground, _SWITCH)
    yield TextLine(left + 2, ground + 3, "GND, common to all", 1.9, is_bold=True)
    yield End(KEYS, "GND", (left, ground), "left")  # pin 39 is on the left


def _switch(x: float, top: float, bottom: float) -> Iterator[DrawnShape]:
    middle = (top + bottom) / 2
    yield line(x, top, x, middle - 2, _SWITCH)
    yield line(x, middle + 2, x, bottom, _SWITCH)
    yield line(x, middle + 2, x - 1.6, middle - 2, _SWITCH)
    yield Circle(x, middle - 2, 0.4, _SWITCH, PAPER)
    yield Circle(x, middle + 2, 0.4, _SWITCH, PAPER)


def _bonnet(left: float, top: float, width: float, height: float) -> Iterator[DrawnShape]:
    middle = top + 4 + (height - 8) / 2
    yield from _panel(MIDDLE - 14, middle, 28, 14)
    yield Circle(left + 12, middle, 5, _KEY, PAPER)
    yield Circle(left + 12, middle, 2, _KEY, SOFT)
    for dy in (-4.2, 4.2):
        yield Circle(left + width - 12 + dy / 2, middle - dy, 2.4, _KEY, PAPER)
    words = "OLED bonnet: it plugs onto the header, all its lines at once"
    yield TextLine(MIDDLE, top + height - 1.8, words, 2.2, "middle", is_bold=True)


def _usb(keys: UsbKeys, top: float) -> Parts:
    yield from wired("usb")
    across = min(12.0, (_WIDEST - 6) / len(keys.keys[0]))
    down = min(8.6, (_BOTTOM - top - 7) / len(keys.keys))
    width = across * len(keys.keys[0]) + 6
    left = MIDDLE - width / 2
    yield box(KEYS, left, top, width, down * len(keys.keys) + 7, "#f3efe6")
    yield TextLine(MIDDLE, top + 3.9, "USB keypad", 2.3, "middle", is_bold=True)
    for name, row, column in cells(keys):
        x, y = left + 3 + across * (column + 0.5), top + 5 + down * (row + 0.5)
        yield from _key(x, y, across - 1.6, down - 1.4, name, dict(keys.caps).get(name, name))
