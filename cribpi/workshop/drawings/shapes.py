"""Shapes, text metrics and sheets of the drawings, in millimetres with y downward."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import dist
from typing import Final, Literal, NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]

INK = "#1f2328"
"""Default colour of lines and letters."""

GREY = "#57606a"
FAINT = "#8b929b"
RULE = "#d5dae0"


class Box(NamedTuple):
    """An axis-aligned rectangle, given by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether the boxes overlap; a shared edge is no overlap.

        >>> Box(0, 0, 2, 2).meets(Box(2, 0, 4, 2)), Box(0, 0, 2, 2).meets(Box(1, 1, 4, 2))
        (False, True)
        """
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    def grown(self, by: float) -> Box:
        """Return the box with each edge moved outward by *by*."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True)
class Pen:
    """The stroke of a line; *dashes* has the lengths of dashes and gaps in turn."""

    colour: str = INK
    width: float = 0.25
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A line through *points*, its corners rounded with radius *bend*.

    *role* and *name* identify the shape for tests and the SVG, and do not change the picture.
    """

    points: tuple[Point, ...]
    pen: Pen | None = Pen()
    fill: str | None = None
    is_closed: bool = False
    bend: float = 0.0
    role: str = ""
    name: str = ""

    def box(self) -> Box:
        xs, ys = zip(*self.points, strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around *x*, *y*."""

    x: float
    y: float
    radius: float
    pen: Pen | None = Pen()
    fill: str | None = None
    role: str = ""
    name: str = ""

    def box(self) -> Box:
        return Box(self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius)


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle from its upper left corner; *radius* rounds its corners."""

    x: float
    y: float
    width: float
    height: float
    pen: Pen | None = Pen()
    fill: str | None = None
    radius: float = 0.0
    role: str = ""
    name: str = ""

    def box(self) -> Box:
        return Box(self.x, self.y, self.x + self.width, self.y + self.height)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text; its *anchor* says which part of the baseline is at *x*, *y*: start, middle or end."""

    x: float
    y: float
    text: str
    size: float = 3.0
    anchor: Literal["start", "middle", "end"] = "start"
    is_bold: bool = False
    colour: str = INK
    role: str = ""
    name: str = ""

    def width(self) -> float:
        return text_width(self.text, self.size, is_bold=self.is_bold)

    def box(self) -> Box:
        left = {"start": 0.0, "middle": -self.width() / 2, "end": -self.width()}[self.anchor]
        up, down = CAP * self.size, DESCENT * self.size
        return Box(self.x + left, self.y - up, self.x + left + self.width(), self.y + down)


DrawnShape: TypeAlias = Path | Circle | Rectangle | TextLine


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes scaled by *scale*, then moved by *dx*, *dy*; *clip* is in the coordinates of the shapes."""

    shapes: tuple[DrawnShape, ...]
    dx: float = 0.0
    dy: float = 0.0
    scale: float = 1.0
    clip: Box | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing of *width* by *height*, whose upper left corner is *left*, *top*."""

    title: str
    width: float
    height: float
    shapes: tuple[DrawnShape | Group, ...]
    left: float = 0.0
    top: float = 0.0

    def box(self) -> Box:
        return Box(self.left, self.top, self.left + self.width, self.top + self.height)


def line(x: float, y: float, to_x: float, to_y: float, pen: Pen, role: str = "") -> Path:
    return Path(((x, y), (to_x, to_y)), pen, role=role)


def filled(box: Box, pen: Pen | None, fill: str | None = None, radius: float = 0.0) -> Rectangle:
    return Rectangle(box.left, box.top, *box.size, pen, fill, radius)


def numbered(
    at: Point, notes: Iterable[str], size: float, *, indent: float, width: float, step: float, gap: float
) -> Iterator[TextLine]:
    """Yield *notes* as a numbered list, wrapped to *width*; the baseline of the first starts at *at*."""
    x, y = at
    for number, note in enumerate(notes, start=1):
        yield TextLine(x, y, str(number), size, is_bold=True)
        for words in wrap(note, width, size):
            yield TextLine(x + indent, y, words, size)
            y += step
        y += gap


