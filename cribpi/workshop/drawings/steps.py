"""Pictures of the steps of building a kit: realistic shapes, as they look on the table, without symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Final

from cribpi.companion.kit import Buttons, Keypad, Kit
from cribpi.workshop.drawings import breadboard
from cribpi.workshop.drawings.circuit import (
    BLACK,
    GLASS_PINS,
    GREEN,
    PINS,
    RED,
    HeaderWire,
    feeds,
    row_of,
    wires,
)
from cribpi.workshop.drawings.parts import facts, texts
from cribpi.workshop.drawings.shapes import (
    GREY,
    INK,
    Box,
    Circle,
    Drawing,
    DrawnShape,
    Group,
    Path,
    Pen,
    Point,
    Rectangle,
    TextLine,
    filled,
    line,
    numbered,
    turned,
    unit,
)
from cribpi.workshop.drawings.strip import FIXING, along, drill, fixing_holes, joints_on, laid
from cribpi.workshop.drawings.svg import figure
from cribpi.workshop.drawings.tiles import tiling

WIDTH: Final = 180.0
"""Width of every picture, in millimetres."""

_EDGE: Final = 6.0
_TITLE: Final = 12.0  # height of the title above the picture
_TABLE, _WOOD = "#e9e4da", "#d3a870"
_GRAIN, _DEEP = "#c49a63", "#5b3a1e"
_BACK: Final = "#bd925c"
_SHADOW: Final = "#c9c2b4"
_GOLD: Final = "#d8c27a"
_TAPE: Final = "#f7f7f2"
SWITCH_PINS: Final = ((-2.54, -5.08), (3.81, -2.54))
"""Offsets in mm of an MX switch's pins from its middle, seen from behind: the row's pin, the column's pin."""
_ARROW_EVERY: Final = 4
"""An arrow that shows the direction of the data is drawn once per this number of LEDs."""
_LIT: Final = {0: ("#ff8a3c", "#ffd9b8"), 1: ("#3f7dff", "#c7d8ff")}
"""Colours of a lit hole and of its glow, by side."""


def steps(kit: Kit) -> tuple[Drawing, ...]:
    """Return the pictures in the order of building."""
    drawn = (
        ("Print the template, and measure its bar", _print(kit)),
        ("Drill the holes, and cut the openings", _drilled(kit)),
        (
            f"Lay the {'panel' if kit.panel else 'strip'}: from behind, left and right are swapped",
            _lit_from_behind(kit),
        ),
        ("Put in the screen and the keys: from behind", _behind(kit)),
        (
            "Build the level shifter on the breadboard",
            _scaled([*breadboard.picture(kit)], 155, 103, above=breadboard.above(kit)),
        )
        if kit.strip.host is None
        else ("Join the controller, and set up WLED", _controller(kit, kit.strip.host)),
        ("Wire the Pi: its header from above", _pi(kit)),
        ("First light", _front(kit)),
    )
    return tuple(_sheet(number, title, group) for number, (title, group) in enumerate(drawn, start=1))


def _sheet(number: int, title: str, picture: tuple[Group, float]) -> Drawing:
    group, height = picture
    total = round(_TITLE + height + _EDGE, 1)
    shapes = (
        Rectangle(0, 0, WIDTH, total, None, _TABLE, 3),
        Circle(_EDGE + 3, 7.2, 3.4, None, INK),
        TextLine(_EDGE + 3, 8.6, str(number), 4, "middle", is_bold=True, colour="#ffffff"),
        TextLine(_EDGE + 9, 8.6, title, 4, is_bold=True),
        group,
    )
    return Drawing(f"Step {number}: {title}", WIDTH, total, shapes)


def _scaled(
    shapes: Sequence[DrawnShape], width: float, height: float, above: float = 0.0
) -> tuple[Group, float]:
    """Return *shapes* scaled to the width of the sheet, and their scaled height.

    Before scaling they are *width* wide, and extend from *above* over y = 0 to *height* below it.
    """
    scale = (WIDTH - 2 * _EDGE) / width
    return Group(tuple(shapes), _EDGE, _TITLE + above * scale, round(scale, 4)), (height + above) * scale


