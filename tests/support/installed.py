"""A pytest plugin for testing the installed package. tests/wheel/session.py loads it in each process."""

from __future__ import annotations

import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from support.wheel import APART, LEFT_OUT, PACKAGE, is_installed


def pytest_report_header() -> list[str]:
    """Report what is tested, and which tests are left out for which reason."""
    version = distribution("cribpi").version
    left_out = [f"left out: {path} ({reason})" for path, reason in LEFT_OUT.items()]
    return [f"cribpi {version} as installed in {PACKAGE}", *left_out]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out tests of the checkout, and tests in a browser."""
    if collection_path.name.endswith("_in_browser.py"):
        return True
    outside = not collection_path.is_relative_to(APART)
    return True if not outside and collection_path.relative_to(APART).as_posix() in LEFT_OUT else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out single tests of the checkout."""
    left_out = [item for item in items if item.nodeid in LEFT_OUT]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item.nodeid not in LEFT_OUT]


def pytest_runtest_teardown() -> None:
    """Fail a test after which a module of cribpi was imported from outside of the installation.

    Raises:
        AssertionError: With the names of those modules.
    """
    strays = sorted(
        f"{name} from {module.__file__}"
        for name, module in sys.modules.items()
        if name.partition(".")[0] == "cribpi" and not is_installed(str(module.__file__))
    )
    if strays:
        raise AssertionError(f"not the wheel was tested, but: {', '.join(strays)}")
