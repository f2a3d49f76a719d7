"""The strip of LEDs: one small interface, and the choice of its driver for this board."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from cribpi.devices.board import is_known_to_ws281x
from cribpi.devices.strip_process import StripProcess
from cribpi.devices.strip_spi import Port, SpiPort, SpiStrip
from cribpi.devices.strip_ws281x import NAME, SPI_PIN, UNKNOWN_BOARD, Strip, Ws281xTrouble, spi_bytes
from cribpi.devices.trouble import DeviceTrouble

Driver = Literal["auto", "rpi-ws281x", "spi"]

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


def chosen_driver(
    model: str, leds: int, pin: int, *, has_ws281x: bool, buffer: int = BUFFER
) -> Literal["rpi-ws281x", "spi"]:
    """Return what `auto` means: rpi-ws281x if it can drive the strip, else our own encoder.

    Only rpi-ws281x supports pins other than GPIO10.  By SPI it sends 12 bytes an LED, which must fit spidev's
    *buffer*.

    >>> chosen_driver("Raspberry Pi 4 Model B Rev 1.4", 242, 10, has_ws281x=True)
    'rpi-ws281x'
    >>> chosen_driver("Raspberry Pi 5 Model B Rev 1.0", 242, 10, has_ws281x=True)
    'spi'
    >>> chosen_driver("Raspberry Pi 4 Model B Rev 1.4", 363, 10, has_ws281x=True)
    'spi'
    """
    if pin != SPI_PIN:
        return "rpi-ws281x"
    fits = has_ws281x and is_known_to_ws281x(model) and spi_bytes(leds) <= buffer
    return "rpi-ws281x" if fits else "spi"


def open_strip(
    leds: int,
    model: str,
    *,
    driver: Driver = "auto",
    pin: int = SPI_PIN,
    buffer: int | None = None,
    open_library: Callable[[int, int], Strip] = StripProcess,
    open_port: Callable[[], Port] = SpiPort,
) -> Strip:
    """Return the strip of *leds* LEDs on the GPIO *pin* of the Pi *model*.

    If `auto` chose rpi-ws281x and it turns out not to support the board, say a newer revision of a known one,
    our own encoder takes over.

    Args:
        leds: The number of LEDs, 1 or more.
        model: The board's name according to its kernel.
        driver: The kit's choice.
        pin: The GPIO of the data line, 10 or 18.
        buffer: The size of spidev's buffer in bytes; None reads it from the kernel.
        open_library: Returns a strip driven by rpi-ws281x, from the number of LEDs and the pin.
        open_port: Returns the port that our own encoder writes to.

    Raises:
        DeviceTrouble: If the driver is missing or cannot drive the strip.
    """
    buffer = spi_buffer() if buffer is None else buffer
    has_ws281x = find_spec("rpi_ws281x") is not None
    chosen = driver
    if chosen == "auto":
        chosen = chosen_driver(model, leds, pin, has_ws281x=has_ws281x, buffer=buffer)
    if chosen == "spi":
        return SpiStrip(leds, open_port())
    if pin == SPI_PIN and spi_bytes(leds) > buffer:
        raise DeviceTrouble(
            f"{NAME}: {leds} LEDs take {spi_bytes(leds)} bytes by rpi-ws281x, and SPI's buffer has {buffer}; "
            f"add spidev.bufsiz={_LARGER_BUFFER} to the line in /boot/firmware/cmdline.txt, "
            f"or set the strip's driver to spi"
        )
    try:
        return open_library(leds, pin)
    except Ws281xTrouble as trouble:
        if driver != "auto" or pin != SPI_PIN or trouble.code != UNKNOWN_BOARD:
            raise
    return SpiStrip(leds, open_port())
