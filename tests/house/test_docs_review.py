"""The pages on reviews give the thresholds of the marks as they are, and review the game of their pictures."""

from __future__ import annotations

import re

from pictures.docs import past_game
from pictures.scenes import REVIEWED
from support import pages

from cribpi.cribbage.record import parse
from cribpi.cribbage.review.decisions import BY_CHANCE, BY_POINTS, Mark


def test_the_docs_have_the_thresholds() -> None:
    rows = re.findall(
        r"^\| (\w+) \| ([\d.]+) % or more \| ([\d.]+) or more \|$",
        pages.read(pages.DOCS / "reference" / "review.md"),
        re.MULTILINE,
    )
    assert [(float(chance) / 100, Mark(name)) for name, chance, _ in reversed(rows)] == [*BY_CHANCE]
    assert [(float(points), Mark(name)) for name, _, points in reversed(rows)] == [*BY_POINTS]


def test_the_game_that_is_reviewed_is_that_of_the_pictures() -> None:
    (record,) = pages.linked(pages.DOCS / "tutorial" / "review.md", ".crib")
    (seed,) = REVIEWED
    assert list(parse(pages.read(record))) == past_game(seed)
