"""The canvas: draws text in three sizes, and boxes, on a one-bit picture of the screen.

Later items cover earlier ones. A text overwrites the whole cells of its characters, gaps included. Parts
beyond the edge of the screen are cut off without an error. Positions are in px from the top left corner,
except in `Canvas.text`.
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
"""The character whose glyph stands for every character that a face does not have."""

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
"""Replacements for letters that Unicode can't decompose into a letter and an accent.

One character replaces one, so that the number of cells stays the same."""

PARTS_OF_EMOJI: Final = re.compile(f"{JOINER}.?|[{AS_EMOJI}\U0001f3fb-\U0001f3ff]")
"""The characters that join emoji to one, with the emoji joined, and those that set a colour."""

_BITS: Final = str.maketrans("#.", "10")


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One size of the font.

    Attributes:
        height: Height of a cell in px, a multiple of 8.
        gap: Number of dark columns at the right of each glyph's cell.
        glyphs: The cell of each character: `height // 8` bytes per column, the highest bit of the first byte
            being the topmost pixel.
    """

    height: int
    gap: int
    glyphs: Mapping[str, bytes]

    def glyph(self, character: str) -> bytes:
        """Return the columns of *character*, or of the best replacement in this face.

        Replacements are the letter without its accent, the Latin letter for one of another alphabet, the
        capital if the face has only capitals, and finally a box. A combining accent has no columns.
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
        """Return the columns of *text*, cell after cell; b"" for an empty text.

        Of several emoji joined to one, only the first is drawn.
        """
        try:
            return b"".join([self.glyphs[character] for character in text])
        except KeyError:  # a character without a glyph: replace it, and drop the parts of emoji
            return b"".join([self.glyph(character) for character in PARTS_OF_EMOJI.sub("", text)])

    def width_of(self, text: str) -> int:
        """Return the width of *text* in px, without the gap after the last glyph; 0 for an empty text.

        >>> SMALL.width_of("GO"), MEDIUM.width_of("31"), BIG.width_of("31")
        (11, 18, 31)
        """
        return max(0, len(self.columns(text)) * 8 // self.height - self.gap)


def parse_face(page: str, *, height: int, gap: int) -> Face:
    """Return the face drawn in the text *page*, in a format that the first lines of each such file explain.

    Raises:
        ValueError: If a drawing does not have *height* rows of the same width.
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
"""Cells of 6 x 8 px: ASCII, suits, pips, arrows and bars."""

MEDIUM: Final = parse_face(_page("medium.txt"), height=16, gap=2)
"""15 px high: digits and signs, all of one width, capitals and suits."""

NARROW: Final = Face(16, 2, {**MEDIUM.glyphs, "1": MEDIUM.glyphs["narrow-1"]})
"""The medium face with a slim 1, for scores of three digits if there is little space."""

BIG: Final = parse_face(_page("big.txt"), height=24, gap=3)
"""24 px high, in cells 17 px wide: digits, + and -, and the letters A, J, Q and K."""


# --- the canvas ---------------------------------------------------------------------------------------

WIDTH: Final = 128
"""Width of the screen in px."""
HEIGHT: Final = 64
"""Height of the screen in px."""
COLUMNS: Final = 21
"""Number of cells of the small face in a row."""
ROWS: Final = 8
"""Number of rows of the small face."""
CELL: Final = 6
"""Width of a cell of the small face in px."""
MARGIN: Final = 1
"""Px to the left of the first cell: 21 cells of 6 px leave two of the 128 px, one on each side."""

Align: TypeAlias = Literal["left", "centre", "right"]
"""The meaning of a text's *x*: its left end, its middle, or the first px after it."""

Size: TypeAlias = Literal["small", "medium", "narrow", "big"]

FACES: Final[dict[Size, Face]] = {"small": SMALL, "medium": MEDIUM, "narrow": NARROW, "big": BIG}


class PlacedText(NamedTuple):
    """A text with its top left corner at (*x*, *y*), in px."""

    x: int
    y: int
    text: str
    size: Size = "small"
    inverse: bool = False

    @property
    def width(self) -> int:
        """The width in px, without the gap after the last glyph."""
        return FACES[self.size].width_of(self.text)


class Shape(NamedTuple):
    """A rectangle in px: a box to draw, or an area to fill or to invert."""

    kind: Literal["box", "fill", "invert"]
    x: int
    y: int
    width: int
    height: int


class Canvas:
    """A dark screen to draw on; later items cover earlier ones.

    Items are stored as plain data, and painted only by `picture`. So a test can check that all are inside the
    screen, that no two texts overlap, and that each score is there.
    """

    def __init__(self) -> None:
        self.items: list[PlacedText | Shape] = []

    def picture(self) -> Image.Image:
        """Return the picture of the items drawn so far: mode "1", 128 x 64."""
        glass = 0
        for item in self.items:
            mask, turned = _bits_of(item)
            glass = glass & mask ^ turned
        # The bits run down the columns, so they make a picture with rows and columns exchanged.
        lying = Image.frombytes("1", (HEIGHT, WIDTH), glass.to_bytes(WIDTH * HEIGHT // 8, "big"))
        return lying.transpose(Image.Transpose.TRANSPOSE)

    def texts(self) -> list[PlacedText]:
        return [item for item in self.items if isinstance(item, PlacedText)]

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
        """Write *text* with its top at *y*; *align* says what *x* means.

        An inverse text is dark on a light area, which begins one px above it and one px to its left. At `y=0`
        the upper edge of that area is cut off, so inverse titles have `y=1`.
        """
        if align != "left":
            width = FACES[size].width_of(text)
            x -= width if align == "right" else width // 2
        if text:
            self.items.append(PlacedText(x, y, text, size, inverse))

    def box(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the edge of a box, one px wide, with a dark inside; nothing if *width* or *height* is 0."""
        self.items.append(Shape("box", x, y, width, height))

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light a rectangle; nothing if *width* or *height* is 0."""
        self.items.append(Shape("fill", x, y, width, height))

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Turn light to dark and dark to light in a rectangle; the whole screen is `0, 0, 128, 64`."""
        self.items.append(Shape("invert", x, y, width, height))


_ALL: Final = (1 << WIDTH * HEIGHT) - 1


# Cached, because most items were already on the last screen: drawing them took a third of a picture's time.
@lru_cache(maxsize=512)
def _bits_of(item: PlacedText | Shape) -> tuple[int, int]:
    """Return two masks in the format of `_area`: the px that *item* keeps, and the px it then inverts."""
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
    """Return a rectangle as a mask, one bit per px, column by column; the last px is the lowest bit."""
    left, right = max(x, 0), min(x + width, WIDTH)
    top, bottom = max(y, 0), min(y + height, HEIGHT)
    if left >= right or top >= bottom:
        return 0
    column = ((1 << bottom - top) - 1 << HEIGHT - bottom).to_bytes(HEIGHT // 8, "big")
    return int.from_bytes(column * (right - left), "big") << HEIGHT * (WIDTH - right)


def fit(text: str, cells: int) -> str:
    """Return *text* if it fits in *cells* of the small face, otherwise its beginning and an ellipsis.

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
