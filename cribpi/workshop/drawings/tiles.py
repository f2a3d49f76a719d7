"""The template divided into overlapping sheets of paper, each with a name, joining marks and a scale bar."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.parts import texts
from cribpi.workshop.drawings.shapes import (
    A4,
    GREY,
    Box,
    Drawing,
    DrawnShape,
    Group,
    Paper,
    Pen,
    Rectangle,
    TextLine,
    cross,
    filled,
    line,
    numbered,
)
from cribpi.workshop.drawings.template import scale_bar, template_shapes

OVERLAP: Final = 10.0
"""Overlap of adjacent tiles in mm."""

_EDGE: Final = 12.0  # margin in mm: most printers need up to 5, and the crop marks the rest
_FOOT: Final = 30.0
_BLEED: Final = 3.0  # space around the board, so that its outline is printed in full
_MARK = Pen("#d22630", 0.2)
_JOIN = Pen("#d22630", 0.2, (3, 2))


@dataclass(frozen=True, slots=True)
class TemplateSheet:
    """A sheet of the template; *row* and *column* start at 0, *window* is the part of the board on it."""

    name: str
    row: int
    column: int
    window: Box


@dataclass(frozen=True, slots=True)
class Tiling:
    """The division of the board into sheets of *width* by *height* millimetres."""

    width: float
    height: float
    rows: int
    columns: int
    tiles: tuple[TemplateSheet, ...]


def tiling(kit: Kit, paper: Paper = A4) -> Tiling:
    """Return the tiles for *kit*, with *paper* in the orientation that needs fewer, landscape if equal."""
    portrait = paper.width, paper.height
    return min(
        (_tiling(kit, *size) for size in (paper.landscape, portrait)), key=lambda each: len(each.tiles)
    )


def _tiling(kit: Kit, width: float, height: float) -> Tiling:
    # The size of a tile's window, and the distance between windows.
    across, down = width - 2 * _EDGE, height - _EDGE - _FOOT
    step_across, step_down = across - OVERLAP, down - OVERLAP
    board_width, board_height = kit.front
    columns = max(math.ceil((board_width + 2 * _BLEED - OVERLAP) / step_across), 1)
    rows = max(math.ceil((board_height + 2 * _BLEED - OVERLAP) / step_down), 1)
    # The board is in the middle of the tiles.
    left = (board_width - (columns * step_across + OVERLAP)) / 2
    top = (board_height - (rows * step_down + OVERLAP)) / 2
    tiles = []
    for row, column in product(range(rows), range(columns)):
        x, y = round(left + column * step_across, 3), round(top + row * step_down, 3)
        window = Box(x, y, round(x + across, 3), round(y + down, 3))
        tiles.append(TemplateSheet(f"{chr(ord('A') + row)}{column + 1}", row, column, window))
    return Tiling(width, height, rows, columns, tuple(tiles))


def tile_sheets(kit: Kit, paper: Paper = A4) -> tuple[Drawing, ...]:
    """Return the template as sheets of *paper*, preceded by an overview if there are several."""
    plan = tiling(kit, paper)
    sheets = tuple(_tile_sheet(kit, plan, tile) for tile in plan.tiles)
    return sheets if len(sheets) == 1 else (_overview_sheet(kit, plan, paper), *sheets)


def _tile_sheet(kit: Kit, plan: Tiling, tile: TemplateSheet) -> Drawing:
    left, top, right, bottom = tile.window
    # Invisible shapes are left out, which saves a third of the file.  Strokes extend a little beyond boxes.
    board = (*template_shapes(kit), *_seams(plan, tile))
    visible = tuple(shape for shape in board if shape.box().grown(1).meets(tile.window))
    shapes = (
        Group(visible, _EDGE - left, _EDGE - top, clip=tile.window),
        *_crop_marks(right - left, bottom - top),
        *_foot(kit, plan, tile),
    )
    return Drawing(f"Template {tile.name} of the kit {kit.name}", plan.width, plan.height, shapes)


def _seams(plan: Tiling, tile: TemplateSheet) -> Iterator[DrawnShape]:
    """Draw the middle line of each overlap, which is the same line on both tiles."""
    left, top, right, bottom = tile.window
    half = OVERLAP / 2
    for x, has_neighbour in ((left + half, tile.column > 0), (right - half, tile.column < plan.columns - 1)):
        if has_neighbour:
            yield line(x, top, x, bottom, _JOIN, "seam")
            for y in (top + 12, (top + bottom) / 2, bottom - 12):
                yield cross(x, y, 4, _MARK)
    for y, has_neighbour in ((top + half, tile.row > 0), (bottom - half, tile.row < plan.rows - 1)):
        if has_neighbour:
            yield line(left, y, right, y, _JOIN, "seam")
            for x in (left + 12, (left + right) / 2, right - 12):
                yield cross(x, y, 4, _MARK)


def _crop_marks(width: float, height: float) -> Iterator[DrawnShape]:
    pen = Pen(width=0.2)
    for x, y in product((0.0, width), (0.0, height)):
        dx, dy = (-1 if x == 0 else 1), (-1 if y == 0 else 1)
        yield line(_EDGE + x + dx, _EDGE + y, _EDGE + x + 6 * dx, _EDGE + y, pen)
        yield line(_EDGE + x, _EDGE + y + dy, _EDGE + x, _EDGE + y + 6 * dy, pen)


def _foot(kit: Kit, plan: Tiling, tile: TemplateSheet) -> Iterator[DrawnShape]:
    y = plan.height - _FOOT + 9
    yield TextLine(_EDGE, y + 8, tile.name, 12, is_bold=True)
    yield from scale_bar(_EDGE + 24, y + 2)
    x = _EDGE + 84
    yield TextLine(x, y + 1, f"Template of the kit {kit.name}", 2.6, is_bold=True)
    neighbours = _neighbours(plan, tile)
    words = texts(kit, "tile", {"neighbours"} if neighbours else (), neighbours=neighbours)
    for n, text in enumerate((*words, *texts(kit, "dashes"))):
        yield TextLine(x, y + 4.6 + 3.3 * n, text, 2.4)
    if len(plan.tiles) > 1:
        yield from _map(plan, tile.name, plan.width - _EDGE, y - 4)


def _neighbours(plan: Tiling, tile: TemplateSheet) -> str:
    names = {(other.row - tile.row, other.column - tile.column): other.name for other in plan.tiles}
    sides = {(0, -1): "left", (0, 1): "right", (-1, 0): "above", (1, 0): "below"}
    return ", ".join(f"{names[side]} {where}" for side, where in sides.items() if side in names)


def _map(plan: Tiling, marked: str, right: float, y: float) -> Iterator[DrawnShape]:
    side = plan.width / plan.height
    across = min(26 / plan.columns, 16 / plan.rows * side)
    down = across / side
    for tile in plan.tiles:
        left = right - across * (plan.columns - tile.column)
        top = y + down * tile.row
        fill, ink = (GREY, "#ffffff") if tile.name == marked else ("#ffffff", GREY)
        middle = left + across / 2, top + down / 2 + 0.9
        yield Rectangle(left, top, across, down, Pen(GREY, 0.2), fill)
        yield TextLine(*middle, tile.name, 2.4, "middle", is_bold=True, colour=ink)


def _overview_sheet(kit: Kit, plan: Tiling, paper: Paper) -> Drawing:
    width, height = paper.landscape
    first, last = plan.tiles[0].window, plan.tiles[-1].window
    across, down = last.right - first.left, last.bottom - first.top
    scale = min((width - 2 * _EDGE) / across, 118 / down)
    shades: list[DrawnShape] = []
    frames: list[DrawnShape] = []
    for tile in plan.tiles:
        shades.append(filled(tile.window, None, "#fbeeee" if (tile.row + tile.column) % 2 else "#eef3fb"))
        frames.append(filled(tile.window, Pen("#d22630", 0.3 / scale)))
        foot = tile.window.middle[0], tile.window.bottom - 4 / scale
        frames.append(TextLine(*foot, tile.name, 9 / scale, "middle", is_bold=True, colour="#d22630"))
    shapes: list[DrawnShape | Group] = [
        TextLine(_EDGE, 19, f"How the sheets of the template fit together: {kit.name}", 6.2, is_bold=True),
        TextLine(_EDGE, 25, kit.title, 3.1, colour=GREY),
        Group(
            (*shades, *template_shapes(kit), *frames),
            _EDGE - first.left * scale,
            33 - first.top * scale,
            scale,
        ),
    ]
    y = 33 + down * scale + 10
    shapes += numbered(
        (_EDGE, y),
        texts(kit, "joining", overlap=OVERLAP),
        3,
        indent=6,
        width=width - 2 * _EDGE - 6,
        step=4.3,
        gap=0.8,
    )
    return Drawing(f"How the sheets fit together, kit {kit.name}", width, height, tuple(shapes))
