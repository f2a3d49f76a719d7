"""Runs one engine for the service: systemd starts this for a connection, by `cribpi-engine@.service`.

The first line received is the command; after that the connection belongs to the engine. This program exits as
soon as the engine exits or the connection closes, and systemd kills the remaining processes.
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
    *("sh", "-c", '"$@"; exit $?', "sh"),  # a namespace's first process ignores signals; the engine must not
)
"""Starts a program in a PID namespace, without capabilities, so that it can't signal this program."""


def main() -> None:
    """Start the engine, and wait until it exits or the connection closes."""
    line = b""
    while not line.endswith(b"\n"):
        some = os.read(0, 1)  # byte by byte: the bytes after the line are for the engine
        if not some:
            return
        line += some
    command = (*_APART, *shlex.split(line.decode()))
    engine = subprocess.Popen(command, env={"PATH": os.defpath})  # noqa: S603  what was asked for
    ends = select.poll()
    ends.register(0, 0)  # without events, poll still reports that the other end has closed
    ends.register(os.pidfd_open(engine.pid), select.POLLIN)
    ends.poll()


if __name__ == "__main__":
    main()
