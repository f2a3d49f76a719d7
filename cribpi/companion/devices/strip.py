"""The LED strip: the choice of its driver, and our own driver, which writes each frame to an SPI port."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Final, Literal, Protocol

from cribpi.companion.devices.strip_process import StripProcess
from cribpi.companion.devices.strip_ws281x import SPI_PIN, StripDriver, check_frame, spi_bytes
from cribpi.companion.devices.supervisor import DeviceTrouble, sentence

NAME = "strip"
REST_US: Final = 300
"""Microseconds of low before and after the colours.

The low after the colours makes the LEDs show them; it must last for 280. The low before them is needed
because on a Compute Module 4 and a Pi 5 the line is high between two transfers, which the LEDs may take for a
bit.
"""
_LED_BITS: Final = 24

# SPI_IOC_WR_* of <linux/spi/spidev.h>: _IOW('k', number, size).
_SET_MODE = 0x40016B01
_SET_BITS = 0x40016B03
_SET_HERTZ = 0x40046B04


class BitEncoding:
    """The SPI bits that encode a bit of the strip, which lasts 1.25 microseconds.

    Args:
        zero: The SPI bits of a 0.
        one: The SPI bits of a 1, the same number.

    Attributes:
        hertz: The SPI clock at which they last as long as a bit of the strip.
        rest: The SPI bytes of low before the colours of a frame, and again after them.
    """

    def __init__(self, zero: str, one: str) -> None:
        self._size = len(one)
        self.hertz = 800_000 * self._size
        self.rest = bytes(self.hertz * REST_US // 8_000_000)
        bits = {ord("0"): zero, ord("1"): one}
        whole = [int(f"{byte:08b}".translate(bits), 2).to_bytes(self._size) for byte in range(256)]
        # The first, second ... SPI byte of each colour byte, as tables for `bytes.translate`.
        self._tables = [bytes(pattern[place] for pattern in whole) for place in range(self._size)]

    def frame_bytes(self, leds: int) -> int:
        """Return the number of SPI bytes in a frame of *leds* LEDs.

        >>> FOUR_BITS.frame_bytes(242), FOUR_BITS.frame_bytes(321), THREE_BITS.frame_bytes(363)
        (3144, 4092, 3447)
        """
        return leds * _LED_BITS * self._size // 8 + 2 * len(self.rest)

    def encode(self, rgb: bytes) -> bytes:
        """Return the SPI bytes that show *rgb*: red, green and blue of each LED, 0 to 255.

        The strip expects green first.  The twin's `decode` is the inverse.

        >>> FOUR_BITS.encode(bytes((0, 255, 0))).strip(bytes(1)).hex(" ", 4)
        'eeeeeeee 88888888 88888888'

        Raises:
            ValueError: If *rgb* is not three bytes for each LED.
        """
        if len(rgb) % 3:
            raise ValueError(f"{NAME}: a frame has three bytes for each LED; this one has {len(rgb)} bytes")
        grb = bytearray(len(rgb))
        grb[0::3] = rgb[1::3]
        grb[1::3] = rgb[0::3]
        grb[2::3] = rgb[2::3]
        signal = bytearray(self._size * len(grb))
        for place, table in enumerate(self._tables):
            signal[place :: self._size] = grb.translate(table)
        return self.rest + bytes(signal) + self.rest


FOUR_BITS: Final = BitEncoding("1000", "1110")
"""At 3.2 MHz a 0 is high for 312 ns and a 1 for 937: within the limits of WS2812B-V5 and the WS2812B of 2013.

The Pi's driver may pause for a clock between two bytes.  Every code ends low, so that only makes a low
longer.
"""
THREE_BITS: Final = BitEncoding("100", "110")
"""A shorter encoding, for a strip that would not fit in the SPI buffer otherwise; less reliable.

