"""Advice is what the expert does, with the figures behind it."""

from __future__ import annotations

from random import Random

import pytest

from cribpi.analysis.pack import PACK
from cribpi.core.cards import parse_cards
from cribpi.core.presets import preset
from cribpi.opponents.advice import advise, sight_for, target_scores
from cribpi.opponents.levels import opponent
from cribpi.opponents.throwing import ways_of


@pytest.mark.parametrize("seed", range(6))
def test_the_expert_follows_the_advice(seed: int) -> None:
    chance = Random(seed)
    hand, scores = chance.sample(PACK, 6), (chance.randrange(121), chance.randrange(121))
    sight = sight_for(hand, is_dealer=bool(seed % 2), scores=scores)
    best = advise(sight)[0]
    assert set(opponent("expert", chance=chance).lay_away(sight)) == set(best.away)


def test_hand_and_crib_are_those_of_the_exact_ways() -> None:
    sight = sight_for(parse_cards("2H 3C 7D JS QC KS"), is_dealer=False, scores=(40, 60))
    exact = {frozenset(way.away): way for way in ways_of(sight)}
    for row in advise(sight):
        way = exact[frozenset(row.away)]
        assert (row.hand, row.crib) == (way.hand, -way.crib)
        assert row.points == pytest.approx(row.hand + row.crib + (row.play or 0))


def test_what_is_not_the_best_is_said_to_lack_something() -> None:
    rows = advise(sight_for(parse_cards("5H 6C 7D JS QS KH"), is_dealer=True, scores=(0, 0)))
    assert rows[1].why.startswith("3.5 less in the hand, 0.1 less in your own crib, 1.")
    assert "more in the play" in rows[1].why
    assert all(row.why.endswith("beside the best way") for row in rows[1:])


def test_partners_have_one_crib() -> None:
    rules = preset("standard", 4)
    hand = parse_cards("5H 6C 7D JS QS")
    partner = sight_for(hand, is_dealer=True, scores=(0, 0), rules=rules)
    assert advise(partner)[0].crib > 0
    assert "your own crib" in advise(partner)[0].why
    assert target_scores(rules, 3, 4) == (3, 4)
    assert target_scores(preset("standard", 3), 3, 4) == (3, 4, 4)
