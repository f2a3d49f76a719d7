"""Build the wheel, and lay it out with the tests in a folder that has no checkout of the code.

python tests/wheel/stage.py FOLDER

FOLDER then holds `dist/` with the wheel, and `apart/` with the tests and what they compare the program with.
A folder that is there already is laid out anew.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]

# The tests read the pages, the kits as text, and their own settings; none of these can be imported as cribpi.
COPIED = (
    "tests",
    "docs",
    "hardware",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "pyproject.toml",
    "constraints.txt",
    "floors.txt",
)
NEVER = shutil.ignore_patterns("__pycache__", ".hypothesis")


def stage(folder: Path) -> None:
    """Lay out *folder*: the wheel, and the tests apart from the code.

    Raises:
        subprocess.CalledProcessError: If the wheel cannot be built; its output was shown.
    """
    for old in (folder / "dist", folder / "apart"):
        shutil.rmtree(old, ignore_errors=True)
    apart = folder / "apart"
    apart.mkdir(parents=True)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(command, cwd=CHECKOUT, check=True)
    for name in COPIED:
        here = CHECKOUT / name
        if here.is_dir():
            shutil.copytree(here, apart / name, ignore=NEVER)
        else:
            shutil.copy(here, apart)


if __name__ == "__main__":
    stage(Path(sys.argv[1]).resolve())