def _plank(width: float, height: float, fill: str = _WOOD) -> Iterator[DrawnShape]:
    yield Rectangle(2, 2.5, width, height, None, _SHADOW, 2)
    yield Rectangle(0, 0, width, height, Pen("#8a6238", 0.5), fill, 2, role="wood")
    for n, y in enumerate(range(9, int(height) - 4, 13)):
        left, right = 6 + 23 * (n % 3), width - 6 - 31 * (n % 2)
        bend = (left + (right - left) / 3, y + 1.6), (left + 2 * (right - left) / 3, y - 1.2)
        yield Path(((left, y), *bend, (right, y)), Pen(_GRAIN, 0.7), bend=20)


def _holes(kit: Kit, lights: Iterable[Point]) -> Iterator[DrawnShape]:
    yield from (Circle(x, y, drill(kit) / 2, None, _DEEP) for x, y in lights)
    yield from (Circle(x, y, FIXING / 2, None, _DEEP) for x, y in fixing_holes(kit))


def _lights(kit: Kit) -> list[Point]:
    """Return the positions of the lights, in the order of the strip."""
    return [place.at for place in along(kit)]


def _from_behind(kit: Kit, points: Iterable[Point]) -> list[Point]:
    return [(kit.front[0] - x, y) for x, y in points]


def _openings(kit: Kit) -> dict[str, Box]:
    return {name: Box(*edges) for name, *edges in kit.plate.openings} if kit.plate else {}


def _print(kit: Kit) -> tuple[Group, float]:
    tiles = tiling(kit).tiles
    first, last = tiles[0].window, tiles[-1].window
    width, height = last.right - first.left, last.bottom - first.top
    shapes: list[DrawnShape] = []
    for tile in tiles:
        x, y = tile.window.left - first.left, tile.window.top - first.top
        shapes.append(Rectangle(x + 1.5, y + 2, *tile.window.size, None, _SHADOW))
        shapes.append(Rectangle(x, y, *tile.window.size, Pen("#b9b4a8", 0.3), "#ffffff"))
    for tile in tiles:
        y = tile.window.top - first.top + 22
        is_last = tile.window.right == last.right and last.left > first.left
        x = tile.window.right - first.left - 8 if is_last else tile.window.left - first.left + 8
        shapes.append(
            TextLine(x, y, tile.name, 16, "end" if is_last else "start", is_bold=True, colour="#d6dae0")
        )
    dx, dy = -first.left, -first.top
    shapes.append(Rectangle(dx, dy, *kit.front, Pen(INK, 0.6)))
    shapes += (Circle(x + dx, y + dy, drill(kit) / 2, Pen(GREY, 0.5)) for x, y in _lights(kit))
    for name, box in _openings(kit).items():
        shapes.append(Rectangle(box.left + dx, box.top + dy, *box.size, Pen(INK, 0.5), name=name))
    shapes += figure("ruler", 10, height + 8)
    return _scaled(shapes, width, height + 34)


def _drilled(kit: Kit) -> tuple[Group, float]:
    width, height = kit.front
    cut = (filled(box, Pen("#8a6238", 0.4), _DEEP, 0.5) for box in _openings(kit).values())
    return _scaled([*_plank(width, height), *_holes(kit, _lights(kit)), *cut], width + 2, height + 2)


def _lit_from_behind(kit: Kit) -> tuple[Group, float]:
    width, height = kit.front[0], kit.board.height
    panel = kit.panel
    places = _from_behind(kit, _lights(kit))
    shapes: list[DrawnShape] = [*_plank(width, height, _BACK), *_holes(kit, places)]
    if panel is None:
        for piece in laid(kit):
            shapes += _strip(_from_behind(kit, (place.at for place in piece)))
        for joint in joints_on(kit, drill(kit) / 2):
            shapes += _joint(_from_behind(kit, joint.points))
    else:
        half = panel.pitch / 2
        left = width - panel.x - panel.pitch * (panel.columns - 1) - half
        size = panel.pitch * panel.columns, panel.pitch * panel.rows
        shapes.append(Rectangle(left, panel.y - half, *size, Pen(INK, 0.4), "#26292e", 1))
        cells = map(panel.at, product(range(panel.columns), range(panel.rows)))
        # The strip also has LEDs without a hole.
        shapes += (_led(x, y, "#6a6f77") for x, y in _from_behind(kit, cells))
    shapes += (_led(x, y, "#ffffff") for x, y in places)
    shapes += _fed(kit, places)
    return _scaled(shapes, width + 2, height + 2)


