"""The right side of the wiring diagram: supply, fuse, level shifter and strip, between two rails."""

from __future__ import annotations

from typing import Final

from cribpi.drawings.circuit import BLACK, GREEN, RED, SHIFTER, STRIP, feeds, fuse
from cribpi.drawings.shapes import Circle, Pen, Rectangle, line
from cribpi.drawings.wiring_frame import FAINT, PAPER, Drawing, End, row_y
from cribpi.kit import Kit

LEFT: Final = 188.0
"""Where the wires from the header arrive."""

# On half rows, at which no wire leaves the header.
_V5: Final = row_y(3.5)
_DATA: Final = row_y(11.5)
_GROUND: Final = row_y(12.5)
_CHIP: Final = 219.0
_CHIP_TOP, _CHIP_BOTTOM = 73.0, 89.0
_PAD_V5, _PAD_DATA, _PAD_GROUND = 134.0, 139.0, 144.0
_STRIP_LEFT, _STRIP_RIGHT = 220.0, 278.0
_V5_DOWN, _GROUND_DOWN, _DATA_DOWN = 202.0, 211.0, 215.0
_MOST_FEEDS: Final = 4  # more would not fit; the words below name all

# The pins of a 74AHCT125, DIP-14: 14 to 8 from left to right, and 1 to 7 below them.
_UPPER: Final = ("VCC", "/4OE", "4A", "4Y", "/3OE", "3A", "3Y")
_LOWER: Final = ("/1OE", "1A", "1Y", "/2OE", "2A", "2Y", "GND")
_OPEN: Final = ("2Y", "3Y", "4Y")


def draw_power(drawing: Drawing, kit: Kit) -> None:
    """Draw the 5 V side of *kit*, and note where the wires from the header end."""
    drawing.ends[STRIP, "GND"] = End((LEFT, _GROUND), "right")
    drawing.ends[SHIFTER, "1A"] = End((LEFT, _DATA), "right")
    right = _draw_source(drawing, kit)
    _draw_chip(drawing)
    far = _draw_strip(drawing, kit)
    rail_v5 = 283.0 if far else max(right, _pin_x(5))
    rail_ground = 287.0 if far else max(right + 6 if right else 0, _pin_x(6))
    end_v5 = ((283.0, _PAD_V5), (_STRIP_RIGHT, _PAD_V5)) if far else ()
    end_ground = ((287.0, _PAD_GROUND), (_STRIP_RIGHT, _PAD_GROUND)) if far else ()
    start = LEFT if kit.power.strip == "own" else 198.5
    first = (_V5_DOWN, _V5) if kit.power.strip == "own" else (start, _V5)
    drawing.wire("5 V rail", RED, first, (rail_v5, _V5), *end_v5)
    drawing.wire("ground rail", BLACK, (LEFT, _GROUND), (rail_ground, _GROUND), *end_ground)
    drawing.write(_CHIP + 21, _V5 - 1.6, "5 V", 2.2, "middle", is_bold=True, colour=RED.ink)
    drawing.write(190, _GROUND - 1.3, "GND", 2.2, "start", is_bold=True)


def _draw_source(drawing: Drawing, kit: Kit) -> float:
    """Draw the source of the 5 V; return how far to the right the 5 V rail must go for it, or 0."""
    label = f"F1 {fuse(kit):g} A slow"
    if kit.power.strip == "pi":
        drawing.ends[STRIP, "5 V"] = End((LEFT, _V5), "right")
        drawing.wire("5 V to the fuse", RED, (LEFT, _V5), (190.5, _V5))
        drawing.add(Rectangle(190.5, _V5 - 1.5, 8, 3, Pen(width=0.35), PAPER, role="box", name="F1"))
        drawing.add(line(191.3, _V5, 197.7, _V5, Pen(width=0.3)))
        drawing.write(190.5, _V5 - 2.8, label, 2.1)
        return 0
    drawing.box("5 V supply", 226, 22, 61, 15)
    drawing.write(
        256.5, 28, f"5 V supply, {kit.power.supply_ma / 1000:g} A or more", 2.6, "middle", is_bold=True
    )
    drawing.write(256.5, 31.6, "for the strip alone; the Pi has its own", 2.1, "middle", colour=FAINT)
    drawing.write(270, 35.8, "+", 3, "middle", is_bold=True, colour=RED.ink)
    drawing.write(276, 35.8, "-", 3, "middle", is_bold=True)
    drawing.wire("5 V supply, plus", RED, (270, 37), (270, 42))
    drawing.wire("5 V behind the fuse", RED, (270, 51), (270, _V5))
    drawing.add(Rectangle(268.5, 42, 3, 9, Pen(width=0.35), PAPER, role="box", name="F1"))
    drawing.add(line(270, 42.9, 270, 50.1, Pen(width=0.3)))
    drawing.write(267, 47.3, label, 2.1, "end")
    drawing.wire("5 V supply, minus", BLACK, (276, 37), (276, _GROUND))
    drawing.joint(RED, (270, _V5))
    drawing.joint(BLACK, (276, _GROUND))
    return 270


