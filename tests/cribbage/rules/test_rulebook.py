"""The rule book is read when first asked, and a mistake in it names its line and its key."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import quotes
from support.house import modules

from cribpi.cribbage.rules import rulebook as module
from cribpi.cribbage.rules.rulebook import BadRulebook, parse

TEXT = Path(module.__file__).with_name(module.FILE).read_text(encoding="utf-8")

GO = "[options.go_award]\n"
CLOSE = "default = 'close'\n"
CALL = "{ gives = ['call'], words = 'at the call"
HIS = "options = { heels = 'none',"
BY = "sources = { 2 = 'computer-game',"
LIMIT = "[rules.limit]\n"

MISTAKES = [
    # what stands there, what is written instead, and what is said of its last line
    (GO, f"{GO}titel = 'x'\n", "options.go_award.titel: there is no such key: choose from title, group,"),
    (GO, f"{GO}quotes.scarne = 'x'\n", "options.go_award.quotes.scarne: there is no such key: choose from "),
    (GO, f"{GO}quotes.acc = 'x'\n", "options.go_award.quotes.acc: give a table"),
    (
        GO,
        f"{GO}stated_by = 'pair'\n",
        "options.go_award.stated_by: give a list of texts in quotes, in square brackets",
    ),
    (GO, f"{GO}others = 3\n", "options.go_award.others: give text in quotes"),
    (GO, f"{GO}values.later = true\n", "options.go_award.values.later: give text in quotes"),
    (f"{GO}title = 'One for the go'\n", GO, "options.go_award.title: this is missing"),
    (CLOSE, "default = 'shut'\n", "options.go_award.default: 'shut' is not one of close, call"),
    (
        CALL,
        "{ gives = ['late'], words = 'at the call",
        "options.go_award.quotes.old books.gives: 'late' is not one of close",
    ),
    (
        CALL,
        "{ gives = ['call'], worte = 'at the call",
        "options.go_award.quotes.old books.worte: there is no such key: choose",
    ),
    (HIS, "options = { heals = 'none',", "presets.computer-game.options.heals: there is no such key: choose"),
    (HIS, "options = { heels = '0',", "presets.computer-game.options.heels: '0' is not one of 1, 2, 3, none"),
    (BY, "sources = { 5 = 'computer-game',", "presets.computer-game.sources.5: there is no such key: choose"),
    (BY, "sources = { 2 = 'scarne',", "presets.computer-game.sources.2: 'scarne' is not one of board-set, "),
    (
        LIMIT,
        f"{LIMIT}values.31 = 'x'\n",
        "rules.limit.values: there is no such key: choose from text, quotes",
    ),
    (LIMIT, "[rules.heels]\n", "rules.heels: an option has this name"),
    (
        "sources = ['",
        "sauces = ['",
        "sauces: there is no such key: choose from sources, options, presets, ru",
    ),
    # not TOML
    (GO, "[options.heels]\n", "Cannot declare ('options', 'heels') twice"),
    (CLOSE, "default = \n", "Invalid value"),
    (CLOSE, "default = 'close\n", "Found invalid character"),
    (CLOSE, f"{CLOSE}default = 'call'\n", "Cannot overwrite a value"),
]


@pytest.mark.parametrize(
    ("there", "instead", "says"), MISTAKES, ids=[says.partition(":")[0] for _, _, says in MISTAKES]
)
def test_a_mistake_names_its_line_and_its_key(there: str, instead: str, says: str) -> None:
    assert TEXT.count(there) == 1
    line = TEXT[: TEXT.index(there)].count("\n") + len(instead.splitlines())
    with pytest.raises(BadRulebook) as refused:
        parse(TEXT.replace(there, instead))
    told = re.sub(r", column \d+", "", str(refused.value))
    assert told.startswith(f"rules.toml, line {line}: {says}")


def test_what_is_no_table_is_a_mistake() -> None:
    with pytest.raises(BadRulebook, match=r"^rules.toml, line 4: options.pot: give a table$"):
        parse("sources = []\nrules = {}\npresets = {}\noptions.pot = 3\n")
    with pytest.raises(BadRulebook, match=r"^rules.toml, line 1: options: this is missing$"):
        parse("sources = []\n")


LOADS_ALL = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.rules.rules import Rules, STANDARD
assert Rules() == STANDARD
print(rulebook.cache_info().currsize)
"""


def test_it_is_not_read_by_an_import_nor_for_a_standard_game() -> None:
    names = [
        f"cribpi.{name}"
        for name, _ in modules()
        if name.split(".")[0] in {"cribbage", "companion", "commands"}
        if "devices" not in name and name != "commands.club"  # which plays by the ACC's
    ]
    assert len(names) > 200
    done = subprocess.run(
        [sys.executable, "-c", LOADS_ALL, *names], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_every_quote_is_as_it_was_found_in_its_sheet() -> None:
    recorded = json.loads(quotes.RECORDED.read_text(encoding="utf-8"))
    assert quotes.digests() == recorded, "compare it with the sheet: see tests/support/quotes.py"
