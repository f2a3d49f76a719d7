"""The strip of LEDs: the choice of its driver."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from cribpi.companion.devices.strip_process import StripProcess
from cribpi.companion.devices.strip_spi import FOUR_BITS, NAME, Port, SpiPort, SpiStrip, code_for
from cribpi.companion.devices.strip_ws281x import SPI_PIN, Strip, spi_bytes
from cribpi.companion.devices.trouble import DeviceTrouble

Driver = Literal["rpi-ws281x", "spi"]

BUFFER: Final = 4096
"""The size of spidev's default buffer, and so of the longest SPI transfer, in bytes."""
_LARGER_BUFFER = 32_768
_BUFFER_FILE = Path("/sys/module/spidev/parameters/bufsiz")


def spi_buffer(path: Path = _BUFFER_FILE) -> int:
    """Return the size of spidev's buffer on this machine in bytes; the default if it can't be read."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return BUFFER


def chosen_driver(driver: Literal["auto"] | Driver, pin: int) -> Driver:
    """Return what the kit's *driver* means for a data line on the GPIO *pin*.

    `auto` is our own encoder on GPIO10, on every board.  Only rpi-ws281x supports other pins.

    >>> chosen_driver("auto", 10), chosen_driver("auto", 18), chosen_driver("rpi-ws281x", 10)
    ('spi', 'rpi-ws281x', 'rpi-ws281x')
    """
    if driver != "auto":
        return driver
    return "spi" if pin == SPI_PIN else "rpi-ws281x"


def frame_bytes(leds: int, driver: Driver) -> int:
    """Return how many bytes SPI's buffer should take for *leds* LEDs by *driver*.

    Our own encoder has a shorter code for a smaller buffer, which is not as good.

    >>> frame_bytes(363, "spi"), frame_bytes(363, "rpi-ws281x")
    (4596, 4376)
    """
    return spi_bytes(leds) if driver == "rpi-ws281x" else FOUR_BITS.frame_bytes(leds)


def open_strip(
    leds: int,
    *,
    driver: Literal["auto"] | Driver = "auto",
    pin: int = SPI_PIN,
    buffer: int | None = None,
    open_library: Callable[[int, int], Strip] = StripProcess,
    open_port: Callable[[int], Port] = SpiPort,
) -> Strip:
    """Return the strip of *leds* LEDs on the GPIO *pin*.

    Args:
        leds: The number of LEDs, 1 or more.
        driver: The kit's choice.
        pin: The GPIO of the data line, 10 or 18.
        buffer: The size of spidev's buffer in bytes; None reads it from the kernel.
        open_library: Returns a strip driven by rpi-ws281x, from the number of LEDs and the pin.
        open_port: Returns the port that our own encoder writes to, from its clock in hertz.

    Raises:
        DeviceTrouble: If the driver is missing or cannot drive the strip, or SPI can't take so many LEDs.
    """
    buffer = spi_buffer() if buffer is None else buffer
    if chosen_driver(driver, pin) == "spi":
        code = code_for(leds, buffer)
        _require(code.frame_bytes(leds), buffer, f"{leds} LEDs")
        return SpiStrip(leds, open_port(code.hertz), code)
    if pin == SPI_PIN:
        _require(spi_bytes(leds), buffer, f"{leds} LEDs by rpi-ws281x", ", or set the strip's driver to spi")
    return open_library(leds, pin)


def _require(needed: int, buffer: int, what: str, other: str = "") -> None:
    """Raise DeviceTrouble if *what* takes more bytes than SPI's *buffer* has; *other* is another way out."""
    if needed > buffer:
        raise DeviceTrouble(
            f"{NAME}: {what} take {needed} bytes, and SPI's buffer has {buffer}; "
            f"add spidev.bufsiz={_LARGER_BUFFER} to the line in /boot/firmware/cmdline.txt{other}"
        )
