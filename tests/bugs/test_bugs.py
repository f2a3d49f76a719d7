"""The bugs that are planted on purpose can still be planted: each finds its text exactly once."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import tomllib
from collections import Counter
from dataclasses import fields

import pytest

from bugs.plant import SURVIVED, ended
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
            elif file.endswith(".py"):
                compile(planted, bug.name, "exec")
        except (ValueError, SyntaxError) as error:
            wrong.append(str(error))
    assert not wrong, "\n".join(wrong)


PARSE = """
const { SourceTextModule } = require("vm");
for (const [name, text] of JSON.parse(require("fs").readFileSync(0))) {
  try {
    new SourceTextModule(text);
  } catch (error) {
    console.log(`${name}: ${error.message}`);
  }
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_each_bug_of_the_page_makes_a_script_that_can_be_read() -> None:
    planted = [
        (bug.name, bug.planted_in((HOUSE / bug.file).read_text(encoding="utf-8")))
        for bug in BUGS
        if bug.file.endswith(".js")
    ]
    told = subprocess.run(
        ["node", "--no-warnings", "--experimental-vm-modules", "-e", PARSE],
        input=json.dumps([*planted, ("none", "const of = ;")]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "none: Unexpected token ';'\n", told.stdout


PAGE = "cribpi/companion/web/page"


def test_every_script_of_the_page_that_decides_something_has_a_bug() -> None:
    has_one = {bug.file for bug in BUGS}
    scripts = {f"{PAGE}/{path.name}" for path in (HOUSE / PAGE).glob("*.js") if "words" not in path.stem}
    assert scripts <= has_one


def test_a_bug_of_the_page_names_the_tests_that_are_asked() -> None:
    asked = {bug.name: bug.tests for bug in BUGS if bug.file.startswith(f"{PAGE}/")}
    assert [name for name, tests in asked.items() if not tests] == []
    assert {path for tests in asked.values() for path in tests if not (HOUSE / path).is_file()} == set()


def test_bugs_have_names_of_their_own_and_a_reason() -> None:
    assert [name for name, times in Counter(bug.name for bug in BUGS).items() if times > 1] == []
    assert all(set(bug.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for bug in BUGS)
    assert all(len(bug.why) > 15 for bug in BUGS)


def test_there_are_so_few_that_each_is_read_as_a_promise() -> None:
    assert len(BUGS) <= 560, "400 in the game and its table, 100 in the page, 60 in the rooms about them"


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
        if path.stem not in {"__init__", "events", "json_types", "effect"}  # these are data alone
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


FAILED = "FAILED tests/test_it.py::test_it - assert 1 == 2"
ENDED = [
    # how the tests have ended, and what they said    what found the bug, or why none did
    (0, "1 passed", SURVIVED),
    (1, FAILED, "tests/test_it.py::test_it"),
    (2, "ERROR tests/test_it.py - ImportError", "tests/test_it.py"),
    (None, "", "the tests together hang"),
    (-signal.SIGBUS, "Fatal Python error: Bus error", "the tests crash by SIGBUS"),
    (-signal.SIGSEGV, "", "the tests crash by SIGSEGV"),
    (-signal.SIGKILL, "", f"{SURVIVED}, for pytest ended with -9"),  # from outside, as where memory is short
    (2, "Interrupted", f"{SURVIVED}, for pytest ended with 2"),
    (3, "RuntimeError()", f"{SURVIVED}, for pytest ended with 3"),
    (4, "file or directory not found", f"{SURVIVED}, for pytest ended with 4"),
]


@pytest.mark.parametrize(("code", "said", "begins"), ENDED)
def test_a_bug_is_found_where_a_test_is_red_hangs_or_crashes_and_nowhere_else(
    code: int | None, said: str, begins: str
) -> None:
    assert ended(code, said).startswith(begins)
