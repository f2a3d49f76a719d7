"""The desk's own Mosquitto broker: settings, users and access rules."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from cribpi.companion.files.atomic import write_whole
from cribpi.companion.mqtt.broker import LEVEL, Broker, is_level
from cribpi.cribbage.rules.errors import UserError

DESK: Final = "desk"
"""User name of the desk."""

SETTINGS: Final = Path(__file__).with_name("mosquitto")
"""Folder with templates of Mosquitto's settings."""

SECONDS: Final = 10.0
"""Timeout for starting and stopping, in seconds."""


def on_this_machine(address: str) -> str:
    """Return the local address at which to reach a server that listens at *address*."""
    # Mosquitto does not accept IPv4 at `::`.
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104  compared


class OwnBroker:
    """A Mosquitto broker for boards at *address*, with its files in *folder*.

    If *is_open*, it accepts everyone: for a trial on loopback. Otherwise each board has a password, and can
    publish only to its own topics.
    """

    def __init__(self, folder: Path, address: str, port: int, *, is_open: bool) -> None:
        """Raise UserError if Mosquitto is not installed."""
        self._program = _path_of("mosquitto")
        self._folder = folder
        self._settings, self._pid = folder / "mosquitto.conf", folder / "mosquitto.pid"
        self._users = folder / "users"
        self._address, self.port = address, port
        self._is_open = is_open
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def broker(self, board: str = "") -> Broker:
        """Return the desk's connection settings."""
        host = on_this_machine(self._address)
        if self._is_open:
            return Broker(host=host, port=self.port, board=board)
        return Broker(host, self.port, board, user=DESK, password_file=str(self._secret(DESK)))

    def add_board(self, board: str) -> str:
        """Create a board's password, replacing any earlier one, and return it.

        Raises:
            UserError: If the board's name is not a valid user name, or the password can't be saved.
        """
        if not is_level(board) or board == DESK:
            raise UserError(f'the board\'s name: {LEVEL}; "{DESK}" is the desk')
        password = secrets.token_urlsafe(15)
        self._save_password(board, password)
        if (process := self._running()) is not None:
            os.kill(process, signal.SIGHUP)  # reloads the users
        return password

    def start(self) -> None:
        """Start the broker and wait until it accepts connections.

        Raises:
            UserError: If the port is taken, or Mosquitto does not start.
        """
        host = self.broker().host
        self._end_orphan()
        with suppress(OSError), socket.create_connection((host, self.port), 1):
            raise UserError(
                f"port {self.port} is taken: stop the other broker, use it with --broker {host}, or choose "
                "another port with --broker-port"
            )
        self._write()
        log = self._folder / "mosquitto.log"
        with log.open("wb") as out:
            command = [self._program, "-c", str(self._settings)]
            self._process = subprocess.Popen(command, stdout=out, stderr=out)  # noqa: S603  no user input
        self._pid.write_text(str(self._process.pid), encoding="ascii")
        until = time.monotonic() + SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            with suppress(OSError), socket.create_connection((host, self.port), 1):
                if self._process.poll() is None:
                    return
            time.sleep(0.05)
        self.stop()
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise UserError(f"Mosquitto didn't start ({said[-1] if said else 'it gave no reason'})")

    def _running(self) -> int | None:
        """Return the running broker's process ID, even if a desk that was killed has started it, or None."""
        with suppress(OSError, ValueError):
            process = int(self._pid.read_text(encoding="ascii"))
            if str(self._settings).encode() in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0"):
                return process
        return None

    def _end_orphan(self) -> None:
        """Stop a broker that a killed desk left running. It would block the port."""
        until = time.monotonic() + SECONDS
        while (process := self._running()) is not None and time.monotonic() < until:
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)
            time.sleep(0.1)

    def stop(self) -> None:
        if self._process is None:
            return
        for _ in range(int(SECONDS)):
            self._process.terminate()  # repeated, as Mosquitto ignores a SIGTERM while starting up
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
                break
        else:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _secret(self, user: str) -> Path:
        return self._folder / f"{user}.password"

    def _write(self) -> None:
        lines = (SETTINGS / "common.conf").read_text(encoding="ascii")
        if self._is_open:
            lines += "allow_anonymous true\n"
        else:
            if not self._secret(DESK).exists():
                password = secrets.token_urlsafe(24)
                self._save_password(DESK, password)
                write_whole(self._secret(DESK), password.encode(), mode=0o600)
            write_whole(self._folder / "acl", (SETTINGS / "acl").read_bytes(), mode=0o600)
            lines += (SETTINGS / "closed.conf").read_text(encoding="ascii")
        if os.geteuid() == 0:
            lines += "user root\n"  # without root, Mosquitto could not read its root-owned folder
        lines = lines.format(port=self.port, address=self._address, folder=self._folder)
        self._settings.write_text(lines, encoding="utf-8")

    def _save_password(self, user: str, password: str) -> None:
        self._users.touch(0o600)
        command = [_path_of("mosquitto_passwd"), "-b", str(self._users), user, password]
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  a checked name
        if done.returncode:
            raise UserError(f"the password can't be saved ({done.stderr.decode(errors='replace').strip()})")


def _path_of(program: str) -> str:
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if found is None:
        raise UserError(f"{program} is not installed: sudo apt install mosquitto")
    return found
