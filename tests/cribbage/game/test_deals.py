"""Whole deals card by card, each with all its points: two, three and four seats."""

from __future__ import annotations

from collections import Counter
from multiprocessing import Pool
from random import Random
from time import perf_counter
from typing import get_args

import pytest
from support import games

from cribpi.cribbage.game.events import (
    CardCut,
    DealerChosen,
    Entry,
    Event,
    FalseWinRuled,
    GameStarted,
    NewCountLed,
    SeatsNamed,
)
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Outcome, Phase, State
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.record import HEADER, parse
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules.rules import Rules

TWO = 'game "A" "B" dealer=1'
THREE = 'game "A" "B" "C" dealer=0'
FOUR = 'game "A" "B" "C" "D" dealer=3'


def played(*lines: str) -> list[State]:
    """Return the states after each event of a record's *lines*."""
    states, state = [], State()
    for event in parse("\n".join((HEADER, *lines))):
        assert not isinstance(event, str)
        state = step(state, event)  # type: ignore[arg-type]  # no comments in these
        states.append(state)
    return states


def points_of(*lines: str) -> list[str]:
    """Tell what each event pegged, as `side+points`, those that pegged nothing left out."""
    told: list[str] = []
    before: tuple[Outcome, ...] = ()
    for state in played(*lines):
        if state.outcomes != before:
            told += [f"{one.side}+{one.points}" for one in state.outcomes if one.points]
        before = state.outcomes
    return told


