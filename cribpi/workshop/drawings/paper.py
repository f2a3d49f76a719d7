"""The papers that drawings are printed on: A4, and Letter, which printers in North America have."""

from __future__ import annotations

from typing import Final, NamedTuple


class Paper(NamedTuple):
    """A sheet that stands upright, in millimetres."""

    name: str
    width: float
    height: float

    @property
    def lying(self) -> tuple[float, float]:
        """Return its width and height on its side."""
        return self.height, self.width


A4: Final = Paper("A4", 210.0, 297.0)
LETTER: Final = Paper("Letter", 215.9, 279.4)
