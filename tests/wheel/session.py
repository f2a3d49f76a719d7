"""Run pytest over the installed package: no browser, nothing about the checkout, and no cribpi but the
wheel's.

python -P tests/wheel/session.py [PYTEST'S ARGUMENTS], in the folder `apart` that stage.py made.  A name of a
test file or folder among the arguments stands for all of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # also where pytest-xdist runs tests

import pytest
from support.wheel import APART, LEFT_OUT, PACKAGE, is_installed

import cribpi


def main(arguments: list[str]) -> int:
    """Return pytest's exit code; 2 if what would be tested is not the installed wheel.

    The doctests of the package are part of the whole, as in the checkout.
    """
    gone = [path for path in LEFT_OUT if not (APART / path.partition("::")[0]).exists()]
    if gone:
        sys.stderr.write(f"LEFT_OUT names {', '.join(gone)}: not there any more; take it from the table\n")
        return 2
    if not is_installed(cribpi.__file__):
        sys.stderr.write(
            f"cribpi comes from {cribpi.__file__}: run this with the Python that has the wheel\n"
        )
        return 2
    named = any((APART / argument.partition("::")[0]).exists() for argument in arguments)
    whole = [] if named else ["tests", str(PACKAGE)]
    common = ["-c", str(APART / "pyproject.toml"), "--rootdir", str(APART), "-m", "not browser and not prove"]
    return pytest.main(["-p", "support.installed", *common, *arguments, *whole])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
