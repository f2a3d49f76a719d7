"""A hand or a crib as a program asks for it: text or values, and errors that are all ValueErrors."""

from __future__ import annotations

import pytest

import cribpi
from cribpi import Card, ParseError, RuleError
from cribpi.cribbage.api.given import Cards

HAND = ("7H", "8C", "8D", "KS")


@pytest.mark.parametrize(
    ("hand", "starter"),
    [
        ("7H 8C 8D KS", "9S"),
        ("7h, 8c 8d kS 9s", None),
        ("7H 8C 8D KS | 9S", None),
        (HAND, Card.parse("9S")),
        ([Card.parse(card) for card in HAND], "9S"),
        ((*map(Card.parse, HAND), Card.parse("9S")), None),
    ],
)
def test_cards_are_text_or_values(hand: Cards, starter: Cards | None) -> None:
    counted = cribpi.score(hand, starter)
    assert (counted.points, counted.starter, counted.is_crib) == (12, Card.parse("9S"), False)
    assert [str(card) for card in counted.cards] == list(HAND)


def test_cards_may_come_one_after_the_other() -> None:
    assert cribpi.score(map(Card.parse, HAND), "9S").points == 12


def test_each_score_has_its_cards_and_its_rule() -> None:
    scores = cribpi.score("7H 8C 8D KS", "9S").scores
    assert [(str(one.kind), one.points) for one in scores] == [
        *[("fifteen", 2)] * 2,
        ("pair", 2),
        *[("run", 3)] * 2,
    ]
    assert [str(card) for card in scores[2].cards] == ["8C", "8D"]
    assert {one.why.source for one in scores} == {"board-set"}
    assert [one.why.rule for one in scores] == [str(one.kind) for one in scores]


def test_a_flush_in_the_crib_is_as_the_rules_have_it() -> None:
    crib = "2H 4H 8H KH"
    assert cribpi.score(crib, "6S").points == 4
    for counted in (cribpi.score(crib, "6S", crib=True), cribpi.score(f"{crib} | 6S crib")):
        assert (counted.points, counted.is_crib) == (0, True)
    four = cribpi.score(crib, "6S", crib=True, rules="computer-game")
    assert (four.points, four.scores[-1].why.rule) == (4, "crib_flush")
    changed = cribpi.rules(crib_flush="four")
    assert cribpi.score(crib, "6S", crib=True, rules=changed).scores[-1].why.source == "the house"


def test_suits_that_are_not_given_may_add_points() -> None:
    counted = cribpi.score("2H 4H 8H KH", "6")
    assert (counted.points, counted.may_be) == (4, (5,))


@pytest.mark.parametrize(
    ("hand", "starter", "error", "words"),
    [
        ("7H 8C 8D", "9S", ParseError, "has 3 cards and 1 starter: write four cards and the starter"),
        ("7H 8C 8D KS", None, ParseError, "no starter: write four cards and the starter"),
        ("", "9S", ParseError, "has 0 cards"),
        ("7H 8C 8D KS", "9S 10S", ParseError, "2 starters"),
        ("7H 8C 8D KX", "9S", ParseError, "KX"),
        ("5H 5C 5D 5S", "5", RuleError, "5 cards of rank 5: a pack has four"),
        ("7H 8C 8D KS", "7H", RuleError, "7H twice: a pack has it once"),
    ],
)
def test_what_is_not_a_hand_is_a_value_error_with_its_remedy(
    hand: str, starter: str | None, error: type[ValueError], words: str
) -> None:
    with pytest.raises(error, match=words):
        cribpi.score(hand, starter)


def test_at_five_card_a_hand_has_three_cards_and_a_crib_four() -> None:
    assert cribpi.score("7H 8H 9H", "KH", rules="five-card").points == 9
    assert cribpi.score("7H 8H 9H KH", rules="five-card").starter == cribpi.score("7H 8H 9H AC", "KH").starter
    assert cribpi.score("7H 8H 9H AH", "KH", crib=True, rules="five-card").points == 10
    assert cribpi.score("7H 8H 9H AH KH crib", rules="five-card").points == 10
    for hand in ("7H 8H 9H", "7H 8H 9H AH KH"):
        with pytest.raises(ParseError, match="write three cards and the starter, such as"):
            cribpi.score(hand, rules="five-card")


def test_rules_that_are_not_known_are_refused_for_any_hand() -> None:
    with pytest.raises(RuleError, match="rules 'none' are not known: choose one of standard"):
        cribpi.score("7H 8C 8D KS", "9S", rules="none")
