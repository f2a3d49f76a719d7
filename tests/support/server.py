"""The companion as a separate process, and a simple HTTP client."""

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
    """Run `cribpi run --sim` at a free port, and stop it at the end. Yield the process and its URL.

    *python* are Python's arguments in place of cribpi's module. *popen* are further arguments of Popen.
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
        "1",  # a fixed seed, so that no test depends on the cut or the deal
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
    """GET *url*, or POST *body* to it as JSON. Return the status and the JSON of the response."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310  our own server
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  as above
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.loads(refused.read())
