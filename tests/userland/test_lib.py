"""What the scripts of a bare Debian are lent of this machine's way to its packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def setting(name: str, **variables: str) -> str:
    """Return pip's setting *name* as the scripts find it, with these *variables* in the environment."""
    asked = f'set -euo pipefail; . "{HERE}/lib.sh" tests; pip_setting {name}'
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    done = subprocess.run(
        ["bash", "-c", asked],
        env=kept | {"PYTHON": sys.executable} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_setting_is_found_in_whichever_file_it_stands(tmp_path: Path) -> None:
    # `pip config get` reads one file only: without certificates named in another, nothing installed.
    file = tmp_path / "pip.conf"
    file.write_text("[global]\ntimeout = 77\n")
    assert setting("timeout", PIP_CONFIG_FILE=str(file)) == "77"


def test_a_variable_goes_before_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pip.conf"
    file.write_text("[global]\ntimeout = 77\n")
    assert setting("timeout", PIP_CONFIG_FILE=str(file), PIP_TIMEOUT="88") == "88"


def test_a_setting_that_is_nowhere_is_empty(tmp_path: Path) -> None:
    assert setting("proxy", PIP_CONFIG_FILE=str(tmp_path / "nowhere.conf")) == ""
