"""The messages hold to their schema and to the page about them, and Home Assistant finds what it needs."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import fastjsonschema
import pytest
from jinja2 import Template
from support.pages import DOCS
from support.screens import WON, Evening
from support.tables import opened, play_to

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Press, Start
from cribpi.companion.mqtt import messages
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.messages import KINDS, TRIGGERS, discovery_of, result_of, state_of
from cribpi.companion.mqtt.outbox import Outbox
from cribpi.companion.mqtt.session import Session
from cribpi.companion.run.config import Config, ConfigError, read_config
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import Entry, GameStarted
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.games import play_on
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.results.statistics import summary_of
from cribpi.cribbage.rules.rules import preset

PAGE = (DOCS / "reference" / "mqtt.md").read_text("utf-8")
SCHEMA = json.loads((DOCS / "reference" / "mqtt.schema.json").read_text("utf-8"))


def holds(kind: str) -> Any:  # noqa: ANN401  what the library makes
    return fastjsonschema.compile({**SCHEMA, "$ref": f"#/definitions/{kind}"})


@pytest.mark.parametrize(("players", "entry"), [(2, "cards"), (3, "dealt"), (4, "peg"), (2, "dealt")])
def test_every_message_holds_to_the_schema(tmp_path: Path, players: int, entry: str) -> None:
    event, state, result = (holds(kind) for kind in ("event", "state", "result"))
    with opened(tmp_path) as (_, table):
        table.do(Start(Changes(players=players, options={"target": "61"}, entry=entry)))
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


def test_a_result_has_the_high_hands_and_cribs_of_each_side(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(3)
    start = GameStarted(("ANN", "BOB"), preset("acc"), entry=Entry.CARDS, dealer=0)
    players = [opponent("thrifty", chance=chance) for _ in range(2)]
    *_, (_, state) = play_on(step(NEW_TABLE, start), players, lambda _deal: chance.sample(PACK, len(PACK)))
    told = result_of(state)
    assert told is not None
    assert all("high_hands" not in side for side in told["sides"]), "none of 28"
    monkeypatch.setattr(messages, "HIGH", 10)
    told = result_of(state)
    assert told is not None
    for side, best in zip(told["sides"], summary_of(state).best, strict=True):
        hands = sorted(side["high_hands"], reverse=True)
        assert hands[-1] >= 10
        assert hands[: len(best)] == [one.points for one in best if one.points >= 10]


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
    assert {key for row in rows for key in re.findall(r"`(\w+)`", row)} == {
        field.name for field in fields(Broker)
    }


ALLOWED = {
    # What Home Assistant's own schemas take: the device's, and of each platform, the required keys.
    "device": {"identifiers", "name", "manufacturer", "model", "sw_version", "configuration_url"},
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
    "binary_sensor": {"state_topic", "unique_id"},
    "event": {"state_topic", "event_types", "unique_id"},
    "button": {"command_topic", "unique_id"},
    "device_automation": {"automation_type", "topic", "type", "subtype"},
}


def parts_of(broker: Broker, sides: int = 2) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = discovery_of(broker, sides)[1]["components"]
    return found


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize("sides", [2, 3])
def test_home_assistant_finds_the_board(undo: bool, sides: int) -> None:  # noqa: FBT001  a parameter
    page = "http://192.168.1.20:8121/"
    topic, found = discovery_of(Broker(host="broker", board="oak", undo=undo), sides, page)
    assert topic == "homeassistant/device/cribpi_oak/config"
    assert set(found) <= ALLOWED["top"]
    assert {"device", "origin", "components"} <= set(found)
    assert set(found["device"]) <= ALLOWED["device"]
    assert found["device"]["configuration_url"] == page
    assert set(found["origin"]) <= ALLOWED["origin"]
    parts = found["components"]
    there = {key: part for key, part in parts.items() if set(part) != {"platform"}}
    for part in there.values():
        assert REQUIRED[part["platform"]] <= set(part)
    names = [part["unique_id"] for part in parts.values() if "unique_id" in part]
    assert len(set(names)) == len(names)
    automations = [(part["type"], part["subtype"]) for part in parts.values() if "type" in part]
    assert len(set(automations)) == len(TRIGGERS)
    assert set(parts["events"]["event_types"]) == set(KINDS), "it refuses a kind that it does not know"
    assert ("undo" in there, "score_3" in there) == (undo, sides == 3)


def test_what_home_assistant_should_have_no_more_is_sent_by_its_platform_alone() -> None:
    """It keeps what it was sent once, until it is sent so: https://www.home-assistant.io/integrations/mqtt/"""
    parts = parts_of(Broker(host="broker", board="oak"))
    assert parts["undo"] == {"platform": "button"}
    assert parts["score_3"] == {"platform": "sensor"}
    more = parts_of(Broker(host="broker", board="oak", undo=True), 3)
    assert {key: part["platform"] for key, part in more.items()} == {
        key: part["platform"] for key, part in parts.items()
    }


