"""For mutmut: what was counted before a change was made is counted again.

It changes a process that has run all tests, so their results lie in caches and would hide the change.
"""

from __future__ import annotations

import sys

from cribpi.cribbage.words import worth


def pytest_sessionstart() -> None:
    worth._rank_points.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("cribpi."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
