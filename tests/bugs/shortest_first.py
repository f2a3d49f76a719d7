"""For pytest, while bugs are planted: the shortest tests first, and without those that were red before.

What it needs stands in the file that `CRIBPI_BUGS` names, which the run without a bug has written.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

NEAREST = ("tests/core/", "tests/entry/", "cribpi/")
"""Where the tests stand that come first: those of the core and the entry themselves."""

# The same examples each time, and no search for the shortest: that it is red is enough.
settings.register_profile(
    "planted",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)


def notes() -> Path:
    """Return the file that is kept between runs."""
    return Path(os.environ["CRIBPI_BUGS"])


def order(node: str, seconds: float) -> tuple[bool, float, str]:
    """Return when a test comes: by *seconds*, and those that only use the core after those of the core."""
    return (not node.startswith(NEAREST), seconds, node)


class Watch:
    """Notes how long each test takes and which are red, or sorts and selects by what was noted."""

    def __init__(self) -> None:
        """Read what was noted, if there is any."""
        self.known: dict[str, Any] | None = json.loads(notes().read_text()) if notes().exists() else None
        self.seconds: dict[str, float] = {}
        self.red: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.known is None:
            return
        seconds, red = self.known["seconds"], set(self.known["red"])
        items[:] = sorted(
            (item for item in items if item.nodeid not in red),
            key=lambda item: order(item.nodeid, seconds.get(item.nodeid, 0)),
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        node = report.nodeid
        self.seconds[node] = self.seconds.get(node, 0) + report.duration
        if report.failed:
            self.red.append(node)

    def pytest_sessionfinish(self) -> None:
        if self.known is None:
            notes().write_text(json.dumps({"seconds": self.seconds, "red": sorted(set(self.red))}))


def pytest_configure(config: pytest.Config) -> None:
    """Begin to watch."""
    config.pluginmanager.register(Watch())
