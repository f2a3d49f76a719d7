"""The page on reviews gives the thresholds of the marks as they are."""

from __future__ import annotations

import re

from support import pages

from cribpi.review.marks import BY_CHANCE, BY_POINTS, Mark


def test_the_docs_have_the_thresholds() -> None:
    rows = re.findall(
        r"^\| (\w+) \| ([\d.]+) % or more \| ([\d.]+) or more \|$",
        pages.read(pages.DOCS / "reference" / "review.md"),
        re.MULTILINE,
    )
    assert [(float(chance) / 100, Mark(name)) for name, chance, _ in reversed(rows)] == [*BY_CHANCE]
    assert [(float(points), Mark(name)) for name, _, points in reversed(rows)] == [*BY_POINTS]
