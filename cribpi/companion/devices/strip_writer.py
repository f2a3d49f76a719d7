"""The program that writes to the strip for the companion: rpi-ws281x in a separate process.

The library holds the interpreter's lock while it sends, and a fault in it ends its interpreter; here neither
affects the table.  Started by `strip_process`, never by people:

    python -m cribpi.companion.devices.strip_writer LEDS PIN

Each frame arrives whole on standard input, three bytes per LED.  Once sent, each is answered by a line on
standard output: `0`, or the library's error code and a sentence, after which the program exits.  A first such
line says that the strip is open.  The program exits at the end of standard input, so that it dies with the
companion, whatever the cause.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Final

from cribpi.companion.devices.strip_ws281x import NAME, Strip, Ws281xStrip, Ws281xTrouble
from cribpi.companion.devices.trouble import sentence

WELL: Final = "0"
"""The answer to a frame that was sent."""


def serve(open_strip: Callable[[], Strip], leds: int, source: int, answers: int) -> None:
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
    except Exception as error:  # noqa: BLE001  whatever it is, report it to the companion
        code = error.code if isinstance(error, Ws281xTrouble) else 0
        _answer(answers, f"{code} {sentence(NAME, error)}")


def _answer(answers: int, line: str) -> None:
    os.write(answers, line.replace("\n", " ").encode() + b"\n")


def main(open_strip: Callable[[int, int], Strip] = Ws281xStrip) -> None:
    """Serve standard input, with the arguments given by the companion."""
    # Only the companion ends us, once the last frame is shown: systemd's signal to all of the service's
    # processes must not be quicker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    leds, pin = (int(argument) for argument in sys.argv[1:3])
    # Keep whatever the C code prints out of the answers.
    answers = os.dup(1)
    os.dup2(2, 1)
    serve(lambda: open_strip(leds, pin), leds, 0, answers)


if __name__ == "__main__":
    main()
