"""`cribpi stats`: a line a name, or all about one; what it says adds up, and every mistake is one line."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.games import referee_game
from support.greedy_games import greedy_game, journal_of
from support.paths import GAMES
from support.refusals import is_line_with
from support.tables import opened

from cribpi.cli import main
from cribpi.cribbage.game.events import Event, GameStarted
from cribpi.cribbage.record import HEADER, Comment, parse

LONG = "Ann <b>&amp; the forty letters of her name".ljust(40, "!")[:40]


def game(seed: int, names: Sequence[str]) -> list[Event]:
    start, *rest = (one.event for one in referee_game(Random(seed), 2, 61, suited=True))
    assert isinstance(start, GameStarted)
    return [replace(start, names=tuple(names)), *rest]


def played(folder: Path, *games: list[Event]) -> Path:
    with opened(folder) as (journal, _):
        events = [event for each in games for event in each]
        journal.commit("2031-01-01T00:00:00.000+00:00", len(events), "{}", events)
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["stats", *map(str, arguments)])
    return code, *capsys.readouterr()


def as_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:  # noqa: ANN401  it is JSON
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    names = [("ANN", "BOB"), ("BOB", "CLEO"), ("ANN", "BOB"), (LONG, "CLEO")]
    return played(tmp_path, *(game(seed, pair) for seed, pair in enumerate(names)))


def test_each_name_has_a_line_and_the_line_says_what_the_json_says(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = as_json(capsys, "--state", folder)
    assert [(one["name"], one["games"]) for one in found["players"]] == [
        ("BOB", 3),
        ("ANN", 2),
        ("CLEO", 2),
        (LONG, 1),
    ]
    assert sum(one["wins"] for one in found["players"]) == 4
    _, out, _ = run(capsys, "--state", folder)
    for line, one in zip(out.splitlines(), found["players"], strict=True):
        assert line.startswith(f"{one['name']} ")
        assert f"{one['games']} game" in line
        assert f"{one['wins']} won" in line


def test_all_about_one_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "BOB", "--state", folder)
    assert found["usual"] == {"dealer": 16.13, "pone": 10.17}
    assert [row["name"] for row in found["against"]] == ["ANN", "CLEO"]
    assert sum(row["games"] for row in found["against"]) == len(found["results"]) == 3
    _, out, _ = run(capsys, "BOB", "--state", folder)
    assert out.startswith(f"BOB: 3 games, {found['wins']} won ({(0, 33, 67, 100)[found['wins']]} %)")
    assert f"{found['dealer']['all']:.1f} a deal (usual 16.1): hand" in out
    assert f"{found['best'][0]['points']}, " in out
    assert re.search(r"against +ANN: 2 games", out)


def test_who_has_skunked_is_told_apart_from_who_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ('game "ANN" "BOB" entry=peg dealer=1', "put-right 1 60", "put-right 0 121")
    skunk = [event for event in parse("\n".join((HEADER, *lines))) if not isinstance(event, Comment)]
    played(tmp_path, skunk, skunk)
    _, out, _ = run(capsys, "--state", tmp_path)
    ann, bob = out.splitlines()
    assert is_line_with(ann, "ANN", "2 won", "skunked others 2 times")
    assert is_line_with(bob, "BOB", "0 won", "was skunked 2 times")
    assert ("was" in ann, "others" in bob) == (False, False)


def test_a_long_name_with_markup_is_a_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, LONG, "--state", folder)["games"] == 1


def test_a_name_that_nobody_has_is_an_error_with_the_names(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "bob", "--state", folder)
    assert (code, out) == (2, "")
    assert err.startswith("cribpi stats: no finished game of 'bob': the names are 'BOB', 'ANN'")
    assert err.count("\n") == 1


def test_without_a_finished_game_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(tmp_path):
        pass
    assert run(capsys, "--state", tmp_path) == (0, "no game is finished yet\n", "")
    assert as_json(capsys, "--state", tmp_path)["players"] == []
    code, _, err = run(capsys, "ANN", "--state", tmp_path)
    assert code == 2
    assert is_line_with(err, "cribpi stats: ", "'ANN'", "no game is finished yet")


def test_without_a_journal_that_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "--state", tmp_path / "nowhere")
    assert (code, err.count("\n")) == (2, 1)
    assert "no journal here" in err


def test_summaries_are_kept_so_that_the_next_time_nothing_is_replayed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "--state", folder)
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        assert db.execute("SELECT count(*) FROM summaries").fetchone() == (3,)


def test_beside_a_companion_all_is_counted_and_nothing_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(folder):
        assert len(as_json(capsys, "--state", folder)["players"]) == 4
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        assert db.execute("SELECT count(*) FROM summaries").fetchone() == (0,)


def test_of_a_damaged_journal_what_is_sound_is_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as db:
        db.execute("UPDATE steps SET event = 'starter 5' WHERE id = 20")
    code, out, err = run(capsys, "--state", folder)
    assert code == 2
    assert err.startswith("cribpi stats: the journal is damaged (")
    assert out.splitlines()[0].startswith("BOB")


def test_the_computer_is_told_by_its_level_from_a_person_of_that_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = journal_of(tmp_path, greedy_game(1, ("Medium", "Medium 2"), 31, ("", "medium")))
    for name, one, other in (("Medium", "Medium", "Medium 2"), ("computer (Medium)", "Medium 2", "Medium")):
        assert main(["stats", name, "--state", str(games)]) == 0
        said = capsys.readouterr().out
        assert said.startswith(f"{one}: 1 game, ")
        assert f"against        {other}: 1 game, " in said
    assert main(["stats", "Medium 2", "--json", "--state", str(games)]) == 0
    assert '"name": "computer (Medium)"' in capsys.readouterr().out


def test_averages_in_the_terminal_are_those_of_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = GAMES / "five-card-2.crib"
    assert main(["import", str(record), "--state", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["stats", "ANN", "--state", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert main(["stats", "ANN", "--json", "--state", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)["five_card"]["pone"]["tenths"]
    assert f"{found['all']} a deal: hand {found['hands']}, pegging {found['pegging']}; 4 deals" in said
