"""The lines of the engine interface: what is written is read back, and what cannot be is refused."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engines import sights_of
from support.games import random_house

from cribpi.cribbage.engine.lines import (
    GoRequest,
    LineError,
    read_bestmove,
    read_go,
    read_newgame,
    read_position,
    write_bestmove,
    write_go,
    write_newgame,
    write_position,
)
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.rules.rules import Rules, preset

PLAYERS = {2: "0", 3: "0-0", 4: "0"}


@given(st.randoms(use_true_random=False))
def test_what_a_seat_sees_in_any_game_is_read_back(chance: Random) -> None:
    rules = random_house(chance)
    for sight in sights_of(rules, chance):
        word, *words = write_position(sight).split(" ")
        assert word == "position"
        assert read_position(words, rules) == sight


@given(st.randoms(use_true_random=False).map(random_house))
def test_any_rules_are_read_back_but_for_their_name(rules: Rules) -> None:
    word, *words = write_newgame(rules).split(" ")
    assert word == "newgame"
    assert replace(read_newgame(words), name=rules.name) == rules


def test_a_game_without_options_is_the_standard_one() -> None:
    assert read_newgame([]) == preset("standard")
    assert read_newgame(["players", "4"]) == preset("standard", 4)


@given(st.none() | st.integers(0, 86_400_000), st.none() | st.integers(0, 99))
def test_what_is_asked_is_read_back(movetime: int | None, multi: int | None) -> None:
    asked = GoRequest(movetime, multi)
    assert read_go(write_go(asked).split()[1:]) == asked


@given(st.lists(st.sampled_from(PACK), min_size=1, max_size=2))
def test_an_answer_is_read_back(cards: list[object]) -> None:
    assert list(read_bestmove(write_bestmove(cards).split()[1:])) == cards  # type: ignore[arg-type]


DISCARD = "seat 0 dealer 1 scores 96-101 hand 5H,6C,7D,JS,QS,KH"
PLAY = "seat 0 dealer 1 scores 96-101 hand 6C,7D starter 9S discards 5H,KH plays 0:JS,1:4D,0:QS,1:go"


def test_the_examples_of_the_refusals_are_read() -> None:
    for text in (DISCARD, PLAY, f"{PLAY} pile JS,4D,QS"):
        read_position(text.split(), preset("standard"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DISCARD.replace("seat 0 ", ""), "seat is missing"),
        (DISCARD.replace("seat 0", "seat 2"), "seat '2': write a number from 0 to 1"),
        (DISCARD.replace("seat 0", "seat -1"), "seat '-1': write a number from 0 to 1"),
        (f"{DISCARD} seat 0", "seat comes twice"),
        (f"{DISCARD} plays", "plays lacks its value"),
        (f"{DISCARD} crib 1", "'crib' is not expected here"),
        (DISCARD.replace("96-101", "96"), "scores '96': write one for each of 2 sides"),
        (DISCARD.replace("96-101", "96-121"), "scores '121': write a number from 0 to 120"),
        (DISCARD.replace("5H", "5h"), "hand: '5h' is not a card"),
        (DISCARD.replace(",KH", ""), "without a starter a seat has the 6 cards it was dealt"),
        (DISCARD.replace("5H", "6C"), "6C twice"),
        (f"{DISCARD} plays 0:5H", "without a starter a seat has the 6 cards it was dealt"),
        (
            PLAY.replace("hand 6C,7D", "hand 6C"),
            "with a starter a seat has 4 cards, played or in hand, and 2 in",
        ),
        (PLAY.replace("starter 9S", "starter 9S,9C"), "starter '9S,9C': write one card"),
        (PLAY.replace("starter 9S", "starter 5H"), "5H twice"),
        (PLAY.replace(",1:go", ""), "it is not the turn of seat 0 after these plays"),
        (PLAY.replace("1:4D", "1:6C"), "6C twice"),
        (
            PLAY.replace("0:JS,1:4D,0:QS,1:go", "0:JS,1:go,0:QS"),
            "seat 1 can't say go: at a count of 10 every card fits",
        ),
        (PLAY.replace("dealer 1", "dealer 0"), "it is seat 1's turn, not seat 0's"),
        (PLAY.replace("1:4D", "4D"), "plays: '4D' is not a play; write SEAT:CARD or SEAT:go"),
        (PLAY.replace("1:4D", "2:4D"), "plays, seat '2': write a number from 0 to 1"),
        (f"{PLAY} pile JS,4D", "pile 'JS,4D': after these plays it is JS,4D,QS"),
        (f"{PLAY} past 0/9S/0:5H", "past '0/9S/0:5H': write DEALER/STARTER/PLAYS, with every card"),
        (f"{PLAY} past 0:5H", "past '0:5H': write DEALER/STARTER/PLAYS"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_a_sentence(text: str, why: str) -> None:
    with pytest.raises(LineError) as refused:
        read_position(text.split(), preset("standard"))
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("players 5", "players=5 is not offered"),
        ("target 500", "a target of 500 is not offered"),
        ("colour red", "'colour' is not expected here"),
        ("heels", "heels lacks its value"),
        ("players 2 deal five", "deal=five is not for 2 players"),
    ],
)
def test_rules_that_cannot_be_are_refused_with_a_sentence(text: str, why: str) -> None:
    with pytest.raises(LineError) as refused:
        read_newgame(text.split())
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize("words", [[], ["5H", "KH"], ["5H,"], [""]])
def test_an_answer_that_is_not_cards_is_refused(words: list[str]) -> None:
    with pytest.raises(LineError):
        read_bestmove(words)
