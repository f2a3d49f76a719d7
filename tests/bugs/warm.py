"""Runs pytest again and again, each time in a fork of a process that has loaded what does not change.

That takes a third of the time of a fresh interpreter.  Nothing of cribpi and none of its tests is loaded
here, so that each fork loads what lies in the files at that moment.  A line of JSON on standard input is an
order, and a line on standard output its exit code, or null for a hang.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

LOADED: Final = (
    *("pytest", "_pytest.doctest", "pytest_timeout", "_hypothesis_pytestplugin", "anyio.pytest_plugin"),
    *("hypothesis", "hypothesis.strategies", "hypothesis.stateful", "PIL.Image", "sqlite3"),
    *("playwright.sync_api", "starlette.applications", "uvicorn", "httpx"),
)
"""What the tests load that is not ours, and that starts no thread."""


def serve() -> None:
    """Do what standard input orders, until it ends."""
    for name in LOADED:
        with suppress(ImportError):  # then the tests load it themselves, or say that it is missing
            import_module(name)
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(order)
        print(json.dumps(_exit_code(child, order["seconds"])), flush=True)


def _run(order: dict[str, Any]) -> NoReturn:
    """Run pytest in this process, a group of its own, and end it with pytest's exit code."""
    code = 3  # pytest's own for a fault inside
    try:
        os.setsid()
        out = os.open(order["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(out, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.update(order["environment"])
        code = int(import_module("pytest").main(order["arguments"]))
    except BaseException as fault:  # noqa: BLE001  whatever it was, the process ends here
        Path(order["out"]).write_text(f"{fault!r}\n", encoding="utf-8")
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(code)


def _exit_code(child: int, seconds: float) -> int | None:
    """Return the exit code of *child*; after so many *seconds* end it and all that it has started."""
    watched = os.pidfd_open(child)
    has_ended = bool(select.select([watched], [], [], seconds)[0])
    os.close(watched)
    if not has_ended:
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if has_ended else None


if __name__ == "__main__":
    serve()
