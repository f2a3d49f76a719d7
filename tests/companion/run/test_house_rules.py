"""Rules from the settings and from the command line: a preset, and what the house changes in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.lasting import without_forgetting
from support.server import ask, companion
from support.tables import opened, table_of

from cribpi.cli import main
from cribpi.commands.house import changes_of, set_up
from cribpi.commands.run import fields_set
from cribpi.companion.entry.next_game import Changes, NextGame
from cribpi.companion.entry.requests import ChangeNextGame, Press
from cribpi.companion.run.config import Config, ConfigError, read_config
from cribpi.companion.table.faults import Faults
from cribpi.companion.web.json.state import AS_JSON, shown_json
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rulebook import rulebook


def config(text: str, folder: Path) -> Config:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


# --- settings ---------------------------------------------------------------------------------------

SETTINGS = [
    # text                                              players target heels  why
    ("", 2, 121, 2, "none is needed"),
    ('rules = "travel-61"', 2, 61, 2, "a preset brings its target"),
    ('rules = "travel-61"\ntarget = 121', 2, 121, 2, "but for a target that is set"),
    ('rules = "computer-game"\nplayers = 3', 3, 121, 0, "players that the preset knows"),
    ('rules = "lowe"\n[house]\nheels = "none"', 2, 121, 0, "an option of the house"),
    ("target = 45", 2, 45, 2, "any target from 31 to 121"),
    ("[house]\nlast_card = 1\nskunk = false\ndouble_skunk = false", 2, 121, 2, "numbers, true and false too"),
]


@pytest.mark.parametrize(
    ("text", "players", "target", "heels", "why"), SETTINGS, ids=[row[4] for row in SETTINGS]
)
def test_the_settings_say_by_which_rules_the_first_game_is(
    text: str, players: int, target: int, heels: int, why: str, tmp_path: Path
) -> None:
    rules = config(text, tmp_path).setup().game_rules()
    assert (rules.players, rules.target, rules.heels) == (players, target, heels), why


WRONG_SETTINGS = [
    ('rules = "euchre"', 'rules = "euchre": choose one of standard, '),
    ('rules = "acc"\nplayers = 3', "acc is not for 3 players"),
    ('[house]\nheels = "9"', 'house.heels = "9": heels=9 is not offered'),
    ('[house]\nwheels = "2"', "house.wheels = \"2\": 'wheels' is not an option"),
    ("[house]\nheels = 2.5", "house.heels = 2.5"),
    ('house = "mine"', 'house = "mine": write this as a table, [house]'),
    ('[house]\ndouble_skunk = "on"\nskunk = "off"', "double skunks need skunks"),
    ("target = 30", "a target of 30"),
    ("[house]\nplayers = 3", "house.players = 3: this has its own setting"),
]


@pytest.mark.parametrize(("text", "says"), WRONG_SETTINGS)
def test_what_is_wrong_with_the_rules_is_said_with_file_key_and_remedy(
    text: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as refused:
        config(text, tmp_path)
    assert says in str(refused.value)
    assert "config.toml: " in str(refused.value)
    assert "\n" not in str(refused.value)


# --- the command line -------------------------------------------------------------------------------


def states(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(arguments) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("name", rulebook().presets)
def test_each_preset_can_be_played_from_the_command_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    last = states(capsys, "simulate", "OK OK OK 5", "--rules", name, "--json", "--seed", "1")[-1]
    assert (last["rules"], last["house"], last["starter"], last["phase"]) == (name, {}, "5", "play")
    assert last["target"] == (61 if name in {"travel-61", "five-card"} else 121)


def test_the_house_changes_options_and_every_state_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    last = states(
        capsys,
        *("simulate", "OK OK P1 J", "--rules", "lowe", "--rule", "heels=none", "--rule", "players=3"),
        *("--rule", "target=61", "--json"),
    )[-1]
    assert (last["rules"], last["target"]) == ("lowe", 61)
    assert last["house"] == {"target": "61", "heels": "none"}
    seats = last["seats"]
    assert isinstance(seats, list)
    assert len(seats) == 3
    assert last["sides"] == [
        {"name": name, "said": name}
        | dict.fromkeys(("front", "back", "games", "points", "skunks", "spread"), 0)
        for name in ("ORANGE", "BLUE", "WHITE")
    ]


@pytest.mark.parametrize(("rules", "points"), [("standard", 0), ("computer-game", 4), ("travel-121", 4)])
def test_a_flush_of_four_in_a_crib_counts_by_the_rules(
    rules: str, points: int, capsys: pytest.CaptureFixture[str]
) -> None:
    flush = ("score", "2H 4H 8H KH", "--starter", "6S", "--crib", "--rules", rules, "--json")
    told = states(capsys, *flush)[0]
    assert told["points"] == points
    scores = told["scores"]
    assert isinstance(scores, list)
    assert [score["why"]["rule"] for score in scores] == ["crib_flush"] * bool(points)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rules", "euchre"), "choose one of standard"),
        (("--rule", "heels"), "write OPTION=VALUE"),
        (("--rule", "heels=9"), "choose 1, 2, 3, none"),
        (("--rule", "wheels=2"), "is not an option"),
        (("--rules", "acc", "--rule", "players=3"), "is not for 3"),
        (("--rules", "acc", "--rule", "miscount=machine"), "with miscount=machine, cribpi pegs his heels"),
    ],
)
def test_rules_that_cannot_be_are_one_line_and_exit_code_2(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (("simulate", "OK"), ("score", "7H 8C 8D KS", "--starter", "9S"), ("run", "--sim")):
        assert main((*command, *arguments)) == 2
        told = capsys.readouterr()
        assert told.err.count("\n") == 1
        assert says in told.err
        assert not told.out


def test_changes_are_read_as_they_are_written() -> None:
    assert changes_of(["heels=none", " match = first-to-3 "]) == {"heels": "none", "match": "first-to-3"}
    with pytest.raises(UserError):
        set_up(NextGame(), None, ["match=first-to-0"])


# --- the table --------------------------------------------------------------------------------------


def test_rules_that_are_asked_for_are_those_of_the_next_game_of_an_old_table(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, table):
        for key in ("OK", "OK", "P1"):
            table.do(Press(key))
        for changes in (Changes(players=3, options={"after_go": "two-close"}), Changes(players=2)):
            table.do(ChangeNextGame(changes, opens_menu=False))
        old = table.now.context.next_game
        assert old.aside == (("after_go", "two-close"),)
        wanted = NextGame().with_rules("lowe", {"players": "3"})
        again = type(table)(
            journal,
            formatter=AS_JSON,
            clock=lambda: "2030-01-01T00:00:00Z",
            draw=lambda: 0,
            setup=wanted,
            asked=fields_set("lowe", (), None, None),
        )
        assert again.now.state == table.now.state
        assert again.now.context.next_game == wanted, "what was set aside by the old rules does not come back"
        plain = table_of(journal)
        assert plain.now.context.next_game == old


def test_each_option_of_run_asks_for_its_own_part_of_the_next_game() -> None:
    assert fields_set(None, (), None, None) == ()
    assert fields_set("lowe", (), None, None) == fields_set(None, ["heels=none"], None, None)
    assert "rules" in fields_set("lowe", (), None, None)
    assert "entry" not in fields_set("lowe", (), None, None)
    assert fields_set(None, (), "peg", None) == ("entry",)
    assert fields_set(None, (), None, "person,solid") == ("entry", "levels")


def running(folder: Path, *arguments: str) -> tuple[dict[str, object], str]:
    """Run a companion, press OK until a game begins, and take that back; return its state, and what stderr
    said."""
    told = folder.parent / "told.txt"
    with told.open("w") as errors, companion(folder, *arguments, stderr=errors) as (_, url):
        states = (ask(f"{url}api/press", {"key": "OK"})[1] for _ in range(3))
        state = next(state for state in states if state["phase"] not in {"idle", "new-game"})
        assert ask(f"{url}api/press", {"key": "UNDO"})[0] == 200
    return state, without_forgetting(told.read_text())


def test_run_takes_the_way_and_the_levels_of_the_next_game_as_simulate_does(tmp_path: Path) -> None:
    games = tmp_path / "games"
    assert running(games)[0]["entry"] == "cards"
    assert running(games, "--entry", "peg")[0]["entry"] == "peg", "of an old table too"
    state, told = running(games, "--levels", "person,chance,thrifty", "--rule", "players=3")
    assert (state["entry"], told) == ("dealt", "")
    seats = state["seats"]
    assert isinstance(seats, list)
    assert [seat.get("level") for seat in seats] == [None, "chance", "thrifty"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--entry", "fast"), "--entry fast: choose cards or peg or dealt"),
        (("--levels", "dog"), "'dog' is not a player"),
    ],
)
def test_a_way_or_a_level_that_is_none_is_refused_by_run(
    more: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--sim", "--state", str(tmp_path / "games"), *more]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert says in told
    assert not (tmp_path / "games").exists()


def test_a_house_of_the_settings_that_an_old_table_does_not_play_by_is_said_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    games = tmp_path / "games"
    assert running(games)[1] == ""
    (tmp_path / "cribpi").mkdir()
    (tmp_path / "cribpi" / "config.toml").write_text('[house]\nheels = "none"\n')
    said = (
        "cribpi run: [house] in the settings is for new games; this one goes on without it (heels = "
        "none): "
        "to use it, start once with --rules standard, or choose it on the page\n"
    )
    assert running(games)[1] == said
    assert running(games, "--rules", "standard")[1] == ""
    assert running(games)[1] == "", "the table has it from then on"
    assert running(tmp_path / "others")[1] == "", "and a new one from the beginning"


def test_a_set_up_by_the_page_opens_the_menu_and_a_senseless_one_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        assert table.do(ChangeNextGame(Changes(rules="lowe", players=3)), id="a").is_accepted
        assert shown_json(table.now, Faults())["phase"] == "new-game"
        before = table.now
        answer = table.do(ChangeNextGame(Changes(rules="acc", players=3)), id="b")
        assert not answer.is_accepted
        assert table.now.input_state == before.input_state
        assert table.do(ChangeNextGame(Changes()), id="b") == answer, (
            "the same id gives the first answer again"
        )
        table.do(Press("OK"))
        assert table.now.state.rules.name == "lowe"
