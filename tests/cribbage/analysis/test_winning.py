"""Chances of winning: against a plain recursion over one deal's parts, and laws that any table must obey."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cribpi.cribbage.analysis.winning import (
    LONGEST,
    Chances,
    DealPoints,
    average_deal,
    lifted,
    solve,
    stages,
)

# Few points a deal, so that the recursion ends soon; each part different, so that none can stand for another.
SMALL = DealPoints(
    heels=0.125,
    play=np.array([[0.0, 0.25], [0.5, 0.0], [0.125, 0.125]]),
    first=np.array([[0.0, 1.0], [0.0, 0.725], [0.0, 0.175]]),
    pone_hand=np.array([0.25, 0.0, 0.75]),
    dealer_hand=np.array([0.125, 0.5, 0.0, 0.375]),
    crib=np.array([0.75, 0.25]),
)

FIRST = {(1, 1): 0.8, (2, 1): 0.4}
"""Where the dealer pegs two and pone one: how likely the dealer has so many before pone has."""


@pytest.fixture(scope="module")
def chances() -> Chances:
    return solve(SMALL)


def by_hand(dealer: int, pone: int) -> float:
    """Return the dealer's chance with so many points to go, part by part, and card by card in the play."""
    heels = [(0, 1 - SMALL.heels), (2, SMALL.heels)]
    play = [(d, p, SMALL.play[d, p]) for d, p in product(range(3), range(2))]

    @cache
    def won(dealer: int, pone: int) -> float:
        total = 0.0
        for heel, (d, p, likely) in product(heels, play):
            chance = heel[1] * likely
            if chance:
                total += chance * played(dealer - heel[0], pone, d, p)
        return total

    def played(dealer: int, pone: int, d: int, p: int) -> float:
        if dealer <= 0:
            return 1.0
        if dealer - d <= 0 and pone - p <= 0:
            return FIRST[dealer, pone]
        if dealer - d <= 0 or pone - p <= 0:
            return float(dealer - d <= 0)
        return shown(dealer - d, pone - p)

    def shown(dealer: int, pone: int) -> float:
        total = 0.0
        for (p, a), (d, b), (c, e) in product(
            *map(enumerate, (SMALL.pone_hand, SMALL.dealer_hand, SMALL.crib))
        ):
            likely = a * b * e
            if not likely or pone - p <= 0:
                continue
            total += likely * (1.0 if dealer - d - c <= 0 else 1.0 - won(pone - p, dealer - d - c))
        return total

    return won(dealer, pone)


@pytest.mark.parametrize(("dealer", "pone"), [(1, 1), (1, 2), (2, 1), (3, 2), (2, 5), (6, 3), (9, 9)])
def test_the_chances_are_those_of_a_plain_recursion(dealer: int, pone: int, chances: Chances) -> None:
    assert chances[dealer, pone] == pytest.approx(by_hand(dealer, pone), abs=1e-9)


def test_more_to_go_is_never_better_and_who_has_none_has_won(chances: Chances) -> None:
    assert (np.diff(chances[1:, 1:], axis=0) <= 1e-9).all()
    assert (np.diff(chances[1:, 1:], axis=1) >= -1e-9).all()
    assert (chances[0] == 1).all()
    assert (chances[1:, 0] == 0).all()
    assert chances.shape == (LONGEST + 1, LONGEST + 1)


SHOWS = DealPoints(
    heels=0.125,
    play=np.array([[1.0]]),
    first=np.array([[0.0]]),
    pone_hand=np.array([0.25, 0.0, 0.75]),
    dealer_hand=np.array([0.125, 0.5, 0.0, 0.375]),
    crib=np.array([0.25, 0.5, 0.25]),
    worth=np.array([0.6] * 3 + [0.8] * 2 + [1.0] * (LONGEST - 4)),
)
"""A deal without points in the play, where a win is worth more the further the other is from home."""


