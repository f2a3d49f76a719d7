"""A third-party program as an opponent. It communicates over standard input and output.

docs/reference/engine-protocol.md documents the protocol. tests/companion/engines/ tests it.
"""

from __future__ import annotations

import fcntl
import os
import re
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, TypeAlias
from weakref import finalize

from cribpi.companion.engines import sandbox
from cribpi.cribbage.engine.lines import (
    VERSION,
    GoRequest,
    LineError,
    read_bestmove,
    write_go,
    write_newgame,
    write_position,
)
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import shown

PREFIX: Final = "exec:"
"""Prefix of an engine's command line where a level is expected."""

MOVETIME: Final = 1.0
"""Time per decision, in seconds, that an engine is asked to use."""
GRACE: Final = 4.0
"""Extra time per decision, in seconds, before an engine times out."""
READY: Final = 30.0
"""Timeout in seconds for starting, and for getting ready for a game."""

EXIT: Final = 5.0
"""Timeout in seconds between an engine's closing of its output and its exit."""

FLOOD: Final = 100_000
"""Maximum number of bytes in one answer."""
REMEMBERED: Final = 2_000
"""Number of bytes of its standard error that are kept: the last ones."""
QUOTED: Final = 160
"""Maximum number of characters quoted in a message from an engine's output."""

_LOOK: Final = 0.0001
"""Interval in seconds for polling whether an engine has read its input. No event reports that."""
_LONGEST_FIRST_LINE: Final = 256
"""Number of bytes that Linux reads of a script's first line."""

_PRIVATE: Final = (
    *("/etc/cribpi", "/var/lib/cribpi"),
    *("/tmp", "/var/tmp", "/dev/shm", "/run", "/proc", "/sys"),  # noqa: S108
)
"""Private files besides the home folder: an installed table's settings and journal, and shared folders."""

_STARTER: Final = ThreadPoolExecutor(1, "engines")
"""Thread that starts every engine.

bubblewrap exits when the thread that started it ends, so this thread never ends.
"""

_OF_SIGNALS: Final = 128
"""Offset of bubblewrap's exit code for a process ended by a signal: the code is this plus the signal."""


class EngineTrouble(UserError):
    """An engine has failed. The message is for everybody.

    *text*, the engine's own output, may reveal its cards. It is therefore only a note, for the log.
    """

    def __init__(self, what: str, text: str = "") -> None:
        super().__init__(what)
        if text:
            self.add_note(f"it wrote {shown(text, longest=QUOTED)}")


def command_of(player: str) -> list[str]:
    """Parse *player*, `exec:` and a command line. Return the command, with absolute file names.

    Raises:
        UserError: If there is no such program.
    """
    try:
        words = shlex.split(player.removeprefix(PREFIX))
    except ValueError as bad:
        raise UserError(f"{shown(player)}: {bad}: write it as you would in a shell") from None
    if not words:
        raise UserError(f"{shown(player)} has no program: write {PREFIX}./engine")
    program = shutil.which(words[0])
    if program is None:
        raise UserError(
            f"{shown(words[0])} is not a program that can be run: check its name, and chmod +x it"
        )
    # Links are kept: a venv's Python is one.
    return [os.path.abspath(program), *(_absolute(word) for word in words[1:])]  # noqa: PTH100


def _absolute(word: str) -> str:
    # The text is arbitrary, so it might not be a valid path.
    return os.path.abspath(word) if os.path.exists(word) else word  # noqa: PTH100, PTH110


