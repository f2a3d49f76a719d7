"""What `make fresh` refuses; what it does is a run of its own, as root."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from fresh.newcomer import PROMISED
from support import pages

RUN = Path(__file__).parent / "run"


def refusal(*arguments: str, path: str = os.environ["PATH"]) -> tuple[int, str]:
    environ = {**os.environ, "PATH": path}
    done = subprocess.run([RUN, *arguments], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize("promised", PROMISED)
def test_the_readme_has_what_a_newcomer_does(promised: str) -> None:
    assert promised in pages.read(pages.HOUSE / "README.md")


def test_without_root_it_says_so_and_stops(tmp_path: Path) -> None:
    somebody = tmp_path / "id"
    somebody.write_text("#!/bin/sh\necho 1000\n")
    somebody.chmod(0o755)
    assert refusal(path=f"{tmp_path}:{os.environ['PATH']}") == (
        2,
        "tests/fresh/run: a Debian root is made and entered by root; run it with sudo\n",
    )
