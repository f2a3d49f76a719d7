"""What the parts of the wiring diagram share: how a wire, a box and a joint are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from cribpi.drawings.circuit import Colour
from cribpi.drawings.shapes import Circle, Path, Pen, Point, Rectangle, Shape, Text, line

FIRST_ROW: Final = 44.0
"""The y of the header's first row of pins."""

PITCH: Final = 4.7
"""From one row of pins to the next."""

MIDDLE: Final = 118.0
"""The x of the header's middle."""

WIDTH: Final = 0.75
"""Of a wire."""

FAINT: Final = "#8b929b"
SOFT: Final = "#dfe3e8"
PAPER: Final = "#ffffff"


def row_y(row: float) -> float:
    """Return the y of the header's *row*; a half is between two rows."""
    return round(FIRST_ROW + PITCH * row, 3)


@dataclass(frozen=True, slots=True)
class End:
    """Where a wire ends, and from which side it arrives."""

    at: Point
    side: Literal["left", "right", "below"]


@dataclass(slots=True)
class Drawing:
    """A diagram in the making: the wires lie under boxes and letters."""

    wires: list[Shape] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    ends: dict[tuple[str, str], End] = field(default_factory=dict)
    """Where the wires from the header end, by device and terminal."""

    def wire(self, name: str, colour: Colour, *points: Point, is_plugged: bool = False) -> None:
        """Draw a wire, over those drawn before."""
        self.wires.append(Path(_shorter(points), Pen(PAPER, WIDTH + 0.9), bend=1.0))
        pen = Pen(colour.ink, 0.5, (1.4, 1.1)) if is_plugged else Pen(colour.ink, WIDTH)
        self.wires.append(Path(points, pen, bend=1.0, role="wire", name=name))

    def joint(self, colour: Colour, *points: Point) -> None:
        """Draw a dot where wires are joined."""
        self.shapes += [Circle(x, y, 0.95, None, colour.ink, role="joint") for x, y in points]

    def box(self, name: str, x: float, y: float, width: float, height: float, fill: str = "#f6f8fa") -> None:
        pen = Pen("#57606a", 0.35)
        self.shapes.append(Rectangle(x, y, width, height, pen, fill, 1.5, role="box", name=name))

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 2.3,
        anchor: Literal["start", "middle", "end"] = "start",
        *,
        is_bold: bool = False,
        colour: str = "#1f2328",
    ) -> None:
        self.shapes.append(Text(x, y, text, size, anchor, is_bold=is_bold, colour=colour))

    def add(self, *shapes: Shape) -> None:
        self.shapes += shapes

    def open(self, x: float, y: float) -> None:
        """Draw the sign of a pin that stays free."""
        pen = Pen("#57606a", 0.3)
        self.add(line(x - 0.8, y - 0.8, x + 0.8, y + 0.8, pen), line(x - 0.8, y + 0.8, x + 0.8, y - 0.8, pen))


def _shorter(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the way without its ends: its white edge must not cut into a joint."""
    (x, y), (next_x, next_y) = points[0], points[1]
    length = abs(next_x - x) + abs(next_y - y)
    by = min(1.3, length / 2.5) / length
    start = (x + (next_x - x) * by, y + (next_y - y) * by)
    if len(points) == 2:
        return start, (next_x - (next_x - x) * by, next_y - (next_y - y) * by)
    (x, y), (next_x, next_y) = points[-1], points[-2]
    length = abs(next_x - x) + abs(next_y - y)
    by = min(1.3, length / 2.5) / length
    return start, *points[1:-1], (x + (next_x - x) * by, y + (next_y - y) * by)
