"""What a review says of a card in the play: the one thing that decides."""

from __future__ import annotations

import pytest

from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.play_inference import Cards, sight_of_cards
from cribpi.cribbage.review import reasons
from cribpi.cribbage.review.decisions import Decision, DecisionOption, Which, options_of
from cribpi.cribbage.review.lines import _signed
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


def decision(which: Which, *options: DecisionOption) -> Decision:
    """Return the choice of the last of *options*, of which the first is the best, before the play."""
    hand = parse_cards("5H 6C 7D JS QS KH")
    return Decision(1, 1, 0, which, SeatSight(STANDARD, 0, 1, (60, 64), hand), options[-1], options)


@pytest.mark.parametrize(
    ("brought", "says"),
    [
        (1.9, " and gives up 0.1 points"),
        (2.0, ""),
        (2.1, ", though it scores 0.1 points more"),
        (3.0, ", though it scores 1.0 point more"),
    ],
)
def test_points_are_told_where_a_tenth_of_one_shows(
    monkeypatch: pytest.MonkeyPatch, brought: float, says: str
) -> None:
    monkeypatch.setattr(reasons, "because", lambda _decision, _whose: "")
    best, chosen = parse_cards("6C 7D"), parse_cards("QS KH")
    said = sentence(
        decision(Which.DISCARD, DecisionOption(best, 0.5, 2.0), DecisionOption(chosen, 0.4, brought)),
        ("ANN", "BEN"),
    )
    assert said == f"Q-K to BEN crib wins 10.0% less often than 6-7{says}"


@pytest.mark.parametrize("part", range(3))
def test_a_part_that_is_worth_as_much_on_average_is_not_said_to_be_worth_less(
    monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    """From some scores a hand of the same average wins less often."""
    monkeypatch.setattr(reasons, "costs", lambda _decision: tuple(0.1 * (at == part) for at in range(3)))
    parts = (8.0, -4.0, 0.3)
    best, chosen = parse_cards("6C 7D"), parse_cards("QS KH")
    away = decision(
        Which.DISCARD, DecisionOption(best, 0.5, 4.3, parts), DecisionOption(chosen, 0.4, 4.3, parts)
    )
    what = ("the hand", "BEN's crib", "the play")[part]
    assert reasons.because(away, "BEN's") == (
        f": on average {what} is worth at least as much, but from this score it is worth less"
    )


@pytest.mark.parametrize(
    ("change", "says"), [(-0.0004, "+0.0"), (0.0004, "+0.0"), (-0.0006, "-0.1"), (0.123, "+12.3")]
)
def test_a_change_of_nothing_has_no_minus(change: float, says: str) -> None:
    assert _signed(change) == says
