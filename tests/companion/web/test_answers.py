"""Answers are what their types say, and what is generated from the types is up to date."""

from __future__ import annotations

from pathlib import Path

import fastjsonschema
import httpx
import pytest
from companion.web import scenes
from companion.web.real_table import real_table
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from support import wire
from support.clients import client_of
from support.greedy_games import greedy_game, journal_of
from support.held_to_schema import check_of, hold

SCENES = {name: scene for name, scene in vars(scenes).items() if isinstance(scene, Scene)}
READS = ("kit", "state", "page", "log", "rules", "settings", "chances", "phones", "games", "stats", "strip")
STALE = "look at it, after `PYTHONPATH=tests python -m support.wire`"


def test_the_schemas_are_those_of_the_types() -> None:
    assert wire.SCHEMAS.read_text(encoding="utf-8") == wire.schemas_text(), STALE


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    assert wire.TYPESCRIPT.read_text(encoding="utf-8") == wire.typescript(), STALE


@pytest.mark.parametrize("name", SCENES)
def test_each_answer_has_its_schema(client: httpx.Client, companion: RehearsedClient, name: str) -> None:
    document = client.get("/api/openapi.json").json()
    companion.change(SCENES[name])
    for what in READS:
        hold(client.get(f"/api/{what}"), document)
    for body in ({"key": "K"}, {"key": "OK"}, {"key": "7H", "if_seq": 1}, {"key": "no key"}, {}):
        hold(client.post("/api/press", json=body), document)
    hold(client.post("/api/peg", json={"side": 0, "points": 2}), document)
    hold(client.post("/api/rules", json={"rules": "lowe", "options": {"target": "99"}}), document)
    for cards in ("5C5D5S JH", "5C5D", "2 2 2 2 2"):
        hold(client.post("/api/count", json={"cards": cards}), document)
    hold(client.post("/api/count", json={"cards": [*"A234"], "starter": "5"}), document)


def test_each_answer_about_past_games_has_its_schema(tmp_path: Path) -> None:
    games = [greedy_game(1, ("Ann", "BLUE"), 61, ("", "solid")), greedy_game(2, ("Ann", "Bob", "Cleo"), 61)]
    with (
        real_table(journal_of(tmp_path, *games, games[0][:9])) as table,
        client_of(table.url) as client,
    ):
        document = client.get("/api/openapi.json").json()
        steps = [f"games/{number}/{step}" for number in (1, 2) for step in range(1, 60, 7)]
        of_names = ("stats/Ann", "stats/Nobody", "practice/discards/mistakes?name=Ann")
        for path in (
            "games",
            "games/1",
            "games/2",
            "games/3",
            "games/9",
            "games/1/review",
            *steps,
            *of_names,
        ):
            hold(client.get(f"/api/{path}"), document)
        hold(client.post("/api/games", json={"remove": 1}), document)
        hold(client.post("/api/games", json={"remove": 1}), document)


def test_a_field_that_is_missing_or_too_much_has_no_schema(companion: RehearsedClient) -> None:
    state = {**companion.state()}
    check_of("State")(state)
    with pytest.raises(fastjsonschema.JsonSchemaException):
        check_of("State")({name: value for name, value in state.items() if name != "turn"})
    with pytest.raises(fastjsonschema.JsonSchemaException):
        check_of("State")(state | {"turns": 1})
    with pytest.raises(fastjsonschema.JsonSchemaException):
        check_of("State")(state | {"phase": "tea"})
