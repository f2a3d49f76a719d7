"""Run pytest over the installed package: no browser, nothing about the checkout, and no cribpi but the wheel's.

python -P tests/wheel/session.py [PYTEST'S ARGUMENTS], in the folder `apart` that stage.py made.  A name of a test
file or folder among the arguments stands for all of them.
"""

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

# For an emulated processor, where each example costs ten to twenty times as much, and for a quick look at it all.
FEW = "few"
EXAMPLES = 10


class Installed:
    """What is collected and refused here, as pytest's hooks."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        """Make the profile of few examples: `--hypothesis-profile=few`."""
        from hypothesis import HealthCheck, settings  # noqa: PLC0415  pytest is to see it come

        slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
        settings.register_profile(
            FEW, deadline=None, max_examples=EXAMPLES, stateful_step_count=15, suppress_health_check=slow
        )

    def pytest_report_header(self) -> list[str]:
        """Say what is tested, and what is not and why."""
        version = distribution("cribpi").version
        left_out = [f"left out: {path} ({reason})" for path, reason in LEFT_OUT.items()]
        return [f"cribpi {version} as installed in {PACKAGE}", *left_out]

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out what is about the checkout, and the files of the browser."""
        if collection_path.name.endswith("_in_browser.py"):
            return True
        outside = not collection_path.is_relative_to(APART)
        return True if not outside and collection_path.relative_to(APART).as_posix() in LEFT_OUT else None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out the single tests that are about the checkout; let no test have more than its examples."""
        left_out = [item for item in items if item.nodeid in LEFT_OUT]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in LEFT_OUT]
        if config.getoption("--hypothesis-profile") == FEW:
            for item in items:
                have_few_examples(item)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail if any module of cribpi was imported from elsewhere than the installation."""
        strays = sorted(
            f"{name} from {module.__file__}"
            for name, module in sys.modules.items()
            if name.partition(".")[0] == "cribpi" and not is_installed(str(module.__file__))
        )
        if strays:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            sys.stderr.write(f"not the wheel was tested, but: {', '.join(strays)}\n")


def have_few_examples(item: pytest.Item) -> None:
    """Cut down the examples of a test that says itself how many it wants: a profile does not reach it."""
    from hypothesis import settings  # noqa: PLC0415  as above

    function = getattr(item, "obj", None)
    name = "_hypothesis_internal_use_settings"  # it has no other way
    wanted = getattr(function, name, None)
    if wanted is not None and wanted.max_examples > EXAMPLES:
        setattr(getattr(function, "__func__", function), name, settings(wanted, max_examples=EXAMPLES))


def is_installed(file: str) -> bool:
    """Return whether *file* lies in this virtual environment, in the package as installed."""
    path = Path(file)
    return path.is_relative_to(sys.prefix) and path.is_relative_to(PACKAGE)


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
    return pytest.main([*common, *arguments, *whole], plugins=[Installed()])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
