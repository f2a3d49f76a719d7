"""The messages hold to their schema and to the page about them, and Home Assistant finds what it needs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import fastjsonschema
import pytest
from support.pages import DOCS
from support.tables import opened, play_to

from cribpi.app.config import _MQTT, Config, ConfigError, read_config
from cribpi.mqtt.broker import Broker
from cribpi.mqtt.discovery import TRIGGERS, discovery_of
from cribpi.mqtt.messages import KINDS
from cribpi.mqtt.outbox import Outbox

PAGE = (DOCS / "reference" / "mqtt.md").read_text("utf-8")
SCHEMA = json.loads((DOCS / "reference" / "mqtt.schema.json").read_text("utf-8"))


def holds(kind: str) -> Any:  # noqa: ANN401  what the library makes
    return fastjsonschema.compile({**SCHEMA, "$ref": f"#/definitions/{kind}"})


@pytest.mark.parametrize(("players", "entry"), [(2, "cards"), (3, "dealt"), (4, "peg"), (2, "dealt")])
def test_every_message_holds_to_the_schema(tmp_path: Path, players: int, entry: str) -> None:
    event, state, result = (holds(kind) for kind in ("event", "state", "result"))
    with opened(tmp_path) as (_, table):
        changes = {"players": str(players), "target": "61"}
        table.start(lambda setup: replace(setup.with_rules(None, changes), entry=entry))
        play_to(table, Random(players), 350)
    outbox, row = Outbox(tmp_path, "oak"), 0
    while steps := outbox.after(row):
        row = steps[-1].row
        for told in steps:
            for one in told.events:
                event(one)
            state(told.state)
            if told.result is not None:
                result(told.result)
    state(outbox.now()[1])


def test_the_schema_tells_a_message_of_another_shape() -> None:
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        holds("event")({"schema": 1, "event_type": "fifteen"})


def test_the_page_names_every_kind_of_event() -> None:
    named = set(re.findall(r"`([a-z-]+)`", PAGE))
    assert not set(KINDS) - named
    assert set(SCHEMA["definitions"]["event"]["properties"]["event_type"]["enum"]) == set(KINDS)


def test_the_example_of_the_page_holds_to_the_schema() -> None:
    example, _ = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    holds("event")(json.loads(example))


def test_the_page_has_every_setting() -> None:
    table = PAGE[PAGE.index("## Settings") : PAGE.index("It needs cribpi's extra")]
    rows = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert {key for row in rows for key in re.findall(r"`(\w+)`", row)} == set(_MQTT)


ALLOWED = {
    # What Home Assistant's own schemas take: the device's, and of each platform, the required keys.
    "device": {"identifiers", "name", "manufacturer", "model", "sw_version", "connections", "hw_version"},
    "origin": {"name", "sw_version", "support_url"},
    "top": {
        "device",
        "origin",
        "components",
        "availability_topic",
        "payload_available",
        "payload_not_available",
        "state_topic",
        "command_topic",
        "qos",
        "encoding",
    },
}
REQUIRED = {
    "sensor": {"state_topic", "unique_id"},
    "event": {"state_topic", "event_types", "unique_id"},
    "button": {"command_topic", "unique_id"},
    "device_automation": {"automation_type", "topic", "type", "subtype"},
}


@pytest.mark.parametrize("undo", [False, True])
def test_home_assistant_finds_the_board(undo: bool) -> None:  # noqa: FBT001  a parameter
    topic, found = discovery_of(Broker(host="broker", board="oak", undo=undo))
    assert topic == "homeassistant/device/cribpi_oak/config"
    assert set(found) <= ALLOWED["top"]
    assert {"device", "origin", "components"} <= set(found)
    assert set(found["device"]) <= ALLOWED["device"]
    assert set(found["origin"]) <= ALLOWED["origin"]
    parts = found["components"]
    for part in parts.values():
        assert REQUIRED[part["platform"]] <= set(part)
    names = [part["unique_id"] for part in parts.values() if "unique_id" in part]
    assert len(set(names)) == len(names)
    automations = [(part["type"], part["subtype"]) for part in parts.values() if "type" in part]
    assert len(set(automations)) == len(TRIGGERS)
    assert set(parts["events"]["event_types"]) == set(KINDS), "it refuses a kind that it does not know"
    assert ("undo" in parts) == undo


def settings(tmp_path: Path, text: str) -> Config:
    path = tmp_path / "config.toml"
    path.write_text(f"[mqtt]\n{text}\n", encoding="utf-8")
    return read_config(path)


def test_nobody_is_told_without_a_host(tmp_path: Path) -> None:
    assert Config().broker is None
    assert settings(tmp_path, 'board = "oak"').broker is None


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("::1", "[::1]:1883"),
        ("[::1]", "[::1]:1883"),
        ("fd00::20", "[fd00::20]:1883"),
        ("192.168.1.20", "192.168.1.20:1883"),
        ("homeassistant.local", "homeassistant.local:1883"),
    ],
)
def test_a_host_is_a_name_or_an_address(tmp_path: Path, host: str, address: str) -> None:
    found = settings(tmp_path, f'host = "{host}"').broker
    assert found is not None
    assert found.address == address
    assert found.host == host.strip("[]")


def test_a_board_is_called_as_its_page_is_unless_it_has_a_name_there(tmp_path: Path) -> None:
    found = settings(tmp_path, 'host = "broker"\n[page]\nname = "elm"').broker
    assert found is not None
    assert (found.board, found.at, found.is_secure) == ("elm", 1883, False)
    found = settings(tmp_path, 'host = "broker"\nboard = "Oak_2"\nca = "ca.pem"').broker
    assert found is not None
    assert (found.board, found.at, found.is_secure) == ("Oak_2", 8883, True)
    assert found.topic("state") == "cribpi/Oak_2/state"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('board = "oak/elm"', "use letters, digits, hyphens and underscores, 60 at most"),
        ('board = "+"', "use letters, digits, hyphens and underscores, 60 at most"),
        ('prefix = "#"', "use letters, digits, hyphens and underscores, 60 at most"),
        ("port = 70000", "give a whole number from 0 to 65535; 0 is 1883, or 8883 with TLS"),
        ('password = "secret"', "no such key here"),
        ("undo = 1", "write true or false"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_in_a_sentence(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(says)):
        settings(tmp_path, f'host = "broker"\n{text}')
