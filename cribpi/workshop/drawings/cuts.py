"""What is cut out of the plate, or of the board alone: the holes, the window and the keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.shapes import Box, Circle, Rectangle
from cribpi.workshop.drawings.template import template_shapes

Layer: TypeAlias = Literal["LIGHTS", "FIXING", "WINDOW", "KEYS"]

_LAYERS: Final[dict[str, Layer]] = {
    "hole": "LIGHTS",
    "fixing": "FIXING",
    "window": "WINDOW",
    "key": "KEYS",
}
"""The layer of each role that the template has."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An opening: its *layer*, its *box*, and whether it is the circle in that box or all of it."""

    layer: Layer
    box: Box
    is_round: bool

    @property
    def middle(self) -> tuple[float, float]:
        return (self.box.left + self.box.right) / 2, (self.box.top + self.box.bottom) / 2


def cuts(kit: Kit) -> Iterator[Cut]:
    """Yield every opening of the template of *kit*, in its coordinates."""
    for shape in template_shapes(kit):
        if isinstance(shape, (Circle, Rectangle)) and shape.role in _LAYERS:
            yield Cut(_LAYERS[shape.role], shape.box(), isinstance(shape, Circle))
