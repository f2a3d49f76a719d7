"""The desk of a club night in a separate process."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.broker import free_port
from support.patience import PATIENCE
from support.program import command


@contextmanager
def desk(
    folder: Path,
    *arguments: str,
    host: str = "127.0.0.1",
    stderr: Any = subprocess.PIPE,  # noqa: ANN401  what Popen takes
) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Run `cribpi club` with its files in *folder*. Yield the process, its URL and its password."""
    port = free_port()
    (folder / "tmp").mkdir(exist_ok=True)
    process = subprocess.Popen(
        command("club", *arguments, "--listen", f"{host}:{port}"),
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env=os.environ
        | {"TMPDIR": str(folder / "tmp"), "XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
    )
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline()]
        while lines[-1] and "The night is at" not in lines[-1]:
            lines.append(process.stdout.readline())
        assert lines[-1], process.communicate()[1]
        password = re.search(r"password is (\w+)", "".join(lines))
        assert f"at http://{host}:{port}/ and its desk at http://{host}:{port}/desk" in lines[-1]
        yield process, f"http://{host}:{port}", password[1] if password else ""
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)
