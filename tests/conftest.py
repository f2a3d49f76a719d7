"""What every test shares: how much of a law is tried, and the option that runs the long proofs."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import is_hypothesis_test, settings
from support import costs
from support import samples as samples  # noqa: PLC0414  it makes the profiles
from support.patience import PATIENCE

settings.load_profile("sample")

# Threads of numpy that wait for each other spin meanwhile: where processors are busy, that costs four times
# as much as it brings.  It reads this when it is imported, here and in every program that a test starts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# httpx gives every answer 5 s, which a busy machine does not keep; some lanes are without it.
with suppress(ImportError):
    from httpx._config import DEFAULT_TIMEOUT_CONFIG as OF_HTTPX

    OF_HTTPX.connect = OF_HTTPX.read = OF_HTTPX.write = OF_HTTPX.pool = PATIENCE

_FIGURES: Final = "figures"
_MEMORY: Final = "/dev/shm"  # noqa: S108  pytest makes a folder of its own there
_ROOM: Final = 1024**3
"""Bytes that must be free there; what a test leaves is gone when it has passed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--prove", action="store_true", help="run the long proofs too, and whole what is sampled"
    )
    parser.addoption(
        "--one-each", action="store_true", help="run one case of each test, and none that is dear"
    )
    parser.addoption(
        "--costs",
        choices=("tell", "keep"),
        help="tell which cases are as dear as those of tests/costs.json and not in it, or make it anew",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is imported, as a test says by then how many examples it takes.

    Folders are made in memory where there is room: those tests that ask about syncs have the kernel or a
    library answer them, and no disk.
    """
    gc.disable()  # what is made while tests are collected lives as long as they do
    if "TMPDIR" not in os.environ and _has_room():
        os.environ["TMPDIR"], tempfile.tempdir = _MEMORY, None
    if config.getoption("--prove") and not config.getoption("--hypothesis-profile"):
        settings.load_profile("whole")
    if config.getoption("--costs") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(costs.Costs(keep=config.getoption("--costs") == "keep"))


def pytest_collection_finish() -> None:
    """Leave the tests themselves out of what each collection of garbage looks through from now on."""
    gc.freeze()
    gc.enable()


def _has_room() -> bool:
    try:
        memory = os.statvfs(_MEMORY)
    except OSError:
        return False
    may_run = not memory.f_flag & os.ST_NOEXEC  # some tests write a program and start it
    return may_run and os.access(_MEMORY, os.W_OK) and memory.f_bavail * memory.f_frsize >= _ROOM


@pytest.fixture(autouse=True)
def _lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no folder be in memory, as those of the tests are on some machines; `support.lasting` has more."""
    monkeypatch.setattr("cribpi.companion.files.mounts.MOUNTS", "/nowhere")


@pytest.fixture(scope="session")
def whole(pytestconfig: pytest.Config) -> bool:
    """Return whether to try all that there is, as `make prove` does, and not a sample of it."""
    return bool(pytestconfig.getoption("--prove"))


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Return what takes the figures of a proof, in words: they stand at the end of the run."""
    return lambda words: record_property(_FIGURES, words)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed"):
        for name, words in report.user_properties:
            if name == _FIGURES:
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {words}")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    skip = pytest.mark.skip(reason="a long proof, whole: `make prove` (or --prove) runs it")
    config.stash[costs.COLLECTED] = frozenset(item.nodeid for item in items)
    for item in items:
        if item.nodeid in costs.dear():
            item.add_marker("dear")
        if is_hypothesis_test(getattr(item, "obj", None)) or "whole" in getattr(item, "fixturenames", ()):
            item.add_marker("sampled")
        if "prove" in item.keywords and not config.getoption("--prove"):
            item.add_marker(skip)
    if config.getoption("--one-each"):
        items[:], rest = costs.one_each(items)
        config.hook.pytest_deselected(items=rest)
