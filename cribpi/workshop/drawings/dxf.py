"""DXF release 12 in millimetres, which all software for laser cutters reads.

A file consists of pairs of lines, a code and a value.  Its y goes upward, and 0, 0 is the lower left corner
of the drawing, which is *height* millimetres high.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from cribpi.workshop.drawings.shapes import Box, Point, TextLine
from cribpi.workshop.drawings.svg import number

GroupPair: TypeAlias = tuple[int, str]


def document(layers: Mapping[str, int], entities: Iterable[GroupPair]) -> str:
    """Return a DXF file with *layers*, by name and colour (AutoCAD's number), and *entities*."""
    table: list[GroupPair] = [(0, "TABLE"), (2, "LAYER"), (70, str(len(layers)))]
    for name, colour in layers.items():
        table += [(0, "LAYER"), (2, name), (70, "0"), (62, str(colour)), (6, "CONTINUOUS")]
    pairs = (
        *_section("HEADER", ((9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, "4"))),
        *_section("TABLES", (*table, (0, "ENDTAB"))),
        *_section("ENTITIES", entities),
        (0, "EOF"),
    )
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _section(name: str, pairs: Iterable[GroupPair]) -> Iterator[GroupPair]:
    yield 0, "SECTION"
    yield 2, name
    yield from pairs
    yield 0, "ENDSEC"


def _at(x: float, y: float, first: int = 10) -> tuple[GroupPair, GroupPair]:
    """Return the pairs of a point; *first* is the code of x, and the code of y is 10 more."""
    return (first, number(x)), (first + 10, number(y))


def outline(layer: str, points: Iterable[Point], height: float) -> Iterator[GroupPair]:
    yield from ((0, "POLYLINE"), (8, layer), (66, "1"), (70, "1"))
    for x, y in points:
        yield from ((0, "VERTEX"), (8, layer), *_at(x, height - y))
    yield from ((0, "SEQEND"), (8, layer))


def frame(layer: str, box: Box, height: float) -> Iterator[GroupPair]:
    left, top, right, bottom = box
    yield from outline(layer, ((left, bottom), (right, bottom), (right, top), (left, top)), height)


def circle(layer: str, box: Box, height: float) -> Iterator[GroupPair]:
    x, y = box.middle
    yield from ((0, "CIRCLE"), (8, layer), *_at(x, height - y), (40, number(box.size[0] / 2)))


def line(layer: str, start: Point, end: Point, height: float) -> Iterator[GroupPair]:
    (x, y), (to_x, to_y) = start, end
    yield from ((0, "LINE"), (8, layer), *_at(x, height - y), *_at(to_x, height - to_y, first=11))


def text(layer: str, text: TextLine, height: float) -> Iterator[GroupPair]:
    """Yield the pairs of a text: position, size, and the anchor if it is not the start."""
    anchor = {"start": "0", "middle": "1", "end": "2"}[text.anchor]
    place = _at(text.x, height - text.y)
    yield from ((0, "TEXT"), (8, layer), *place, (40, number(text.size * 0.72)), (1, text.text))
    if anchor != "0":
        yield from ((72, anchor), *_at(text.x, height - text.y, first=11))
