"""Names: people go by theirs, the computer by its level, and who plays it alone without a name is You."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games
from support.presses import after, prompt, view_at
from support.refusals import refused

from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState, NewGame
from cribpi.companion.entry.kept import from_json, to_json
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Name, Rename, Start, effect_of
from cribpi.companion.run.config import Config
from cribpi.companion.web.requests import parse_request
from cribpi.cribbage.game.events import SeatsNamed
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.words.levels import CARELESS_NAMES, NAMES

ALONE = NextGame(entry="dealt", levels=("", "medium"))
FORTY = "Wilhelmina Alexandrina van den Oudenrijn"


@pytest.mark.parametrize(
    ("you", "levels", "names"),
    [
        ("", ("", "medium"), ("You", "Medium")),
        ("", ("expert", ""), ("Hard", "You")),
        ("Ann", ("", "easy", "easy"), ("Ann", "Easy", "Easy 2")),
        ("", ("", "medium", "expert", "medium"), ("You", "Medium", "Hard", "Medium 2")),
        ("", ("", "solid-errs"), ("You", "Solid, careless")),
        ("Medium", ("", "medium"), ("Medium", "Medium 2")),
        ("medium 2", ("", "medium", "medium"), ("medium 2", "Medium", "Medium 3")),
        ("🦊 Ann", ("", "beginner"), ("🦊 Ann", "Beginner")),
        ("מרים", ("", "beginner"), ("מרים", "Beginner")),
        (FORTY, ("", "beginner"), (FORTY, "Beginner")),
        ("", ("beginner", "beginner"), ("Beginner", "Beginner 2")),
        ("Ann", ("", ""), ("Cid", "Dan")),
        ("Ann", ("", "", "medium"), ("Cid", "Dan", "Medium")),
    ],
)
def test_the_computer_is_called_by_its_level_and_who_plays_it_alone_by_his_own_name(
    you: str, levels: tuple[str, ...], names: tuple[str, ...]
) -> None:
    setup = NextGame(
        len(levels), entry="dealt", levels=levels, house=House(("Cid", "Dan", "Eve", "Fay"), you=you)
    )
    assert setup.seat_names() == names
    assert step(NEW_TABLE, setup.event()).names == names


people = st.sampled_from(["", "Medium", "Easy 2", "ORANGE", "BLUE 2", "You"]) | games.names


@given(
    st.sampled_from([2, 3, 4]),
    people,
    st.lists(people, max_size=4, unique=True),
    st.lists(st.sampled_from(["", *NAMES, *CARELESS_NAMES]), max_size=4),
)
def test_every_game_against_the_computer_can_start(
    players: int, you: str, names: list[str], levels: list[str]
) -> None:
    setup = NextGame(players, entry="dealt", levels=tuple(levels), house=House(tuple(names), you=you))
    state = step(NEW_TABLE, setup.event())
    assert len(set(state.names)) == players
    assert from_json(
        json.loads(json.dumps(to_json(SavedInput(InputState(), InputContext(setup)))))
    ) == SavedInput(InputState(), InputContext(setup))


def test_your_own_name_stays_yours_where_nobody_else_is_named() -> None:
    setup = ALONE.with_you("Ann")
    assert replace(setup, entry="cards").seat_names() == ("Ann", "BLUE")
    assert replace(setup, entry="cards").with_house(names=("Bob", "Cid")).seat_names() == ("Bob", "Cid")


@pytest.mark.parametrize("name", ["You", "you", "YOU", ""])
def test_you_is_no_name(name: str) -> None:
    assert ALONE.with_you("Ann").with_you(name) == ALONE


@pytest.mark.parametrize("name", ["You", "you", "\uff39ou"])
@pytest.mark.parametrize(
    "setup", [NextGame(), NextGame(3), NextGame(entry="dealt", levels=("", ""))], ids=str
)
def test_nobody_at_a_table_of_people_is_called_you(setup: NextGame, name: str) -> None:
    assert "choose another name" in refused(BadSetup, setup.with_names, ["Bob", name])
    assert "choose another name" in refused(
        BadSetup,
        effect_of,
        Name(("Ann", name)),
        view_at(NEW_TABLE, SavedInput(InputState(), InputContext(setup))),
    )


def test_the_names_of_people_stay_through_games_against_the_computer_and_with_fewer() -> None:
    setup = NextGame(3).with_names(["Ann", "Bob", "Cid"])
    assert replace(setup, players=2).with_names(["Ann", "Bob"]).people == ("Ann", "Bob", "Cid")
    assert replace(setup, players=2).with_names(["Ann", "cid"]).people == ("Ann", "cid", ""), "nobody twice"
    assert replace(setup, players=2, entry="dealt").with_names(["Eve", ""]).people == ("Ann", "Bob", "Cid")
    assert refused(BadSetup, setup.with_names, ["Ann", "ann", ""]).endswith("look too much alike: change one")


def playing(setup: NextGame) -> State:
    return step(NEW_TABLE, setup.event())


def test_names_given_in_a_game_against_the_computer_are_the_persons_alone() -> None:
    effect = effect_of(
        Name(("Ann", "Bob")),
        view_at(
            playing(ALONE), SavedInput(InputState(), InputContext(ALONE.with_house(names=("Cid", "Dan"))))
        ),
    )
    assert effect.event == SeatsNamed(("Ann", "Medium"))
    assert effect.context is not None
    assert (effect.context.next_game.house.you, effect.context.next_game.house.names) == (
        "Ann",
        ("Cid", "Dan"),
    )


def test_ones_own_name_is_given_alone_before_a_game_and_in_it() -> None:
    ask = parse_request("names", b'{"you": "Ann"}').request
    effect = effect_of(ask, view_at(NEW_TABLE, InputState()))
    assert effect.context is not None
    assert (effect.event, effect.context.next_game, effect.input_state.message) == (
        None,
        NextGame(house=House(you="Ann")),
        "saved for the next new game: Ann",
    )
    assert effect_of(
        ask, view_at(playing(ALONE), SavedInput(InputState(), InputContext(ALONE)))
    ).event == SeatsNamed(("Ann", "Medium"))
    back = effect_of(
        Name(you=""),
        view_at(
            playing(ALONE.with_you("Ann")), SavedInput(InputState(), InputContext(ALONE.with_you("Ann")))
        ),
    )
    assert back.event == SeatsNamed(("You", "Medium"))


def test_a_game_of_people_keeps_their_names_whatever_the_one_against_the_computer_has() -> None:
    both = effect_of(
        Name(("Bob", ""), you="Ann"),
        view_at(playing(NextGame()), SavedInput(InputState(), InputContext(ALONE))),
    )
    assert both.event == SeatsNamed(("Bob", "BLUE"))
    assert both.context is not None
    assert (both.context.next_game.house.you, both.context.next_game.people) == ("Ann", ("Bob", ""))
    started = effect_of(
        parse_request("game", b'{"entry": "peg", "names": ["Bob", "Cid"]}').request,
        view_at(NEW_TABLE, after(InputState(), both)),
    )
    assert isinstance(parse_request("game", b'{"entry": "peg"}').request, Start)
    assert started.event is not None
    assert step(NEW_TABLE, started.event).names == ("Bob", "Cid")
    assert started.context is not None
    assert (started.context.next_game.levels, started.context.next_game.house.you) == (("", "medium"), "Ann")


@pytest.mark.parametrize(
    ("kept", "you"),
    [
        (ALONE, ""),
        (ALONE.with_house(names=("Ann", "Bob")), "Ann"),
        (ALONE.with_house(names=("ORANGE", "BLUE")), ""),
        (NextGame(house=House(("Ann", "Bob"))), ""),
    ],
)
def test_a_desk_of_before_has_the_seats_name_as_ones_own(kept: NextGame, you: str) -> None:
    data = to_json(SavedInput(InputState(), InputContext(kept)))
    del data["setup"]["you"]  # type: ignore[attr-defined]
    assert from_json(data).context.next_game == kept.with_house(you=you)


def test_the_settings_name_who_plays_the_computer() -> None:
    assert Config(names=("Ann", "Bob"), entry="dealt").setup().seat_names() == ("Ann", "Medium")
    assert Config(names=("Ann", "Bob")).setup().seat_names() == ("Ann", "Bob")


def test_the_list_of_a_new_game_says_who_plays() -> None:
    saved = SavedInput(InputState(NewGame()), InputContext(replace(ALONE, players=3)))
    assert "computer deals: You, Medium, Medium 2." in prompt(NEW_TABLE, saved)


def test_who_is_renamed_is_called_so_in_every_mode_and_in_the_game_that_is_on() -> None:
    saved = SavedInput(InputState(), InputContext(ALONE.with_house(names=("Ann", "Bob")).with_you("Ann")))
    ask = Rename("Ann", "Medium")
    effect = effect_of(ask, view_at(playing(saved.context.next_game), saved))
    assert effect.event == SeatsNamed(("Medium", "Medium 2"))
    setup = after(saved, effect).context.next_game
    assert (setup.house.you, setup.people) == ("Medium", ("Medium", "Bob"))
    assert effect.renamed == ("Ann", "Medium")
    among = effect_of(ask, view_at(playing(NextGame(house=House(("Bob", "Ann")))), saved))
    assert among.event == SeatsNamed(("Bob", "Medium"))
    alone_by_another_name = effect_of(
        Rename("Ann", "Anna"),
        view_at(playing(saved.context.next_game), SavedInput(InputState(), InputContext(ALONE))),
    )
    assert alone_by_another_name.event == SeatsNamed(("Anna", "Medium")), "as in an imported game"
    nowhere = effect_of(ask, view_at(NEW_TABLE, saved))
    assert (nowhere.event, nowhere.input_state.message) == (None, "Ann is called Medium from now on")
    assert from_json(json.loads(json.dumps(to_json(after(saved, effect))))) == after(saved, effect)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ORANGE", "Ann", "isn't anyone's name"),
        ("Ann", "BLUE", "can't be used as a name"),
        ("Ann", "", "can't be used as a name"),
        ("Ann", "bob", "look too much alike"),
    ],
)
def test_nobody_is_renamed_to_what_is_no_name_or_anothers(old: str, new: str, said: str) -> None:
    saved = SavedInput(InputState(), InputContext(NextGame(house=House(("Ann", "Bob")))))
    assert said in refused(BadSetup, effect_of, Rename(old, new), view_at(NEW_TABLE, saved))
    if said == "look too much alike":
        here = playing(NextGame(house=House(("Ann", "Bob"))))
        assert said in refused(
            BadSetup,
            effect_of,
            Rename(old, new),
            view_at(here, SavedInput(InputState(), InputContext(NextGame()))),
        )
