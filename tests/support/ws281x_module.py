"""The real Python module rpi_ws281x 5.0.0 on top of the stand-in for its C extension."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from support.ws281x import Extension
from support.ws281x_board import Board, Crash

FOLDER: Final = "CRIBPI_WS281X"
"""Environment variable with the folder of the library's Python part, which `make` unpacks.

There is no wheel.
"""

SEGFAULT: Final = 139
"""Exit code that a shell reports after a segmentation fault."""


def python_part() -> Path | None:
    """Return the folder of the real Python module, unpacked by `make` or installed, or None."""
    unpacked = Path(os.environ.get(FOLDER) or Path(sys.prefix) / "rpi_ws281x")
    for folder in (unpacked, Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))):
        if (folder / "rpi_ws281x" / "rpi_ws281x.py").is_file():
            return folder / "rpi_ws281x"
    return None


def need_python_part() -> None:
    """Skip the test if the real module is missing. If `make` should have fetched it, fail."""
    if python_part() is not None:
        return
    why = "the Python part of rpi-ws281x is not here: make test fetches it"
    if FOLDER in os.environ:
        pytest.fail(f"{why}, and did not, into {os.environ[FOLDER]}")
    pytest.skip(why)


@contextmanager
def real_module(board: Board) -> Iterator[Any]:
    """Yield the real Python module rpi_ws281x, on top of a stand-in for its extension on *board*.

    Raises:
        FileNotFoundError: If the module is missing.
    """
    folder = python_part()
    if folder is None:
        raise FileNotFoundError("rpi_ws281x is nowhere: run make test, which fetches it")
    names = ("_rpi_ws281x", "rpi_ws281x", "rpi_ws281x.rpi_ws281x")
    kept = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        sys.modules["_rpi_ws281x"] = Extension(board)
        spec = importlib.util.spec_from_file_location(
            "rpi_ws281x", folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        if spec is None or spec.loader is None:
            raise FileNotFoundError(f"{folder} holds no module")
        module = importlib.util.module_from_spec(spec)
        sys.modules["rpi_ws281x"] = module
        spec.loader.exec_module(module)
        yield module
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(kept)


def die_of_a_crash() -> None:
    """Make a `Crash` end this process like the real one.

    Python would only print an exception in an exit hook.
    """

    def raised(_self: object, *arguments: object) -> None:
        os.write(2, f"Crash: {arguments}\n".encode())
        os._exit(SEGFAULT)

    vars_of_crash: Any = Crash
    vars_of_crash.__init__ = raised
