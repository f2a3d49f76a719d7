"""The shipped chances of winning are what is solved from the other shipped tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cribpi.analysis import make, tables
from cribpi.analysis.tables import TablesError
from cribpi.analysis.winning import solve
from cribpi.analysis.winning_tables import SCALE, average_deal, winning, winning_table


def test_the_shipped_chances_are_solved_from_the_average_deal() -> None:
    told: list[str] = []
    made = winning_table(told.append)["chances"]
    np.testing.assert_array_equal(made, np.rint(winning() * SCALE))
    assert told == [
        f"from the start of a game to 121 the dealer wins {winning()[121, 121]:.4f}, to 61 {winning()[61, 61]:.4f}"
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


def test_without_his_heels_the_dealer_wins_less_often() -> None:
    assert average_deal(has_heels=False).heels == 0
    assert solve(average_deal(has_heels=False))[121, 121] < winning()[121, 121]


def test_a_table_of_another_shape_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make.write(tmp_path / "winning-2.npz", {"players": 2}, {"chances": np.zeros((3, 3), np.uint16)})
    monkeypatch.setattr(tables, "DATA", tmp_path)
    tables.load.cache_clear()
    winning.cache_clear()
    try:
        with pytest.raises(TablesError, match=r"it is not whole \(chances\); make it again"):
            winning()
    finally:
        tables.load.cache_clear()
        winning.cache_clear()
