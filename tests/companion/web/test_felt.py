"""What the page is told of a game that the machine deals, and what it may ask for, without a browser."""

from __future__ import annotations

import json
from itertools import groupby
from random import Random
from typing import Any

import pytest
from support.presses import choices, press
from support.refusals import refused

from cribpi.companion.entry.effect import TableCommand
from cribpi.companion.entry.hands import next_person
from cribpi.companion.entry.input_state import InputState, Menu
from cribpi.companion.entry.next_game import Changes, NextGame
from cribpi.companion.entry.requests import ChangeNextGame
from cribpi.companion.entry.view import view_of
from cribpi.companion.web.json.page import cards_on_table_json
from cribpi.companion.web.json.rules import AS_STRONG, SPEED_WORDS, rules_json
from cribpi.companion.web.json.state import refusal_json
from cribpi.companion.web.requests import BadRequest, parse_request
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import (
    CardPlayed,
    DealerChosen,
    Discarded,
    Entry,
    Event,
    GameStarted,
    GoSaid,
    PackShuffled,
)
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.levels import OFFERED

STEPS = 400
"""Events of a deal or two at most."""


def begun(*levels: str, rules: str = "standard") -> State:
    names = ("ANN", "BOB", "CAT", "DAN")[: len(levels)]
    started = GameStarted(names, preset(rules, len(levels)), Entry.DEALT, levels=levels)
    state = step(NEW_TABLE, started)
    return step(state, DealerChosen(0)) if state.phase is Phase.CUT else state


def next_event(state: State, seed: int) -> Event | None:
    """Return what brings the game on: a card of any seat's, or what OK does."""
    for seat in deciders(state):
        sight = sight_of(state, seat)
        if state.phase is Phase.DEAL:
            return Discarded(seat, tuple(sight.hand[: len(sight.hand) - 4]))
        return CardPlayed(seat, sight.playable[0]) if sight.playable else GoSaid(seat)
    effect = press(state, InputState(), "OK")
    if effect.command is TableCommand.SHUFFLE:
        pack = list(PACK)
        Random(seed).shuffle(pack)
        return PackShuffled(tuple(pack))
    return effect.event


def played_to(state: State, phase: Phase, seed: int = 1) -> State:
    for _ in range(STEPS):
        if state.phase is phase and (phase is not Phase.DEAL or (state.deal and any(state.deal.dealt))):
            return state
        event = next_event(state, seed)
        assert event is not None
        state = step(state, event)
    return pytest.fail(f"no {phase} after {STEPS} steps")


def felt(state: State, input_state: InputState | None = None) -> dict[str, Any]:
    found: Any = cards_on_table_json(
        view_of(state, input_state or InputState()), choices(state, input_state or InputState())
    )
    assert found is not None
    json.dumps(found)
    return dict(found)


def test_with_real_cards_there_is_no_felt() -> None:
    assert cards_on_table_json(view_of(NEW_TABLE, InputState()), ()) is None
    assert (
        cards_on_table_json(
            view_of(step(NEW_TABLE, GameStarted(("A", "B"), preset("standard", 2))), InputState()), ()
        )
        is None
    )


def test_it_says_what_ok_does_from_the_cut_to_the_crib() -> None:
    state = begun("", "easy")
    assert felt(state)["ok"] == "Shuffle and deal"
    assert felt(state)["held"] == [0, 0]
    state = played_to(state, Phase.DEAL)
    assert felt(state)["ok"] is None
    assert felt(state)["held"] == [6, 6]
    state = played_to(state, Phase.STARTER)
    assert felt(state)["ok"] == "Turn up the starter"
    assert (felt(state)["held"], felt(state)["crib"]) == ([4, 4], 4)
    state = played_to(state, Phase.SHOW)
    assert felt(state)["ok"].startswith(("Peg ", "Go on"))
    assert felt(played_to(state, Phase.CRIB))["crib"] == 0


def test_a_closed_hand_is_named_and_no_card_of_it() -> None:
    state = played_to(begun("", "", "easy"), Phase.DEAL)
    person = next_person(state)
    closed = felt(state)
    assert closed["hides"] == person
    assert closed["ok"] == f"Show {state.names[person or 0]}'s cards"
    opened = felt(state, InputState(open_seat=person))
    assert opened["hides"] is None
    picked = tuple(map(str, sight_of(state, person or 0).hand[:1]))
    assert felt(state, InputState(open_seat=person, chosen=picked))["ok"].startswith("Send to ")


