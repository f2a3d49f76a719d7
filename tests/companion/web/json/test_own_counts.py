"""What the page is told of a player's own count: the hand, what it is worth, and who takes the rest."""

from __future__ import annotations

from typing import Any

import pytest
from support import naive
from support.presses import PLAY, at

from cribpi.companion.web.json.page import counted_json
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry

HAND = ["3", "8", "9", "10"]
"""ANN's, worth six with the seven."""

TOLD = [
    # rules, keys after the play, claimed, points, pegged, missed, to
    ("acc-muggins", "2 OK", 2, 6, 2, 4, 1),
    ("acc-muggins", "GO", 0, 6, 0, 6, 1),
    ("acc", "2 OK", 2, 6, 2, 4, None),
    ("acc", "6 OK", 6, 6, 6, 0, None),
    ("acc", "K OK", 13, 6, 6, 0, None),
]


@pytest.mark.parametrize(("rules", "keys", "claimed", "points", "pegged", "missed", "to"), TOLD)
def test_a_count_is_told_with_what_it_is_worth(
    rules: str, keys: str, claimed: int, points: int, pegged: int, missed: int, to: int | None
) -> None:
    model = at(f"{PLAY} {keys}", rules)
    told: Any = counted_json(model.state)
    tally = told.pop("tally")
    assert told == {
        "seat": 0, "crib": False, "cards": HAND, "starter": "7", "claimed": claimed, "points": points,
        "pegged": pegged, "missed": missed, "to": to,
    }  # fmt: skip
    assert sum(line["missed"] for line in tally) == max(0, points - claimed)
    assert tally[-1]["total"] == points == naive.show(list(map(Card.parse, HAND)), Card.parse("7"))


def test_a_crib_is_told_when_the_next_deal_has_begun() -> None:
    told = counted_json(at(f"{PLAY} 6 OK GO 5 5 10 J 2 OK", "acc-muggins").state)
    assert told is not None
    assert (told["crib"], told["seat"], told["cards"], told["to"]) == (True, 1, ["5", "5", "10", "J"], 0)


def test_nothing_is_told_once_somebody_has_gone_on_nor_where_the_computer_counts() -> None:
    assert counted_json(at(f"{PLAY} 2 OK P1 P2 OK", "acc-muggins").state) is None
    assert counted_json(at(f"{PLAY} OK").state) is None
    assert counted_json(at("").state) is None


def test_a_count_that_is_compared_with_cards_in_a_game_by_points_is_told() -> None:
    told = counted_json(at("OK OK OK 8 FLNB 5 5 5 J 6 OK", entry=Entry.PEG, miscount="lost").state)
    assert told is not None
    assert (told["claimed"], told["points"], told["missed"]) == (8, 14, 6)
