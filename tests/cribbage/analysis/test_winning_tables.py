"""The shipped chances of winning are what is solved from the other shipped tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cribpi.cribbage.analysis import tables
from cribpi.cribbage.analysis.tables import TablesError
from cribpi.cribbage.analysis.winning import SCALE, average_deal, chance, solve, winning, winning_table
from cribpi.cribbage.results.games import AVERAGE_DEAL
from cribpi.workshop.tables import make


@pytest.mark.parametrize("players", [2, 4])
def test_the_shipped_chances_are_solved_from_the_average_deal(players: int) -> None:
    told: list[str] = []
    chances, made = winning(players), winning_table(players, told.append)["chances"]
    np.testing.assert_array_equal(made, np.rint(chances * SCALE))
    assert told == [
        (
            f"from the start of a game to 121 the dealer wins {chances[121, 121]:.4f}, to 61 "
            f"{chances[61, 61]:.4f}"
        )
    ]


def test_the_first_dealer_wins_as_often_as_strong_players_show() -> None:
    chances = winning()
    assert 0.55 <= chances[121, 121] <= 0.57
    assert (np.diff(chances[1:, 1:], axis=0) <= 1e-4).all()


def test_an_average_deal_brings_what_strong_players_show() -> None:
    deal = average_deal()
    shown, pegged = np.arange(30), np.arange(20)
    pone = deal.pone_hand @ shown + deal.play.sum(axis=0) @ pegged
    dealer = deal.dealer_hand @ shown + deal.crib @ shown + deal.play.sum(axis=1) @ pegged + 2 * deal.heels
    assert 10.1 <= pone <= 10.7
    assert 16.0 <= dealer <= 16.9
    assert pytest.approx((dealer, pone), abs=0.005) == AVERAGE_DEAL, "the ghost pegs stand by these"


def test_without_his_heels_the_dealer_wins_less_often() -> None:
    assert average_deal(heels=0).heels == 0
    assert solve(average_deal(heels=0))[121, 121] < winning()[121, 121]


def test_a_table_of_another_shape_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make.write(tmp_path / "winning-2.npz", {"players": 2}, {"chances": np.zeros((3, 3), np.uint16)})
    monkeypatch.setattr(tables, "DATA", tmp_path)
    tables.load.cache_clear()
    winning.cache_clear()
    try:
        with pytest.raises(TablesError, match=r"it is incomplete \(chances\); make it again"):
            winning()
    finally:
        tables.load.cache_clear()
        winning.cache_clear()


# --- a pair of scores ---


def test_one_side_wins_whoever_asks() -> None:
    for mine, theirs in [(0, 0), (96, 101), (120, 3), (60, 61)]:
        for is_dealer in (True, False):
            both = chance(mine, theirs, is_dealer=is_dealer) + chance(theirs, mine, is_dealer=not is_dealer)
            assert both == pytest.approx(1)


def test_a_chance_is_that_of_the_points_to_go_to_every_target() -> None:
    for score in range(61):
        for other in range(61):
            assert chance(score, other, is_dealer=True, target=61) == winning()[61 - score, 61 - other]
            assert chance(score, other, is_dealer=False, target=61) == chance(
                60 + score, 60 + other, is_dealer=False
            )
    assert chance(96, 101, is_dealer=True) == winning()[25, 20]
    assert chance(0, 0, is_dealer=True, target=1) == winning()[1, 1]


def test_more_holes_and_the_deal_are_worth_something() -> None:
    assert chance(80, 80, is_dealer=True) > chance(79, 80, is_dealer=True) > chance(79, 81, is_dealer=True)
    assert chance(70, 70, is_dealer=True) > 0.5 > chance(70, 70, is_dealer=False)


@pytest.mark.parametrize(
    ("score", "other", "target", "sentence"),
    [
        (
            121,
            90,
            121,
            "a score of 121 in a game to 121: give one from 0 to 120, because a player with 121 has won",
        ),
        (90, 125, 121, "a score of 125 in a game to 121: give one from 0 to 120"),
        (61, 0, 61, "a score of 61 in a game to 61: give one from 0 to 60"),
        (0, -1, 121, "a score of -1 in a game to 121"),
        (0, 0, 122, "a game to 122: the board has 121 holes, give a target from 1 to 121"),
        (0, 0, 0, "a game to 0: the board has 121 holes"),
    ],
)
def test_a_pair_that_no_game_has_is_refused(score: int, other: int, target: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        chance(score, other, is_dealer=True, target=target)
