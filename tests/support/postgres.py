"""A PostgreSQL server on a socket in a folder, or a skip with the reason."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from support.patience import PATIENCE

_HOMES: Final = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
_INITDB: Final = next((one / "initdb" for one in _HOMES if (one / "initdb").exists()), shutil.which("initdb"))

needs_postgres: Final = pytest.mark.skipif(
    _INITDB is None or find_spec("psycopg") is None,
    reason="no PostgreSQL here, so it was not tested; install the package postgresql, and psycopg",
)


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server without a network. Yield the address of an empty database."""
    assert _INITDB is not None
    bin_ = Path(_INITDB).resolve().parent
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short, because a socket's path has at most 107 bytes
    user = pwd.getpwnam("postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name)
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        os.chown(folder, user.pw_uid, user.pw_gid)
    who = {"user": user.pw_uid, "group": user.pw_gid} if os.getuid() == 0 else {}
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **who}
    subprocess.run(
        [bin_ / "initdb", "-D", data, "-U", "desk", "-A", "trust", "-N", "--locale=C", "-E", "UTF8"],
        check=True,
        **quiet,  # type: ignore[call-overload]
    )
    server = subprocess.Popen(
        [bin_ / "postgres", "-F", "-D", data, "-k", folder, "-c", "listen_addresses="],
        **quiet,  # type: ignore[call-overload]
    )
    try:
        ready = [bin_ / "pg_isready", "-h", folder, "-U", "desk", "-t", "1"]
        for _ in range(60):
            if subprocess.run(ready, check=False, **quiet).returncode == 0:  # type: ignore[call-overload]
                break
            if server.poll() is not None:
                raise AssertionError("PostgreSQL did not start")
        yield f"postgresql+psycopg://desk@/postgres?host={folder}"
    finally:
        server.send_signal(signal.SIGQUIT)  # immediate shutdown, because nothing must be kept
        server.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)
