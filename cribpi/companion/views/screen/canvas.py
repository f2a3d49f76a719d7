"""The canvas: text in three sizes, lines and boxes on a one-bit picture as large as the glass.

What is drawn last is seen: a text replaces its whole cells, gaps included.  What is drawn past the edge of
the glass is cut off there and is no error.  All measures are in px from the top left corner, but for `text`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, TypeAlias

from PIL import Image, ImageChops, ImageDraw

from cribpi.companion.views.screen.font import SMALL, Face

WIDTH: Final = 128
"""Width of the glass in px."""
HEIGHT: Final = 64
"""Height of the glass in px."""
COLUMNS: Final = 21
"""Cells of the small face in a row."""
ROWS: Final = 8
"""Rows of the small face."""
CELL: Final = 6
"""Width of a cell of the small face in px."""
MARGIN: Final = 1
"""Px left of the first cell: 21 cells of 6 leave two of the 128 over, one for either side."""

Align: TypeAlias = Literal["left", "centre", "right"]
"""Whether an `x` is where a text begins, its middle, or the first px behind it."""

_INVERSE: Final = bytes(range(255, -1, -1))
_LIT: Final = 255
_DARK: Final = 0


class Canvas:
    """A dark glass to draw on, and the picture of what was drawn."""

    def __init__(self) -> None:
        self._picture = Image.new("1", (WIDTH, HEIGHT))
        self._draw = ImageDraw.Draw(self._picture)

    def picture(self) -> Image.Image:
        """Return a copy of what is drawn: mode "1", 128 x 64; later drawing does not change it."""
        return self._picture.copy()

    def text(self, column: int, row: int, text: str, *, inverse: bool = False) -> None:
        """Write *text* small from cell *column* (0 to 20) of *row* (0 to 7).

        An inverse text is dark on light; see `write`.
        """
        self.write(MARGIN + column * CELL, row * SMALL.height, text, inverse=inverse)

    def write(
        self, x: int, y: int, text: str, face: Face = SMALL, *, align: Align = "left", inverse: bool = False
    ) -> None:
        """Write *text* in *face* with its top at *y*.

        An inverse text is dark on light; the light begins one px above it and one to its left, so at `y=0` it
        loses its upper edge: put an inverse title at `y=1`.
        """
        left = left_of(x, text, face, align)
        if inverse and text:
            right = left + face.width_of(text) + face.gap
            self._picture.paste(_LIT, (left - 1, y - 1, right, y + face.height))
        self._picture.paste(_picture_of(text, face, inverse=inverse), (left, y))

    def line(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """Draw a line one px wide from (*x0*, *y0*) to (*x1*, *y1*), both ends included."""
        self._draw.line((x0, y0, x1, y1), fill=_LIT)

    def box(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the edge of a box, one px wide, and darken what is inside; nothing if it has no area."""
        self.fill(x, y, width, height)
        if width > 2 and height > 2:
            self._picture.paste(_DARK, (x + 1, y + 1, x + width - 1, y + height - 1))

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light a rectangle; nothing if it has no area."""
        if width > 0 and height > 0:
            self._picture.paste(_LIT, (x, y, x + width, y + height))

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Turn light to dark and dark to light in a rectangle; all of the glass is `0, 0, 128, 64`."""
        if width > 0 and height > 0:
            area = self._picture.crop((x, y, x + width, y + height))
            self._picture.paste(ImageChops.invert(area), (x, y))


# Nearly all that a screen writes stood on the one before: drawing it anew was a third of a picture's cost.
@lru_cache(maxsize=256)
def _picture_of(text: str, face: Face, *, inverse: bool) -> Image.Image:
    columns = face.columns(text)
    if inverse:
        columns = columns.translate(_INVERSE)
    # Lying on its side, a text is rows of whole bytes; the transposed picture stands up.
    lying = Image.frombytes("1", (face.height, len(columns) * 8 // face.height), columns)
    return lying.transpose(Image.Transpose.TRANSPOSE)


def fit(text: str, cells: int) -> str:
    """Return *text* if it fits in *cells* of the small face, else its beginning and an ellipsis.

    >>> fit("ORANGE", 6), fit("ORANGE to play", 9)
    ('ORANGE', 'ORANGE t…')
    """
    return fit_width(text, cells * CELL, SMALL)


def fit_width(text: str, width: int, face: Face) -> str:
    """Return *text* if it fits in *width* px of the *face*, small or medium, or its start and an ellipsis.

    >>> from cribpi.companion.views.screen.font import MEDIUM
    >>> fit_width("ALEXANDRA", 60, MEDIUM)
    'ALEXA…'
    """
    if face.width_of(text) <= width:
        return text
    for length in range(min(len(text) - 1, width), -1, -1):
        shorter = text[:length].rstrip() + "…"
        if face.width_of(shorter) <= width:
            return shorter
    return ""


def left_of(x: int, text: str, face: Face, align: Align) -> int:
    """Return where *text* begins that is written at *x*."""
    if align == "left":
        return x
    width = face.width_of(text)
    return x - width if align == "right" else x - width // 2