def test_an_enumeration_has_every_value_and_nothing_is_a_measurement() -> None:
    parts = parts_of(Broker(host="broker", board="oak"), 3)
    assert parts["phase"]["device_class"] == "enum"
    assert parts["phase"]["options"] == [str(phase) for phase in Phase]
    assert not [key for key, part in parts.items() if "state_class" in part]


def test_whether_the_board_is_there_is_told_also_when_it_is_not() -> None:
    online = parts_of(Broker(host="broker", board="oak"))["online"]
    assert (online["device_class"], online["state_topic"]) == ("connectivity", "cribpi/oak/online")
    assert (online["payload_on"], online["payload_off"]) == ("true", "false")
    assert Template(online["availability_template"]).render(value="false") == "true", "it is always available"
    assert "configuration_url" not in discovery_of(Broker(host="broker", board="oak"))[1]["device"]


@pytest.mark.parametrize("keys", ["", "OK OK 7 2"])
def test_what_there_is_not_is_none(keys: str) -> None:
    """Home Assistant takes the text None for unknown, and any other text for a value."""
    told = state_of(Evening().press(keys).state if keys else NEW_TABLE)
    parts = parts_of(Broker(host="broker", board="oak"))
    shown = {
        key: Template(part["value_template"]).render(value_json=told)
        for key, part in parts.items()
        if "value_template" in part and part["platform"] == "sensor"
    }
    assert shown == {
        "phase": "deal" if keys else "idle",
        "count": "0",
        "winner": "None",
        "call": "None",
        "score_1": "0" if keys else "None",
        "score_2": "0" if keys else "None",
    }
    over = state_of(Evening().press(WON).state)
    assert Template(parts["winner"]["value_template"]).render(value_json=over) == "ORANGE"


def test_a_third_side_is_there_in_a_game_of_three_alone(tmp_path: Path) -> None:
    session, pages = Session(None, Broker(host="broker", board="oak"), -1), [""]  # type: ignore[arg-type]
    session.page = lambda: pages[0]
    with opened(tmp_path) as (_, table):

        def found() -> list[dict[str, Any]]:
            """Return what is sent now by which the board is found."""
            sent = []
            for _ in range(2):  # the steps, and then the state
                session.take(Outbox(tmp_path, "oak"))
                sent += [json.loads(one.text) for one in session.outgoing if "homeassistant" in one.topic]
                session.outgoing.clear()
            return sent

        (first,) = found()
        assert first["components"]["score_3"] == {"platform": "sensor"}
        table.do(Press("OK"))
        assert found() == [], "it is sent once"
        table.do(Start(Changes(players=3)))
        (third,) = found()
        assert "state_topic" in third["components"]["score_3"]
        pages[0] = "http://192.168.1.20:8121/"
        table.do(Press("5"))
        (paged,) = found()
        assert paged["device"]["configuration_url"] == pages[0]


def test_each_recipe_for_home_assistant_leaves_out_what_could_not_be_told_in_time() -> None:
    recipes = (DOCS / "how-to" / "home-assistant.md").read_text("utf-8").split("- alias: ")[1:]
    assert len(recipes) >= 2
    for recipe in recipes:
        assert "now() - as_datetime(trigger.payload_json.at) < timedelta(seconds=30)" in recipe, recipe


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
