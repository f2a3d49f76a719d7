"""The board as a picture: the kit's own geometry as wood, and its LEDs as they glow."""

from __future__ import annotations

from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cribpi.core.board import START
from cribpi.kit import HOLES, Kit
from cribpi.views.frame import GAMMA, Frame

SCALE: Final = 4
"""Pixels a millimetre."""

_WOOD: Final = (120, 78, 44)
_GRAIN: Final = (104, 66, 36)
_HOLE: Final = (48, 29, 15)
_LINE: Final = (196, 160, 112)
_RADIUS: Final = 2.2  # of a hole, in millimetres


def board_picture(kit: Kit, frame: Frame) -> Image.Image:
    """Return the board of *kit* with its LEDs as *frame* tells them, at `SCALE` pixels a millimetre."""
    size = (round(kit.board.width * SCALE), round(kit.board.height * SCALE))
    wood = _wood(size)
    glow = Image.new("RGB", size)
    lamps, draw, light = Image.new("RGB", size), ImageDraw.Draw(wood), ImageDraw.Draw(glow)
    lit = ImageDraw.Draw(lamps)
    for track in kit.tracks:
        for place in track.holes:
            centre = (place.x * SCALE, place.y * SCALE)
            draw.ellipse(_around(centre, _RADIUS * SCALE), fill=_HOLE)
            colour = _seen(frame[place.led])
            if any(colour):
                light.ellipse(_around(centre, 3.4 * _RADIUS * SCALE), fill=colour)
                lit.ellipse(_around(centre, _RADIUS * SCALE), fill=colour)
            if place.hole in {START, HOLES}:
                draw.ellipse(_around(centre, 2 * _RADIUS * SCALE), outline=_LINE, width=SCALE // 2)
    spill = glow.filter(ImageFilter.GaussianBlur(3 * SCALE)).point(lambda value: value // 2)
    halo = lamps.filter(ImageFilter.GaussianBlur(SCALE))
    return ImageChops.add(ImageChops.add(wood, spill), ImageChops.lighter(halo, lamps))


def _seen(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return an LED's duty as the eye, and so a screen, takes it."""
    red, green, blue = (round(255 * (duty / 255) ** (1 / GAMMA)) for duty in colour)
    return red, green, blue


def _around(centre: tuple[float, float], radius: float) -> tuple[float, float, float, float]:
    x, y = centre
    return x - radius, y - radius, x + radius, y + radius


def _wood(size: tuple[int, int]) -> Image.Image:
    wood = Image.new("RGB", size, _WOOD)
    draw = ImageDraw.Draw(wood)
    width, height = size
    for row in range(0, height, 7):
        bend = (row * 37) % 23 - 11
        draw.line(
            [(0, row), (width // 3, row + bend // 3), (2 * width // 3, row - bend // 4), (width, row)], _GRAIN
        )
    return wood
