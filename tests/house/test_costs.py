"""The table of what the tests cost is of these tests: tests/costs.json, see tests/support/costs.py."""

from __future__ import annotations

import pytest
from support import costs
from support.paths import CHECKOUT


def test_each_dear_case_is_one_that_there_is(pytestconfig: pytest.Config) -> None:
    """Of the files that were collected: a run of all tests asks about all."""
    found = pytestconfig.stash[costs.COLLECTED]
    files = {node.partition("::")[0] for node in found}
    listed = [node for lane in costs.table().values() for node in lane]
    gone = [node for node in listed if node.partition("::")[0] in files and node not in found]
    gone += [node for node in listed if not (CHECKOUT / node.partition("::")[0]).is_file()]
    assert gone == [], "measure anew: make costs"


def test_one_of_each_leaves_the_first_case_of_every_test_that_is_not_dear(
    request: pytest.FixtureRequest,
) -> None:
    items = request.session.items
    first, rest = costs.one_each(items)
    assert sorted(item.nodeid for item in [*first, *rest]) == sorted(item.nodeid for item in items)
    tests = [item.nodeid.partition("[")[0] for item in first]
    assert len(set(tests)) == len(tests)
    not_there = {item.nodeid.partition("[")[0] for item in rest} - set(tests)
    dear = {node.partition("[")[0] for node in costs.dear()}
    assert not_there <= dear | {item.nodeid.partition("[")[0] for item in items if "prove" in item.keywords}
