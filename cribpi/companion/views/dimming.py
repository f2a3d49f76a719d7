"""Dimming of lights and screen: after some time without a key both are dimmed, later they go dark."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from cribpi.companion.entry.input_context import InputContext

DIM_AFTER: Final = 60.0
"""Seconds without a key after which screen and lights are dimmed."""
DARK_AFTER: Final = 600.0
"""Default seconds without a key after which both go dark.  The press that wakes them also has its effect."""
SHIFT_EVERY: Final = 60.0
"""Seconds after which the idle picture moves by a pixel, which protects the OLED from burn-in."""

BRIGHT: Final = 255
DIM: Final = 16
"""Contrasts of the bright and of the dimmed screen, 0 to 255."""
DIM_LIGHT: Final = 0.25
"""Share of the light of dimmed LEDs.  A quarter of the light looks a little over half as bright."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The time without a key since *since*.  All times are seconds of one monotonic clock.

    >>> rest = Rest(since=100.0)
    >>> rest.is_dim(159.9), rest.is_dim(160.0), rest.is_dark(699.9), rest.is_dark(700.0)
    (False, True, False, True)
    """

    since: float
    dark_after: float = DARK_AFTER
    """Seconds without a key until lights and screen go dark; infinite for never."""

    def is_dim(self, at: float) -> bool:
        """Return whether lights and screen are dimmed or dark at the time *at*."""
        return at >= self.since + DIM_AFTER

    def is_dark(self, at: float) -> bool:
        return at >= self.since + self.dark_after

    def contrast(self, at: float, bright: int = BRIGHT) -> int:
        """Return the screen's contrast at the time *at*; *bright* is the contrast before dimming."""
        return min(DIM, bright) if self.is_dim(at) else bright

    def light(self, at: float) -> float:
        """Return the factor on the light of the LEDs at the time *at*: 1 before dimming."""
        return DIM_LIGHT if self.is_dim(at) else 1.0

    def shift(self, at: float) -> int:
        """Return the number of steps that the idle picture has moved by the time *at*."""
        return int((min(at, self.since + self.dark_after) - self.since) // SHIFT_EVERY)

    def changes(self, at: float, *, is_idle: bool) -> float | None:
        """Return the next time after *at* at which the display changes, or None.

        It is dimmed, goes dark or, only if *is_idle*, moves its picture by a pixel.

        >>> Rest(0.0).changes(0.0, is_idle=False), Rest(0.0).changes(60.0, is_idle=False)
        (60.0, 600.0)
        """
        times = [self.since + DIM_AFTER, self.since + self.dark_after]
        if is_idle and not self.is_dark(at):
            times += [self.since + (self.shift(at) + step) * SHIFT_EVERY for step in (1, 2)]
        return min((time for time in times if at < time < inf), default=None)


@dataclass(frozen=True, slots=True)
class Device:
    """The settings for lights and screen.  The defaults are used if the settings can't be read."""

    dark_after: float = DARK_AFTER
    """Seconds without a key after which lights and screen go dark."""
    is_still: bool = True
    brightness: float = 1.0
    """Brightness of the lights, from 0 to 1, like *contrast*."""
    contrast: float = 1.0
    max_ma: int | None = None
    """Limit of the strip's current in mA; None for the kit's limit."""
    rotate: int = 0

    @classmethod
    def set_by(cls, context: InputContext) -> Device:
        minutes = context.value("sleep")
        dark_after = inf if minutes == "never" else 60.0 * int(minutes)
        brightness, contrast = (int(context.value(name)) / 100 for name in ("brightness", "contrast"))
        max_ma, rotate = (int(context.value(name)) for name in ("max_ma", "rotate"))
        return cls(dark_after, context.value("still") == "on", brightness, contrast, max_ma or None, rotate)
