"""The right side of the wiring diagram: supply, fuse, level shifter and strip, between two rails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.circuit import BLACK, GREEN, RED, SHIFTER, STRIP, feeds, fuse
from cribpi.workshop.drawings.routes import PAPER, End, Parts, box, dot, lead, open_pin, row_y
from cribpi.workshop.drawings.shapes import FAINT, GREY, Circle, Pen, Rectangle, Shape, Text, line

_LEFT: Final = 188.0  # where the wires from the header arrive
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
_THIN, _PART, _PLATE = Pen(width=0.3), Pen(width=0.35), Pen(width=0.6)

# The pins of a 74AHCT125, DIP-14: 14 to 8 from left to right, and 1 to 7 below them.
_UPPER: Final = ("VCC", "/4OE", "4A", "4Y", "/3OE", "3A", "3Y")
_LOWER: Final = ("/1OE", "1A", "1Y", "/2OE", "2A", "2Y", "GND")
_OPEN: Final = ("2Y", "3Y", "4Y")


def draw_power(kit: Kit) -> Parts:
    """Draw the 5 V side of *kit*, and note where the wires from the header end."""
    at = feeds(kit)
    has_own, has_far_feed = kit.power.strip == "own", len(at) > 1
    yield End(STRIP, "GND", (_LEFT, _GROUND), "right")
    yield End(SHIFTER, "1A", (_LEFT, _DATA), "right")
    yield from _own_source(kit) if has_own else _pi_source(kit)
    yield from _chip()
    yield from _data_and_supply()
    yield from _pieces(kit, (*at[: _MOST_FEEDS - 1], at[-1]) if len(at) > _MOST_FEEDS else at)
    v5 = [(_V5_DOWN if has_own else 198.5, _V5)]
    ground = [(_LEFT, _GROUND)]
    if has_far_feed:
        v5 += [(283.0, _V5), (283.0, _PAD_V5), (_STRIP_RIGHT, _PAD_V5)]
        ground += [(287.0, _GROUND), (287.0, _PAD_GROUND), (_STRIP_RIGHT, _PAD_GROUND)]
    else:
        v5.append((270 if has_own else _pin_x(5), _V5))
        ground.append((276 if has_own else _pin_x(6), _GROUND))
    yield from lead("5 V rail", RED, *v5)
    yield from lead("ground rail", BLACK, *ground)
    yield Text(_CHIP + 21, _V5 - 1.6, "5 V", 2.2, "middle", is_bold=True, colour=RED.ink)
    yield Text(190, _GROUND - 1.3, "GND", 2.2, is_bold=True)


def _pi_source(kit: Kit) -> Parts:
    """Draw the fuse in the wire from the Pi's pin."""
    yield End(STRIP, "5 V", (_LEFT, _V5), "right")
    yield from lead("5 V to the fuse", RED, (_LEFT, _V5), (190.5, _V5))
    yield Rectangle(190.5, _V5 - 1.5, 8, 3, _PART, PAPER, role="box", name="F1")
    yield line(191.3, _V5, 197.7, _V5, _THIN)
    yield Text(190.5, _V5 - 2.8, f"F1 {fuse(kit):g} A slow", 2.1)


def _own_source(kit: Kit) -> Parts:
    """Draw the strip's supply, and the fuse below its plus."""
    words = f"5 V supply, {kit.power.supply_ma / 1000:g} A or more"
    yield box("5 V supply", 226, 22, 61, 15, "#f6f8fa")
    yield Text(256.5, 28, words, 2.6, "middle", is_bold=True)
    yield Text(256.5, 31.6, "for the strip alone; the Pi has its own", 2.1, "middle", colour=FAINT)
    yield Text(270, 35.8, "+", 3, "middle", is_bold=True, colour=RED.ink)
    yield Text(276, 35.8, "-", 3, "middle", is_bold=True)
    yield from lead("5 V supply, plus", RED, (270, 37), (270, 42))
    yield from lead("5 V behind the fuse", RED, (270, 51), (270, _V5))
    yield Rectangle(268.5, 42, 3, 9, _PART, PAPER, role="box", name="F1")
    yield line(270, 42.9, 270, 50.1, _THIN)
    yield Text(267, 47.3, f"F1 {fuse(kit):g} A slow", 2.1, "end")
    yield from lead("5 V supply, minus", BLACK, (276, 37), (276, _GROUND))
    yield dot(RED, 270, _V5)
    yield dot(BLACK, 276, _GROUND)


