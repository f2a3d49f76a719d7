"""A WS2812 strip through the library rpi-ws281x, on the boards it supports: Zero 2 W, 3 and 4.

The library is C code under a thin Python module, and checks nothing: a call before `begin`, after the end or
past its memory crashes the interpreter. It also holds Python's global lock while it sends. So it is used only
in this module, which runs as a separate program, where neither affects the table. `strip_process` starts it:

    python -m cribpi.companion.devices.strip_ws281x LEDS PIN

The program reads frames from standard input, three bytes per LED. It answers each with a line on standard
output once the frame is sent: `0`, or an error message, after which it exits. A first line of the same kind
answers the opening of the strip. The program exits at the end of standard input, so that it never outlives
the companion.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, Protocol

from cribpi.companion.devices.supervisor import DeviceTrouble, sentence

NAME: Final = "strip"
SPI_PIN: Final = 10
_HERTZ: Final = 800_000
_DMA: Final = 10
_WORD: Final = 4

UNKNOWN_BOARD: Final = -3
"""The library's error code for a board that it does not support, such as a Pi 5."""

_SPI_INSTEAD: Final = "or wire the strip to GPIO 10 and set its driver to spi"
_AS_ROOT: Final = f"run the service as root for GPIO 18, {_SPI_INSTEAD}"

_REMEDIES: Final = {
    -1: f"it failed without a reason; restart the Pi, {_SPI_INSTEAD}",
    -2: f"not enough memory for this many LEDs; stop other programs, {_SPI_INSTEAD}",
    UNKNOWN_BOARD: (
        "it does not know this board (a Pi 5, or one newer than the library); "
        "wire the strip to GPIO 10 and set its driver to spi"
    ),
    -4: f"it could not lock its memory; restart the Pi, {_SPI_INSTEAD}",
    -5: f"it has no access to the memory; {_AS_ROOT}",
    -6: f"it has no access to the registers; {_AS_ROOT}",
    -7: f"it could not set its pin; {_AS_ROOT}",
    -8: f"it could not set up PWM; turn off analogue audio with dtparam=audio=off, {_SPI_INSTEAD}",
    -9: f"it has no access to the graphics chip's mailbox; {_AS_ROOT}",
    -10: f"its memory transfer failed; restart the Pi, {_SPI_INSTEAD}",
    -11: "it cannot use this pin; use GPIO 10, or 18 as root",
    -12: f"it could not set up PCM; turn off whatever else uses the sound pins, {_SPI_INSTEAD}",
    -13: (
        "it could not open SPI or its pin; enable SPI, as cribpi doctor shows, "
        "and add this user to the spi and gpio groups"
    ),
    -14: (
        "SPI did not accept the frame; raise spidev.bufsiz in /boot/firmware/cmdline.txt, "
        "or set the strip's driver to spi"
    ),
}
"""The message for each error code of `ws2811.h`, with the remedy."""


