"""The reference page of the door, held against the door."""

from __future__ import annotations

import json
import re

import httpx
import pytest
from support.paths import DOCS

from cribpi.web.requests import KEY_NAMES, KINDS
from cribpi.web.stream import KINDS as EVENTS
from web.rehearsed import RehearsedCompanion

PAGE = (DOCS / "reference" / "http.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`GET (/[^\sN]*)`", PAGE)) - {"/api/events"}))
def test_every_path_that_the_page_names_is_there(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 200


def test_every_path_for_a_number_or_a_name_finds_nothing_at_a_table_without_games(
    client: httpx.Client,
) -> None:
    paths = re.findall(r"`GET (/\S*N\S*)`", PAGE)
    assert len(paths) >= 4
    for path in paths:
        answer = client.get(path.replace("NAME", "Ann").replace("N", "1").replace("S", "2"))
        assert answer.status_code == 404
        assert answer.json()["error"].startswith(("there are no games", "no finished game of"))


def test_every_key_kind_and_event_is_named() -> None:
    words = set(re.findall(r"[\w:-]+", PAGE))
    assert words >= {*KEY_NAMES, *KINDS, *EVENTS}


def test_the_examples_have_the_fields_that_the_door_gives(
    client: httpx.Client,
    companion: RehearsedCompanion,
) -> None:
    state, page, rules, kit = (
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[:4]
    )
    assert set(state) == set(companion.state())
    assert set(page) == set(companion.page())
    assert set(rules) == set(companion.rules())
    for part in ("presets", "options"):
        assert set(rules[part][0]) == set(client.get("/api/rules").json()[part][0])
    assert set(rules["setup"]) == set(client.get("/api/rules").json()["setup"])
    assert set(kit) == set(client.get("/api/kit").json())
