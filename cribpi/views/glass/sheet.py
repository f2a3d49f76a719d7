"""A sheet: what a screen writes and draws, as plain items, before they become pixels.

A screen is composed first and painted after, so that a test can ask of any of them whether all is inside
the glass, whether two texts run into each other, and whether each score is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

from PIL import Image

from cribpi.entry.choice import Offer, Place, Scene, accepted
from cribpi.entry.choices import scene_at
from cribpi.entry.keys import card_of
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.texts import Text as ChoiceText
from cribpi.views.glass.canvas import CELL, MARGIN, WIDTH, Align, Canvas
from cribpi.views.glass.caps import cap
from cribpi.views.glass.font import BIG, MEDIUM, SMALL, Face
from cribpi.views.glass.texts import TROUBLE

Key: TypeAlias = str | tuple[str, str]
"""A key that says what it does, or one with a label of the screen's own: "", or what several keys do."""

Size: TypeAlias = Literal["small", "medium", "big"]

FACES: Final[dict[Size, Face]] = {"small": SMALL, "medium": MEDIUM, "big": BIG}

ROWS: Final = tuple(range(16, 64, 8))
"""The tops in px of the six rows of the small face under the scores; the last is the keys'."""

TITLE: Final = ROWS[0] + 1
"""The top of a title under the scores, in px; its bar leaves one dark row under them."""

MARK_LEFT: Final = 122
"""Where the mark of trouble begins, in px; it ends the row of the keys."""

KEYS_RIGHT: Final = MARK_LEFT - 2
"""Where the keys end in px, so that there is room for the mark."""


@dataclass(frozen=True, slots=True)
class Text:
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

    @property
    def height(self) -> int:
        """Its height in px."""
        return FACES[self.size].height


@dataclass(frozen=True, slots=True)
class Shape:
    """A line or an edge of a box to draw, or an area to fill or to invert, in px."""

    kind: Literal["edge", "fill", "invert"]
    x: int
    y: int
    width: int
    height: int


Item: TypeAlias = Text | Shape


