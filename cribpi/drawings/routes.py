"""Routes each wire from the header to its end, in upright and level pieces.

Left and right of the header is a channel of upright tracks, above and below it are level lanes.  Each wire
has tracks and lanes of its own, so two wires can cross but never share a line.  Then pairs of wires exchange
their tracks or lanes for as long as that saves a crossing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final, Literal, TypeAlias

from cribpi.drawings.shapes import Point

Where: TypeAlias = Literal["left", "right", "above", "below"]
Orders: TypeAlias = dict[Where, list[int]]

_SPACING: Final = 2.4


@dataclass(frozen=True, slots=True)
class Pull:
    """A wire to be routed from *start* at the header, which it leaves on *side*, to *end*.

    It arrives from *end_side*: level from the left or right channel, or down from a lane below the header.
    """

    start: Point
    side: Literal["left", "right"]
    end: Point
    end_side: Literal["left", "right", "below"]

    @property
    def is_straight(self) -> bool:
        """Whether it is one level piece."""
        return self.start[1] == self.end[1] and self.side == self.end_side

    def needs(self) -> tuple[Where, ...]:
        """Return where it needs a track or a lane."""
        if self.is_straight:
            return ()
        if self.end_side == "below":
            return self.side, "below"
        if self.end_side == self.side:
            return (self.side,)
        return self.side, "above", self.end_side


@dataclass(frozen=True, slots=True)
class Room:
    """Where tracks and lanes may lie: the *first* of each, and the room from there *outward*."""

    first: dict[Where, float]
    outward: dict[Where, float]

    def places(self, where: Where, count: int) -> list[float]:
        """Return where *count* tracks or lanes lie, from the header outward."""
        room = self.outward[where]
        step = min(_SPACING, abs(room) / max(count - 1, 1)) * (1 if room > 0 else -1)
        return [round(self.first[where] + step * n, 3) for n in range(count)]


def lay(pulls: Sequence[Pull], room: Room) -> list[tuple[Point, ...]]:
    """Return the corners of each wire's route, in the order of *pulls*."""
    search = _Search(pulls, room)
    search.untangle()
    return search.ways()


def crossings(ways: Sequence[Sequence[Point]]) -> int:
    """Return how often the level and the upright pieces of *ways* cross."""
    level, upright = [], []
    for way in ways:
        for (x, y), (to_x, to_y) in pairwise(way):
            if y == to_y:
                level.append((min(x, to_x), max(x, to_x), y))
            else:
                upright.append((min(y, to_y), max(y, to_y), x))
    return sum(
        left < x < right and top < y < bottom for left, right, y in level for top, bottom, x in upright
    )


@dataclass(slots=True)
class _Search:
    pulls: Sequence[Pull]
    room: Room
    orders: Orders = field(init=False)

    def __post_init__(self) -> None:
        self.orders = {"left": [], "right": [], "above": [], "below": []}
        for number, pull in enumerate(self.pulls):
            for where in pull.needs():
                self.orders[where].append(number)
        # Nested like this, wires to a row of ends below the header do not cross.
        middle = sum(pull.start[0] for pull in self.pulls) / max(len(self.pulls), 1)
        for where in ("left", "right"):
            self.orders[where].sort(key=lambda number: self._depth(self.pulls[number]))
        self.orders["below"].sort(key=lambda number: abs(self.pulls[number].end[0] - middle))

    @staticmethod
    def _depth(pull: Pull) -> tuple[bool, float]:
        """Return the sort key of a side's tracks to begin with, the innermost lowest."""
        y = pull.start[1]
        return (False, -y) if pull.end_side == "below" else (True, y)

    def ways(self) -> list[tuple[Point, ...]]:
        place: dict[Where, dict[int, float]] = {
            where: dict(zip(order, self.room.places(where, len(order)), strict=True))
            for where, order in self.orders.items()
        }
        return [tuple(self._way(number, pull, place)) for number, pull in enumerate(self.pulls)]

    @staticmethod
    def _way(number: int, pull: Pull, place: dict[Where, dict[int, float]]) -> Iterator[Point]:
        (_, y), (end_x, end_y) = pull.start, pull.end
        yield pull.start
        if not pull.is_straight:
            track = place[pull.side][number]
            yield track, y
            if pull.end_side == "below":
                lane = place["below"][number]
                yield track, lane
                yield end_x, lane
            elif pull.end_side == pull.side:
                yield track, end_y
            else:
                lane, other = place["above"][number], place[pull.end_side][number]
                yield track, lane
                yield other, lane
                yield other, end_y
        yield pull.end

    def untangle(self) -> None:
        """Exchange tracks or lanes while that saves a crossing, or else some length."""
        best = self._cost()
        is_better = True
        while is_better:
            is_better = False
            for order in self.orders.values():
                for one, other in combinations(range(len(order)), 2):
                    order[one], order[other] = order[other], order[one]
                    cost = self._cost()
                    if cost < best:
                        best, is_better = cost, True
                    else:
                        order[one], order[other] = order[other], order[one]

    def _cost(self) -> tuple[int, float]:
        ways = self.ways()
        length = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for way in ways for a, b in pairwise(way))
        return crossings(ways), round(length, 2)
