"""Which GPIO is used by what: none has two uses."""

from __future__ import annotations

from typing import Final

from cribpi.companion.files.section import Section

LOWEST_GPIO: Final = 2  # a HAT's memory chip has 0 and 1
HIGHEST_GPIO: Final = 27

STRIP_PINS: Final[dict[int, dict[int, str]]] = {
    # The kernel's SPI driver takes the whole bus: 7 and 8 select a chip, 9 is data in, 11 the clock.
    10: {10: "the strip's data line"} | dict.fromkeys((7, 8, 9, 11), "part of the strip's SPI bus"),
    18: {18: "the strip's data line"},
}
"""The GPIOs that a strip needs, by that of its data line: 10 is SPI, 18 is PWM."""


class Pins:
    def __init__(self) -> None:
        self._taken: dict[int, str] = {}

    def claim(self, section: Section, key: str, gpio: int, owner: str, *, index: int | None = None) -> None:
        """Give *gpio* to *owner*, for *key* of *section*, or for the item *index* of its list.

        Raises:
            KitError: If it has an owner.
        """
        if gpio in self._taken:
            why = f"GPIO {gpio} is {self._taken[gpio]}; choose another pin"
            raise section.refusal(key, why, index=index)
        self._taken[gpio] = owner
