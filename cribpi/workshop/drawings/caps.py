"""Printable key caps with the names of the keys, all on one bed, upside down.

A cap fits the stem of a Cherry MX switch: a cross of 4.0 x 1.3 and 4.0 x 1.1 mm, 3.6 mm high (Cherry's data
sheet of the MX1A).  None has been printed yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.shapes import Box, Point
from cribpi.workshop.drawings.solid import Block, pillar

SIDE: Final = 18.2
"""Side of a cap in millimetres; the distance between keys is 19.05."""

WALL: Final = 1.6
TOP: Final = 2.0
DEEP: Final = 3.8
"""Depth of the inside in millimetres: a fully pressed cap still is 2 mm above the plate."""

STEM: Final = 5.6
"""Diameter in millimetres of the post around the cross; a thicker one would not fit into the switch."""

CROSS: Final = (4.15, 1.35)
"""Length and width in millimetres of each slot of the cross, with a tolerance for imprecise printing."""

CUT: Final = 0.6
"""Depth of the engraved name in millimetres."""

STROKE: Final = 0.8
"""Minimum width of an engraved line in millimetres: two passes of a 0.4 mm nozzle."""

_APART: Final = 20.0
_A_ROW: Final = 5
_WIDEST: Final = 16.0  # maximum width of a name in mm
_BRIDGE: Final = 0.2  # half the side of the bridge between squares that touch at a corner, in squares

_SIGNS: Final = {"UP": "^", "DOWN": "v", "LEFT": "<", "RIGHT": ">"}
"""Keys with an arrow instead of their name."""

_SHAPES: Final = {
    "A": ".##. #..# #..# #### #..# #..# #..#",
    "B": "###. #..# #..# ###. #..# #..# ###.",
    "D": "###. #..# #..# #..# #..# #..# ###.",
    "E": "#### #... #... ###. #... #... ####",
    "F": "#### #... #... ###. #... #... #...",
    "G": ".##. #..# #... #.## #..# #..# .##.",
    "J": "...# ...# ...# ...# ...# #..# .##.",
    "K": "#..# #..# #.#. ##.. #.#. #..# #..#",
    "L": "#... #... #... #... #... #... ####",
    "M": "#...# ##.## #.#.# #.#.# #...# #...# #...#",
    "N": "#..# ##.# ##.# #.## #.## #..# #..#",
    "O": ".##. #..# #..# #..# #..# #..# .##.",
    "P": "###. #..# #..# ###. #... #... #...",
    "Q": ".##. #..# #..# #..# #..# #.#. .#.#",
    "U": "#..# #..# #..# #..# #..# #..# .##.",
    "0": ".##. #..# #..# #..# #..# #..# .##.",
    "1": ".#. ##. .#. .#. .#. .#. ###",
    "2": ".##. #..# ...# ..#. .#.. #... ####",
    "3": "###. ...# ...# .##. ...# ...# ###.",
    "4": "#..# #..# #..# #### ...# ...# ...#",
    "5": "#### #... #... ###. ...# ...# ###.",
    "6": ".##. #... #... ###. #..# #..# .##.",
    "7": "#### ...# ..#. ..#. .#.. .#.. .#..",
    "8": ".##. #..# #..# .##. #..# #..# .##.",
    "9": ".##. #..# #..# .### ...# ...# .##.",
    "^": "..#.. .###. #.#.# ..#.. ..#.. ..#.. ..#..",
    "v": "..#.. ..#.. ..#.. ..#.. #.#.# .###. ..#..",
    "<": "....... ..#.... .#..... ####### .#..... ..#.... .......",
    ">": "....... ....#.. .....#. ####### .....#. ....#.. .......",
}
"""The letters as seven rows of squares; # is engraved."""


def caps(kit: Kit) -> tuple[Block, ...]:
    """Return a cap for each key in the plate of *kit*; empty without keys."""
    names = [opening.name for opening in kit.plate.openings[1:]] if kit.plate else []
    return tuple(
        chain.from_iterable(
            cap(name, (_APART * (number % _A_ROW), _APART * (number // _A_ROW)))
            for number, name in enumerate(names)
        )
    )


def cap(name: str, middle: Point) -> Iterator[Block]:
    """Yield the cap of the key *name*, upside down: its top is on z = 0, and the name is mirrored."""
    x, y = middle
    around = Box(x, y, x, y).grown(SIDE / 2)
    yield Block(around, 0, TOP + DEEP)
    yield Block(around.grown(-WALL), TOP, TOP + DEEP, is_full=False)
    yield from pillar(middle, STEM, TOP, TOP + DEEP)
    long, wide = (size / 2 for size in CROSS)
    for across, down in ((long, wide), (wide, long)):
        yield Block(Box(x - across, y - down, x + across, y + down), TOP, TOP + DEEP, is_full=False)
    for box in legend(name):
        moved = Box(x - box.right, y + box.top, x - box.left, y + box.bottom)
        yield Block(moved, 0, CUT, is_full=False)


def legend(name: str) -> Iterator[Box]:
    """Yield the engraved squares of *name*, centred on 0, 0 and not mirrored.

    Squares that would touch only at a corner are joined by a bridge.
    """
    rows = ["".join(row) for row in zip(*map(_columns, _SIGNS.get(name, name)), strict=True)]
    wide, high = len(rows[0]) - 1, len(rows)
    size = round(min(1.0, _WIDEST / wide), 2)
    left, top = -size * wide / 2, -size * high / 2
    for down, row in enumerate(rows):
        below = rows[down + 1] if down + 1 < high else "." * len(row)
        for across, is_cut in enumerate(square == "#" for square in row):
            x, y = left + size * across, top + size * down
            if is_cut:
                yield Box(x, y, x + size, y + size)
            four = row[across : across + 2] + below[across : across + 2]
            if four in {"#..#", ".##."}:
                yield Box(x + size, y + size, x + size, y + size).grown(size * _BRIDGE)


def _columns(sign: str) -> list[str]:
    """Return the rows of *sign*, each with one blank square added on the right."""
    return [f"{row}." for row in _SHAPES[sign].split()]