def _pin_x(position: int) -> float:
    """Return the x of the chip's pins at *position*, 0 to 6 from the left."""
    return _CHIP + 3 + 6 * position


def _draw_chip(drawing: Drawing) -> None:
    """Draw the level shifter as it lies on a breadboard: the notch to the left, pin 1 below it."""
    _draw_capacitor_beside(drawing)
    drawing.box("74AHCT125", _CHIP, _CHIP_TOP, 42, _CHIP_BOTTOM - _CHIP_TOP, "#30363d")
    drawing.add(Circle(_CHIP, (_CHIP_TOP + _CHIP_BOTTOM) / 2, 1.6, None, PAPER))
    drawing.add(Circle(_CHIP + 3, _CHIP_BOTTOM - 4.3, 0.6, None, "#c9d1d9"))
    drawing.write(_CHIP + 21, 82, "74AHCT125", 3, "middle", is_bold=True, colour=PAPER)
    upper = (_UPPER, range(14, 7, -1), _CHIP_TOP, -1, 2.7, -0.7, RED, _V5)
    lower = (_LOWER, range(1, 8), _CHIP_BOTTOM, 1, -1.3, 2, BLACK, _GROUND)
    for names, pins, edge, way, name_below, pin_below, colour, rail in (upper, lower):
        for position, (name, pin) in enumerate(zip(names, pins, strict=True)):
            x = _pin_x(position)
            drawing.write(x, edge + name_below, name, 1.8, "middle", colour="#e6edf3")
            drawing.write(x + 0.8, edge + pin_below, str(pin), 1.8, colour="#57606a")
            if name in _OPEN:
                drawing.add(line(x, edge, x, edge + 3.6 * way, Pen("#57606a", 0.3)))
                drawing.open(x, edge + 3.6 * way)
            elif name not in {"1A", "1Y"}:
                drawing.wire(f"74AHCT125 {name}", colour, (x, edge), (x, rail))
                drawing.joint(colour, (x, rail))
    x = _pin_x(1)
    drawing.wire("data to 1A", GREEN, (x, _CHIP_BOTTOM), (x, _DATA), (LEFT, _DATA))


def _draw_capacitor_beside(drawing: Drawing) -> None:
    drawing.wire("C2, plus", RED, (_DATA_DOWN, _V5), (_DATA_DOWN, 80.2))
    drawing.wire("C2, minus", BLACK, (_DATA_DOWN, 81.8), (_DATA_DOWN, _GROUND))
    drawing.joint(RED, (_DATA_DOWN, _V5))
    drawing.joint(BLACK, (_DATA_DOWN, _GROUND))
    for y in (80.2, 81.8):
        drawing.add(line(_DATA_DOWN - 2, y, _DATA_DOWN + 2, y, Pen(width=0.6)))
    drawing.write(212.4, 80.4, "C2", 2.1, "end", is_bold=True)
    drawing.write(212.4, 83.2, "100 nF", 2.1, "end")


