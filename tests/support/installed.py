"""What makes a run of pytest one over the installed package; tests/wheel/session.py loads it, for each
process."""

from __future__ import annotations

import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from support.wheel import APART, LEFT_OUT, PACKAGE, is_installed


def pytest_report_header() -> list[str]:
    """Say what is tested, and what is not and why."""
    version = distribution("cribpi").version
    left_out = [f"left out: {path} ({reason})" for path, reason in LEFT_OUT.items()]
    return [f"cribpi {version} as installed in {PACKAGE}", *left_out]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out what is about the checkout, and the files of the browser."""
    if collection_path.name.endswith("_in_browser.py"):
        return True
    outside = not collection_path.is_relative_to(APART)
    return True if not outside and collection_path.relative_to(APART).as_posix() in LEFT_OUT else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the single tests that are about the checkout."""
    left_out = [item for item in items if item.nodeid in LEFT_OUT]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item.nodeid not in LEFT_OUT]


def pytest_runtest_teardown() -> None:
    """Fail the test after which any module of cribpi was imported from elsewhere than the installation.

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