A 0 is high for 417 ns, longer than a WS2812B-V5 is guaranteed to accept.  A pause between two bytes cuts a 1
in two in each colour with bit 2 set.
"""


def encoding_for(leds: int, buffer: int) -> BitEncoding:
    """Return `FOUR_BITS` if a frame of *leds* LEDs fits in *buffer* bytes with it, else `THREE_BITS`.

    >>> encoding_for(321, 4096) is FOUR_BITS, encoding_for(322, 4096) is THREE_BITS
    (True, True)
    """
    return FOUR_BITS if FOUR_BITS.frame_bytes(leds) <= buffer else THREE_BITS


class Port(Protocol):
    """A port for SPI bytes: the Pi's own, or the twin's wire."""

    def write(self, data: bytes) -> int:
        """Send *data* and return how many bytes were sent."""

    def close(self) -> None:
        """Release the port."""


def open_spi(hertz: int, path: str = "/dev/spidev0.0") -> Port:
    """Return the Pi's SPI port, by default on GPIO10, in mode 0 at a clock of *hertz*.

    Not tried on a Pi yet.  Each write is one transfer.  A write raises OSError if the port fails, or if the
    data is longer than spidev's buffer.

    Raises:
        DeviceTrouble: If the port does not exist, or can't be opened.
    """
    try:
        port = FileIO(os.open(path, os.O_WRONLY | os.O_CLOEXEC), "w")
    except OSError as error:
        raise DeviceTrouble(sentence(NAME, error)) from error
    try:
        fcntl.ioctl(port, _SET_MODE, b"\0")
        fcntl.ioctl(port, _SET_BITS, b"\x08")
        fcntl.ioctl(port, _SET_HERTZ, hertz.to_bytes(4, "little"))
    except OSError as error:
        port.close()
        raise DeviceTrouble(f"{NAME}: {path} is not an SPI port ({error.strerror}); enable SPI") from error
    return port


class SpiStrip:
    """The strip on an SPI port.

    Args:
        leds: The number of LEDs.
        port: The port from `open_spi`, or the twin's wire, with the clock that *encoding* requires.  It is
            closed together with the strip.
        encoding: The encoding of the strip's bits.
    """

    def __init__(self, leds: int, port: Port, encoding: BitEncoding = FOUR_BITS) -> None:
        self._leds = leds
        self._port = port
        self._encoding = encoding

    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255.

        Raises:
            ValueError: If *rgb* is not three bytes for each LED of the strip.
            DeviceTrouble: If the port fails.
        """
        check_frame(rgb, self._leds)
        signal = self._encoding.encode(rgb)
        try:
            sent = self._port.write(signal)
        except OSError as error:
            raise DeviceTrouble(sentence(NAME, error)) from error
        if sent != len(signal):
            raise DeviceTrouble(f"{NAME}: {sent} of {len(signal)} bytes were sent; raise spidev.bufsiz")

    def close(self) -> None:
        """Release the port; the LEDs keep what they show."""
        self._port.close()


Driver = Literal["rpi-ws281x", "spi", "wled"]

BUFFER: Final = 4096
"""Default size of spidev's buffer in bytes, which is also the longest SPI transfer."""
_LARGER_BUFFER = 32_768
BUFFER_FILE: Final = "/sys/module/spidev/parameters/bufsiz"


def spi_buffer(path: Path = Path(BUFFER_FILE)) -> int:
    """Return the size of spidev's buffer on this machine in bytes; the default if it can't be read."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return BUFFER


def chosen_driver(driver: Literal["auto"] | Driver, pin: int | None) -> Driver:
    """Return the driver for the kit's *driver* and the data line's GPIO *pin*.

    *pin* is None if a network controller drives the strip.  On GPIO10 `auto` chooses our own driver, spi, on
    every board.  Other pins need rpi-ws281x.

    >>> chosen_driver("auto", 10), chosen_driver("auto", 18), chosen_driver("rpi-ws281x", 10)
    ('spi', 'rpi-ws281x', 'rpi-ws281x')
    """
    if driver != "auto":
        return driver
    return "spi" if pin == SPI_PIN else "rpi-ws281x"


def frame_bytes(leds: int, driver: Driver) -> int:
    """Return the size in bytes that the SPI buffer should have for *leds* LEDs with *driver*.

    Our own driver can do with less, but the shorter encoding is less reliable.

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
    open_library: Callable[[int, int], StripDriver] = StripProcess,
    open_port: Callable[[int], Port] = open_spi,
) -> StripDriver:
    """Return the strip of *leds* LEDs on the GPIO *pin*.

    Args:
        leds: The number of LEDs, 1 or more.
        driver: The driver that the kit names, or "auto" to choose by *pin*.
        pin: The GPIO of the data line, 10 or 18.
        buffer: The size of spidev's buffer in bytes; None reads it from the kernel.
        open_library: Opens a strip with rpi-ws281x; its arguments are the number of LEDs and the pin.
        open_port: Opens the port for our own driver; its argument is the clock in hertz.

    Raises:
        DeviceTrouble: If the driver is missing or cannot drive the strip, or SPI can't take so many LEDs.
    """
    buffer = spi_buffer() if buffer is None else buffer
    if chosen_driver(driver, pin) == "spi":
        encoding = encoding_for(leds, buffer)
        _require(encoding.frame_bytes(leds), buffer, f"{leds} LEDs")
        return SpiStrip(leds, open_port(encoding.hertz), encoding)
    if pin == SPI_PIN:
        _require(
            spi_bytes(leds), buffer, f"{leds} LEDs with rpi-ws281x", ", or set the strip's driver to spi"
        )
    return open_library(leds, pin)


def _require(needed: int, buffer: int, what: str, other: str = "") -> None:
    """Raise DeviceTrouble if *needed* bytes exceed the SPI *buffer*; *other* is a further remedy."""
    if needed > buffer:
        raise DeviceTrouble(
            f"{NAME}: {what} take {needed} bytes, and SPI's buffer has {buffer}; "
            f"add spidev.bufsiz={_LARGER_BUFFER} to the line in /boot/firmware/cmdline.txt{other}"
        )
