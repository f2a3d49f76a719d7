"""The template for drilling and cutting the board, in its true size.

The coordinates are those of kit.toml, from the board's upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations
from math import dist, hypot
from typing import Final, Literal

from cribpi.drawings.circuit import rows_of
from cribpi.drawings.joints import LED_GAP, LED_SIZE, Joint, joints_on
from cribpi.drawings.shapes import Box, Circle, Path, Pen, Rectangle, Shape, Sheet, Text, cross, line
from cribpi.drawings.strip import holes_of, laid
from cribpi.kit import Kit, Place, Track

MARGIN: Final = 14.0
"""Paper round the board."""

FOOT: Final = 22.0
"""Paper below it, for the scale bar and the legend."""

BAR: Final = 50.0
"""Length of the scale bar."""

MEASURE: Final = "Measure this bar before drilling: 50 mm."

FIXING: Final = 3.2
"""Diameter of the fixing holes: a normal clearance hole for M3 is 3.4 mm, a close one 3.2 (ISO 273)."""

SEEN: Final = "Seen from the front; the strip lies behind."
JOINED: Final = "Dashes with an arrow: wires that join two pieces of the strip."

SIDE_NAMES: Final = ("ORANGE", "BLUE", "WHITE")

_LANE = Pen("#d5dae0", 0.25)
_JOINT = Pen("#b35900", 0.25, (1.2, 1.0))
_CUT = Pen("#1f2328", 0.35)
_HAIR = Pen("#1f2328", 0.1)
_GREY: Final = "#57606a"


@lru_cache(maxsize=16)
def drill(kit: Kit) -> float:
    """Return the diameter of an LED's hole in mm: 5 if the holes are at least 9 mm apart, else 4 or 3."""
    places = list(holes_of(kit))
    nearest = min((hypot(a.x - b.x, a.y - b.y) for a, b in combinations(places, 2)), default=10.0)
    return 5.0 if nearest >= 9 else 4.0 if nearest >= 6 else 3.0


def fixing_holes(kit: Kit) -> tuple[tuple[float, float], ...]:
    """Return the fixing holes: 8 mm from the edges, or less if an LED is near; none if all are too near."""
    board = kit.board
    for inset in (8.0, 6.0, 5.0):
        corners = tuple((x, y) for y in (inset, board.height - inset) for x in (inset, board.width - inset))
        if all(hypot(place.x - x, place.y - y) >= 7 for place in holes_of(kit) for x, y in corners):
            return corners
    return ()


def template_sheet(kit: Kit) -> Sheet:
    """Return the template in one piece."""
    board = kit.board
    shapes = (*template_shapes(kit), *_foot(kit))
    width = max(board.width, 180) + 2 * MARGIN
    return Sheet(
        f"Template of the kit {kit.name}", width, board.height + 2 * MARGIN + FOOT, shapes, -MARGIN, -MARGIN
    )


@lru_cache(maxsize=16)
def template_shapes(kit: Kit) -> tuple[Shape, ...]:
    """Return the board without the legend: what the tiles are cut from."""
    shapes: list[Shape] = [
        Rectangle(0, 0, kit.board.width, kit.board.height, _CUT, role="board", name="board"),
    ]
    joints = joints_on(kit, drill(kit) / 2)
    above = [*chain.from_iterable(_track(kit, track) for track in kit.tracks), *_row_ends(kit, joints)]
    shapes += _lanes(kit)
    shapes += _joints(joints, tuple(shape.box() for shape in above if isinstance(shape, (Circle, Text))))
    shapes += above
    for x, y in fixing_holes(kit):
        shapes.append(Circle(x, y, FIXING / 2, _CUT, role="fixing", name=f"{FIXING:g}"))
        shapes.append(cross(x, y, FIXING / 2 + 1, _HAIR))
    return tuple(shapes)


def _lanes(kit: Kit) -> Iterator[Shape]:
    for piece in laid(kit):
        if len(piece) > 1:
            yield Path(tuple((place.x, place.y) for place in piece), Pen(_LANE.colour, 1.2), role="lane")


def _joints(joints: tuple[Joint, ...], taken: tuple[Box, ...]) -> Iterator[Shape]:
    """Draw the wires that join two pieces of the strip as thin dashes, which do not look like strip.

    An arrow shows which way the data go, as near to the middle as nothing *taken* covers it.
    """
    for joint in joints:
        name = f"{joint.one.led} {joint.other.led}"
        yield Path(joint.points, _JOINT, role="joint", name=name)
        (ax, ay), (bx, by) = max(joint.segments, key=lambda ends: dist(*ends))
        long = hypot(bx - ax, by - ay)
        dx, dy = (bx - ax) / long, (by - ay) / long
        shares = sorted((share / 40 for share in range(41)), key=lambda share: abs(share - 0.5))
        arrows = [_arrow(ax + (bx - ax) * share, ay + (by - ay) * share, dx, dy, name) for share in shares]
        seen = (arrow for arrow in arrows if not any(arrow.box().meets(box) for box in taken))
        yield next(seen, arrows[0])


def _arrow(x: float, y: float, dx: float, dy: float, name: str) -> Path:
    """Return an arrowhead around *x*, *y* that points along *dx*, *dy*."""
    tip = (
        (round(x + 1.1 * dx, 3), round(y + 1.1 * dy, 3)),
        (round(x - 0.8 * dx - 0.9 * dy, 3), round(y - 0.8 * dy + 0.9 * dx, 3)),
        (round(x - 0.8 * dx + 0.9 * dy, 3), round(y - 0.8 * dy - 0.9 * dx, 3)),
    )
    return Path(tip, None, _JOINT.colour, is_closed=True, role="arrow", name=name)