def readable(command: list[str], secret_paths: Iterable[Path] = ()) -> list[str]:
    """Return the folders that the program of *command* must be able to read, besides the system's.

    These are the folders of its files. For a program in a `bin` folder, it is the parent folder, which has
    the libraries. For a venv, the base Python's folder is added.

    Raises:
        UserError: If such a folder contains a private file, or one of *secret_paths*.
    """
    private = [path.resolve() for path in (*_private(), *secret_paths)]
    folders: list[str] = []
    for word in (*_interpreter(command[0]), *command):
        is_file = word.startswith("/") and os.path.lexists(word)
        for path in dict.fromkeys((Path(word), Path(word).resolve())) if is_file else ():
            if path.parent.resolve().is_relative_to("/usr"):
                continue
            around = [path] if path.is_dir() else [path.parent]
            if around[0].name == "bin":
                around.insert(0, around[0].parent)
            for folder in around:
                allowed = [folder, *_home_of(folder)]
                if not any(secret.is_relative_to(part.resolve()) for part in allowed for secret in private):
                    folders += map(str, allowed)
                    break
            else:
                raise UserError(f"{shown(word)} is among files that it must not see: give it its own folder")
    return folders


def _private() -> list[Path]:
    """Return the files and folders that no engine must read."""
    paths = [*map(Path, _PRIVATE)]
    with suppress(RuntimeError):  # a user without a home
        paths.append(Path.home())
    return paths


def _home_of(folder: Path) -> list[Path]:
    """Return the base Python's folder if *folder* is a venv. Empty for other folders."""
    try:
        settings = (folder / "pyvenv.cfg").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    match = re.search(r"^home *= *(/.+)/bin$", settings, re.MULTILINE)
    return [Path(match[1])] if match else []


def _interpreter(program: str) -> list[str]:
    """Return the words after `#!` in a script's first line. Empty for other programs."""
    try:
        with open(program, "rb") as file:  # noqa: PTH123
            first = file.readline(_LONGEST_FIRST_LINE)
    except OSError:
        return []
    return os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []


def player_of(
    engine: str,
    commands: Mapping[str, str],
    patience: float,
    *,
    secret_paths: Iterable[Path],
    is_trusted: bool,
) -> EnginePlayer:
    """Return the player for the engine called *engine*. *patience* is the number of seconds for a decision.

    Raises:
        UserError: If *commands* does not have that engine.
    """
    if engine not in commands:
        raise UserError(f"[engines] in config.toml has no {engine}: add its command there")
    return EnginePlayer(
        f"{PREFIX}{commands[engine]}",
        movetime=patience / 2,
        grace=patience / 4,
        secret_paths=secret_paths,
        is_trusted=is_trusted,
    )


