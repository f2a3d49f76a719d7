"""The new-game menu: a match, its stake and a renege can be chosen, and no match ends unasked."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import pytest
from support.presses import Input, after, press, prompt, view_at

from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import EndMatch, InputState, NewGame
from cribpi.companion.entry.kept import from_json, to_json
from cribpi.companion.entry.new_game import new_game_lines
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.web.json.state import plain_json, state_json
from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.rules.rules import house_rules, preset, written


def pressed(given: Input, keys: str, state: State = NEW_TABLE) -> SavedInput:
    """Return the input after *keys*, none of which makes an event."""
    saved = SavedInput(given) if isinstance(given, InputState) else given
    for key in keys.split():
        effect = press(state, saved, key)
        assert effect.event is None
        saved = after(saved, effect)
    return saved


def begun(setup: NextGame, state: State = NEW_TABLE) -> GameStarted:
    """Return the game that OK begins with *setup*."""
    event = press(state, SavedInput(InputState(NewGame()), InputContext(setup)), "OK").event
    assert isinstance(event, GameStarted)
    return event


@pytest.mark.parametrize(("line", "key"), [("match", "5"), ("stake", "6"), ("renege", "7")])
def test_each_value_of_an_option_of_the_match_can_be_chosen_and_begins_a_game_by_it(
    line: str, key: str
) -> None:
    saved, seen = pressed(InputState(), f"OK {key}"), []
    for _ in rulebook().options[line].values:
        seen.append(written(getattr(begun(saved.context.next_game).rules, line)))
        assert from_json(to_json(saved)) == saved
        saved = pressed(saved, "P2")
    assert seen == list(rulebook().options[line].values), "in their order, from the standard one"
    assert saved.context.next_game == NextGame(), "once round is as it was: no change of the house"
    assert pressed(saved, "P2 P1").context.next_game == NextGame()


def fits(players: int, *changes: tuple[str, str]) -> bool:
    try:
        house_rules("standard", players, dict(changes))
    except BadSetup:
        return False
    return True


VALUES = [(name, value) for name, one in rulebook().options.items() for value in one.values]


def misfits() -> list[tuple[int, int, tuple[tuple[str, str], tuple[str, str]]]]:
    """Return pairs of values that fit a number of players, of which neither fits another."""
    return [
        (now, then, pair)
        for now, then in permutations((2, 3, 4), 2)
        for pair in combinations(VALUES, 2)
        if pair[0][0] != pair[1][0] and fits(now, *pair) and not any(fits(then, one) for one in pair)
        if not any(preset("standard", now).as_written().get(name) in {None, value} for name, value in pair)
    ]


def test_what_fits_other_players_stays_and_the_rest_comes_back_with_the_number() -> None:
    front, middle, behind = ("heels", "1"), ("miscount", "lost"), ("heels_deadline", "first-card")
    found = misfits()
    assert len(found) > 20
    for now, then, (one, other) in found:
        options = (front, one, middle, other, behind, ("stinkhole", "not-go"))
        saved = SavedInput(InputState(), InputContext(NextGame(players=now, options=options)))
        there = saved._replace(context=InputContext(saved.context.next_game.with_players(then)))
        assert {*there.context.next_game.options} == {*options} - {one, other}, (now, then, one, other)
        assert from_json(to_json(there)) == there
        back = there.context.next_game.with_players(now)
        assert {*back.options} == {*options}, (now, then, one, other)
        assert back.aside == ()


def test_rules_set_aside_come_back_by_the_keypad_too_but_not_over_what_was_chosen_meanwhile() -> None:
    house = {"false_win": "acc", "match": "best-of-5", "heels": "3"}
    saved = SavedInput(InputState(), InputContext(NextGame().with_rules("standard", house)))
    three = pressed(saved, "OK A P2")
    assert (three.context.next_game.players, three.context.next_game.game_rules().heels) == (3, 3)
    assert dict(three.context.next_game.options) == {"match": "best-of-5", "heels": "3"}
    two = pressed(three, "P1").context.next_game
    assert {*two.options} == {*saved.context.next_game.options}
    chosen = three.context.next_game.with_option("false_win", "put-right").with_players(2)
    assert "false_win" not in dict(chosen.options)
    assert dict(three.context.next_game.with_preset("lowe").with_preset("standard").aside) == {
        "false_win": "acc"
    }


def test_a_value_that_is_not_on_the_list_is_kept_on_it() -> None:
    house = NextGame().with_rules("acc", {"match": "first-to-7"})
    seen = []
    saved = pressed(SavedInput(InputState(), InputContext(house)), "OK 5")
    for _ in range(5):
        seen.append(saved.context.next_game.game_rules().match)
        saved = pressed(saved, "P2")
    assert seen[0] == "first-to-7"
    assert "first-to-3" in seen
    assert saved.context.next_game.game_rules().stake == (2, 3, 3), "the rest of the rules stays"


def test_a_choice_lasts_with_other_players_and_is_told_as_the_houses() -> None:
    saved = pressed(InputState(), "OK 5 P2 A P2")
    assert (saved.context.next_game.players, saved.context.next_game.game_rules().match) == (3, "first-to-3")
    assert "three players to 121, first to 3, every card" in prompt(NEW_TABLE, saved)


def test_where_the_machine_deals_nobody_can_renege_and_each_seat_has_its_line() -> None:
    lines = new_game_lines(NextGame(players=4, entry="dealt"))
    assert lines == ("players", "target", "entry", "rules", "0", "1", "2", "3", "speed", "match", "stake")


# --- a match that is not over -----------------------------------------------------------------------

HALF = step(NEW_TABLE, replace(NextGame().event(), dealer=0, tally=(Tally(2, 5, 1, 40), Tally(1, 2, 0, -40))))
"""In a match of 2 to 1, a new game is on."""


def test_a_new_game_in_the_middle_of_a_match_asks_before_it_ends_the_match() -> None:
    saved = pressed(InputState(dialog=NewGame(2)), "OK", HALF)
    assert saved.input_state.dialog == EndMatch(2)
    assert from_json(to_json(saved)) == saved
    view = view_at(HALF, saved)
    assert state_json(view, 1, may_undo=True, may_redo=False)["phase"] == "new-game"
    assert plain_json(view, 1, None, may_undo=True, may_redo=False)["phase"] == "new-game"
    assert prompt(HALF, saved) == (
        "A new game ends this match. The match so far: ORANGE 2 (5 points, +40), BLUE 1 (2 points, -40). "
        "OK: Start, UNDO: Back to the menu"
    )
    for back in ("UNDO", "MENU"):
        assert pressed(saved, back, HALF).input_state.dialog == NewGame(2)
    with pytest.raises(WrongKey, match="A new game ends this match"):
        press(HALF, saved, "7")
    effect = press(HALF, saved, "OK")
    assert isinstance(effect.event, GameStarted)
    assert effect.event.tally == ()
    assert effect.input_state.dialog is None


def test_a_game_that_was_just_won_counts_as_a_match_that_is_not_over() -> None:
    won = replace(HALF, tally=(Tally(), Tally()), phase=Phase.GAME_OVER, winner=0)
    assert pressed(InputState(dialog=NewGame()), "OK", won).input_state.dialog == EndMatch()


@pytest.mark.parametrize(
    "state",
    [
        NEW_TABLE,
        replace(HALF, tally=(Tally(), Tally())),
        replace(HALF, phase=Phase.MATCH_OVER, winner=0, rules=replace(HALF.rules, match="first-to-3")),
    ],
    ids=["idle", "first game", "match over"],
)
def test_where_no_match_would_end_nothing_is_asked(state: State) -> None:
    assert begun(NextGame(), state).tally == ()
