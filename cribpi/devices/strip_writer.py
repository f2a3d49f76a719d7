"""The program that writes to the strip for the companion: rpi-ws281x in a process of its own.

The library holds the interpreter's lock while it sends, and a fault of it ends its interpreter; here
neither touches the table.  Started by `strip_process`, never by people:

    python -m cribpi.devices.strip_writer LEDS PIN

Each frame comes in whole on standard input, three bytes for each LED.  Each is answered, once it was sent,
by a line on standard output: `0`, or the library's code and a sentence, after which the program ends.
A first such line says that the strip is open.  The end of standard input is the end of the program, so that
it dies with the companion whatever that dies of.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Final, Protocol

from cribpi.devices.strip_ws281x import NAME, Ws281xStrip, Ws281xTrouble
from cribpi.devices.trouble import sentence

WELL: Final = "0"
"""The answer to a frame that was sent."""


class Writes(Protocol):
    """The strip that is written to."""

    def show(self, rgb: bytes) -> None:
        """Show *rgb*."""

    def close(self) -> None:
        """Let go of the line."""


def serve(open_strip: Callable[[], Writes], leds: int, source: int, answers: int) -> None:
    """Open the strip, then show each frame of *leds* LEDs that comes, until the end or a failure.

    Args:
        open_strip: Returns the strip, ready to use, or raises.
        leds: How many LEDs it has.
        source: The file descriptor that the frames come from.
        answers: The file descriptor that the answers go to.
    """
    try:
        strip = open_strip()
        try:
            _answer(answers, WELL)
            while frame := _read(source, 3 * leds):
                strip.show(frame)
                _answer(answers, WELL)
        finally:
            strip.close()
    except BrokenPipeError:
        return  # nobody is left to be told
    except Exception as error:  # noqa: BLE001  whatever it is, the companion is told
        code = error.code if isinstance(error, Ws281xTrouble) else 0
        _answer(answers, f"{code} {sentence(NAME, error)}")


def _read(source: int, size: int) -> bytes:
    """Return the next *size* bytes of *source*; none at its end, even in the middle of a frame."""
    frame = b""
    while len(frame) < size:
        more = os.read(source, size - len(frame))
        if not more:
            return b""
        frame += more
    return frame


def _answer(answers: int, line: str) -> None:
    os.write(answers, line.replace("\n", " ").encode() + b"\n")


def main(open_strip: Callable[[int, int], Writes] = Ws281xStrip) -> None:
    """Serve standard input, as the companion asks in the arguments."""
    # The companion ends us, and only once the last frame is shown: a stop that is meant for all of the
    # service's processes must not be quicker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    leds, pin = (int(argument) for argument in sys.argv[1:3])
    # What C code prints must not get among the answers.
    answers = os.dup(1)
    os.dup2(2, 1)
    serve(lambda: open_strip(leds, pin), leds, 0, answers)


if __name__ == "__main__":
    main()
