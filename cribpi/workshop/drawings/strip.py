"""The rows of holes and the strip behind them: its cuts, its pieces, and the joints between them.

A ready-made panel is one piece without joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, combinations, pairwise, product
from math import dist, hypot
from typing import Final, TypeAlias

from cribpi.companion.kit import HolePosition, Kit
from cribpi.workshop.drawings.shapes import Box, Point, text_width, unit


def runs(kit: Kit) -> Iterator[tuple[HolePosition, ...]]:
    """Yield the holes of each track, and of each row for games won."""
    for track in kit.tracks:
        yield track.holes
        yield from (row.holes for row in track.games)


def rows(kit: Kit) -> list[list[HolePosition]]:
    """Return each straight row of holes, in the order of the holes."""
    straight: list[list[HolePosition]] = []
    for run in runs(kit):
        straight.append([])
        for place in run:
            if straight[-1] and not _goes_on(kit, straight[-1], place):
                straight.append([])
            straight[-1].append(place)
    return straight


def _goes_on(kit: Kit, row: list[HolePosition], place: HolePosition) -> bool:
    """Return whether *place* continues *row*: in a straight line, at the same distance, with the next LED.

    On a panel, adjacent LEDs need not follow each other on the wire, so only the position counts.
    """
    last = row[-1]
    if kit.panel is None:
        is_next = abs(place.led - last.led) == 1
    else:
        is_next = abs(dist(place.at, last.at) - kit.panel.pitch) < 0.05
    if not is_next:
        return False
    if len(row) == 1:
        return True
    before = row[-2]
    # Positions are rounded to 0.01 mm, so the steps of a row differ by up to 0.02 mm.
    return (
        abs(place.x - last.x - (last.x - before.x)) < 0.05
        and abs(place.y - last.y - (last.y - before.y)) < 0.05
    )


def along(kit: Kit) -> tuple[HolePosition, ...]:
    """Return all holes with an LED in the order of the strip."""
    return tuple(sorted(chain.from_iterable(runs(kit)), key=lambda place: place.led))


def pitch(kit: Kit) -> float:
    """Return the pitch of the strip's LEDs in mm: the median distance between adjacent LEDs."""
    if kit.panel is not None:
        return kit.panel.pitch
    apart = sorted(dist(a.at, b.at) for a, b in pairwise(along(kit)) if b.led - a.led == 1)
    return apart[len(apart) // 2] if apart else 10.0


def pieces(kit: Kit) -> tuple[int, ...]:
    """Return the number of LEDs of each piece of the strip, which is cut wherever it turns."""
    if kit.panel is not None:
        return (kit.strip.leds,)
    step = pitch(kit)
    lengths: list[int] = []
    first, heading = 0, (0.0, 0.0)
    for a, b in pairwise(along(kit)):
        leds = b.led - a.led
        now = (b.x - a.x) / leds, (b.y - a.y) / leds
        is_next = abs(hypot(*now) - step) < 0.05
        turns = heading != (0.0, 0.0) and hypot(now[0] - heading[0], now[1] - heading[1]) > 0.05
        heading = now
        if not is_next or turns:
            lengths.append(b.led - first)
            first, heading = b.led, (0.0, 0.0)
    return (*lengths, kit.strip.leds - first)


def laid(kit: Kit) -> tuple[tuple[HolePosition, ...], ...]:
    """Return the holes over each piece of the strip, in the order of the LEDs; not every LED has a hole."""
    places = along(kit)
    ends = tuple(accumulate(pieces(kit)))
    holes = (
        tuple(place for place in places if start <= place.led < end) for start, end in pairwise((0, *ends))
    )
    return tuple(piece for piece in holes if piece)


FIXING: Final = 3.2
"""Diameter of the fixing holes in mm: a close fit for M3; the normal fit is 3.4 (ISO 273)."""


THICK: Final = 3.0
"""Thickness of the plate in mm."""

RELIEF: Final = 0.8
"""Extra width in mm on each side of a key's opening in the back half of the plate, for the switch's clips.

The opening is then as wide as the flange of the switch, 15.6 mm (Cherry's data sheet of the MX1A).
"""


@lru_cache(maxsize=16)
def drill(kit: Kit) -> float:
    """Return the diameter of an LED's hole in mm: 5 if the holes are at least 9 mm apart, else 4 or 3."""
    nearest = min((dist(a.at, b.at) for a, b in combinations(along(kit), 2)), default=10.0)
    if nearest >= 9:
        return 5.0
    return 4.0 if nearest >= 6 else 3.0


def fixing_holes(kit: Kit) -> tuple[Point, ...]:
    """Return the fixing holes in the corners of the board, and in the lower corners of the plate.

    They are 8 mm from the edges, or 6 or 5 if an LED or an opening is too close to one of them.  If that does
    not help, the result is ().
    """
    width, height = kit.front
    openings = kit.plate.openings if kit.plate else ()
    for inset in (8.0, 6.0, 5.0):
        heights = dict.fromkeys((inset, kit.board.height - inset, height - inset))
        corners = tuple((x, y) for y in heights for x in (inset, width - inset))
        if all(dist(place.at, corner) >= 7 for place in along(kit) for corner in corners) and all(
            opening.distance_to(corner) >= 5 for opening in openings for corner in corners
        ):
            return corners
    return ()


# --- the routes of the joints' wires -----------------------------------------------------------------


LED_SIZE: Final = 1.8
"""Font size in mm of the LED numbers at the ends of a row."""

LED_GAP: Final = 1.4
"""Distance in mm from an LED number to the edge of its hole."""

_APART: Final = 2.5  # distance between bent wires
_WAYS: Final = 8  # number of routes tried for a bent wire, from the holes outward
_FREE: Final = 0.3  # minimum distance of a wire from the edge of other holes

_Segment: TypeAlias = tuple[Point, Point]
StripPath: TypeAlias = tuple[Point, ...]
HolePair: TypeAlias = tuple[HolePosition, HolePosition]


@dataclass(frozen=True, slots=True)
class Joint:
    """A wire along *points* from the last hole of a piece of the strip to the first hole of the next."""

    one: HolePosition
    other: HolePosition
    points: StripPath

    def meets(self, box: Box) -> bool:
        return any(_runs_through(segment, box) for segment in pairwise(self.points))


def joints_on(kit: Kit, radius: float) -> tuple[Joint, ...]:
    """Return the joints of *kit*, whose holes have *radius*, in the order of the strip.

    A wire that would cross other holes is routed around the ends of the rows.  Shorter wires are closer to
    the holes, so that people can follow each wire.
    """
    pieces_of_strip = laid(kit)
    straight = {(a[-1], b[0]): (a[-1].at, b[0].at) for a, b in pairwise(pieces_of_strip)}
    routes: dict[HolePair, StripPath] = {
        pair: way for pair, way in straight.items() if _is_free(kit, way, radius)
    }
    # A piece of a single hole has no direction: right is assumed.
    headings = {
        piece[-1]: unit(piece[-2].at, piece[-1].at) if len(piece) > 1 else (1.0, 0.0)
        for piece in pieces_of_strip
    }
    for pair in sorted(
        straight.keys() - routes.keys(), key=lambda pair: (dist(*straight[pair]), pair[0].led)
    ):
        ways = (
            way
            for way in _bent(kit, pair, headings[pair[0]], radius)
            if _is_free(kit, way, radius) and not any(_touch(way, other) for other in routes.values())
        )
        routes[pair] = next(ways, straight[pair])
    return tuple(Joint(*pair, routes[pair]) for pair in straight)


def _bent(kit: Kit, pair: HolePair, heading: Point, radius: float) -> Iterator[StripPath]:
    """Yield routes from the first of *pair* onward along *heading*, across, and back to the second."""
    hx, hy = heading
    depths = [place.x * hx + place.y * hy for place in pair]
    # The wire also avoids the LED numbers at the ends of the rows in between.
    beyond = radius + LED_GAP + text_width(f"LED {kit.strip.leds}", LED_SIZE) + 1.5
    for number in range(_WAYS):
        far = max(depths) + beyond + _APART * number
        turns = [
            (round(place.x + hx * (far - depth), 3), round(place.y + hy * (far - depth), 3))
            for place, depth in zip(pair, depths, strict=True)
        ]
        if all(1 <= x <= kit.board.width - 1 and 1 <= y <= kit.board.height - 1 for x, y in turns):
            yield pair[0].at, *turns, pair[1].at


def _is_free(kit: Kit, way: StripPath, radius: float) -> bool:
    """Return whether *way* crosses no hole except those at its ends."""
    others = {place.at for place in along(kit)} - {way[0], way[-1]}
    return all(_distance(other, segment) >= radius + _FREE for segment in pairwise(way) for other in others)


def _touch(way: StripPath, other: StripPath) -> bool:
    """Return whether a corner or end of one wire is so close to the other that they look like one wire."""
    pairs = chain(product(way, pairwise(other)), product(other, pairwise(way)))
    return any(_distance(point, segment) < _APART / 2 for point, segment in pairs)


def _distance(point: Point, segment: _Segment) -> float:
    """Return the distance of *point* from *segment*.

    >>> _distance((5, 3), ((0, 0), (10, 0))), _distance((13, 4), ((0, 0), (10, 0)))
    (3.0, 5.0)
    """
    (ax, ay), (bx, by) = segment
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    share = min(max(((point[0] - ax) * dx + (point[1] - ay) * dy) / square, 0.0), 1.0) if square else 0.0
    return hypot(point[0] - ax - share * dx, point[1] - ay - share * dy)


def _runs_through(segment: _Segment, box: Box) -> bool:
    """Return whether *segment* has a point inside *box*.

    >>> _runs_through(((0, 0), (4, 4)), Box(1, 0, 3, 2)), _runs_through(((0, 0), (4, 4)), Box(3, 0, 4, 1))
    (True, False)
    """
    (ax, ay), (bx, by) = segment
    first, last = 0.0, 1.0
    for start, step, low, high in ((ax, bx - ax, box.left, box.right), (ay, by - ay, box.top, box.bottom)):
        if step:
            enters, leaves = sorted(((low - start) / step, (high - start) / step))
            first, last = max(first, enters), min(last, leaves)
        elif not low < start < high:
            return False
    return first < last
