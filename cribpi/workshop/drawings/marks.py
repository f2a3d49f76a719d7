"""What is drawn on the board for players: the lines past which a loser is no longer skunked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist
from typing import Final

from cribpi.companion.kit import Kit, Place, Track
from cribpi.cribbage.rules.seats import DOUBLE_SKUNK_LINE, SKUNK_LINE
from cribpi.workshop.drawings.joints import Joint
from cribpi.workshop.drawings.shapes import GREY, INK, Box, Path, Pen, Point, Shape, Text

_PEN: Final = Pen(INK, 0.4)
_LONG: Final = 6.0
_TWIN: Final = 1.2  # between the two lines of a double skunk
_SIZE: Final = 2.0

LINES: Final = {SKUNK_LINE: ("skunk", (0.0,)), DOUBLE_SKUNK_LINE: ("double skunk", (-0.5, 0.5))}
"""The last score before each line: its name, and where its strokes lie, in distances between two strokes."""


def skunk_lines(kit: Kit, radius: float, taken: Sequence[Box], wires: Sequence[Joint]) -> Iterator[Shape]:
    """Yield the skunk lines of each track, whose holes have *radius*, with their names where these have room.

    Tracks that turn together share a line.  A name lies on nothing *taken* and on none of the *wires*.
    """
    drawn: list[Point] = []
    names: list[Box] = list(taken)
    for track in kit.tracks:
        for score, (name, shifts) in LINES.items():
            here, there, before = _around(track, score)
            middle = (here.x + there.x) / 2, (here.y + there.y) / 2
            if any(dist(middle, other) < 1 for other in drawn):
                continue
            drawn.append(middle)
            strokes = tuple(_strokes(here, there, before, shifts, radius))
            yield from strokes
            for text in _names(strokes[0], name):
                box = text.box()
                is_free = not any(box.meets(other) for other in names)
                if is_free and _is_within(box, kit) and not any(wire.meets(box) for wire in wires):
                    names.append(box)
                    yield text
                    break


def _is_within(box: Box, kit: Kit) -> bool:
    """Return whether *box* has paper of the board to its left and right."""
    return box.left > 1 and box.right < kit.front[0] - 1


def _around(track: Track, score: int) -> tuple[Place, Place, Place]:
    """Return the hole of *score* in a game to 121, the next one along the track, and the one before."""
    here = track.place(score)
    if here is None:
        raise ValueError(f"score {score} has no hole on this track")
    holes = {place.hole: place for place in track.holes}
    return here, holes[here.hole + 1], holes[here.hole - 1]


def _strokes(
    here: Place, there: Place, before: Place, shifts: tuple[float, ...], radius: float
) -> Iterator[Path]:
    """Yield the strokes: across the row between the two holes, or beyond its end where the track turns."""
    x, y = (here.x + there.x) / 2, (here.y + there.y) / 2
    way = _unit(here.at, there.at)
    into = _unit(before.at, here.at)
    turns = abs(into[0] * way[0] + into[1] * way[1]) < 0.5
    # A turn's wire and its arrow run in the middle; the line begins beside them.
    (ax, ay), start, end = (into, 1.6, 1.6 + _LONG) if turns else ((-way[1], way[0]), -radius - 1, radius + 1)
    for shift in shifts:
        sx, sy = x + way[0] * shift * _TWIN, y + way[1] * shift * _TWIN
        ends = tuple((round(sx + ax * by, 3), round(sy + ay * by, 3)) for by in (start, end))
        yield Path(ends, _PEN, role="skunk")


def _names(stroke: Path, name: str) -> Iterator[Text]:
    """Yield where the name may stand: beyond either end of *stroke*."""
    (x, y), (end_x, end_y) = stroke.points
    if abs(end_x - x) > abs(end_y - y):
        is_right = end_x > x
        yield Text(
            end_x + (1 if is_right else -1),
            y + 0.7,
            name,
            _SIZE,
            "start" if is_right else "end",
            colour=GREY,
            role="skunk",
        )
    else:
        for at in (min(y, end_y) - 1, max(y, end_y) + 2.4):
            yield Text(x, at, name, _SIZE, "middle", colour=GREY, role="skunk")


def _unit(start: Point, end: Point) -> Point:
    """Return the way from *start* to *end*, 1 long."""
    long = dist(start, end)
    return (end[0] - start[0]) / long, (end[1] - start[1]) / long
