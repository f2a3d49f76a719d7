"""Shows as arrays against the core's show, and against every show that there is."""

from __future__ import annotations

import csv
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from support.paths import DATA

from cribpi.cribbage.analysis.pack import BY_NUMBER, RANK_OF, numbered
from cribpi.cribbage.analysis.shows import (
    NOT_A_SHOW,
    RANK_PAIRS,
    all_starters,
    crib_points,
    hand_points,
    rank_pair_of,
    rank_points,
)
from cribpi.cribbage.game import show
from cribpi.cribbage.words import worth
from cribpi.cribbage.words.cards import parse_cards

HISTOGRAM = DATA / "show_histogram_hand.csv"

SHOWS = [
    # hand          starter hand crib four why
    ("5C 5D 5S JH", "5H", 29, 29, 29, "the only 29"),
    ("5C 5D 5S 5H", "JH", 28, 28, 28, "the starter is the jack, so there are no nobs"),
    ("2H 4H 8H KH", "6S", 4, 0, 4, "a flush of four counts in a hand, or where four will do"),
    ("2H 4H 8H KH", "6H", 5, 5, 5, "a flush of all five counts in all"),
    ("2H 4H 8H 6S", "KH", 0, 0, 0, "three of the hand with the starter are no flush"),
    ("JH 2H 4H 8H", "6H", 6, 6, 6, "a flush of five with the jack has nobs too"),
    ("JH 2H 4H 8H", "6C", 4, 0, 4, "the starter is of another suit: no nobs"),
    ("JH JC JD JS", "6C", 13, 13, 13, "of four jacks one is of any suit"),
    ("2C 2D 4H 4S", "JC", 4, 4, 4, "two pairs of one suit each are no flush"),
]


def random_shows(seed: int, number: int) -> NDArray[np.uint8]:
    chance = np.random.default_rng(seed)
    return np.argsort(chance.random((number, 52)), axis=1)[:, :5].astype(np.uint8)


@pytest.mark.parametrize(("hand", "starter", "in_hand", "in_crib", "with_four", "why"), SHOWS)
def test_a_show_counts_what_the_sheets_say(
    hand: str, starter: str, in_hand: int, in_crib: int, with_four: int, why: str
) -> None:
    cards = numbered(parse_cards(f"{hand} {starter}")).reshape(1, 5)
    assert hand_points(cards).tolist() == [in_hand], why
    assert crib_points(cards).tolist() == [in_crib], why
    assert crib_points(cards, four_flush=True).tolist() == [with_four], why


def test_random_shows_are_worth_what_the_core_says(whole: bool) -> None:  # noqa: FBT001  a fixture
    shows = random_shows(1, 1_000_000 if whole else 20_000)
    hands, cribs, fours = hand_points(shows), crib_points(shows), crib_points(shows, four_flush=True)
    assert (fours == hands).all()
    for row, of_hand, of_crib in zip(shows.tolist(), hands.tolist(), cribs.tolist(), strict=True):
        *four, starter = (BY_NUMBER[card] for card in row)
        assert worth.hand_points(four, starter) == of_hand, row
        assert worth.hand_points(four, starter, is_strict=True) == of_crib, row


def test_every_flush_is_worth_what_the_core_says() -> None:
    rows = [(*four, starter) for four in combinations(range(0, 52, 4), 4) for starter in (1, 20, 42, 51, 48)]
    shows = np.array([row for row in rows if len(set(row)) == 5], dtype=np.uint8)
    for row, of_hand, of_crib in zip(
        shows.tolist(), hand_points(shows).tolist(), crib_points(shows).tolist(), strict=True
    ):
        *four, starter = (BY_NUMBER[card] for card in row)
        assert worth.hand_points(four, starter) == of_hand, row
        assert worth.hand_points(four, starter, is_strict=True) == of_crib, row


def test_all_shows_that_there_are_count_as_others_have_published() -> None:
    hands = np.array(list(combinations(range(52), 4)), dtype=np.uint8)
    points = all_starters(hands)
    shows = np.bincount(points[points != NOT_A_SHOW], minlength=30)
    with HISTOGRAM.open(encoding="utf-8") as file:
        published = {int(row["points"]): int(row["shows"]) for row in csv.DictReader(file)}
    assert {count: number for count, number in enumerate(shows.tolist()) if number} == {
        count: number for count, number in published.items() if number
    }
    assert shows.sum() == 12_994_800
    assert shows @ np.arange(30) == 61_974_180


def test_the_order_of_four_does_not_matter() -> None:
    shows = random_shows(2, 1000)
    for order in ([3, 2, 1, 0, 4], [1, 3, 0, 2, 4]):
        assert (hand_points(shows) == hand_points(shows[:, order])).all()
        assert (crib_points(shows) == crib_points(shows[:, order])).all()


def test_shows_may_lie_in_memory_as_they_like_and_be_any_number() -> None:
    shows = random_shows(3, 40_000)
    points = hand_points(shows)
    assert (hand_points(np.asfortranarray(shows)) == points).all()
    assert (hand_points(shows[::-1]) == points[::-1]).all()
    assert (
        hand_points(shows.astype(np.int64).astype(np.uint8)[16_380:16_390]) == points[16_380:16_390]
    ).all()
    assert hand_points(shows[:0]).shape == (0,)


@pytest.mark.parametrize("shape", [(3, 4), (5,), (2, 2, 5)])
def test_cards_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"give an array of shape \(n, 5\)"):
        hand_points(np.zeros(shape, dtype=np.uint8))


def test_all_starters_are_those_of_each_show_and_none_that_lies_in_the_hand() -> None:
    hands = random_shows(4, 700)[:, :4]
    points = all_starters(hands)
    for hand, row in zip(hands, points, strict=True):
        free = np.array([card for card in range(52) if card not in hand], dtype=np.uint8)
        shows = np.column_stack((np.broadcast_to(hand, (48, 4)), free))
        assert (row[free] == hand_points(shows)).all()
        assert (row[hand] == NOT_A_SHOW).all()


def test_ranks_alone_are_worth_what_the_core_says() -> None:
    shows = random_shows(5, 2000)
    for row in shows.tolist():
        one, two, three, four, starter = (int(RANK_OF[card]) for card in row)
        pairs = rank_pair_of()
        cards = [BY_NUMBER[card] for card in row]
        scored = sum(score.points for score in show.score_ranks(cards[:4], cards[4]))
        assert rank_points()[pairs[one, two], pairs[three, four], starter] == scored, cards


def test_five_of_a_rank_are_worth_nothing_and_pairs_have_no_order() -> None:
    for place, (low, high) in enumerate(RANK_PAIRS):
        assert rank_pair_of()[low, high] == rank_pair_of()[high, low] == place
    assert rank_points()[rank_pair_of()[4, 4], rank_pair_of()[4, 4], 4] == 0
