"""Who meets whom: nobody twice where the numbers allow it, and all sit out alike."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.club.pairings import pairings


def names(many: int) -> list[str]:
    return [f"P{number}" for number in range(many)]


@given(st.integers(2, 41), st.integers(1, 60))
def test_everybody_plays_or_sits_out_and_nobody_meets_twice_too_soon(many: int, games: int) -> None:
    players = names(many)
    rounds = pairings(players, games)
    assert len(rounds) == games
    met: Counter[frozenset[str]] = Counter()
    out: Counter[str] = Counter(dict.fromkeys(players, 0))
    for number, one in enumerate(rounds, 1):
        here = [player for table in one.tables for player in table.players]
        assert sorted([*here, *one.sits_out]) == sorted(players)
        assert [table.board for table in one.tables] == list(range(1, many // 2 + 1))
        met.update(frozenset(table.players) for table in one.tables)
        out.update(one.sits_out)
        assert len(one.sits_out) == many % 2
        others = many - 1 + many % 2
        assert max(met.values()) <= -(-number // others)
        assert max(out.values()) - min(out.values()) <= 1


@given(st.integers(2, 41), st.integers(1, 40))
def test_nobody_always_has_the_same_seat(many: int, games: int) -> None:
    seats: dict[str, list[int]] = {player: [] for player in names(many)}
    for one in pairings(names(many), games):
        for table in one.tables:
            for seat, player in enumerate(table.players):
                seats[player].append(seat)
    for had in seats.values():
        assert abs(2 * sum(had) - len(had)) <= 2 + len(had) // 3, had


def test_a_second_cycle_exchanges_the_seats() -> None:
    rounds = pairings(names(6), 10)
    for first, second in zip(rounds[:5], rounds[5:], strict=True):
        assert [table.players for table in second.tables] == [table.players[::-1] for table in first.tables]


@pytest.mark.parametrize(
    ("players", "games", "says"),
    [
        (["ANN"], 9, "1 players: a club night needs two at least"),
        (["ANN", "BOB", "ANN"], 9, "two players of one name: tell them apart, as ANN B and ANN C"),
        (["ANN", "BOB"], 0, "0 games: play one at least"),
    ],
)
def test_a_night_that_can_not_be_is_refused(players: list[str], games: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        pairings(players, games)


def test_whoever_stays_in_the_circle_changes_seats_each_round() -> None:
    first = [table for one in pairings(names(8), 7) for table in one.tables if "P0" in table.players]
    assert all(one.players.index("P0") != other.players.index("P0") for one, other in pairwise(first))