def _draw_strip(drawing: Drawing, kit: Kit) -> bool:
    """Draw the strip, its resistor, capacitor and feeds; return whether its far end is fed too."""
    x = _pin_x(2)
    drawing.wire("data from 1Y", GREEN, (x, _CHIP_BOTTOM), (x, 108))
    drawing.wire(
        "data to DIN",
        GREEN,
        (x, 118),
        (x, 124),
        (_DATA_DOWN, 124),
        (_DATA_DOWN, _PAD_DATA),
        (_STRIP_LEFT, _PAD_DATA),
    )
    drawing.add(Rectangle(x - 1.6, 108, 3.2, 10, Pen(width=0.35), "#f3e6c8", role="box", name="R1"))
    drawing.write(x - 2.8, 112.3, "R1", 2.1, "end", is_bold=True)
    drawing.write(x - 2.8, 115.1, "330 ohm", 2.1, "end")
    drawing.wire("5 V to the strip", RED, (_V5_DOWN, _V5), (_V5_DOWN, _PAD_V5), (_STRIP_LEFT, _PAD_V5))
    drawing.wire(
        "ground to the strip",
        BLACK,
        (_GROUND_DOWN, _GROUND),
        (_GROUND_DOWN, _PAD_GROUND),
        (_STRIP_LEFT, _PAD_GROUND),
    )
    drawing.joint(RED, (_V5_DOWN, _V5))
    drawing.joint(BLACK, (_GROUND_DOWN, _GROUND))
    drawing.wire("C1, plus", RED, (_V5_DOWN, 113), (205.7, 113))
    drawing.wire("C1, minus", BLACK, (207.3, 113), (_GROUND_DOWN, 113))
    drawing.joint(RED, (_V5_DOWN, 113))
    drawing.joint(BLACK, (_GROUND_DOWN, 113))
    for plate in (205.7, 207.3):
        drawing.add(line(plate, 110.8, plate, 115.2, Pen(width=0.6)))
    drawing.write(204.4, 111.8, "+", 2.2, "middle", is_bold=True)
    drawing.write(206.5, 118.3, "C1", 2.1, "middle", is_bold=True)
    drawing.write(206.5, 121.1, "1000 uF", 1.8, "middle")
    at = feeds(kit)
    _draw_pieces(drawing, kit, (*at[: _MOST_FEEDS - 1], at[-1]) if len(at) > _MOST_FEEDS else at)
    return len(at) > 1


def _draw_pieces(drawing: Drawing, kit: Kit, at: tuple[int, ...]) -> None:
    """Draw the strip, cut where it is fed in the middle."""
    middles = at[1:-1]
    length = (_STRIP_RIGHT - _STRIP_LEFT - 6 * len(middles)) / (len(middles) + 1)
    left = _STRIP_LEFT
    firsts = (0, *middles)
    lasts = (*(led - 1 for led in middles), kit.strip.leds - 1)
    for number, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        drawing.box("strip", left, 130.5, length, 17, "#f2f2ee")
        for y, name in ((_PAD_V5, "5V"), (_PAD_DATA, "DIN"), (_PAD_GROUND, "GND")):
            drawing.add(Rectangle(left, y - 1, 1.6, 2, None, "#c98a4b"))
            drawing.add(Rectangle(left + length - 1.6, y - 1, 1.6, 2, None, "#c98a4b"))
            if number == 0:
                drawing.write(left + 2.3, y + 0.7, name, 1.9)
        _draw_leds(drawing, left + (8 if number == 0 else 3), left + length - 3)
        if number == 0:
            drawing.write(left, 151, f"LED {first}", 2.1)
        else:
            drawing.write(left - 3, 151, f"{first - 1} | {first}", 2.1, "middle")
        if number == len(middles):
            drawing.write(left + length, 151, f"LED {last}", 2.1, "end")
        left += length
        if number < len(middles):
            _draw_middle_feed(drawing, left, is_first=number == 0)
            left += 6
    if middles:
        start = _STRIP_LEFT + length + 2
        drawing.wire("5 V to the middle", RED, (264, _V5), (264, 127), (start, 127), (start, _PAD_V5))
        drawing.joint(RED, (264, _V5))


def _draw_leds(drawing: Drawing, left: float, right: float) -> None:
    """Draw as many LEDs as there is room for."""
    count = max(int((right - left + 1.4) // 5), 1)
    step = (right - left - 3.6) / max(count - 1, 1)
    for n in range(count):
        x = left + step * n
        drawing.add(Rectangle(x, 137.2, 3.6, 3.6, Pen(FAINT, 0.25), PAPER, 0.4))
        drawing.add(Circle(x + 1.8, 139, 1.2, Pen(FAINT, 0.2), "#fdf4d3"))


def _draw_middle_feed(drawing: Drawing, left: float, *, is_first: bool) -> None:
    """Draw the three wires between two pieces, and how 5 V and ground reach them."""
    drawing.wire("joint, 5 V", RED, (left, _PAD_V5), (left + 6, _PAD_V5))
    drawing.wire("joint, data", GREEN, (left, _PAD_DATA), (left + 6, _PAD_DATA))
    drawing.wire("joint, ground", BLACK, (left, _PAD_GROUND), (left + 6, _PAD_GROUND))
    drawing.joint(RED, (left + 2, _PAD_V5))
    if not is_first:
        drawing.wire("5 V to the joint", RED, (left + 2, 127), (left + 2, _PAD_V5))
        drawing.joint(RED, (left + 2, 127))
    drawing.wire("ground to the middle", BLACK, (left + 4, _GROUND), (left + 4, _PAD_GROUND))
    drawing.joint(BLACK, (left + 4, _GROUND), (left + 4, _PAD_GROUND))
