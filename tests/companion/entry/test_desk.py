"""The input, as JSON and back; and a set-up that always names every seat."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import games

from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import (
    ChangeSettings,
    Correct,
    CountHand,
    Dialog,
    EndMatch,
    FalseWin,
    GameSums,
    Hint,
    InputState,
    MatchSoFar,
    Menu,
    NewGame,
    PhoneList,
    PhoneRole,
    Question,
    Status,
    SwitchOff,
    Undone,
    Why,
)
from cribpi.companion.entry.kept import FACT_OF, from_json, to_json
from cribpi.companion.entry.next_game import DEFAULT_NAMES, SPARE_NAMES, NextGame, with_colours
from cribpi.companion.entry.scenes import SCENES
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import RuleError

T = TypeVar("T")

COLOUR_NAMES = (*(name for names in DEFAULT_NAMES.values() for name in names), *SPARE_NAMES)
cards = games.cards.map(str)
setups = st.builds(
    NextGame,
    st.sampled_from([2, 3, 4]),
    st.sampled_from([121, 61]),
    st.sampled_from(["cards", "peg"]),
    house=st.builds(House, st.lists(games.names, max_size=4, unique=True).map(tuple)),
)
dialogs: st.SearchStrategy[Dialog | None] = st.one_of(
    st.none(),
    st.builds(NewGame, st.integers(0, 2)),
    st.builds(Question, cards),
    st.builds(Menu, st.integers(0, 20)),
    st.builds(
        Correct,
        side=st.integers(0, 2),
        score=st.integers(0, 121),
        penalty=st.integers(-121, 121),
        line=st.integers(0, 1),
    ),
    st.builds(CountHand, st.lists(cards, max_size=5).map(tuple), st.integers(0, 3)),
    st.builds(Undone, st.text(), st.integers(0)),
)
inputs = st.builds(
    InputState,
    dialogs,
    st.lists(st.integers(1, 13), max_size=5).map(tuple),
    st.none() | st.sampled_from(list(map(str, Kind))),
    st.integers(0, 5),
    st.none() | st.text(),
    st.none() | st.integers(0, 3),
    st.lists(cards, max_size=2).map(tuple),
    st.none() | st.builds(Hint, st.lists(cards, max_size=2).map(tuple), st.text(), st.text()),
)


@given(st.builds(SavedInput, inputs, st.builds(InputContext, setups)))
def test_a_desk_comes_back_from_its_json(saved: SavedInput) -> None:
    assert from_json(json.loads(json.dumps(to_json(saved)))) == saved


@given(setups)
def test_every_set_up_is_a_game_that_can_start(setup: NextGame) -> None:
    state = step(NEW_TABLE, setup.event())
    assert state.players == setup.players
    assert len(set(state.names)) == setup.players
    assert state.names[: len(setup.house.names)] == setup.house.names[: setup.players]


@given(st.sampled_from([2, 3, 4]), st.permutations(["ORANGE", "BLUE", "WHITE", "BLUE 2"]), st.integers(0, 4))
def test_colours_fill_missing_names_even_where_a_colour_was_given(
    players: int, names: list[str], given_names: int
) -> None:
    setup = NextGame(players, house=House(tuple(names[:given_names])))
    assert step(NEW_TABLE, setup.event()).players == players


OPEN: list[tuple[dict[str, object], Dialog]] = [
    # a dialog as a journal has it, and what is open then
    ({"is": "NewGame", "line": 2}, NewGame(2)),
    ({"is": "EndMatch", "line": 1}, EndMatch(1)),
    ({"is": "Menu", "line": 3}, Menu(3)),
    ({"is": "Why", "line": 0}, Why()),
    ({"is": "ChangeSettings", "line": 13}, ChangeSettings(13)),
    ({"is": "PhoneList", "line": 1}, PhoneList(1)),
    ({"is": "PhoneRole", "number": 2, "line": 4}, PhoneRole(number=2, line=4)),
    ({"is": "Status", "line": 1}, Status(1)),
    ({"is": "SwitchOff"}, SwitchOff()),
    ({"is": "MatchSoFar"}, MatchSoFar()),
    ({"is": "GameSums"}, GameSums()),
    ({"is": "Question", "card": "9H"}, Question("9H")),
    (
        {"is": "Correct", "side": 1, "score": 40, "penalty": -2, "line": 0, "muggins": 3, "by": 10}
        | {"is_typed": True},
        Correct(side=1, score=40, line=0, muggins=3, by=10, is_typed=True),
    ),
    ({"is": "FalseWin", "side": 1, "score": 9, "by": 1, "is_typed": False}, FalseWin(1, 9)),
    ({"is": "CountHand", "cards": ["5H", "J"], "claim": 1, "claimed": 4}, CountHand(("5H", "J"), 1, 4)),
    ({"is": "Undone", "what": "BOB K", "left": 1}, Undone("BOB K", 1)),
]


@pytest.mark.parametrize(("kept", "dialog"), OPEN, ids=[str(kept["is"]) for kept, _ in OPEN])
def test_a_dialog_that_a_journal_has_kept_open_is_open_again(kept: dict[str, object], dialog: Dialog) -> None:
    assert from_json({"setup": {}, "dialog": kept}).input_state.dialog == dialog
    again: dict[str, object] = to_json(SavedInput(InputState(dialog=dialog)))
    assert json.loads(json.dumps(again["dialog"])) == kept, "and the program before this one reads it"
    assert {type(dialog) for _, dialog in OPEN} == set(SCENES)


BAD_PARTS: list[tuple[str, object]] = [
    # a part of the input, and what an old, damaged or newer file might have there
    ("dialog", {"is": "Nothing"}),
    ("dialog", {"is": "Question"}),
    ("dialog", {"is": "Menu", "lines": 3}),
    ("dialog", "Menu"),
    ("dialog", {"is": "FalseWin", "side": 0, "score": "x"}),
    ("dialog", {"is": "Question", "card": "XX"}),
    ("dialog", {"is": "Question", "card": 7}),
    ("dialog", {"is": "CountHand", "cards": ["5", "YY"]}),
    ("dialog", {"is": "Correct", "side": "x", "score": 0}),
    ("dialog", {"is": "Menu", "line": None}),
    ("typed", ["x"]),
    ("typed", 5),
    ("kind", "luck"),
    ("claim", "x"),
    ("message", 5),
    ("open_seat", "x"),
    ("chosen", ["XX"]),
    ("pace", "soon"),
    ("carried", [{}]),
    ("hint", "keep the fives"),
    ("hint", {"cards": ["XX"]}),
    ("hint", {"cards": ["5H"], "words": 5}),
    ("hint", {"lamp": 1}),
    ("lamp", 1),
]
BAD_SETUPS: list[tuple[str, object]] = [
    ("players", 5),
    ("players", "two"),
    ("target", 30),
    ("entry", "eyes"),
    ("names", 5),
    ("names", [5, 6]),
    ("names", ["A", "A"]),
    ("you", 5),
    ("rules", "euchre"),
    ("options", [["heels", "9"]]),
    ("options", 5),
    ("aside", 5),
    ("house_of", "euchre"),
    ("house_options", 5),
    ("levels", 5),
    ("speed", "soon"),
    ("automatic", ["count"]),
    ("colour", "red"),
]
FULL_DESK: Final = InputState(
    Question("9H"),
    typed=(3, 4),
    kind="pair",
    claim=2,
    message="well done",
    open_seat=1,
    chosen=("5H",),
    hint=Hint(("5H",), "the five"),
)
FULL: Final = SavedInput(
    FULL_DESK,
    InputContext(
        NextGame(
            players=2,
            target=100,
            entry="peg",
            options=(("heels", "none"),),
            levels=("", "expert"),
            house=House(
                ("ANN", "BOB"),
                you="CAT",
                preset="standard",
                options=(("last_card", "none"),),
                speed="slow",
                automatic=("cut",),
                settings=(("still", "on"),),
            ),
        ),
        pace="fast",
        carried=(7,),
    ),
)
"""An input and a context of which each part is another than an empty one's."""


