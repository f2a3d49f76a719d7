"""Cards are printed in one way, which is read again, and one pack must be able to hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games

from cribpi.cribbage.game.cards import CARDS, Card, Rank, Suit, check_possible
from cribpi.cribbage.rules.errors import BadCard, ImpossibleCards
from cribpi.cribbage.words.cards import parse_cards


@given(games.cards)
def test_parse_and_print_are_inverses(card: Card) -> None:
    assert Card.parse(str(card)) == card


@given(st.text(max_size=5))
def test_what_str_never_writes_is_refused(text: str) -> None:
    if text not in CARDS:
        with pytest.raises(BadCard, match="is not a card"):
            Card.parse(text)


def test_pips_are_ace_low_and_court_cards_ten() -> None:
    assert [rank.pips for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert [rank.symbol for rank in Rank] == "A 2 3 4 5 6 7 8 9 10 J Q K".split()


POSSIBLE = [
    # cards     why
    ("7 7 7 7", "a pack has four of a rank"),
    ("7H 7 7 7", "three unknown ones can be the others"),
    ("7H 7D 7C 7S", "all four, by name"),
    ("", "nothing is always possible"),
]


@pytest.mark.parametrize(("text", "why"), POSSIBLE)
def test_cards_that_one_pack_can_hold_are_possible(text: str, why: str) -> None:
    assert why
    check_possible(parse_cards(text))


IMPOSSIBLE = [
    # cards          says
    ("7 7 7 7 7", "5 cards of rank 7"),
    ("7H 7 7 7C 7", "5 cards of rank 7"),
    ("K 7H Q 7H", "7H twice"),
]


@pytest.mark.parametrize(("text", "says"), IMPOSSIBLE)
def test_cards_that_no_pack_holds_are_refused_with_their_rank(text: str, says: str) -> None:
    with pytest.raises(ImpossibleCards, match=f"{says}: .*enter the right card") as refused:
        check_possible(parse_cards(text))
    assert refused.value.rank == 7


@given(st.lists(games.cards, max_size=10))
def test_cards_are_possible_just_when_their_unknown_suits_can_be_filled_in(cards: list[Card]) -> None:
    left = set(games.PACK)
    fits = True
    for card in sorted(cards, key=lambda card: card.suit is None):  # those that are known first
        found = [one for one in left if one.rank is card.rank and card.suit in {None, one.suit}]
        fits = fits and bool(found)
        left -= set(found[:1])
    if fits:
        check_possible(cards)
    else:
        with pytest.raises(ImpossibleCards):
            check_possible(cards)


def test_suits_are_the_four_letters() -> None:
    assert "".join(Suit) == "CDHS"
