"""Laying away against brute force: every card that may be thrown by others, and every starter."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import comb
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.crib import readiness
from cribpi.cribbage.analysis.discard.habits import (
    DiscardHabits,
    Others,
    habits_of,
    rank_hands,
    ranks_discarded,
)
from cribpi.cribbage.analysis.discard.ways import COUNTS, heels_chance, ways
from cribpi.cribbage.analysis.pack import BY_NUMBER, HAND_COUNTS, NUMBERS
from cribpi.cribbage.analysis.shows import RANK_PAIRS, crib_points, rank_pair_of
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.words import worth
from cribpi.cribbage.words.cards import parse_cards

TWO_HANDS = [
    "5H 6C 7D JS QS KH",
    "2H 4H 8H KH JH 6S",  # four flushes in the hand, and suited pairs for the crib
    "JC JD JH JS 5C 5D",
    "AC AD 2H 2S 3C 3D",
    "9S JS QS 3S 4S 4D",
]
WHOSE = {
    # whose the other three cards are: 0 theirs whose crib it is, 1 the others'; None the pack's
    (3, True): (1, 1, None),
    (3, False): (0, 1, None),
    (4, True): (0, 1, 1),
    (4, False): (0, 0, 1),
}
ONE_HANDS = ["5H 6C 7D JS QS", "2H 4H 8H KH JH", "JC JD JH 5C 5D"]


def someone(size: int, seed: int) -> DiscardHabits:
    """Someone who throws by whim: by chance one or two ways for each hand."""
    chance = Random(seed)
    hands, away, share = [], [], []
    discarded = [tuple(row) for row in ranks_discarded(size).tolist()]
    for row, ranks in enumerate(rank_hands(size).ranks.tolist()):
        choices = sorted(set(combinations(ranks, size - 4)))
        for choice, part in zip(chance.sample(choices, 2), (0.75, 0.25), strict=True):
            hands.append(row)
            away.append(discarded.index(choice))
            share.append(part)
    return habits_of(size, np.array(hands), np.array(away), np.array(share))


@cache
def whims(size: int) -> Others:
    chance = np.random.default_rng(9)
    suited = chance.random((2, 91, 2)) + 0.1
    suited[:, [low == high for low, high in RANK_PAIRS], 1] = 0
    return Others((someone(size, 1), someone(size, 2)), (suited[0], suited[1]))


def left_of(hand: tuple[Card, ...]) -> NDArray[np.int64]:
    held = Counter(card.rank - 1 for card in hand)
    return np.array([4 - held[rank] for rank in range(13)])


def cells_by_force(habits: DiscardHabits, left: NDArray[np.int64]) -> NDArray[np.float64]:
    """How often each throw goes with a starter of each rank, hand by hand."""
    ranks = rank_hands(habits.size).ranks[habits.hand]
    held = np.array([(ranks == rank).sum(axis=1) for rank in range(13)]).T
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(5)])
    number = choose[left, held].prod(axis=1) * habits.share
    cells = np.zeros((len(ranks_discarded(habits.size)), 13))
    np.add.at(cells, habits.discarded, number[:, None] * (left - held))
    return cells


def two_by_force(
    hand: tuple[Card, ...], rules: Rules, *, own_crib: bool
) -> dict[frozenset[Card], NDArray[np.float64]]:
    other = int(own_crib)
    wanted = cells_by_force(whims(6).habits[other], left_of(hand))
    ready = readiness(whims(6).suited[other])
    left = np.array([card for card in range(52) if BY_NUMBER[card] not in hand])
    one, two, starter = (left[grid.reshape(-1)] for grid in np.indices((46, 46, 46)))
    is_deal = (one < two) & (one != starter) & (two != starter)
    one, two, starter = one[is_deal], two[is_deal], starter[is_deal]
    weight = ready[one, two]
    cell = rank_pair_of()[one // 4, two // 4] * 13 + starter // 4
    every = np.bincount(cell, weight, minlength=91 * 13)
    weight = weight / every[cell] * wanted.reshape(-1)[cell] / wanted.sum()
    found = {}
    for away in combinations(hand, 2):
        mine = np.array([NUMBERS[card] for card in away])
        crib = np.column_stack((np.broadcast_to(mine, (len(one), 2)), one, two, starter)).astype(np.uint8)
        points = crib_points(crib, four_flush=rules.crib_flush == "four")
        found[frozenset(away)] = np.asarray(np.bincount(points, weight, minlength=30), dtype=np.float64)
    return found


@pytest.mark.parametrize(("name", "own_crib"), [("standard", True), ("computer-game", False)])
@pytest.mark.parametrize("cards", TWO_HANDS)
def test_two_players_cribs_are_those_of_every_pair_and_starter(
    cards: str, name: str, *, own_crib: bool
) -> None:
    rules = preset(name, 2)
    hand = parse_cards(cards)
    forced = two_by_force(hand, rules, own_crib=own_crib)
    found = ways(hand, own_crib=own_crib, rules=rules, others=whims(6))
    assert len(found) == 15
    for way in found:
        assert way.crib_points == pytest.approx(forced[frozenset(way.away)], abs=1e-12)
        assert way.crib == pytest.approx(forced[frozenset(way.away)] @ COUNTS)


def three_others_by_force(
    hand: tuple[Card, ...], away: Card, players: int, *, own_crib: bool, four_flush: bool
) -> NDArray[np.float64]:
    """The same for single cards: every three cards that are left, and every starter."""
    left = left_of(hand)
    whose = WHOSE[players, own_crib]
    each = [one_by_force(None if one is None else whims(5).habits[one], left) for one in whose]
    meet = {(one, other): apart_by_force(each[one], each[other]) for one, other in combinations(range(3), 2)}
    cards = np.array([card for card in range(52) if BY_NUMBER[card] not in hand])
    triples = np.array(list(combinations(cards.tolist(), 3)))
    counts = np.zeros(30)
    for starter in cards.tolist():
        others = triples[(triples != starter).all(axis=1)]
        weight = np.zeros(len(others))
        for order in permutations(range(3)):
            discarded = [others[:, at] // 4 for at in order]
            part = np.ones(len(others))
            for (ready, _, free), rank in zip(each, discarded, strict=True):
                part *= ready[rank] * free[rank, starter // 4]
            for one, other in combinations(range(3), 2):
                part *= meet[one, other][discarded[one], discarded[other]]
            weight += part
        mine_too = np.full((len(others), 1), NUMBERS[away])
        crib = np.hstack((mine_too, others, np.full((len(others), 1), starter))).astype(np.uint8)
        counts += np.bincount(crib_points(crib, four_flush=four_flush), weight, minlength=30)
    return np.asarray(counts / counts.sum())


def apart_by_force(
    one: tuple[NDArray[np.float64], ...], other: tuple[NDArray[np.float64], ...]
) -> NDArray[np.float64]:
    """How likely two have no card in common, by what each throws: card by card."""
    (_, mine, his_not), (_, his, mine_not) = one, other
    apart = np.empty((13, 13))
    for a, b in product(range(13), range(13)):
        apart[a, b] = his_not[a, b] * mine_not[b, a]
        for rank in range(13):  # what I keep he does not, and the other way round: the mean of both
            apart[a, b] *= mine_not[b, rank] ** (mine[a, rank] / 2) * his_not[a, rank] ** (his[b, rank] / 2)
    return apart


def one_by_force(habits: DiscardHabits | None, left: NDArray[np.int64]) -> tuple[NDArray[np.float64], ...]:
    """How likely one throws a card of each rank; how many of each he keeps then; how likely not a card of
    each."""
    if habits is None:
        return np.ones(13), np.zeros((13, 13)), np.ones((13, 13))
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(5)])
    ways, kept = np.zeros(13), np.zeros((13, 13))
    for hand, share, rank in zip(habits.hand, habits.share, habits.discarded, strict=True):
        held = np.bincount(rank_hands(5).ranks[hand], minlength=13)
        number = choose[left, held].prod() * share
        held[rank] -= 1
        ways[rank] += number
        kept[rank] += number * held
    kept = np.array([row / number if number else row for row, number in zip(kept, ways, strict=True)])
    free = np.ones((13, 13))
    for rank, other in product(range(13), range(13)):
        others = left[other] - (rank == other)
        if others and kept[rank, other] < others:
            free[rank, other] = 1 - kept[rank, other] / others
    ready = np.array([number / cards if cards else 0.0 for number, cards in zip(ways, left, strict=True)])
    return ready, kept, free


@pytest.mark.parametrize(
    ("cards", "players", "own_crib", "name"),
    [
        (ONE_HANDS[0], 3, True, "standard"),
        pytest.param(ONE_HANDS[1], 3, False, "standard", marks=pytest.mark.prove),
        pytest.param(ONE_HANDS[1], 4, True, "standard", marks=pytest.mark.prove),
        (ONE_HANDS[2], 4, False, "standard"),
        pytest.param(ONE_HANDS[1], 3, True, "computer-game", marks=pytest.mark.prove),
    ],
)
def test_cribs_of_single_cards_are_those_of_every_three_and_starter(
    cards: str, players: int, name: str, *, own_crib: bool
) -> None:
    rules = preset(name, players)
    hand = parse_cards(cards)
    four_flush = rules.crib_flush == "four"
    found = ways(hand, own_crib=own_crib, rules=rules, others=whims(5))
    assert len(found) == 5
    for way in found[:2]:
        forced = three_others_by_force(hand, way.away[0], players, own_crib=own_crib, four_flush=four_flush)
        assert way.crib_points == pytest.approx(forced, abs=1e-12)


@pytest.mark.parametrize("cards", [*TWO_HANDS, *ONE_HANDS])
def test_hands_are_those_of_every_starter(cards: str) -> None:
    hand = parse_cards(cards)
    players = 2 if len(hand) == 6 else 4
    for way in ways(hand, own_crib=True, rules=preset("standard", players), others=whims(len(hand))):
        counts = Counter(worth.hand_points(way.kept, starter) for starter in BY_NUMBER if starter not in hand)
        starters = 52 - len(hand)
        assert way.hand_points.tolist() == [counts[points] / starters for points in range(30)]
        assert way.hand == pytest.approx(sum(points * number for points, number in counts.items()) / starters)
        assert sorted(map(str, way.kept + way.away)) == sorted(map(str, hand))


@pytest.mark.parametrize(
    ("players", "own_crib", "weight"),
    [(2, True, 1), (2, False, -1), (3, True, 1), (3, False, -0.5), (4, True, 1), (4, False, -1)],
)
def test_the_best_way_stands_first(players: int, weight: float, *, own_crib: bool) -> None:
    chance, size, rules = Random(5), 6 if players == 2 else 5, preset("standard", players)
    for _ in range(20):
        hand = tuple(chance.sample(BY_NUMBER, size))
        found = ways(hand, own_crib=own_crib, rules=rules, others=whims(size))
        worths = [way.hand + weight * way.crib for way in found]  # of three, only one gains by the crib
        assert [way.worth for way in found] == pytest.approx(worths)
        assert all(one > other - 1e-8 for one, other in pairwise(worths))
        assert len({frozenset(way.away) for way in found}) == (15 if players == 2 else 5)
        for way in found:
            assert way.hand_points.sum() == pytest.approx(1)
            assert way.crib_points.sum() == pytest.approx(1)
            assert way.crib_points.min() > -1e-12


def test_an_exchange_of_suits_changes_nothing() -> None:
    table = str.maketrans("CDHS", "HSDC")
    for text in TWO_HANDS:
        found = ways(parse_cards(text), own_crib=True, others=whims(6))
        other = ways(parse_cards(text.translate(table)), own_crib=True, others=whims(6))
        assert [way.hand for way in other] == pytest.approx([way.hand for way in found])
        assert [way.crib for way in other] == pytest.approx([way.crib for way in found])


def test_the_chance_of_heels_is_that_of_an_unseen_jack() -> None:
    assert heels_chance(parse_cards("5H 6C 7D JS QS KH")) == 3 / 46
    assert heels_chance(parse_cards("JH JC JD JS 2C")) == 0
    assert heels_chance(()) == 4 / 52


@pytest.mark.parametrize(
    ("cards", "players", "sentence"),
    [
        ("5H 6C 7D JS QS", 2, "5 cards: with 2 players each is dealt 6"),
        ("5H 6C 7D JS QS KH", 4, "6 cards: with 4 players each is dealt 5"),
        ("5H 6C 7D JS QS QS", 2, "a card twice: a pack has it once"),
        ("5H 6C 7D JS QS K", 2, "a card without a suit: give each card with its suit, such as 5H"),
    ],
)
def test_what_is_no_hand_is_refused_with_a_sentence(cards: str, players: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        ways(parse_cards(cards), own_crib=True, rules=preset("standard", players))


def test_throws_know_what_is_kept() -> None:
    habits = someone(6, 3)
    left = left_of(parse_cards("5H 6C 7D JS QS KH"))
    kept = habits.kept_weights(left)
    cells = cells_by_force(habits, left)
    assert habits.weights(left) == pytest.approx(cells)
    assert kept.sum() * 40 == pytest.approx(cells.sum())
    away = np.array([[pair.count(rank) for rank in range(13)] for pair in RANK_PAIRS])
    assert kept @ HAND_COUNTS + cells.sum(axis=1) @ away / 40 == pytest.approx(
        kept.sum() * 6 * left / left.sum()
    )


def test_a_hand_that_throws_what_it_does_not_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="does not hold"):
        habits_of(6, np.array([0]), np.array([90]), np.array([1.0]))
