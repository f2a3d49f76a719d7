"""The show against tables with their reasons, a second scorer, and every show that there is."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement, product
from multiprocessing import Pool
from random import Random
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games, naive
from support.paths import DATA
from support.samples import examples

from cribpi.cribbage.game.cards import Card, Rank, Suit
from cribpi.cribbage.game.show import (
    HIGHEST_SHOW,
    IMPOSSIBLE_SHOWS,
    Kind,
    SuitClaim,
    possible_claims,
    score_claimed,
    score_crib,
    score_hand,
    score_ranks,
    total,
)
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.worth import hand_points

HISTOGRAM = DATA / "show_histogram_hand.csv"

SHOWS = [
    # hand          starter hand crib  why
    ("2H 4H 8H KH", "6S", 4, 0, "a four-card flush counts in a hand only"),
    ("2H 4H 8H KH", "6H", 5, 5, "a flush of all five counts in both"),
    ("2H 4H 8H 6S", "KH", 0, 0, "three of the hand with the starter are no flush"),
    ("5C 5D 5S 5H", "JH", 28, 28, "the starter is the jack, so there are no nobs"),
    ("5C 5D 5S JH", "5H", 29, 29, "the only 29"),
    ("5C 5D 5S JH", "5C", 28, 28, "28 where the jack is of another suit"),
    ("3C 3D 4C 4D", "5H", 20, 20, "four runs of three, two pairs, two fifteens"),
    ("4C 4D 5C 5D", "6H", 24, 24, "four runs of three, two pairs, four fifteens"),
    ("KC JC 5D 5H", "2S", 10, 10, "8 for fifteens and 2 for the pair (board-set)"),
    ("6C 7D 7H 8S", "KC", 12, 12, "two runs of three, two fifteens and a pair (board-set)"),
    ("7C 8D 8H KS", "9C", 12, 12, "each eight in a fifteen, the pair and a run (board-set)"),
    ("9C 10D JH QS", "2C", 4, 4, "a run of four is 4; the threes inside do not count again"),
    ("9C 10D JH QS", "KC", 5, 5, "a run of five is 5"),
    ("AC KD QH 3S", "7C", 0, 0, "the ace is low: ace-king-queen is no run"),
    ("AC 2D 3H 9S", "9C", 9, 9, "ace-2-3 is a run; two fifteens with the nines, and their pair"),
    ("AC 2D 3H KS", "QD", 7, 7, "ace-2-3, and either ten makes fifteen with 2 and 3"),
    ("2C 2D 2H 2S", "4C", 12, 12, "four of a kind are six pairs"),
    ("2C 2D 2H 4S", "JC", 6, 6, "pair royal"),
    ("7C 7D 7H AS", "7S", 24, 24, "a double pair royal, and six fifteens with the ace"),
    ("QC KD KH 7S", "AC", 2, 2, "a pair of kings; queen and king are no pair, though both are ten"),
    ("4C 4D 4H 5S", "6C", 21, 21, "a triple run is 15, and three fifteens"),
    ("2C 3D 4H 4S", "JC", 10, 10, "a double run is 8, and one fifteen on the jack"),
    ("AC 2D 2H 3S", "4C", 10, 10, "a double run of four is 10 (travel-set)"),
    ("AC AD 2H 2S", "3C", 16, 16, "a double double run is 16 (travel-set)"),
    ("AC AD AH 2S", "3C", 15, 15, "a triple run is 15 (travel-set)"),
    ("AC 2D 3H 3S", "10C", 12, 12, "a double run of three is 8 (travel-set), and two fifteens"),
    ("JH 2C 4D 8S", "6H", 1, 1, "his nobs"),
    ("JH 2C 4D 8S", "6S", 0, 0, "another suit: no nobs"),
    ("2H 4H 8H 6C", "JH", 0, 0, "the jack is the starter: heels were pegged, nobs are not"),
    ("JH 2H 4H 8H", "6C", 4, 0, "a flush of four with the jack: the starter is of another suit"),
    ("JH 2H 4H 8H", "6H", 6, 6, "a flush of five with the jack has nobs too"),
    ("AC 3D 5H 7S", "9C", 4, 4, "two fifteens of three cards, and nothing from two"),
    ("AC 2D 3H 4S", "5C", 7, 7, "all five cards are fifteen, and a run"),
    ("2 4 8 K", "6", 0, 0, "unknown suits count for nothing"),
    ("2H 4H 8H K", "6H", 0, 0, "nor does one that is unknown"),
    ("J 2H 4C 8D", "6H", 0, 0, "nor a jack of unknown suit"),
]


@pytest.mark.parametrize(("hand", "starter", "in_hand", "in_crib", "why"), SHOWS)
def test_a_show_counts_what_the_sheets_say(
    hand: str, starter: str, in_hand: int, in_crib: int, why: str
) -> None:
    cards, turned = parse_cards(hand), Card.parse(starter)
    assert total(score_hand(cards, turned)) == in_hand, why
    assert total(score_crib(cards, turned)) == in_crib, why
    assert hand_points(cards, turned) == in_hand, why
    assert hand_points(cards, turned, is_strict=True) == in_crib, why


@pytest.mark.parametrize("hand", ["5C 5D 5S JH | 5H", "3 4 4 5 | 5", "2H 4H 8H JH | 6H", "7 8 8 K | 9"])
def test_each_score_tells_the_cards_that_make_it(hand: str) -> None:
    left, right = hand.split(" | ")
    cards, starter = parse_cards(left), Card.parse(right)
    five = Counter((*cards, starter))
    for score in score_hand(cards, starter):
        assert not Counter(score.cards) - five
        match score.kind:
            case Kind.FIFTEEN:
                assert sum(map(naive.pips, score.cards)) == 15
            case Kind.RUN:
                assert naive.is_run(score.cards)
                assert len(score.cards) == score.points
            case Kind.FLUSH:
                assert len({card.suit for card in score.cards}) == 1
                assert len(score.cards) == score.points
            case Kind.NOBS:
                assert score.cards == (Card(Rank.JACK, starter.suit),)
            case _:
                assert len({card.rank for card in score.cards}) == 1
                assert len(score.cards) * (len(score.cards) - 1) == score.points


CLAIMS = [
    # hand          starter  hand: (flush, nobs)      crib                   why
    ("2 4 8 K", "6", "00 40 50", "00 50", "no suits are known: no flush, four or five; a crib wants five"),
    ("2 4 8 J", "6", "00 01 40 51", "00 01 51", "with a jack a five-flush has nobs, a four-flush has not"),
    ("2 2 8 K", "6", "00", "00", "a pair rules a flush out"),
    ("2 4 8 K", "8", "00 40", "00", "the starter pairs one of the hand: five of a suit can't be"),
    ("2 4 8 J", "J", "00 40", "00", "a jack turned up excludes nobs; its pair excludes five"),
    ("J J 4 8", "6", "00 01", "00 01", "two jacks: one of them may be it"),
    ("J J J J", "6", "01", "01", "all four jacks: one is of the starter's suit"),
    ("J J J 4", "J", "00", "00", "the fourth jack is the starter: no nobs"),
    ("JH 2 4 8", "6H", "01 51", "01 51", "nobs are certain, and a flush is hearts"),
    ("JH 2 4 8", "6S", "00 40", "00", "nobs are out, and so is five"),
    ("2H 4S 8 K", "6", "00", "00", "two suits in hand: no flush"),
    ("2H 4H 8H KH", "6", "40 50", "50 00", "a flush in hand is certain, the fifth is not"),
    ("2H 4H 8H KH", "6S", "40", "00", "all is known"),
    ("2H 4H 8H JH", "6H", "51", "51", "all is known"),
    ("J 2 4 8", "JH", "00 40", "00", "the starter jack, by name"),
    ("JC JD JS 4", "6", "00 01", "00 01", "the starter may be the fourth suit's"),
    ("JC JD JS 4", "6H", "00", "00", "and here it is"),
    ("J JC JD JS", "6H", "01", "01", "the fourth jack can only be hearts"),
    ("J J 4H 8H", "6H", "00 01", "00 01", "one of two jacks may be hearts, and the other is not"),
    ("J 2H 4H 8H", "6H", "00 51", "00 51", "the jack of hearts would make it a flush of five"),
    ("JS 2H 4H 8H", "6C", "00", "00", "all is known, in three suits"),
]


def _pairs(text: str) -> set[tuple[int, bool]]:
    return {(int(pair[0]), pair[1] == "1") for pair in text.split()}


@pytest.mark.parametrize(("hand", "starter", "in_hand", "in_crib", "why"), CLAIMS)
def test_only_what_the_suits_allow_can_be_claimed(
    hand: str, starter: str, in_hand: str, in_crib: str, why: str
) -> None:
    cards, turned = parse_cards(hand), Card.parse(starter)
    for found, expected in (
        (possible_claims(cards, turned), in_hand),
        (possible_claims(cards, turned, is_strict=True), in_crib),
    ):
        assert {(claim.flush, claim.nobs) for claim in found} == _pairs(expected), why
        assert len(found) == len(set(found))
        points = [claim.points for claim in found]
        assert points == sorted(points), "fewest points first"


@st.composite
def shows(draw: st.DrawFn) -> tuple[tuple[Card, ...], Card]:
    """Give five cards of one pack, and hide the suits of some."""
    five = draw(st.lists(games.pack_cards, min_size=5, max_size=5, unique=True))
    if draw(st.booleans()):  # flushes and jacks come seldom by themselves
        suit = draw(games.suits)
        five = list(dict.fromkeys([Card(card.rank, suit) for card in five]))
        for card in games.PACK:
            if len(five) < 5 and card not in five:
                five.append(card)
    shown = [card if draw(st.booleans()) else Card(card.rank) for card in five]
    return tuple(shown[:4]), shown[4]


@given(shows())
def test_the_naive_scorer_agrees(show: tuple[tuple[Card, ...], Card]) -> None:
    hand, starter = show
    assert hand_points(hand, starter) == total(score_hand(hand, starter)) == naive.show(hand, starter)
    crib = naive.show(hand, starter, is_crib=True)
    assert hand_points(hand, starter, is_strict=True) == total(score_crib(hand, starter)) == crib


def every_way(five: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Give each way in which the unknown suits of *five* can fall."""
    for suits in product(*([card.suit] if card.suit else list(Suit) for card in five)):
        dressed = tuple(Card(card.rank, suit) for card, suit in zip(five, suits, strict=True))
        if len(set(dressed)) == len(dressed):
            yield dressed


