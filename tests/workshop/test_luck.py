"""The luck of a deal: zero on average, and worth taking off."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from random import Random
from statistics import fmean, stdev

import pytest

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import GameStarted, HandDealt, ScorePutRight, StarterTurned
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.rules.rules import Rules, changed, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.workshop.arena.contest import Contest, Sums, play_sets
from cribpi.workshop.arena.luck import UNITS, exchanged, luck, pegged
from cribpi.workshop.arena.result import Adjusted, result
from cribpi.workshop.tables.endgame import left_after

TWO_SIDES = pytest.mark.parametrize("players", [2, 4])


def before_a_deal(players: int, scores: tuple[int, int] = (0, 0), dealer: int = 0) -> State:
    names = tuple(f"SEAT {seat}" for seat in range(players))
    state = step(NEW_TABLE, GameStarted(names, preset("standard", players), dealer=dealer))
    for side, score in enumerate(scores):
        if score:
            state = step(state, ScorePutRight(side, score))
    return state


def shuffled(seed: str) -> tuple[Card, ...]:
    return tuple(Random(seed).sample(PACK, len(PACK)))


def dealt(rules: Rules, pack: tuple[Card, ...]) -> tuple[dict[int, set[Card]], Card]:
    hands: dict[int, set[Card]] = {}
    for event, _ in game([Greedy()] * rules.players, rules, lambda _: pack):
        if isinstance(event, HandDealt):
            hands[event.seat] = set(event.cards)
        if isinstance(event, StarterTurned):
            return hands, event.card
    raise AssertionError("no starter was turned")


@TWO_SIDES
def test_exchanged_hands_go_to_the_other_side_and_the_starter_stays(players: int) -> None:
    rules, pack = preset("standard", players), shuffled("hands")
    hands, starter = dealt(rules, pack)
    others, same = dealt(rules, exchanged(pack, players))
    assert same == starter
    assert others != hands
    for side in (0, 1):
        one, other = (
            {frozenset(held) for seat, held in found.items() if seat % 2 == place}
            for found, place in ((hands, side), (others, 1 - side))
        )
        assert one == other


@TWO_SIDES
def test_with_the_hands_exchanged_the_luck_is_the_other_way_round(players: int) -> None:
    found = []
    for number in range(40):
        chance = Random(number)
        state = before_a_deal(players, (chance.randrange(110), chance.randrange(110)), number % players)
        pack = shuffled(f"exchange {number}")
        found.append(luck(state, pack))
        assert luck(state, exchanged(pack, players)) == -found[-1]
    assert sum(map(bool, found)) > 20


@TWO_SIDES
@pytest.mark.parametrize("scores", [(0, 0), (108, 95)])
def test_luck_is_zero_on_average(players: int, scores: tuple[int, int]) -> None:
    state = before_a_deal(players, scores)
    found = [luck(state, shuffled(f"{scores} {number}")) / UNITS for number in range(250)]
    error = stdev(found) / math.sqrt(len(found))
    assert error > 0.002, "cards matter"
    assert abs(fmean(found)) < 3 * error


def test_who_is_dealt_twenty_nine_is_lucky() -> None:
    pone, dealer = parse_cards("KH QD 9C 7S 4H 2D"), parse_cards("5H 5D 5C JS 2C 3D")
    first = [card for both in zip(pone, dealer, strict=True) for card in both]
    pack = (*first, Card.parse("5S"), *(card for card in PACK if card not in {*first, Card.parse("5S")}))
    assert luck(before_a_deal(2, (90, 90), dealer=1), pack) > UNITS / 5


@pytest.mark.parametrize(
    "rules",
    [preset("standard"), preset("computer-game"), changed(Rules(), {"target": "31"}), preset("standard", 4)],
    ids=lambda rules: f"{rules.name}-{rules.players}-{rules.target}",
)
def test_a_deal_from_nothing_shows_how_it_ends_from_any_scores(rules: Rules) -> None:
    contest = Contest("thrifty", "thrifty", rules)
    begun = [State()]
    for _, state in game([Greedy()] * rules.players, rules, partial(contest.pack, 0)):
        if state.deal_number > begun[-1].deal_number:
            begun.append(state)
    for before, after in pairwise([*begun[1:], state]):
        assert before.deal is not None
        dealer = before.deal.dealer % 2
        to_go, left = (
            (rules.target - one.scores()[dealer], rules.target - one.scores()[1 - dealer])
            for one in (before, after)
        )
        pack = tuple(contest.pack(0, before.deal_number))
        assert left_after(pegged(rules, pack), to_go) == left
    assert state.winner is not None


# --- in a contest -----------------------------------------------------------------------------------


def test_without_luck_a_rate_is_as_high_and_surer() -> None:
    contest = Contest("thrifty", "thrifty-errs", preset("travel-121"), seed=2)
    each = [play_sets(contest, number) for number in range(50)]
    plain = [sums["wins.a"] / 2 for sums in each]
    lucky = [(sums["luck.a"] - sums["luck.b"]) / UNITS / 2 for sums in each]
    adjusted = [won - more for won, more in zip(plain, lucky, strict=True)]
    assert abs(fmean(lucky)) < 3 * stdev(lucky) / math.sqrt(len(each))
    assert stdev(adjusted) < 0.9 * stdev(plain)
    sums = Sums()
    for one in each:
        sums.update(one)
    found = result(contest, sums)
    assert found.adjusted is not None
    assert found.interval is not None
    assert found.adjusted.interval is not None
    assert found.adjusted.rate == pytest.approx(fmean(adjusted))
    assert sums["luck.squares"] / UNITS**2 == pytest.approx(sum((2 * rate) ** 2 for rate in adjusted))
    (low, high), (least, most) = found.interval, found.adjusted.interval
    assert least <= found.a.rate <= most
    assert low <= found.adjusted.rate <= high
    assert most - least < high - low


def test_two_that_play_alike_are_as_lucky() -> None:
    sums = play_sets(Contest("thrifty", "thrifty", preset("travel-61")), 0, 3)
    assert (sums["luck.sets"], sums["luck.a"], sums["luck.b"]) == (3, 0, 0)
    assert sums["luck.squares"] == 3 * UNITS**2


def test_an_adjusted_rate_and_its_interval() -> None:
    sums = Sums(
        {
            "games": 4, "sets": 2, "wins.a": 3, "wins.b": 1, "squares": 5, "luck.sets": 2, "luck.a": 8_000,
            "luck.b": 3_000, "luck.squares": 325_000_000,
        }
    )  # fmt: skip
    contest = Contest("solid", "thrifty")
    found = result(contest, sums).adjusted
    assert found is not None
    assert found.rate == 0.625
    assert found.interval == pytest.approx((0.2474, 1.0), abs=0.0001)
    one = Sums(
        {"games": 2, "sets": 1, "wins.a": 2, "luck.sets": 1, "luck.b": 1_000, "luck.squares": 441_000_000}
    )
    assert result(contest, one).adjusted == Adjusted(1.05, None)


def test_three_players_and_games_from_before_are_not_adjusted() -> None:
    three = Contest("thrifty", "chance", preset("standard", 3))
    sums = play_sets(three, 0)
    assert result(three, sums).adjusted is None
    assert not [name for name in sums if name.startswith("luck.")]
    two = Contest("thrifty", "chance", preset("travel-61"))
    old = Sums({name: many for name, many in play_sets(two, 0).items() if not name.startswith("luck.")})
    old.update(play_sets(two, 1))
    assert result(two, old).adjusted is None
