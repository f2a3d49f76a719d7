"""Brightness of lights and screen: as set, dimmed and at last dark after a while without a key."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from cribpi.companion.entry.context import Context

DIM_AFTER: Final = 60.0
"""Seconds without a key after which screen and lights are dimmed."""
DARK_AFTER: Final = 600.0
"""Default seconds without a key after which both go dark; any key wakes them, and that press counts."""
SHIFT_EVERY: Final = 60.0
"""Seconds after which the idle picture moves by a pixel, so that nothing burns in."""

BRIGHT: Final = 255
DIM: Final = 16
"""Contrasts of the screen, 0 to 255."""
DIM_LIGHT: Final = 0.25
"""Share of their light that dimmed LEDs keep; the eye sees it as a little over half."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The time since the last key: *since*, like every time passed in, is in seconds of one monotonic clock.

    >>> rest = Rest(since=100.0)
    >>> rest.is_dim(159.9), rest.is_dim(160.0), rest.is_dark(699.9), rest.is_dark(700.0)
    (False, True, False, True)
    """

    since: float
    dark_after: float = DARK_AFTER
    """Seconds until it is dark; infinite if it never is."""

    def is_dim(self, at: float) -> bool:
        """Return whether the table is dimmed or dark at the time *at*."""
        return at >= self.since + DIM_AFTER

    def is_dark(self, at: float) -> bool:
        return at >= self.since + self.dark_after

    def contrast(self, at: float, bright: int = BRIGHT) -> int:
        """Return the screen's contrast at the time *at*; *bright* is that of a screen that is not dimmed."""
        return min(DIM, bright) if self.is_dim(at) else bright

    def light(self, at: float) -> float:
        """Return the LEDs' share of their light at the time *at*."""
        return DIM_LIGHT if self.is_dim(at) else 1.0

    def shift(self, at: float) -> int:
        """Return the number of steps that the idle picture has moved by the time *at*."""
        return int((min(at, self.since + self.dark_after) - self.since) // SHIFT_EVERY)

    def changes(self, at: float, *, is_idle: bool) -> float | None:
        """Return the next time after *at* at which the table dims, goes dark or moves its picture, or None.

        If it *is_idle* its picture moves by a pixel now and then.

        >>> Rest(0.0).changes(0.0, is_idle=False), Rest(0.0).changes(60.0, is_idle=False)
        (60.0, 600.0)
        """
        times = [self.since + DIM_AFTER, self.since + self.dark_after]
        if is_idle and not self.is_dark(at):
            times += [self.since + (self.shift(at) + step) * SHIFT_EVERY for step in (1, 2)]
        return min((time for time in times if at < time < inf), default=None)


@dataclass(frozen=True, slots=True)
class Device:
    """The settings for lights and screen; the defaults hold if the settings can't be read."""

    dark_after: float = DARK_AFTER
    """Seconds without a key after which the table goes dark."""
    is_still: bool = True
    brightness: float = 1.0
    """Brightness of the lights, from 0 to 1, like *contrast*."""
    contrast: float = 1.0
    max_ma: int | None = None
    """Limit of the lights' current in mA; None for the kit's own limit."""
    rotate: int = 0

    @classmethod
    def set_by(cls, context: Context) -> Device:
        minutes = context.value("sleep")
        dark_after = inf if minutes == "never" else 60.0 * int(minutes)
        brightness, contrast = (int(context.value(name)) / 100 for name in ("brightness", "contrast"))
        max_ma, rotate = (int(context.value(name)) for name in ("max_ma", "rotate"))
        return cls(dark_after, context.value("still") == "on", brightness, contrast, max_ma or None, rotate)
