"""How the settings want lights and screen: what they say in words, in the units that views reckon in."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from cribpi.companion.entry.desk import Desk
from cribpi.companion.views.rest import DARK_AFTER


@dataclass(frozen=True, slots=True)
class Device:
    """How the settings want lights and screen; plain, if they can't be read."""

    dark_after: float = DARK_AFTER
    """Seconds without a key after which the table goes dark."""
    is_still: bool = True
    brightness: float = 1.0
    """From 0 to 1, as the contrast."""
    contrast: float = 1.0
    max_ma: int | None = None
    """What the lights may draw, in milliamperes; None for what the kit allows."""
    rotate: int = 0

    @classmethod
    def set_by(cls, desk: Desk) -> Device:
        minutes = desk.value("sleep")
        dark_after = inf if minutes == "never" else 60.0 * int(minutes)
        brightness, contrast = (int(desk.value(name)) / 100 for name in ("brightness", "contrast"))
        max_ma, rotate = (int(desk.value(name)) for name in ("max_ma", "rotate"))
        return cls(dark_after, desk.value("still") == "on", brightness, contrast, max_ma or None, rotate)
