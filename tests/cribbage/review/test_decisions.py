"""Marks and accuracy: by the thresholds of the docs, and weighed by what was at stake."""

from __future__ import annotations

import pytest

from cribpi.cribbage.review.decisions import BY_CHANCE, BY_POINTS, Mark, accuracy, mark


def test_accuracy_is_the_share_of_what_could_be_won() -> None:
    assert accuracy([(0.1, 0.4), (0.0, 0.1)]) == pytest.approx(0.8)
    assert accuracy([(0.4, 0.4)]) == 0.0
    assert accuracy([(0.0, 0.4)]) == 1.0
    assert accuracy([(0.0, 0.0)]) is None
    assert accuracy([]) is None


@pytest.mark.parametrize("steps", [BY_CHANCE, BY_POINTS], ids=["chance", "points"])
def test_a_mark_begins_at_its_threshold(steps: tuple[tuple[float, Mark], ...]) -> None:
    is_chance = steps is BY_CHANCE
    for least, name in steps:
        assert mark(least, is_chance=is_chance) is name
        assert mark(least - 1e-6, is_chance=is_chance) is not name
    assert mark(0.0, is_chance=is_chance) is Mark.BEST
