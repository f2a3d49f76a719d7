"""What is done without a key where the computer deals: only what is nobody's choice, and was asked for."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from support.games import random_event, random_start

from cribpi.companion.entry.by_dealing import (
    forced_step,
    next_machine,
    next_person,
    persons,
    plays_itself,
    to_read,
)
from cribpi.companion.entry.choices import choices
from cribpi.companion.entry.desk import AUTOMATIC, Desk, Menu, Setup
from cribpi.companion.entry.the_show import shown
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.show import score_hand
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import RuleError

STEPS = 400
NOTHING = Desk()
ALL = Desk(Setup(automatic=AUTOMATIC))


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
            desk = Desk(Setup(automatic=(name,)))
            if plays_itself(state, desk):
                assert forced_step(state) == name
                assert not plays_itself(state, replace(desk, dialog=Menu()))
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
                assert to_read(state) == 2 + len(score_hand(shown(state), deal.starter))
            seen.add(to_read(state))
    assert len(seen) > 3
