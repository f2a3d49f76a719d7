"""Every key that a page presses comes to what the page says, and the keys' reference is whole."""

from __future__ import annotations

import io
import json
import re
import tomllib
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support import pages
from support.paths import DATA

from cribpi.cli import main
from cribpi.commands.house import set_up
from cribpi.companion.entry.keys import HOLDS, KEYS, RANKS
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Press
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import IN_MEMORY
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.state import AS_JSON

PLAYED = [page for page in pages.pages() if pages.blocks(pages.read(page), "keys")]


@dataclass
class Game:
    """What a page plays: the rules by their name, what the house changes in them, the lines, who sits
    where."""

    rules: str | None
    changes: list[str]
    lines: list[str]
    levels: str | None = None


def games(text: str) -> list[Game]:
    """Return each game that *text* plays: `keys new` begins one, `keys` continues it.

    Behind `new` its rules may stand, and options as the house has them: `keys new lowe heels=none`; and who
    sits where, in a game that the machine deals: `keys new levels=person,thrifty`.
    """
    found: list[Game] = []
    for block in pages.blocks(text, "keys"):
        if "new" in block.words:
            rules = next((word for word in block.words if word != "new" and "=" not in word), None)
            found.append(Game(rules, changes_in(block.words), [], levels_in(block.words)))
        found[-1].lines += block.lines
    return found


LEVELS = "levels="


def changes_in(words: Sequence[str]) -> list[str]:
    return [word for word in words if "=" in word and not word.startswith(LEVELS)]


def levels_in(words: Sequence[str]) -> str | None:
    return next((word.removeprefix(LEVELS) for word in words if word.startswith(LEVELS)), None)


@pytest.mark.parametrize("page", [pytest.param(page, id=pages.name(page)) for page in PLAYED])
def test_keys_come_to_what_the_page_says(page: Path) -> None:
    """A line is keys, an arrow, the score where there is one, and what is said after the last key.

    It may leave out what some or all keys would do now, from the last one on.  All keys are accepted, but for
    the last of a line that says it is refused.
    """
    for game in games(pages.read(page)):
        keys = [pages.expand(line.partition("->")[0]) for line in game.lines]
        out = io.StringIO()
        pressed = [key for some in keys for key in some]
        asked = ["simulate", " ".join(pressed), "--seed", "1", "--json"]
        asked += ["--rules", game.rules] if game.rules else []
        asked += [f"--rule={change}" for change in game.changes]
        asked += ["--levels", game.levels] if game.levels else []
        with redirect_stdout(out):
            assert main(asked) == 0
        states = iter([json.loads(state) for state in out.getvalue().splitlines()][1:])
        for line, some in zip(game.lines, keys, strict=True):
            *before, last = [next(states) for _ in some]
            assert not any("error" in state for state in before), line
            shown = " ".join(line.partition("->")[2].split())
            assert shown in shorter(" ".join(said(last).split())), line


def shorter(text: str) -> set[str]:
    """Return *text*, and what is left without some of the keys that it ends with, the last ones first."""
    ends = (found.start() for found in re.finditer(rf"[.,] (?:{'|'.join(KEYS)})(?::| selects) ?", text))
    return {text, *(text[:end] for end in ends)}


def said(state: dict[str, Any]) -> str:
    """Return the score and what there is to say at *state*, as `cribpi simulate` prints it."""
    score = " - ".join(str(side["front"]) for side in state["sides"])
    refused = f"refused: {state['error']}" if "error" in state else ""
    return f"{score} {refused or state['question'] or state['message'] or state['prompt']}"


def test_the_tutorial_ends_with_a_winner() -> None:
    text = pages.read(pages.DOCS / "tutorial" / "first-game.md")
    said = [line for game in games(text) for line in game.lines]
    assert "ORANGE wins" in said[-1]


# --- the keys' reference ---

KEYS_PAGE = pages.DOCS / "reference" / "keys.md"
USUAL = "## The usual keys"
ONLY = re.compile(r"^Only these keys(?:, `UNDO` and `MENU`)?:\n", re.MULTILINE)
SITUATIONS = [
    (found["heading"], found["keys"], found.get("by", ""))
    for found in tomllib.loads(pages.read(DATA / "keys.toml"))["situation"]
]


