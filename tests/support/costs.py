"""The cost of tests: which cases are expensive, according to a measured run.

tests/costs.json has the seconds of the most expensive cases. These cases together take SHARE of the total
time, separately for cases in a browser and for all others. They are marked `dear`: `make test` leaves them
out, CI runs them. A case in tests/bugs/found.json is never dear, because it found a planted bug in the last
run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import accumulate, takewhile
from typing import Final

import pytest

from support.paths import TESTS

TABLE: Final = TESTS / "costs.json"
FOUND: Final = TESTS / "bugs" / "found.json"
SHARE: Final = 0.86
SHOWN: Final = 10
"""Maximum number of new dear cases that a run names."""
LANES: Final = ("browser", "others")
COLLECTED: Final = pytest.StashKey[frozenset[str]]()
"""Node ids of all collected cases, before any is deselected."""

Seconds = Mapping[str, float]
"""Seconds of each case, by node id."""


@cache
def table() -> dict[str, dict[str, float]]:
    """Return the measured seconds of the dear cases, by lane and node id."""
    kept: dict[str, dict[str, float]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return kept


@cache
def dear() -> frozenset[str]:
    """Return the node ids of the cases that `make test` leaves out."""
    found = json.loads(FOUND.read_text(encoding="utf-8"))
    return frozenset[str]().union(*table().values()) - frozenset(found.values())


def dearest(seconds: Seconds) -> dict[str, float]:
    """Return the smallest set of cases that together take SHARE of all *seconds*.

    >>> dearest({"a": 6.0, "b": 3.0, "c": 1.0})
    {'a': 6.0, 'b': 3.0}
    """
    by_cost = sorted(seconds, key=lambda node: (-seconds[node], node))
    before = accumulate((seconds[node] for node in by_cost), initial=0.0)
    most = SHARE * sum(seconds.values())
    within = takewhile(lambda one: one[1] < most, zip(by_cost, before, strict=False))
    return {node: seconds[node] for node, _ in within}


def unlisted(seconds: Seconds, listed: Seconds) -> dict[str, float]:
    """Return the cases that are not in *listed* although they cost as much as one that is.

    The dearest comes first.

    Times are scaled, so that a slower machine does not matter.

    >>> unlisted({"a": 12.0, "b": 6.0, "new": 8.0, "cheap": 5.0}, {"a": 6.0, "b": 3.0})
    {'new': 8.0}
    """
    ran = [node for node in listed if node in seconds]
    if not ran:
        return {}
    slower = sum(seconds[node] for node in ran) / sum(listed[node] for node in ran)
    least = slower * min(listed.values())
    new = [node for node, took in seconds.items() if node not in listed and took >= least]
    return {node: seconds[node] for node in sorted(new, key=lambda node: (-seconds[node], node))}


def one_each(items: Iterable[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the first case of each test that is not dear, and all other cases."""
    first: dict[tuple[object, ...], pytest.Item] = {}
    rest = []
    for item in items:
        test = (item.parent, getattr(item, "originalname", item.name))
        if item.get_closest_marker("dear") or item.get_closest_marker("prove") or test in first:
            rest.append(item)
        else:
            first[test] = item
    return list(first.values()), rest


class Costs:
    """A pytest plugin that adds up the time of each case with its fixtures, also across worker processes."""

    def __init__(self, *, keep: bool) -> None:
        """With *keep*, this run replaces the table.

        Otherwise the end of the run names cases missing in the table.
        """
        self._keep = keep
        self._seconds: dict[str, dict[str, float]] = {lane: {} for lane in LANES}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        lane = self._seconds["browser" if "browser" in report.keywords else "others"]
        lane[report.nodeid] = lane.get(report.nodeid, 0.0) + report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        say = terminalreporter.write_line
        if self._keep:
            chosen = {lane: sorted(dearest(seconds).items()) for lane, seconds in self._seconds.items()}
            kept = {lane: {node: round(took, 2) for node, took in cases} for lane, cases in chosen.items()}
            TABLE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            table.cache_clear()
        for lane, seconds in self._seconds.items():
            listed = table().get(lane, {})
            took = sum(seconds.get(node, 0.0) for node in listed)
            whole = sum(seconds.values())
            say(f"{lane}: {len(seconds)} cases in {whole:.0f} s; {len(listed)} dear in {took:.0f} s")
            new = unlisted(seconds, listed)
            if new:
                say(f"as dear, and not in the table of costs ({len(new)}):")
            for node, cost in list(new.items())[:SHOWN]:
                say(f"  {cost:5.1f} s  {node}")
