"""A game that is started for once has its own rules and speed; what was set up stays for the next one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.companions import running, start_of
from support.patience import PATIENCE

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Change, ChangeNextGame, Start
from cribpi.companion.run.bootstrap import Running
from cribpi.companion.web.requests import BadRequest, parse_request

HOUSE = {
    "rules": "lowe",
    "players": 3,
    "entry": "dealt",
    "options": {"heels": "none"},
    "levels": ["", "expert", "thrifty"],
    "speed": "fast",
    "names": ["Ann", "Bob", "Cleo"],
}
LESSON = {
    "rules": "standard",
    "players": 2,
    "entry": "dealt",
    "options": {"target": "61"},
    "levels": ["", "chance"],
    "speed": "slow",
    "once": True,
}


def start(parts: Running, request: dict[str, Any]) -> dict[str, Any]:
    answer = parts.companion.do(start_of(request)).result(PATIENCE)
    assert answer.is_accepted
    found: dict[str, Any] = json.loads(answer.text)
    return found


def set_up(parts: Running) -> Any:  # noqa: ANN401  JSON
    return parts.companion.rules()["setup"]


def speed(parts: Running) -> Any:  # noqa: ANN401  JSON
    values: Any = parts.companion.page()["settings"]
    return values["speed"]


def test_it_is_played_as_asked_and_the_set_up_stays(tmp_path: Path) -> None:
    with running(tmp_path, seed=1) as parts:
        start(parts, HOUSE)
        before = set_up(parts)
        state = start(parts, LESSON)
        assert (state["rules"], state["target"], len(state["seats"])) == ("standard", 61, 2)
        assert speed(parts) == "slow"
        assert set_up(parts) == before


def test_a_restart_in_between_changes_nothing(tmp_path: Path) -> None:
    with running(tmp_path, seed=1) as parts:
        start(parts, HOUSE)
        before = set_up(parts)
        start(parts, LESSON)
    with running(tmp_path, seed=1) as parts:
        assert parts.companion.state()["target"] == 61
        assert speed(parts) == "slow"
        assert set_up(parts) == before
        state = start(parts, {"entry": "dealt"})
        assert (state["rules"], state["target"], len(state["seats"])) == ("lowe", 121, 3)
        assert [seat["level"] for seat in state["seats"]] == [None, "expert", "thrifty"]
        assert speed(parts) == "fast"


def test_another_speed_that_is_chosen_meanwhile_holds_at_once_and_stays(tmp_path: Path) -> None:
    with running(tmp_path, seed=1) as parts:
        start(parts, LESSON)
        parts.companion.do(Change({"speed": "normal"})).result(PATIENCE)
        assert speed(parts) == "normal"
        assert set_up(parts)["speed"] == "normal"


def test_only_a_game_is_started_for_once() -> None:
    assert parse_request("game", b'{"players": 2, "once": true}').request == Start(
        Changes(players=2), once=True
    )
    assert parse_request("rules", b'{"players": 2}').request == ChangeNextGame(Changes(players=2))
    for what, body in (
        ("rules", b'{"players": 2, "once": true}'),
        ("game", b'{"once": true}'),
        ("game", b'{"players": 2, "once": "yes"}'),
    ):
        with pytest.raises(BadRequest):
            parse_request(what, body)