@examples(12)
@given(st.integers(0, 2**32))
def test_the_claims_are_all_that_the_suits_allow_and_no_more(seed: int) -> None:
    chance = Random(seed)
    few = [card for card in games.PACK if card.rank in chance.sample(list(Rank), 4) or card.rank == 11]
    known = chance.choice([0, 0.3, 0.7, 1])
    five = tuple(
        card if chance.random() < known else Card(card.rank)
        for card in chance.sample(chance.choice([few, list(games.PACK)]), 5)
    )
    bare = tuple(Card(card.rank) for card in five)
    by_ranks = naive.show(bare[:4], bare[4])
    for is_crib in (False, True):
        worth = {naive.show(way[:4], way[4], is_crib=is_crib) - by_ranks for way in every_way(five)}
        assert {claim.points for claim in possible_claims(five[:4], five[4], is_strict=is_crib)} == worth


@given(shows())
def test_claims_are_just_what_some_suits_would_be_worth(show: tuple[tuple[Card, ...], Card]) -> None:
    hand, starter = show
    bare = total(score_ranks(hand, starter))
    worth: tuple[set[int], set[int]] = (set(), set())
    chance = Random(0)
    for _ in range(12):  # a sample of the ways to fill in the suits: each must be among the claims
        left = [card for card in games.PACK if card not in (*hand, starter)]
        chance.shuffle(left)
        full: list[Card] = []
        for card in (*hand, starter):
            real = card if card.suit else next(one for one in left if one.rank is card.rank)
            full.append(real)
            left = [one for one in left if one != real]
        for is_crib, found in enumerate(worth):
            found.add(naive.show(full[:4], full[4], is_crib=bool(is_crib)) - bare)
    for is_crib, found in enumerate(worth):
        possible = possible_claims(hand, starter, is_strict=bool(is_crib))
        assert found <= {claim.points for claim in possible}
        for claim in possible:
            assert total(score_claimed(hand, starter, claim)) == bare + claim.points