def test_a_menu_takes_the_keys() -> None:
    state = played_to(begun("", "easy"), Phase.PLAY)
    told = felt(state, InputState(dialog=Menu()))
    assert told["dialog"]
    assert told["ok"] is None


@pytest.mark.parametrize("seed", range(20))
def test_a_tally_adds_up_to_the_points_that_are_shown(seed: int) -> None:
    state = begun("easy", "beginner", "")
    for phase in (Phase.SHOW, Phase.CRIB):
        state = played_to(state, phase, seed)
        shown = felt(state)["shown"]
        event = press(state, InputState(), "OK").event
        assert event is not None
        after = step(state, event)
        assert after.last is not None
        assert shown["points"] == after.last.points
        assert len(shown["tally"]) == len(after.last.scores)
        assert shown["crib"] == (phase is Phase.CRIB)
        assert len(shown["cards"]) == 4


def test_what_players_count_themselves_is_not_told() -> None:
    state = played_to(begun("", "easy", rules="acc-muggins"), Phase.SHOW)
    while state.deal is not None and state.level(state.deal.shower):
        event = press(state, InputState(), "OK").event
        assert event is not None
        state = step(state, event)
    assert felt(state)["shown"]["points"] is None
    assert felt(state)["shown"]["tally"] == []
    assert felt(state)["ok"] is None


def test_the_rules_have_a_title_each_and_every_option_is_in_one_group() -> None:
    told: Any = rules_json(NextGame(), NEW_TABLE)
    assert len({one["title"] for one in told["presets"]}) == len(told["presets"])
    assert sorted(one["name"] for one in told["options"]) == sorted(rulebook().options)
    groups = [one["group"] for one in told["options"]]
    assert list(dict.fromkeys(groups)) == ["The game", "The deal", "The play", "The show", "Winning"]
    assert len([group for group, _ in groupby(groups)]) == 5, "each group stands together"


def offered(setup: NextGame) -> dict[str, list[str]]:
    told: Any = rules_json(setup, NEW_TABLE)
    return {
        one["name"]: [value["value"] for value in one["values"] if value["fits"]] for one in told["options"]
    }


def test_a_value_fits_where_it_can_be_chosen_perhaps_with_another() -> None:
    two = offered(NextGame())
    assert (two["players"], two["deal"], two["partners_scorekeeper"]) == (
        ["2", "3", "4"],
        ["six", "five-card"],
        ["off"],
    )
    assert two["skunk"] == ["on", "off"], "without the double skunk as well"
    assert two["heels_deadline"] == ["none", "first-card"]
    assert offered(NextGame().with_rules("acc", {}))["players"] == ["2"]
    assert offered(NextGame().with_rules("lowe", {"players": "3"}))["false_win"] == ["put-right"]
    assert len(offered(NextGame().with_rules("lowe", {"players": "4"}))["partners_scorekeeper"]) == 5


@pytest.mark.parametrize(
    ("house", "changes"),
    [
        ({}, {"skunk": "off"}),
        ({}, {"heels_deadline": "first-card"}),
        ({"miscount": "lost", "heels_deadline": "first-card"}, {"heels": "none"}),
        ({"lead_after_close": "first-go"}, {"play_rounds": "one"}),
    ],
)
def test_what_a_refusal_offers_mends_it(house: dict[str, str], changes: dict[str, str]) -> None:
    setup = NextGame().with_rules(None, house)
    with pytest.raises(BadSetup) as refused:
        setup.with_rules(None, changes)
    told: Any = refusal_json(refused.value, setup.game_rules())
    assert told["error"] == str(refused.value)
    assert "=" not in told["told"]
    mended = 0
    for remedy in told["remedies"]:
        option = rulebook().options[remedy["option"]]
        assert (remedy["title"], remedy["text"]) == (option.title, option.values[remedy["value"]])
        setup.with_rules(None, changes | {remedy["option"]: remedy["value"]})
        mended += remedy["option"] not in changes
    assert mended


def test_a_rule_that_does_not_fit_is_set_aside_for_the_number_and_refused_if_asked_for_with_it() -> None:
    two = NextGame().with_rules(None, {"false_win": "acc"})
    three = two.with_rules(None, {"players": "3"})
    assert three.game_rules().false_win == "put-right"
    assert three.with_rules(None, {"players": "2"}).game_rules() == two.game_rules()
    asked = {"players": "3", "false_win": "acc"}
    with pytest.raises(BadSetup) as refused:
        NextGame().with_rules(None, asked)
    told: Any = refusal_json(refused.value, NextGame().game_rules())
    assert [remedy["option"] for remedy in told["remedies"]] == ["false_win"]
    assert NextGame().with_rules(
        None, asked | {"false_win": told["remedies"][0]["value"]}
    ) == NextGame().with_rules(None, {"players": "3"})


