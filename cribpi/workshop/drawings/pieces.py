"""The plate in pieces that fit on the bed of a printer, cut where there is no opening."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.cuts import Cut, cuts
from cribpi.workshop.drawings.shapes import Box

BED: Final = 200.0
"""The longest side of a piece: most printers have a bed of 210 mm and more."""

_ROOM: Final = 1.0  # from an opening to the edge of a piece
_STEP: Final = 0.5  # between two places that are tried


class Piece(NamedTuple):
    """A part of the plate: *name* is its row from A, and its place in the row from 1."""

    name: str
    box: Box
    cuts: tuple[Cut, ...]


def pieces(kit: Kit) -> tuple[Piece, ...]:
    """Return the pieces of the plate row by row: those of the board, then those below it."""
    width, height = kit.front
    found = list(cuts(kit))
    # Where the plate goes on below the board it is cut anyway.
    levels = sorted({0.0, kit.board.height, height})
    rows = [
        (top, bottom)
        for start, end in pairwise(levels)
        for top, bottom in pairwise(_places(start, end, [(cut.box.top, cut.box.bottom) for cut in found]))
    ]
    return tuple(
        Piece(f"{chr(ord('A') + row)}{column}", box, tuple(cut for cut in found if cut.box.meets(box)))
        for row, (top, bottom) in enumerate(rows)
        for column, box in enumerate(_columns(found, top, bottom, width), start=1)
    )


def _columns(found: Sequence[Cut], top: float, bottom: float, width: float) -> Iterator[Box]:
    """Yield the pieces of the row from *top* to *bottom*."""
    spans = [(cut.box.left, cut.box.right) for cut in found if top < cut.middle[1] < bottom]
    for left, right in pairwise(_places(0, width, spans)):
        yield Box(left, top, right, bottom)


def _places(start: float, end: float, spans: Sequence[tuple[float, float]]) -> list[float]:
    """Return *start*, where to cut, and *end*: as evenly as the *spans* that are not to be cut allow.

    A piece is longer than the bed only if there is no place for a cut.
    """
    tried = (start + step * _STEP for step in range(1, math.ceil((end - start) / _STEP)))
    free = [at for at in tried if not any(low - _ROOM < at < high + _ROOM for low, high in spans)]
    fewest = math.ceil((end - start) / BED)
    tries = (_even(start, end, free, count) for count in range(fewest, fewest + 4))
    return min(tries, key=lambda places: max(BED, *(b - a for a, b in pairwise(places))))


def _even(start: float, end: float, free: Sequence[float], count: int) -> list[float]:
    """Return *start*, *end*, and between them the free places that are nearest to *count* equal pieces."""
    places = [start]
    for number in range(1, count):
        wish = start + (end - start) * number / count
        near = [at for at in free if places[-1] < at <= places[-1] + BED]
        if near:
            places.append(min(near, key=lambda at: abs(at - wish)))
    return [*places, end]
