"""The last holes between two of the level `expert`, and what is made of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cribpi.analysis.winning import ENDGAME, average_deal, on_the_board, solve, winning
from cribpi.opponents import endgame
from cribpi.opponents.endgame import (
    DEALER,
    FADING,
    FARTHEST,
    PONE,
    Pegged,
    endgame_of,
    endgame_table,
    left_after,
    levelled,
    played_deal,
)
from cribpi.opponents.win_chance import Habits, habits


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "_PIECE", 2)
    monkeypatch.setattr(endgame, "_TELLING", 4)


@pytest.mark.parametrize("number", range(8))
def test_a_deal_is_played_to_its_end_or_until_somebody_is_home(number: int) -> None:
    usual = habits(2)
    dealer, pone, pegged = played_deal(number, usual, 3)
    assert (dealer, pone, pegged) == played_deal(number, usual, 3), "the same deal again"
    assert 1 <= dealer <= FARTHEST
    assert 1 <= pone <= FARTHEST
    sums = [sum(points for role, points in pegged if role == one) for one in (DEALER, PONE)]
    assert left_after(pegged, (dealer, pone)) == (dealer - sums[0], pone - sums[1])
    assert left_after(pegged[:-1], (dealer, pone)) > (0, 0), "the last of them ends it"
    assert min(dealer - sums[0], pone - sums[1]) >= 0


@pytest.fixture
def sharp(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each hole by itself: what a few made-up deals bring is not smooth."""
    monkeypatch.setattr(endgame, "_SMOOTH", 0.1)


@pytest.mark.parametrize(
    ("to_go", "left"), [((7, 9), (0, 1)), ((7, 8), (6, 0)), ((1, 8), (0, 8)), ((20, 20), (13, 12))]
)
def test_what_comes_after_the_winning_peg_counts_no_more(
    to_go: tuple[int, int], left: tuple[int, int]
) -> None:
    assert left_after(((DEALER, 1), (PONE, 8), (DEALER, 6)), to_go) == left


def every_deal(pegged: Pegged) -> list[endgame.Played]:
    far = range(1, FARTHEST + 1)
    return [(dealer, pone, pegged) for dealer in far for pone in far]


@pytest.mark.usefixtures("sharp")
@pytest.mark.parametrize(("pegged", "wins"), [(((DEALER, 28),), 1.0), (((PONE, 28),), 0.0)])
def test_who_always_gets_home_first_always_wins(pegged: Pegged, wins: float) -> None:
    points = average_deal()
    more = endgame_of(every_deal(pegged), points)
    chances = solve(replace(points, endgame=on_the_board(more)))
    near = slice(1, ENDGAME + 1 - FADING)
    assert np.abs(chances[near, near] - wins).max() < 0.01
    assert not more[0].any()
    assert not more[:, 0].any()


@pytest.mark.usefixtures("sharp")
def test_what_two_deals_bring_is_told_by_the_chances_that_follow() -> None:
    """Each deal brings the dealer 15 and nobody else anything: from 16 to 30 the second deal of one's own
    is needed, and by then the other has had two."""
    points = average_deal()
    more = endgame_of(every_deal(((DEALER, 15),)), points)
    chances = solve(replace(points, endgame=on_the_board(more)))
    assert chances[5, 5] == pytest.approx(1.0, abs=0.02)
    assert chances[18, 5] == pytest.approx(0.0, abs=0.05), "the other deals next, and is home"
    assert chances[18, 18] == pytest.approx(1.0, abs=0.1), "whoever has dealt once deals again first"


def test_a_hole_more_to_go_is_never_better_whatever_chance_says() -> None:
    points = average_deal()
    more = points.endgame[: ENDGAME + 1, : ENDGAME + 1].copy()
    more[9, 3] += 0.02
    more[4, 12] -= 0.02
    chances = solve(replace(points, endgame=on_the_board(levelled(more, points))))
    assert np.diff(chances[1:, 1:], axis=0).max() < 1e-4
    assert np.diff(chances[1:, 1:], axis=1).min() > -1e-4


@pytest.mark.usefixtures("few")
def test_each_round_is_played_by_what_the_round_before_has_found(monkeypatch: pytest.MonkeyPatch) -> None:
    by: list[tuple[int, float]] = []

    def played(number: int, usual: Habits, seed: int) -> endgame.Played:
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
