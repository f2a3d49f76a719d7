"""Keys of the menus: the set-up of the next game, and what the menu lists."""

from __future__ import annotations

from support.presses import Model, at, choices

from cribpi.companion.entry.effect import TableCommand
from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.input_state import InputState, NewGame
from cribpi.companion.entry.menu import items
from cribpi.companion.entry.next_game import NextGame
from cribpi.cribbage.game.state import Phase


def new_game(setup: NextGame, text: str) -> NextGame:
    model = Model(InputState(NewGame()), InputContext(setup))
    model.press_all(text)
    return model.next_game


def test_a_target_of_the_house_stays_among_those_offered() -> None:
    setup = NextGame().with_rules(None, {"target": "100"})
    assert [new_game(setup, "2" + " P2" * turns).target for turns in range(4)] == [100, 61, 121, 100]


def test_what_the_house_changed_falls_away_where_it_makes_no_sense() -> None:
    four = NextGame().with_rules(None, {"players": "4", "heels": "none", "partners_scorekeeper": "on"})
    assert dict(new_game(four, "P2").options) == {"heels": "none"}
    kept = NextGame().with_rules(None, {"heels": "none"})
    assert new_game(kept, "P2").options == (("heels", "none"),)


def test_players_turn_among_those_that_a_preset_knows() -> None:
    assert new_game(NextGame().with_preset("acc"), "P2").players == 2
    assert new_game(NextGame(players=3).with_preset("computer-game"), "P2").players == 2


def test_the_menu_has_a_line_to_redo() -> None:
    model = at("9 7 UNDO")
    item = items(model.view)[-4]
    assert (item.sentence, item.effect.command) == ("redo", TableCommand.REDO)


def test_a_game_of_no_match_is_followed_by_a_rematch_and_one_of_a_match_by_its_next() -> None:
    for match, label in (("open", "Rematch"), ("first-to-2", "Next game")):
        model = Model(context=InputContext(NextGame().with_rules(None, {"match": match, "target": "31"})))
        model.press_all("OK OK P1 P1 FLNB P2 P2 P2 FLNB P2 OK")
        assert model.state.phase is Phase.GAME_OVER
        assert choices(model.state, model.saved)[0].label == label
