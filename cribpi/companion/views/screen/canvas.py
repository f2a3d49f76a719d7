"""The canvas: text in three sizes and boxes on a one-bit picture of the screen.

Later items cover earlier ones: a text replaces its whole cells, gaps included. Drawing past the edge of the
screen is cut off and is no error. All measures are in px from the top left corner, except those of `text`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias

from PIL import Image

from cribpi.cribbage.rules.shown import AS_EMOJI, JOINER, beginning

UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"
"""The character whose glyph replaces any that a face does not have."""

_NEAR: Final = str.maketrans(
    "ØøÆæŒœĐđŁłŦŧĦħıÞþÐðßŊŋ"
    "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзиклмнопрстуфхцчшщъыьэюяІіЄєЈј"
    "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψω"
    "‘’“”«»–—−",  # noqa: RUF001  these characters are meant
    "OoAaOoDdLlTtHhiTtDdsNn"
    "ABVGDEZZIKLMNOPRSTUFHCCSS'Y'EUAabvgdezziklmnoprstufhccss'y'euaIiEeJj"
    "ABGDEZITIKLMNXOPRSTYFHPOabgdezitiklmnxoprsstyfhpo"
    '\'\'""""---',
)
"""Letters that are not an accented form of another, each with its replacement: one for one, so that cells
stay cells."""

PARTS_OF_EMOJI: Final = re.compile(f"{JOINER}.?|[{AS_EMOJI}\U0001f3fb-\U0001f3ff]")
"""The parts that join emoji or colour one."""

_BITS: Final = str.maketrans("#.", "10")


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One size of the font.

    Attributes:
        height: Height of a cell in px, a multiple of 8.
        gap: Dark columns in px that end each glyph's cell and part it from the next.
        glyphs: By character, `height // 8` bytes for each column of its cell; the highest bit of the first
            byte is the topmost pixel.
    """

    height: int
    gap: int
    glyphs: Mapping[str, bytes]

    def glyph(self, character: str) -> bytes:
        """Return the columns of *character*, or of the nearest one in this face.

        The fallbacks are a letter without its accent, the Latin letter for one of another alphabet, a capital
        for a small letter in a face of capitals, and finally a visible box. A combining accent has no
        columns.
        """
        if unicodedata.combining(character):
            return b""
        plain = unicodedata.normalize("NFKD", character)
        plain = plain[0] if len(plain) == 1 or unicodedata.combining(plain[1]) else character
        plain = plain.translate(_NEAR)
        for candidate in (character, plain, plain.upper()):
            if candidate in self.glyphs:
                return self.glyphs[candidate]
        return self.glyphs[UNKNOWN]

    def columns(self, text: str) -> bytes:
        """Return the columns of *text*, cell after cell; empty for an empty text.

        Of a joined emoji only the first part is drawn.
        """
        try:
            return b"".join([self.glyphs[character] for character in text])
        except KeyError:  # No face has the parts of an emoji.
            return b"".join([self.glyph(character) for character in PARTS_OF_EMOJI.sub("", text)])

    def width_of(self, text: str) -> int:
        """Return the width of *text* in px, without the gap behind its last glyph; 0 for an empty text.

        >>> SMALL.width_of("GO"), MEDIUM.width_of("31"), BIG.width_of("31")
        (11, 18, 31)
        """
        return max(0, len(self.columns(text)) * 8 // self.height - self.gap)


def parse_face(page: str, *, height: int, gap: int) -> Face:
    """Return the face drawn in *page*, whose first lines explain the format.

    Raises:
        ValueError: If a drawing is not *height* rows high, or its rows are not equally wide.
    """
    glyphs: dict[str, bytes] = {}
    for block in page.split("\n\n"):
        names, *rows = [line for line in block.splitlines() if not line.startswith("--")] or [""]
        drawings = zip(*[row.translate(_BITS).split() for row in rows], strict=True)
        for name, drawing in zip(names.split(), drawings, strict=True):
            if len(drawing) != height:
                raise ValueError(f"glyph {name!r} has {len(drawing)} rows; draw it with {height}")
            columns = ["".join(column) for column in zip(*drawing, strict=True)]
            glyphs[" " if name == "space" else name] = b"".join(
                [int(column, 2).to_bytes(height // 8, "big") for column in columns],
            )
    return Face(height, gap, glyphs)


def _page(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


SMALL: Final = parse_face(_page("small.txt"), height=8, gap=1)
"""Cells of 6 x 8 px: all of ASCII, the suits, pips, arrows and bars."""

MEDIUM: Final = parse_face(_page("medium.txt"), height=16, gap=2)
"""15 px high: digits and signs of one width, capitals, the suits."""

NARROW: Final = Face(16, 2, {**MEDIUM.glyphs, "1": MEDIUM.glyphs["narrow-1"]})
"""The medium face with a slim 1: for scores of three digits next to those of two other sides."""

BIG: Final = parse_face(_page("big.txt"), height=24, gap=3)
"""24 px high, cells of 17: digits, + and -, and the court cards with the ace."""


# --- the canvas ---------------------------------------------------------------------------------------

WIDTH: Final = 128
"""Width of the screen in px."""
HEIGHT: Final = 64
"""Height of the screen in px."""
COLUMNS: Final = 21
"""Cells of the small face in a row."""
ROWS: Final = 8
"""Rows of the small face."""
CELL: Final = 6
"""Width of a cell of the small face in px."""
MARGIN: Final = 1
"""Px left of the first cell: 21 cells of 6 px leave two of the 128 px, one at either side."""

Align: TypeAlias = Literal["left", "centre", "right"]
"""Meaning of an `x`: the beginning of a text, its middle, or the first px behind it."""

Size: TypeAlias = Literal["small", "medium", "narrow", "big"]

FACES: Final[dict[Size, Face]] = {"small": SMALL, "medium": MEDIUM, "narrow": NARROW, "big": BIG}


class Text(NamedTuple):
    """A text with its top left corner at (*x*, *y*), in px."""

    x: int
    y: int
    text: str
    size: Size = "small"
    inverse: bool = False

    @property
    def width(self) -> int:
        """Its width in px, without the gap behind it."""
        return FACES[self.size].width_of(self.text)


class Shape(NamedTuple):
    """A box to draw, or an area to fill or to invert, in px."""

    kind: Literal["box", "fill", "invert"]
    x: int
    y: int
    width: int
    height: int


class Canvas:
    """A dark screen to draw on; later items cover earlier ones.

    Items are kept as plain data and painted by `picture`: so a test can check that all are inside the screen,
    that no two texts overlap, and that each score is there.
    """

    def __init__(self) -> None:
        self.items: list[Text | Shape] = []

    def picture(self) -> Image.Image:
        """Return the picture of the items drawn so far: mode "1", 128 x 64."""
        glass = 0
        for item in self.items:
            mask, turned = _bits_of(item)
            glass = glass & mask ^ turned
        # The bits are column by column: they make a picture on its side, which is transposed.
        lying = Image.frombytes("1", (HEIGHT, WIDTH), glass.to_bytes(WIDTH * HEIGHT // 8, "big"))
        return lying.transpose(Image.Transpose.TRANSPOSE)

    def texts(self) -> list[Text]:
        return [item for item in self.items if isinstance(item, Text)]

    def text(self, column: int, row: int, text: str, *, inverse: bool = False) -> None:
        """Write *text* in the small face from cell *column* (0 to 20) of *row* (0 to 7); see `write`."""
        self.write(MARGIN + column * CELL, row * SMALL.height, text, inverse=inverse)

    def write(
        self,
        x: int,
        y: int,
        text: str,
        size: Size = "small",
        *,
        align: Align = "left",
        inverse: bool = False,
    ) -> None:
        """Write *text* with its top at *y*.

        An inverse text is dark on light; the light begins one px above it and one to its left, so at `y=0` it
        loses its upper edge: put an inverse title at `y=1`.
        """
        if align != "left":
            width = FACES[size].width_of(text)
            x -= width if align == "right" else width // 2
        if text:
            self.items.append(Text(x, y, text, size, inverse))

    def box(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the edge of a box, one px wide, and darken its inside; without an area, draw nothing."""
        self.items.append(Shape("box", x, y, width, height))

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light a rectangle; without an area, draw nothing."""
        self.items.append(Shape("fill", x, y, width, height))

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Turn light to dark and dark to light in a rectangle; the whole screen is `0, 0, 128, 64`."""
        self.items.append(Shape("invert", x, y, width, height))


