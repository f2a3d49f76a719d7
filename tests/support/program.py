"""The program as a separate process that runs to its end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.patience import PATIENCE


def command(*words: object) -> list[str]:
    """Return the command that runs cribpi with *words*, with the Python that runs the tests."""
    return [sys.executable, "-m", "cribpi", *map(str, words)]


def ended(
    *words: object,
    typed: str = "",
    encoding: str = "utf-8",
    folder: Path | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run cribpi with *words* in *folder*, until it ends. Return its exit code and output."""
    return subprocess.run(
        command(*words),
        input=typed,
        capture_output=True,
        encoding=encoding,
        timeout=PATIENCE,
        check=False,
        cwd=folder,
        env=os.environ | environment,
    )