def unit(start: Point, end: Point) -> Point:
    """Return the unit vector from *start* to *end*."""
    long = dist(start, end)
    return (end[0] - start[0]) / long, (end[1] - start[1]) / long


def turned(middle: Point, way: Point, corners: Sequence[Point], digits: int = 3) -> tuple[Point, ...]:
    """Return *corners*, whose coordinates are along *way* and to its right, turned and moved to *middle*."""
    (x, y), (dx, dy) = middle, way
    return tuple((round(x + dx * a - dy * b, digits), round(y + dy * a + dx * b, digits)) for a, b in corners)


def cross(x: float, y: float, arm: float, pen: Pen) -> Path:
    """Return an upright cross with arms of length *arm*, as one path."""
    return Path(((x - arm, y), (x + arm, y), (x, y), (x, y - arm), (x, y + arm)), pen)


def toward(start: Point, end: Point, by: float, most: float) -> Point:
    """Return the point *by* mm from *start* towards *end*, but at most the share *most* of the way."""
    share = min(by / dist(start, end), most)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


# --- the width of texts ------------------------------------------------------------------------------


CAP: Final = 0.72
"""Height of capitals above the baseline, as a fraction of the size."""

DESCENT: Final = 0.21
"""Depth of a g below the baseline, as a fraction of the size."""

# Widths of Helvetica from space to tilde in thousandths of the size (Adobe's metrics of the PDF base fonts).
_PLAIN: Final = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_BOLD: Final = (
    *(278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611),
    *(975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556),
    *(333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611),
    *(611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584),
)
_OTHER: Final = 620  # estimate for accented letters, which occur only in the title of a kit
# Widths of DejaVu Sans: the widest common font, and the only one on a minimal Debian.
_WIDE: Final = (
    *(318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337),
    *(636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531),
    *(1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787),
    *(603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500),
    *(500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612),
    *(635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838),
)
_WIDE_BOLD: Final = (
    *(348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365),
    *(696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580),
    *(1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850),
    *(733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500),
    *(500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687),
    *(716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838),
)
_WIDE_OTHER: Final = 800


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the width of *text* in Helvetica of *size*, in the unit of *size*.

    >>> text_width("GPIO 10", 3)
    11.673
    """
    return round(_units(text, _BOLD if is_bold else _PLAIN, _OTHER) * size / 1000, 3)


def _units(text: str, widths: Sequence[int], other: int) -> int:
    return sum(widths[ord(sign) - 32] if " " <= sign <= "~" else other for sign in text)


def wide_size(text: TextLine) -> float:
    """Return the largest size at which *text* in DejaVu Sans is no wider than in Helvetica.

    >>> wide_size(TextLine(0, 0, "GPIO 10", 3))
    2.88
    """
    units = _units(text.text, _WIDE_BOLD if text.is_bold else _WIDE, _WIDE_OTHER)
    return min(text.size, int(100_000 * text.width() / max(units, 1)) / 100)


def wrap(text: str, width: float, size: float) -> tuple[str, ...]:
    """Break *text* at spaces into lines no wider than *width*; a wider word is alone on its line.

    >>> wrap("measure this bar before drilling", 30, 3)
    ('measure this bar', 'before drilling')
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


# --- the papers --------------------------------------------------------------------------------------


class Paper(NamedTuple):
    """A paper size in portrait, in millimetres."""

    name: str
    width: float
    height: float

    @property
    def landscape(self) -> tuple[float, float]:
        """Width and height in landscape."""
        return self.height, self.width


A4: Final = Paper("A4", 210.0, 297.0)
LETTER: Final = Paper("Letter", 215.9, 279.4)
