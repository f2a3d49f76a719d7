"""A club's pairing between games: it is what OK does, in the one table, and all else stays as it was."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, Final

import pytest
from support.presses import after, at, choices, lit_keys, press, prompt, view_at
from support.screen_laws import wrong
from support.screens import ANN, MATCH_OF_1, ROUND_3, ROUND_10, WON, Evening

from cribpi.companion.entry.here import Here, StartedPairing
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState, Menu, NewGame
from cribpi.companion.entry.kept import from_json, to_json
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.companion.views.screen.screen import compose
from cribpi.companion.web.json.page import pairing_json
from cribpi.cribbage.game.events import Entry, GameStarted
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.rules.rules import preset

CLUB: Final = Here(pairing=ROUND_3)
PADS: Final = {name: load_kit(name).pad for name in kit_names()}
OVER: Final = Evening().press(WON).state
OVERS: Final = (OVER, Evening(MATCH_OF_1).press(WON).state)
BEGUN: Final = StartedPairing("2026-11-25", 3, depth=7)


def test_ok_starts_the_game_of_the_pairing_and_leaves_what_is_set_up() -> None:
    saved = SavedInput(
        InputState(), InputContext(NextGame(players=3, rules="lowe", house=House(("X", "Y", "Z"))), here=CLUB)
    )
    effect = press(NEW_TABLE, saved, "OK")
    assert effect.event == GameStarted(
        ("ANN", "BOB"), preset("acc", 2), Entry.CARDS, night="2026-11-25", round=3
    )
    assert after(saved, effect) == saved


@pytest.mark.parametrize(("entry", "kept"), [("cards", "cards"), ("peg", "peg"), ("dealt", "cards")])
def test_the_board_keeps_its_own_way_of_entry_with_real_cards(entry: str, kept: str) -> None:
    event = press(
        NEW_TABLE, SavedInput(InputState(), InputContext(NextGame(entry=entry), here=CLUB)), "OK"
    ).event
    assert isinstance(event, GameStarted)
    assert (event.entry, event.levels) == (Entry(kept), ())


def test_the_house_changes_nothing_in_the_rules_of_a_club() -> None:
    house = NextGame().with_rules("acc", {"target": "61"})
    event = press(NEW_TABLE, SavedInput(InputState(), InputContext(house, here=CLUB)), "OK").event
    assert isinstance(event, GameStarted)
    assert event.rules.target == 121


@pytest.mark.parametrize("kit", PADS)
@pytest.mark.parametrize("state", [NEW_TABLE, OVER], ids=["new", "over"])
@pytest.mark.parametrize("pairing", [ROUND_3, ROUND_10, replace(ROUND_10, board=999, round=22)])
def test_every_kit_says_it_by_its_own_keys(kit: str, state: State, pairing: Pairing) -> None:
    pad, input_state, plain = (
        PADS[kit],
        SavedInput(InputState(), InputContext(here=Here(pairing=pairing, is_result_seen=True))),
        InputState(),
    )
    offered = {choice.key: choice for choice in choices(state, input_state, pad)}
    (ok,) = (choice for key, choice in offered.items() if pad.physical_key("OK") == key)
    assert (ok.label, ok.short) == (f"Start round {pairing.round}: {pairing.names}", "start")
    said = prompt(state, input_state, pad)
    board = f"oard {pairing.board}, round {pairing.round} of {pairing.games}: {pairing.names}"
    assert said.endswith(f"{board}. {ok.name}: Start")
    assert state is NEW_TABLE or said.startswith("ORANGE wins 121-88, a skunk. B"), "what was is not hidden"
    sheet = compose(view_at(state, input_state, pad))
    assert ("OK", "start") in sheet.legend
    assert list(wrong(sheet, state)) == []
    before = {choice.key: choice for choice in choices(state, plain, pad)}
    assert before.keys() == offered.keys(), "all else can be pressed as before"
    assert {key: choice.label for key, choice in before.items() if key != ok.key} == {
        key: choice.label for key, choice in offered.items() if key != ok.key
    }
    event = ok.effect.event
    assert isinstance(event, GameStarted)
    assert event.entry is (Entry.CARDS if pad.has_ranks else Entry.PEG)


@pytest.mark.parametrize("kit", PADS)
@pytest.mark.parametrize("pairing", [ROUND_3, ROUND_10])
@pytest.mark.parametrize("over", OVERS, ids=["skunk", "match"])
def test_the_result_stays_until_ok_which_then_offers_the_pairing(
    kit: str, pairing: Pairing, over: State
) -> None:
    pad, input_state = PADS[kit], SavedInput(InputState(), InputContext(here=Here(pairing=pairing)))
    said, won = prompt(over, input_state, pad), prompt(over, InputState(), pad).split(".")[0]
    (ok,) = (choice for choice in choices(over, input_state, pad) if pad.physical_key("OK") == choice.key)
    assert said == f"{won}. {ok.name}: Go to round {pairing.round}: {pairing.names}"
    assert ok.is_likely
    assert pairing_json(view_at(over, input_state)) is None, "OK does not start it yet"
    sheet = compose(view_at(over, input_state, pad), player=ANN)
    assert ("OK", "next") in sheet.legend
    assert list(wrong(sheet, over)) == []
    assert sheet.texts() == compose(view_at(over, input_state, pad)).texts(), "no statistics come between"
    assert (ok.effect.event, ok.effect.command) == (None, None)
    assert pairing_json(view_at(over, after(input_state, ok.effect))) == asdict(pairing)
    assert ok.effect.context is not None
    assert ok.effect.context.here == replace(input_state.context.here, is_result_seen=True)
    for club in (ok.effect.context.here.at(7), ok.effect.context.here.after(START, 7)):
        assert not club.is_result_seen, "the next result is another"


def test_it_is_lit() -> None:
    assert lit_keys(NEW_TABLE, SavedInput(InputState(), InputContext(here=CLUB))) == ("OK",)


def test_in_a_game_and_in_a_menu_it_waits() -> None:
    state = at("5").state
    assert prompt(state, SavedInput(InputState(), InputContext(here=CLUB))) == prompt(state, InputState())
    assert pairing_json(view_at(NEW_TABLE, SavedInput(InputState(), InputContext(here=CLUB)))) is not None
    for dialog in (Menu(), NewGame()):
        closed = pairing_json(
            view_at(NEW_TABLE, SavedInput(InputState(dialog=dialog), InputContext(here=CLUB)))
        )
        assert closed is None, "there OK does something else"
        assert prompt(NEW_TABLE, SavedInput(InputState(dialog=dialog), InputContext(here=CLUB))) == prompt(
            NEW_TABLE, InputState(dialog=dialog)
        )
    assert press(
        NEW_TABLE, SavedInput(InputState(), InputContext(here=CLUB)), "MENU"
    ).input_state == InputState(dialog=Menu())


def test_it_is_no_more_once_its_game_has_begun() -> None:
    begun = SavedInput(InputState(), InputContext(here=Here(pairing=ROUND_3, begun=(BEGUN,))))
    assert prompt(NEW_TABLE, begun) == prompt(NEW_TABLE, InputState())
    for other in (replace(BEGUN, round=2), replace(BEGUN, night="2026-11-18")):
        assert "ANN - BOB" in prompt(
            NEW_TABLE, SavedInput(InputState(), InputContext(here=Here(pairing=ROUND_3, begun=(other,))))
        )


# --- which games have begun ---------------------------------------------------------------------------

START: Final = replace(ROUND_3.game("cards"), night="", round=0)
"""Its game as somebody sets it up by hand."""


def started(here: Here, event: GameStarted, depth: int) -> Here:
    return here.after(here.started(event), depth)


def test_a_game_of_the_pairing_is_of_its_night_and_round_however_it_was_started() -> None:
    for event in (START, replace(START, entry=Entry.PEG, dealer=1), ROUND_3.game("cards")):
        assert CLUB.started(event) == replace(event, night="2026-11-25", round=3)
        assert started(CLUB, event, 7) == Here(pairing=ROUND_3, begun=(BEGUN,))
    begun = Here(pairing=ROUND_3, begun=(BEGUN,))
    assert begun.started(START) == START, "a second one of the same two is their own affair"
    assert started(begun, START, 99) == begun


@pytest.mark.parametrize(
    "other",
    [
        replace(START, names=("BOB", "ANN")),
        replace(START, rules=preset("standard", 2)),
    ],
)
def test_another_game_does_not(other: GameStarted) -> None:
    assert CLUB.started(other) == other
    assert started(CLUB, other, 7) == CLUB
    assert started(Here(), START, 7) == Here()


def test_the_page_of_the_night_outlasts_a_game_and_what_undo_takes_back() -> None:
    club = replace(CLUB, club_page="192.168.1.20:8131")
    assert started(club, START, 7).club_page == club.at(6).club_page == club.club_page


def test_undo_gives_it_back() -> None:
    club = started(CLUB, START, 7)
    assert club.at(7) == club
    assert club.at(6) == CLUB
    assert started(club.at(6), replace(START, names=("X", "Y")), 7) == CLUB


def test_rounds_of_one_night_are_remembered_and_no_others() -> None:
    club = started(CLUB, START, 7)
    for number in (4, 5):
        club = started(replace(club, pairing=replace(ROUND_3, round=number)), START, 10 * number)
    assert [one.round for one in club.begun] == [3, 4, 5]
    assert not replace(club, pairing=ROUND_3).is_waiting
    club = started(replace(club, pairing=replace(ROUND_3, night="2026-12-02")), START, 99)
    assert [(one.night, one.round) for one in club.begun] == [("2026-12-02", 3)]


def test_what_has_begun_is_written_for_earlier_programs_and_comes_from_the_games_again() -> None:
    """That a board which starts again knows it is asked in `test_a_board_that_starts_again_offers...`."""
    saved = SavedInput(
        InputState(message="well done"), InputContext(here=Here(pairing=ROUND_3, begun=(BEGUN,)))
    )
    kept: Any = to_json(saved)
    assert kept["begun"] == [{"night": "2026-11-25", "round": 3, "depth": 7, "counts": True}]
    for begun in (kept["begun"], 5, [5]):
        assert from_json(kept | {"begun": begun}) == SavedInput(saved.input_state)
