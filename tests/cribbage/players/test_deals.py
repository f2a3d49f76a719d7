"""Whole games of the machine's seats, through the core: for each preset and each number of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import (
    CardPlayed,
    CribCardTurned,
    Discarded,
    Event,
    GoSaid,
    HandDealt,
    HeelsTaken,
    StarterTurned,
)
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold
from cribpi.cribbage.players.games import game, next_event
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, changed, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.levels import NAMES as LEVELS

ALL_PRESETS = tuple(
    preset(name, players) for name in rulebook().presets for players in find_preset(name).players
)


def packs(seed: int = 0) -> Callable[[int], Sequence[Card]]:
    def pack(deal: int) -> Sequence[Card]:
        return Random(f"{seed} {deal}").sample(PACK, len(PACK))

    return pack


def played(rules: Rules, *levels: str, seed: int = 0, dealer: int = 0) -> list[tuple[Event, State]]:
    opponents = [opponent(level, chance=Random(f"{seed} {seat}")) for seat, level in enumerate(levels)]
    return list(game(opponents, rules, packs(seed), dealer=dealer))


@pytest.mark.parametrize("rules", ALL_PRESETS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_a_whole_game_is_played_by_each_preset(rules: Rules) -> None:
    levels = ("thrifty", "chance", "thrifty", "chance")[: rules.players]
    for seed in range(3):
        events = [event for event, _ in played(rules, *levels, seed=seed)]
        end = fold(events, NEW_TABLE)
        assert end.winner is not None
        assert max(end.scores()) == rules.target == end.scores()[end.winner]
        assert not end.deal or not end.deal.open_reneges()


@pytest.mark.parametrize("players", seats.PLAYERS)
@pytest.mark.parametrize("level", [*LEVELS, "thrifty-errs", "solid-errs"])
def test_each_level_plays_a_whole_game(level: str, players: int) -> None:
    end = played(replace(preset("standard", players), target=31), *[level] * players)[-1][1]
    assert end.winner is not None


@pytest.mark.parametrize(
    "options",
    [
        {"go_award": "call"},
        {"lead_after_close": "first-go"},
        {"play_rounds": "one", "last_card": "none"},
        {"miscount": "muggins", "heels_deadline": "first-card"},
        {"self_combinations": "over-another", "crib_flush": "four", "heels": "none"},
    ],
    ids=lambda options: " ".join(f"{name}={value}" for name, value in options.items()),
)
@pytest.mark.parametrize("players", seats.PLAYERS)
def test_a_whole_game_is_played_by_the_rules_of_a_house(players: int, options: dict[str, str]) -> None:
    rules = changed(preset("standard", players), options)
    for seed in range(3):
        assert played(rules, *["chance"] * players, seed=seed)[-1][1].winner is not None


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("players", seats.PLAYERS)
def test_cards_are_dealt_in_turn_from_the_dealers_left(players: int, dealer: int) -> None:
    rules = preset("standard", players)
    events = [event for event, _ in played(rules, *["chance"] * players, seed=4, dealer=dealer)]
    pack = packs(4)(1)
    size = seats.usual(players).dealt
    hands = [event for event in events if isinstance(event, HandDealt)][:players]
    assert [hand.seat for hand in hands] == list(seats.around(dealer, players))
    for place, hand in enumerate(hands):
        assert list(hand.cards) == [pack[round_ * players + place] for round_ in range(size)]
    starter = next(event.card for event in events if isinstance(event, StarterTurned))
    turned = [event.card for event in events if isinstance(event, CribCardTurned)][:1]
    assert [*turned, starter] == list(pack[size * players :][: 2 if players == 3 else 1])


def test_the_deal_passes_to_the_left_and_each_deal_has_its_own_pack() -> None:
    states = [state for _, state in played(preset("standard", 3), "chance", "thrifty", "chance", dealer=1)]
    dealers = {state.deal.number: state.deal.dealer for state in states if state.deal}
    assert dealers == {number: number % 3 for number in dealers}
    starters = {
        state.deal.number: state.deal.starter for state in states if state.deal and state.deal.starter
    }
    assert len(set(starters.values())) > len(starters) / 2


@dataclass
class Asked:
    """Greedy, with a note of what it saw."""

    seen: list[SeatSight] = field(default_factory=list)

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        self.seen.append(sight)
        return sight.hand[: sight.rules.sizes.discarded]

    def play(self, sight: SeatSight) -> Card:
        self.seen.append(sight)
        return sight.playable[-1]


@pytest.mark.parametrize("players", seats.PLAYERS)
def test_an_opponent_is_asked_only_for_its_own_seat_and_where_it_has_a_choice(players: int) -> None:
    asked = [Asked() for _ in range(players)]
    events = [event for event, _ in game(asked, preset("standard", players), packs(7))]
    for seat, one in enumerate(asked):
        assert {sight.seat for sight in one.seen} == {seat}
        for sight in one.seen:
            assert len(sight.playable) > 1
            assert sight.turn in {None, seat}
    many = sum(len(one.seen) for one in asked)
    kinds = Counter(type(event) for event in events)
    assert kinds[Discarded] < many < kinds[Discarded] + kinds[CardPlayed]


def test_no_card_that_lies_hidden_reaches_an_opponent() -> None:
    asked = [Asked(), Asked()]
    hidden: dict[int, set[Card]] = {}
    for event, _ in game(asked, preset("standard"), packs(9)):
        if isinstance(event, HandDealt):
            hidden[event.seat] = set(event.cards)
        if isinstance(event, CardPlayed):
            hidden[event.seat].discard(event.card)
        if len(hidden) == 2:
            for one in asked:
                for sight in one.seen:
                    assert not hidden[1 - sight.seat] & set(sight.seen)
                one.seen.clear()


def test_his_heels_are_taken_in_time() -> None:
    taken = 0
    for seed in range(4):
        for event, state in played(preset("acc"), "thrifty", "thrifty", seed=seed):
            taken += isinstance(event, HeelsTaken)
            assert state.deal is None or not state.deal.heels_lost
    assert taken


def test_go_is_said_where_nothing_fits() -> None:
    goes = [
        state
        for event, state in played(preset("standard"), "thrifty", "thrifty")
        if isinstance(event, GoSaid)
    ]
    assert goes
    assert all(state.outcomes for state in goes)


def test_nothing_happens_before_a_deal_or_after_the_game() -> None:
    with pytest.raises(WrongPhase, match="no deal"):
        next_event(NEW_TABLE, (), PACK)
    end = played(preset("travel-61"), "thrifty", "chance")[-1][1]
    with pytest.raises(WrongPhase, match="no deal"):
        next_event(end, (), PACK)


def test_the_game_ends_at_the_target_in_the_middle_of_a_deal() -> None:
    rules = changed(preset("standard"), {"target": "31"})
    ends = Counter(played(rules, "thrifty", "thrifty", seed=seed)[-1][1].won_in for seed in range(60))
    assert len(ends) >= 3, ends


def test_the_pack_has_each_card_once() -> None:
    assert len(set(PACK)) == 52
    assert set(parse_cards("AC 10S KH")) < set(PACK)