class StripDriver(Protocol):
    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255."""

    def close(self) -> None:
        """Release the line; the LEDs keep what they show."""


def check_frame(rgb: bytes, leds: int) -> None:
    """Raise ValueError if *rgb* does not have three bytes for each of *leds* LEDs."""
    if len(rgb) != 3 * leds:
        raise ValueError(f"{NAME}: a frame is {3 * leds} bytes, three for each LED; not {len(rgb)}")


def trouble(error: Exception) -> DeviceTrouble:
    """Translate an *error* of the library into DeviceTrouble with a remedy, by the code in its message.

    >>> print(trouble(RuntimeError("ws2811_init failed with code -11 (Selected GPIO not possible)")))
    strip: rpi-ws281x: it cannot use this pin; use GPIO 10, or 18 as root (code -11)
    """
    match = re.search(r"code (-\d+)", str(error))
    code = int(match[1]) if match else 0
    if code not in _REMEDIES:
        return DeviceTrouble(f"{NAME}: rpi-ws281x: {error}; try the strip's driver spi")
    return DeviceTrouble(f"{NAME}: rpi-ws281x: {_REMEDIES[code]} (code {code})")


def spi_bytes(leds: int) -> int:
    """Return the number of bytes that the library sends in one SPI transfer for *leds* LEDs.

    It sends four colours per LED, 12 bytes, even if the LEDs have only three; and 55 microseconds of low,
    which make the LEDs show them.

    >>> spi_bytes(339), spi_bytes(340)
    (4088, 4104)
    """
    bits = leds * 4 * 8 * 3 + 55 * _HERTZ * 3 // 1_000_000
    return (bits >> 3 & ~7) + 8


def words(rgb: bytes) -> bytes:
    """Return *rgb* in the library's format: 0x00RRGGBB per LED, in the Pi's byte order.

    >>> words(bytes((1, 2, 3))).hex()
    '03020100'
    """
    packed = bytearray(len(rgb) // 3 * _WORD)
    packed[0::4] = rgb[2::3]
    packed[1::4] = rgb[1::3]
    packed[2::4] = rgb[0::3]
    return bytes(packed)


class Ws281xStrip:
    """The strip on GPIO10 by SPI, or on GPIO18 by PWM, which needs root.

    Args:
        leds: The number of LEDs, 1 or more; by SPI up to 339 with spidev's default buffer.
        pin: The data line's GPIO number, 10 or 18.
        library: The module rpi_ws281x, or a stand-in; None imports it.

    Raises:
        ValueError: If *leds* is below 1.
        DeviceTrouble: If the library is not installed, or cannot drive this board or this pin.
    """

    def __init__(self, leds: int, pin: int = SPI_PIN, library: Any = None) -> None:  # noqa: ANN401  no types
        if leds < 1:
            raise ValueError(f"{NAME}: a strip has at least one LED, not {leds}")
        if library is None:
            try:
                library = import_module("rpi_ws281x")
            except ImportError as error:
                raise DeviceTrouble(
                    f"{NAME}: {error}; install cribpi with its pi extra, or set the strip's driver to spi"
                ) from error
        self._leds = leds
        # `begin` follows at once: using a strip before `begin`, or exiting without it, crashes Python.
        self._strip = strip = library.PixelStrip(leds, pin, freq_hz=_HERTZ, dma=_DMA)
        self._calls = library.ws
        try:
            strip.begin()
            # The address at which the library stores the colours of the LEDs.
            self._memory = int(self._calls.ws2811_channel_t_leds_get(strip._channel))  # noqa: SLF001  no other way
        except (RuntimeError, TypeError) as error:
            # The library's exit hook would crash the interpreter, because `begin` has failed.  Its memory is
            # freed by hand: otherwise the library would complain on standard output at exit.
            self._memory = 0
            atexit.unregister(strip._cleanup)  # noqa: SLF001
            handle = strip._leds  # noqa: SLF001
            strip._leds = strip._channel = None  # noqa: SLF001
            with suppress(Exception):
                self._calls.delete_ws2811_t(handle)
            raise trouble(error) from error

    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255.

        The colours are copied straight into the library's memory: for 363 LEDs that takes less than 3
        microseconds, and the library's own calls take 60 or more.

        Raises:
            ValueError: If *rgb* is not three bytes for each LED, so that it does not fit the memory.
            DeviceTrouble: If the library fails, or the strip is closed.
        """
        check_frame(rgb, self._leds)
        if not self._memory:
            raise DeviceTrouble(f"{NAME}: rpi-ws281x has been closed; open the strip again")
        ctypes.memmove(self._memory, words(rgb), self._leds * _WORD)
        try:
            self._strip.show()
        except RuntimeError as error:
            raise trouble(error) from error

    def close(self) -> None:
        """Release the pin; the LEDs keep what they show."""
        if self._memory:
            self._memory = 0
            atexit.unregister(self._strip._cleanup)  # noqa: SLF001  it has no other way
            self._strip._cleanup()  # noqa: SLF001


WELL: Final = "0"
"""The answer to a frame that was sent."""


def serve(open_strip: Callable[[], StripDriver], leds: int, source: int, answers: int) -> None:
    """Open the strip, then show each frame of *leds* LEDs until the end of input or a failure.

    Args:
        open_strip: Returns the strip, ready to use, or raises.
        leds: The number of LEDs.
        source: The file descriptor of the frames.
        answers: The file descriptor of the answers.
    """
    try:
        strip = open_strip()
        try:
            _answer(answers, WELL)
            with open(source, "rb", closefd=False) as frames:
                while len(frame := frames.read(3 * leds)) == 3 * leds:
                    strip.show(frame)
                    _answer(answers, WELL)
        finally:
            strip.close()
    except BrokenPipeError:
        return  # the companion is gone
    except Exception as error:  # noqa: BLE001  whatever the error, report it to the companion
        _answer(answers, sentence(NAME, error))


def _answer(answers: int, line: str) -> None:
    os.write(answers, line.replace("\n", " ").encode() + b"\n")


def main(open_strip: Callable[[int, int], StripDriver] = Ws281xStrip) -> None:
    """Run the writer: serve standard input, with LEDS and PIN from the command line."""
    # Only the companion ends this program, after the last frame.  The signal that systemd sends to all
    # processes of the service must not end it earlier.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    leds, pin = (int(argument) for argument in sys.argv[1:3])
    # The answers get their own descriptor, and descriptor 1 becomes stderr: the C code may print there.
    answers = os.dup(1)
    os.dup2(2, 1)
    serve(lambda: open_strip(leds, pin), leds, 0, answers)


if __name__ == "__main__":
    main()
