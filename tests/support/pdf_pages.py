"""A PDF reader for the project's drawings: page sizes, and the positions of straight lines."""

from __future__ import annotations

import base64
import math
import re
import zlib
from collections.abc import Iterator

Matrix = tuple[float, float, float, float, float, float]
Line = tuple[tuple[float, float], tuple[float, float]]

MM = 72 / 25.4
"""Points per millimetre."""


def sizes(data: bytes) -> list[tuple[float, float]]:
    """Return each page's media box in millimetres, in order."""
    found = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", data)
    return [(float(width) / MM, float(height) / MM) for width, height in found]


def keywords(data: bytes) -> str:
    (found,) = re.findall(rb"/Keywords \(([^)]*)\)", data)
    return str(found.decode())


def contents(data: bytes) -> list[str]:
    """Return the drawing commands of each page."""
    streams = re.findall(rb"/ASCII85Decode /FlateDecode.*?stream\r?\n(.*?)endstream", data, re.DOTALL)
    return [
        zlib.decompress(base64.a85decode(b"<~" + stream.strip(), adobe=True)).decode("latin-1")
        for stream in streams
    ]


def lines(content: str) -> Iterator[Line]:
    """Yield the straight lines of a page, in millimetres from the lower left corner of the paper."""
    now: Matrix = (1, 0, 0, 1, 0, 0)
    kept: list[Matrix] = []
    numbers: list[float] = []
    at = (0.0, 0.0)
    for word in re.sub(r"\((?:\\.|[^)\\])*\)", "", content).split():
        if re.fullmatch(r"-?\d*\.?\d+", word):
            numbers.append(float(word))
            continue
        if word == "q":
            kept.append(now)
        elif word == "Q":
            now = kept.pop()
        elif word == "cm":
            now = _times(numbers[-6:], now)
        elif word == "m":
            at = _placed(numbers[-2:], now)
        elif word == "l":
            end = _placed(numbers[-2:], now)
            yield at, end
            at = end
        numbers = []


def length(line: Line) -> float:
    return math.dist(*line)


def _times(first: list[float], then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _placed(point: list[float], now: Matrix) -> tuple[float, float]:
    x, y = point
    a, b, c, d, e, f = now
    return ((a * x + c * y + e) / MM, (b * x + d * y + f) / MM)