def _led(x: float, y: float, fill: str) -> DrawnShape:
    return Rectangle(x - 1.9, y - 1.9, 3.8, 3.8, Pen(GREY, 0.2), fill, 0.5)


def _strip(points: list[Point]) -> Iterator[DrawnShape]:
    """Draw a piece of the strip, without its LEDs; the data enters at the first of *points*."""
    tape = Path((points[0], points[-1])).box().grown(5)
    yield replace(filled(tape, Pen("#c3c3bb", 0.3), _TAPE, 0.6), role="strip")
    for (x, y), (next_x, next_y) in list(pairwise(points))[::_ARROW_EVERY]:
        middle, way = ((x + next_x) / 2, (y + next_y) / 2), unit((x, y), (next_x, next_y))
        ends = turned(middle, way, ((-1.0, -1.1), (1.2, 0.0), (-1.0, 1.1)), digits=2)
        yield Path(ends, None, INK, is_closed=True, role="arrow")


def _joint(points: list[Point]) -> Iterator[DrawnShape]:
    (x, y), (next_x, next_y) = points[:2]
    is_level = len(points) == 2 and abs(y - next_y) < abs(x - next_x)
    for shift, colour in ((-2.2, RED), (0.0, GREEN), (2.2, BLACK)):
        dx, dy = (0.0, shift) if is_level else (shift, 0.0)
        moved = tuple((round(x + dx, 2), round(y + dy, 2)) for x, y in points)
        yield Path(moved, Pen(colour.ink, 1.1), role="joint")


def _fed(kit: Kit, places: Sequence[Point]) -> Iterator[DrawnShape]:
    leds = {place.led: point for place, point in zip(along(kit), places, strict=True)}
    for number, before in enumerate(feeds(kit)):
        near = min(leds, key=lambda led: abs(led - min(before, kit.strip.leds - 1)))
        x, y = leds[near]
        yield Circle(x, y, 4.4, Pen(RED.ink, 1))
        words = "data and 5 V in: LED 0" if number == 0 else "5 V and GND here too"
        inward = x > kit.front[0] / 2
        left = x - 7 if inward else x + 7
        label = TextLine(left, y - 5.6, words, 5, "end" if inward else "start", is_bold=True)
        yield filled(label.box().grown(0.8), None, "#fff6d6", 0.8)
        yield label


def _behind(kit: Kit) -> tuple[Group, float]:
    """Draw the back of the part of the plate below the board, with the OLED, the keys and their wires."""
    width, bottom = kit.front
    top = kit.board.height
    if kit.plate is None:
        return _scaled([TextLine(4, 8, "This kit has no plate: put them in their own box.", 6)], 180, 14)
    shapes: list[DrawnShape] = [*_plank(width, bottom - top, _BACK)]
    middles = {name: (width - box.middle[0], box.middle[1] - top) for name, box in _openings(kit).items()}
    x, y = middles.pop("screen")
    shapes += figure("bonnet" if kit.glass.bonnet else "oled", x, y)
    if not kit.glass.bonnet:
        for number, name in enumerate(reversed(GLASS_PINS)):
            shapes.append(Circle(x - 3.81 + 2.54 * number, y - 11.3, 0.8, None, _GOLD, name=name))
    for middle in middles.values():
        shapes += figure("switch", *middle)
    if isinstance(kit.keypad, Keypad):
        shapes += _matrix(kit.keypad, middles)
    elif not isinstance(kit.keypad, Buttons):
        shapes.append(TextLine(8, 12, "the USB keypad keeps its own case", 6, is_bold=True))
    return _scaled(shapes, width + 2, bottom - top + 2)


def _matrix(keys: Keypad, middles: dict[str, Point]) -> Iterator[DrawnShape]:
    (to_row, above), (to_column, over) = SWITCH_PINS
    for number, names in enumerate(keys.keys, start=1):
        row = [middles[name] for name in names if name]
        y = row[0][1] - 8.6
        low, high = min(x for x, _ in row), max(x for x, _ in row)
        yield line(low + to_row, y, high + 12, y, Pen("#7b4a24", 0.9))
        yield TextLine(high + 13, y + 1.2, f"row {number}", 3.6, is_bold=True)
        for key_x, key_y in row:
            x = key_x + to_row
            yield line(x, key_y + above, x, y, Pen(GREY, 0.5))
            yield Rectangle(x - 0.7, key_y - 8, 1.4, 2.6, None, "#b8452f", 0.2, "diode")
            yield Rectangle(x - 0.7, key_y - 8, 1.4, 0.6, None, "#111111", 0, "band")
    for number, names in enumerate(zip(*keys.keys, strict=True), start=1):
        column = [middles[name] for name in names if name]
        x, end = column[0][0] + to_column, max(y for _, y in column) + 11
        yield line(x, column[0][1] + over, x, end, Pen("#0aa3b5", 0.9))
        yield TextLine(x, end + 4.2, str(number), 3.6, "middle", is_bold=True)


