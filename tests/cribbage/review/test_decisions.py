"""Marks and accuracy: by the thresholds of the docs, and by what each decision lost."""

from __future__ import annotations

import pytest

from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.review.decisions import (
    BY_CHANCE,
    BY_POINTS,
    Decision,
    DecisionOption,
    Mark,
    Which,
    accuracy,
    mark,
)
from cribpi.cribbage.review.review import Review
from cribpi.cribbage.rules.rules import STANDARD
from cribpi.cribbage.words.cards import parse_cards


def test_accuracy_is_the_mean_of_what_each_decision_counts() -> None:
    assert accuracy([0.08, 0.0], is_chance=True) == pytest.approx(0.75)
    assert accuracy([0.16], is_chance=True) == pytest.approx(0.25)
    assert accuracy([3.0], is_chance=False) == pytest.approx(0.5)
    assert accuracy([0.0, 0.0], is_chance=True) == 1.0
    assert accuracy([0.05], is_chance=True) == pytest.approx(0.65, abs=0.005), (
        "it was 0.31: no such play is a third right"
    )
    assert accuracy([], is_chance=True) is None


@pytest.mark.parametrize(("chosen", "found"), [("6C 7D", 1.0), ("JS QS", 0.5), ("QS KH", 0.5)])
def test_a_choice_between_things_as_good_as_each_other_is_in_no_accuracy(chosen: str, found: float) -> None:
    """Else who has little to decide is better than who decides as well."""
    hand, ways = parse_cards("5H 6C 7D JS QS KH"), ("6C 7D", "JS QS", "QS KH")
    sight = SeatSight(STANDARD, 0, 1, (60, 64), hand)

    def decision(chances: tuple[float, ...], cards: str) -> Decision:
        options = [
            DecisionOption(parse_cards(way), chance, 0.0) for way, chance in zip(ways, chances, strict=True)
        ]
        return Decision(1, 1, 0, Which.DISCARD, sight, options[ways.index(cards)], tuple(options))

    of_no_matter, counts = decision((0.5, 0.5, 0.5), "QS KH"), decision((0.5, 0.42, 0.42), chosen)
    state = step(NEW_TABLE, GameStarted(("ANN", "BEN"), STANDARD, dealer=1))
    assert Review(state, (of_no_matter, counts, of_no_matter), None, ()).accuracy(0) == pytest.approx(found)
    assert Review(state, (of_no_matter,), None, ()).accuracy(0) is None


@pytest.mark.parametrize("steps", [BY_CHANCE, BY_POINTS], ids=["chance", "points"])
def test_a_mark_begins_at_its_threshold(steps: tuple[tuple[float, Mark], ...]) -> None:
    is_chance = steps is BY_CHANCE
    for least, name in steps:
        assert mark(least, is_chance=is_chance) is name
        assert mark(least - 1e-6, is_chance=is_chance) is not name
    assert mark(0.0, is_chance=is_chance) is Mark.BEST
