"""The perceived distance between two lights, for each kind of colour vision.

Linear light is converted to what a person without one kind of cones sees, by the matrices of Machado,
Oliveira and Fernandes (2009, severity 1), and then to CIELAB (1976). There, a distance of 2.3 is just
noticeable. The LEDs' primaries are assumed to be those of sRGB, because no data sheet has their spectra.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

Vector = Sequence[float]

EYES: Final[dict[str, tuple[Vector, Vector, Vector]]] = {
    "all three cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrix from linear red, green and blue to the perceived light, by kind of vision."""

_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""Matrix from linear sRGB to CIE XYZ."""


def _times(matrix: Sequence[Vector], vector: Vector) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(wire: Vector, eye: str, white: float) -> tuple[float, float, float]:
    """Return the CIELAB colour of an LED as *eye* sees it.

    *wire* is the value sent, and *white* that of full white.
    """
    seen = [min(max(value, 0.0), 1.0) for value in _times(EYES[eye], [value / white for value in wire])]
    x, y, z = (
        _lightness(value / full)
        for value, full in zip(_times(_XYZ, seen), _times(_XYZ, (1, 1, 1)), strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lightness(part: float) -> float:
    return float(part ** (1 / 3)) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def distance(one: Vector, other: Vector, eye: str, white: float) -> float:
    """Return the perceived distance of two values sent to LEDs, for *eye*."""
    return math.dist(lab(one, eye, white), lab(other, eye, white))
