"""Keeps one engine in the service: systemd starts it for a connection, by `cribpi-engine@.service`.

The first line that comes is the command; the engine has the connection from then on.  This ends as soon as
the engine does, or the connection, and systemd kills what is left.
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
    *("sh", "-c", '"$@"; exit $?', "sh"),  # the first process of a namespace ignores signals: not the engine
)
"""Starts a program in a PID namespace, without capabilities, so that it can't signal the keeper."""


def main() -> None:
    """Start the engine, and wait for an end."""
    line = b""
    while not line.endswith(b"\n"):
        some = os.read(0, 1)  # what comes after it is for the engine
        if not some:
            return
        line += some
    command = (*_APART, *shlex.split(line.decode()))
    engine = subprocess.Popen(command, env={"PATH": os.defpath})  # noqa: S603  what was asked for
    ends = select.poll()
    ends.register(0, 0)  # which tells when it is closed at the other end
    ends.register(os.pidfd_open(engine.pid), select.POLLIN)
    ends.poll()


if __name__ == "__main__":
    main()
