"""How one game went: each side's score deal by deal, and its best hand."""

from __future__ import annotations

from random import Random

import pytest
from support.games import referee_game
from support.records import after

from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.results.games import best, course, next_game

DEAL = ("next", "next", "peg 0 4", "next", "peg 0 8", "peg 1 6", "peg 1 5")
"""B deals: A pegs 4 and has 8 in the hand; B has 6 in the hand and 5 in the crib."""


def played(seed: int) -> State:
    """Return the end of a game of two."""
    return fold(one.event for one in referee_game(Random(seed), 2, 121, suited=True))


def test_the_course_is_the_score_after_each_deal_and_as_it_stands() -> None:
    state = after('game "A" "B" entry=peg dealer=1', *DEAL, "next", "next", "peg 1 3")
    assert course(state.ledger) == ((12, 11), (12, 14))


def test_the_course_ends_with_the_score_that_the_game_ended_with() -> None:
    end = played(4)
    assert course(end.ledger)[-1] == end.scores()


def test_the_best_hand_is_the_first_of_those_worth_most() -> None:
    for seed in range(5):
        shows = played(seed).shows
        most = max(show.points for show in shows)
        assert best(shows) is next(show for show in shows if show.points == most)


def test_a_game_whose_cards_nobody_knows_has_no_best_hand() -> None:
    assert best(after('game "A" "B" entry=peg dealer=1', *DEAL, "put-right 0 121").shows) is None


@pytest.mark.parametrize(
    ("option", "dealer", "first"),
    [
        ("loser", 0, 0),
        ("winner", 0, 1),
        ("alternate", 0, 1),
        ("alternate", 1, 0),
        ("alternate", None, None),
        ("cut", 0, None),
    ],
)
def test_who_deals_the_next_game_first_is_as_the_option_says(
    option: str, dealer: int | None, first: int | None
) -> None:
    chosen = "" if dealer is None else f" dealer={dealer}"
    over = after(f'game "A" "B" entry=peg next_first_dealer={option}{chosen}', "put-right 1 121")
    assert (over.winner, next_game(over).dealer) == (1, first)


def test_the_next_game_seats_the_same_levels() -> None:
    over = after('game "A" "B" entry=dealt levels=person,medium dealer=0', "put-right 1 121")
    assert next_game(over).levels == over.levels == ("", "medium")
