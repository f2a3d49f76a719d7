"""The strip of LEDs: one small interface, and which of its two drivers serves this board."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, Protocol

from cribpi.devices.board import is_known_to_ws281x
from cribpi.devices.strip_spi import SpiPort, SpiStrip
from cribpi.devices.strip_ws281x import SPI_PIN, Ws281xStrip

Driver = Literal["auto", "rpi-ws281x", "spi"]

WS281X_BY_SPI = 339
"""How many LEDs rpi-ws281x drives by SPI at 12 bytes each, within spidev's ordinary buffer of 4,096."""


class Strip(Protocol):
    """LEDs in a row."""

    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255."""

    def close(self) -> None:
        """Let go of the line; the LEDs keep what they show."""


def chosen_driver(model: str, leds: int, pin: int, *, has_ws281x: bool) -> Literal["rpi-ws281x", "spi"]:
    """Return what `auto` means: rpi-ws281x where it can drive the strip, else our own encoder.

    Only rpi-ws281x knows pins other than GPIO10, so that those are its own in any case.

    >>> chosen_driver("Raspberry Pi 4 Model B Rev 1.4", 242, 10, has_ws281x=True)
    'rpi-ws281x'
    >>> chosen_driver("Raspberry Pi 5 Model B Rev 1.0", 242, 10, has_ws281x=True)
    'spi'
    >>> chosen_driver("Raspberry Pi 4 Model B Rev 1.4", 363, 10, has_ws281x=True)
    'spi'
    """
    if pin != SPI_PIN:
        return "rpi-ws281x"
    fits = has_ws281x and is_known_to_ws281x(model) and leds <= WS281X_BY_SPI
    return "rpi-ws281x" if fits else "spi"


def open_strip(leds: int, model: str, *, driver: Driver = "auto", pin: int = SPI_PIN) -> Strip:
    """Return the strip of *leds* LEDs on the GPIO *pin* of the Pi *model*.

    Raises:
        DeviceTrouble: If the driver cannot be had or cannot drive the strip.
    """
    if driver == "auto":
        driver = chosen_driver(model, leds, pin, has_ws281x=find_spec("rpi_ws281x") is not None)
    if driver == "rpi-ws281x":
        return Ws281xStrip(leds, pin)
    return SpiStrip(leds, SpiPort())
