"""Shared elements of the wiring diagram, and the router of its wires.

Each part yields its shapes, its wires, and the ends of the wires from the header.  Wires run vertically and
horizontally: in channels of vertical tracks left and right of the header, and in horizontal lanes above and
below it.  No two wires share a track or lane, so wires can cross but never overlap.  Finally, wires swap
tracks or lanes as long as that reduces the number of crossings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import Final, Literal, TypeAlias

from cribpi.workshop.drawings.circuit import Colour
from cribpi.workshop.drawings.shapes import GREY, Circle, DrawnShape, Path, Pen, Point, Rectangle, toward
from cribpi.workshop.drawings.svg import figure

MIDDLE: Final = 118.0  # x of the header's middle
WIDTH: Final = 0.75  # width of a wire
SOFT: Final = "#dfe3e8"
PAPER: Final = "#ffffff"


def row_y(row: float) -> float:
    """Return the y of the header's *row*; 11.5, for example, is between rows 11 and 12."""
    return round(44.0 + 4.7 * row, 3)


@dataclass(frozen=True, slots=True)
class End:
    """The end of a wire from the header at a *terminal* of a *device*, and the side where it arrives."""

    device: str
    terminal: str
    at: Point
    side: Literal["left", "right", "below"]


@dataclass(frozen=True, slots=True)
class Lead:
    """A drawn wire.  It covers earlier wires; boxes and letters cover it."""

    name: str
    colour: Colour
    points: tuple[Point, ...]
    is_plugged: bool = False

    def paths(self) -> tuple[Path, Path]:
        """Return the white outline, which makes crossings visible, and the wire itself."""
        pen = Pen(self.colour.ink, 0.5, (1.4, 1.1)) if self.is_plugged else Pen(self.colour.ink, WIDTH)
        # The white outline is shorter than the wire: it must not cut into a joint at either end.
        first = toward(self.points[0], self.points[1], 1.3, 0.4)
        last = toward(self.points[-1], self.points[-2], 1.3, 0.4)
        return (
            Path((first, *self.points[1:-1], last), Pen(PAPER, WIDTH + 0.9), bend=1.0),
            Path(self.points, pen, bend=1.0, role="wire", name=self.name),
        )


Parts: TypeAlias = Iterator[DrawnShape | Lead | End]


def lead(name: str, colour: Colour, *points: Point, joined: Sequence[Point] = ()) -> Parts:
    """Draw a wire along *points*, with dots where other wires are *joined* to it."""
    yield Lead(name, colour, points)
    yield from (Circle(*at, 0.95, None, colour.ink, role="joint") for at in joined)


def box(name: str, x: float, y: float, width: float, height: float, fill: str) -> Rectangle:
    return Rectangle(x, y, width, height, Pen(GREY, 0.35), fill, 1.5, role="box", name=name)


def wired(name: str, **facts: object) -> Parts:
    """Draw a group of `figures.svg`, with *facts* filled into its texts and its wires as `Lead`."""
    for shape in figure(name, 0.0, 0.0, **facts):
        if isinstance(shape, Path) and shape.pen is not None and shape.role == "wire":
            yield Lead(shape.name, Colour("", shape.pen.colour), shape.points)
        else:
            yield shape


# --- the routes --------------------------------------------------------------------------------------


Where: TypeAlias = Literal["left", "right", "above", "below"]
Orders: TypeAlias = dict[Where, list[int]]
WirePath: TypeAlias = tuple[Point, ...]

_SPACING: Final = 2.4
_ROOM: Final[dict[Where, tuple[float, float]]] = {
    "left": (75.0, -25.0),
    "right": (161.0, 25.0),
    "above": (35.5, -12.0),
    "below": (141.0, 20.0),
}
"""Position of the first track or lane of each channel, and the space for others, away from the header."""


@dataclass(frozen=True, slots=True)
class Route:
    """A wire to be routed from *start* on one *side* of the header to *end*.

    The wire arrives horizontally from the left or right channel, or vertically from a lane below the header.
    """

    start: Point
    side: Literal["left", "right"]
    end: End

    def needs(self) -> tuple[Where, ...]:
        """Return the channels in which the wire needs a track or lane, in order; () if it is straight."""
        if self.start[1] == self.end.at[1] and self.side == self.end.side:
            return ()
        if self.end.side == "below":
            return self.side, "below"
        if self.end.side == self.side:
            return (self.side,)
        return self.side, "above", self.end.side


def places(where: Where, count: int) -> list[float]:
    """Return the positions of *count* tracks or lanes, from the header outward."""
    first, room = _ROOM[where]
    step = min(_SPACING, abs(room) / max(count - 1, 1)) * (1 if room > 0 else -1)
    return [round(first + step * n, 3) for n in range(count)]


def lay(routes: Sequence[Route]) -> list[WirePath]:
    """Return the corners of each wire, in the order of *routes*."""
    orders = _nested(routes)
    ways = _ways(routes, orders)
    best = _cost(ways)
    is_better = True
    while is_better:
        is_better = False
        for order in orders.values():
            for i, j in combinations(range(len(order)), 2):
                order[i], order[j] = order[j], order[i]
                tried = _ways(routes, orders)
                cost = _cost(tried)
                if cost < best:
                    ways, best = tried, cost
                    is_better = True
                else:
                    order[i], order[j] = order[j], order[i]
    return ways


def _nested(routes: Sequence[Route]) -> Orders:
    """Return the initial order of the wires in each channel, from the header outward."""
    orders: Orders = {
        where: [number for number, route in enumerate(routes) if where in route.needs()]
        for where in ("left", "right", "above", "below")
    }

    def depth(number: int) -> tuple[bool, float]:
        y = routes[number].start[1]
        return (False, -y) if routes[number].end.side == "below" else (True, y)

    # With this nesting, wires to a row of ends below the header do not cross.
    orders["left"].sort(key=depth)
    orders["right"].sort(key=depth)
    middle = sum(route.start[0] for route in routes) / max(len(routes), 1)
    orders["below"].sort(key=lambda number: abs(routes[number].end.at[0] - middle))
    return orders


def _ways(routes: Sequence[Route], orders: Orders) -> list[WirePath]:
    positions = {
        (where, number): position
        for where, order in orders.items()
        for number, position in zip(order, places(where, len(order)), strict=True)
    }
    ways: list[WirePath] = []
    for number, route in enumerate(routes):
        (_, y), (end_x, end_y) = route.start, route.end.at
        inner: list[Point] = []
        match [positions[where, number] for where in route.needs()]:
            case [track]:
                inner = [(track, y), (track, end_y)]
            case [track, lane]:
                inner = [(track, y), (track, lane), (end_x, lane)]
            case [track, lane, other]:
                inner = [(track, y), (track, lane), (other, lane), (other, end_y)]
        ways.append((route.start, *inner, route.end.at))
    return ways


def _cost(ways: Sequence[WirePath]) -> tuple[int, float]:
    """Return the number of crossings and the total length of *ways*."""
    level, upright = [], []
    length = 0.0
    for (x, y), (to_x, to_y) in chain.from_iterable(map(pairwise, ways)):
        length += abs(to_x - x) + abs(to_y - y)
        if y == to_y:
            level.append((min(x, to_x), max(x, to_x), y))
        else:
            upright.append((min(y, to_y), max(y, to_y), x))
    crossings = sum(
        left < x < right and top < y < bottom for left, right, y in level for top, bottom, x in upright
    )
    return crossings, round(length, 2)