DEALS = [
    # rules and cards                                   what is pegged, in order      why
    (
        (TWO, "starter K", "play 0:9 1:6 0:6 1:5 0:go 1:4 1:go 0:10 1:7 0:10"),
        "1+2 0+2 1+3 1+1 0+1",
        "board-set's first deal: fifteen, pair, run over a go; one for last twice",
    ),
    (
        (TWO, "starter K", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10"),
        "1+2 0+2 1+3 1+1 0+1",
        "the same where the next lead tells the go",
    ),
    (
        (TWO, "starter K", "play 0:8 1:7 0:7 1:6 0:go 1:go 0:5"),
        "1+2 0+2 1+1",
        "board-set's second deal: the count is new, so the 5 is no run",
    ),
    (
        (TWO, "starter K", "play 0:8 1:7 0:7 1:6 0:lead:5"),
        "1+2 0+2 1+1",
        "the same where the lead tells both goes",
    ),
    (
        (TWO, "starter 3", "play 0:10 1:10 0:10 1:go 0:go 1:7 0:2 1:2 0:2 1:2"),
        "1+2 0+6 0+1 1+2 0+6 1+15",
        "a double pair royal, fifteen, and last: the most that one card pegs",
    ),
    (
        (TWO, "starter 3", "play 0:10 1:10 0:10 1:A 0:Q 1:Q 0:Q 1:A"),
        "1+2 0+6 1+2 1+2 0+6 1+2",
        "thirty-one with the last card is 2, not 3",
    ),
    (
        (TWO, "starter 3", "play 0:10 1:J 0:9 1:go 0:2 1:10 0:K 1:J 1:lead:Q"),
        "0+3 0+2 1+1 1+1",
        "the last card of the deal leads a count: one for go, then one for last",
    ),
    (
        (TWO, "starter 3", "play 0:10 1:J 0:9 1:go 0:2 1:10 0:K 1:J 1:go 1:Q"),
        "0+3 0+2 1+1 1+1",
        "the same with the go said",
    ),
    (
        (
            THREE,
            "starter A",
            "play 1:K 2:Q 0:10 1:go 2:go 0:go 1:9 2:8 0:7 1:5 2:go 0:go 1:go 2:4 0:3 1:K 2:2 0:2",
        ),
        "0+1 0+3 1+1 0+3",
        "the go goes to the last to play, and the next to the left leads",
    ),
    (
        (THREE, "starter A", "play 1:K 2:Q 0:10 1:lead:9 2:8 0:7 1:5 2:lead:4 0:3"),
        "0+1 0+3 1+1",
        "the same in fewer words: a lead tells all the goes",
    ),
    (
        (THREE, "starter A", "play 1:10 2:10 0:9 1:go 2:A 0:A 1:5"),
        "2+2 0+4",
        "who said go is out of that count; the others play on, to thirty-one",
    ),
    (
        (
            FOUR,
            "starter 3",
            "play 0:K 1:K 2:9 3:go 0:go 1:2 2:K 3:Q 0:J 1:A 2:8 3:Q 0:6 1:7 2:5 3:5 0:5 3:7",
        ),
        "1+2 1+2 0+3 1+2 1+2 1+2 0+8 1+1",
        "partners share a peg; seats run out one by one, and the last of all pegs",
    ),
    (
        (TWO, "starter J"),
        "1+2",
        "two for his heels, to the dealer",
    ),
    (
        (FOUR, "starter J"),
        "1+2",
        "to the dealer's side, where there are partners",
    ),
]


@pytest.mark.parametrize(("lines", "pegged", "why"), DEALS)
def test_a_deal_pegs_card_by_card_what_the_sheets_say(lines: tuple[str, ...], pegged: str, why: str) -> None:
    assert points_of(*lines) == pegged.split(), why


def test_the_first_board_set_deal_is_shown_and_cribbed_in_order() -> None:
    states = played(
        TWO,
        "starter 5",
        "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10",
        "show 0",
        "show 1",
        *("crib-card 5", "crib-card J", "crib-card 2", "crib-card 3"),
        "crib",
    )
    end = states[-1]
    # A 9 6 10 10 with 5: 9+6, 5+10 twice, and the pair; B 6 5 4 7 with 5: see the second scorer's laws too.
    told = [(one.side, one.points) for state in states[-7:] for one in state.outcomes]
    assert told[0] == (0, 8)
    assert told[1] == (1, 14)
    assert end.last is not None
    assert (end.last.side, end.last.points) == (1, 10), "5 J 2 3 with 5: four fifteens and the pair"
    assert end.phase is Phase.DEAL
    assert end.deal is not None
    assert (end.deal.number, end.deal.dealer) == (2, 0), "the deal passes to the left"
    assert end.scores() == (2 + 1 + 8, 2 + 3 + 1 + 14 + 10)


def test_thirty_one_that_the_last_card_makes_is_no_last() -> None:
    state = played(*DEALS[5][0])[-1]
    assert state.last is not None
    assert [score.kind for score in state.last.scores] == [Kind.THIRTY_ONE]
    assert state.phase is Phase.SHOW


def test_a_new_count_that_is_led_tells_both_scores_in_order() -> None:
    state = played(*DEALS[6][0])[-1]
    assert [score.kind for one in state.outcomes for score in one.scores] == [Kind.GO, Kind.LAST]
    assert all(isinstance(one.event, NewCountLed) for one in state.outcomes)
    assert state.outcomes[0].count == 30
    assert state.phase is Phase.SHOW


# --- who has won ------------------------------------------------------------------------------------

TO_SHOW = ("starter 5", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10")

WINS = [
    # lines                                                      winner scores   why
    (
        (TWO, "put-right 1 119", "starter J"),
        *(1, (0, 121), "the dealer, on 119, wins by his heels"),
    ),
    (
        (TWO, "put-right 1 120", "starter J"),
        *(1, (0, 121), "two from 120 will do: the exact number is not needed"),
    ),
    (
        (TWO, "starter 4", "put-right 0 120", "play 0:10 1:10 0:10"),
        *(0, (121, 2), "a pair royal in the play wins, and stops at the game hole"),
    ),
    (
        (TWO, "starter 4", "put-right 1 120", "play 0:8 1:9 0:10 1:go 0:go"),
        *(None, (4, 120), "one for go to the last to play, who is not on 120"),
    ),
    (
        (TWO, "starter 4", "put-right 0 120", "play 0:8 1:6 0:10 1:go 0:go"),
        *(0, (121, 0), "one for go wins"),
    ),
    (
        (TWO, "starter 4", "put-right 0 120", "play 0:8 1:6 0:10 1:lead:9"),
        *(0, (121, 0), "one for go wins before the new count's card falls"),
    ),
    (
        (TWO, *TO_SHOW, "put-right 0 115", "put-right 1 115", "show 0"),
        *(0, (121, 115), "both hands would reach 121: pone shows first and has won"),
    ),
    (
        (TWO, *TO_SHOW, "put-right 0 112", "put-right 1 115", "show 0", "show 1"),
        *(1, (120, 121), "pone falls one short, and the dealer's hand wins"),
    ),
    (
        ('game "A" "B" dealer=1 target=61', "put-right 1 59", "starter J"),
        *(1, (0, 61), "a game to 61"),
    ),
    (
        ('game "A" "B" dealer=1 target=61', "put-right 1 58", "starter J"),
        *(None, (0, 60), "one short of it"),
    ),
    (
        (THREE, "put-right 2 120", "starter 4", "play 1:5 2:10"),
        *(2, (0, 0, 121), "the third of three"),
    ),
    (
        (FOUR, "put-right 0 120", "starter 4", "play 0:2 1:3 2:A"),
        *(0, (121, 0), "a partner's run wins for the side"),
    ),
    (
        (TWO, "penalty 0 +121"),
        *(0, (121, 0), "a ruling of the table can end a game too"),
    ),
]


@pytest.mark.parametrize(("lines", "winner", "scores", "why"), WINS)
def test_the_first_to_reach_the_target_has_won_there_and_then(
    lines: tuple[str, ...], winner: int | None, scores: tuple[int, ...], why: str
) -> None:
    states = played(*lines)
    assert states[-1].winner == winner, why
    assert states[-1].scores() == scores, why
    assert all(state.winner is None for state in states[:-1]), "and not before"
    if winner is not None:
        assert states[-1].phase is Phase.GAME_OVER
        assert states[-1].games[winner] == 1
        assert sum(states[-1].games) == 1


# --- against a referee who knows all hands ----------------------------------------------------------


WAYS = (Entry.CARDS, Entry.CARDS, Entry.DEALT, Entry.PEG)


def _check_game(seed: int, rules: Rules, entry: Entry = Entry.CARDS) -> Counter[type]:
    """Play the referee's game through the engine, event by event; return how many of each type there were."""
    chance = Random(seed)
    referee = games.Referee(rules, chance, suited=chance.random() < 0.5, entry=entry)
    state, seen = State(), Counter[type]()
    for expected in referee.game():
        assert state.winner is None or isinstance(expected.event, FalseWinRuled), "nothing comes after a win"
        state = step(state, expected.event)
        assert state.scores() == expected.scores, (expected.event, state.deal)
        assert state.winner == expected.winner, expected.event
        seen[type(expected.event)] += 1
    assert state.winner is not None
    assert state.scores()[state.winner] == rules.target
    return seen


PRESETS = [
    pytest.param(rules, entry, id=f"{rules.name}-{rules.players}-{entry}")
    for rules in games.ALL_PRESETS
    for entry in Entry
]
"""Every preset, for every number of players that it knows, and each way to keep a game."""


@pytest.mark.parametrize(("rules", "entry"), PRESETS)
def test_whole_games_of_each_preset_score_as_the_naive_referee_has_them(
    rules: Rules,
    entry: Entry,
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    for seed in range(20 if whole else 1):
        assert _check_game(seed, rules, entry).total() > 8


def test_whole_games_of_houses_score_as_the_naive_referee_has_them(whole: bool) -> None:  # noqa: FBT001  a fixture
    seen = Counter[type]()
    for seed in range(500 if whole else 40):
        chance = Random(seed)
        rules = games.random_house(chance)
        seen += _check_game(seed, rules, WAYS[seed % 4])
    never = {CardCut, DealerChosen, SeatsNamed}
    assert set(seen) == set(get_args(Event)) - never, "the referee has every event but those before the deal"


def _check_many(share: int) -> Counter[type]:
    """Play games of all presets, and as many of houses that changed them, until 62,500 events were
    checked."""
    seen, seed = Counter[type](), share * 100_000
    while seen.total() < 62_500:
        chance = Random(seed)
        rules = games.ALL_PRESETS[seed % len(games.ALL_PRESETS)]
        if seed % 2:
            rules = games.random_house(chance, rules)
        seen += _check_game(seed, rules, WAYS[seed % 5 % 4])
        seed += 1
    return seen


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_a_million_events_of_all_presets_and_houses_score_as_the_naive_referee_has_them() -> None:
    began, seen = perf_counter(), Counter[type]()
    with Pool(2) as pool:
        for part in pool.imap_unordered(_check_many, range(16)):
            seen += part
    print(f"{seen.total():,} events of {seen[GameStarted]:,} games in {perf_counter() - began:.0f} s")
    assert seen.total() >= 1_000_000


LOSER_DEALS = [
    (TWO, ("penalty 0 +121",), 1, "the loser of two"),
    (TWO, ("penalty 1 +121",), 0, "the other"),
    (THREE, ("put-right 1 50", "put-right 2 40", "penalty 0 +121"), 2, "with three, the lowest"),
    (THREE, ("put-right 0 40", "put-right 2 40", "penalty 1 +121"), 2, "of two equal, the first to the left"),
    (FOUR, ("penalty 0 +121",), 1, "the winner's left, with partners"),
    (FOUR, ("penalty 1 +121",), 2, "which is an opponent"),
]


@pytest.mark.parametrize(("start", "lines", "dealer", "why"), LOSER_DEALS)
def test_the_loser_deals_the_next_game(start: str, lines: tuple[str, ...], dealer: int, why: str) -> None:
    over = played(start, *lines)[-1]
    after = step(over, next_game(over))
    assert after.deal is not None
    assert after.deal.dealer == dealer, why
    assert after.games == over.games
    assert set(after.scores()) == {0}


def test_folding_nothing_is_the_new_table() -> None:
    assert fold([]) == State()
