"""The OLED and the keys on the wiring diagram: a matrix, buttons, a bonnet or a keypad on USB."""

from __future__ import annotations

from typing import Final

from cribpi.drawings import header
from cribpi.drawings.circuit import GLASS, KEYS, Colour, wires
from cribpi.drawings.shapes import Circle, Pen, Rectangle, line
from cribpi.drawings.wiring_frame import FAINT, MIDDLE, PAPER, SOFT, Drawing, End, row_y
from cribpi.kit import Buttons, Keypad, Kit, UsbKeys

_GLASS_LEFT, _GLASS_RIGHT = 8.0, 46.0
_WIDEST: Final = 76.0
_BOTTOM: Final = 199.0
_KEY = Pen("#57606a", 0.25)


def draw_glass(drawing: Drawing, kit: Kit) -> None:
    """Draw the OLED, its terminals level with their pins if these are on its side."""
    if kit.glass.bonnet and isinstance(kit.keypad, Buttons):
        return  # the bonnet is drawn with the keys
    four = [wire for wire in wires(kit) if wire.device == GLASS]
    is_beside = all(header.is_left(wire.pin) for wire in four)
    rows = [header.row_of(wire.pin) for wire in four] if is_beside else [0.5, 1.5, 2.5, 3.5]
    if is_beside:
        top, bottom = row_y(min(rows)) - 7, row_y(max(rows)) + 5
    else:
        top, bottom = row_y(0) - 7, row_y(4) + 5
    drawing.box(GLASS, _GLASS_LEFT, top, _GLASS_RIGHT - _GLASS_LEFT, bottom - top, "#dceaf7")
    what = "OLED bonnet" if kit.glass.bonnet else "OLED, SSD1306"
    drawing.write(_GLASS_LEFT + 2.5, top + 4.2, what, 2.6, is_bold=True)
    middle = (top + bottom) / 2
    drawing.add(Rectangle(_GLASS_LEFT + 2.5, middle - 6.5, 26, 13, Pen("#0d1117", 0.3), "#0d1117", 0.6))
    drawing.write(_GLASS_LEFT + 15.5, middle + 0.9, "128 x 64", 2.6, "middle", colour="#9fd0ff")
    drawing.write(
        _GLASS_LEFT + 2.5, bottom - 2, f"I2C {kit.glass.bus}, address 0x{kit.glass.address:02X}", 2.1
    )
    for wire, row in zip(four, rows, strict=True):
        y = row_y(row)
        drawing.ends[GLASS, wire.terminal] = End((_GLASS_RIGHT, y), "left")
        drawing.write(_GLASS_RIGHT - 1.2, y + 0.8, wire.terminal, 2.2, "end", is_bold=True)


def draw_keys(drawing: Drawing, kit: Kit, top: float) -> None:
    """Draw the keys below the header, from *top* downward."""
    keys = kit.keypad
    if isinstance(keys, Keypad):
        _draw_matrix(drawing, keys, top)
    elif isinstance(keys, Buttons):
        _draw_buttons(drawing, kit, top)
    else:
        _draw_usb(drawing, keys, top)


def _draw_matrix(drawing: Drawing, keys: Keypad, top: float) -> None:
    across = min(11.0, (_WIDEST - 20) / len(keys.columns))
    down = min(9.0, (_BOTTOM - top - 6) / len(keys.rows))
    width = across * len(keys.columns) + 20
    left = MIDDLE - width / 2
    drawing.box(KEYS, left, top, width, down * len(keys.rows) + 6, "#f3efe6")
    rails = [top + 5 + down * (n + 0.5) for n in range(len(keys.rows))]
    for n in range(len(keys.columns)):
        x = round(left + 10 + across * (n + 0.5), 3)
        drawing.ends[KEYS, f"column {n + 1}"] = End((x, top), "below")
        drawing.write(
            x, top + 3, f"column {n + 1}" if across > 10 else str(n + 1), 1.9, "middle", is_bold=True
        )
        drawing.add(line(x, top + 3.9, x, rails[-1], Pen("#b9b09a", 0.35)))
    for n, gpio in enumerate(keys.rows):
        y = round(rails[n], 3)
        is_left = header.is_left(header.pin_of(gpio))
        drawing.ends[KEYS, f"row {n + 1}"] = End(
            (left if is_left else left + width, y), "left" if is_left else "right"
        )
        at = left + 1.2 if is_left else left + width - 1.2
        drawing.write(at, y + 0.7, f"row {n + 1}", 1.9, "start" if is_left else "end", is_bold=True)
        first, last = left + 10 + across / 2, left + width - 10 - across / 2
        ends = (left + 8.5, last) if is_left else (first, left + width - 8.5)
        drawing.add(line(ends[0], y, ends[1], y, Pen("#b9b09a", 0.35)))
    for row, names in enumerate(keys.keys):
        for column, name in enumerate(names):
            if name:
                _draw_key(
                    drawing, left + 10 + across * (column + 0.5), rails[row], across - 2, down - 2.4, name
                )


