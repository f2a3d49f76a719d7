"""The installed package, and the tests that are about the checkout instead."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import cribpi

PACKAGE = Path(cribpi.__file__).parent
APART = Path(__file__).resolve().parents[2]

# Tests of files that the wheel does not contain. A new test runs with the wheel until it is listed here.
LEFT_OUT = {
    "tests/bench": "measures, and proves nothing",
    "tests/bugs": "plants bugs in a copy of the checkout",
    "tests/bundle": "makes a bundle of the checkout",
    "tests/fresh": "clones the checkout into a bare Debian",
    "tests/house/test_docs.py": "compares the pages with the rooms of the checkout",
    "tests/house/test_extend.py": "changes a copy of the checkout",
    "tests/house/test_words.py": "reads the texts of the checkout's source",
    "tests/house/test_docs_keys.py::test_the_computers_keys_are_those_of_the_page": "reads the page's source",
    "tests/house/test_docs_reference_rules.py::test_every_rule_that_is_named_is_one": "reads the source",
    "tests/house/test_docs_reference_rules.py::"
    "test_what_the_reasons_look_up_by_kind_event_and_phase_is_there": "reads the source",
    "tests/install": "installs from the checkout, by what lies in systemd/",
    "tests/wheel/test_wheel.py": "builds the wheel from the checkout",
}


@cache  # called for every module after every test; without the cache, that took a third of the run
def is_installed(file: str) -> bool:
    """Return whether *file* belongs to the installed package in this virtual environment."""
    path = Path(file)
    return path.is_relative_to(sys.prefix) and path.is_relative_to(PACKAGE)
