"""What a review says of a card in the play: the one thing that decides."""

from __future__ import annotations

import pytest

from cribpi.cribbage.players.as_played import Cards, sight_of_cards
from cribpi.cribbage.review.decisions import Decision, Which, options_of
from cribpi.cribbage.review.report import sentence
from cribpi.cribbage.rules.rules import STANDARD
from cribpi.cribbage.words.cards import parse_cards


@pytest.mark.parametrize(
    ("hand", "pile", "starter", "chosen", "because"),
    [
        ("AH 9C KS", "10S 4H", "2D", "9", "the A pegs two for fifteen"),
        ("9 J 8", "7 8", "2H", "J", "the 8 pegs two for a pair"),
        (
            "5 4 A 2",
            "",
            "KH",
            "5",
            "a ten card makes fifteen, and the opponent can score on it 70% of the time, on the 4 21%",
        ),
        (
            "9 J 8",
            "7 8",
            "2H",
            "9",
            "a 6 makes a run of four, and the opponent can score on it 54% of the time, on the 8 18%",
        ),
        (
            "5 4 A",
            "10 J",
            "2H",
            "A",
            "a ten card makes thirty-one, and the opponent can score on it 79% of the time, on the 5 20%",
        ),
        (
            "8 6 2",
            "4 3",
            "2D",
            "2",
            "an A or 5 makes a run of four, and the opponent can score on it 85% of the time, on the 8 10%",
        ),
        (
            "5 4 A",
            "10 J",
            "2H",
            "4",
            "a 4 makes a pair, and the opponent can score on it 38% of the time, on the 5 20%",
        ),
    ],
)
def test_a_card_is_worse_by_what_it_lacks_by_a_reply_or_later(
    hand: str, pile: str, starter: str, chosen: str, because: str
) -> None:
    cards = Cards(parse_cards(hand), parse_cards(pile), (), parse_cards(starter)[0])
    sight = sight_of_cards(cards, STANDARD, (0, 1), (60, 64))
    options = options_of(sight, Which.PLAY)
    option = next(one for one in options if one.cards[0].rank.symbol == chosen)
    said = sentence(Decision(1, 1, 0, Which.PLAY, sight, option, options), ("ANN", "BEN"))
    assert said.startswith(f"The {chosen} " if pile else f"Leading the {chosen} ")
    assert said.endswith(f": {because}")
    assert "% less often than the " in said
