"""What is done without a key where the computer deals: only what is nobody's choice, and was asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support.companions import press, running
from support.games import random_event, random_start
from support.patience import until
from support.presses import choices, view_at
from support.records import after

from cribpi.companion.entry.hands import (
    forced_step,
    next_machine,
    next_person,
    persons,
    to_read,
)
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState, Menu
from cribpi.companion.entry.next_game import AUTOMATIC, NextGame
from cribpi.companion.table.snapshot import steps_back
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CardPlayed, Entry, HandShown
from cribpi.cribbage.game.show import score_hand
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.words.log import LogEntry
from cribpi.cribbage.words.shows import least, shown_cards

STEPS = 400
NOTHING = SavedInput(InputState())
ALL = SavedInput(InputState(), InputContext(NextGame(house=House(automatic=AUTOMATIC))))


def places(seed: int, players: int) -> list[State]:
    chance = Random(seed)
    state = step(NEW_TABLE, random_start(chance, players, Entry.DEALT))
    found = [state]
    for _ in range(STEPS):
        try:
            state = step(state, random_event(state, chance))
        except RuleError:
            continue
        found.append(state)
    return found


def plays_itself(state: State, saved: SavedInput) -> bool:
    return view_at(state, saved).plays_itself


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_what_happens_by_itself_is_nobodys_choice_and_ok_would_do_it(seed: int, players: int) -> None:
    for state in places(seed, players):
        if not plays_itself(state, ALL):
            continue
        assert state.winner is None
        assert next_machine(state) is None
        likely = [choice.key for choice in choices(state, ALL) if choice.is_likely]
        assert likely[0] == "OK"
        if next_person(state) is not None:  # who holds no card that fits can only say go
            assert state.phase is Phase.PLAY
            assert len(persons(state)) == 1


@pytest.mark.parametrize("seed", range(6))
def test_each_step_is_done_only_where_it_was_asked_for(seed: int) -> None:
    seen = set()
    for state in places(seed, 2):
        if not persons(state):
            assert plays_itself(state, NOTHING) == plays_itself(state, ALL)
            continue
        assert not plays_itself(state, NOTHING)
        for name in AUTOMATIC:
            saved = SavedInput(InputState(), InputContext(NextGame(house=House(automatic=(name,)))))
            if plays_itself(state, saved):
                assert forced_step(state) == name
                assert not plays_itself(state, saved._replace(input_state=InputState(Menu())))
                seen.add(name)
    assert {"deal", "starter"} <= seen or not persons(places(seed, 2)[0])


def test_a_hand_that_is_passed_round_never_says_go_by_itself() -> None:
    for seed in range(12):
        for state in places(seed, 3):
            if len(persons(state)) > 1 and state.phase is Phase.PLAY and next_person(state) is not None:
                assert not plays_itself(state, ALL)


def test_what_a_player_has_to_count_is_not_pegged_by_itself() -> None:
    for miscount in ("machine", "lost", "muggins"):
        seen = 0
        for seed in range(8):
            for state in places(seed, 2):
                counts = replace(state, rules=replace(state.rules, miscount=miscount))
                if state.phase in {Phase.SHOW, Phase.CRIB} and persons(state) and state.winner is None:
                    seen += 1
                    assert state.deal is not None
                    is_own = miscount != "machine" and not state.level(state.deal.shower)
                    assert plays_itself(counts, ALL) is not is_own
        assert seen


def test_a_count_that_is_pegged_by_itself_leaves_time_for_each_of_its_scores() -> None:
    seen = set()
    for seed in range(8):
        for state in places(seed, 2):
            if forced_step(state) != "peg" or not persons(state):
                assert to_read(state) == (2 if forced_step(state) == "go" and persons(state) else 0)
                continue
            deal = state.deal
            assert deal is not None
            assert deal.starter is not None
            if state.phase is Phase.SHOW:
                assert to_read(state) == 2 + len(score_hand(shown_cards(state), deal.starter))
            seen.add(to_read(state))
    assert len(seen) > 3


PAIRED = (
    "play 0:5 1:6 0:7 1:9 0:go 1:go 0:8 1:K 0:5 1:6"  # 5 5 7 8 has no flush, and no jack; 6 6 9 K neither
)
WRONG_GO = PAIRED.replace("0:8", "0:4")


def test_a_show_of_real_cards_is_pegged_by_itself_where_nothing_can_be_added() -> None:
    certain = after('game "A" "B" dealer=1', "starter 4", PAIRED)
    assert plays_itself(certain, ALL)
    assert not plays_itself(certain, NOTHING)
    assert to_read(certain) == 2 + len(least(certain))
    for open_still in (
        after('game "A" "B" dealer=1', "starter 4", PAIRED.replace("0:8", "0:J")),  # his nobs
        after('game "A" "B" dealer=1', "starter 4", PAIRED.replace("0:5 1:6 0:7", "0:A 1:6 0:7")),  # a flush
        after('game "A" "B" dealer=1 rules=acc', "starter 4", PAIRED),  # players count
        after('game "A" "B" dealer=1 renege=2', "starter 4", WRONG_GO),  # to be ruled on
    ):
        assert open_still.phase is Phase.SHOW
        assert not plays_itself(open_still, ALL)


def test_undo_takes_back_what_was_pegged_by_itself_with_the_card_before_it() -> None:
    before = after('game "A" "B" dealer=1', "starter 4", PAIRED.removesuffix(" 1:6"))
    last, shown_first = CardPlayed(1, Card.parse("6")), HandShown(0)
    played = step(before, last)
    shows_first = LogEntry(played, shown_first, step(played, shown_first))
    line = (LogEntry(NEW_TABLE, last, before), LogEntry(before, last, played), shows_first)
    assert steps_back(line, ALL.context, 3) == 2
    assert steps_back(line, NOTHING.context, 3) == 1


def test_at_the_table_both_hands_are_pegged_and_the_crib_waits_for_its_cards(tmp_path: Path) -> None:
    with running(tmp_path, seed=1, players=2, entry="cards", speed="fast", automatic=("peg",)) as parts:
        for key in "OK OK P2 4 5 6 7 9 GO GO 8 K 5 6".split():
            press(parts, key)
        until(lambda: parts.loop.table.now.state.phase is Phase.CRIB)
        assert [pegs.front for pegs in parts.loop.table.now.state.pegs] == [7, 8]
