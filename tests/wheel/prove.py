"""Install the wheel in a virtual environment of its own, and pass the tests that need no browser there.

python tests/wheel/prove.py [--staged FOLDER] [--extras pi] [PYTEST'S ARGUMENTS]

FOLDER is what stage.py laid out; without it the wheel is built into a temporary folder first.  This script
imports nothing of the house, so that it runs with a Python that has nothing installed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Of the extra dev what these tests import: types and style are no matter of the wheel, and take long to
# unpack.
TOOLS = (
    "pytest",
    "pytest-timeout",
    "pytest-xdist",
    "hypothesis",
    "httpx",
    "playwright",
    "ezdxf",
    "trimesh",
    "reportlab",
    "svglib",
    "zeroconf",
    "paho-mqtt",
    "sqlalchemy",
    "jinja2",
    "networkx",
    "fastjsonschema",
    "zxing-cpp",
    "pettingzoo",
)


def prove(folder: Path, extras: str, arguments: list[str]) -> int:
    """Return the exit code of pytest over the wheel in *folder*.

    Raises:
        subprocess.CalledProcessError: If the wheel cannot be installed; pip's words were shown.
    """
    apart = folder / "apart"
    (wheel,) = (folder / "dist").glob("*.whl")
    venv.create(folder / "venv", clear=True, with_pip=True)
    python = str(folder / "venv" / "bin" / "python")
    # Neither the caller's path nor the folder of a script may lend the wheel another cribpi.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-q", "install", "--no-compile"]
    # No byte code yet: compiling all that comes along would take longer than the few modules that are used.
    if uv := os.environ.get("UV"):  # see the Makefile
        pip = [uv, "pip", "install", "-q", "--system-certs", "--python", python]
    pip += ["-c", str(apart / "constraints.txt"), f"{wheel}{extras}", *TOOLS]
    subprocess.run(pip, cwd=folder, env=environ, check=True)
    session = [python, "-P", str(apart / "tests" / "wheel" / "session.py"), *arguments]
    return subprocess.run(session, cwd=apart, env=environ, check=False).returncode


def main() -> int:
    """Prove the wheel of the arguments."""
    parser = argparse.ArgumentParser(description="pass the tests with the installed wheel")
    parser.add_argument("--staged", type=Path, help="what stage.py laid out; else a temporary folder is")
    parser.add_argument("--extras", default="", help="the wheel's extras that are installed, as pi")
    given, arguments = parser.parse_known_args()
    extras = f"[{given.extras}]" if given.extras else ""
    if given.staged:
        return prove(given.staged.resolve(), extras, arguments)
    with tempfile.TemporaryDirectory(prefix="cribpi-wheel-") as temporary:
        subprocess.run([sys.executable, HERE / "stage.py", temporary], check=True)
        return prove(Path(temporary).resolve(), extras, arguments)


if __name__ == "__main__":
    sys.exit(main())
