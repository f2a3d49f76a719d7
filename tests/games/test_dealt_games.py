"""Whole games that the machine deals: by keypad and glass alone, by machines only, by every preset; nobody
peeks."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from support.patience import PATIENCE
from support.presses import view_at
from support.samples import some

from cribpi.cli import main
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.config import ConfigError, read_config
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.table.faults import Faults
from cribpi.companion.views.screen.screen import compose
from cribpi.companion.views.screen.sheet import ANY_RANK, ROWS, Sheet
from cribpi.companion.web.json.state import shown_json
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.rulebook import find_preset, rulebook

SEATS = {
    2: ("", "thrifty"),
    3: ("", "chance", "thrifty"),
    4: ("", "thrifty", "chance", "thrifty"),
}
EVERY_GAME = [(name, players) for name in rulebook().presets for players in find_preset(name).players]


def a_key(sheet: Sheet, number: int) -> str:
    """Return a key that the glass names, by nothing but what stands on *sheet*: press number *number*."""
    named = [key for key, _ in sheet.legend]
    labels = dict(sheet.legend)
    if labels.get(ANY_RANK) == "choose":
        hand = [text.text for text in sheet.texts() if text.size == "medium" and text.y > ROWS[0]]
        return hand[number % len(hand)]
    if labels.get("GO") == "nothing":
        return "GO"
    ranks = [key for key in named if key in RANKS]
    return ranks[number % len(ranks)] if ranks else "OK"


def keys_of_a_game(setup: NextGame, seed: int, *, with_hints: bool = False) -> list[str]:
    """Return the keys of a whole game, each chosen by what was on the glass when it was pressed.

    *with_hints* a hint is asked for wherever the glass offers one, and followed.
    """
    bench, keys = Rehearsal(load_kit("table"), seed, setup=setup), ["OK", "OK"]
    try:
        for key in keys:
            assert bench.press(key) is None
        while bench.now.state.winner is None:
            assert len(keys) < 2000, shown_json(bench.now, Faults())
            sheet = compose(view_at(bench.now.state, bench.now.saved))
            has_hint = with_hints and "FLNB" in dict(sheet.legend)
            keys.append("FLNB" if has_hint else a_key(sheet, len(keys)))
            refused = bench.press(keys[-1])
            assert refused is None, (keys, refused)
            assert bench.loop.troubles == {}
    finally:
        bench.close()
    return keys


def simulated(
    keys: Sequence[str], levels: Sequence[str], rule: Sequence[str], seed: int, rules: str
) -> list[dict[str, Any]]:
    """Return what `cribpi simulate --json` prints for *keys*, a state each."""
    out = io.StringIO()
    seated = ",".join(level or "person" for level in levels)
    asked = ["simulate", " ".join(keys), "--seed", str(seed), "--json", "--rules", rules, "--levels", seated]
    with redirect_stdout(out):
        assert main([*asked, *(f"--rule={change}" for change in rule)]) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def check_game(
    rules: str, levels: tuple[str, ...], seed: int, target: int = 61, *, with_hints: bool = False
) -> None:
    players = len(levels)
    changes = {"players": str(players), "target": str(target)}
    setup = NextGame(entry="dealt", levels=levels).with_rules(rules, changes)
    keys = keys_of_a_game(setup, seed, with_hints=with_hints)
    assert ("FLNB" in keys) == with_hints
    states = simulated(keys, levels, [f"{name}={value}" for name, value in changes.items()], seed, rules)
    assert len(states) == len(keys) + 1
    assert not any("error" in state for state in states)
    last = states[-1]
    assert (last["phase"], last["entry"], last["rules"]) == ("game-over", "dealt", rules)
    assert last["sides"][last["winner"]]["front"] == target
    assert [seat["level"] for seat in last["seats"]] == [level or None for level in levels]


@pytest.mark.parametrize(("rules", "players"), some(EVERY_GAME, *range(0, len(EVERY_GAME), 3)))
def test_a_game_is_played_by_keypad_and_glass_alone_by_every_preset(
    rules: str,
    players: int,
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    check_game(rules, SEATS[players], seed=players, target=61 if whole else 31)


@pytest.mark.parametrize("players", some([(2,), (3,), (4,)], 0))
def test_persons_share_one_glass_for_a_whole_game(players: int) -> None:
    check_game("standard", ("", *SEATS[players][1:-1], ""), seed=players, target=31)


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.prove), 4])
def test_a_game_is_played_by_hints(players: int) -> None:
    check_game("standard", SEATS[players], seed=players, target=31, with_hints=True)


@pytest.mark.parametrize(("rules", "players"), some(EVERY_GAME, *range(0, len(EVERY_GAME), 3)))
def test_machines_alone_play_a_game_by_every_preset(rules: str, players: int) -> None:
    levels = ("chance", "thrifty", "chance-errs", "thrifty-errs")[:players]
    rule = [f"players={players}", "target=31"]
    *_, last = simulated(["OK", "OK"], levels, rule, 5, rules)
    assert last["sides"][last["winner"]]["front"] == last["target"]


def test_the_same_seed_gives_the_same_game() -> None:
    games = [
        simulated(["OK", "OK"], ("chance", "chance"), ["target=31"], seed, "standard")[-1]
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


def test_the_next_game_is_the_machines_too() -> None:
    states = simulated(["OK", "OK", "OK"], ("chance", "thrifty"), ["target=31"], 3, "standard")
    assert states[-1]["phase"] == "game-over"
    assert sum(side["games"] for side in states[-1]["sides"]) == 2


def test_where_two_persons_share_a_glass_no_closed_card_is_in_any_state() -> None:
    """Each card of a state lies open: played, cut, turned up, or in a show."""
    setup = NextGame(entry="dealt", levels=("", "")).with_rules("standard", {"target": "61"})
    bench, number = Rehearsal(load_kit("table"), 4, setup=setup), 0
    try:
        for key in ("OK", "OK"):
            bench.press(key)
        while bench.now.state.winner is None and number < 1000:
            number += 1
            bench.press(a_key(compose(view_at(bench.now.state, bench.now.saved)), number))
            state = bench.now.state
            deal = state.deal
            if (
                deal is None
                or state.phase not in {Phase.DEAL, Phase.STARTER, Phase.PLAY}
                or bench.now.input_state.chosen
            ):
                continue
            told = json.dumps({**shown_json(bench.now, Faults()), "last": None})
            open_cards = {*(card for row in deal.played for card in row), deal.starter}
            held = [card for row in deal.dealt for card in row if card not in open_cards]
            assert not [card for card in held if f'"{card}"' in told or f" {card} " in told]
    finally:
        bench.close()
    assert bench.now.state.winner is not None


IMPORTS = """
import sys
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from cribpi.companion.run.bootstrap import assembled
from cribpi.companion.run.config import Config
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.entry.requests import Press
from cribpi.companion.entry.next_game import NextGame