def listed_keys(text: str) -> set[str]:
    """Return the keys in the list of *text*; `A` to `K` is each rank, and LEFT and RIGHT are P1 and P2."""
    listed: set[str] = set()
    for cell in re.findall(r"^- (`.*?`): ", text, flags=re.MULTILINE):
        named = pages.codes(cell)
        ranks = RANKS[RANKS.index(named[0]) : RANKS.index(named[1]) + 1] if " to " in cell else ()
        listed |= {*named, *ranks}
    return listed | {same for key, same in {"P1": "LEFT", "P2": "RIGHT"}.items() if key in listed}


def test_every_key_and_every_hold_is_named() -> None:
    assert set(pages.codes(pages.read(KEYS_PAGE))) >= {*KEYS, *HOLDS}


def test_every_situation_of_the_page_is_reached() -> None:
    text = pages.read(KEYS_PAGE)
    headings = re.findall(r"^### (.+)\n(?:(?!#).*\n)*?- `", text, flags=re.MULTILINE)
    assert [heading for heading, _, _ in SITUATIONS] == headings
    assert len(SITUATIONS) >= 26


@pytest.mark.parametrize(("heading", "keys", "by"), SITUATIONS, ids=[found[0] for found in SITUATIONS])
def test_the_keys_listed_are_accepted_and_no_others(heading: str, keys: str, by: str) -> None:
    page = pages.read(KEYS_PAGE)
    text = pages.section(page, f"### {heading}")
    listed = listed_keys(text)
    only = ONLY.search(text)
    listed |= set(pages.codes(only[0])) if only else listed_keys(pages.section(page, USUAL))
    way, setup = pages.expand(keys), set_up_by(by)
    assert all(pressed(way, setup)), heading
    # What is refused changes nothing: the same table takes the key after it as a new one would.
    assert {key for key in KEYS if key in listed and pressed([*way, key], setup)[-1]} == listed, heading
    others = [key for key in KEYS if key not in listed]
    assert not any(pressed([*way, *others], setup)[len(way) :]), heading


def set_up_by(words: str) -> NextGame:
    """Return the set-up by the rules that *words* name, with the options as the house has them: `lowe
    heels=none`.

    Who sits where, as `levels=person,person`, means a game that the machine deals.
    """
    named = [word for word in words.split() if "=" not in word]
    rules = named[0] if named else None
    return set_up(NextGame(), rules, changes_in(words.split()), levels=levels_in(words.split()))


def pressed(keys: list[str], setup: NextGame) -> list[bool]:
    """Press *keys* at a new table; return of each whether it was accepted."""
    journal = Journal(IN_MEMORY)
    try:
        table = Table(journal, formatter=AS_JSON, clock=lambda: "", draw=lambda: 0, setup=setup)
        return [table.do(Press(key)).is_accepted for key in keys]
    finally:
        journal.close()


def test_the_keypad_is_drawn_as_the_kit_has_it() -> None:
    drawn = pages.blocks(pages.read(KEYS_PAGE), "keypad")[0]
    assert [tuple(line.replace("[", " ").replace("]", " ").split()) for line in drawn.lines] == [
        tuple(row) for row in load_kit("table").keypad.keys
    ]


def test_the_computers_keys_are_those_of_the_page() -> None:
    script = pages.read(pages.HOUSE / "cribpi" / "companion" / "web" / "page" / "input.js")
    typed = re.search(r"const TYPED = \{(.*?)\};", script, flags=re.DOTALL)
    assert typed
    of_script = {key.strip('"'): name for key, name in re.findall(r'(\w+|"[^"]+"): "([\w:]+)"', typed[1])}
    of_page: dict[str, str] = {}
    for computer, name, *_ in pages.rows(
        pages.section(pages.read(KEYS_PAGE), "## On the computer's keyboard")
    ):
        for key, meant in zip(pages.codes(computer), pages.codes(name), strict=True):
            of_page[key.lower()] = meant
    assert of_page == of_script
