"""The bitmap font: three faces, each read once from a page of drawings beside this module.

A glyph is kept as its columns of pixels, left to right, so that a word's picture is the glyphs' bytes one
after the other.  The pages `small.txt`, `medium.txt` and `big.txt` are the source: edit them to mend a glyph.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from cribpi.cribbage.rules.shown import AS_EMOJI, JOINER

UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"
"""The character whose glyph stands for every one that a face does not have."""

_NEAR: Final = dict(
    zip(
        "ØøÆæŒœĐđŁłŦŧĦħıÞþÐðßŊŋ"
        "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзиклмнопрстуфхцчшщъыьэюяІіЄєЈј"
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψω"
        "‘’“”«»–—−",  # noqa: RUF001  as above
        "OoAaOoDdLlTtHhiTtDdsNn"
        "ABVGDEZZIKLMNOPRSTUFHCCSS'Y'EUAabvgdezziklmnoprstufhccss'y'euaIiEeJj"
        "ABGDEZITIKLMNXOPRSTYFHPOabgdezitiklmnxoprsstyfhpo"
        '\'\'""""---',
        strict=True,
    )
)
"""Letters that are no other with a mark, each with the one that stands for it: one for one, so that cells
stay cells."""

PARTS_OF_EMOJI: Final = re.compile(f"{JOINER}.?|[{AS_EMOJI}\U0001f3fb-\U0001f3ff]")
"""What is joined to an emoji, or colours one."""

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
        """Return the columns of *character*, or of what comes nearest.

        A letter with an accent that the face does not have is drawn without it, one of another alphabet as
        the Latin one that stands for it, a small letter as its capital where there are only capitals, and
        anything else as a visible box.  An accent by itself, which belongs to the letter before it, is left
        out.
        """
        if unicodedata.combining(character):
            return b""
        plain = unicodedata.normalize("NFKD", character)
        plain = plain[0] if len(plain) == 1 or unicodedata.combining(plain[1]) else character
        plain = _NEAR.get(plain, plain)
        for candidate in (character, plain, plain.upper()):
            if candidate in self.glyphs:
                return self.glyphs[candidate]
        return self.glyphs[UNKNOWN]

    def columns(self, text: str) -> bytes:
        """Return the columns of *text*, cell after cell; none for an empty text.

        Emoji that are joined are one.
        """
        text = PARTS_OF_EMOJI.sub("", text)
        try:
            return b"".join([self.glyphs[character] for character in text])
        except KeyError:
            return b"".join([self.glyph(character) for character in text])

    def width_of(self, text: str) -> int:
        """Return how many px wide *text* is, without the gap behind its last glyph; 0 for an empty text.

        >>> SMALL.width_of("GO"), MEDIUM.width_of("31"), BIG.width_of("31")
        (11, 18, 31)
        """
        return max(0, len(self.columns(text)) * 8 // self.height - self.gap)


def parse_face(page: str, *, height: int, gap: int) -> Face:
    """Return the face that *page* draws; its own first lines say how.

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


def _load(name: str, *, height: int, gap: int) -> Face:
    return parse_face((files(__package__) / name).read_text("utf-8"), height=height, gap=gap)


SMALL: Final = _load("small.txt", height=8, gap=1)
"""Cells of 6 x 8 px: all of ASCII, the suits, pips, arrows and bars."""

MEDIUM: Final = _load("medium.txt", height=16, gap=2)
"""15 px high: digits and signs of one width, capitals, the suits."""

BIG: Final = _load("big.txt", height=24, gap=3)
"""24 px high, cells of 17: digits, + and -, and the court cards with the ace."""