def loaded():
    heavy = ("numpy", "cribpi.cribbage.players", "cribpi.cribbage.analysis")
    return sorted(name for name in heavy if name in sys.modules)

with assembled(Config(), load_kit("table"), Path(sys.argv[1]), is_sim=True) as running:
    assert running.loop.table.do(Press("OK")).is_accepted
print(loaded())
setup = NextGame(entry="dealt", levels=("thrifty", "chance"), target=31)
bench = Rehearsal(load_kit("table"), 1, setup=setup)
bench.press("OK")
bench.press("OK")
assert bench.now.state.winner is not None
bench.close()
print(loaded())
"""


def test_the_companion_starts_without_opponents_and_the_weaker_two_do_without_numpy(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "[]",
        "['cribpi.cribbage.analysis', 'cribpi.cribbage.players']",
    ]  # without its modules


# --- the settings, and the command ------------------------------------------------------------------


def test_the_settings_seat_the_machine_and_say_how_quick_it_is(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('entry = "dealt"\nlevels = ["solid-errs", "person"]\nspeed = "slow"\n', encoding="utf-8")
    setup = read_config(file).setup()
    assert (setup.entry, setup.levels, setup.house.speed) == ("dealt", ("solid-errs", ""), "slow")
    assert setup.event().levels == ("solid-errs", "")
    assert read_config(None).setup().entry == "cards"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            'levels = ["clever"]',
            "levels = [\"clever\"]: 'clever' is not a player: choose person, beginner, easy, medium, strong",
        ),
        ('levels = ["expert-errs"]', "'expert-errs' is not a player"),
        ('levels = ["person", "person", "person", "person", "person"]', "a game has four at most"),
        ('levels = "solid"', "give a list of names in quotes"),
        ('speed = "quick"', 'speed = "quick": choose one of normal, slow, fast'),
        ('entry = "paper"', "choose one of cards, peg, dealt, kit"),
    ],
)
def test_a_setting_that_cannot_be_is_one_sentence_with_the_remedy(
    line: str, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        read_config(file)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--levels", "person,clever"], "--levels person,clever: 'clever' is not a player"),
        (["--entry", "paper"], "--entry paper: choose cards or peg or dealt"),
    ],
)
def test_a_seat_or_a_way_that_is_none_is_one_line_and_exit_code_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "OK", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"cribpi simulate: {says}")
    assert printed.err.count("\n") == 1


def test_a_level_that_the_menu_does_not_offer_turns_to_its_first_choice() -> None:
    bench = Rehearsal(load_kit("table"), 1, setup=NextGame(entry="dealt", levels=("", "solid-errs")))
    try:
        for key in ("OK", "6", "P2"):
            assert bench.press(key) is None
        assert bench.now.context.next_game.seat_levels() == ("", "")
    finally:
        bench.close()
