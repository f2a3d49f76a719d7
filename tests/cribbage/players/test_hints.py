"""Hints: what the strongest level would do, why, and what is said where it can't."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from cribpi.cribbage.game.deal import Played
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.hints import hint
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.cards import parse_cards

BRIEF = 15
"""Cells that the glass has for a hint."""


def before(hand: str, players: int = 2, dealer: int = 0, scores: tuple[int, ...] = (0, 0)) -> SeatSight:
    return SeatSight(preset("standard", players), 0, dealer, scores, parse_cards(hand))


def in_play(hand: str, played: str, players: int = 2) -> SeatSight:
    """Return what pone sees who has laid away two kings (one), and after whose lead of a card the dealer
    played."""
    mine, theirs = parse_cards(played)
    away = parse_cards("KC KD")[: 2 if players == 2 else 1]
    sides = (0, 0) if players != 3 else (0, 0, 0)
    return SeatSight(
        preset("standard", players),
        0,
        players - 1,
        sides,
        parse_cards(hand),
        away,
        parse_cards("2D")[0],
        (Played(0, mine), Played(1, theirs)),
        pile=(mine, theirs),
        turn=0,
    )


def test_a_hint_on_laying_away_is_what_the_expert_does_and_says_what_it_brings() -> None:
    sight = before("5H 6C 7D JS QS KH")
    given = hint(sight, Random(1))
    assert set(given.cards) == set(opponent("expert", chance=Random(1)).discard(sight))
    assert "average" in given.words
    assert "You win" in given.words
    assert given.brief.startswith("hand ")


def test_a_hint_on_the_play_says_how_often_the_card_wins_and_the_next_best() -> None:
    sight = in_play("5H 6C 7D", "4S 8H")
    given = hint(sight, Random(1))
    assert given.cards == (opponent("expert", chance=Random(1)).play(sight),)
    assert re.search(r"You win [0-9.]+% from here, ([0-9.]+% |as )with the [567]$", given.words)
    assert given.brief.startswith("wins ")


@pytest.mark.parametrize(
    ("hand", "played", "said", "compared"),
    [
        ("7H 9C KS", "10S 4H", "Play the K. ", "You win 27.8% from here, 27.7% with the 9"),
        ("9H 6C 7D", "8S 8H", "Play the 9. ", "You win 46.9% from here, 46.7% with the 7"),
        (
            "AH 9C KS",
            "10S 4H",
            "Play the A: fifteen for two. An A makes a pair (22% chance that your opponent can). ",
            "You win 30.8% from here, 26.9% with the 9",
        ),
        (
            "8H 6C 2D",
            "4S 3H",
            "Play the 8, though the 2 would peg 3 now. ",
            "You win 31.7% from here, 28.8% with the 2",
        ),
    ],
)
def test_a_hint_on_the_play_says_what_is_pegged_at_once(
    hand: str, played: str, said: str, compared: str
) -> None:
    words = hint(in_play(hand, played), Random(1)).words
    assert words.startswith(said)
    assert words.endswith(compared)


@pytest.mark.parametrize(("players", "is_chance"), [(3, False), (4, True)])
def test_with_three_players_a_hint_speaks_of_points_alone(players: int, *, is_chance: bool) -> None:
    given = hint(before("5H 6C 7D JS QS", players, 1, (0,) * (3 if players == 3 else 2)), Random(1))
    assert len(given.cards) == 1
    assert ("You win " in given.words) == is_chance


def test_a_game_that_is_all_but_won_is_called_so() -> None:
    sight = before("5H 5C 5D JS QS KH", scores=(120, 0))
    assert "You win 100%" in hint(sight, Random(1)).words


@pytest.mark.parametrize("hand", ["5H 5C 5D JS QS KH", "10H 10C 10D 10S 9S AH", "4H 4C 5D 5S 6S 6H"])
@pytest.mark.parametrize("dealer", [0, 1])
def test_a_hint_has_room_on_the_glass(hand: str, dealer: int) -> None:
    assert len(hint(before(hand, dealer=dealer), Random(1)).brief) <= BRIEF


@pytest.mark.parametrize(
    ("sight", "said"),
    [
        (before("5 6 7 J Q K"), "The crib is not considered"),  # cards without suits: expert refuses them
        (replace(in_play("5H 6C 7D", "4S 8H"), scores=(60,)), "Later cards are not considered"),
    ],
)
def test_where_expert_fails_a_hint_is_thrifty_and_says_so(
    sight: SeatSight, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    given = hint(sight, Random(1))
    thrifty = Greedy()
    assert given.cards == (thrifty.discard(sight) if sight.starter is None else (thrifty.play(sight),))
    assert said in given.words
    assert "expert failed (see the log)" in given.words
    assert "thrifty gives one instead" in caplog.text
