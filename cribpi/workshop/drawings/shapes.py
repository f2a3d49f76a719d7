"""The shapes that drawings are made of, and the sheet: in millimetres, y downward."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import Literal, NamedTuple, TypeAlias

from cribpi.workshop.drawings.letters import CAP, DESCENT, text_width

Point: TypeAlias = tuple[float, float]

INK = "#1f2328"
"""The colour of lines and letters, unless another is given."""

GREY = "#57606a"
FAINT = "#8b929b"
RULE = "#d5dae0"


class Box(NamedTuple):
    """An upright rectangle, by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether the two overlap by more than an edge.

        >>> Box(0, 0, 2, 2).meets(Box(2, 0, 4, 2)), Box(0, 0, 2, 2).meets(Box(1, 1, 4, 2))
        (False, True)
        """
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def grown(self, by: float) -> Box:
        """Return the box with each edge *by* further out."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True)
class Pen:
    """How a line is drawn; *dashes* are the lengths of dash and gap, in turn."""

    colour: str = INK
    width: float = 0.25
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A line through *points*, its corners rounded with radius *bend*, perhaps closed and filled.

    *role* and *name* say what the shape stands for, and do not change the picture.
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
class Text:
    """A line of text whose base line begins, is centred or ends at *x*, *y*."""

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


Shape: TypeAlias = Path | Circle | Rectangle | Text


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that are scaled by *scale*, moved by *dx*, *dy*, and cut off at *clip*.

    *clip* is in the coordinates of the shapes.
    """

    shapes: tuple[Shape, ...]
    dx: float = 0.0
    dy: float = 0.0
    scale: float = 1.0
    clip: Box | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing of *width* by *height*, whose upper left corner is *left*, *top*."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape | Group, ...]
    left: float = 0.0
    top: float = 0.0

    def box(self) -> Box:
        return Box(self.left, self.top, self.left + self.width, self.top + self.height)


def line(x: float, y: float, to_x: float, to_y: float, pen: Pen, role: str = "") -> Path:
    return Path(((x, y), (to_x, to_y)), pen, role=role)


def cross(x: float, y: float, arm: float, pen: Pen) -> Path:
    """Return an upright cross with arms of length *arm*, drawn in one go."""
    return Path(((x - arm, y), (x + arm, y), (x, y), (x, y - arm), (x, y + arm)), pen)


def toward(start: Point, end: Point, by: float, most: float) -> Point:
    """Return the point *by* millimetres from *start* on the way to *end*, or *most* of that way if less."""
    share = min(by / dist(start, end), most)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
