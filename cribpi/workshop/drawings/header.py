"""The Pi's header of 40 pins: what each pin is, on every Pi that cribpi runs on."""

from __future__ import annotations

from typing import Final

_ODD: Final = (
    *("3V3", "GPIO 2", "GPIO 3", "GPIO 4", "GND", "GPIO 17", "GPIO 27", "GPIO 22", "3V3", "GPIO 10"),
    *("GPIO 9", "GPIO 11", "GND", "ID SD", "GPIO 5", "GPIO 6", "GPIO 13", "GPIO 19", "GPIO 26", "GND"),
)
_EVEN: Final = (
    *("5V", "5V", "GND", "GPIO 14", "GPIO 15", "GPIO 18", "GND", "GPIO 23", "GPIO 24", "GND"),
    *("GPIO 25", "GPIO 8", "GPIO 7", "ID SC", "GND", "GPIO 12", "GND", "GPIO 16", "GPIO 20", "GPIO 21"),
)

PINS: Final[dict[int, str]] = {
    **{2 * row + 1: name for row, name in enumerate(_ODD)},
    **{2 * row + 2: name for row, name in enumerate(_EVEN)},
}
"""What each pin is; 1 is next to the microSD card, the even ones are at the board's edge."""

V3, V5 = 1, 2
"""The pins that give the OLED its 3.3 V, and a strip the Pi's 5 V."""

GLASS_GROUND, STRIP_GROUND, KEYS_GROUND = 9, 6, 39
"""The ground pins of the OLED, of the strip, and of buttons."""


def pin_of(gpio: int) -> int:
    """Return the pin of a GPIO, 2 to 27.

    >>> pin_of(2), pin_of(10), pin_of(21)
    (3, 19, 40)

    Raises:
        ValueError: If the header has no such GPIO.
    """
    for pin, name in PINS.items():
        if name == f"GPIO {gpio}":
            return pin
    raise ValueError(f"GPIO {gpio} is not on the header; choose one of 2 to 27")


def is_left(pin: int) -> bool:
    """Return whether *pin* is in the left column, seen from above with the microSD card on top."""
    return pin % 2 == 1


def row_of(pin: int) -> int:
    """Return the row of *pin* from 0 at the top."""
    return (pin - 1) // 2
