"""The built wheel holds what the program needs and no more, and it runs.

These look at the wheel from the checkout; `make wheel-test` installs it and runs all the other tests with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.paths import CHECKOUT
from support.samples import some

from cribpi.companion.kit.reader import kit_names


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    """Lay out what the wheel holds as an installation would."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(wheel.parent / "site")
    return wheel.parent / "site"


def run(site: Path, *arguments: str) -> str:
    environ = {**os.environ, "PYTHONPATH": str(site)}
    code = (
        "import sys, cribpi; sys.stderr.write(cribpi.__file__); from cribpi.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=site, env=environ, check=True, capture_output=True, text=True)
    assert done.stderr.startswith(str(site)), "it is the wheel that runs, and not the checkout"
    return done.stdout


@pytest.mark.parametrize("kit", some([(kit,) for kit in kit_names()], 0, len(kit_names()) - 1))
def test_a_game_is_begun_on_each_kit_of_the_wheel(unpacked: Path, kit: str) -> None:
    out = run(unpacked, "simulate", "OK OK P1", "--kit", kit, "--json")
    states = [json.loads(line) for line in out.splitlines()]
    assert not any("error" in state for state in states)
    assert states[-1]["phase"] == "deal"


def test_the_wheel_scores_a_hand(unpacked: Path) -> None:
    assert run(unpacked, "score", "7H 8C 8D KS", "--starter", "9S").startswith("12: ")


def test_all_that_the_program_needs_is_in_the_wheel_byte_for_byte_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:  # not what is unpacked: running it adds bytecode
        inside = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    package = {
        path.relative_to(CHECKOUT).as_posix(): path.read_bytes()
        for path in (CHECKOUT / "cribpi").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    kits = {
        f"cribpi/kits/{kit}/kit.toml": (CHECKOUT / f"hardware/kits/{kit}/kit.toml").read_bytes()
        for kit in kit_names()
    }
    assert sorted(inside) == sorted(package | kits)
    assert inside == package | kits


def test_the_session_of_the_wheel_refuses_the_checkout() -> None:
    session = [sys.executable, str(CHECKOUT / "tests" / "wheel" / "session.py")]
    environ = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    refused = subprocess.run(session, env=environ, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"cribpi comes from {CHECKOUT}")
