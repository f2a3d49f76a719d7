"""The layout of a board: lanes, marks and labels, computed from the holes of a kit.

Points are complex numbers x + y i, in millimetres; y points downward.  Directions are vectors of length 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median_low
from typing import Final, NamedTuple, TypeAlias

from cribpi.companion.kit import HOLES, Board, HolePosition, Kit, Track
from cribpi.cribbage.rules.seats import DOUBLE_SKUNK_LINE, SKUNK_LINE, STREET

ARROW: Final = 3.2
"""Half the size in millimetres of the arrow before the first hole."""

_BED: Final = 0.76  # width of a lane, as a multiple of the pitch: the distance of its holes
_CLEAR: Final = 0.6  # minimum distance of a label from everything else
_ROUND: Final = 0.66  # a turn's Bézier handles, relative to the distance of its ends: nearly a semicircle
_EDGE: Final = 4.0  # minimum distance of a turn from the board's edge
_NEAR: Final = 3.4  # maximum distance of holes that share a label, as a multiple of the pitch
_STEPS: Final = 24  # points per turn that are checked for overlap with labels
_TWIN: Final = 1.1  # half the distance of the two strokes of a double skunk line
_UP: Final = -1j
_DOWN: Final = 1j
_RIGHT: Final = 1 + 0j

Line: TypeAlias = tuple[complex, complex]


class Turn(NamedTuple):
    """A turn between two streets, drawn as a Bézier curve.

    *at* is the midpoint between its ends, *out* the direction of its outermost point, *bulge* the distance of
    that point from *at*, and *reach* the length of the curve's handles.
    """

    at: complex
    out: complex
    bulge: float
    reach: float


class Label(NamedTuple):
    """A text with the middle of its box, and half of the box's width and height."""

    text: str
    at: complex
    half: complex

    def distance_to(self, point: complex) -> float:
        """Return the distance of *point* from the box including its clear space; 0 inside."""
        away = point - self.at
        return abs(
            complex(
                max(0.0, abs(away.real) - self.half.real - _CLEAR),
                max(0.0, abs(away.imag) - self.half.imag - _CLEAR),
            )
        )

    def meets(self, other: Label) -> bool:
        """Return whether the boxes overlap or are too near to each other."""
        away, halves = other.at - self.at, self.half + other.half
        return abs(away.real) < halves.real + _CLEAR and abs(away.imag) < halves.imag + _CLEAR


_Place: TypeAlias = Callable[[complex], complex]
"""A candidate place for a label: returns its middle, given half of its width and height."""


@dataclass(frozen=True)
class Lane:
    """A track, or a row of holes for games won.  *turns* has the turn after each hole, or None."""

    holes: tuple[HolePosition, ...]
    pitch: float
    turns: tuple[Turn | None, ...]

    @property
    def bed(self) -> float:
        """The width of the lane."""
        return self.pitch * _BED

    @cached_property
    def at(self) -> tuple[complex, ...]:
        """The middles of the holes."""
        return tuple(complex(hole.x, hole.y) for hole in self.holes)

    @property
    def way(self) -> complex:
        """The direction from the first hole to the second."""
        return _unit(self.at[1] - self.at[0])

    @property
    def start(self) -> complex:
        """The middle of the arrow before the first hole."""
        return self.at[0] - self.way * self.pitch

    @property
    def arrow(self) -> tuple[complex, ...]:
        """The corners of that arrow."""
        return tuple(self.start + self.way * corner for corner in (3, -1.6 + 2.6j, -1.6 - 2.6j))

    def index(self, hole: int) -> int | None:
        """Return the index of the hole with the number *hole*, or None if the lane has none."""
        return next((i for i, each in enumerate(self.holes) if each.hole == hole), None)

    def ahead(self, i: int) -> complex:
        """Return the direction of the lane at hole *i*; at the last hole, the direction at the one before."""
        last = i if i + 1 < len(self.at) else i - 1
        return _unit(self.at[last] - self.at[last - 1])

    def points(self) -> Iterator[complex]:
        """Yield points along the lane, dense enough to check for overlap."""
        yield self.at[0]
        for (one, other), turn in zip(pairwise(self.at), self.turns, strict=False):
            steps = _STEPS if turn else 4
            a, b = (end + turn.out * turn.reach if turn else end for end in (one, other))
            for step in range(1, steps + 1):
                t = step / steps if turn or abs(other - one) else 1
                u = 1 - t
                yield u**3 * one + 3 * u * u * t * a + 3 * u * t * t * b + t**3 * other