def without(part: str, whole: T) -> T:
    """Return *whole* with that part as it is first; one that nobody knows changes nothing."""
    known = {field.name: field.default for field in fields(whole)}  # type: ignore[arg-type]
    return replace(whole, **{part: known[part]}) if part in known else whole  # type: ignore[type-var]


@pytest.mark.parametrize(("part", "kept"), BAD_PARTS, ids=str)
def test_a_bad_part_of_a_desk_is_lost_alone(part: str, kept: object) -> None:
    assert from_json(json.loads(json.dumps(to_json(FULL)))) == FULL
    context = without(part, FULL.context)
    if part == "settings":
        context = replace(context, next_game=context.next_game.with_house(settings=()))
    assert from_json(to_json(FULL) | {part: kept}) == SavedInput(without(part, FULL_DESK), context)


@pytest.mark.parametrize(("part", "kept"), BAD_SETUPS, ids=str)
def test_a_bad_part_of_a_set_up_is_lost_alone(part: str, kept: object) -> None:
    data: Any = to_json(FULL)
    data["setup"] |= {part: kept}
    game = FULL.context.next_game
    fact = FACT_OF.get(part)
    after = replace(game, house=without(fact, game.house)) if fact else without(part, game)
    assert from_json(data) == FULL._replace(context=replace(FULL.context, next_game=after))


