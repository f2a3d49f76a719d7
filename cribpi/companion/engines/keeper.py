"""Runs one engine for the service. systemd starts it for each connection, by `cribpi-engine@.service`.

The first line received is the command. All further input is for the engine. This program exits as soon as the
engine exits or the connection closes; systemd then kills the remaining processes.
"""

from __future__ import annotations

import os
import select
import shlex
import subprocess
from typing import Final

_APART: Final = (
    *("unshare", "--pid", "--fork", "--kill-child"),
    *("setpriv", "--ambient-caps=-all", "--inh-caps=-all"),
    # The first process of a namespace ignores signals, so it must be the shell and not the engine.
    *("sh", "-c", '"$@"; exit $?', "sh"),
)
"""Command prefix for a PID namespace without capabilities. The engine then can't signal this program."""


def main() -> None:
    """Start the engine, and wait until it exits or the connection closes."""
    line = b""
    while not line.endswith(b"\n"):
        some = os.read(0, 1)  # byte by byte, because the bytes after the line are for the engine
        if not some:
            return
        line += some
    command = (*_APART, *shlex.split(line.decode()))
    # Runs the command that the service has sent.
    engine = subprocess.Popen(command, env={"PATH": os.defpath})  # noqa: S603
    ends = select.poll()
    ends.register(0, 0)  # an empty event mask still reports a closed connection
    ends.register(os.pidfd_open(engine.pid), select.POLLIN)
    ends.poll()


if __name__ == "__main__":
    main()
