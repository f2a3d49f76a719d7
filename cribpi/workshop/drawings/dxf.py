"""The plate as DXF for a laser cutter: release 12, which every such program reads, in millimetres.

A file is lines in pairs, a code and its value.  Its y goes upward, and 0, 0 is the lower left corner of the
plate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.cuts import cuts
from cribpi.workshop.drawings.shapes import Path, Point, Text
from cribpi.workshop.drawings.svg import number
from cribpi.workshop.drawings.template import template_shapes

Pair: TypeAlias = tuple[int, str]

LAYERS: Final = {"PLATE": 7, "LIGHTS": 5, "FIXING": 4, "WINDOW": 1, "KEYS": 6, "ENGRAVE": 3}
"""Each layer with its colour, a number of AutoCAD's."""

_ENGRAVED: Final = {"number", "skunk", "whose", "opening"}
"""The roles of the letters and lines of the template that are for players, not for whoever builds it."""


def as_dxf(kit: Kit) -> str:
    """Return the file's text; the same kit gives the same text."""
    pairs = (*_head(), *_entities(kit), (0, "EOF"))
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _head() -> Iterator[Pair]:
    yield from _section("HEADER", ((9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, "4")))
    layers: list[Pair] = [(0, "TABLE"), (2, "LAYER"), (70, str(len(LAYERS)))]
    for name, colour in LAYERS.items():
        layers += [(0, "LAYER"), (2, name), (70, "0"), (62, str(colour)), (6, "CONTINUOUS")]
    yield from _section("TABLES", (*layers, (0, "ENDTAB")))


def _entities(kit: Kit) -> Iterator[Pair]:
    width, height = kit.front
    found = [*_frame("PLATE", 0, 0, width, height)]
    for cut in cuts(kit):
        left, top, right, bottom = cut.box
        if cut.is_round:
            x, y = cut.middle
            radius = (right - left) / 2
            found += [(0, "CIRCLE"), (8, cut.layer), *_at(x, height - y), (40, number(radius))]
        else:
            found += _frame(cut.layer, left, height - bottom, right, height - top)
    for shape in template_shapes(kit):
        if isinstance(shape, Path) and shape.role in _ENGRAVED:
            found += _line([(x, height - y) for x, y in shape.points])
        elif isinstance(shape, Text) and shape.role in _ENGRAVED and not shape.text.startswith("screen "):
            found += _text(shape, height)
    yield from _section("ENTITIES", tuple(found))


def _section(name: str, pairs: tuple[Pair, ...]) -> Iterator[Pair]:
    yield 0, "SECTION"
    yield 2, name
    yield from pairs
    yield 0, "ENDSEC"


def _at(x: float, y: float, first: int = 10) -> tuple[Pair, Pair]:
    """Return a point: *first* is the code of its x, and the y's is 10 more."""
    return (first, number(x)), (first + 10, number(y))


def _frame(layer: str, left: float, bottom: float, right: float, top: float) -> Iterator[Pair]:
    """Yield a closed outline."""
    yield from ((0, "POLYLINE"), (8, layer), (66, "1"), (70, "1"))
    for x, y in ((left, bottom), (right, bottom), (right, top), (left, top)):
        yield from ((0, "VERTEX"), (8, layer), *_at(x, y))
    yield from ((0, "SEQEND"), (8, layer))


def _line(points: list[Point]) -> Iterator[Pair]:
    yield from ((0, "LINE"), (8, "ENGRAVE"), *_at(*points[0]), *_at(*points[-1], first=11))


def _text(text: Text, height: float) -> Iterator[Pair]:
    """Yield the letters: their corner and size, and where they are anchored, if not at their beginning."""
    anchor = {"start": "0", "middle": "1", "end": "2"}[text.anchor]
    place = _at(text.x, height - text.y)
    yield from ((0, "TEXT"), (8, "ENGRAVE"), *place, (40, number(text.size * 0.72)), (1, text.text))
    if anchor != "0":
        yield from ((72, anchor), *_at(text.x, height - text.y, first=11))
