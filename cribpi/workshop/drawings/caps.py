"""The caps of the key switches, each with its key's name, to print: all of them on one bed, upside down.

What a cap fits is the stem of a Cherry MX switch: a cross of 4.0 x 1.3 and 4.0 x 1.1 mm, 3.6 mm high
(Cherry's data sheet of the MX1A).  None has been printed yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.shapes import Box, Point
from cribpi.workshop.drawings.solid import Block, pillar

SIDE: Final = 18.2
"""Of a cap; from one key to the next are 19.05 mm."""

WALL: Final = 1.6
TOP: Final = 2.0
DEEP: Final = 3.8
"""From under the top to the lower edge: pressed to its end, a cap stays 2 mm above the plate."""

STEM: Final = 5.6
"""Across the post around the cross: more would not go into the switch."""

CROSS: Final = (4.15, 1.35)
"""Length and width of each slot of the cross, with room for what a printer smears into it."""

CUT: Final = 0.6
"""How deep the name is cut into the top."""

STROKE: Final = 0.8
"""The least width of what is cut: two passes of a 0.4 mm nozzle."""

_APART: Final = 20.0
_A_ROW: Final = 5
_WIDEST: Final = 16.0  # of a name
_BRIDGE: Final = 0.2  # of a stroke's width, where two squares would only touch

_SIGNS: Final = {"UP": "^", "DOWN": "v", "LEFT": "<", "RIGHT": ">"}
"""The keys that have an arrow."""

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
"""Each sign as seven rows of squares."""


def caps(kit: Kit) -> tuple[Block, ...]:
    """Return a cap for each key in the plate of *kit*; nothing if no key is there."""
    names = [opening.name for opening in kit.plate.openings[1:]] if kit.plate else []
    return tuple(
        chain.from_iterable(
            cap(name, (_APART * (number % _A_ROW), _APART * (number // _A_ROW)))
            for number, name in enumerate(names)
        )
    )


def cap(name: str, middle: Point) -> Iterator[Block]:
    """Yield the cap of the key *name*, its top on z = 0 and its name mirrored, as it looks from below."""
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
    """Yield the squares of the letters of *name* around 0, 0, as one reads them.

    Two that would touch at a corner alone are joined.
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
    """Return the rows of *sign*, each with a gap behind it."""
    return [f"{row}." for row in _SHAPES[sign].split()]