class SkunkMark(NamedTuple):
    """A skunk line's place on *lane*: after its hole *i*, which is that of *score*."""

    score: int
    lane: Lane
    i: int

    @property
    def at(self) -> complex:
        """The middle between the two holes."""
        return (self.lane.at[self.i] + self.lane.at[self.i + 1]) / 2

    @property
    def way(self) -> complex:
        """The unit vector from hole *i* to the next hole."""
        return _unit(self.lane.at[self.i + 1] - self.lane.at[self.i])


@dataclass(frozen=True)
class Layout:
    """The lanes of a board and its engraving, for a game to *target*; *rows* are those for games won."""

    board: Board
    lanes: tuple[Lane, ...]
    rows: tuple[Lane, ...]
    target: int
    lap: int

    @property
    def pitch(self) -> float:
        return min(lane.pitch for lane in (*self.lanes, *self.rows))

    def hole(self, score: int) -> int:
        """Return the number of the hole for a peg at *score*.  With two laps, two scores share a hole."""
        last = score - 1 if score == self.target else score
        return score - max(last - 1, 0) // self.lap * self.lap

    def game_holes(self) -> Iterator[complex]:
        """Yield the middles of the game holes."""
        for lane in self.lanes:
            i = lane.index(self.hole(self.target))
            if i is not None:
                yield lane.at[i]

    def ticks(self) -> Iterator[Line]:
        """Yield the ticks across the lanes after every fifth hole, except at the end of a street."""
        for lane in self.lanes:
            for hole, (one, other) in zip(lane.holes, pairwise(lane.at), strict=False):
                if hole.hole % 5 == 0 and hole.hole % STREET:
                    yield _across((one + other) / 2, _unit(other - one), lane.bed / 2)

    def skunk_marks(self) -> Iterator[SkunkMark]:
        """Yield the marks after 90 and 60; in a short game the one after 30."""
        for lane in self.lanes:
            for score in (SKUNK_LINE, DOUBLE_SKUNK_LINE) if self.target > SKUNK_LINE else (STREET,):
                i = lane.index(self.hole(score))
                if i is not None and i + 1 < len(lane.at):
                    yield SkunkMark(score, lane, i)

    def skunk_lines(self) -> Iterator[Line]:
        """Yield the line of each skunk mark, two of a double skunk."""
        for mark in self.skunk_marks():
            turn, lane = mark.lane.turns[mark.i], mark.lane
            at = turn.at + turn.out * turn.bulge if turn else mark.at
            shifts = (-_TWIN, _TWIN) if mark.score == DOUBLE_SKUNK_LINE else (0.0,)
            yield from (_across(at + mark.way * shift, mark.way, lane.bed / 2 + 0.4) for shift in shifts)

    def labels(self, half_of: Callable[[str], complex], ring: float) -> list[Label]:
        """Return the labels for which there is space: game hole, START, the ends of streets, and GAMES.

        *half_of* returns half of a text's width and height.  *ring* is the outer radius of a game hole's
        ring.
        """
        solid = [
            *((point, lane.bed / 2) for lane in (*self.rows, *self.lanes) for point in lane.points()),
            *((lane.start, ARROW) for lane in self.lanes),
            *((at, ring) for at in self.game_holes()),
        ]
        kept: list[Label] = []
        for text, places in self._texts(ring):
            half = half_of(text)
            for place in places:
                label = Label(text, place(half), half)
                if self._has_room(label, kept) and all(label.distance_to(at) >= reach for at, reach in solid):
                    kept.append(label)
                    break
        return kept

    def _has_room(self, label: Label, others: Sequence[Label]) -> bool:
        room = complex(self.board.width, self.board.height) - label.at
        clear = label.half + _CLEAR * (1 + 1j)
        return (
            min(label.at.real, room.real) >= clear.real
            and min(label.at.imag, room.imag) >= clear.imag
            and not any(label.meets(other) for other in others)
        )

    def _texts(self, ring: float) -> Iterator[tuple[str, list[_Place]]]:
        """Yield the texts, the most important first, each with its candidate places, the best first."""
        game_hole = self.hole(self.target)
        yield from self._numbers(game_hole, str(self.target), ring)
        for group in _grouped([(lane, 0) for lane in self.lanes]):
            yield "START", _start_places([lane for lane, _ in group])
        last = self.lanes[0].holes[-1].hole
        for hole in range(STREET, min(self.target, last + 1), STREET):
            if hole != game_hole:
                scores = range(hole, self.target, self.lap)
                yield from self._numbers(hole, "/".join(map(str, scores)), 0)
        for group in _grouped([(row, len(row.holes) - 1) for row in self.rows]):
            yield "GAMES", _games_places(group)

    def _numbers(self, hole: int, text: str, ring: float) -> Iterator[tuple[str, list[_Place]]]:
        """Yield the label *text* of *hole* and its places, for each group of holes that share a label."""
        marks = [(lane, i) for lane in self.lanes if (i := lane.index(hole)) is not None]
        for group in _grouped(marks):
            yield text, _places(group, ring)


