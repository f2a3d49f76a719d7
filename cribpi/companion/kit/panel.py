"""[panel] of a kit.toml: a ready-made matrix of LEDs, instead of a strip that is cut and laid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from cribpi.companion.files.section import ABOVE_0, Section

Cell: TypeAlias = tuple[int, int]
"""A panel's column and row, from 0 at the upper left."""

Corner: TypeAlias = Literal["upper left", "upper right", "lower left", "lower right"]
Zigzag: TypeAlias = Literal["columns", "rows"]

_CORNERS: Final = ("upper left", "upper right", "lower left", "lower right")


@dataclass(frozen=True, slots=True)
class Panel:
    """A matrix of *columns* by *rows* LEDs, *pitch* millimetres apart, as it is seen from the front.

    Its upper left LED lies at *x*, *y* on the board.  LED 0 is in the corner *first*; from there the LEDs go
    to and fro, along the columns or along the rows.
    """

    columns: int
    rows: int
    pitch: float
    x: float
    y: float
    first: Corner
    zigzag: Zigzag

    @property
    def leds(self) -> int:
        return self.columns * self.rows

    def led(self, cell: Cell) -> int:
        """Return the LED in *cell*, counted from 0 along the panel's own wire.

        >>> panel = Panel(32, 8, 10, 25, 25, "upper left", "columns")
        >>> [panel.led(cell) for cell in ((0, 0), (0, 7), (1, 7), (1, 0), (2, 0))]
        [0, 7, 8, 15, 16]
        """
        column, row = cell
        across = column if self.first.endswith("left") else self.columns - 1 - column
        down = row if self.first.startswith("upper") else self.rows - 1 - row
        line, step, length = (
            (across, down, self.rows) if self.zigzag == "columns" else (down, across, self.columns)
        )
        return line * length + (length - 1 - step if line % 2 else step)

    def at(self, cell: Cell) -> tuple[float, float]:
        """Return where *cell* lies on the board, in millimetres."""
        return round(self.x + cell[0] * self.pitch, 2), round(self.y + cell[1] * self.pitch, 2)


def read_panel(section: Section, width: float, height: float, leds: int) -> Panel:
    """Return the panel on a board of *width* by *height*, which has all the *leds* of the strip.

    Raises:
        KitError: If it does not fit on the board, or has more or fewer LEDs.
    """
    columns, rows = section.integer("columns", 1, 256), section.integer("rows", 1, 256)
    pitch = section.number("pitch", ABOVE_0, 100, "give the millimetres between two LEDs, up to 100")
    x, y = section.point("from", width, height)
    panel = Panel(
        columns,
        rows,
        pitch,
        x,
        y,
        cast("Corner", section.choice("first", _CORNERS)),
        cast("Zigzag", section.choice("zigzag", ("columns", "rows"))),
    )
    if panel.leds != leds:
        raise section.refusal("rows", f"{columns} x {rows} LEDs are {panel.leds}; strip.leds says {leds}")
    right, bottom = panel.at((columns - 1, rows - 1))
    if right > width or bottom > height:
        where = f"its last LED would lie at [{right:g}, {bottom:g}], outside the board"
        raise section.refusal("from", f"{where}; move it, or make the board larger")
    section.finish()
    return panel
