"""The wood grain of the board on the page, as a seamless tile in which white is dark grain.

The command that makes it again:

python -m cribpi.workshop.drawings.wood cribpi/companion/web/page/wood.webp
"""

from __future__ import annotations

import sys
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from cribpi.companion.views.board.svg import GRAIN

SCALE: Final = 1.5
"""Pixels per millimetre."""

QUALITY: Final = 15
"""The quality setting of WebP, which gives a file of a few kilobytes."""

_RINGS: Final = 16  # number of tree rings across the tile
_LATE: Final = 0.78  # share of a ring in which it darkens slowly; the rest is an abrupt edge

Field = NDArray[np.float64]


def grain() -> Image.Image:
    """Return the grain: walnut, with its rings along the board."""
    width, height = GRAIN
    rows, columns = round(height * SCALE), round(width * SCALE)
    y, x = np.mgrid[0:rows, 0:columns] / [[[rows]], [[columns]]]
    bend = 26 * _noise(x, y, 3, 2, seed=1) + 7 * _noise(x, y, 8, 6, seed=2)
    ring = _RINGS * y + bend * 0.16
    phase = ring - np.floor(ring)
    band = np.where(phase < _LATE, phase / _LATE, (1 - phase) / (1 - _LATE))
    fibre = _noise(x, y + bend * 0.0015, 20, 468, seed=3) - 0.5
    fine = _noise(x, y, 58, 990, seed=4) - 0.5
    pores = np.maximum(_noise(x, y, 40, 612, seed=5) - 0.86, 0)
    light = 0.62 - 0.34 * band + 0.26 * fibre + 0.14 * fine - 1.3 * pores
    return Image.fromarray(np.round(np.clip(1 - light, 0, 1) * 255).astype(np.uint8))


def _noise(x: Field, y: Field, columns: int, rows: int, *, seed: int) -> Field:
    """Return smooth noise, 0 to 1, which repeats after one tile."""
    lattice = np.random.default_rng(seed).random((rows, columns))
    x, y = x * columns, y * rows
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    along, down = (part * part * (3 - 2 * part) for part in (x - left, y - top))
    one, other = (
        lattice[row % rows, left % columns] * (1 - along) + lattice[row % rows, (left + 1) % columns] * along
        for row in (top, top + 1)
    )
    noise: Field = one + (other - one) * down
    return noise


if __name__ == "__main__":
    grain().save(sys.argv[1], quality=QUALITY, method=6)
