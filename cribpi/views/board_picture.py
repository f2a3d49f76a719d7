"""The board as a picture: the kit's own geometry as wood, what is engraved in it, and its LEDs as they glow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cribpi.core.board import DOUBLE_SKUNK_LINE, SKUNK_LINE, STREET
from cribpi.kit import Board, Kit
from cribpi.views.board_lanes import BED, bend, lane, way
from cribpi.views.canvas import Canvas
from cribpi.views.font import MEDIUM
from cribpi.views.frame import GAMMA, Frame

SCALE: Final = 4
"""Pixels a millimetre."""

_WOOD, _GRAIN, _LANE = (112, 72, 40), (97, 61, 33), (146, 101, 60)
_HOLE, _DARK, _INLAY = (48, 29, 15), (62, 34, 17), (240, 220, 184)
_RADIUS, _RING = 2.2, 3.6  # of a hole, and of the ring around the game hole; all in millimetres
_ASIDE: Final = 7.5  # from a hole to the middle of its number above or below, or to the tip of the arrow
_BESIDE: Final = 9.5  # the same to the left
_GROUP: Final = 5  # holes between two marks


def board_picture(kit: Kit, frame: Frame, target: int) -> Image.Image:
    """Return the board of *kit* with its LEDs as *frame* tells them, at `SCALE` pixels a millimetre.

    The hole of *target*, 61 or 121, is ringed as the game hole.
    """
    size = (round(kit.board.width * SCALE), round(kit.board.height * SCALE))
    wood, glow, lamps = _wood(size), Image.new("RGB", size), Image.new("RGB", size)
    draw, light, lit = ImageDraw.Draw(wood), ImageDraw.Draw(glow), ImageDraw.Draw(lamps)
    tracks = [{place.hole: complex(place.x, place.y) for place in track.holes} for track in kit.tracks]
    lines = [lane(holes, kit.board) for holes in tracks]
    for line in lines:
        draw.line(_scaled(line), _LANE, round(2 * BED * SCALE), joint="curve")
    covered = [at for line in lines for at in line]
    for holes in tracks:
        _engrave(draw, holes, target, kit.board, covered)
    for track in kit.tracks:
        for place in track.holes:
            at, colour = complex(place.x, place.y), _seen(frame[place.led])
            draw.ellipse(_around(at, _RADIUS), fill=_HOLE)
            if any(colour):
                light.ellipse(_around(at, 3.4 * _RADIUS), fill=colour)
                lit.ellipse(_around(at, _RADIUS), fill=colour)
    spill = glow.filter(ImageFilter.GaussianBlur(3 * SCALE)).point(lambda value: value // 2)
    halo = lamps.filter(ImageFilter.GaussianBlur(SCALE))
    return ImageChops.add(ImageChops.add(wood, spill), ImageChops.lighter(halo, lamps))


def _engrave(
    draw: ImageDraw.ImageDraw, holes: dict[int, complex], target: int, board: Board, covered: list[complex]
) -> None:
    """Engrave marks and numbers of one track: x + y i are places on the board, *covered* those of all lanes."""
    skunks = {SKUNK_LINE: (0.0,), DOUBLE_SKUNK_LINE: (-1.0, 1.0)} if target > SKUNK_LINE else {STREET: (0.0,)}
    for hole in range(_GROUP, target, _GROUP):
        turn = bend(holes, hole, board)
        onward = way(holes[hole], holes[hole + 1])
        between = (holes[hole] + holes[hole + 1]) / 2
        middle = turn[len(turn) // 2] if turn else between
        for shift in skunks.get(hole, () if hole % STREET == 0 else (0.0,)):
            across = [middle + onward * (shift + side * BED * 1j) for side in (-1, 1)]
            draw.line(_scaled(across), _DARK, SCALE if hole in skunks else SCALE // 2)
        if turn:
            _write(draw, between, str(hole))
            covered.append(between)
        elif hole % STREET == 0:
            _write_beside(draw, holes[hole], hole, covered)
    draw.ellipse(_around(holes[target], _RING), outline=_INLAY, width=SCALE // 2)
    _write_beside(draw, holes[target], target, covered)
    arrow = [holes[1] - way(holes[1], holes[2]) * (_ASIDE + back) for back in (0, 4.5 + 2.6j, 4.5 - 2.6j)]
    draw.polygon(_scaled(arrow), fill=_INLAY)


def _write_beside(draw: ImageDraw.ImageDraw, at: complex, hole: int, covered: list[complex]) -> None:
    """Write the number of *hole*, which lies at *at*, to its left, above or below; nowhere if nothing is free."""
    wide, high = MEDIUM.width_of(str(hole)) / SCALE / 2 + BED, MEDIUM.height / SCALE / 2 + BED
    for place in (at - _BESIDE, at - _ASIDE * 1j, at + _ASIDE * 1j):
        if all(
            abs(other.real - place.real) > wide or abs(other.imag - place.imag) > high for other in covered
        ):
            _write(draw, place, str(hole))
            covered.append(place)
            return


def _write(draw: ImageDraw.ImageDraw, at: complex, text: str) -> None:
    canvas, width = Canvas(), MEDIUM.width_of(text)
    canvas.medium(0, 0, text)
    left, top = round(at.real * SCALE - width / 2), round(at.imag * SCALE - MEDIUM.height / 2)
    draw.bitmap((left, top), canvas.picture().crop((0, 0, width, MEDIUM.height)), _INLAY)


def _seen(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return an LED's duty as the eye, and so a screen, takes it."""
    red, green, blue = (round(255 * (duty / 255) ** (1 / GAMMA)) for duty in colour)
    return red, green, blue


def _scaled(line: Sequence[complex]) -> list[tuple[float, float]]:
    return [(at.real * SCALE, at.imag * SCALE) for at in line]


def _around(at: complex, radius: float) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = _scaled([at - radius * (1 + 1j), at + radius * (1 + 1j)])
    return left, top, right, bottom


def _wood(size: tuple[int, int]) -> Image.Image:
    wood, (width, height) = Image.new("RGB", size, _WOOD), size
    draw = ImageDraw.Draw(wood)
    for row in range(0, height, 7):
        sway = (row * 37) % 23 - 11
        draw.line([(0, row), (width // 2, row + sway // 3), (width, row)], _GRAIN)
    return wood
