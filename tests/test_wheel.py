"""The built wheel runs as the checkout does: kits, fonts and page are inside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cribpi.kit import kit_names

CHECKOUT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, and lay out what it holds as an installation would."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(site: Path, *arguments: str) -> str:
    environ = {**os.environ, "PYTHONPATH": str(site)}
    code = (
        "import sys, cribpi; sys.stderr.write(cribpi.__file__); from cribpi.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=site, env=environ, check=True, capture_output=True, text=True)
    assert done.stderr.startswith(str(site)), "it is the wheel that runs, and not the checkout"
    return done.stdout


@pytest.mark.parametrize("kit", kit_names())
def test_keys_are_pressed_on_each_kit_of_the_wheel(unpacked: Path, kit: str) -> None:
    last = run(unpacked, "simulate", "OK OK P1 J", "--kit", kit, "--json").splitlines()[-1]
    assert [side["front"] for side in json.loads(last)["sides"]] == [2, 0]


def test_the_wheel_scores_a_hand(unpacked: Path) -> None:
    assert run(unpacked, "score", "7H 8C 8D KS", "--starter", "9S").startswith("12: ")


def test_all_that_the_checkout_ships_is_in_the_wheel(unpacked: Path) -> None:
    inside = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    ours = [
        path
        for path in (CHECKOUT / "cribpi").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert {path.relative_to(CHECKOUT).as_posix() for path in ours} <= inside
    assert {f"cribpi/kits/{kit}/kit.toml" for kit in kit_names()} <= inside
