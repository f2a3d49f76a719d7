"""How the template shows the wires that join two pieces of the strip: straight, or around other holes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import Final, TypeAlias

from cribpi.drawings.letters import text_width
from cribpi.drawings.shapes import Box, Point
from cribpi.drawings.strip import holes_of, joints, laid
from cribpi.kit import Kit, Place

LED_SIZE: Final = 1.8
"""Letter size of the LED's number at the end of a row."""

LED_GAP: Final = 1.4
"""From these letters to the edge of their hole."""

_APART: Final = 2.5
"""From one bent wire to the next."""

_WAYS: Final = 8
"""How many tracks are tried for a bent wire, from the holes outward."""

_FREE: Final = 0.3
"""From a wire to the edge of a hole that is not its own."""

_Segment: TypeAlias = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Joint:
    """A wire from the last hole of a piece to the first of the next, by *points*."""

    one: Place
    other: Place
    points: tuple[Point, ...]

    @property
    def segments(self) -> tuple[_Segment, ...]:
        """Its straight parts."""
        return tuple(pairwise(self.points))

    def meets(self, box: Box) -> bool:
        """Return whether it runs through *box*."""
        return any(_runs_through(segment, box) for segment in self.segments)


def joints_on(kit: Kit, radius: float) -> tuple[Joint, ...]:
    """Return the joints of *kit*, whose holes have *radius*, in the order of the strip.

    One that would run over other holes goes out beyond the ends of the rows and back, shorter ones nearer to
    the holes, so that each can be followed from end to end.
    """
    pairs = joints(kit)
    found: dict[tuple[Place, Place], tuple[Point, ...]] = {}
    blocked: list[tuple[Place, Place]] = []
    for pair in pairs:
        straight = tuple((place.x, place.y) for place in pair)
        if _is_free(kit, straight, pair, radius):
            found[pair] = straight
        else:
            blocked.append(pair)
    headings = {piece[-1]: _heading(piece) for piece in laid(kit)}
    for pair in sorted(blocked, key=_length):
        tried = _bent(kit, pair, headings[pair[0]], radius)
        ways = (
            way
            for way in tried
            if _is_free(kit, way, pair, radius) and not any(_touch(way, its) for its in found.values())
        )
        found[pair] = next(ways, tuple((place.x, place.y) for place in pair))
    return tuple(Joint(one, other, found[one, other]) for one, other in pairs)


def _bent(kit: Kit, pair: tuple[Place, Place], heading: Point, radius: float) -> Iterator[tuple[Point, ...]]:
    """Yield ways from one of *pair* on along *heading*, across, and back to the other."""
    hx, hy = heading
    along = [place.x * hx + place.y * hy for place in pair]
    # Past the LEDs' numbers at the ends of the rows between.
    beyond = radius + LED_GAP + text_width(f"LED {kit.strip.leds}", LED_SIZE) + 1.5
    for number in range(_WAYS):
        at = max(along) + beyond + _APART * number
        turns = [
            (place.x + hx * (at - its), place.y + hy * (at - its))
            for place, its in zip(pair, along, strict=True)
        ]
        if all(1 <= x <= kit.board.width - 1 and 1 <= y <= kit.board.height - 1 for x, y in turns):
            one, other = pair
            yield (one.x, one.y), *((round(x, 3), round(y, 3)) for x, y in turns), (other.x, other.y)


def _heading(piece: tuple[Place, ...]) -> Point:
    """Return the direction in which *piece* ends, of length 1; a single hole points to the right."""
    if len(piece) < 2:
        return (1.0, 0.0)
    before, last = piece[-2:]
    long = hypot(last.x - before.x, last.y - before.y)
    return (last.x - before.x) / long, (last.y - before.y) / long


def _length(pair: tuple[Place, Place]) -> float:
    one, other = pair
    return hypot(other.x - one.x, other.y - one.y)


def _is_free(kit: Kit, way: tuple[Point, ...], pair: tuple[Place, Place], radius: float) -> bool:
    """Return whether no hole but those of *pair* lies on *way*."""
    others = [place for place in holes_of(kit) if place not in pair]
    return all(
        _distance((place.x, place.y), segment) >= radius + _FREE
        for segment in pairwise(way)
        for place in others
    )


def _touch(way: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    """Return whether a corner or an end of one nearly lies on the other: they would look like one wire."""
    return any(
        _distance(point, segment) < _APART / 2
        for points, line in ((way, other), (other, way))
        for point in points
        for segment in pairwise(line)
    )


def _distance(point: Point, segment: _Segment) -> float:
    """Return how far *point* is from *segment*.

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
            one, other = sorted(((low - start) / step, (high - start) / step))
            first, last = max(first, one), min(last, other)
        elif not low < start < high:
            return False
    return first < last
