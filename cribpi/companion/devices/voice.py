"""The voice: espeak-ng speaks the announcements and aplay plays them, without blocking the table."""

from __future__ import annotations

import shutil
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import IO, Final

from cribpi.companion.devices.supervisor import DeviceTrouble, sentence
from cribpi.companion.installed import again

NAME: Final = "voice"
SPEAKER, PLAYER = "espeak-ng", "aplay"
INSTALL: Final = "sudo apt install espeak-ng alsa-utils"
PATIENCE: Final = 10.0
"""Timeout in seconds for both programs, in addition to speaking; on a slow Pi they start in one second."""
SECONDS_A_LETTER: Final = 0.2
"""Timeout in seconds per letter, more than the slowest speech takes."""
EXIT_TIMEOUT: Final = 1.0
"""Seconds for a process to exit after it was killed."""

_EXITS: Final = {0, -signal.SIGPIPE, -signal.SIGTERM}
"""Exit codes without an error: success, the other program has ended, or systemd stops the service."""
_REMEDIES: Final = {
    "No such file or directory": "there is no such sound device; plug the loudspeaker in, or name another "
    "output: `aplay -L` lists them",
    "No such device": "the sound device is gone; plug the loudspeaker in again",
    "Device or resource busy": "another program is using the sound device; stop that program",
    "Permission denied": "no permission to open the sound device; add this user to the audio group",
    "Operation not permitted": "the service can't open the sound device; run {again} again",
}
"""Remedies, by the end of aplay's error message."""


@dataclass(eq=False)
class Voice:
    """The voice for announcements: a thread that runs the two programs for each of them.

    An announcement is never interrupted. Of those that arrive meanwhile, only the latest is spoken next. An
    error is reported once, and None after recovery; each announcement is a new attempt.
    """

    report: Callable[[str, str | None], None]
    _: KW_ONLY
    output: str = "default"
    """ALSA's name of the loudspeaker."""
    speed: int = 150
    """Words per minute."""
    accent: str = "en"
    """The name of one of espeak-ng's voices."""
    patience: float = PATIENCE

    _next: str | None = field(default=None, init=False)
    _wake: threading.Event = field(default_factory=threading.Event, init=False)
    _stop: bool = field(default=False, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list, init=False)
    _reported: str | None = field(default=None, init=False)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    def say(self, words: str) -> None:
        """Speak *words* after the current announcement. Never blocks, never raises."""
        self._next = words
        self._wake.set()

    def close(self) -> None:
        """Fall silent at once, and end the thread."""
        with self._lock:
            self._stop = True
            for process in self._processes:
                process.kill()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(2 * EXIT_TIMEOUT)

    def _run(self) -> None:
        while not self._stop:
            self._wake.wait()
            self._wake.clear()
            words, self._next = self._next, None
            if words is None or self._stop:
                continue
            trouble = None
            try:
                self._speak(words)
            except Exception as error:  # noqa: BLE001  whatever the error, the next words are tried
                trouble = sentence(NAME, error)
            if trouble != self._reported and not self._stop:
                self._reported = trouble
                self.report(NAME, trouble)

    def _speak(self, words: str) -> None:
        """Speak *words* from beginning to end.

        Raises:
            DeviceTrouble: If that fails.
        """
        if any(process.poll() is None for process in self._processes):
            raise DeviceTrouble(
                f"{NAME}: the sound device is stuck; unplug the loudspeaker, or restart the computer"
            )
        for program in (SPEAKER, PLAYER):
            if shutil.which(program) is None:
                raise DeviceTrouble(f"{NAME}: {program} is not installed; {INSTALL}")
        try:
            speaker, player = self._start(words)
            _, of_player = player.communicate(timeout=self.patience + SECONDS_A_LETTER * len(words))
            _, of_speaker = speaker.communicate(timeout=EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            raise DeviceTrouble(
                f"{NAME}: {SPEAKER} or {PLAYER} got stuck; it was stopped, and will be tried again"
            ) from None
        except OSError as error:
            raise DeviceTrouble(
                f"{NAME}: {SPEAKER} or {PLAYER} can't be started ({error}); free some memory"
            ) from error
        finally:
            self._end()
        if speaker.returncode not in _EXITS:
            raise DeviceTrouble(f"{NAME}: {_why(SPEAKER, speaker.returncode, of_speaker)}")
        if player.returncode not in _EXITS:
            raise DeviceTrouble(f"{NAME}: {_why(PLAYER, player.returncode, of_player)}")

    def _start(self, words: str) -> list[subprocess.Popen[bytes]]:
        speak = (SPEAKER, "--stdout", "-b", "1", "-v", self.accent, "-s", str(self.speed), "--", words)
        with self._lock:
            speaker = _started(speak, None)
            self._processes = [speaker]
            player = _started((PLAYER, "-q", "-D", self.output), speaker.stdout)
            self._processes = [speaker, player]
            if speaker.stdout is not None:
                # Closed here, so that the speaker gets SIGPIPE once the player ends.
                speaker.stdout.close()
            if self._stop:
                speaker.kill()
                player.kill()
        return self._processes

    def _end(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            # A process stuck in the kernel exits when its call returns.
            with suppress(subprocess.TimeoutExpired):
                process.wait(EXIT_TIMEOUT)
            if process.stderr is not None:
                process.stderr.close()


def _started(command: tuple[str, ...], source: IO[bytes] | None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  without a shell, any text is only spoken
        command,
        stdin=source or subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if source else subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # otherwise Ctrl-C at a terminal would end them, which would be reported
    )


def _why(program: str, code: int, stderr: bytes) -> str:
    r"""Return the reason why *program* ended with *code*, derived from its *stderr*.

    >>> _why("aplay", 1, b"ALSA lib...\naplay: main:831: audio open error: Device or resource busy\n")
    'another program is using the sound device; stop that program'
    >>> _why("espeak-ng", 1, b"Error: The specified espeak-ng voice does not exist.\n")
    'espeak-ng: Error: The specified espeak-ng voice does not exist.'
    >>> _why("espeak-ng", -11, b"")
    'espeak-ng was ended by SIGSEGV'
    """
    if code < 0:
        return f"{program} was ended by {signal.Signals(-code).name}"
    last = (stderr.decode("utf-8", "replace").split("\n")[-2:] or [""])[0].strip()
    remedy = next((remedy for fault, remedy in _REMEDIES.items() if last.endswith(fault)), None)
    return remedy.format(again=again()) if remedy else f"{program}: {last or f'ended with {code}'}"
