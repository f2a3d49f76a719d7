"""What makes a run of pytest one over the installed package; session.py loads it, in each process that runs tests."""

from __future__ import annotations

import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

import cribpi

PACKAGE = Path(cribpi.__file__).parent
APART = Path(__file__).resolve().parents[2]

# What a test is about that the wheel does not hold.  A new file runs here until it stands in this table.
LEFT_OUT = {
    "tests/bench": "measures, and proves nothing",
    "tests/bugs": "plants bugs in a copy of the checkout",
    "tests/fresh": "clones the checkout into a bare Debian",
    "tests/house/test_docs.py": "compares the pages with the rooms of the checkout",
    "tests/house/test_docs_keys.py::test_the_computers_keys_are_those_of_the_page": "reads the page's source",
    "tests/house/test_docs_reference_rules.py::test_every_rule_that_is_named_is_one": "reads the source",
    "tests/house/test_docs_reference_rules.py::"
    "test_what_the_reasons_look_up_by_kind_event_and_phase_is_there": "reads the source",
    "tests/test_install.py": "installs from the checkout, by what lies in systemd/",
    "tests/test_unit.py": "reads the unit, which lies in systemd/",
    "tests/test_wheel.py": "builds the wheel from the checkout",
}


def is_installed(file: str) -> bool:
    """Return whether *file* lies in this virtual environment, in the package as installed."""
    path = Path(file)
    return path.is_relative_to(sys.prefix) and path.is_relative_to(PACKAGE)


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
