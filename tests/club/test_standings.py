"""What games bring, and who leads: by the ACC's points, then games won, then spread."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.club.pairings import pairings
from cribpi.club.standings import Result, standings

PLAYERS = ("ANN", "BOB", "CAT", "DOT")


@pytest.mark.parametrize(("score", "points"), [(120, 2), (91, 2), (90, 3), (61, 3), (60, 3), (0, 3)])
def test_a_win_is_two_and_three_over_a_skunk(score: int, points: int) -> None:
    ann, bob = standings(("ANN", "BOB"), [Result(1, 1, "ANN", "BOB", score)])
    assert (ann.player, ann.game_points, ann.wins, ann.spread) == ("ANN", points, 1, 121 - score)
    assert (bob.player, bob.game_points, bob.wins, bob.spread) == ("BOB", 0, 0, score - 121)


def test_a_forfeit_is_two_points_and_no_spread() -> None:
    ann, bob = standings(["ANN", "BOB"], [Result(1, 1, "ANN", "BOB", 0, forfeit=True)])
    assert (ann.as_read, ann.spread, ann.games, ann.plus) == ("2/1", 0, 1, 0)
    assert (bob.as_read, bob.spread, bob.games, bob.minus) == ("0/0", 0, 1, 0)


def test_ties_are_broken_by_wins_and_then_by_spread() -> None:
    results = [
        Result(1, 1, "ANN", "BOB", 80),  # 3
        Result(1, 2, "CAT", "DOT", 85),  # 3
        Result(2, 1, "ANN", "CAT", 85),  # 3: 6 by two games
        Result(2, 2, "DOT", "BOB", 119),  # 2
        Result(3, 1, "DOT", "ANN", 111),  # 2
        Result(3, 2, "CAT", "BOB", 100),  # 2
        Result(4, 1, "DOT", "CAT", 115),  # 2: 6 by three games
    ]
    found = standings(PLAYERS, results)
    assert [(one.rank, one.player, one.game_points, one.wins) for one in found] == [
        (1, "DOT", 6, 3),
        (2, "ANN", 6, 2),
        (3, "CAT", 5, 2),
        (4, "BOB", 0, 0),
    ]
    assert [one.qualifies for one in found] == [True, False, False, False]
    assert [(line.round, line.opponent, line.game_points, line.spread) for line in found[1].card] == [
        (1, "BOB", 3, 41),
        (2, "CAT", 3, 36),
        (3, "DOT", 0, -10),
    ]


def test_who_can_not_be_told_apart_shares_a_place_and_qualifies_together() -> None:
    even = [Result(1, 1, "ANN", "BOB", 100), Result(1, 2, "CAT", "DOT", 100)]
    found = standings(PLAYERS, even)
    assert [(one.rank, one.player, one.qualifies) for one in found] == [
        (1, "ANN", True),
        (1, "CAT", True),
        (3, "BOB", False),
        (3, "DOT", False),
    ]


@given(st.integers(2, 17), st.integers(1, 9), st.data())
def test_what_one_wins_another_loses(many: int, games: int, data: st.DataObject) -> None:
    players = [f"P{number}" for number in range(many)]
    results = []
    for number, one in enumerate(pairings(players, games), 1):
        for table in one.tables:
            winner, loser = data.draw(st.permutations(table.players))
            results.append(Result(number, table.board, winner, loser, data.draw(st.integers(0, 120))))
    found = standings(players, data.draw(st.permutations(results)))
    assert sum(one.spread for one in found) == 0
    assert sum(one.wins for one in found) == len(results)
    assert sum(one.game_points for one in found) == sum(2 + (one.score <= 90) for one in results)
    order = [(one.game_points, one.wins, one.spread) for one in found]
    assert order == sorted(order, reverse=True)
    assert -(-many // 4) <= sum(one.qualifies for one in found)
    assert found == standings(players, results), "in whatever order they come"
