"""The reference page of the door, held against the door."""

from __future__ import annotations

import json
import re

import httpx
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import FIRST_DEAL, score
from support import http_page
from support.paths import DOCS

from cribpi.companion.entry.keys import HOLDS, KEYS
from cribpi.companion.web.openapi import OPERATIONS
from cribpi.companion.web.stream import Stream
from cribpi.cribbage.game.show import Kind

SHOWN_AND_WON = Scene(f"{FIRST_DEAL} {score('P1', 103)}")
"""A game that is over, and in which hands were shown."""
PAGE = (DOCS / "reference" / "http.md").read_text(encoding="utf-8")


def test_the_endpoints_of_the_page_are_those_of_the_document() -> None:
    assert http_page.page() == PAGE, "look at it, after `PYTHONPATH=tests python -m support.http_page`"


def test_the_document_has_every_route_and_no_other(client: httpx.Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    there = {f"{method.upper()} {path}" for path, found in paths.items() for method in found}
    assert there == set(OPERATIONS)
    for path in {path for path in paths if "get" in paths[path]} - {"/api/events"}:
        example = path.format(number=1, step=2, name="Ann", what="discards")
        status = client.get(example, params={"name": "Ann"} if "mistakes" in path else {}).status_code
        assert status == (200 if "{" not in path or path.endswith("{what}") else 404), path


def test_every_key_kind_and_event_is_named(companion: RehearsedClient) -> None:
    words = set(re.findall(r"[\w:-]+", PAGE))
    events = Stream(companion, companion.glass).kinds
    assert words >= {*KEYS, *HOLDS, *Kind, *events}


def test_the_examples_have_the_fields_that_the_door_gives(
    client: httpx.Client,
    companion: RehearsedClient,
) -> None:
    own = PAGE[: PAGE.index("### Games and statistics")] + PAGE[PAGE.index("## Press keys") :]
    state, page, result, chances, rules, settings, phones, kit, count = (
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", own, re.DOTALL)
    )
    assert set(state) == set(companion.state())
    assert set(page) == set(companion.page())
    assert set(page["table"]) == set(client.get("/api/page").json()["table"])
    assert set(page["log"][0]) == set(client.get("/api/log").json()[0])
    companion.change(SHOWN_AND_WON)
    played = client.get("/api/page").json()["result"]
    assert (set(result), set(result["sides"][0])) == (set(played), set(played["sides"][0]))
    assert set(result["best"]) == set(played["best"])
    assert set(count) == set(client.post("/api/count", json={"cards": [*"A234"], "starter": "5"}).json())
    assert set(chances) == set(client.get("/api/chances").json())
    assert set(rules) == set(companion.rules())
    for part in ("presets", "options"):
        assert set(rules[part][0]) == set(client.get("/api/rules").json()[part][0])
    assert set(rules["setup"]) == set(client.get("/api/rules").json()["setup"])
    found = client.get("/api/settings").json()
    assert (set(settings), set(settings["settings"][0])) == (set(found), set(found["settings"][0]))
    shown = next(row for row in found["settings"] if row["name"] == settings["settings"][0]["name"])
    assert settings["settings"][0]["text"] == shown["text"]
    assert all(choice in shown["choices"] for choice in settings["settings"][0]["choices"])
    assert set(phones) == set(client.get("/api/phones").json())
    assert set(kit) == set(client.get("/api/kit").json())
