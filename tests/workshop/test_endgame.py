"""The last holes between two of the level `expert`, and what is made of them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cribpi.cribbage.analysis import tables
from cribpi.cribbage.analysis.tables import TablesError
from cribpi.cribbage.analysis.winning import (
    ENDGAME,
    average_deal,
    on_the_board,
    solve,
    winning,
    winning_table,
)
from cribpi.cribbage.players.win_chance import AverageGame, average_game
from cribpi.cribbage.rules.rules import STANDARD
from cribpi.workshop.tables import endgame, make
from cribpi.workshop.tables.endgame import (
    DEALER,
    FADING,
    FARTHEST,
    PONE,
    calibrated,
    endgame_of,
    endgame_table,
    left_after,
    played_deal,
)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "_PIECE", 2)
    monkeypatch.setattr(endgame, "_TELLING", 4)


@pytest.mark.parametrize("number", range(8))
def test_a_deal_is_played_to_its_end_or_until_somebody_is_home(number: int) -> None:
    usual = average_game(STANDARD)
    dealer, pone, pegged = played_deal(number, usual, 3)
    assert (dealer, pone, pegged) == played_deal(number, usual, 3), "the same deal again"
    assert 1 <= dealer <= FARTHEST
    assert 1 <= pone <= FARTHEST
    sums = [sum(points for role, points in pegged if role == one) for one in (DEALER, PONE)]
    assert left_after(pegged, (dealer, pone)) == (dealer - sums[0], pone - sums[1])
    assert left_after(pegged[:-1], (dealer, pone)) > (0, 0), "the last of them ends it"
    assert min(dealer - sums[0], pone - sums[1]) >= 0


@pytest.mark.parametrize(
    ("to_go", "left"), [((7, 9), (0, 1)), ((7, 8), (6, 0)), ((1, 8), (0, 8)), ((20, 20), (13, 12))]
)
def test_what_comes_after_the_winning_peg_counts_no_more(
    to_go: tuple[int, int], left: tuple[int, int]
) -> None:
    assert left_after(((DEALER, 1), (PONE, 8), (DEALER, 6)), to_go) == left


@pytest.mark.parametrize("wanted", [0.1, -0.08])
def test_what_the_dealer_wins_more_often_is_found(wanted: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """From deals of which as many win for the dealer as if that were so; they say nothing of other scores."""
    monkeypatch.setattr(endgame, "NEAR", 0)
    points = average_deal()
    more = np.full((FARTHEST + 1, FARTHEST + 1), wanted)
    chances = solve(replace(points, endgame=on_the_board(more)))
    far, of = range(1, FARTHEST + 1), 40
    played = [
        (dealer, pone, ((DEALER if number + 0.5 < of * chances[dealer, pone] else PONE, FARTHEST),))
        for dealer in far
        for pone in far
        for number in range(of)
    ]
    found = endgame_of(played, points)
    level = np.arange(4, ENDGAME + 1 - FADING)
    assert found[level, level] == pytest.approx(wanted, abs=0.01)
    assert not found[0].any()
    assert not found[:, 0].any()
    assert abs(found[ENDGAME, ENDGAME]) < abs(wanted) / 2, "it fades"


def test_a_hole_more_to_go_is_never_better_whatever_chance_says() -> None:
    points = average_deal()
    more = points.endgame[: ENDGAME + 1, : ENDGAME + 1].copy()
    more[9, 3] += 0.02
    more[4, 12] -= 0.02
    chances = solve(replace(points, endgame=on_the_board(calibrated(more, points))))
    assert np.diff(chances[1:, 1:], axis=0).max() < 1e-4
    assert np.diff(chances[1:, 1:], axis=1).min() > -1e-4


@pytest.mark.usefixtures("few")
def test_each_round_is_played_by_what_the_round_before_has_found(monkeypatch: pytest.MonkeyPatch) -> None:
    by: list[tuple[int, float]] = []

    def played(number: int, usual: AverageGame, seed: int) -> endgame.PeggedDeal:
        assert seed == endgame.SEED
        by.append((number, float(usual.points.endgame[4, 4])))
        return 4, 4, ((DEALER, 4),)

    monkeypatch.setattr(endgame, "played_deal", played)
    told: list[str] = []
    more = endgame_table(told.append, rounds=(4, 8))["more"]
    assert [number for number, _ in by] == list(range(12)), "no deal is played twice"
    assert {found for number, found in by if number < 4} == {0.0}
    (second,) = {found for number, found in by if number >= 4}
    assert second > 0.1, "by what the first has found"
    assert more[4, 4] > 0
    assert told == [
        "round 1 of 2: 4 of 4 deals",
        "round 2 of 2: 4 of 8 deals",
        "round 2 of 2: 8 of 8 deals",
    ]


@pytest.mark.usefixtures("few")
@pytest.mark.prove
def test_several_processes_play_the_same_deals() -> None:
    one, two = (endgame_table(str, rounds=(8, 8), jobs=jobs)["more"] for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)
    assert one.any()


def test_the_shipped_chances_know_the_endgame() -> None:
    more = average_deal().endgame
    assert np.abs(more[: ENDGAME + 1, : ENDGAME + 1]).max() > 0.02
    assert not more[ENDGAME + 1 :].any()
    assert not more[:, ENDGAME + 1 :].any()
    plain = solve(replace(average_deal(), endgame=np.zeros_like(more)))
    assert np.abs(winning() - plain)[1:26, 1:26].max() > 0.02
    assert np.abs(winning() - plain)[60:, 60:].max() < 0.01, "far from the end it hardly matters"


def test_the_chances_are_made_from_the_table_that_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another one was in use before."""
    shutil.copytree(tables.DATA, tmp_path / "data")
    monkeypatch.setattr(tables, "DATA", tmp_path / "data")
    monkeypatch.setitem(make.TABLES, "endgame-2", lambda _tell: {"more": np.zeros((26, 26), np.int32)})
    tables.load.cache_clear()
    try:
        assert average_deal().endgame.any(), "the shipped one is in use"
        assert make.main(["endgame-2", "winning-2", "--to", str(tmp_path / "data")]) == 0
        chances = tables.load("winning-2").arrays["chances"] / 65_535
        np.testing.assert_allclose(chances, solve(average_deal()), atol=1e-4)
        assert not average_deal().endgame.any()
    finally:
        tables.load.cache_clear()


def test_without_the_table_the_chances_are_not_made_and_the_log_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(tables.DATA, tmp_path / "data")
    (tmp_path / "data" / "endgame-2.npz").unlink()
    monkeypatch.setattr(tables, "DATA", tmp_path / "data")
    tables.load.cache_clear()
    try:
        assert not average_deal().endgame.any()
        assert "make it again with `make endgame`" in caplog.text
        with pytest.raises(TablesError, match="make endgame"):
            winning_table(2, str)
    finally:
        tables.load.cache_clear()
