"""Whose each GPIO is: no pin has two uses, and the strip's bus keeps more than its data line."""

from __future__ import annotations

from typing import Final

from cribpi.storage.section import Section

LOWEST_GPIO: Final = 2  # 0 and 1 belong to the memory chip of a HAT
HIGHEST_GPIO: Final = 27

STRIP_PINS: Final[dict[int, dict[int, str]]] = {
    10: {10: "the strip's data line"} | dict.fromkeys((7, 8, 9, 11), "part of the strip's SPI bus"),
    18: {18: "the strip's data line"},
}
"""The GPIOs that a strip keeps for itself: on 10 by SPI, whose whole bus the kernel takes; on 18 by PWM."""


class Pins:
    """Which GPIO is already whose."""

    def __init__(self) -> None:
        self._taken: dict[int, str] = {}

    def claim(self, section: Section, key: str, gpio: int, owner: str, *, index: int | None = None) -> None:
        """Give *gpio* to *owner*; *key* of *section*, or its item *index*, asks for it.

        Raises:
            KitError: If it is somebody's already.
        """
        if gpio in self._taken:
            why = f"GPIO {gpio} is {self._taken[gpio]}; choose another pin"
            raise section.refusal(key, why, index=index)
        self._taken[gpio] = owner