class Sheet:
    """What a screen holds, in the order in which it is drawn; what is drawn last is seen."""

    def __init__(self, place: Place | None = None, pad: Pad = TWENTY) -> None:
        """Begin a sheet for what can be chosen at *place*; without one it names no key's effect."""
        self.place = place
        self.pad = pad if place is None else place.pad
        """The keys that the screen is for: each is written as it is called there, and left out where there is
        none."""
        self.items: list[Item] = []
        self.legend: list[tuple[str, str]] = []
        """Each key that the screen names, and what it says of it."""

    def small(self, x: int, y: int, text: str, *, align: Align = "left", inverse: bool = False) -> None:
        """Write *text* in the small face with its top at *y*."""
        self._write(x, y, text, "small", align, inverse=inverse)

    def medium(self, x: int, y: int, text: str, *, align: Align = "left") -> None:
        """Write *text* 15 px high with its top at *y*."""
        self._write(x, y, text, "medium", align)

    def big(self, x: int, y: int, text: str, *, align: Align = "left") -> None:
        """Write *text* 24 px high with its top at *y*."""
        self._write(x, y, text, "big", align)

    def row(self, row: int, text: str, *, x: int = MARGIN, align: Align = "left") -> None:
        """Write *text* small in *row*, 0 to 5, under the scores."""
        self.small(x, ROWS[row], text, align=align)

    def title(self, text: str, y: int = TITLE) -> None:
        """Write *text* dark on a lit bar right across, with its top at *y*; the bar is 9 px high."""
        self.small(WIDTH // 2, y, text, align="centre")
        self.plate(0, y - 1, WIDTH, 9)

    def edge(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the edge of a box, dark inside."""
        self.items.append(Shape("edge", x, y, width, height))

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light an area."""
        self.items.append(Shape("fill", x, y, width, height))

    def plate(self, x: int, y: int, width: int, height: int) -> None:
        """Turn light to dark and dark to light in an area that is drawn already."""
        self.items.append(Shape("invert", x, y, width, height))

    def offered(self, key: str) -> ChoiceText | None:
        """Return what *key* does here, or None where it would be refused."""
        offer = self._offers.get(key)
        return offer.text if self.place and offer and accepted(self.place, offer) else None

    @property
    def asks(self) -> str:
        """What is asked for here, in a sentence."""
        return self._scene.asks

    def likely(self) -> tuple[str, ...]:
        """Return the keys that are likely here, but for cards and amounts."""
        return tuple(
            offer.key for offer in self._scene.offers if offer.is_likely and card_of(offer.key) is None
        )

    @cached_property
    def _scene(self) -> Scene:
        return scene_at(self.place) if self.place else Scene("", ())

    @cached_property
    def _offers(self) -> dict[str, Offer]:
        return {offer.key: offer for offer in self._scene.offers}

    def keys(self, *keys: Key, y: int = ROWS[-1], gap: int = CELL) -> None:
        """Write keys as lit caps, each with what it does, *gap* px between them."""
        x = MARGIN + 1
        for key, label in self._labelled(keys, gap):
            if self.key(x, y, key, label):
                x += self.key_width(key, label) + gap

    def keys_apart(self, first: Key, last: Key) -> None:
        """Write two keys in the row of the keys, one at either end; one that is refused is left out."""
        labelled = self._labelled((first, last), CELL)
        for key, label in labelled[:1]:
            self.key(MARGIN + 1, ROWS[-1], key, label)
        for key, label in labelled[1:]:
            self.key(KEYS_RIGHT - self.key_width(key, label), ROWS[-1], key, label)

    def _labelled(self, keys: Sequence[Key], gap: int) -> list[tuple[str, str]]:
        """Return each key with its label: what it does here in short, where none is given.

        A key that would be refused is left out.  The names in labels are cut so that all fit in one row.
        """
        given = [(key, None) if isinstance(key, str) else key for key in keys]
        found = [(key, self.offered(key) if label is None else label) for key, label in given]
        shown = [(key, label) for key, label in found if label is not None]
        whole = [(key, label if isinstance(label, str) else label.short) for key, label in shown]
        over = sum(self.key_width(*pair) + gap for pair in whole) - gap - (KEYS_RIGHT - MARGIN - 1)
        if over <= 0:
            return whole
        cells = -(-over // CELL)
        return [
            (key, label if isinstance(label, str) else label.fit(len(label.short) - cells))
            for key, label in shown
        ]

    def cap(self, x: int, y: int, key: str) -> None:
        """Write the name of *key* alone as a lit cap."""
        self.key(x, y, key, "")

    def key(self, x: int, y: int, key: str, label: str) -> bool:
        """Write *key* as a lit cap with its top left corner at (*x*, *y*); tell whether there is one."""
        shown = cap(key, self.pad)
        if shown is None:
            return False
        self.legend.append((key, label))
        self.small(x, y, shown, inverse=True)
        if label:
            self.small(x + len(shown) * CELL + 3, y, label)
        return True

    def key_width(self, key: str, label: str) -> int:
        """Return how many px the cap of *key* takes with its *label*; none where there is no such key."""
        shown = cap(key, self.pad)
        return 0 if shown is None else key_width(shown, label)

    def mark(self) -> None:
        """Put the mark of trouble into the corner of the last row."""
        self.small(MARK_LEFT, ROWS[-1], TROUBLE, inverse=True)

    def texts(self) -> Sequence[Text]:
        """Return all texts of the sheet."""
        return [item for item in self.items if isinstance(item, Text)]

    def _write(self, x: int, y: int, text: str, size: Size, align: Align, *, inverse: bool = False) -> None:
        if not text:
            return
        if align != "left":
            width = FACES[size].width_of(text)
            x -= width if align == "right" else width // 2
        self.items.append(Text(x, y, text, size, inverse))


def key_width(shown: str, label: str) -> int:
    """Return how many px a cap that shows *shown* takes with its *label*."""
    return len(shown) * CELL + (3 + len(label) * CELL - 1 if label else 0)


def paint(sheet: Sheet) -> Image.Image:
    """Return the picture of *sheet*: mode "1", 128 x 64."""
    canvas = Canvas()
    for item in sheet.items:
        match item:
            case Text(x, y, text, "small"):
                canvas.text_at(x, y, text, inverse=item.inverse)
            case Text(x, y, text, "medium"):
                canvas.medium(x, y, text)
            case Text(x, y, text):
                canvas.big(x, y, text)
            case Shape("edge", x, y, width, height):
                canvas.box(x, y, width, height)
            case Shape("fill", x, y, width, height):
                canvas.bar(x, y, width, height, part=1, whole=1)
            case Shape(_, x, y, width, height):
                canvas.invert(x, y, width, height)
    return canvas.picture()