def _draw_key(
    drawing: Drawing, x: float, y: float, width: float, height: float, name: str, cap: str = ""
) -> None:
    """Draw a key around *x*, *y*: its name, and its *cap* if that is something else."""
    drawing.add(Rectangle(x - width / 2, y - height / 2, width, height, _KEY, PAPER, 1))
    is_other = bool(cap) and cap != name
    drawing.write(x, y + (1.9 if is_other else 0.85), name, 2.3, "middle", is_bold=True)
    if is_other:
        drawing.write(x - width / 2 + 0.9, y - height / 2 + 2.2, cap, 1.9, colour="#57606a")


def _draw_buttons(drawing: Drawing, kit: Kit, top: float) -> None:
    """Draw a button for each key, or the bonnet with the OLED and its buttons."""
    is_bonnet = kit.glass.bonnet
    lines = [wire for wire in wires(kit) if wire.device == KEYS and wire.gpio is not None]
    glass = [wire for wire in wires(kit) if wire.device == GLASS] if is_bonnet else []
    # Wires of left pins come from the left, those of right pins from the right: few of them cross.
    order = sorted(
        [*glass, *lines], key=lambda wire: (wire.pin % 2 == 0, wire.pin if wire.pin % 2 else -wire.pin)
    )
    across = min(8.0, (_WIDEST - 4) / len(order))
    width = across * len(order) + 4
    left = MIDDLE - width / 2
    height = min(34.0, _BOTTOM - top)
    drawing.box(KEYS, left, top, width, height, "#dceaf7" if is_bonnet else "#f3efe6")
    ground = top + height - 6
    for n, wire in enumerate(order):
        x = round(left + 2 + across * (n + 0.5), 3)
        drawing.ends[wire.device, wire.terminal] = End((x, top), "below")
        drawing.write(x, top + 3.4, wire.terminal, 1.9 if across > 6 else 1.5, "middle", is_bold=True)
        if not is_bonnet:
            _draw_switch(drawing, x, top + 5, ground)
    if is_bonnet:
        _draw_bonnet(drawing, left, top, width, height)
        return
    is_left = header.is_left(header.KEYS_GROUND)
    drawing.add(line(left + 2, ground, left + width - 2, ground, Pen("#22252a", 0.35)))
    drawing.write(left + 2, ground + 3, "GND, common to all", 1.9, is_bold=True)
    drawing.ends[KEYS, "GND"] = End(
        (left if is_left else left + width, ground), "left" if is_left else "right"
    )


def _draw_switch(drawing: Drawing, x: float, top: float, bottom: float) -> None:
    middle = (top + bottom) / 2
    pen = Pen("#22252a", 0.35)
    drawing.add(line(x, top, x, middle - 2, pen), line(x, middle + 2, x, bottom, pen))
    drawing.add(line(x, middle + 2, x - 1.6, middle - 2, pen))
    drawing.add(Circle(x, middle - 2, 0.4, pen, PAPER), Circle(x, middle + 2, 0.4, pen, PAPER))


def _draw_bonnet(drawing: Drawing, left: float, top: float, width: float, height: float) -> None:
    """Draw the bonnet: the stick, the glass, and the two buttons."""
    middle = top + 4 + (height - 8) / 2
    drawing.add(Rectangle(MIDDLE - 14, middle - 7, 28, 14, Pen("#0d1117", 0.3), "#0d1117", 0.6))
    drawing.write(MIDDLE, middle + 0.9, "128 x 64", 2.6, "middle", colour="#9fd0ff")
    drawing.add(Circle(left + 12, middle, 5, _KEY, PAPER), Circle(left + 12, middle, 2, _KEY, SOFT))
    for dy in (-4.2, 4.2):
        drawing.add(Circle(left + width - 12 + dy / 2, middle - dy, 2.4, _KEY, PAPER))
    drawing.write(
        MIDDLE,
        top + height - 1.8,
        "OLED bonnet: it plugs on the header, all its lines at once",
        2.2,
        "middle",
        is_bold=True,
    )


def _draw_usb(drawing: Drawing, keys: UsbKeys, top: float) -> None:
    """Draw the keypad, and its cable to a USB socket of the Pi."""
    socket = row_y(19) + 5.6
    drawing.add(
        Rectangle(MIDDLE - 15, socket, 30, 5, Pen("#57606a", 0.35), "#c9ced6", 0.6, role="box", name="USB")
    )
    drawing.write(MIDDLE, socket + 3.3, "a USB socket of the Pi", 2.2, "middle", is_bold=True)
    grey = Colour("any", "#57606a")
    drawing.wire("USB cable", grey, (MIDDLE, socket + 5), (MIDDLE, top))
    drawing.write(MIDDLE + 2.5, top - 1.6, "its own cable", 2.1, colour=FAINT)
    across = min(12.0, (_WIDEST - 6) / len(keys.keys[0]))
    down = min(8.6, (_BOTTOM - top - 7) / len(keys.keys))
    width = across * len(keys.keys[0]) + 6
    left = MIDDLE - width / 2
    drawing.box(KEYS, left, top, width, down * len(keys.keys) + 7, "#f3efe6")
    drawing.write(MIDDLE, top + 3.9, "keypad on USB", 2.3, "middle", is_bold=True)
    for row, names in enumerate(keys.keys):
        for column, name in enumerate(names):
            if name:
                x, y = left + 3 + across * (column + 0.5), top + 5 + down * (row + 0.5)
                _draw_key(drawing, x, y, across - 1.6, down - 1.4, name, dict(keys.caps).get(name, name))