def layout(kit: Kit, target: int) -> Layout:
    """Return the layout of the board of *kit* for a game to *target*, 61 or 121."""
    plain = [
        Lane(track.holes, median_low(_steps(track.holes)), (None,) * len(track.holes)) for track in kit.tracks
    ]
    lanes = [replace(lane, turns=tuple(_turn(lane, i, 1) for i in range(len(lane.at)))) for lane in plain]
    # If a turn would leave the board, all turns are flattened by the same factor.
    squash = min([1.0, *(_squash(lane, kit.board) for lane in lanes)])
    if squash < 1:
        lanes = [
            replace(lane, turns=tuple(_turn(lane, i, squash) for i in range(len(lane.at)))) for lane in plain
        ]
    rows = [
        Lane(row.holes, min([lane.pitch, *_steps(row.holes)]), (None,) * len(row.holes))
        for track, lane in zip(kit.tracks, lanes, strict=True)
        for row in track.games
    ]
    return Layout(kit.board, tuple(lanes), tuple(rows), target, kit.tracks[0].lap)


def _steps(holes: Sequence[HolePosition]) -> list[float]:
    return [abs(complex(other.x - one.x, other.y - one.y)) for one, other in pairwise(holes)]


def _turn(lane: Lane, i: int, squash: float) -> Turn | None:
    """Return the turn after hole *i*, or None if the next street does not run back."""
    if not 0 < i < len(lane.at) - 2:
        return None
    before, hole, after, next_ = lane.at[i - 1 : i + 3]
    gap, out = abs(after - hole), _unit(hole - before)
    if gap < lane.pitch * 1.05 or (out * _unit(next_ - after).conjugate()).real > -0.5:
        return None
    reach = gap * _ROUND * squash
    return Turn((hole + after) / 2, out, 0.75 * reach, reach)


def _squash(lane: Lane, board: Board) -> float:
    """Return the factor, at most 1, by which to flatten the turns of *lane* to keep them on the board."""

    def room(turn: Turn) -> float:
        if abs(turn.out.real) > 0.5:
            return board.width - turn.at.real if turn.out.real > 0 else turn.at.real
        return board.height - turn.at.imag if turn.out.imag > 0 else turn.at.imag

    return min(
        [1.0, *((room(turn) - lane.bed / 2 - _EDGE) / turn.bulge for turn in lane.turns if turn is not None)]
    )


def _unit(way: complex) -> complex:
    return way / (abs(way) or 1)


def _across(at: complex, way: complex, half: float) -> Line:
    return at - way * 1j * half, at + way * 1j * half


# --- the places of labels --------------------------------------------------------------------------------

_Mark: TypeAlias = tuple[Lane, int]
"""A hole of a lane, by its index."""


def _grouped(marks: Sequence[_Mark]) -> list[list[_Mark]]:
    """Group holes of different lanes that are close together and can share a label."""
    groups: list[list[_Mark]] = []
    for lane, i in marks:
        near = (
            group
            for group in groups
            if any(abs(other.at[j] - lane.at[i]) < _NEAR * lane.pitch for other, j in group)
        )
        group = next(near, None)
        if group is None:
            groups.append(group := [])
        group.append((lane, i))
    return groups


def _next(start: complex, way: complex) -> _Place:
    """Return the place for a label beyond *start* in the direction *way*, close to it."""

    def place(half: complex) -> complex:
        return start + way * (_CLEAR * 1.2 + abs(way.real) * half.real + abs(way.imag) * half.imag)

    return place


def _corner(level: complex, level_way: complex, aside: complex, aside_way: complex) -> _Place:
    """Return the place for a label beside *level* horizontally and beside *aside* vertically."""
    across, down = _next(level, level_way), _next(aside, aside_way)
    return lambda half: complex(across(half).real, down(half).imag)


def _places(group: Sequence[_Mark], ring: float) -> list[_Place]:
    """Return the places of a number, best first, for the holes of *group*.

    They are outside a turn, inside it, past the end of a street, above and below.  The places common to the
    group come before those of its single holes.
    """
    turns = [(turn, lane.bed / 2) for lane, i in group if (turn := lane.turns[i])]
    outside = sorted(turns, key=lambda pair: -pair[0].bulge)
    ways = [lane.ahead(i) for lane, i in group]
    return [
        *(_next(turn.at + turn.out * (turn.bulge + half), turn.out) for turn, half in outside),
        *(_next(turn.at + turn.out * (turn.bulge - half), -turn.out) for turn, half in outside[::-1]),
        *(
            place
            for each in (ways, [_UP] * len(group), [_DOWN] * len(group))
            for place in _along(group, each, ring)
        ),
        *(place for lane, i in group if ring for place in _past(lane, i, ring)),
    ]