def _controller(kit: Kit, host: str) -> tuple[Group, float]:
    """Draw the controller with its supply and the start of the strip, and list the settings for WLED."""
    name = host.removesuffix(".local")
    rows = texts(kit, "wled", {"local"} if name != host else (), name=name)
    words = numbered((84, 5), rows, 3.0, indent=5, width=78, step=4.1, gap=1.6)
    return _scaled([*figure("joined", 0, 0, **facts(kit)), *words], 168, 88)


def _pi(kit: Kit) -> tuple[Group, float]:
    shapes = list(figure("header"))
    used = {wire.pin: wire for wire in wires(kit)}
    for pin in PINS:
        x, y = 17 + 6 * row_of(pin), 47.5 if pin % 2 == 0 else 54.5
        shapes.append(Circle(x, y, 2.3, None, used[pin].colour.ink if pin in used else _GOLD))
        ink = "#ffffff" if pin in used else INK
        shapes.append(TextLine(x, y + 0.8, str(pin), 2.2, "middle", is_bold=True, colour=ink))
    for parity, way in ((0, -1), (1, 1)):
        side = [used[pin] for pin in sorted(used) if pin % 2 == parity]
        for number, wire in enumerate(side):
            shapes += _lead(wire, way, len(side) - number)
    above, below = (sum(pin % 2 == parity for pin in used) * 3.9 for parity in (0, 1))
    return _scaled(shapes, 156, 84 + below, above=max(above - 36, 0))


def _lead(wire: HeaderWire, way: int, level: int) -> Iterator[DrawnShape]:
    """Draw a wire that leaves its pin upward or downward (*way*); *level* sets the height of its label."""
    x = 17 + 6 * row_of(wire.pin)
    start, end = (45.2, 41 - 3.9 * level) if way < 0 else (56.8, 82 + 3.9 * level)
    yield line(x, start, x, end, Pen("#ffffff", 1.9))
    pen = Pen(wire.colour.ink, 1.2, (2.0, 1.2)) if wire.is_plugged else Pen(wire.colour.ink, 1.2)
    yield line(x, start, x, end, pen, "lead")
    yield TextLine(x + 1.4, end + 1, f"{wire.device} {wire.terminal}", 2.6, is_bold=True)


def _front(kit: Kit) -> tuple[Group, float]:
    width, height = kit.front
    shapes: list[DrawnShape] = [*_plank(width, height), *_holes(kit, _lights(kit))]
    radius = drill(kit) / 2
    for side, score, shine in ((0, 28, 2.2), (0, 22, 1.6), (1, 46, 2.2), (1, 40, 1.6)):
        ink, glow = _LIT[side]
        place = kit.track_of(side).place(score)
        if place is not None:
            shapes.append(Circle(*place.at, radius * shine, None, glow))
            shapes.append(Circle(*place.at, radius, None, ink, role="lit"))
    for name, box in _openings(kit).items():
        x, y = box.middle
        if name == "screen":
            shapes.append(filled(box, Pen(INK, 0.5), "#06090d", 0.6))
            shapes.append(TextLine(x, y + 2, "28  46", 6, "middle", is_bold=True, colour="#9fd0ff"))
        else:
            shapes.append(Rectangle(x - 8.4, y - 8, 17.4, 17.4, None, "#8a6238", 2))
            shapes.append(Rectangle(x - 9, y - 9, 18, 18, Pen("#b9b4a8", 0.3), "#f6f3ec", 2))
            size = 5.0 if len(name) < 3 else 3.6
            shapes.append(TextLine(x, y + size / 3, name, size, "middle", is_bold=True))
    return _scaled(shapes, width + 2, height + 2)
