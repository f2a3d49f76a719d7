"""Cards are read in each way that people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.rules.errors import BadCard
from cribpi.cribbage.words.cards import parse_card, parse_cards

READ = [
    # text   printed  why
    ("A", "A", "a rank alone is a card of unknown suit"),
    ("10", "10", "ten has two signs"),
    ("t", "10", "and a letter, in either case"),
    ("TH", "10H", "which prints as 10"),
    ("as", "AS", "lower case serves"),
    (" 7c ", "7C", "spaces round a card are nothing"),
    ("Q\N{BLACK HEART SUIT}", "QH", "the suit signs serve"),
    ("9\N{BLACK DIAMOND SUIT}", "9D", "all of them"),
    ("2\N{BLACK CLUB SUIT}", "2C", "clubs"),
    ("K\N{BLACK SPADE SUIT}", "KS", "spades"),
]


@pytest.mark.parametrize(("text", "printed", "why"), READ)
def test_a_card_is_read_in_each_way_that_people_write_it(text: str, printed: str, why: str) -> None:
    assert str(parse_card(text)) == printed, why


NO_CARDS = [
    "",
    " ",
    "0",
    "7X",
    "1O",
    "joker",
    "7HH",
    "-2",
    "A2",
    "10T",
    "\u0661",
]


@pytest.mark.parametrize("text", NO_CARDS)
def test_what_is_no_card_is_refused_with_what_a_card_is(text: str) -> None:
    with pytest.raises(BadCard, match="is not a card: write a rank"):
        parse_card(text)


@given(st.lists(games.cards, max_size=8))
def test_rows_of_cards_are_read_and_printed_alike(cards: list[Card]) -> None:
    assert parse_cards(" ".join(map(str, cards))) == tuple(cards)


@given(st.text(max_size=5))
def test_any_text_is_a_card_or_is_no_card(text: str) -> None:
    try:
        card = parse_card(text)
    except BadCard:
        return
    assert parse_card(str(card)) == card
