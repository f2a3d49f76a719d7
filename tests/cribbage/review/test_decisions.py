"""Marks and accuracy: by the thresholds of the docs, and by what each decision lost."""

from __future__ import annotations

import pytest

from cribpi.cribbage.review.decisions import BY_CHANCE, BY_POINTS, Mark, accuracy, mark


def test_accuracy_is_the_mean_of_what_each_decision_counts() -> None:
    assert accuracy([0.08, 0.0], is_chance=True) == pytest.approx(0.75)
    assert accuracy([0.16], is_chance=True) == pytest.approx(0.25)
    assert accuracy([3.0], is_chance=False) == pytest.approx(0.5)
    assert accuracy([0.0, 0.0], is_chance=True) == 1.0
    assert accuracy([0.05], is_chance=True) == pytest.approx(0.65, abs=0.005), (
        "it was 0.31: no such play is a third right"
    )
    assert accuracy([], is_chance=True) is None


@pytest.mark.parametrize("steps", [BY_CHANCE, BY_POINTS], ids=["chance", "points"])
def test_a_mark_begins_at_its_threshold(steps: tuple[tuple[float, Mark], ...]) -> None:
    is_chance = steps is BY_CHANCE
    for least, name in steps:
        assert mark(least, is_chance=is_chance) is name
        assert mark(least - 1e-6, is_chance=is_chance) is not name
    assert mark(0.0, is_chance=is_chance) is Mark.BEST
