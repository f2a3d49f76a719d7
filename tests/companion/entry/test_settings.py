"""The settings: what each can be, what is kept of them, and the dialog that changes them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.presses import Input, after, choices, press, prompt, view_at

from cribpi import __version__
from cribpi.companion.entry.effect import TableCommand, WrongKey
from cribpi.companion.entry.here import Here
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import ChangeSettings, InputState, Menu, Status, SwitchOff
from cribpi.companion.entry.kept import from_json, from_text, to_json
from cribpi.companion.entry.keys import KEYS, RANKS, TWENTY, Pad
from cribpi.companion.entry.menu import items
from cribpi.companion.entry.next_game import AUTOMATIC, ONCE_AUTOMATIC, SPEEDS, USUALLY_AUTOMATIC, NextGame
from cribpi.companion.entry.phones import Phones
from cribpi.companion.entry.settings import (
    BY_NAME,
    SETTINGS,
    USUAL,
    Machine,
    NoSuchSetting,
    Setting,
)
from cribpi.companion.kit.reader import load_kit
from cribpi.cribbage.game.step import NEW_TABLE


def usual_values(**given: str) -> tuple[tuple[str, str], ...]:
    """Return the usual values with those that are *given* in their place."""
    return tuple((dict(USUAL) | given).items())


EVERY_KEY = Pad(KEYS)
KEYPADS = {name: load_kit(name).pad for name in ("table", "numpad", "bonnet")}
DIM = SavedInput(InputState(), InputContext(machine=Machine(usual=usual_values(brightness="35"))))
PAIRS = st.sampled_from([(row.name, value) for row in SETTINGS for value, _ in row.values])


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.name)
def test_each_row_has_words_and_its_usual_value_among_others(row: Setting) -> None:
    values = [value for value, _ in row.values]
    assert row.usual in values
    assert len(set(values)) == len(values) > 1
    assert row.title
    assert row.text.endswith(".")
    assert len(row.brief) <= 12, "beside its value it has to fit on the screen"


def test_the_rows_of_a_game_are_those_of_its_set_up() -> None:
    assert {f"auto_{step}" for step in AUTOMATIC} == {
        row.name for row in SETTINGS if row.group == "automatic"
    }
    assert {value for value, _ in BY_NAME["speed"].values} == set(SPEEDS)
    usual = {f"auto_{step}" for step in USUALLY_AUTOMATIC}
    assert usual == {row.name for row in SETTINGS if row.group == "automatic" and row.usual == "on"}


@given(st.lists(PAIRS, max_size=12))
def test_the_last_value_counts_for_its_own_setting_alone_and_is_kept(pairs: list[tuple[str, str]]) -> None:
    context = InputContext()
    for name, value in pairs:
        before = {row.name: context.value(row.name) for row in SETTINGS}
        context = context.with_value(name, value)
        assert {row.name: context.value(row.name) for row in SETTINGS} == before | {name: value}
    again = from_json(json.loads(json.dumps(to_json(SavedInput(InputState(), context)))))
    assert {row.name: again.context.value(row.name) for row in SETTINGS} == {
        row.name: context.value(row.name) for row in SETTINGS
    }


@pytest.mark.parametrize("name", [row.name for row in SETTINGS if row.group == "automatic"])
def test_what_is_automatic_is_turned_on_and_off(name: str) -> None:
    step = name.removeprefix("auto_")
    on = InputContext().with_value(name, "on")
    assert on.next_game.house.automatic == (step,)
    assert on.with_value(name, "off").next_game.house.automatic == ()


def test_what_is_usual_on_this_machine_is_not_kept_and_may_lie_between_the_values() -> None:
    assert DIM.context.value("brightness") == "35"
    assert [value for value, _ in DIM.context.machine.values("brightness")][3:6] == ["30", "35", "40"]
    brighter = DIM.context.with_value("brightness", "40")
    assert brighter.house.settings == (("brightness", "40"),)
    assert brighter.with_value("brightness", "35").house.settings == ()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("lamp", "on", "'lamp' is not a setting: choose from auto_cut"),
        ("brightness", "41", "'41' is not a value of brightness: choose 0, 10"),
        ("brightness", "", "is not a value"),
        ("speed", "Fast", "'Fast' is not a value of speed: choose slow, normal, fast"),
        ("auto_go", "yes", "choose on, off"),
        ("auto_hint", "on", "is not a setting"),
    ],
)
def test_what_is_no_setting_or_no_value_of_it_is_refused(name: str, value: str, says: str) -> None:
    with pytest.raises(NoSuchSetting, match="^.*" + says):
        InputContext().with_value(name, value)


def test_a_row_that_makes_no_sense_on_this_machine_is_not_there() -> None:
    without = tuple(pair for pair in USUAL if pair[0] != "contrast")
    context = InputContext(machine=Machine(usual=without))
    assert "contrast" not in [row.name for row in context.machine.rows()]
    with pytest.raises(NoSuchSetting):
        context.with_value("contrast", "50")


@pytest.mark.parametrize("pad", KEYPADS.values(), ids=KEYPADS)
@pytest.mark.parametrize("has_voice", [True, False])
def test_every_setting_can_be_reached_however_many_there_are(pad: Pad, *, has_voice: bool) -> None:
    usual = tuple(pair for pair in USUAL if has_voice or pair[0] != "voice")
    context = InputContext(machine=Machine(usual=usual))
    reached, left = set[int](), [InputState(dialog=ChangeSettings())]
    while left:
        input_state = left.pop()
        saved = SavedInput(input_state, context)
        assert isinstance(input_state.dialog, ChangeSettings)
        if input_state.dialog.line not in reached:
            reached.add(input_state.dialog.line)
            here = {choice.key for choice in choices(NEW_TABLE, saved, pad)} & set(pad.keys)
            left += [press(NEW_TABLE, saved, key, pad).input_state for key in here & {"GO", "DOWN", *RANKS}]
    assert reached == set(range(len(usual)))


# --- what is kept -----------------------------------------------------------------------------------


DAMAGED: list[tuple[object, dict[str, str]]] = [
    (None, {}),
    ([], {}),
    ({"still": "on", "sleep": "soon"}, {"still": "on"}),
    ({"still": ["on"], "sleep": "2"}, {"sleep": "2"}),
    ({"lamp": "on", "brightness": 40}, {}),
]


@pytest.mark.parametrize(("kept", "left"), DAMAGED, ids=str)
def test_a_damaged_value_is_the_usual_one_and_the_rest_stays(kept: object, left: dict[str, str]) -> None:
    data: Any = to_json(SavedInput(InputState(), InputContext(NextGame(players=3)))) | {"settings": kept}
    context = from_json(data).context
    assert dict(context.house.settings) == left
    assert context.next_game.players == 3


def test_an_older_desk_has_the_usual_settings_and_what_the_page_asked_for() -> None:
    def older(setup: NextGame) -> SavedInput:
        data: Any = to_json(SavedInput(InputState(), InputContext(setup)))
        del data["settings"]
        return from_json(data)

    assert older(NextGame()).context.next_game.house.automatic == USUALLY_AUTOMATIC
    assert older(NextGame(house=House(automatic=("go",)))).context.next_game.house.automatic == ("go",)
    assert older(NextGame()).context.house.settings == ()


# --- the dialog -------------------------------------------------------------------------------------


def at(line: int, saved: SavedInput = DIM) -> SavedInput:
    return saved._replace(input_state=replace(saved.input_state, dialog=ChangeSettings(line)))


def pressed(given: Input, keys: str, pad: Pad = TWENTY) -> SavedInput:
    saved = SavedInput(given) if isinstance(given, InputState) else given
    for key in keys.split():
        saved = after(saved, press(NEW_TABLE, saved, key, pad))
    return saved


LINE = {row.name: line for line, row in enumerate(SETTINGS)}


def test_the_menu_opens_it_and_ok_and_undo_close_it() -> None:
    opened = pressed(replace(InputState(), dialog=Menu()), "3 OK")
    assert opened.input_state.dialog == ChangeSettings()
    for key in ("OK", "UNDO", "MENU"):
        assert pressed(opened, key).input_state.dialog is None


def test_a_line_is_selected_by_its_number_and_changed_at_once() -> None:
    saved = pressed(at(0), "6 P2")
    assert saved.input_state.dialog == ChangeSettings(LINE["speed"])
    assert saved.context.value("speed") == "fast"
    assert prompt(NEW_TABLE, saved).startswith("Settings, 6 of 14. Speed: Fast. Press a line's number")
    assert [choice.label for choice in choices(NEW_TABLE, saved) if choice.key == "6"] == ["Speed: Fast"]


@pytest.mark.parametrize(
    ("name", "keys", "value"),
    [
        ("still", "P2", "on"),
        ("still", "P1", "on"),
        ("still", "P2 P2", "off"),
        ("brightness", "P2", "40"),
        ("brightness", "P1", "30"),
        ("brightness", "P1 " * 9, "0"),
        ("brightness", "P2 " * 9, "100"),
        ("sleep", "P2 P2 P2 P2", "never"),
        ("auto_go", "P2", "on"),
    ],
)
def test_two_values_go_round_and_more_stop_at_their_ends(name: str, keys: str, value: str) -> None:
    assert pressed(at(LINE[name]), keys).context.value(name) == value


def test_a_long_press_makes_every_setting_usual_again_and_leaves_the_game_alone() -> None:
    config = usual_values(speed="slow", auto_deal="off", auto_go="on", brightness="35", still="on")
    as_in_file = SavedInput(
        InputState(),
        InputContext(
            NextGame(house=House(automatic=("cut", "starter", "go"), speed="slow")),
            machine=Machine(usual=config),
        ),
    )
    assert not as_in_file.context.has_changes
    changed = as_in_file
    for name, value in (("brightness", "80"), ("still", "off"), ("speed", "fast"), ("auto_deal", "on")):
        changed = changed._replace(context=changed.context.with_value(name, value))
        assert changed.context.has_changes
    asked = changed._replace(input_state=replace(changed.input_state, dialog=ChangeSettings(4), typed=(7,)))
    effect = press(NEW_TABLE, asked, "hold:UNDO")
    assert (effect.event, effect.command, effect.phone_command) == (None, None, None), (
        "it is not the redo that it is elsewhere"
    )
    usual = replace(as_in_file.input_state, dialog=ChangeSettings(4), typed=(7,))
    assert after(asked, effect) == as_in_file._replace(input_state=usual)
    elsewhere = press(
        NEW_TABLE, changed._replace(input_state=replace(changed.input_state, dialog=Menu())), "hold:UNDO"
    )
    assert elsewhere.command is TableCommand.REDO
    assert elsewhere.context is None


@pytest.mark.parametrize(
    ("currents", "values"),
    [
        ((242, 500), ["0", "300", "350", "400", "450"]),
        ((363, 500), ["0", "450"]),
        ((451, 500), ["0"]),
        ((121, 2000), ["0", *map(str, range(200, 501, 50)), "750", "1000", "1500"]),
    ],
)
def test_no_current_is_offered_that_the_kit_forbids_or_in_which_the_board_is_dark(
    currents: tuple[int, int], values: list[str]
) -> None:
    machine = Machine(currents=currents)
    assert [value for value, _ in machine.values("max_ma")] == values
    chosen = machine.with_value((), "max_ma", "1500")
    assert machine.value("max_ma", chosen) == ("1500" if "1500" in values else "0")
    own = replace(machine, usual=usual_values(max_ma="310"))
    assert (own.value("max_ma", ()), dict(own.values("max_ma"))["310"]) == ("310", "310 mA")


def test_the_status_goes_on_from_page_to_page_and_closes() -> None:
    phones = Phones(is_open=True, address="http://192.168.1.23:8121/", code="AB12CD")
    opened = SavedInput(InputState(Status()), InputContext(here=Here(phones=phones)))
    assert prompt(NEW_TABLE, opened) == f"cribpi {__version__}: the page is at 192.168.1.23:8121. OK: Done"
    assert "phones are off" in prompt(NEW_TABLE, opened.input_state)
    on_a_phone = opened._replace(context=InputContext(here=Here(phones=None)))
    assert prompt(NEW_TABLE, on_a_phone) == f"cribpi {__version__}. OK: Done"
    for keys, line in (("P2 DOWN", 2), ("P2 P2 P1", 1), ("P1", 0), ("UP RIGHT LEFT", 0)):
        assert pressed(opened, keys, EVERY_KEY).input_state.dialog == Status(line)
    for key in ("OK", "UNDO", "MENU"):
        assert pressed(opened, f"P2 {key}").input_state.dialog is None


def test_a_pi_alone_offers_to_switch_it_off_or_restart_it() -> None:
    pi = SavedInput(InputState(), InputContext(machine=Machine(is_pi=True)))
    assert [item.sentence for item in items(view_at(NEW_TABLE, InputState()))][-1] == "status"
    assert [item.sentence for item in items(view_at(NEW_TABLE, pi))][-1] == "switch off or restart"
    asked = pressed(pi._replace(input_state=InputState(Menu())), "6 OK")
    assert asked.input_state.dialog == SwitchOff()
    moves = {key: press(NEW_TABLE, asked, key).command for key in ("P1", "P2", "UNDO", "MENU")}
    assert moves == {"P1": TableCommand.SHUT_DOWN, "P2": TableCommand.RESTART, "UNDO": None, "MENU": None}
    with pytest.raises(WrongKey, match=r"P1: Switch off, P2: Restart, UNDO: Cancel$"):
        press(NEW_TABLE, asked, "OK")  # the key that has opened it, pressed twice
    assert pressed(asked, "UNDO").input_state.dialog is None


@pytest.mark.parametrize(
    ("kept", "file", "then"),
    [
        (ONCE_AUTOMATIC, USUALLY_AUTOMATIC, USUALLY_AUTOMATIC),
        (ONCE_AUTOMATIC, ("cut",), ("cut",)),
        (("deal",), USUALLY_AUTOMATIC, ("deal",)),
        ((), USUALLY_AUTOMATIC, ()),
    ],
)
def test_what_was_automatic_without_having_been_chosen_is_what_is_usual_now(
    kept: tuple[str, ...], file: tuple[str, ...], then: tuple[str, ...]
) -> None:
    data: Any = to_json(SavedInput(InputState(), InputContext(NextGame(house=House(automatic=kept)))))
    empty = SavedInput(InputState(), InputContext(NextGame(house=House(automatic=file))))
    assert from_text(json.dumps(data), empty).context.next_game.house.automatic == kept, (
        "one of now is as it was left"
    )
    del data["setup"]["you"]
    assert from_text(json.dumps(data), empty).context.next_game.house.automatic == then
