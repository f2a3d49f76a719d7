"""Nobody peeks: what a seat sees is the same whatever lies where it cannot see."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.records import after
from support.referee import Referee
from support.refusals import refused
from support.worlds import another_world, cards_within, open_cards, own_cards

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import (
    CardPlayed,
    CribShown,
    Discarded,
    Entry,
    Event,
    GameStarted,
    GoSaid,
    HandDealt,
    PackShuffled,
    StarterTurned,
)
from cribpi.cribbage.game.sight import SeatSight, sight_of, sight_with
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import RuleError, WrongPhase
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.tell import call, tell

NAMES = ("ORANGE", "BLUE", "WHITE", "GREEN")


def dealt(chance: Random, players: int, entry: Entry) -> list[Event]:
    """Deal, discard and turn the starter, all of it by chance."""
    pack = chance.sample(PACK, len(PACK))
    size, away = seats.usual(players).dealt, seats.usual(players).discarded
    rules = preset("standard", players)
    done: list[Event] = [GameStarted(NAMES[:players], rules, entry, dealer=chance.randrange(players))]
    if entry is Entry.DEALT:
        done.append(PackShuffled(tuple(pack)))
        deal = fold(done).deal
        assert deal is not None
        assert deal.to_turn is not None
        done += [Discarded(seat, tuple(chance.sample(hand, away))) for seat, hand in enumerate(deal.dealt)]
        return [*done, StarterTurned(deal.to_turn)]
    hands = [tuple(pack[seat * size : seat * size + size]) for seat in range(players)]
    done += [HandDealt(seat, hand) for seat, hand in enumerate(hands)]
    done += [Discarded(seat, tuple(chance.sample(hand, away))) for seat, hand in enumerate(hands)]
    return [*done, StarterTurned(pack[-1])]


def move(state: State, chance: Random) -> Event | None:
    """Return a legal card or go of the seat whose turn it is."""
    assert state.deal is not None
    seat = state.deal.turn
    if state.phase is not Phase.PLAY or seat is None:
        return None
    playable = sight_of(state, seat).playable
    return CardPlayed(seat, chance.choice(playable)) if playable else GoSaid(seat)


@pytest.mark.parametrize("players", seats.PLAYERS)
@pytest.mark.parametrize("entry", [Entry.CARDS, Entry.DEALT])
@given(seed=st.integers(0, 2**32))
def test_what_a_seat_sees_does_not_hang_on_any_card_that_it_cannot_see(
    entry: Entry, players: int, seed: int
) -> None:
    chance = Random(seed)
    done = dealt(chance, players, entry)
    state = fold(done)
    length = chance.randrange(4 * players + 4)
    while len(done) < length + 3 * players and (event := move(state, chance)):
        done.append(event)
        state = step(state, event)
    for seat in range(players):
        sight = sight_of(state, seat)
        assert set(cards_within(replace(sight, past=()))) == open_cards(state) | own_cards(state, seat)
        assert set(sight.seen) == set(cards_within(replace(sight, past=())))
        assert len(sight.seen) == len(set(sight.seen))
        try:
            other = fold(another_world(done, sight.seen, chance))
        except RuleError:  # there somebody who said go would have held a card that fits
            continue
        assume(other != state or len(sight.seen) > 52 - 2)  # a few cards may fall as they lay
        assert sight_of(other, seat) == sight


@pytest.mark.parametrize(
    ("name", "players"), [("standard", 2), ("standard", 3), ("standard", 4), ("use-and-care", 2)]
)
def test_from_the_deal_to_the_crib_no_closed_card_is_in_any_sight_of_a_game_that_the_machine_deals(
    name: str,
    players: int,
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    compared, seeds = 0, 20 if whole else 2
    for seed in range(seeds):
        chance = Random(seed)
        state, done = NEW_TABLE, list[Event]()
        game = Referee(preset(name, players), chance, entry=Entry.DEALT).game()
        for expected in islice(game, 120):
            done.append(expected.event)
            state = step(state, expected.event)
            if state.deal is None or not any(state.deal.dealt):
                continue
            for seat in range(players):
                sight = sight_of(state, seat)
                assert set(cards_within(replace(sight, past=()))) == open_cards(state) | own_cards(
                    state, seat
                )
                assert set(sight.seen) == set(cards_within(replace(sight, past=())))
                assert len(sight.seen) == len(set(sight.seen))
                assert len(sight.kept) == (4 if state.deal.discards[seat] else len(sight.hand))
            if chance.random() < 0.8:
                continue
            seat = chance.randrange(players)
            with suppress(RuleError):
                other = fold(another_world(done, sight_of(state, seat).seen, chance))
                assert sight_of(other, seat) == sight_of(state, seat)
                compared += 1
    assert compared > 6 * seeds


@pytest.mark.parametrize("players", seats.PLAYERS)
def test_what_is_told_of_a_game_that_the_machine_deals_does_not_hang_on_a_card_that_lies_closed(
    players: int,
) -> None:
    compared = 0
    for seed in range(2):
        chance = Random(seed)
        state, done = NEW_TABLE, list[Event]()
        for expected in islice(Referee(preset("standard", players), chance, entry=Entry.DEALT).game(), 100):
            done.append(expected.event)
            state = step(state, expected.event)
            if state.deal is None or not any(state.deal.dealt):
                continue
            with suppress(RuleError):
                other_line = another_world(done, open_cards(state), chance)
                other = fold(other_line)
                assert tell(other_line[-1], other) == tell(done[-1], state)
                assert [call(one) for one in other.outcomes] == [call(one) for one in state.outcomes]
                assert (other.scores(), other.phase) == (state.scores(), state.phase)
                compared += other != state
    assert compared > 25


def test_a_sight_tells_the_play_in_order_with_who_said_go() -> None:
    done: list[Event] = [
        GameStarted(("ANN", "BOB"), dealer=1),
        HandDealt(0, parse_cards("10H 10S 9C 6D KC QC")),
        HandDealt(1, parse_cards("7H 6S 5C 4D KD QD")),
        Discarded(0, parse_cards("KC QC")),
        Discarded(1, parse_cards("KD QD")),
        StarterTurned(Card.parse("2S")),
        *(CardPlayed(seat, Card.parse(card)) for seat, card in [(0, "9C"), (1, "6S"), (0, "6D"), (1, "5C")]),
        GoSaid(0),
    ]
    sight = sight_of(fold(done), 1)
    assert [(play.seat, str(play.card)) for play in sight.plays] == [
        (0, "9C"),
        (1, "6S"),
        (0, "6D"),
        (1, "5C"),
    ]
    assert ([(go.seat, go.count) for go in sight.goes], sight.out, sight.turn) == ([(0, 26)], (0,), 1)
    assert (sight.count, sight.room, sight.playable) == (26, 5, parse_cards("4D"))
    assert (sight.hand, sight.discards) == (parse_cards("7H 4D"), parse_cards("KD QD"))
    assert sight.kept == parse_cards("6S 5C 7H 4D")
    assert (sight.seat == sight.dealer, sight.side, sight.scores) == (True, 1, (2, 2))
    assert sight.starter == Card.parse("2S")
    led = sight_of(fold(done[:7]), 1)
    assert (led.cards_left(0), led.cards_left(1)) == (3, 4)


def test_a_seat_remembers_the_play_of_the_deals_before() -> None:
    lines = ('game "ANN" "BOB" dealer=1', "dealt 0 10H 10S 9C 6D KC QC", "laid-away 0 KC QC", "starter 5S")
    play = "play 0:9 1:6 0:6 1:5 0:go 1:4 1:go 0:10 1:7 0:10"
    crib = [f"crib-card {card}" for card in ("2C", "3C")]
    state = after(*lines, play, "show 0", "show 1", *crib, "crib", "dealt 0 2H 3H 4H 5H 6H 7H")
    [before] = sight_of(state, 0).past
    assert (before.dealer, before.starter) == (1, Card.parse("5S"))
    assert [str(one.card) for one in before.plays] == "9C 6 6D 5 4 10H 7 10S".split()


def test_ranks_that_were_entered_alone_keep_the_suits_that_they_were_dealt_with() -> None:
    state = fold(
        [
            GameStarted(("ANN", "BOB"), dealer=1),
            HandDealt(0, parse_cards("10H 10S 9C 6D KC QC")),
            Discarded(0, parse_cards("K Q")),
        ]
    )
    sight: SeatSight = sight_of(state, 0)
    assert (sight.discards, sight.hand) == (parse_cards("KC QC"), parse_cards("10H 10S 9C 6D"))


@pytest.mark.parametrize("events", [[], [GameStarted(("ANN", "BOB"), dealer=1)]])
def test_a_seat_of_which_no_card_is_known_has_no_sight(events: list[Event]) -> None:
    with pytest.raises(WrongPhase, match=r"^the cards of that seat are not known: enter its hand$"):
        sight_of(fold(events), 0)
    if not events:
        said = refused(WrongPhase, sight_with, fold(events), 0, parse_cards("2H 3H 4H 5H"))
        assert said == "no deal has begun: start a game and choose the dealer"


@pytest.mark.parametrize(("score", "winner"), [(100, None), (120, 1)])
def test_the_crib_lies_open_when_it_is_shown_also_where_it_has_won_the_game(
    score: int, winner: int | None
) -> None:
    lines = (
        *("dealt 0 10H 10S 9C 6D KC QC", "dealt 1 7H 6S 5C 4D KD QD"),
        *("laid-away 0 KC QC", "laid-away 1 KD QD", "starter 5S"),
        *("play 0:9 1:6 0:6 1:5 0:go 1:4 1:go 0:10 1:7 0:10", "show 0"),
    )
    before = after('game "A" "B" dealer=1', *lines)
    assert set(sight_of(before, 0).opened).isdisjoint(parse_cards("KD QD")), "the crib is not shown yet"
    shown = after('game "A" "B" dealer=1', *lines, "show 1", f"put-right 1 {score}")
    assert sight_of(shown, 0).opened == parse_cards("KD QD")
    over = step(shown, CribShown())
    assert over.winner == winner
    if winner is not None:
        assert sight_of(over, 0).opened == parse_cards("KD QD")
        assert sight_of(over, 1).opened == parse_cards("KC QC")
