"""A bitmap of the board: wood, engraving, and the glow of the LEDs.

Points are complex numbers x + y i, in millimetres.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cribpi.companion.kit import Kit
from cribpi.companion.views.board.layout import Layout, layout
from cribpi.companion.views.lights.frame import Frame, as_seen
from cribpi.companion.views.screen.canvas import MEDIUM, Canvas

SCALE: Final = 4
"""Pixels per millimetre."""

_WOOD: Final = (112, 72, 40)
_GRAIN: Final = (97, 61, 33)
_LANE: Final = (146, 101, 60)
_HOLE: Final = (48, 29, 15)
_DARK: Final = (62, 34, 17)
_INLAY: Final = (240, 220, 184)
_RADIUS: Final = 2.2  # radius of a hole, in millimetres
_RING: Final = 3.6  # radius of the ring around the game hole, in millimetres


def board_picture(kit: Kit, frame: Frame, target: int) -> Image.Image:
    """Return the board of *kit* with its LEDs lit as in *frame*, at `SCALE` pixels per millimetre.

    The hole of *target*, 61 or 121, is ringed as the game hole.  On a board with two laps, the
    end of a street bears both its numbers.
    """
    size = (round(kit.board.width * SCALE), round(kit.board.height * SCALE))
    wood = _wood(size)
    glow, lamps = Image.new("RGB", size), Image.new("RGB", size)
    light, lit = ImageDraw.Draw(glow), ImageDraw.Draw(lamps)
    parts = layout(kit, target)
    draw = ImageDraw.Draw(wood)
    _engrave(draw, parts)
    for place in chain.from_iterable(lane.holes for lane in (*parts.lanes, *parts.rows)):
        at = complex(place.x, place.y)
        colour = tuple(map(as_seen, frame[place.led]))
        draw.ellipse(_around(at, _RADIUS), fill=_HOLE)
        if any(colour):
            light.ellipse(_around(at, 3.4 * _RADIUS), fill=colour)
            lit.ellipse(_around(at, _RADIUS), fill=colour)
    if lamps.getbbox() is None:
        return wood  # no LED is lit, so there is no glow to add
    spill = glow.filter(ImageFilter.GaussianBlur(3 * SCALE)).point(lambda value: value // 2)
    halo = lamps.filter(ImageFilter.GaussianBlur(SCALE))
    return ImageChops.add(ImageChops.add(wood, spill), ImageChops.lighter(halo, lamps))


def _engrave(draw: ImageDraw.ImageDraw, parts: Layout) -> None:
    for lane in (*parts.lanes, *parts.rows):
        line = list(lane.points())
        draw.line(_scaled(line), _LANE, round(lane.bed * SCALE), joint="curve")
        for end in (line[0], line[-1]):
            draw.ellipse(_around(end, lane.bed / 2), fill=_LANE)
    for ends in parts.ticks():
        draw.line(_scaled(ends), _DARK, SCALE // 2)
    for ends in parts.skunk_lines():
        draw.line(_scaled(ends), _DARK, SCALE)
    for at in parts.game_holes():
        draw.ellipse(_around(at, _RING), outline=_INLAY, width=SCALE // 2)
    for lane in parts.lanes:
        draw.polygon(_scaled(lane.arrow), fill=_INLAY)
    for text, at, _ in parts.labels(_half_of, _RING):
        _write(draw, at, text)


def _half_of(text: str) -> complex:
    return complex(MEDIUM.width_of(text), MEDIUM.height) / SCALE / 2


def _write(draw: ImageDraw.ImageDraw, at: complex, text: str) -> None:
    canvas, width = Canvas(), MEDIUM.width_of(text)
    canvas.write(0, 0, text, "medium")
    left, top = round(at.real * SCALE - width / 2), round(at.imag * SCALE - MEDIUM.height / 2)
    draw.bitmap((left, top), canvas.picture().crop((0, 0, width, MEDIUM.height)), _INLAY)


def _scaled(line: Iterable[complex]) -> list[tuple[float, float]]:
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
