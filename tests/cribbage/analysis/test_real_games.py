"""The chances of winning against games that are really played, from pairs of scores to their end."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
import pytest
from support.standings import PARTS, is_won_by_dealer, parts_of_a_deal

from cribpi.cribbage.analysis.winning import LONGEST, Chances, average_deal, chance, solve

LAST_HOLES: Final = (
    (96, 96),
    (101, 106),
    (106, 106),
    (111, 111),
    (111, 116),
    (112, 118),
    (116, 111),
    (116, 116),
    (117, 117),
    (120, 120),
)

GAMES = [
    # level, the dealer's score and pone's, games
    ("solid", (60, 60), 400),
    ("solid", (91, 96), 600),
    ("solid", (96, 91), 600),
    ("solid", (106, 106), 1_500),
    ("solid", (111, 116), 4_000),
    ("solid", (116, 111), 7_500),
    ("solid", (116, 116), 4_000),
    ("solid", (118, 118), 2_000),
    ("solid", (119, 119), 2_000),
    ("solid", (119, 120), 1_000),
    ("solid", (120, 119), 1_000),
    ("solid", (120, 120), 2_000),
    *(("expert", scores, 400) for scores in LAST_HOLES),
]

OFF: Final = {"solid": 0.02, "expert": 0.02}
"""How far the chances may be outside the interval: docs/explanation/analysis.md tells where they are."""

DEALS = 4_000

KNOWN_OFF_POINTS = 0.12
"""How far off that page says that the means of the average deal are, at most: in the play."""

KNOWN_TOGETHER = {("dealer's play", "pone's play"): 0.12, ("dealer's hand", "crib"): -0.13}
"""The parts of a deal that hang together, and how: their correlation.  The first two are taken jointly."""


@cache
def average_chances() -> Chances:
    """Return the dealer's chances before a deal, solved from average deals alone."""
    return solve(replace(average_deal(), endgame=np.zeros((LONGEST + 1, LONGEST + 1))))


def of_average_deals(dealer: int, pone: int) -> float:
    return float(average_chances()[LONGEST - dealer, LONGEST - pone])


def interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of the chance to win, by Wilson, where *wins* of *games* were won."""
    square = 1.96**2
    middle = (wins + square / 2) / (games + square)
    half = (square * (wins * (games - wins) / games + square / 4)) ** 0.5 / (games + square)
    return middle - half, middle + half


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("level", "scores", "games"), GAMES)
def test_games_are_won_as_often_as_the_table_says(level: str, scores: tuple[int, int], games: int) -> None:
    # `solid` keeps and plays alike at every score, and so does an average deal; `expert` does not.
    expected = chance(*scores, is_dealer=True) if level == "expert" else of_average_deals(*scores)
    wins = sum(is_won_by_dealer(scores, (level, level), number) for number in range(games))
    low, high = interval(wins, games)
    dealer, pone = scores
    print(
        f"\n| `{level}` | {dealer} | {pone} | {games:,} | {wins / games:.1%} | {low:.1%} to {high:.1%} | "
        f"{expected:.1%} |".replace("%", " %")
    )
    assert low - OFF[level] <= expected <= high + OFF[level]


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_the_parts_of_a_deal_are_those_of_the_average_deal_and_hang_together_little() -> None:
    deals = np.array([parts_of_a_deal("solid", number) for number in range(DEALS)])
    average, shown, pegged = average_deal(), np.arange(30), np.arange(20)
    expected = (
        2 * average.heels,
        average.play.sum(axis=1) @ pegged,
        average.play.sum(axis=0) @ pegged,
        average.pone_hand @ shown,
        average.dealer_hand @ shown,
        average.crib @ shown,
    )
    print(f"\n{DEALS:,} deals:")
    for part, points, mean in zip(PARTS, deals.T, expected, strict=True):
        error = points.std() / DEALS**0.5
        print(f"  {part}: {points.mean():.3f} +- {error:.3f}, and {mean:.3f} in the average deal")
        assert abs(points.mean() - mean) < KNOWN_OFF_POINTS + 3 * error
    together = np.corrcoef(deals.T)
    for one, other in combinations(range(len(PARTS)), 2):
        print(f"  {PARTS[one]} with {PARTS[other]}: {together[one, other]:+.3f}")
        known = KNOWN_TOGETHER.get((PARTS[one], PARTS[other]), 0.0)
        assert abs(together[one, other] - known) < 0.06


def test_a_deal_is_played_to_the_end_of_its_crib() -> None:
    deals = [parts_of_a_deal("thrifty", number) for number in range(20)]
    assert {deal[0] for deal in deals} <= {0, 2}
    assert all(1 <= deal[1] + deal[2] <= 30 for deal in deals)
    assert all(0 <= points <= 29 for deal in deals for points in deal[3:])
    assert all(any(deal[part] for deal in deals) for part in range(1, len(PARTS)))


def test_a_game_goes_on_from_the_scores_that_it_is_given() -> None:
    numbers = range(12)
    thrifty = ("thrifty", "thrifty")
    assert all(is_won_by_dealer((118, 40), thrifty, number) for number in numbers)
    assert not any(is_won_by_dealer((40, 118), thrifty, number) for number in numbers)


def test_the_interval_is_wilsons() -> None:
    assert interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert interval(0, 10)[0] == pytest.approx(0)
