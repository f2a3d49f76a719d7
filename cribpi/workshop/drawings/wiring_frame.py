"""What the parts of the wiring diagram share: each yields its shapes, its wires, and where others end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from cribpi.workshop.drawings.circuit import Colour
from cribpi.workshop.drawings.shapes import GREY, Circle, Path, Pen, Point, Rectangle, Shape, line, toward

MIDDLE: Final = 118.0  # the x of the header's middle
WIDTH: Final = 0.75  # of a wire
SOFT: Final = "#dfe3e8"
PAPER: Final = "#ffffff"


def row_y(row: float) -> float:
    """Return the y of the header's *row*; a half is between two rows."""
    return round(44.0 + 4.7 * row, 3)


@dataclass(frozen=True, slots=True)
class End:
    """Where the wire from the header to a *terminal* of a *device* ends, and from which side it arrives."""

    device: str
    terminal: str
    at: Point
    side: Literal["left", "right", "below"]


@dataclass(frozen=True, slots=True)
class Lead:
    """A wire as it is drawn: over those before it, and under boxes and letters."""

    name: str
    colour: Colour
    points: tuple[Point, ...]
    is_plugged: bool = False

    def paths(self) -> tuple[Path, Path]:
        """Return its white edge, by which a crossing is seen, and the wire itself."""
        pen = Pen(self.colour.ink, 0.5, (1.4, 1.1)) if self.is_plugged else Pen(self.colour.ink, WIDTH)
        # The white edge must not cut into a joint at either end.
        first = toward(self.points[0], self.points[1], 1.3, 0.4)
        last = toward(self.points[-1], self.points[-2], 1.3, 0.4)
        return (
            Path((first, *self.points[1:-1], last), Pen(PAPER, WIDTH + 0.9), bend=1.0),
            Path(self.points, pen, bend=1.0, role="wire", name=self.name),
        )


Parts: TypeAlias = Iterator[Shape | Lead | End]


def dot(colour: Colour, x: float, y: float) -> Circle:
    """Return the sign of wires that are joined."""
    return Circle(x, y, 0.95, None, colour.ink, role="joint")


def box(name: str, x: float, y: float, width: float, height: float, fill: str) -> Rectangle:
    return Rectangle(x, y, width, height, Pen(GREY, 0.35), fill, 1.5, role="box", name=name)


def open_pin(x: float, y: float) -> Iterator[Path]:
    """Draw the sign of a pin that stays free."""
    yield line(x - 0.8, y - 0.8, x + 0.8, y + 0.8, Pen(GREY, 0.3))
    yield line(x - 0.8, y + 0.8, x + 0.8, y - 0.8, Pen(GREY, 0.3))