def test_of_players_and_rules_that_do_not_fit_each_other_one_is_lost() -> None:
    data: Any = to_json(
        FULL._replace(
            context=replace(FULL.context, next_game=replace(FULL.context.next_game, options=(), target=121))
        )
    )
    data["setup"] |= {"players": 3, "rules": "acc"}
    found = from_json(data).context.next_game
    assert (found.players, found.rules) == (3, "standard")
    assert (found.house.names, found.house.speed) == (("ANN", "BOB"), "slow")


@pytest.mark.parametrize(
    "data", [{}, {"setup": None}, {"setup": 5, "dialog": None}, [], "desk", None], ids=str
)
def test_where_there_is_no_set_up_it_is_as_at_first(data: object) -> None:
    empty = SavedInput(InputState(), InputContext(NextGame(house=House(("ANN", "BOB")))))
    assert from_json(data, empty) == empty


def test_what_was_set_up_before_a_go_at_the_call_was_for_two_is_kept_without_it() -> None:
    options = (("heels", "none"), ("go_award", "call"))
    old = to_json(
        SavedInput(
            InputState(),
            InputContext(NextGame(players=3, options=options, house=House(("ANN", "BOB", "CAT")))),
        )
    )
    setup = from_json(old).context.next_game
    assert (setup.options, setup.house.names) == (options[:1], ("ANN", "BOB", "CAT"))
    assert (
        from_json(
            to_json(SavedInput(InputState(), InputContext(NextGame(options=options))))
        ).context.next_game.options
        == options
    )


def test_another_preset_is_chosen_unchanged_and_the_house_keeps_its_own() -> None:
    house = NextGame().with_rules(None, {"heels": "none", "target": "100"})
    other = house.with_preset("travel-61")
    assert (other.options, other.target) == ((), 61)
    again = other.with_preset("standard")
    assert (again.options, again.target) == ((("heels", "none"),), 100)


def test_changes_of_the_house_add_up_and_make_sense_together() -> None:
    setup = NextGame().with_rules(None, {"heels": "none", "last_card": "none"})
    assert dict(setup.options) == {"heels": "none", "last_card": "none"}
    with pytest.raises(RuleError, match="double_skunk=off"):
        NextGame().with_rules(None, {"skunk": "off"})


@given(
    st.lists(
        st.just("")
        | st.sampled_from(COLOUR_NAMES).flatmap(lambda name: st.sampled_from([name, name.lower()])),
        min_size=1,
        max_size=4,
    )
)
@example(["blue", ""])
def test_every_seat_is_named_as_it_was_given_or_by_a_colour_that_nobody_else_has(given: list[str]) -> None:
    whole = with_colours(given)
    assert len(whole) == len(given)
    for seat, (name, found) in enumerate(zip(given, whole, strict=True)):
        others = {other.upper() for other in (*whole[:seat], *whole[seat + 1 :])}
        assert found == name or (name == "" and found.upper() not in others)
        own = DEFAULT_NAMES[max(2, len(given))][seat]
        assert name or found == own or own in others, "its own, where that is free"
