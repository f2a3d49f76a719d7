"""For mutmut: what was counted before a change was made is counted again.

It changes a process that has run all tests, so their results lie in caches and would hide the change.  And it
tries each change by those tests alone that have come to the changed function, which a cache keeps most from.
"""

from __future__ import annotations

import os
import sys

from cribpi.cribbage.words import worth


def pytest_sessionstart() -> None:
    _forget()


def pytest_runtest_setup() -> None:
    if os.environ.get("MUTANT_UNDER_TEST") == "stats":  # it notes now which tests come to which function
        _forget()


def _forget() -> None:
    worth._rank_points.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("cribpi."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
