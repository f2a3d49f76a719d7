"""The reference of the rules is what the code says, and every preset is what its own source says."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from support import pages, rules_page

from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.cite import OURS, SILENT, cite
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.rules.rules import Rules, preset, read, written
from cribpi.cribbage.words import why

BOOK = rulebook()
PLAYED = [(name, players) for name, one in BOOK.presets.items() for players in one.players]

OTHERWISE = {
    ("standard", 2, "first_dealer"): "a low cut is one way to find the dealer at random",
    ("standard", 3, "self_combinations"): "standard is board-set's game, for three with lowe's deal",
    ("standard", 4, "self_combinations"): "standard is board-set's game, for four with lowe's deal",
}
"""Where a preset is not what its source says, and why: told in docs/explanation/rules.md."""


def test_the_page_is_as_the_code_says() -> None:
    assert pages.read(rules_page.PAGE) == rules_page.page(), rules_page.REDRAW


def test_the_words_of_every_source_are_on_the_page_or_printed_by_its_preset() -> None:
    text = pages.read(rules_page.PAGE)
    printed = {cite(rule, preset(*one)).words for rule in BOOK.rules for one in PLAYED}
    missing = [
        (rule.name, source)
        for rule in BOOK.rules.values()
        for source, words in rule.words.items()
        if words not in text and words not in printed
    ]
    assert missing == []


@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_a_preset_has_the_values_that_its_source_says(name: str, players: int) -> None:
    rules, source = preset(name, players), BOOK.presets[name].sources[players]
    for option, value in rules.as_written().items():
        quotes = BOOK.options[option].quotes
        if (name, players, option) in OTHERWISE or source not in quotes:
            continue
        if option == "partners_scorekeeper" and players != 4:  # lowe says it of partners
            continue
        gives = quotes[source].gives
        assert value in gives, f"{source} says {option}={' or '.join(gives)}"


@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_where_its_source_is_silent_a_preset_is_as_standard(name: str, players: int) -> None:
    rules, source = preset(name, players), BOOK.presets[name].sources[players]
    for option in BOOK.options.values():
        value, standard = getattr(rules, option.name), getattr(preset("standard", players), option.name)
        if source not in option.quotes:
            never_named = (name, option.name) == ("computer-game", "heels")
            assert value == (0 if never_named else standard), option.name


def test_each_exception_is_still_one() -> None:
    for name, players, option in OTHERWISE:
        value = written(getattr(preset(name, players), option))
        assert value not in BOOK.options[option].quotes[BOOK.presets[name].sources[players]].gives


def test_what_a_source_says_is_a_value_that_can_be_chosen() -> None:
    for option in BOOK.options.values():
        for value in {value for quote in option.quotes.values() for value in quote.gives}:
            assert written(read(option.name, value)) == value


def test_whoever_is_quoted_for_an_option_says_a_value() -> None:
    for option in BOOK.options.values():
        assert all(quote.gives for quote in option.quotes.values()), option.name


def test_every_field_of_the_rules_is_an_option_with_its_default_in_the_same_order() -> None:
    assert list(Rules().as_written().items()) == [(one.name, one.default) for one in BOOK.options.values()]
    assert list(BOOK.rules) == [*BOOK.fixed, *BOOK.options]


def test_every_meaning_is_told_once() -> None:
    for option in BOOK.options.values():
        meanings = list(option.values.values())
        assert len(set(meanings)) == len(meanings), option.name


@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_nobody_is_quoted_for_a_value_that_he_does_not_say(name: str, players: int) -> None:
    rules = preset(name, players)
    for option in BOOK.options:
        reason = cite(option, rules)
        quotes = BOOK.options[option].quotes
        if reason.words in {quote.words for quote in quotes.values()}:
            assert written(getattr(rules, option)) in quotes[reason.source].gives, reason
        is_standard = getattr(rules, option) == getattr(preset("standard", players), option)
        assert is_standard or reason.words != SILENT, reason


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_standard_game_rests_on_whoever_says_it_and_never_on_itself(players: int) -> None:
    for name, rule in BOOK.rules.items():
        reason = cite(name, preset("standard", players))
        assert reason.words != SILENT
        assert reason.source in BOOK.sources or (reason.source, reason.words) == (OURS, ""), reason
        assert name in BOOK.options or reason.words or not rule.words


def test_a_rule_that_no_option_changes_has_its_sources_own_words_wherever_it_has_any() -> None:
    for name, players in PLAYED:
        source = BOOK.presets[name].sources[players]
        for rule in BOOK.fixed.values():
            if source in rule.words and name != "standard":
                assert cite(rule.name, preset(name, players)).words == rule.words[source]


def test_a_pair_in_a_standard_game_of_three_is_board_sets_and_not_lowes() -> None:
    assert cite("pair", preset("standard", 3)).source == "board-set"


# --- the rules that the code names ---


def named_rules() -> Iterator[tuple[str, str]]:
    """Give each rule that game and entry name as a text, `rule = "..."` or `rule="..."`, with where it
    stands."""
    for room in ("cribbage", "companion/entry"):
        for path in sorted((pages.HOUSE / "cribpi" / room).rglob("*.py")):
            for node in ast.walk(ast.parse(pages.read(path))):
                value: ast.expr | None = None
                match node:
                    case ast.keyword(arg="rule") | ast.Assign(targets=[ast.Name(id="rule")]):
                        value = node.value
                    case ast.Call(func=ast.Name(id="cite")):
                        value = node.args[0]
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield f"{path.name}:{value.lineno}", value.value


def test_every_rule_that_is_named_is_one() -> None:
    named = list(named_rules())
    assert len(named) > 10
    assert {rule for _, rule in named} >= {"order", "win", "turns", "limit"}
    for where, rule in named:
        assert rule in BOOK.rules, f"{where}: {rule}"


def test_what_the_reasons_look_up_by_kind_event_and_phase_is_there() -> None:
    assert {*why._EVENTS.values(), "show-order", "turns"} <= set(BOOK.rules)
    things = {*map(str, Kind), *map(str, Phase), *(event.__name__ for event in get_args(Event)), "crib-flush"}
    rests = [what for option in BOOK.options.values() for what in option.why]
    assert set(rests) <= things
    assert len(rests) == len(set(rests)), "each rests on one option"
    assert {rule for option in BOOK.options.values() for rule in option.stated_by} <= set(BOOK.fixed)
    assert all(str(kind) in BOOK.rules for kind in Kind if str(kind) not in rests)


def test_the_values_of_an_option_are_those_of_its_type() -> None:
    types = get_type_hints(Rules)
    for option in BOOK.options.values():
        if get_origin(types[option.name]) is Literal:
            assert set(get_args(types[option.name])) == set(option.values), option.name


def test_what_the_automatic_steps_name_is_a_rule() -> None:
    yielded = {
        node.value.value
        for node in ast.walk(ast.parse(inspect.getsource(why)))
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Constant)
    }
    assert len(yielded) > 5
    assert yielded <= set(BOOK.rules)
