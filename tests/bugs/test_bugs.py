"""The bugs that are planted on purpose can still be planted: each finds its text exactly once."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import fields

import pytest

from bugs.planted import HOUSE, Bug, bugs
from cribpi.cribbage.rules.rules import Rules

BUGS = bugs()


@pytest.mark.parametrize("file", sorted({bug.file for bug in BUGS}))
def test_each_bug_finds_its_text_once_and_makes_a_file_that_can_be_read(file: str) -> None:
    text = (HOUSE / file).read_text(encoding="utf-8")
    wrong = []
    for bug in BUGS:
        if bug.file != file:
            continue
        try:
            planted = bug.planted_in(text)
            if file.endswith(".toml"):
                tomllib.loads(planted)
            else:
                compile(planted, bug.name, "exec")
        except (ValueError, SyntaxError) as error:
            wrong.append(str(error))
    assert not wrong, "\n".join(wrong)


def test_bugs_have_names_of_their_own_and_a_reason() -> None:
    assert [name for name, times in Counter(bug.name for bug in BUGS).items() if times > 1] == []
    assert all(set(bug.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for bug in BUGS)
    assert all(len(bug.why) > 15 for bug in BUGS)


def test_there_are_so_few_that_each_is_read_as_a_promise() -> None:
    assert len(BUGS) <= 400


CORE = (
    "cribbage/game",
    "cribbage/record",
    "cribbage/results",
    "cribbage/rules",
    "cribbage/words",
    "companion/entry",
)


def test_every_module_of_the_game_and_the_entry_that_decides_something_has_a_bug() -> None:
    has_one = {bug.file for bug in BUGS}
    modules = {
        path.relative_to(HOUSE).as_posix()
        for room in CORE
        for path in (HOUSE / "cribpi" / room).rglob("*.py")
        if path.stem not in {"__init__", "events", "reply"}  # these are data alone
    }
    assert not modules - has_one


def test_every_option_of_the_rules_has_a_bug() -> None:
    texts = [f"{bug.there} {bug.instead} {bug.why}" for bug in BUGS]
    options = {one.name for one in fields(Rules)} - {"name", "games_peg"}  # the third peg is for the lights
    assert {option for option in options if not any(option in text for text in texts)} == set()


def test_a_text_that_stands_twice_or_not_at_all_is_no_bug() -> None:
    bug = Bug("a", "b.py", "there", "instead", "for a try")
    assert bug.planted_in("it is there") == "it is instead"
    with pytest.raises(ValueError, match="0 times"):
        bug.planted_in("it is not")
    with pytest.raises(ValueError, match="2 times"):
        bug.planted_in("there and there")
