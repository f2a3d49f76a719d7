"""`cribpi rules`: every preset in full, where two differ, and errors of one line."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from cribpi.cli import main
from cribpi.cribbage.rules.cite import cite
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import differences, preset, written

PLAYED = [(name, players) for name in rulebook().presets for players in find_preset(name).players]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run `cribpi rules`; return what it prints."""
    assert main(["rules", *arguments]) == 0
    out, error = capsys.readouterr()
    assert not error
    return out


def said_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(capsys, *arguments, "--json"))
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run `cribpi rules`, which refuses; return its one line."""
    try:
        code = main(["rules", *arguments])
    except SystemExit as left:
        code = int(left.code or 0)
    out, error = capsys.readouterr()
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    return error


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_the_list_names_every_preset_with_its_players_and_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = said(capsys)
    for name in rulebook().presets:
        known = find_preset(name)
        assert re.search(rf"^{name} +{', '.join(map(str, known.players))} ", text, re.MULTILINE)
    assert "once round the board: no cut for the starter" in unwrapped(text)


def test_the_list_for_four_has_only_what_four_can_play(capsys: pytest.CaptureFixture[str]) -> None:
    found = said_json(capsys, "--players", "4")["rules"]
    assert [one["name"] for one in found] == ["standard", "lowe"]


@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_a_preset_is_printed_whole_and_no_line_is_too_wide(
    name: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, name, "--players", str(players))
    rules = preset(name, players)
    assert max(map(len, text.splitlines())) < 80
    heads = re.findall(r"^(\w+) = (\S+)   \((.*)\)$", text, re.MULTILINE)
    assert [(option, value) for option, value, _ in heads] == [
        (option, written(getattr(rules, option))) for option in rulebook().options
    ]
    unlike = differences(preset("standard", players), rules)
    assert {option for option, _, beside in heads if beside != "default"} == set(unlike)
    whole = unwrapped(text)
    for rule in rulebook().rules.values():
        if rule.name not in rulebook().options:
            assert unwrapped(f"{rule.name} {rule.text}") in whole


def test_an_option_stands_with_its_sources_own_words(capsys: pytest.CaptureFixture[str]) -> None:
    text = unwrapped(said(capsys, "computer-game"))
    assert (
        "crib_flush = four (default: five) A flush in the crib: four are enough, as in a hand. "
        "computer-game: The Crib is tallied the same as a hand, and its points are given to the dealer."
    ) in text
    assert "starter_cut = pone-cuts (default)" in text
    assert "computer-game: not stated; as in standard" in text


def test_what_is_known_of_the_tournaments_is_marked_as_given_in_short(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = unwrapped(said(capsys, "acc"))
    assert "acc, in short: 2 for each card that singly could have been played" in told


def test_a_houses_version_tells_what_the_house_has_changed(capsys: pytest.CaptureFixture[str]) -> None:
    text = unwrapped(said(capsys, "lowe", "--rule", "crib_flush=four", "--rule", "target=91"))
    assert "House rules: crib_flush." in text
    assert "crib_flush = four (house rule; lowe: five)" in text
    assert "the house: lowe has: all five cards only, for five" in text
    assert "target = 91 (lowe: 121)" in text, "a shorter game is no house rule"
    assert "House rules" not in said(capsys, "lowe", "--rule", "target=91", "--rule", "match=best-of-5")
    found = said_json(capsys, "lowe", "--rule", "target=91")
    assert [one["option"] for one in found["options"] if one["is_house"]] == ["target"]


def test_players_can_be_given_as_an_option_of_the_rules_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert said_json(capsys, "lowe", "--rule", "players=3") == said_json(capsys, "lowe", "--players", "3")
    assert "leave one of them out" in refused(capsys, "lowe", "--players", "2", "--rule", "players=3")


def test_a_comparison_has_both_values_each_with_its_own_sources_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = unwrapped(said(capsys, "--compare", "standard", "computer-game"))
    assert "2 of 27 options differ." in text
    assert "standard: five A flush in the crib: all five cards only, for five. board-set: a flush" in text
    assert (
        "computer-game: four A flush in the crib: four are enough, as in a hand. computer-game: The" in text
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_comparison_has_every_option_that_differs_and_no_other(
    players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [name for name, count in PLAYED if count == players]
    for a in names:
        for b in names:
            text = said(capsys, "--compare", a, b, "--players", str(players))
            found = differences(preset(a, players), preset(b, players))
            assert re.findall(r"^(\w+)$", text, re.MULTILINE) == list(found)
            data = said_json(capsys, "--compare", a, b, "--players", str(players))
            assert {one["option"]: tuple(one["values"]) for one in data["differences"]} == found
            for one in data["differences"]:
                cited = [cite(one["option"], preset(name, players)) for name in (a, b)]
                assert one["why"] == [asdict(reason) for reason in cited]


def test_the_json_has_a_reason_for_each_option_and_each_base_rule(capsys: pytest.CaptureFixture[str]) -> None:
    found = said_json(capsys, "travel-61")
    assert (found["name"], found["players"]) == ("travel-61", 2)
    assert [one["why"]["rule"] for one in found["options"]] == list(rulebook().options)
    assert {one["rule"] for one in found["base"]} | set(rulebook().options) == set(rulebook().rules)
    target = next(one for one in found["options"] if one["option"] == "target")
    assert (target["value"], target["default"], target["why"]["source"]) == ("61", "121", "travel-set")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nix",), "choose one of standard, computer-game"),
        (("lowe", "--players", "7"), "choose 2, 3 or 4 players"),
        (("acc", "--players", "3"), "acc is not for 3 players: choose 2 players, or other rules"),
        (("--players", "5"), "cribbage is for 2, 3 or 4"),
        (("--rule", "heels=none"), "name it too, for example cribpi rules standard --rule heels=none"),
        (("lowe", "--rule", "heels"), "write OPTION=VALUE"),
        (("lowe", "--rule", "heels=4"), "choose 1, 2, 3, none"),
        (
            ("lowe", "--rule", "luck=good"),
            "'luck' is not an option of the rules: the options are players, target",
        ),
        (("lowe", "--rule", "heels_deadline=first-card"), "choose heels_deadline=none"),
        (("lowe", "--rule", "players=many"), "choose 2, 3, 4"),
        (("lowe", "--compare", "acc", "standard"), "leave out lowe"),
        (("--compare", "acc", "lowe", "--players", "4"), "acc is not for 4 players"),
        (("--compare", "acc"), "--help shows how"),
        (("--players", "two"), "--help shows how"),
    ],
)
def test_a_refusal_is_one_line_with_the_remedy(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, *arguments)