@dataclass(frozen=True)
class _Served:
    """An engine that systemd runs. `stdin` and `stdout` are the same connection."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: None = None


_EngineProcess: TypeAlias = "subprocess.Popen[bytes] | _Served"


def _unread(engine: _EngineProcess, pipe: IO[bytes]) -> int:
    """Return the number of bytes in *pipe* that *engine* has not read yet."""
    asked = termios.TIOCOUTQ if isinstance(engine, _Served) else termios.FIONREAD
    return int.from_bytes(fcntl.ioctl(pipe, asked, bytes(4)), sys.byteorder)


def _read_all(pipe: IO[bytes], most: int) -> bytes:
    """Read the bytes that are in *pipe* now, at most *most*. Never blocks."""
    data = b""
    with suppress(BlockingIOError, ConnectionResetError):  # the pipe is empty or closed
        while len(data) < most and (some := os.read(pipe.fileno(), most - len(data))):
            data += some
    return data


def _end(engine: _EngineProcess, folder: TemporaryDirectory[str] | None = None) -> None:
    """Kill the process group of *engine*, and delete its *folder*.

    An engine run by systemd is killed by systemd.
    """
    if not isinstance(engine, _Served):
        with suppress(ProcessLookupError):
            os.killpg(engine.pid, signal.SIGKILL)
        engine.wait()
    for pipe in (engine.stdin, engine.stdout, engine.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    if folder is not None:
        folder.cleanup()


class EnginePlayer:
    """An opponent that is a third-party program.

    The program starts with its first decision. Every failure raises `EngineTrouble` and kills the process.
    The process is also killed when this object is collected, and when cribpi exits.

    Args:
        player: `exec:` and a command line.
        movetime: Time per decision, in seconds, that the engine is asked to use.
        grace: Extra time per decision, in seconds, before it times out.
        ready: Timeout in seconds for starting.
        secret_paths: Files and folders that it must not read, besides those that no engine must read.
        is_trusted: Whether it runs unconfined, with all rights of the user.
    """

    def __init__(
        self,
        player: str,
        *,
        movetime: float = MOVETIME,
        grace: float = GRACE,
        ready: float = READY,
        secret_paths: Iterable[Path] = (),
        is_trusted: bool = False,
    ) -> None:
        self._player = player
        self._secret_paths, self._is_trusted = secret_paths, is_trusted
        self._movetime, self._grace = movetime, grace
        self._ready = ready
        self._process: _EngineProcess | None = None
        self._end: Callable[[], object] | None = None
        self._rules: Rules | None = None
        self._received = b""
        self._errors = b""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self._choice(sight)

    def play(self, sight: SeatSight) -> Card:
        cards = self._choice(sight)
        if len(cards) != 1:
            self.close()
            raise EngineTrouble("it played more than one card")
        return cards[0]

    def begin(self, rules: Rules) -> None:
        """Begin a game with *rules*. If the program is not running, start it first.

        Raises:
            EngineTrouble: If the program does not start, or can't play by these rules.
            UserError: If there is no such program.
        """
        try:
            if self._process is None:
                self._start()
                self._ask(f"cei {VERSION}", "ceiok", self._ready)
            self._ask(write_newgame(rules), "readyok", self._ready)
        except BaseException:
            self.close()
            raise
        self._rules = rules

    def close(self) -> None:
        """Kill the process and all its children. Idempotent."""
        self._rules, self._process = None, None
        self._received = b""
        if self._end is not None:
            self._end()

    def _choice(self, sight: SeatSight) -> tuple[Card, ...]:
        if self._process is None or self._rules != sight.rules:
            self.begin(sight.rules)
        request = f"{write_position(sight)}\n{write_go(GoRequest(movetime=round(1000 * self._movetime)))}"
        try:
            return read_bestmove(self._ask(request, "bestmove", self._movetime + self._grace))
        except LineError as bad:
            self.close()
            raise EngineTrouble("its answer can't be read", str(bad)) from None
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        command = command_of(self._player)
        if self._is_trusted:
            self._run(command)
            return
        folders = readable(command, self._secret_paths)
        try:
            sandbox.check()
        except UserError as wrong:
            raise UserError(f"it can't be confined: {wrong}") from None
        if sandbox.is_served():
            self._connect(command)
            return
        seccomp = sandbox.filter_file()
        try:
            self._run(sandbox.confined(command, folders, seccomp), seccomp)
        finally:
            os.close(seccomp)

    def _connect(self, command: list[str]) -> None:
        """Request systemd to start *command*, by `keeper`."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(sandbox.SOCKET))
                connection.sendall(f"{shlex.join(command)}\n".encode())
                stdin, stdout = os.dup(connection.fileno()), os.dup(connection.fileno())
        except OSError as bad:
            raise EngineTrouble(f"systemd does not start it: {bad.strerror}") from None
        self._keep(_Served(os.fdopen(stdin, "wb", buffering=0), os.fdopen(stdout, "rb", buffering=0)))

    def _keep(self, engine: _EngineProcess, *folder: TemporaryDirectory[str]) -> None:
        self._process = engine
        self._end = finalize(self, _end, engine, *folder)
        for pipe in (engine.stdin, engine.stdout, engine.stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)

    def _run(self, command: list[str], *files: int) -> None:
        folder = TemporaryDirectory(prefix="cribpi-engine-")

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(  # noqa: S603  runs the command that the user has configured
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder.name,
                env={"PATH": os.defpath},
                start_new_session=True,
                pass_fds=files,
            )

        try:
            process = _STARTER.submit(start).result()
        except OSError as bad:
            folder.cleanup()
            raise EngineTrouble(f"it can't be started: {bad.strerror}") from None
        self._keep(process, folder)

    def _ask(self, lines: str, until: str, seconds: float) -> list[str]:
        """Send *lines*. Return the words after *until* in the first line of output that begins with *until*.

        The last of *lines* is the question. It is sent only after the engine has read the other lines. Output
        before that can't be an answer, and is discarded.

        Raises:
            EngineTrouble: If no such line arrives in time, or the engine writes too much, refuses, or exits.
        """
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise EngineTrouble("it is not running")
        before, newline, question = lines.encode().rpartition(b"\n")
        waiting, question = before + newline, question + b"\n"
        end, remaining = time.monotonic() + seconds, FLOOD
        self._received = b""
        _read_all(process.stdout, remaining)
        with selectors.DefaultSelector() as pipes:
            pipes.register(process.stdout, selectors.EVENT_READ)
            if process.stderr is not None:
                pipes.register(process.stderr, selectors.EVENT_READ)
            if waiting:
                pipes.register(process.stdin, selectors.EVENT_WRITE)
            while True:
                while b"\n" in self._received:
                    line, _, self._received = self._received.partition(b"\n")
                    match line.decode("utf-8", "replace").split():
                        case [word, *rest] if word == until and not question:
                            return rest
                        case ["cannot" | "error", *rest]:
                            raise EngineTrouble("it refused", " ".join(rest))
                if question and not waiting and not _unread(process, process.stdin):
                    if some := _read_all(process.stdout, remaining):
                        remaining -= len(some)
                        self._received += some
                        continue
                    waiting, question = question, b""
                    pipes.register(process.stdin, selectors.EVENT_WRITE)
                patience = end - time.monotonic()
                if patience <= 0:
                    raise EngineTrouble(f"it did not answer within {seconds:g} seconds", self._last_error())
                if is_unread := bool(question and not waiting):
                    time.sleep(_LOOK)  # a selector can't wait for less than a millisecond
                for ready, _ in pipes.select(0 if is_unread else patience):
                    if ready.fileobj is process.stdin:
                        try:
                            waiting = waiting[os.write(ready.fd, waiting) :]
                        except OSError:  # the engine has closed its stdin; keep reading its stdout
                            waiting = question = b""
                        if not waiting:
                            pipes.unregister(process.stdin)
                        continue
                    try:
                        some = os.read(ready.fd, 65_536)
                    except ConnectionResetError:  # the engine has exited before it read all input
                        some = b""
                    remaining -= len(some)
                    if remaining < 0:
                        raise EngineTrouble(f"it wrote more than {FLOOD:,} bytes for one answer")
                    if ready.fileobj is process.stdout:
                        self._received += some
                        if not some:
                            raise self._ended(process)
                    else:
                        self._errors = (self._errors + some)[-REMEMBERED:]
                        if not some:
                            pipes.unregister(ready.fileobj)

    def _ended(self, process: _EngineProcess) -> EngineTrouble:
        """Return the error for an engine that has exited, with the last line of its standard error."""
        if isinstance(process, _Served):
            return EngineTrouble("it ended")
        try:
            code = process.wait(EXIT)
        except subprocess.TimeoutExpired:
            return EngineTrouble("it closed its output", self._last_error())
        with suppress(OSError, AttributeError):
            self._errors += os.read(process.stderr.fileno(), REMEMBERED)  # type: ignore[union-attr]
        names = {sig.value: sig.name for sig in signal.Signals}
        how = names.get(-code) or names.get(code - _OF_SIGNALS) or f"exit code {code}"
        return EngineTrouble(f"it ended with {how}", self._last_error())

    def _last_error(self) -> str:
        lines = self._errors.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")
