"""Programs that write to a strip for the companion, each with a different fault. Tests start them.

    python tests/support/strip_writers.py KIND FILE LEDS PIN

It is the real writer, on an emulated wire. After each frame, FILE has the LEDs' colours.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from cribpi.companion.devices.strip_ws281x import StripDriver, Ws281xStrip, main
from support.ws281x_board import Board, library_wire
from support.ws281x_module import die_of_a_crash, real_module

DARKEST = 13
"""First byte of a frame at which a faulty writer fails."""


class Faulty:
    """The library's driver on an emulated wire. It has the fault *kind* when a frame triggers it."""

    def __init__(self, kind: str, path: Path, leds: int, pin: int) -> None:
        self._kind, self._path = kind, path
        self._stack = ExitStack()
        self._board = Board(library_wire(leds), knows=kind != "unknown-board")
        library = self._stack.enter_context(real_module(self._board))
        os.write(1, b"C code prints what it likes\n")
        self._strip = Ws281xStrip(leds, pin, library)

    def show(self, rgb: bytes) -> None:
        if rgb[0] == DARKEST:
            match self._kind:
                case "crashes":
                    os.kill(os.getpid(), signal.SIGSEGV)
                case "hangs":
                    time.sleep(3600)
                case "leaves":
                    os._exit(3)
                case "babbles":
                    # Responses no longer go to standard output, but to the next free descriptor.
                    os.write(3, b"what?\n")
                case "is-refused":
                    self._board.render_code = -14
        self._strip.show(rgb)
        scratch = self._path.with_suffix(".new")
        scratch.write_bytes(self._board.wire.colours)
        scratch.rename(self._path)

    def close(self) -> None:
        self._strip.close()
        self._stack.close()


def opener(kind: str, path: Path, leds: int, pin: int) -> StripDriver:
    """Return a strip with the fault *kind*.

    A strip that hangs first writes its process ID into the pipe *path*.
    """
    if kind == "never-opens":
        path.write_text(f"{os.getpid()}\n", encoding="ascii")
        while (
            True
        ):  # as one that the library holds in a call: no signal but SIGKILL ends it, nor the input's end
            time.sleep(3600)
    return Faulty(kind, path, leds, pin)


if __name__ == "__main__":
    die_of_a_crash()
    chosen, target = sys.argv[1], Path(sys.argv[2])
    del sys.argv[1:3]
    main(lambda leds, pin: opener(chosen, target, leds, pin))