def test_a_name_that_is_refused_has_no_remedy() -> None:
    told: Any = refusal_json(BadSetup("the name is too long"), preset("standard"))
    assert (told["told"], told["remedies"]) == ("the name is too long", [])


def test_a_level_that_is_set_up_can_be_chosen_again() -> None:
    told: Any = rules_json(NextGame(entry="dealt", levels=("", "solid-errs")), NEW_TABLE)
    assert told["levels"][-1]["value"] == "solid-errs"


def test_at_five_card_hard_says_how_it_plays() -> None:
    told: Any = rules_json(NextGame(rules="five-card", target=61), NEW_TABLE)
    assert {one["value"]: one["text"] for one in told["levels"]}["expert"] == AS_STRONG
    told = rules_json(NextGame(options=(("deal", "five-card"),)), NEW_TABLE)
    assert {one["value"]: one["text"] for one in told["levels"]}["expert"] == AS_STRONG


def test_every_level_and_speed_has_a_sentence() -> None:
    told: Any = rules_json(NextGame(), NEW_TABLE)
    offered = [one["value"] for one in told["levels"]]
    assert offered == ["", *(level.name for level in OFFERED)]
    for level in offered:
        setup = NextGame().with_changes(changes_of({"entry": "dealt", "levels": ["", level]}))
        assert step(NEW_TABLE, setup.event()).level(1) == level
    assert {one["value"] for one in told["speeds"]} == set(SPEED_WORDS)
    assert all(one["text"].endswith(".") for one in (*told["levels"], *told["speeds"]))
    assert told["setup"]["levels"] == ["", "medium"]
    assert told["setup"]["speed"] == "normal"


def changes_of(wanted: dict[str, object]) -> Changes:
    ask = parse_request("rules", json.dumps(wanted).encode()).request
    assert isinstance(ask, ChangeNextGame)
    return ask.changes


@pytest.mark.parametrize("person", ["", "person"])
def test_who_plays_is_set_up(person: str) -> None:
    body = {
        "entry": "dealt",
        "players": 3,
        "levels": [person, "medium", "expert"],
        "speed": "fast",
        "names": ["ANN", "", ""],
    }
    wanted = NextGame().with_changes(changes_of(body))
    assert wanted.seat_levels() == ("", "medium", "expert")
    assert wanted.house.speed == "fast"
    assert wanted.seat_names() == ("ANN", "Medium", "Hard")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            {"levels": ["", "god"]},
            "'god' is not a player: choose person, beginner, easy, medium, strong, expert",
        ),
        ({"levels": [""]}, "levels are given for 1 seat, and 2 play: give one for each"),
        ({"speed": "warp"}, "'warp' is not a speed: choose slow, normal, fast"),
        ({"names": ["ANN"]}, "names are given for 1 seat, and 2 play: give one for each"),
        (
            {"entry": "cards", "levels": ["", "medium"]},
            "with real cards only people play: choose entry dealt to play the computer",
        ),
    ],
)
def test_what_cannot_be_set_up_is_refused_in_a_sentence(body: dict[str, object], said: str) -> None:
    assert refused(BadSetup, NextGame().with_changes, changes_of({"entry": "dealt", **body})) == said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            b'{"levels": "medium"}',
            'the request: levels = "medium": give a list of names in quotes, such as ["ANN", "BOB"]',
        ),
        (
            b'{"levels": []}',
            "the request: levels = []: give one to 4 texts",
        ),
        (
            b'{"levels": [1, 2]}',
            'the request: levels = [1, 2]: give a list of names in quotes, such as ["ANN", "BOB"]',
        ),
        (b'{"levels": ["\\ud800"]}', 'the body is not JSON in UTF-8; send an object such as {"key": "7"}'),
        (b'{"speed": 3}', "the request: speed = 3: give text in quotes"),
        (
            b'{"names": "ANN"}',
            'the request: names = "ANN": give a list of names in quotes, such as ["ANN", "BOB"]',
        ),
    ],
)
def test_what_is_no_request_is_refused_in_a_sentence(body: bytes, said: str) -> None:
    assert refused(BadRequest, parse_request, "rules", body) == said
