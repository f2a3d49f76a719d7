"""The companion as a process of its own, and a hand at its door."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.patience import PATIENCE


@contextmanager
def companion(
    state: Path,
    *arguments: str,
    python: Sequence[str] = ("-m", "cribpi"),
    **popen: Any,  # noqa: ANN401  what Popen takes
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `cribpi run --sim` on any free port; give the process and its address, and end it.

    *python* is what Python runs in place of cribpi's module, and *popen* what else it is started with.
    """
    command = [
        sys.executable,
        *python,
        "run",
        "--sim",
        "--port",
        "0",
        "--state",
        str(state),
        "--seed",
        "1",  # so that no test hangs on what is cut or dealt
        *arguments,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **popen)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, next(word for word in line.split() if word.startswith("http"))
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()


def ask(url: str, body: object = None) -> tuple[int, Any]:
    """Get *url*, or post *body* to it as JSON; return the status and the JSON that came back."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310  our own server
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  as above
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.loads(refused.read())