def _past(lane: Lane, i: int, ring: float) -> Iterator[_Place]:
    """Yield the places at the corners of a game hole's ring, for lanes without space above and below."""
    at, way = lane.at[i], lane.ahead(i)
    for aside in (way, -way) if abs(way.imag) > 0.5 else (_UP, _DOWN):
        for level in (_RIGHT, -_RIGHT):
            yield _corner(at + level * ring, level, at + aside * lane.bed / 2, aside)


def _along(group: Sequence[_Mark], ways: Sequence[complex], ring: float) -> list[_Place]:
    edges = [lane.at[i] + way * max(lane.bed / 2, ring) for (lane, i), way in zip(group, ways, strict=True)]
    together = sum(edges) / len(edges)
    return [_next(together, ways[0]), *(_next(edge, way) for edge, way in zip(edges, ways, strict=True))]


def _start_places(lanes: Sequence[Lane]) -> list[_Place]:
    """Return the places of START: behind the middle arrow, then above and below each arrow."""
    first = lanes[(len(lanes) - 1) // 2]
    way = first.way
    return [
        _next(first.start - way * ARROW, -way),
        *(
            _corner(lane.at[0] - way * lane.bed / 2, -way, lane.start + side * ARROW, side)
            for lane in lanes
            for side in (_UP, _DOWN)
        ),
    ]


def _games_places(group: Sequence[_Mark]) -> list[_Place]:
    """Return the places of GAMES: after the last holes of the rows, before the first, or beside these."""
    first = [(row, 0) for row, _ in group]
    ways = [_unit(row.at[i] - row.at[0]) if i else _RIGHT for row, i in group]
    left = [way * -1j for way in ways]
    back, right = [-way for way in ways], [-way for way in left]
    return [
        *_along(group, ways, 0),
        *_along(first, back, 0),
        *_along(group, left, 0),
        *_along(group, right, 0),
        *_along(first, left, 0),
        *_along(first, right, 0),
    ]


# --- variants of the kit's board -------------------------------------------------------------------------


def upright(kit: Kit) -> Kit:
    """Return *kit* with its board turned by 90 degrees, so that the start is at the bottom."""
    width, height = kit.board.width, kit.board.height
    is_foot_up = kit.tracks[0].holes[0].x < width / 2

    def turned(holes: tuple[HolePosition, ...]) -> tuple[HolePosition, ...]:
        if is_foot_up:
            return tuple(replace(hole, x=hole.y, y=width - hole.x) for hole in holes)
        return tuple(replace(hole, x=height - hole.y, y=hole.x) for hole in holes)

    tracks = tuple(
        replace(
            track,
            holes=turned(track.holes),
            games=tuple(replace(row, holes=turned(row.holes)) for row in track.games),
        )
        for track in kit.tracks
    )
    return replace(kit, board=Board(height, width), tracks=tracks)


OWN: Final = 200
"""On a board with a track per side, the LED numbers of a side's holes begin at this times the side."""

_PITCH: Final = 10.0
_STREETS_APART: Final = 12.0
_TRACKS_APART: Final = 20.0
_AROUND: Final = 20.0
_START: Final = _AROUND + 2 * _PITCH  # the start and the arrow are before the first hole


def must_share(kit: Kit, sides: int) -> bool:
    """Return whether *sides* are three and two of them would peg on the same track of *kit*."""
    return sides > 2 and any(sum(side < sides for side in track.sides) > 1 for track in kit.tracks)


def kit_drawn(kit: Kit, sides: int) -> Kit:
    """Return *kit*, or if its board has not enough tracks for *sides*, one with a track per side."""
    return with_own_tracks(kit, sides) if must_share(kit, sides) else kit


def with_own_tracks(kit: Kit, sides: int) -> Kit:
    """Return *kit* with its own track for each side, of four streets back and forth.

    On a shared track, a peg can hide another.
    """

    def place(side: int, hole: int) -> HolePosition:
        # The start and the game hole extend their streets.
        street = min(max((hole - 1) // STREET, 0), 3)
        along = hole - 1 - STREET * street
        x = _START + _PITCH * (STREET - 1 - along if street % 2 else along)
        y = _AROUND + side * (3 * _STREETS_APART + _TRACKS_APART) + street * _STREETS_APART
        return HolePosition(hole, OWN * side + hole, x, y)

    tracks = tuple(
        Track((side,), tuple(place(side, hole) for hole in range(HOLES + 1))) for side in range(sides)
    )
    board = Board((STREET + 4) * _PITCH + _AROUND, tracks[-1].holes[-1].y + _AROUND)
    return replace(kit, board=board, tracks=tracks)
