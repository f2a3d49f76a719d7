"""The one table of choices: what is in it is accepted, what is not is refused, and it speaks of no key."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

import pytest
from support.presses import SUITED, Input, Model, at, choices, lit_keys, press, random_key, random_setup
from support.samples import some, some_of

from cribpi.companion.entry.choice import CELLS, Choice
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import (
    ChangeSettings,
    InputState,
    MatchSoFar,
    Menu,
    SwitchOff,
    Undone,
    Why,
)
from cribpi.companion.entry.keys import HOLDS, KEYS, RANKS, TWENTY, Pad, card_of
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.settings import SETTINGS, Machine
from cribpi.companion.entry.view import likely_keys
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.web.json.page import amount_keys
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rulebook import find_preset, rulebook

PADS: Final = {name: load_kit(name).pad for name in ("table", "numpad", "bonnet")}


EVERY_KEY: Final = Pad(KEYS)
"""A keypad that has every key there is."""


def said(model: Model, pad: Pad) -> set[tuple[str, str]]:
    """Return what all choices say, in full and in short."""
    return {(choice.label, choice.short) for choice in choices(model.state, model.saved, pad)}


def is_accepted(state: State, given: Input, key: str, pad: Pad) -> bool:
    """Tell whether *key* would be accepted; whether a step can be taken back, the table alone knows."""
    try:
        event = press(state, given, key, pad).event
        if event is not None:
            step(state, event)
    except RuleError:
        return False
    return True


def check(state: State, given: Input, pad: Pad, chance: Random) -> None:
    offered = choices(state, given, pad)
    by_key = {choice.key: choice for choice in offered}
    assert len(by_key) == len(offered), "each key once"
    for key in (*pad.keys, *HOLDS):
        assert is_accepted(state, given, key, pad) == (key in by_key), f"{key} at {state.phase}, {given}"
    for choice in offered:
        assert press(state, given, choice.key, pad) == choice.effect
        assert choice.label
        assert 1 <= len(choice.short) <= CELLS, choice
        assert choice.name == pad.label_for(choice.key)
    assert set(likely_keys(offered, pad)) <= set(pad.keys)
    flags = [choice.is_likely for choice in offered]
    assert flags == sorted(flags, reverse=True), "the likely ones come first"
    for choice in offered:
        if state.entry is Entry.CARDS and choice.key in RANKS:
            suits = [suit for suit in "CDHS" if is_accepted(state, given, choice.key + suit, pad)]
            assert bool(suits) == choice.takes_suit, f"{choice.key} at {state.phase}, {given}"
    if state.entry is Entry.DEALT:  # a rank of a game with real cards stands for any suit
        for card in chance.sample(SUITED, 6):
            assert is_accepted(state, given, card, pad) == (card in by_key or card_of(card) is None), card


def play(setup: NextGame, seed: int, presses: int) -> None:
    """Press keys by chance, and check each place that they lead to, on every kit."""
    chance, model = Random(seed), Model(context=InputContext(setup))
    checked: set[tuple[State, SavedInput]] = set()
    for _ in range(presses):
        place = model.state, model.saved
        if place not in checked:  # a key that is refused leads nowhere new
            checked.add(place)
            for pad in PADS.values():
                check(*place, pad, chance)
        try:
            model.press(random_key(model.state, model.saved, chance), chance.randrange(10**6))
        except RuleError:
            continue
        model.act(chance)


GAMES: Final = [
    (preset, entry, players)
    for preset in rulebook().presets
    for entry in Entry
    for players in find_preset(preset).players
]


@pytest.mark.parametrize(("preset", "entry", "players"), some(GAMES, *range(0, len(GAMES), 11)))
def test_what_is_offered_is_accepted_and_nothing_else_is(preset: str, entry: Entry, players: int) -> None:
    setup = NextGame(entry=str(entry), levels=("", "chance", "", "thrifty"), players=players).with_preset(
        preset
    )
    play(setup, seed=GAMES.index((preset, entry, players)), presses=60)


@pytest.mark.parametrize("seed", some([(seed,) for seed in range(40)], 0, 1))
def test_the_same_by_rules_that_houses_change(seed: int) -> None:
    play(random_setup(Random(seed)), seed, presses=60)


@pytest.mark.parametrize("entry", some_of(list(map(str, Entry)), 0))
def test_the_same_in_the_settings_of_a_pi(entry: str) -> None:
    chance, model = (
        Random(3),
        Model(context=InputContext(NextGame(entry=entry), machine=Machine(is_pi=True))),
    )
    for key in ("", "OK", "OK"):
        if key:
            model.press(key, 1)
        for dialog in (SwitchOff(), *map(ChangeSettings, range(len(SETTINGS)))):
            for pad in PADS.values():
                check(
                    model.state,
                    model.saved._replace(input_state=replace(model.input_state, dialog=dialog)),
                    pad,
                    chance,
                )


@pytest.mark.parametrize("seed", some([(seed,) for seed in range(40)], 0, 1))
def test_what_a_choice_says_names_no_key_and_leaves_names_as_they_are(seed: int) -> None:
    """People who are called as keys are keep their names, on every kit."""
    chance = Random(seed)
    names = ("P1", "A", "OK", "UNDO")
    setup = NextGame(
        entry=chance.choice(["cards", "peg", "dealt"]), levels=("", "chance"), house=House(names)
    )
    model = Model(context=InputContext(setup))
    for _ in range(60):
        every = said(model, EVERY_KEY)
        for pad in (PADS["table"], PADS["numpad"]):
            assert said(model, pad) <= every
        for label, _ in every:
            words = set(label.replace("'s", "").split())
            assert not words & {"P2", "P3", "FLNB", "MENU", "GO", "UP", "DOWN", "LEFT", "RIGHT"}, label
        try:
            model.press(random_key(model.state, model.saved, chance), chance.randrange(10**6))
        except RuleError:
            continue
        model.act(chance)


def test_a_key_has_the_name_that_is_printed_on_it() -> None:
    offered = {choice.key: choice for choice in choices(Model().state, InputState(), PADS["numpad"])}
    assert (offered["OK"].name, offered["OK"].label, offered["OK"].short) == ("Enter", "New game", "new game")
    assert offered["hold:MENU"].label == "Shut down"
    assert choices(Model().state, InputState(), TWENTY)[0].key == "OK", "the likeliest comes first"


def offered(state: State, given: Input, pad: Pad = TWENTY) -> dict[str, Choice]:
    """Return what can be pressed, by its key."""
    return {choice.key: choice for choice in choices(state, given, pad)}


LIT: Final = [
    # keys from the starter on, what is lit, why
    ("5 K 6", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"), "at 21 every card fits"),
    (
        "5 K 7",
        ("A", "2", "3", "4", "5", "6", "7", "8", "9", "GO"),
        "at 22 a ten does not, and go may be said",
    ),
    ("5 K 7 K", ("OK", "UNDO", "GO"), "past 31: a new count, a slip, or a go"),
    ("5 K UNDO", ("OK", "UNDO"), "what was taken back is told, and comes before the play"),
]


@pytest.mark.parametrize(("keys", "lit", "why"), LIT)
def test_what_comes_next_in_the_play_is_lit(keys: str, lit: tuple[str, ...], why: str) -> None:
    model = at(f"5 {keys}".removesuffix("UNDO"))
    if keys.endswith("UNDO"):
        assert lit_keys(model.state, InputState(dialog=Undone("BOB K", 1))) == lit, why
    else:
        assert lit_keys(model.state, model.saved) == lit, why


def test_where_nothing_is_likely_undo_is_lit() -> None:
    assert likely_keys((), TWENTY) == ("UNDO",)
    assert likely_keys((), Pad(("OK",))) == ()


def test_where_there_are_ranks_no_arrow_is_lit_for_a_line() -> None:
    both = Pad((*TWENTY.keys, "UP", "DOWN"))
    model = at("5 P1")
    found = offered(model.state, model.saved, both)
    assert "UP" in found
    assert not found["UP"].is_likely
    assert found["A"].is_likely


def test_a_long_press_can_always_be_made_and_is_never_marked() -> None:
    for input_state in (InputState(), InputState(dialog=Menu()), InputState(dialog=Undone("BOB K", 1))):
        found = offered(at("5").state, input_state)
        assert [found[key].is_likely for key in HOLDS] == [False, False]


def test_to_hold_menu_leaves_open_what_is_open_but_for_what_was_taken_back() -> None:
    state = at("5").state
    assert press(state, InputState(dialog=Menu(2)), "hold:MENU").input_state == InputState(dialog=Menu(2))
    assert press(state, InputState(dialog=Undone("BOB K", 1)), "hold:MENU").input_state == InputState()


@pytest.mark.parametrize("dialog", [Menu(), Why(), MatchSoFar()])
@pytest.mark.parametrize("key", ["UNDO", "MENU"])
def test_undo_and_menu_close_what_the_menu_has_opened(dialog: Menu | Why | MatchSoFar, key: str) -> None:
    assert press(at("5").state, InputState(dialog=dialog), key).input_state == InputState()


def test_only_where_the_third_side_has_no_key_its_points_are_in_the_menu() -> None:
    model = Model(context=InputContext(NextGame(players=3, entry="peg", house=House(("ANN", "BOB", "CAT")))))
    model.press_all("OK OK A 5 6 OK OK 3")
    labels = {
        name: offered(model.state, model.saved, pad)["MENU"].label
        for name, pad in PADS.items()
        if "MENU" in pad.keys
    }
    assert labels == {"table": "Menu", "bonnet": "3 for CAT, in the menu"}


def test_at_a_players_own_count_the_ranks_are_amounts() -> None:
    model = at("5 9 6 6 5 GO 4 GO 10 7 10", miscount="lost")
    assert amount_keys(choices(model.state, model.saved)) == RANKS
    model = at("5 9 6 6 5 GO 4 GO 10 7 10")
    assert amount_keys(choices(model.state, model.saved)) == ()