def _pin_x(position: int) -> float:
    """Return the x of the chip's pins at *position*, 0 to 6 from the left."""
    return _CHIP + 3 + 6 * position


def _chip() -> Parts:
    """Draw the level shifter as it lies on a breadboard: the notch to the left, pin 1 below it."""
    x = _DATA_DOWN
    yield from lead("C2, plus", RED, (x, _V5), (x, 80.2), joined=[(x, _V5)])
    yield from lead("C2, minus", BLACK, (x, 81.8), (x, _GROUND), joined=[(x, _GROUND)])
    yield line(x - 2, 80.2, x + 2, 80.2, _PLATE)
    yield line(x - 2, 81.8, x + 2, 81.8, _PLATE)
    yield Text(212.4, 80.4, "C2", 2.1, "end", is_bold=True)
    yield Text(212.4, 83.2, "100 nF", 2.1, "end")
    yield box("74AHCT125", _CHIP, _CHIP_TOP, 42, _CHIP_BOTTOM - _CHIP_TOP, "#30363d")
    yield Circle(_CHIP, (_CHIP_TOP + _CHIP_BOTTOM) / 2, 1.6, None, PAPER)
    yield Circle(_CHIP + 3, _CHIP_BOTTOM - 4.3, 0.6, None, "#c9d1d9")
    yield Text(_CHIP + 21, 82, "74AHCT125", 3, "middle", is_bold=True, colour=PAPER)
    upper = (_UPPER, range(14, 7, -1), _CHIP_TOP, -1, 2.7, -0.7, RED, _V5)
    lower = (_LOWER, range(1, 8), _CHIP_BOTTOM, 1, -1.3, 2, BLACK, _GROUND)
    for names, pins, edge, way, name_below, pin_below, colour, rail in (upper, lower):
        for position, (name, pin) in enumerate(zip(names, pins, strict=True)):
            x = _pin_x(position)
            yield Text(x, edge + name_below, name, 1.8, "middle", colour="#e6edf3")
            yield Text(x + 0.8, edge + pin_below, str(pin), 1.8, colour=GREY)
            if name in _OPEN:
                yield line(x, edge, x, edge + 3.6 * way, Pen(GREY, 0.3))
                yield from open_pin(x, edge + 3.6 * way)
            elif name not in {"1A", "1Y"}:
                yield from lead(f"74AHCT125 {name}", colour, (x, edge), (x, rail), joined=[(x, rail)])
    x = _pin_x(1)
    yield from lead("data to 1A", GREEN, (x, _CHIP_BOTTOM), (x, _DATA), (_LEFT, _DATA))


