"""GPIOs that config.txt assigns to other hardware by overlays.

An overlay can claim a pin as a line, as that of a fan does: the kernel reports the line as used. Or it claims
the pin for a bus, as that of an I2S card does: the kernel does not report this, so keys on the pin would open
without an error but not work. Raspberry Pi's overlays/README has the overlays, their parameters and defaults.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

_I2S: Final = (18, 19, 20, 21)
_PINS: Final[Mapping[str, Mapping[str, int]]] = {
    "dht11": {"gpiopin": 4},
    "enc28j60": {"int_pin": 25},
    "gpio-fan": {"gpiopin": 12},
    "gpio-hog": {"gpio": 26},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-ir-tx": {"gpio_pin": 18},
    "gpio-key": {"gpio": 3},
    "gpio-led": {"gpio": 19},
    "gpio-poweroff": {"gpiopin": 26},
    "gpio-shutdown": {"gpio_pin": 3},
    "hd44780-lcd": {"pin_d4": 6, "pin_d5": 13, "pin_d6": 19, "pin_d7": 26, "pin_en": 21, "pin_rs": 20},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "max98357a": {"sdmode-pin": 4},
    "pps-gpio": {"gpiopin": 18},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
    "pwm-ir-tx": {"gpio_pin": 18},
    "rotary-encoder": {"pin_a": 4, "pin_b": 17},
    "spi1-1cs": {"cs0_pin": 18, "miso": 19, "mosi": 20, "sclk": 21},
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4, "extpullup": 5},
}
"""By overlay: the parameters that set a GPIO, and the default GPIOs.  Fixed pins of SPI are listed alike."""
_ALL: Final = {"dpi18": 22, "dpi24": 28}
"""Overlays that claim all GPIOs below a number."""
_CARDS: Final = re.compile(
    "(allo|audioinjector|audiosense|dionaudio|hifiberry|i2s|iqaudio|justboom|rpi-(cirrus|dac|proto))-?|"
    "dacberry400|fe-pi-audio|googlevoicehat|i-sabre|max98357a|merus-amp|pisound|wm8960"
)
"""A pattern for the beginning of the names of overlays for I2S cards."""


class _Overlay(NamedTuple):
    line: str
    """The line in config.txt that loads the overlay."""
    name: str
    numbers: dict[str, int]
    """The numeric parameters, also those set in later lines."""


def claims(lines: Iterable[str]) -> dict[int, str]:
    """Return the GPIOs that overlays in *lines* of config.txt claim, each with the line that claims it.

    >>> claims(["dtoverlay=gpio-fan,gpiopin=14", "dtoverlay=w1-gpio", "dtparam=gpiopin=5"])
    {14: 'dtoverlay=gpio-fan,gpiopin=14', 5: 'dtoverlay=w1-gpio'}
    """
    claimed: dict[int, str] = {}
    for line, name, numbers in _overlays(lines):
        pins = [numbers.get(parameter, usual) for parameter, usual in _PINS.get(name, {}).items()]
        claimed.update(dict.fromkeys((*range(_ALL.get(name, 0)), *pins), line))
        if _CARDS.match(name):
            claimed.update(dict.fromkeys(_I2S, line))
    return claimed


def _overlays(lines: Iterable[str]) -> list[_Overlay]:
    """Return the overlays loaded by *lines*; the board's own I2S bus counts as an overlay named i2s."""
    overlays: list[_Overlay] = []
    for line in lines:
        setting, _, value = (part.strip() for part in line.partition("="))
        words = [part.strip() for part in value.split(",")]
        if setting == "dtoverlay":
            overlays.append(_Overlay(line, words.pop(0), {}))
        elif setting != "dtparam":
            continue
        elif words[0] in {"i2s", "i2s=on", "i2s=true", "i2s=yes"}:
            overlays.append(_Overlay(line, "i2s", {}))
        for parameter, _, number in (word.partition("=") for word in words if overlays):
            if number.strip().isdecimal():
                overlays[-1].numbers[parameter.strip()] = int(number)
    return overlays
