"""What players say: the count and the points in the play, runs with their pairs as one at the show."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games
from support.records import after

from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.play import LIMIT, count_of, score_play
from cribpi.cribbage.game.show import Kind, Score, SuitClaim, score_claimed, score_hand, total
from cribpi.cribbage.words.call import call_play, call_show, number, steps
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.tell import call

SHOWS = [
    # hand, starter, what its player says
    ("7 8 8 K", "9", "fifteen two, fifteen four, and a double run is twelve"),
    ("3 3 4 5", "K", "fifteen two, fifteen four, and a double run is twelve"),
    ("6 7 7 8", "K", "fifteen two, fifteen four, and a double run is twelve"),
    ("4 5 5 6", "7", "fifteen two, fifteen four, and a double run of four is fourteen"),
    ("A 2 2 3", "4", "a double run of four for ten"),
    ("7 8 8 8", "9", "fifteen two, fifteen four, fifteen six, and a triple run is twenty-one"),
    ("A A A 2", "3", "a triple run for fifteen"),
    ("9 10 10 10", "J", "a triple run for fifteen"),
    (
        "7 7 8 8",
        "9",
        "fifteen two, fifteen four, fifteen six, fifteen eight, and a double double run is twenty-four",
    ),
    ("A A 2 2", "3", "a double double run for sixteen"),
    ("3 3 4 4", "5", "fifteen two, fifteen four, and a double double run is twenty"),
    ("2 2 7 7", "4", "fifteen two, fifteen four, and two pair is eight"),
    ("2 2 9 9", "K", "two pair for four"),
    ("7 7 7 9", "9", "a pair royal is six, and a pair is eight"),
    ("3 4 5 K", "K", "fifteen two, fifteen four, and a pair is six, and a run of three is nine"),
    ("5 5 5 10", "2", "fifteen two, fifteen four, fifteen six, fifteen eight, and a pair royal is fourteen"),
    ("A 2 3 4", "5", "fifteen two, and a run of five is seven"),
    ("9 10 J K", "Q", "a run of five for five"),
    ("9 10 J Q", "2", "a run of four for four"),
    ("K K 9 2", "7", "a pair for two"),
    ("7 8 2 Q", "K", "fifteen two"),
    ("2H 4H 8H KH", "6S", "a flush for four"),
    ("2H 4H 8H JH", "KH", "a flush is five, and one for his nobs is six"),
    ("2H 4S 8D JC", "6C", "one for his nobs"),
    ("7H 8H 9H JH", "8S", "fifteen two, fifteen four, and a double run is twelve, and a flush is sixteen"),
    ("2H 4H 6H 8H", "K", "a flush for four"),
    ("K Q 8 6", "4", 'no points, players call it a "nineteen"'),
    (
        "5C 5D 5S JH",
        "5H",
        (
            "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, "
            "fifteen fourteen, fifteen sixteen, and a double pair royal is twenty-eight, "
            "and one for his nobs is a perfect twenty-nine"
        ),
    ),
]


@pytest.mark.parametrize(("hand", "starter", "says"), SHOWS)
def test_a_hand_is_counted_as_players_count_it(hand: str, starter: str, says: str) -> None:
    assert call_show(score_hand(parse_cards(hand), Card.parse(starter))) == says


def test_a_flush_and_his_nobs_given_by_key_are_called_after_the_run() -> None:
    scores = score_claimed(parse_cards("9 10 J Q"), Card.parse("8"), SuitClaim(4, nobs=True))
    assert call_show(scores) == "a run of five is five, and a flush is nine, and one for his nobs is ten"


def test_in_steps_each_run_and_each_pair_is_counted_by_itself() -> None:
    scores = score_hand(parse_cards("7 8 8 K"), Card.parse("9"))
    assert call_show(scores, in_steps=True) == (
        "fifteen two, fifteen four, and a pair is six, and a run of three is nine, "
        "and a run of three is twelve"
    )
    assert steps(scores) == [
        "fifteen two",
        "fifteen four",
        "a pair is six",
        "a run of three is nine",
        "a run of three is twelve",
    ]


SPELT = {number(value): value for value in range(32)} | {"nineteen": 0}
"""Each number as it is spelt, with itself; a nineteen is what players call a hand worth nothing."""


def named(words: str) -> int:
    """Return the number at the end of *words*."""
    found = re.findall("|".join(sorted(SPELT, key=len, reverse=True)), words)
    return SPELT[found[-1]]


def test_every_hand_is_called_up_to_what_it_is_worth_and_a_run_takes_its_pairs_along() -> None:
    """All 6,175 hands by their ranks: worked out here by the shape of the hand, and not by its scores."""
    seen = 0
    for five in combinations_with_replacement(Rank, 5):
        if max(map(five.count, five)) > 4:
            continue
        seen += 1
        scores = score_hand([Card(rank) for rank in five[:4]], Card(five[4]))
        short, long = call_show(scores), call_show(scores, in_steps=True)
        assert named(short) == named(long) == total(scores)
        assert short.count("fifteen ") == long.count("fifteen "), five
        rows = (
            [five.count(rank) for rank in range(at, at + size)] for size in (5, 4, 3) for at in range(1, 12)
        )
        ways = prod(next(filter(all, rows), [0]))
        unit = {2: "a double run", 3: "a triple run", 4: "a double double run"}.get(ways, "")
        assert (unit in short) if unit else "double run" not in short, five
        assert not (unit and "pair" in short), f"{five}: the pair is counted in the run"
        assert ("a run of" in short) is (ways == 1), five
        twos = sum(five.count(rank) == 2 for rank in Rank)
        assert ("two pair" in short) is (twos == 2 and not ways), five
    assert seen == 6175


PLAYS = [
    # cards, what the last one's player says
    ("7", "seven"),
    ("10", "ten"),
    ("7 8", "fifteen for two"),
    ("7 8 8", "twenty-three for two"),
    ("7 8 8 8", "thirty-one for eight"),
    ("5 5 5", "fifteen for eight"),
    ("8 7 6", "twenty-one for three"),
    ("4 5 6", "fifteen for five"),
    ("A A", "two for two"),
    ("10 5 7 9", "thirty-one for two"),
    ("A A A A", "four for twelve"),
    ("4 2 3 5 6", "twenty for five"),
]


@pytest.mark.parametrize(("cards", "says"), PLAYS)
def test_a_card_is_called_with_its_count_and_its_points(cards: str, says: str) -> None:
    pile = parse_cards(cards)
    assert call_play(score_play(pile), count_of(pile)) == says


LAST = Score(Kind.LAST, 1, ())
GO = Score(Kind.GO, 1, ())
CLOSES = [
    # scores, count, what is said
    ((LAST,), 27, "twenty-seven and one for last"),
    ((GO,), 29, "twenty-nine and one for the go"),
    ((Score(Kind.FIFTEEN, 2, ()), LAST), 15, "fifteen for two and one for last is three"),
    ((Score(Kind.PAIR, 2, ()), LAST), 20, "twenty for two and one for last is three"),
    ((Score(Kind.RUN, 3, ()), GO), 30, "thirty for three and one for the go is four"),
    (
        (Score(Kind.FIFTEEN, 2, ()), Score(Kind.DOUBLE_PAIR_ROYAL, 12, ()), LAST),
        15,
        "fifteen for fourteen and one for last is fifteen",
    ),
    ((Score(Kind.THIRTY_ONE, 1, ()),), 31, "thirty-one for one"),
]


@pytest.mark.parametrize(("scores", "count", "says"), CLOSES)
def test_the_card_that_ends_a_count_has_its_point_called_after_the_rest(
    scores: tuple[Score, ...], count: int, says: str
) -> None:
    assert call_play(scores, count) == says


@given(st.lists(games.cards, min_size=1, max_size=8))
def test_whatever_is_played_the_count_comes_first_and_the_points_after_it(cards: list[Card]) -> None:
    count, scores = count_of(cards), score_play(cards)
    if count <= LIMIT:
        points = f" for {number(total(scores))}" * bool(scores)
        assert call_play(scores, count) == number(count) + points


TWO = ('game "A" "B" dealer=1', "starter 9")
BY_POINTS = ('game "A" "B" dealer=1 entry=peg', "next", "next")
CALLED = [
    # lines, the call of each outcome of the last event
    ((*TWO, "play 0:K 1:9 0:9 1:go"), ["go"]),
    ((*TWO, "play 0:K 1:9 0:9 1:go 0:go"), ["one for the go"]),
    ((*TWO, "play 0:K 1:9 0:9 1:lead:K"), ["one for the go", "ten"]),
    ((f"{TWO[0]} go_award=call", TWO[1], "play 0:K 1:9 0:9 1:go"), ["one for the go"]),
    ((f"{TWO[0]} go_award=call", TWO[1], "play 0:K 1:9 0:9 1:go 0:3"), ["thirty-one for one"]),
    ((f"{TWO[0]} go_award=call", TWO[1], "play 0:K 1:9 0:9 1:go 1:lead:K"), ["go", "ten"]),
    ((*BY_POINTS, "peg 0 6 pair-royal"), ["a pair royal for six"]),
    ((*BY_POINTS, "peg 0 3 run"), ["a run of three for three"]),
    ((*BY_POINTS, "peg 0 2 fifteen"), ["fifteen for two"]),
    ((*BY_POINTS, "peg 0 1 go"), ["one for the go"]),
    ((*BY_POINTS, "peg 0 1 last"), ["one for last"]),
    ((*BY_POINTS, "peg 0 3"), ["three"]),
    ((BY_POINTS[0], "next", "peg 1 2"), ["two for his heels"]),
]


@pytest.mark.parametrize(("lines", "says"), CALLED)
def test_what_scores_is_called(lines: tuple[str, ...], says: list[str]) -> None:
    assert [call(outcome) for outcome in after(*lines).outcomes] == says
