"""What the server sends is what the page's scripts take it for: tests/companion/web/types/server.d.ts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Hashable, Mapping
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest
from companion.web.real_table import RealTable, real_table
from support.companions import set_up_of
from support.greedy_games import greedy_game, journal_of
from support.patience import PATIENCE

from cribpi.companion.entry.requests import Press
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.companion.web.json import table_types
from cribpi.companion.web.json.page import kit_json, strip_json

TSC = Path(os.environ.get("CRIBPI_TSC", "not given"))
TYPES = Path(__file__).parents[1] / "companion" / "web" / "types"
PRESSES = 300  # a game of two to 31 by cards takes some 60

pytestmark = pytest.mark.skipif(
    not TSC.exists() or shutil.which("node") is None,
    reason="there is no TypeScript compiler: `make check` installs it, where there is npm",
)


class Samples:
    """What was sent, by its type; of what is alike, one will do."""

    def __init__(self) -> None:
        self.kept: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self._seen: dict[str, set[Hashable]] = defaultdict(set)

    def note(self, kind: str, value: Mapping[str, object]) -> None:
        """Keep *value*, if a field of it is new or of a new shape."""
        fields = {(name, shape(each)) for name, each in value.items()}
        if not fields <= self._seen[kind]:
            self._seen[kind] |= fields
            self.kept[kind].append({name: short(each) for name, each in value.items()})


FEW = {"phase", "entry", "kind", "by"}


def shape(value: object) -> Hashable:
    """Return what *value* is made of; words are all alike, but where only a few are allowed."""
    if isinstance(value, dict):
        return frozenset((name, each if name in FEW else shape(each)) for name, each in value.items())
    if isinstance(value, list):
        return frozenset(map(shape, value))
    return type(value).__name__


def short(value: object) -> object:
    """Return *value* with one of each shape in its lists; a list of plain values, perhaps a tuple, stays."""
    if isinstance(value, dict):
        return {name: short(each) for name, each in value.items()}
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        return [short(each) for each in {shape(each): each for each in value}.values()]
    return value


def compiled(folder: Path, kept: dict[str, list[dict[str, Any]]]) -> str:
    """Return the compiler's errors on what was *kept*, each as the type that it is to have."""
    lines = [
        f"export const {kind.lower()}: Server.{kind}[] = {json.dumps(found, indent=1)};"
        for kind, found in kept.items()
    ]
    (folder / "samples.ts").write_text("\n".join(lines))
    options = {
        "extends": str(TYPES / "tsconfig.json"),
        # The library's own types, and the browser's, are a matter of `make check`.
        "compilerOptions": {"lib": ["ES2024"], "skipDefaultLibCheck": True},
        "include": [],
        "files": ["samples.ts", str(TYPES / "server.d.ts")],
    }
    (folder / "tsconfig.json").write_text(json.dumps(options))
    command = ["node", str(TSC), "-p", str(folder), "--pretty", "false"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE).stdout


def key_of(page: table_types.Page, chance: Random) -> str:
    """Return the next key: mostly what is likeliest, and now and then what makes less sense, or none."""
    likely = [choice["key"] for choice in page["choices"] if choice["likely"]]
    draw = chance.random()
    if not likely or draw < 0.06:
        return chance.choice(["UNDO", "K", "FLNB", "GO", "OK"])
    return str(chance.choice(likely) if draw < 0.5 else likely[0])


def play(table: RealTable, samples: Samples, chance: Random) -> None:
    """Play until a game is won, or long enough, and note all that is sent on the way."""
    for _ in range(PRESSES):
        page, state = table.companion.page(), table.state()
        samples.note("Page", page)
        samples.note("State", state)
        samples.note("Strip", strip_json(table.companion.strip()))
        if state["winner"] is not None:
            return
        if page["thinking"] is None:
            answer = table.companion.do(Press(key_of(page, chance)), None, state["seq"]).result()
            # The computer may have moved first.
            body = json.loads(answer.text)
            refused = "Overtaken" if "state" in body else "Refusal"
            samples.note("State" if answer.is_accepted else refused, body)
        else:
            sleep(0.01)


GAMES: dict[str, dict[str, object]] = {
    "by cards": {"entry": "cards", "options": {"target": "31"}},
    "by points": {"entry": "peg", "options": {"target": "31"}},
    "muggins": {"rules": "acc-muggins", "entry": "cards", "options": {"target": "31"}},
    "dealt": {"entry": "dealt", "levels": ["", "chance"], "options": {"target": "31"}, "speed": "fast"},
    "dealt to three": {
        "entry": "dealt",
        "players": 3,
        "levels": ["", "", "chance"],
        "options": {"target": "31"},
        "speed": "fast",
    },
}


def test_what_the_server_sends_has_the_types_that_the_page_knows(tmp_path: Path) -> None:
    samples = Samples()
    for name in kit_names():
        samples.note("Kit", kit_json(load_kit(name)))
    for number, (name, game) in enumerate(GAMES.items()):
        with real_table(tmp_path / name, seed=number) as table:
            samples.note("Rules", table.companion.rules())
            samples.note("State", json.loads(table.companion.do(set_up_of(game)).result().text))
            play(table, samples, Random(number))
            samples.note("Overtaken", json.loads(table.companion.do(Press("OK"), None, 1).result().text))
            samples.note("Rules", table.companion.rules())
    phases = {str(state["phase"]) for state in samples.kept["State"]}
    assert {"new-game", "cut", "deal", "play", "show", "crib", "game-over"} <= phases
    assert any(page["hand"] for page in samples.kept["Page"])
    assert compiled(tmp_path, samples.kept) == ""


def test_past_games_and_statistics_have_the_types_that_the_page_knows(tmp_path: Path) -> None:
    games = [greedy_game(1, ("Ann", "BLUE"), 61, ("", "solid")), greedy_game(2, ("Ann", "Bob", "Cleo"), 61)]
    samples = Samples()
    with real_table(journal_of(tmp_path, *games, games[0][:9])) as table:
        history = table.companion.history
        samples.note("PastGames", history.games(None, None, 9))
        samples.note("Players", history.stats())
        samples.note("Player", history.player("Ann"))
        for number in (1, 2):
            samples.note("PastGame", history.game(number))
            for step in range(1, len(games[number - 1]) + 1, 7):
                samples.note("PastStep", history.step(number, step))
    assert compiled(tmp_path, samples.kept) == ""


def test_a_field_that_is_missing_or_too_much_is_an_error(tmp_path: Path) -> None:
    kit = dict(kit_json(load_kit("table")))
    other = {("kegs" if name == "keys" else name): value for name, value in kit.items()}
    errors = compiled(tmp_path, {"Kit": [kit, other]}).splitlines()
    assert len(errors) == 1
    assert "\"kegs\"' does not exist in type 'Kit'" in errors[0]
