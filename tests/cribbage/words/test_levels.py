"""The levels: a row each, with the names that files bear and those that players are told."""

from __future__ import annotations

from cribpi.cribbage.words.levels import BY_NAME, CARELESS_NAMES, NAMES, OFFERED, title_of


def test_the_names_that_files_bear_stay_and_the_weakest_comes_first() -> None:
    assert NAMES == ("chance", "beginner", "easy", "medium", "thrifty", "strong", "solid", "expert")


def test_players_are_told_titles() -> None:
    assert [level.title for level in OFFERED] == ["Beginner", "Easy", "Medium", "Strong", "Hard"]
    assert title_of("thrifty-errs") == "Thrifty, careless"


def test_a_level_of_another_version_keeps_its_name() -> None:
    assert title_of("clever") == "clever"
    assert title_of("clever-errs") == "clever-errs"


def test_all_but_the_strongest_may_be_careless() -> None:
    assert CARELESS_NAMES == ("chance-errs", "thrifty-errs", "solid-errs")


def test_what_has_tables_to_load_is_known_before() -> None:
    assert {name for name, level in BY_NAME.items() if level.loads} == {"solid", "expert"}