_ALL: Final = (1 << WIDTH * HEIGHT) - 1


# Most items of a screen were on the screen before: drawing them again took a third of a picture's time.
@lru_cache(maxsize=512)
def _bits_of(item: Text | Shape) -> tuple[int, int]:
    """Return two masks for *item*, as bits of `_area`: the px to keep, and the px to turn after that."""
    if isinstance(item, Shape):
        area = _area(item.x, item.y, item.width, item.height)
        if item.kind == "box":
            return _ALL ^ area, area ^ _area(item.x + 1, item.y + 1, item.width - 2, item.height - 2)
        return (_ALL ^ area if item.kind == "fill" else _ALL), area
    face = FACES[item.size]
    columns, of_column = face.columns(item.text), face.height // 8
    width = len(columns) // of_column
    drawn = bytearray(width * HEIGHT // 8)
    for row in range(of_column):
        drawn[row :: HEIGHT // 8] = columns[row::of_column]
    cells, shift = _area(item.x, item.y, width, face.height), HEIGHT * (WIDTH - width - item.x) - item.y
    bits = int.from_bytes(drawn, "big")
    lit = (bits << shift if shift > 0 else bits >> -shift) & cells
    if not item.inverse:
        return _ALL ^ cells, lit
    around = _area(item.x - 1, item.y - 1, item.width + face.gap + 1, face.height + 1)
    return _ALL ^ around, around ^ lit


def _area(x: int, y: int, width: int, height: int) -> int:
    """Return a rectangle as a mask of one bit per px: column by column, the last px in the lowest bit."""
    left, right = max(x, 0), min(x + width, WIDTH)
    top, bottom = max(y, 0), min(y + height, HEIGHT)
    if left >= right or top >= bottom:
        return 0
    column = ((1 << bottom - top) - 1 << HEIGHT - bottom).to_bytes(HEIGHT // 8, "big")
    return int.from_bytes(column * (right - left), "big") << HEIGHT * (WIDTH - right)


def fit(text: str, cells: int) -> str:
    """Return *text* if it fits in *cells* of the small face, else its beginning and an ellipsis.

    >>> fit("ORANGE", 6), fit("ORANGE to play", 9)
    ('ORANGE', 'ORANGE t…')
    """
    width = cells * CELL
    if SMALL.width_of(text) <= width:
        return text
    for length in range(min(len(text) - 1, width), -1, -1):
        shorter = beginning(text, length).rstrip() + "…"
        if SMALL.width_of(shorter) <= width:
            return shorter
    return ""
