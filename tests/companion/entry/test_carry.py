"""On a page a card says without more that the show before it is pegged, or that it leads a new count."""

from __future__ import annotations

import pytest
from support.greedy_games import greedy_game
from support.presses import press
from support.records import after
from support.scorekeeping import kept, presses_a_deal

from cribpi.companion.entry.implied import ImpliedPresses, implied_presses
from cribpi.companion.entry.input_state import Correct, InputState, Undone
from cribpi.companion.entry.view import view_of
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.step import step

PLAY = "play 0:5 1:6 0:7 1:9 0:go 1:go 0:8 1:K 0:J 1:3"
NO_CARRY = ImpliedPresses({})


def begun(*lines: str, rules: str = "") -> State:
    return after(f'game "A" "B" dealer=1 {rules}'.strip(), "starter 4", *lines)


def pressed(state: State, input_state: InputState, *keys: str) -> State:
    """Press *keys*, none of which may be refused."""
    for key in keys:
        effect = press(state, input_state, key)
        input_state = effect.input_state
        state = state if effect.event is None else step(state, effect.event)
    return state


def test_a_family_presses_fewer_than_fourteen_keys_a_deal() -> None:
    on_page, deals = presses_a_deal(8, carries=True)
    assert deals > 50
    assert sum(on_page.values()) < 14
    on_keypad, _ = presses_a_deal(8, carries=False)
    assert sum(on_keypad.values()) > 16


@pytest.mark.parametrize("names", [("Ann", "Bob", "Cleo"), ("Ann", "Bob", "Cleo", "Dan")])
def test_with_more_players_the_scores_are_the_same(names: tuple[str, ...]) -> None:
    game = greedy_game(3, names)
    assert kept(game, carries=True).taps.total() < kept(game, carries=False).taps.total()


def test_a_card_past_thirty_one_leads_a_new_count() -> None:
    state = begun("play 0:5 1:6 0:7 1:9")
    found = implied_presses(view_of(state, InputState()))
    assert set(found.keys) == {"5", "6", "7", "8", "9", "10", "J", "Q", "K"}
    assert found.keys["8"].presses == ("8", "OK")
    assert found.keys["8"].label == "New count with the 8"
    led = the_deal(pressed(state, InputState(), *found.keys["8"].presses))
    assert (str(led.pile[0]), led.closed, led.turn) == ("8", (4,), 1)


def test_at_the_show_the_first_card_of_the_crib_pegs_both_hands_as_they_lie() -> None:
    state = begun(PLAY)
    input_state = press(state, InputState(), "FLNB").input_state  # his nobs
    found = implied_presses(view_of(state, input_state))
    assert found.sentence == "The crib's first card also pegs 5 for A and 2 for B"
    assert [(one.seat, one.crib, one.points) for one in found.shows] == [(0, False, 5), (1, False, 2)]
    five = found.keys["5"]
    assert (five.presses, five.label) == (("OK", "OK", "5"), "A pegs 5, B 2. The crib has the 5")
    after_it = pressed(state, input_state, *five.presses)
    assert after_it.phase is Phase.CRIB
    assert [after_it.pegs[side].front - state.pegs[side].front for side in (0, 1)] == [5, 2]


def test_at_the_crib_the_next_starter_pegs_it() -> None:
    state = pressed(begun(PLAY), InputState(), *"OK OK 5 Q K".split())
    assert (
        implied_presses(view_of(state, InputState())) == NO_CARRY
    )  # a card of it is missing: keys are what they are
    state = pressed(state, InputState(), "J")
    found = implied_presses(view_of(state, InputState()))
    assert found.sentence.startswith("The next starter also pegs ")
    assert found.keys["2"].presses == ("OK", "2")
    dealt = pressed(state, InputState(), *found.keys["2"].presses)
    assert (dealt.phase, the_deal(dealt).number, str(the_deal(dealt).starter)) == (Phase.PLAY, 2, "2")


def test_after_an_undo_the_first_ok_goes_on_from_it() -> None:
    state, input_state = begun(PLAY), InputState(dialog=Undone("You took back the J", 3))
    found = implied_presses(view_of(state, input_state))
    assert found.keys["5"].presses == ("OK", "OK", "OK", "5")
    assert pressed(state, input_state, *found.keys["5"].presses).phase is Phase.CRIB


@pytest.mark.parametrize(
    ("state", "input_state"),
    [
        (begun(PLAY, rules="rules=acc"), InputState()),  # players count
        (begun(PLAY), InputState(dialog=Correct(side=0, score=5))),
        (begun("penalty 0 116", PLAY), InputState()),  # the hand wins: that is for OK to say
        (
            begun("play 0:5 1:6 0:7 1:9 0:go 1:go 0:4 1:K 0:J 1:3", rules="renege=2"),
            InputState(),
        ),  # a wrong go is to be ruled on
        (begun("play 0:5 1:6"), InputState()),
        (after('game "A" "B" entry=peg dealer=1'), InputState(dialog=Correct(side=0, score=0, line=0))),
        (after('game "A" "B" entry=peg dealer=1'), InputState(dialog=Correct(side=0, score=5))),
    ],
)
def test_elsewhere_a_card_is_a_card(state: State, input_state: InputState) -> None:
    assert implied_presses(view_of(state, input_state)) == NO_CARRY