def _track(kit: Kit, track: Track) -> Iterator[Shape]:
    radius = drill(kit) / 2
    everywhere = tuple(holes_of(kit))
    for place in track.holes:
        yield from _hole(place, radius, f"sides {' '.join(map(str, track.sides))} hole {place.hole}")
        if place.hole % 5 == 0 or place.hole in {1, track.holes[-1].hole}:
            yield from _on_paper(_number(everywhere, place, radius))
    first, second = track.holes[1 - track.holes[0].hole : 3 - track.holes[0].hole]
    way = 1 if second.x >= first.x else -1
    yield from _whose(track, first.x + way * 2.6, first.y - radius - 1.2, way)
    for row in track.games:
        for place in row.holes:
            yield from _hole(place, radius, f"sides {' '.join(map(str, row.sides))} game {place.hole}")
        last = max(row.holes, key=lambda place: place.x)
        words = f"games won: {', '.join(SIDE_NAMES[side] for side in row.sides)}"
        # After the LED's number at the row's end.
        yield Text(last.x + radius + 10, last.y + 0.8, words, 2.2, colour=_GREY, role="whose")


def _whose(track: Track, x: float, y: float, way: int) -> Iterator[Shape]:
    """Write beside hole 1 who pegs there, with an arrow towards hole 2."""
    tip = ((x, y - 1.5), (x + 1.8 * way, y - 0.8), (x, y - 0.1))
    yield Path(tip, None, "#1f2328", is_closed=True)
    names = ", ".join(SIDE_NAMES[side] for side in track.sides)
    words = "for all" if len(track.sides) == len(SIDE_NAMES) else names
    yield Text(x + 2.8 * way, y, words, 2.2, "start" if way > 0 else "end", colour=_GREY, role="whose")


def _hole(place: Place, radius: float, name: str) -> Iterator[Shape]:
    yield Circle(place.x, place.y, radius, Pen(width=0.2), role="hole", name=name)
    yield cross(place.x, place.y, radius + 0.6, _HAIR)


def _number(everywhere: tuple[Place, ...], place: Place, radius: float) -> Text:
    """Return a hole's number above it, or to its right if another hole is too near."""
    name = "start" if place.hole == 0 else str(place.hole)
    over = Text(place.x, place.y - radius - 1.2, name, 2.3, "middle", is_bold=True, role="number")
    room = over.box()
    if any(Circle(other.x, other.y, radius + 0.3).box().meets(room) for other in everywhere):
        return replace(over, x=place.x + radius + 1.2, y=place.y + 0.8, anchor="start")
    return over


def _on_paper(text: Text) -> Iterator[Shape]:
    """Draw the text on a patch of paper, so that no strip runs through it."""
    left, top, right, bottom = text.box()
    yield Rectangle(left, top, right - left, bottom - top, None, "#ffffff")
    yield text


def _row_ends(kit: Kit, joints: tuple[Joint, ...]) -> Iterator[Shape]:
    """Write the LED at the first and last hole of each row, so that the strip is laid the right way round.

    It is above the wire where one of *joints* leaves the row on that side.
    """
    by_led = {place.led: place for place in holes_of(kit)}
    for row in rows_of(kit):
        places = by_led[row[0]], by_led[row[-1]]
        left = min(places, key=lambda place: place.x)
        right = max(places, key=lambda place: place.x)
        for place, way in ((left, -1), (right, 1))[: 1 if left is right else 2]:
            x = place.x + way * (drill(kit) / 2 + LED_GAP)
            anchor: Literal["start", "end"] = "start" if way > 0 else "end"
            beside = Text(x, place.y + 0.7, f"LED {place.led}", LED_SIZE, anchor, colour=_GREY, role="led")
            is_crossed = any(joint.meets(beside.box()) for joint in joints)
            yield from _on_paper(replace(beside, y=place.y - 0.8) if is_crossed else beside)


def _foot(kit: Kit) -> Iterator[Shape]:
    """Draw the scale bar and the legend below the board."""
    y = kit.board.height + MARGIN - 2
    yield from scale_bar(0, y + 4)
    count = sum(1 for _ in holes_of(kit))
    width, height = kit.board.width, kit.board.height
    facts = [
        f"Kit {kit.name}: {kit.title}.  Board {width:g} x {height:g} mm.",
        f"{count} holes of {drill(kit):g} mm for the lights"
        + (f", {len(fixing_holes(kit))} of {FIXING:g} mm to fix it." if fixing_holes(kit) else "."),
        f"{SEEN}  LED numbers count along it from its start.",
        f"{JOINED}  The screen and the keys are not on this board.",
    ]
    for n, fact in enumerate(facts):
        yield Text(66, y + 3.2 + 3.8 * n, fact, 2.6, is_bold=n == 0)


def scale_bar(x: float, y: float, words: str = MEASURE) -> Iterator[Shape]:
    """Draw a bar of 50 mm from *x*, *y* to the right, and *words* below it."""
    yield line(x, y, x + BAR, y, Pen(width=0.35), role="bar")
    for step in range(6):
        arm = 2.2 if step in {0, 5} else 1.2
        yield line(x + 10 * step, y - arm, x + 10 * step, y + arm, Pen(width=0.25))
    yield Text(x, y + 5.4, words, 2.6, is_bold=True)
