"""A WS2812 strip on an SPI port: three SPI bits for each bit of the strip, and one write per frame."""

from __future__ import annotations

import fcntl
import os
from typing import Protocol

from cribpi.devices.trouble import DeviceTrouble, sentence

NAME = "strip"
HERTZ = 2_400_000
"""The SPI clock: three of its bits are the strip's 1.25 microseconds per bit."""
TAIL = bytes(90)
"""300 microseconds of low, after which the LEDs latch."""
BYTES_PER_LED = 9

# SPI_IOC_WR_* of <linux/spi/spidev.h>: _IOW('k', number, size).
_SET_MODE = 0x40016B01
_SET_BITS = 0x40016B03
_SET_HERTZ = 0x40046B04


def _pattern(byte: int) -> bytes:
    """Return the three SPI bytes of one colour byte, high bit first: 110 for a one, 100 for a zero."""
    return int("".join("110" if byte >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3)


# The first, second and third SPI byte of each colour byte, as tables for `bytes.translate`.
_TABLES = tuple(bytes(_pattern(byte)[place] for byte in range(256)) for place in range(3))


def encode(rgb: bytes) -> bytes:
    """Return the SPI bytes that show *rgb*: red, green and blue of each LED, 0 to 255.

    The strip expects green first.  The twin's `decode` is the inverse.

    >>> encode(bytes((0, 255, 0)))[:9].hex(" ")
    'db 6d b6 92 49 24 92 49 24'

    Raises:
        ValueError: If *rgb* is not three bytes for each LED.
    """
    if len(rgb) % 3:
        raise ValueError(f"{NAME}: a frame has three bytes for each LED; this one has {len(rgb)} bytes")
    grb = bytearray(len(rgb))
    grb[0::3], grb[1::3], grb[2::3] = rgb[1::3], rgb[0::3], rgb[2::3]
    signal = bytearray(3 * len(grb))
    for place, table in enumerate(_TABLES):
        signal[place::3] = grb.translate(table)
    return bytes(signal + TAIL)


class Port(Protocol):
    """Takes the SPI bytes: the Pi's port or the twin's wire."""

    def write(self, data: bytes) -> int:
        """Send *data* and return how many bytes were sent."""

    def close(self) -> None:
        """Let go of the port."""


class SpiPort:
    """The Pi's SPI port, by default on GPIO10, in mode 0 at the strip's clock.

    The line is low once this is open, so that the first bit of the first frame has its proper length whatever
    the line was before.  Not tried on a Pi yet.

    Raises:
        DeviceTrouble: If the port does not exist, or may not be opened.
    """

    def __init__(self, path: str = "/dev/spidev0.0") -> None:
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        except OSError as error:
            raise DeviceTrouble(sentence(NAME, error)) from error
        try:
            fcntl.ioctl(self._file, _SET_MODE, b"\0")
            fcntl.ioctl(self._file, _SET_BITS, b"\x08")
            fcntl.ioctl(self._file, _SET_HERTZ, HERTZ.to_bytes(4, "little"))
        except OSError as error:
            os.close(self._file)
            raise DeviceTrouble(
                f"{NAME}: {path} is not an SPI port ({error.strerror}); enable SPI"
            ) from error
        try:
            os.write(self._file, TAIL)
        except OSError as error:
            os.close(self._file)
            raise DeviceTrouble(sentence(NAME, error)) from error

    def write(self, data: bytes) -> int:
        """Send *data* in one transfer, without a gap, and return how many bytes were sent.

        Raises:
            OSError: If the port fails, or *data* is longer than spidev's buffer.
        """
        return os.write(self._file, data)

    def close(self) -> None:
        os.close(self._file)


class SpiStrip:
    """The strip on an SPI port.

    Args:
        leds: The number of LEDs, up to 445 with spidev's default buffer.
        port: The Pi's `SpiPort` or the twin's wire; it is closed with the strip.
    """

    def __init__(self, leds: int, port: Port) -> None:
        self._leds = leds
        self._port = port

    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255.

        Raises:
            ValueError: If *rgb* is not three bytes for each LED of the strip.
            DeviceTrouble: If the port fails.
        """
        if len(rgb) != 3 * self._leds:
            raise ValueError(f"{NAME}: a frame is {3 * self._leds} bytes, three for each LED; not {len(rgb)}")
        signal = encode(rgb)
        try:
            sent = self._port.write(signal)
        except OSError as error:
            raise DeviceTrouble(sentence(NAME, error)) from error
        if sent != len(signal):
            raise DeviceTrouble(f"{NAME}: {sent} of {len(signal)} bytes were sent; raise spidev.bufsiz")

    def close(self) -> None:
        """Release the port; the LEDs keep what they show."""
        self._port.close()