@given(shows())
def test_a_crib_never_outscores_the_same_hand(show: tuple[tuple[Card, ...], Card]) -> None:
    assert hand_points(*show, is_strict=True) <= hand_points(*show)


@given(shows(), st.permutations(range(4)))
def test_the_order_of_a_hand_does_not_matter(
    show: tuple[tuple[Card, ...], Card], order: Iterable[int]
) -> None:
    hand, starter = show
    other = tuple(hand[place] for place in order)
    assert hand_points(other, starter) == hand_points(hand, starter)
    assert set(possible_claims(other, starter)) == set(possible_claims(hand, starter))


def test_all_6175_choices_of_ranks_agree_with_the_naive_scorer() -> None:
    checked, seen = 0, set[int]()
    for ranks in combinations_with_replacement(Rank, 5):
        if max(Counter(ranks).values()) == 5:
            continue
        *hand, starter = map(Card, ranks)
        points = naive.show(hand, starter)
        assert total(score_ranks(hand, starter)) == points, ranks
        assert hand_points(hand, starter) == points, ranks
        seen.add(points)
        checked += 1
    assert checked == 6175
    assert seen == set(range(30)) - {1, 19, 25, 26, 27, 29}, "1 and 29 need nobs"
    assert frozenset({19, 25, 26, 27}) == IMPOSSIBLE_SHOWS
    assert HIGHEST_SHOW == 29


