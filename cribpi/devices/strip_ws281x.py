"""A WS2812 strip through the library rpi-ws281x, on the boards that it knows: Zero 2 W, 3 and 4."""

from __future__ import annotations

import atexit
import re
from importlib import import_module
from typing import Any

from cribpi.devices.trouble import DeviceTrouble

NAME = "strip"
SPI_PIN, PWM_PIN = 10, 18
_HERTZ = 800_000
_DMA = 10

_REMEDIES = {
    -3: "it does not know this board; set the strip's driver to spi",
    -5: "it may not reach the memory; run as root for pin 18, or use pin 10",
    -6: "it may not reach the registers; run as root for pin 18, or use pin 10",
    -7: "it may not use the pins; add this user to the group gpio",
    -9: "it may not reach the graphics chip's mailbox; run as root for pin 18, or use pin 10",
    -11: "it cannot use this pin; use 10 or 18",
    -13: "it cannot open SPI; enable it with raspi-config, and add this user to the group spi",
    -14: "the frame is longer than SPI takes; raise spidev.bufsiz, or set the strip's driver to spi",
}


def trouble(error: RuntimeError) -> DeviceTrouble:
    """Return what the library's *error* means, by the code in its text.

    >>> print(trouble(RuntimeError("ws2811_init failed with code -3 (Hardware revision is not supported)")))
    strip: rpi-ws281x: it does not know this board; set the strip's driver to spi (code -3)
    """
    found = re.search(r"code (-\d+)", str(error))
    code = int(found[1]) if found else 0
    if code not in _REMEDIES:
        return DeviceTrouble(f"{NAME}: rpi-ws281x: {error}; try the strip's driver spi")
    return DeviceTrouble(f"{NAME}: rpi-ws281x: {_REMEDIES[code]} (code {code})")


class Ws281xStrip:
    """The strip on GPIO10 by SPI, or on GPIO18 by PWM, which needs root.

    Args:
        leds: How many LEDs it has; by SPI up to 339 with spidev's ordinary buffer.
        pin: Its data line's GPIO number, 10 or 18.
        library: The module rpi_ws281x, or one like it; None imports it.

    Raises:
        DeviceTrouble: If the library is not installed, or cannot drive this board or this pin.
    """

    def __init__(self, leds: int, pin: int = SPI_PIN, library: Any = None) -> None:  # noqa: ANN401  no types
        if library is None:
            try:
                library = import_module("rpi_ws281x")
            except ImportError as error:
                raise DeviceTrouble(
                    f"{NAME}: {error}; install cribpi with its extra pi, or set the strip's driver to spi"
                ) from error
        self._leds = leds
        strip = library.PixelStrip(leds, pin, freq_hz=_HERTZ, dma=_DMA)
        try:
            strip.begin()
        except RuntimeError as error:
            # At exit the library would free what it never got, and crash the interpreter.
            atexit.unregister(strip._cleanup)  # noqa: SLF001  it has no other way
            raise trouble(error) from error
        self._strip = strip

    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255.

        Raises:
            ValueError: If *rgb* is not three bytes for each LED; the library would write past its memory.
            DeviceTrouble: If the library fails.
        """
        if len(rgb) != 3 * self._leds:
            raise ValueError(f"{NAME}: a frame is {3 * self._leds} bytes, three for each LED; not {len(rgb)}")
        for led in range(self._leds):
            self._strip.setPixelColor(led, int.from_bytes(rgb[3 * led : 3 * led + 3]))
        try:
            self._strip.show()
        except RuntimeError as error:
            raise trouble(error) from error

    def close(self) -> None:
        """Give the pin back; the LEDs keep what they show."""
        atexit.unregister(self._strip._cleanup)  # noqa: SLF001  it has no other way
        self._strip._cleanup()  # noqa: SLF001
