"""A strip driven by a separate process, the writer: a crash or hang there can't affect the companion."""

from __future__ import annotations

import select
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Final, cast

from cribpi.companion.devices.strip_ws281x import NAME, SPI_PIN, WELL, check_frame
from cribpi.companion.devices.supervisor import DeviceTrouble

OPEN_TIMEOUT: Final = 30.0
"""Timeout in seconds for the writer to start and open the strip; a Pi is slow after booting."""
ANSWER_TIMEOUT: Final = 2.0
"""Timeout in seconds for the writer to send a frame, which usually takes 0.01."""
EXIT_TIMEOUT: Final = 1.0
"""Seconds for the writer to exit before it is killed."""

_opening: Final = set["StripProcess"]()
"""Strips whose writers are still opening them, for `abandon`."""
_lock: Final = threading.Lock()


def abandon() -> None:
    """Kill every writer that is still opening its strip; the thread that waits for it gets an error at once.

    Thread-safe. For the exit of the companion, which must not wait for a strip that hangs. A writer whose
    library blocks notices neither the end of its input nor a signal, and would be left behind.
    """
    with _lock:
        for strip in _opening:
            strip.kill()


class StripProcess:
    """The strip on GPIO10 by SPI, or on GPIO18 by PWM, through rpi-ws281x in a separate process.

    Each frame waits until the previous one was sent; the strip's supervisor drops all but the latest of those
    that arrive meanwhile.  If the writer fails, crashes or hangs, methods raise `DeviceTrouble`; close this
    object then, and create another.

    Args:
        leds: The number of LEDs.
        pin: The data line's GPIO number, 10 or 18.
        command: The command that starts the writer; LEDS and PIN are appended.
        patience: Timeout in seconds for a frame.

    Raises:
        DeviceTrouble: If the writer cannot be started, or cannot open the strip.
    """

    def __init__(
        self,
        leds: int,
        pin: int = SPI_PIN,
        *,
        command: tuple[str, ...] = (sys.executable, "-m", "cribpi.companion.devices.strip_ws281x"),
        patience: float = ANSWER_TIMEOUT,
    ) -> None:
        self._leds = leds
        self._patience = patience
        try:
            with _lock:
                self._writer = subprocess.Popen(  # noqa: S603  our own program
                    (*command, str(leds), str(pin)),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                    # Otherwise Ctrl-C at a terminal would end the writer before the last frame.
                    start_new_session=True,
                )
                _opening.add(self)
        except OSError as error:
            raise DeviceTrouble(
                f"{NAME}: the process that writes to it cannot be started ({error}); free some memory"
            ) from error
        self._frames = cast("IO[bytes]", self._writer.stdin)  # These are pipes, as requested above.
        self._answers = cast("IO[bytes]", self._writer.stdout)
        try:
            self._await(OPEN_TIMEOUT)
        except BaseException:
            self.close()
            raise
        finally:
            with _lock:
                _opening.discard(self)

    def show(self, rgb: bytes) -> None:
        """Show *rgb*: red, green and blue of each LED, 0 to 255; return once it is sent.

        Raises:
            ValueError: If *rgb* is not three bytes for each LED of the strip.
            DeviceTrouble: If the library fails, or its process has ended or hangs.
        """
        check_frame(rgb, self._leds)
        at = 0
        try:
            while at < len(rgb):
                at += self._frames.write(rgb[at:])
        # OSError: the writer has ended.  ValueError: `close` has closed the pipe.
        except (OSError, ValueError) as error:
            raise self._ended() from error
        self._await(self._patience)

    def kill(self) -> None:
        """Kill the writer without waiting. Thread-safe."""
        self._writer.kill()

    def close(self) -> None:
        """End the writer, or kill it if it does not exit; the LEDs keep what they show."""
        for pipe in (self._frames, self._answers):
            with suppress(OSError):
                pipe.close()
        try:
            self._writer.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._writer.kill()
            with suppress(subprocess.TimeoutExpired):  # stuck in the kernel: it exits when the call returns
                self._writer.wait(EXIT_TIMEOUT)

    def _await(self, patience: float) -> None:
        """Wait for the writer's answer, at most *patience* seconds.

        Raises:
            DeviceTrouble: If it does not answer, or answers with an error message.
        """
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        if not poll.poll(1000 * patience):
            raise DeviceTrouble(
                f"{NAME}: the process that writes to it has not answered for {patience:g} s; "
                f"it is restarted; if that does not help, set the strip's driver to spi"
            )
        answer = self._answers.readline()  # never blocks: the writer writes whole lines
        if not answer:
            raise self._ended()
        line = answer.decode("utf-8", "replace").rstrip("\n")
        if line.startswith(f"{NAME}: "):
            raise DeviceTrouble(line)
        if line != WELL:
            raise DeviceTrouble(
                f"{NAME}: the process that writes to it said {line!r}; set the strip's driver to spi"
            )

    def _ended(self) -> DeviceTrouble:
        try:
            code = self._writer.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            how = "has closed its pipe"
        else:
            # A real-time signal has no name.
            names = {-sig.value: sig.name for sig in signal.Signals}
            how = f"ended with {code}" if code >= 0 else f"was ended by {names.get(code, f'signal {-code}')}"
        return DeviceTrouble(
            f"{NAME}: the process that writes to it {how}; "
            f"it is restarted; if that does not help, set the strip's driver to spi"
        )
