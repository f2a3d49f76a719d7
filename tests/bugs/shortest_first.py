"""For pytest, while bugs are planted: the shortest tests first, and without those that are red without a bug.

Without a bug it notes how long each test takes and which are red, in the file that `CRIBPI_BUGS_NOTE` names,
of all tests or of those in the file `CRIBPI_BUGS_ONLY`.  With one it reads the file `CRIBPI_BUGS`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

NEAREST = ("tests/cribbage/game/", "tests/companion/entry/", "tests/companion/views/", "cribpi/")
"""Where the tests stand that come first: those of the pure parts themselves, before those that play whole
games."""

# The same examples each time, and no search for the shortest: that it is red is enough.
settings.register_profile(
    "planted",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)


def order(node: str, seconds: float) -> tuple[bool, float, str]:
    """Return when a test comes: by *seconds*, and those that only use the pure parts after those of the
    parts."""
    return (not node.startswith(NEAREST), seconds, node)


class Noting:
    """Notes how long each test takes and which are red."""

    def __init__(self, note: Path, only: Path | None) -> None:
        """Note in the file *note* the tests that the file *only* names, or all."""
        self.note = note
        self.only: set[str] | None = set(json.loads(only.read_text())) if only else None
        self.seconds: dict[str, float] = {}
        self.red: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.only is not None:
            items[:] = [item for item in items if item.nodeid in self.only]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        node = report.nodeid
        self.seconds[node] = self.seconds.get(node, 0) + report.duration
        if report.failed:
            self.red.append(node)

    def pytest_sessionfinish(self) -> None:
        self.note.write_text(json.dumps({"seconds": self.seconds, "red": sorted(set(self.red))}))


class Sorting:
    """Sorts and selects tests by what was noted without a bug."""

    def __init__(self, known: dict[str, Any]) -> None:
        """Take what is *known*."""
        self.seconds: dict[str, float] = known["seconds"]
        self.red = set(known["red"])

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid not in self.red),
            key=lambda item: order(item.nodeid, self.seconds.get(item.nodeid, 0)),
        )


def pytest_configure(config: pytest.Config) -> None:
    """Begin to note, or to sort."""
    if note := os.environ.get("CRIBPI_BUGS_NOTE"):
        only = os.environ.get("CRIBPI_BUGS_ONLY")
        config.pluginmanager.register(Noting(Path(note), Path(only) if only else None))
    elif known := os.environ.get("CRIBPI_BUGS"):
        config.pluginmanager.register(Sorting(json.loads(Path(known).read_text())))