def test_a_sample_of_hands_with_every_starter_agrees_with_the_naive_scorer() -> None:
    chance = Random(121)
    for _ in range(60):
        hand = chance.sample(games.PACK, 4)
        for starter in games.PACK:
            if starter not in hand:
                assert hand_points(hand, starter) == naive.show(hand, starter)
                assert hand_points(hand, starter, is_strict=True) == naive.show(hand, starter, is_crib=True)


def _count_shows(first: int) -> Counter[int]:
    """Count the shows of all hands whose first card in the pack's order is number *first*."""
    found: Counter[int] = Counter()
    for rest in combinations(range(first + 1, 52), 3):
        hand = [games.PACK[place] for place in (first, *rest)]
        found.update([hand_points(hand, starter) for starter in games.PACK if starter not in hand])
    return found


def _expected() -> dict[int, int]:
    with HISTOGRAM.open(encoding="utf-8", newline="") as file:
        return {int(row["points"]): int(row["shows"]) for row in csv.DictReader(file)}


def test_the_histogram_is_of_all_shows() -> None:
    expected = _expected()
    assert sum(expected.values()) == 12_994_800
    assert sum(points * shows for points, shows in expected.items()) == 61_974_180
    assert not any(expected.get(points) for points in IMPOSSIBLE_SHOWS)


def test_shows_of_the_last_hands_of_the_pack_fall_as_the_naive_scorer_has_them() -> None:
    first = 45
    expected = Counter(
        naive.show([games.PACK[place] for place in (first, *rest)], starter)
        for rest in combinations(range(first + 1, 52), 3)
        for number, starter in enumerate(games.PACK)
        if number not in {first, *rest}
    )
    assert _count_shows(first) == expected


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_all_12_994_800_shows_reproduce_the_histogram() -> None:
    began = perf_counter()
    found: Counter[int] = Counter()
    with Pool(2) as pool:
        for part in pool.imap_unordered(_count_shows, range(49)):
            found.update(part)
    print(f"{found.total():,} shows in {perf_counter() - began:.0f} s on two processes")
    expected = _expected()
    assert found.total() == 12_994_800
    assert {points: found[points] for points in expected} == expected
    assert set(found) <= set(expected)


