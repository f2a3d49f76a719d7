"""The template for drilling and cutting the board, true to scale.

Coordinates are those of kit.toml, from the board's upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, pairwise
from math import dist
from typing import Final

from cribpi.companion.kit import HOLES, HolePosition, Kit, LedMatrix, Track
from cribpi.companion.views.board.layout import SkunkMark, layout
from cribpi.cribbage.rules.seats import DOUBLE_SKUNK_LINE, SKUNK_LINE
from cribpi.workshop.drawings.parts import texts
from cribpi.workshop.drawings.shapes import (
    GREY,
    INK,
    RULE,
    Box,
    Circle,
    Drawing,
    DrawnShape,
    Path,
    Pen,
    Rectangle,
    TextLine,
    cross,
    filled,
    turned,
    unit,
)
from cribpi.workshop.drawings.strip import (
    FIXING,
    LED_GAP,
    LED_SIZE,
    RELIEF,
    Joint,
    along,
    drill,
    fixing_holes,
    joints_on,
    laid,
    rows,
)
from cribpi.workshop.drawings.svg import figure

_MARGIN: Final = 14.0  # margin around the board
_FOOT: Final = 22.0  # space below the board for the scale bar and the legend

BAR: Final = 50.0
"""Length of the scale bar in mm."""

MEASURE: Final = "Measure this bar before drilling: 50 mm."

_SIDE_NAMES: Final = ("ORANGE", "BLUE", "WHITE")
_JOINT = Pen("#b35900", 0.25, (1.2, 1.0))
_CUT = Pen(INK, 0.35)
_APART = Pen(GREY, 0.2, (4.0, 2.0))
_HAIR = Pen(INK, 0.1)


def template_sheet(kit: Kit) -> Drawing:
    """Return the template in one piece."""
    across, down = kit.front
    width, height = max(across, 180) + 2 * _MARGIN, down + 2 * _MARGIN + _FOOT
    shapes = (*template_shapes(kit), *_foot(kit))
    return Drawing(f"Template of the kit {kit.name}", width, height, shapes, -_MARGIN, -_MARGIN)


@lru_cache(maxsize=16)
def template_shapes(kit: Kit) -> tuple[DrawnShape, ...]:
    """Return the template without the legend, from which the tiles are cut."""
    wires = joints_on(kit, drill(kit) / 2)
    above = [*chain.from_iterable(_track(kit, track) for track in kit.tracks), *_row_ends(kit, wires)]
    occupied = [shape.box() for shape in above if isinstance(shape, (Circle, TextLine))]
    shapes: list[DrawnShape] = [*_outline(kit)]
    if kit.panel is None:
        pieces = (piece for piece in laid(kit) if len(piece) > 1)
        shapes += (Path(tuple(place.at for place in piece), Pen(RULE, 1.2), role="lane") for piece in pieces)
    else:
        shapes += _panel(kit.panel)
    shapes += chain.from_iterable(_joint(wire, occupied) for wire in wires)
    shapes += skunk_lines(kit, drill(kit) / 2, occupied, wires)
    shapes += above
    for x, y in fixing_holes(kit):
        shapes.append(Circle(x, y, FIXING / 2, _CUT, role="fixing", name=f"{FIXING:g}"))
        shapes.append(cross(x, y, FIXING / 2 + 1, _HAIR))
    return tuple(shapes)


def _outline(kit: Kit) -> Iterator[DrawnShape]:
    """Draw the edge to cut: the board's, or the plate's with its openings, and the board in dashes."""
    board = Rectangle(0, 0, kit.board.width, kit.board.height, _CUT, role="board", name="board")
    if kit.plate is None:
        yield board
        return
    yield replace(board, pen=_APART)
    yield Rectangle(0, 0, *kit.front, _CUT, role="plate", name="plate")
    caps = dict(kit.keypad.caps)
    for name, left, top, right, bottom in kit.plate.openings:
        opening, x = Box(left, top, right, bottom), (left + right) / 2
        if name == "screen":
            yield replace(filled(opening, _CUT), role="window", name=name)
            yield TextLine(
                x, top - 1.2, f"screen {right - left:g} x {bottom - top:g}", 2.3, "middle", role="opening"
            )
        else:
            yield replace(filled(opening.grown(RELIEF), _CUT), role="key", name=name)
            words = caps.get(name, name)
            yield TextLine(x, top - RELIEF - 1, words, 2.3, "middle", is_bold=True, role="key name")


def _panel(panel: LedMatrix) -> Iterator[DrawnShape]:
    """Draw the edge of *panel*, half a pitch beyond its LEDs, and the direction of the data at LED 0."""
    half = panel.pitch / 2
    corner = panel.x - half, panel.y - half
    size = panel.columns * panel.pitch, panel.rows * panel.pitch
    yield Rectangle(*corner, *size, Pen(RULE, 0.6), role="panel", name="panel")
    right, down = panel.first.endswith("right"), panel.first.startswith("lower")
    (ax, ay), back = panel.at(((panel.columns - 1) * right, (panel.rows - 1) * down)), half + 3
    if panel.zigzag == "columns":
        dx, dy = 0, -1 if down else 1
    else:
        dx, dy = -1 if right else 1, 0
    yield replace(_arrow(ax - dx * back, ay - dy * back, dx, dy, "panel"), role="data")


def _joint(wire: Joint, occupied: list[Box]) -> Iterator[DrawnShape]:
    """Draw the wire between two pieces of the strip with thin dashes, to distinguish it from the strip.

    An arrow shows the direction of the data, as close to the middle as the *occupied* boxes allow.
    """
    name = f"{wire.one.led} {wire.other.led}"
    yield Path(wire.points, _JOINT, role="joint", name=name)
    (ax, ay), (bx, by) = max(pairwise(wire.points), key=lambda ends: dist(*ends))
    way = unit((ax, ay), (bx, by))
    shares = sorted((share / 40 for share in range(41)), key=lambda share: abs(share - 0.5))
    arrows = [_arrow(ax + (bx - ax) * share, ay + (by - ay) * share, *way, name) for share in shares]
    free = (arrow for arrow in arrows if not any(arrow.box().meets(box) for box in occupied))
    yield next(free, arrows[0])


def _arrow(x: float, y: float, dx: float, dy: float, name: str) -> Path:
    corners = turned((x, y), (dx, dy), ((1.1, 0), (-0.8, 0.9), (-0.8, -0.9)))
    return Path(corners, None, _JOINT.colour, is_closed=True, role="arrow", name=name)


def _track(kit: Kit, track: Track) -> Iterator[DrawnShape]:
    radius = drill(kit) / 2
    for place in track.holes:
        yield from _hole(place, radius, f"sides {' '.join(map(str, track.sides))} hole {place.hole}")
        if place.hole % 5 == 0 or place.hole in {1, track.holes[-1].hole}:
            yield from _on_paper(_number(kit, place, radius))
    first, second = track.holes[1 - track.holes[0].hole : 3 - track.holes[0].hole]
    yield from _owners(track, first.y - radius - 1.2, first.x, 1 if second.x >= first.x else -1)
    for row in track.games:
        for place in row.holes:
            yield from _hole(place, radius, f"sides {' '.join(map(str, row.sides))} game {place.hole}")
        last = max(row.holes, key=lambda place: place.x)
        words = f"games won: {', '.join(_SIDE_NAMES[side] for side in row.sides)}"
        # Leaves space for the number of the LED at the end of the row.
        yield TextLine(last.x + radius + 10, last.y + 0.8, words, 2.2, colour=GREY, role="whose")


def _owners(track: Track, y: float, hole_x: float, way: int) -> Iterator[DrawnShape]:
    """Draw the names of the sides that peg on *track* next to hole 1, with an arrow towards hole 2."""
    x = hole_x + way * 2.6
    yield Path(((x, y - 1.5), (x + 1.8 * way, y - 0.8), (x, y - 0.1)), None, INK, is_closed=True)
    is_for_all = len(track.sides) == len(_SIDE_NAMES)
    words = "for all" if is_for_all else ", ".join(_SIDE_NAMES[side] for side in track.sides)
    # A start hole already has the label "start".
    start = "" if track.holes[0].hole == 0 else "start: "
    yield TextLine(
        x + 2.8 * way, y, start + words, 2.2, "start" if way > 0 else "end", colour=GREY, role="whose"
    )


def _hole(place: HolePosition, radius: float, name: str) -> Iterator[DrawnShape]:
    yield Circle(place.x, place.y, radius, Pen(width=0.2), role="hole", name=name)
    yield cross(place.x, place.y, radius + 0.6, _HAIR)


def _number(kit: Kit, place: HolePosition, radius: float) -> TextLine:
    """Return the label of a hole: above it, or to its right if another hole is too close."""
    name = "start" if place.hole == 0 else str(place.hole)
    over = TextLine(place.x, place.y - radius - 1.2, name, 2.3, "middle", is_bold=True, role="number")
    room = over.box()
    if any(Circle(*other.at, radius + 0.3).box().meets(room) for other in along(kit)):
        return replace(over, x=place.x + radius + 1.2, y=place.y + 0.8, anchor="start")
    return over


def _on_paper(text: TextLine) -> Iterator[DrawnShape]:
    """Draw *text* on a white background that covers the strip."""
    yield filled(text.box(), None, "#ffffff")
    yield text


def _row_ends(kit: Kit, wires: tuple[Joint, ...]) -> Iterator[DrawnShape]:
    """Draw the LED numbers at both ends of each row, which show the direction of the strip.

    A number is moved up if one of *wires* would run through it.
    """
    gap = drill(kit) / 2 + LED_GAP
    for row in rows(kit):
        left = min(row[0], row[-1], key=lambda place: place.x)
        right = max(row[0], row[-1], key=lambda place: place.x)
        for place in dict.fromkeys((left, right)):
            beside = TextLine(
                place.x + gap, place.y + 0.7, f"LED {place.led}", LED_SIZE, colour=GREY, role="led"
            )
            if place is left:
                beside = replace(beside, x=place.x - gap, anchor="end")
            is_crossed = any(wire.meets(beside.box()) for wire in wires)
            yield from _on_paper(replace(beside, y=beside.y - 1.5) if is_crossed else beside)


def _foot(kit: Kit) -> Iterator[DrawnShape]:
    y = kit.front[1] + _MARGIN - 2
    yield from scale_bar(0, y + 4)
    last = "  ".join((*texts(kit, "dashes"), *texts(kit, "cutting")))
    for n, fact in enumerate((*texts(kit, "legend"), last)):
        yield TextLine(66, y + 3.2 + 3.8 * n, fact, 2.6, is_bold=n == 0)


def scale_bar(x: float, y: float, words: str = MEASURE) -> Iterator[DrawnShape]:
    """Draw a bar of 50 mm from *x*, *y* to the right, with *words* below it."""
    return figure("bar", x, y, words=words)


# --- the skunk lines ---------------------------------------------------------------------------------


_PEN: Final = Pen(INK, 0.4)
_LONG: Final = 6.0
_TWIN: Final = 1.2  # distance between the two lines of a double skunk
_SIZE: Final = 2.0

LINES: Final = {SKUNK_LINE: ("skunk", (0.0,)), DOUBLE_SKUNK_LINE: ("double skunk", (-0.5, 0.5))}
"""Name and stroke offsets of each line, as multiples of `_TWIN`, by the last score before the line."""


def skunk_lines(
    kit: Kit, radius: float, occupied: Sequence[Box], wires: Sequence[Joint]
) -> Iterator[DrawnShape]:
    """Yield the skunk lines of each track, whose holes have *radius*, with their names if there is space.

    Adjacent tracks share a line.  A name overlaps neither the *occupied* boxes nor *wires*.
    """
    middles: list[complex] = []
    names: list[Box] = list(occupied)
    for mark in layout(kit, HOLES).skunk_marks():
        if any(abs(mark.at - other) < 1 for other in middles):
            continue
        middles.append(mark.at)
        name, shifts = LINES[mark.score]
        strokes = tuple(_strokes(mark, shifts, radius))
        yield from strokes
        for text in _names(strokes[0], name):
            box = text.box()
            blocked = (*(wire.meets(box) for wire in wires), *(box.meets(other) for other in names))
            if not any(blocked) and box.left > 1 and box.right < kit.front[0] - 1:
                names.append(box)
                yield text
                break


def _strokes(mark: SkunkMark, shifts: tuple[float, ...], radius: float) -> Iterator[Path]:
    """Yield the strokes of *mark*: across the row, or beyond its end if the track turns."""
    way, into = mark.way, mark.lane.ahead(mark.i)
    # In a turn, the wire and its arrow are in the middle, so the line starts next to them.
    turns = abs((into * way.conjugate()).real) < 0.5
    ahead, start, end = (into, 1.6, 1.6 + _LONG) if turns else (way * 1j, -radius - 1, radius + 1)
    for shift in shifts:
        at = mark.at + way * shift * _TWIN
        ends = (at + ahead * by for by in (start, end))
        yield Path(tuple((round(end.real, 3), round(end.imag, 3)) for end in ends), _PEN, role="skunk")


def _names(stroke: Path, name: str) -> Iterator[TextLine]:
    """Yield the label *name* at its possible places: beyond either end of *stroke*."""
    (x, y), (end_x, end_y) = stroke.points
    text = TextLine(end_x + 1, y + 0.7, name, _SIZE, colour=GREY, role="skunk")
    if abs(end_x - x) > abs(end_y - y):
        yield text if end_x > x else replace(text, x=end_x - 1, anchor="end")
    else:
        for text_y in (min(y, end_y) - 1, max(y, end_y) + 2.4):
            yield replace(text, x=x, y=text_y, anchor="middle")