def _data_and_supply() -> Parts:
    """Draw what leads to the strip: the data through R1, 5 V and ground, and C1 between these."""
    x, v5, ground, data = _pin_x(2), _V5_DOWN, _GROUND_DOWN, _DATA_DOWN
    yield from lead("data from 1Y", GREEN, (x, _CHIP_BOTTOM), (x, 108))
    around = (x, 118), (x, 124), (data, 124), (data, _PAD_DATA), (_STRIP_LEFT, _PAD_DATA)
    yield from lead("data to DIN", GREEN, *around)
    yield Rectangle(x - 1.6, 108, 3.2, 10, _PART, "#f3e6c8", role="box", name="R1")
    yield Text(x - 2.8, 112.3, "R1", 2.1, "end", is_bold=True)
    yield Text(x - 2.8, 115.1, "330 ohm", 2.1, "end")
    down = (v5, _V5), (v5, _PAD_V5), (_STRIP_LEFT, _PAD_V5)
    yield from lead("5 V to the strip", RED, *down, joined=down[:1])
    down = (ground, _GROUND), (ground, _PAD_GROUND), (_STRIP_LEFT, _PAD_GROUND)
    yield from lead("ground to the strip", BLACK, *down, joined=down[:1])
    yield from lead("C1, plus", RED, (v5, 113), (205.7, 113), joined=[(v5, 113)])
    yield from lead("C1, minus", BLACK, (207.3, 113), (ground, 113), joined=[(ground, 113)])
    yield line(205.7, 110.8, 205.7, 115.2, _PLATE)
    yield line(207.3, 110.8, 207.3, 115.2, _PLATE)
    yield Text(204.4, 111.8, "+", 2.2, "middle", is_bold=True)
    yield Text(206.5, 118.3, "C1", 2.1, "middle", is_bold=True)
    yield Text(206.5, 121.1, "1000 uF", 1.8, "middle")


def _pieces(kit: Kit, at: tuple[int, ...]) -> Parts:
    """Draw the strip, cut where it is fed in the middle."""
    middles = at[1:-1]
    length = (_STRIP_RIGHT - _STRIP_LEFT - 6 * len(middles)) / (len(middles) + 1)
    left = _STRIP_LEFT
    for number, first in enumerate((0, *middles)):
        is_first, is_last = number == 0, number == len(middles)
        right = left + length
        yield box("strip", left, 130.5, length, 17, "#f2f2ee")
        for y, name in ((_PAD_V5, "5V"), (_PAD_DATA, "DIN"), (_PAD_GROUND, "GND")):
            yield Rectangle(left, y - 1, 1.6, 2, None, "#c98a4b")
            yield Rectangle(right - 1.6, y - 1, 1.6, 2, None, "#c98a4b")
            if is_first:
                yield Text(left + 2.3, y + 0.7, name, 1.9)
        yield from _leds(left + (8 if is_first else 3), right - 3)
        if is_first:
            yield Text(left, 151, f"LED {first}", 2.1)
        else:
            yield Text(left - 3, 151, f"{first - 1} | {first}", 2.1, "middle")
        if is_last:
            yield Text(right, 151, f"LED {kit.strip.leds - 1}", 2.1, "end")
        else:
            yield from _middle_feed(right, is_first=is_first)
        left = right + 6
    if middles:
        start = _STRIP_LEFT + length + 2
        way = (264, _V5), (264, 127), (start, 127), (start, _PAD_V5)
        yield from lead("5 V to the middle", RED, *way, joined=way[:1])


def _leds(left: float, right: float) -> Iterator[Shape]:
    """Draw as many LEDs as there is room for."""
    count = max(int((right - left + 1.4) // 5), 1)
    step = (right - left - 3.6) / max(count - 1, 1)
    for n in range(count):
        x = left + step * n
        yield Rectangle(x, 137.2, 3.6, 3.6, Pen(FAINT, 0.25), PAPER, 0.4)
        yield Circle(x + 1.8, 139, 1.2, Pen(FAINT, 0.2), "#fdf4d3")


def _middle_feed(left: float, *, is_first: bool) -> Parts:
    """Draw the three wires between two pieces, and how 5 V and ground reach them."""
    v5, ground = left + 2, left + 4
    across = (left, _PAD_V5), (left + 6, _PAD_V5)
    yield from lead("joint, 5 V", RED, *across, joined=[(v5, _PAD_V5)])
    yield from lead("joint, data", GREEN, (left, _PAD_DATA), (left + 6, _PAD_DATA))
    yield from lead("joint, ground", BLACK, (left, _PAD_GROUND), (left + 6, _PAD_GROUND))
    if not is_first:
        yield from lead("5 V to the joint", RED, (v5, 127), (v5, _PAD_V5), joined=[(v5, 127)])
    down = (ground, _GROUND), (ground, _PAD_GROUND)
    yield from lead("ground to the middle", BLACK, *down, joined=down)
