"""Advice and reviews as a program asks for them: the same as the commands give."""

from __future__ import annotations

import pytest

import cribpi
from cribpi import Card, Game, ParseError, RuleError
from cribpi.cribbage.api.weighing import Scores
from cribpi.cribbage.rules.errors import UserError

HAND = "5H 6C 7D JS QS KH"


def test_the_score_decides_where_points_do_not() -> None:
    """With one to go pone needs no crib: it shows first, and has a point in any hand but few."""
    late = cribpi.advise("AH 2C 9D 9S KS KH", dealer=False, score=(120, 110))
    early = cribpi.advise("AH 2C 9D 9S KS KH", dealer=False)
    assert [way.away for way in early] != [way.away for way in late]
    wins = [way.win for way in late if way.win is not None]
    assert len(wins) == 15
    assert wins[0] > 0.8


def test_a_seat_of_a_game_is_advised_by_what_it_sees() -> None:
    game = Game(["ANN", "BOB"], dealer=1)
    game.play(f"dealt 0 {HAND}")
    asked = cribpi.advise(game.sight(0))
    assert asked == cribpi.advise(HAND, dealer=False)
    nothing = "seat 0 has nothing to decide now: ask for the seat whose turn it is"
    game.play("laid-away 0 6C 7D")
    with pytest.raises(RuleError, match=nothing):
        cribpi.advise(game.sight(0))
    for line in ("dealt 1 8H 8C 8D 9S 2C 3D", "laid-away 1 2C 3D", "starter AS", "JS"):
        game.play(line)
    with pytest.raises(RuleError, match=nothing):
        cribpi.advise(game.sight(0))
    found = cribpi.advise(game.sight(1))
    assert found == cribpi.advise(
        "8H 8C 8D 9S", play=[Card.parse("JS")], starter="AS", discards="2C 3D", dealer=True
    )
    for line in ("8H", "QS"):
        game.play(line)
    assert cribpi.advise(game.sight(1)) == ()
    assert cribpi.advise("8C 8D 9S", play="JS 8H QS", starter="AS") == ()


def test_three_and_four_are_advised_too() -> None:
    three, four = cribpi.rules(players=3), cribpi.rules(players=4)
    ways = cribpi.advise("5H 6C 7D JS QS", dealer=True, rules=three)
    assert {(len(way.away), way.win) for way in ways} == {(1, None)}
    assert len(cribpi.advise("9 J 4 4", play="7 K", rules=four)) == 3


def test_nobody_is_advised_when_the_game_is_over() -> None:
    game = Game(["ANN", "BOB"], dealer=1)
    for line in (f"dealt 0 {HAND}", "laid-away 0 6C 7D", "starter AS", "penalty 1 +120", "5H", "10C"):
        game.play(line)
    assert game.state.winner == 1
    with pytest.raises(RuleError, match="the game is over: there is nothing left to decide"):
        cribpi.advise(game.sight(0))


def test_a_discard_needs_to_know_whose_crib_it_is_and_nothing_of_the_play() -> None:
    with pytest.raises(ParseError, match="whose crib is it"):
        cribpi.advise(HAND)  # type: ignore[call-overload]
    with pytest.raises(ParseError, match="starter belongs to the play: give the cards of this count as play"):
        cribpi.advise(HAND, dealer=True, starter="9S")  # type: ignore[call-overload]


REFUSED: list[tuple[str, Scores, type[Exception], str]] = [
    (f"{HAND} AC", "0-0", ParseError, "has 7 cards: with 2 players you are dealt 6"),
    ("5H 6C 7D JS QS K", "0-0", ParseError, "K has no suit: give each card with its suit"),
    ("5H 6C 7D JS QS 5H", "0-0", RuleError, "5H twice"),
    (HAND, (121, 3), ParseError, "score 121-3: 121 has won a game to 121"),
    (HAND, "many", ParseError, "score many: write your score and your opponent's"),
]


@pytest.mark.parametrize(("hand", "score", "error", "words"), REFUSED)
def test_what_cannot_be_asked_is_refused_with_its_remedy(
    hand: str, score: Scores, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        cribpi.advise(hand, dealer=True, score=score)


def test_cards_that_cannot_have_been_played_are_refused() -> None:
    with pytest.raises(UserError, match="check the cards, their order and who dealt"):
        cribpi.advise("9 J 2", play="7 8", dealer=True)


@pytest.mark.parametrize(
    ("play", "words"),
    [("K Q J A", "is 31, a count that is over; "), ("K Q J 2", "is 32, over 31: a count ends")],
)
def test_a_count_of_31_is_over_and_one_above_is_none(play: str, words: str) -> None:
    with pytest.raises(ParseError, match=words):
        cribpi.advise("9 J 3", play=play, dealer=True)


NO_PLAY: list[tuple[str, dict[str, str], str]] = [
    ("9 J 3 4 5", {"play": "7"}, "hand '9 J 3 4 5': .* one to four cards left"),
    ("", {"play": "7"}, "one to four cards left"),
    ("9 J 3", {"play": "7", "starter": "AS 2S"}, "starter 'AS 2S': .* one card"),
    ("9 J 3", {"play": "7", "discards": "AS"}, "discards 'AS': with 2 players you discard 2"),
    ("9 J 3", {"play": "K Q J 2"}, "play 'K Q J 2' is 32"),
]


@pytest.mark.parametrize(("hand", "cards", "words"), NO_PLAY)
def test_what_is_no_play_is_refused_by_what_was_given(hand: str, cards: dict[str, str], words: str) -> None:
    with pytest.raises(ParseError, match=words):
        cribpi.advise(hand, dealer=True, **cards)


@pytest.mark.parametrize("name", ["before", "starter", "discards"])
def test_what_belongs_to_the_play_is_refused_by_its_name_without_one(name: str) -> None:
    with pytest.raises(ParseError, match=f"{name} belongs to the play"):
        cribpi.advise(HAND, dealer=True, **{name: "9S"})


def test_of_four_it_is_a_side_that_does_not_deal() -> None:
    four = cribpi.rules(players=4)
    assert len(cribpi.advise("9 J 4 4", play="7 K", dealer=False, rules=four)) == 3
    with pytest.raises(UserError, match="who dealt"):  # who plays second is the dealer's partner
        cribpi.advise("9 J 4 4", play="7", dealer=False, rules=four)


def test_a_game_is_reviewed_as_far_as_it_was_played() -> None:
    game = Game(["ANN", "BOB"], seed=1, dealer=0)
    for _ in range(6):
        game.play(game.legal()[0])
    found = cribpi.review(game)
    assert [(one.seat, str(one.which)) for one in found.decisions[:2]] == [(1, "discard"), (0, "discard")]
    assert found.state == game.state
