"""Laws that hold at every table, whatever happens there: every preset, and every house."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import games
from support.laws import OVER, check_line, check_move, check_sentence
from support.samples import examples

from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, fold, is_legal, step
from cribpi.cribbage.record import parse, print_record
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import Rules, preset


def walk(chance: Random, entry: Entry, length: int, rules: Rules, games_left: int = 2) -> list[Event]:
    """Let random things happen, mostly legal ones; return the events that were, each checked."""
    start = games.random_start(chance, rules.players, entry, rules)
    state = fold([start])
    done: list[Event] = [start]
    for _ in range(length):
        event: Event = games.random_event(state, chance)
        if state.winner is not None:
            _check_nothing_counts(state, chance)
            if chance.random() < 0.6:
                if not games_left:
                    break
                games_left -= 1
                event = next_game(state)
        can = is_legal(state, event)
        try:
            after = step(state, event)
        except RuleError as refused:
            check_sentence(refused)
            assert not can
            continue
        assert can
        check_move(state, event, after)
        done.append(event)
        state = after
    check_line(done, state)
    return done


def _check_nothing_counts(state: State, chance: Random) -> None:
    """Check that after a win only names, a false claim and another game are legal."""
    for late in (games.random_event(state, chance), games.wild_event(chance)):
        if not isinstance(late, events.SeatsNamed | events.FalseWinRuled | events.GameStarted):
            with pytest.raises(RuleError):
                step(state, late)


TABLES = [
    pytest.param(rules, entry, id=f"{rules.name}-{rules.players}-{entry}")
    for rules in games.ALL_PRESETS
    for entry in Entry
]
"""Every preset, for every number of players that it knows, and each way to keep a game."""

houses = st.randoms(use_true_random=False).map(games.random_house)


@pytest.mark.parametrize(("rules", "entry"), TABLES)
def test_whatever_happens_at_a_table_of_any_preset_the_laws_hold(
    rules: Rules,
    entry: Entry,
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    for seed in range(50 if whole else 1):
        assert len(walk(Random(seed), entry, 150, rules)) > 1


@given(st.integers(0, 2**32), houses, st.sampled_from(Entry))
@example(
    345101676, replace(preset("five-card"), next_first_dealer="cut"), Entry.PEG
)  # a score before the cut
def test_whatever_happens_at_a_table_of_any_house_the_laws_hold(
    seed: int, rules: Rules, entry: Entry
) -> None:
    assert len(walk(Random(seed), entry, 150, rules)) > 1


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("rules", "entry"), TABLES)
def test_whatever_happens_at_forty_tables_of_each_preset_and_its_houses_the_laws_hold(
    rules: Rules, entry: Entry
) -> None:
    finished = 0
    for seed in range(40):
        chance = Random(seed)
        house = games.random_house(chance, rules) if seed % 2 else rules
        done = walk(chance, entry, 400, house)
        finished += any(state.winner is not None for state in accumulate(done, step, initial=NEW_TABLE))
    assert finished > 3, "some were played to the end"


@pytest.mark.parametrize("entry", Entry)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_random_tables_come_to_every_phase(players: int, entry: Entry) -> None:
    seen: set[Phase] = set()
    wanted = set(Phase) - {Phase.STARTER}
    rules = Rules(
        players=players,
        deal={2: "six", 3: "five-and-pack", 4: "five"}[players],  # type: ignore[arg-type]
        target=31,
        match="first-to-2",
    )
    for seed in range(40):
        done = walk(Random(seed), entry, 250, rules)
        seen |= {state.phase for state in accumulate(done, step, initial=NEW_TABLE)}
        if seen >= wanted:
            return
    assert seen >= wanted


@given(st.lists(games.any_event, max_size=12), houses, st.sampled_from(Entry))
def test_any_events_at_all_raise_a_rule_error_or_obey_the_laws(
    some: list[Event], rules: Rules, entry: Entry
) -> None:
    state = fold([events.GameStarted(games.NAMES[: rules.players], rules, entry, 0)])
    for event in some:
        try:
            after = step(state, event)
        except RuleError:
            continue
        if not isinstance(event, events.GameStarted):
            check_move(state, event, after)
        state = after


@given(games.any_event)
def test_before_a_game_only_a_game_can_begin(event: Event) -> None:
    try:
        after = step(NEW_TABLE, event)
    except RuleError:
        return
    assert isinstance(event, events.GameStarted)
    assert after.phase in {Phase.CUT, Phase.DEAL}
    assert not any(after.scores())


@given(st.integers(0, 2**32), houses, st.sampled_from(Entry))
def test_a_record_of_a_table_reads_back_as_the_same_events(seed: int, rules: Rules, entry: Entry) -> None:
    done = tuple(walk(Random(seed), entry, 120, rules))
    text = print_record(done)
    assert parse(text) == done
    assert print_record(parse(text)) == text


@examples(10)
@given(st.integers(0, 2**32), houses, st.sampled_from(Entry), st.booleans())
def test_a_whole_game_of_any_house_is_printed_and_read_back_to_the_same_state(
    seed: int,
    rules: Rules,
    entry: Entry,
    suited: bool,  # noqa: FBT001 - Hypothesis gives it
) -> None:
    game = games.Referee(rules, Random(seed), suited, entry).game()
    line = tuple(expected.event for expected in game)
    assert parse(print_record(line)) == line
    over = fold(line)
    assert over.phase in OVER
    assert fold(parse(print_record(line))) == over  # type: ignore[arg-type]  # no comments in it