@pytest.mark.parametrize(("dealer", "pone"), [(1, 1), (3, 4), (5, 3), (2, 7), (7, 2), (8, 8)])
def test_where_skunks_count_a_game_is_worth_what_a_plain_recursion_says(dealer: int, pone: int) -> None:
    worth = SHOWS.worth

    @cache
    def before(dealer: int, pone: int) -> float:
        """Return what the game is worth to the dealer; a deal always brings somebody a point."""
        total = 0.0
        for (heels, h), (p, a), (d, b), (c, e) in product(
            [(0, 0.875), (2, 0.125)],
            *map(enumerate, (SHOWS.pone_hand, SHOWS.dealer_hand, SHOWS.crib)),
        ):
            if not h * a * b * e:
                continue
            mine = max(dealer - heels, 0)
            if not mine:
                value = worth[pone]
            elif pone - p <= 0:
                value = 1 - worth[mine]
            elif mine - d - c <= 0:
                value = worth[pone - p]
            elif (mine - d - c, pone - p) == (dealer, pone):
                # Nobody has pegged: the same once more, the other dealing.
                value = None
            else:
                value = 1 - before(pone - p, mine - d - c)
            total += h * a * b * e * (again[dealer, pone] if value is None else value)
        return total

    again = 1 - solve(SHOWS).T
    assert solve(SHOWS)[dealer, pone] == pytest.approx(before(dealer, pone), abs=1e-9)


def test_where_a_win_is_a_win_it_is_worth_its_chance(chances: Chances) -> None:
    half = replace(SMALL, worth=np.full(LONGEST + 1, 0.75))
    np.testing.assert_allclose(solve(half), 0.25 + chances / 2, atol=1e-9)


def test_the_stages_of_a_deal_end_with_the_crib_and_begin_with_the_deal(chances: Chances) -> None:
    at = stages(SMALL, chances)
    np.testing.assert_allclose(at.deal, chances, atol=1e-9)
    assert at.crib[1, 5] == pytest.approx(0.25 + 0.75 * (1 - chances[5, 1]))
    assert at.shows[1][3, 7] == pytest.approx(0.125 * at.crib[3, 7] + 0.5 * at.crib[2, 7] + 0.375)
    assert at.shows[0][4, 2] == pytest.approx(0.25 * at.shows[1][4, 2])  # two points win for pone


def test_a_deal_in_which_nobody_may_peg_is_solved_too() -> None:
    def alone(*probabilities: float) -> NDArray[np.float64]:
        return np.array(probabilities)

    barren = DealPoints(
        0.0, np.array([[1.0]]), np.array([[0.0]]), alone(1.0), alone(1.0), alone(0.5, *[0.0] * 28, 0.5)
    )
    # From 1 to 1 only the crib counts: the dealer wins half the time at once, or the other deals.
    assert solve(barren)[1, 1] == pytest.approx(1 / 1.5, abs=1e-9)


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=9),
    st.floats(-0.24, 0.24),
    st.floats(0, 0.45),
    st.floats(0.55, 1),
)
def test_what_is_lifted_keeps_its_order_and_its_bounds(
    shares: list[float], more: float, least: float, most: float
) -> None:
    chances = least + np.sort(np.array(shares)) * (most - least)
    found = lifted(chances, more, least, most)
    assert (found >= least - 1e-12).all()
    assert (found <= most + 1e-12).all()
    assert (np.diff(found) >= -1e-12).all()
    apart = np.diff(chances) > 1e-9
    assert (np.diff(found)[apart] > 0).all()


def test_a_skunk_in_the_play_is_told_by_what_the_loser_may_have_pegged() -> None:
    """Between the worth of pegging nothing and that of pegging all that it would."""
    points = average_deal()
    worth = np.where(np.arange(LONGEST + 1) > 30, 1.0, 0.75)
    skunks = replace(points, worth=worth)
    for dealer in (1, 2, 4, 7):
        for pone in range(25, 45):
            home = points.home[dealer, pone]
            lost = 1 - home - points.neither[dealer, pone]
            of_lost = lost * (1 - worth[dealer])
            none, every = (home * worth[max(pone - less, 1)] + of_lost for less in (0, 19))
            assert every - 1e-9 <= skunks.out[dealer, pone] <= none + 1e-9
    assert skunks.out[2, 31] > skunks.out[2, 30], "one hole behind the line it may be a skunk"
