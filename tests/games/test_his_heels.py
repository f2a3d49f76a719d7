"""His heels worth three or one, from key to screen: what is pegged, said and shown is what the rules have."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support.games import PACK, Referee
from support.presses import prompt, view_at
from support.screens import Evening
from support.scripts import keys_by_cards, keys_by_points, start_keys

import cribpi
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Peg, pegged
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.views.screen.screen import compose
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry, Event, PointsPegged
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.players.win_chance import average_game
from cribpi.cribbage.record import Comment, parse, print_record
from cribpi.cribbage.rules.rules import changed, preset
from cribpi.cribbage.words.tell import call, tell
from cribpi.workshop.arena.contest import Contest, play_sets

THREE = {"heels": "3"}
RULES = changed(preset("standard"), THREE)
SETUP = NextGame().with_rules(None, THREE)


@pytest.mark.parametrize(("points", "said"), [(3, "three for his heels"), (1, "one for his heels")])
@pytest.mark.parametrize("entry", ["cards", "peg"])
def test_a_game_is_kept_by_keys_as_the_referee_keeps_it(entry: str, points: int, said: str) -> None:
    house = {"heels": str(points)}
    bench, taken = Rehearsal(load_kit("table"), 5, setup=NextGame().with_rules(None, house)), 0
    try:
        for expected in Referee(
            changed(preset("standard"), house), Random(5), suited=False, mishaps=False
        ).game():
            event, state = expected.event, bench.now.state
            if isinstance(event, events.GameStarted):
                keys = start_keys(2, 121, entry, event.dealer or 0)
            else:
                keys = keys_by_cards(event, state) if entry == "cards" else keys_by_points(expected, state)
            for key in keys:
                assert bench.press(key) is None, (key, event)
            assert bench.now.state.scores() == expected.scores, event
            last = bench.now.state.last
            if isinstance(event, events.StarterTurned) and last and last.scores[:1] and last.points == points:
                assert call(last) == said
                taken += last.scores[0].kind is Kind.HEELS
        assert bench.now.state.winner is not None
        assert bench.now.state.rules.heels == points
        line = [moment.event for moment in bench.now.log]
    finally:
        bench.close()
    assert taken, "a jack was turned up"
    assert (
        fold(one for one in parse(print_record(line)) if not isinstance(one, Comment)).rules.heels == points
    )


@pytest.mark.parametrize("rules", ["standard", "acc-muggins"])
def test_a_game_that_the_machine_deals_is_kept_as_the_referee_keeps_it(rules: str) -> None:
    house = changed(preset(rules), THREE)
    state, told = NEW_TABLE, ""
    for expected in Referee(house, Random(3), entry=Entry.DEALT, mishaps=False).game():
        state = step(state, expected.event)
        told += tell(expected.event, state) + "\n"
        assert state.scores() == expected.scores, expected.event
    assert state.winner is not None
    assert "three for his heels" in told
    assert "two for his heels" not in told


def jack_first(number: int) -> list[Card]:
    """Return a pack whose thirteenth card, the starter of two, is a jack."""
    pack = Random(number).sample(PACK, len(PACK))
    jack = next(at for at, card in enumerate(pack) if card.rank == 11)
    pack[12], pack[jack] = pack[jack], pack[12]
    return pack


@pytest.mark.parametrize("level", ["solid", "expert"])
def test_machines_play_to_the_end_and_take_three(level: str) -> None:
    rules = replace(changed(preset("acc"), THREE), target=31)
    machines = [opponent(level, chance=Random(seat)) for seat in range(2)]
    played: list[Event] = []
    for event, state in game(machines, rules, jack_first, dealer=0):
        played.append(event)
        if isinstance(event, events.HeelsTaken):
            assert [one.points for one in state.outcomes] == [3]
    assert any(isinstance(event, events.HeelsTaken) for event in played)


def test_the_arena_counts_three_a_jack() -> None:
    contest = Contest("thrifty", "chance", RULES, 3)
    sums = play_sets(contest, 0, 5)
    assert sums["heels.a"] + sums["heels.b"] > 0
    assert (sums["heels.a"] + sums["heels.b"]) % 3 == 0


def test_the_chance_of_winning_counts_the_points_of_this_deal() -> None:
    assert [average_game(replace(RULES, heels=points)).points.heels_points for points in range(4)] == [
        0,
        1,
        2,
        3,
    ]


def test_a_jack_by_points_is_asked_for_pegged_and_refused_with_three() -> None:
    evening = Evening(replace(SETUP, entry="peg")).press("OK OK P2 OK")
    assert prompt(evening.state, evening.saved) == (
        "A jack is three for his heels to BLUE: 3, then P2. OK: It was not a jack"
    )
    assert "three for his heels" in said(evening)
    assert prompt(evening.state, evening.press("2").input_state) == (
        "2: only 3 for his heels can be pegged; type more. UNDO: Undo the last one"
    )
    assert "only 3 for" in said(evening)
    evening.press("UNDO 3 OK")
    assert evening.state.scores() == (0, 3)
    assert "+3" in said(evening)
    assert "a jack: three" in said(evening)


def test_a_joystick_counts_up_to_three_at_once() -> None:
    evening = Evening(replace(SETUP, entry="peg"), pad=load_kit("bonnet").pad).press("OK OK P2 OK")
    assert evening.press("UP OK").state.scores() == (0, 3)


def test_a_jack_that_waits_is_offered_and_lost_with_three() -> None:
    late = NextGame().with_rules("acc", THREE)
    evening = Evening(late).press("OK OK P2 J")
    assert prompt(evening.state, evening.saved).endswith("OK: Take three for his heels")
    assert "a jack: three" in said(evening)
    evening.press("10 Q")
    lost = tell(events.CardPlayed(1, Card.parse("Q")), evening.state)
    assert lost.endswith("; his heels are lost")


def test_the_page_pegs_a_jack_by_its_name() -> None:
    assert pegged(Peg(1, Kind.HEELS), RULES) == PointsPegged(1, 3, Kind.HEELS)


def said(evening: Evening) -> str:
    return " | ".join(
        text.text for text in compose(view_at(evening.state, evening.saved, evening.pad)).texts()
    )


def test_at_most_five_files_know_that_it_is_an_option() -> None:
    """One asks the rules; the others are its row, its field, and two with an example."""
    house = Path(cribpi.__file__).parent
    named = re.compile(r'rules\.heels\b|self\.heels\b|heels=none|"heels": [0"]|options\.heels\b')
    files = (*house.rglob("*.py"), *house.rglob("*.js"), *house.rglob("*.toml"))
    knows = {file.relative_to(house).as_posix() for file in files if named.search(file.read_text("utf-8"))}
    assert knows == {
        "cribbage/game/steps/deal.py",
        "cribbage/rules/rules.py",
        "cribbage/rules/rules.toml",
        "commands/rules.py",
        "commands/house.py",
    }