def _first_disagreement(seed: int) -> str | None:
    """Compare 25,000 random shows with the naive scorer; return the first that differs."""
    chance = Random(seed)
    for _ in range(25_000):
        *hand, starter = chance.sample(games.PACK, 5)
        if chance.random() < 0.3:
            hand = [Card(card.rank) if chance.random() < 0.3 else card for card in hand]
        for is_crib in (False, True):
            if hand_points(hand, starter, is_strict=is_crib) != naive.show(hand, starter, is_crib=is_crib):
                return f"{hand} | {starter}"
        if hand_points(hand, starter) != naive.show(hand, starter, is_crib=True, four_will_do=True):
            return f"{hand} | {starter} as a crib where four of a suit will do"
    return None


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_a_million_random_shows_agree_with_the_naive_scorer() -> None:
    with Pool(2) as pool:
        assert [bad for bad in pool.imap_unordered(_first_disagreement, range(40)) if bad] == []


def test_a_claim_is_worth_its_flush_and_its_nobs() -> None:
    assert [SuitClaim(flush, nobs).points for flush in (0, 4, 5) for nobs in (False, True)] == [
        0,
        1,
        4,
        5,
        5,
        6,
    ]


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("2 2 2 2", "7", 14),
        ("6 6 6 6", "3", 24),
        ("3 3 3 3", "9", 24),
        ("8 8 8 8", "4", 12),
        ("4 4 4 4", "7", 24),
    ],
)
def test_the_fast_count_tells_four_of_a_rank_from_others(hand: str, starter: str, points: int) -> None:
    # Two such hands would be one to a count in base four: 2 2 2 2 7 and 6 6 6 6 3, 3 3 3 3 9 and 8 8 8 8 4.
    cards, turned = parse_cards(hand), Card.parse(starter)
    assert (hand_points(cards, turned), hand_points(cards, turned, is_strict=True)) == (points, points)


def test_his_nobs_is_the_jack_of_the_starters_suit_among_several() -> None:
    hand, starter = parse_cards("JC JD JH 5S"), Card.parse("7H")
    for scores in (score_hand(hand, starter), score_claimed(hand, starter, SuitClaim(nobs=True))):
        assert [score.cards for score in scores if score.kind is Kind.NOBS] == [parse_cards("JH")]


def test_where_suits_are_unknown_the_first_jack_is_claimed_as_his_nobs() -> None:
    (score,) = score_claimed(parse_cards("2 J 4 J"), Card.parse("8H"), SuitClaim(nobs=True))[-1:]
    assert (score.kind, score.cards) == (Kind.NOBS, (Card.parse("J"),))


def test_of_pairs_each_is_told_by_its_kind() -> None:
    scores = score_hand(parse_cards("2 2 6 6"), Card.parse("6"))
    assert [(score.kind, score.cards) for score in scores if score.kind is not Kind.FIFTEEN] == [
        (Kind.PAIR, parse_cards("2 2")),
        (Kind.PAIR_ROYAL, parse_cards("6 6 6")),
    ]


def test_a_starter_of_unknown_suit_is_no_card_that_lies_in_the_hand() -> None:
    hearts = parse_cards("2H 4H 7H 9H")
    assert possible_claims(hearts, Card.parse("7")) == (SuitClaim(4),), "the seven of hearts is in the hand"
    assert possible_claims(hearts, Card.parse("6")) == (SuitClaim(4), SuitClaim(5))


def test_the_fast_count_keeps_hands_apart_that_it_has_counted_one_after_the_other() -> None:
    hands = [("2 2 2 2", "7"), ("6 6 6 6", "3"), ("3 3 3 3", "9"), ("8 8 8 8", "4")]
    points = [hand_points(parse_cards(hand), Card.parse(starter)) for hand, starter in hands]
    assert points == [14, 24, 24, 12], "the first two, and the last two, would be one to a count in base four"
