"""A mutmut plugin that clears caches before each mutation is tested.

mutmut forks a process that has run all tests. Cached results there would hide a mutation. Also, mutmut tries
only the tests that have reached the mutated function, and a cache keeps most tests from it.
"""

from __future__ import annotations

import os
import sys

from cribpi.cribbage.words import worth


def pytest_sessionstart() -> None:
    _forget()


def pytest_runtest_setup() -> None:
    # In this phase, mutmut records which tests reach which function.
    if os.environ.get("MUTANT_UNDER_TEST") == "stats":
        _forget()


def _forget() -> None:
    worth._rank_points.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("cribpi."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
