"""A club's desk says whose game is next: what is a pairing is handed on, and what is not changes nothing."""

from __future__ import annotations

import json
import logging
import os
import re
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

import fastjsonschema
import pytest
from support.broker import listening, mosquitto, needs_broker
from support.pages import DOCS
from support.patience import PATIENCE
from support.screens import ROUND_3
from support.server import ask, companion
from support.tables import opened

from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.pairing import LONGEST, BadPairing, read_page, read_pairing
from cribpi.companion.mqtt.publisher import Publisher

needs_paho: Final = pytest.mark.skipif(find_spec("paho") is None, reason="the extra mqtt is not installed")

TOPIC: Final = "cribpi/oak/pairing"
DESK: Final = "cribpi/oak/desk"
MESSAGE: Final[dict[str, Any]] = {
    "schema": 1,
    "night": "2026-11-25",
    "round": 3,
    "games": 9,
    "board": 7,
    "players": ["ANN", "BOB"],
    "rules": "acc",
}


def text(**changes: Any) -> str:  # noqa: ANN401  JSON
    return json.dumps(MESSAGE | changes)


def read(message: str) -> Pairing | None:
    return read_pairing(TOPIC, message.encode())


def test_a_message_is_read() -> None:
    assert read(text()) == ROUND_3
    assert read(text(schema=2, more={"clock": 25})) == ROUND_3, "a later desk may say more"
    composed = read(text(players=["Zoe\N{COMBINING DIAERESIS}", "ANN"]))
    assert composed is not None
    assert composed.players == ("Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}", "ANN")


def test_the_page_of_the_desk_is_read() -> None:
    for shown in ("192.168.1.20:8131", "[fd00::20]:8131", "cribpi.local:8131"):
        assert read_page(DESK, json.dumps({"schema": 1, "url": f"http://{shown}/"}).encode()) == shown
    assert read_page(DESK, b"") == read_page(DESK, b"null") == "", "it has closed"


@pytest.mark.parametrize(
    "message",
    [
        b"http://192.168.1.20:8131/",
        b"{}",
        b'{"schema": 1, "url": 7}',
        b'{"schema": 1, "url": "https://192.168.1.20/"}',
        b'{"schema": 1, "url": "http://a b/"}',
        b'{"schema": 1, "url": "http://' + b"1" * 43 + b'/"}',
        b'{"schema": 1, "url": "http://elsewhere/desk?a=1"}',
    ],
)
def test_what_is_no_address_is_shown_nowhere(message: bytes) -> None:
    with pytest.raises(BadPairing, match=f"^{DESK}: "):
        read_page(DESK, message)


@pytest.mark.parametrize("message", ["", "null"])
def test_no_pairing_is_one_too(message: str) -> None:
    assert read(message) is None


BAD: Final = [
    ("no JSON", "not JSON"),
    ("[" * 3000, "not JSON"),
    ("9" * 3900, "not a JSON object"),
    ("5", "not a JSON object"),
    (json.dumps([MESSAGE]), "not a JSON object"),
    (text(more="x" * LONGEST), "bytes: a pairing has 4,000 at most"),
    (text(schema="1"), "give a whole number"),
    (text(schema=0), "give a whole number"),
    (text(night=" "), "give text"),
    (text(night="one\nnight"), "give one line of printable characters"),
    (text(night="x" * 81), "give 80 characters at most"),
    (text(night=20261125), "give text"),
    (text(round=True), "give a whole number from 1 to 9"),
    (text(round=10), "give a whole number from 1 to 9"),
    (text(round=3.0), "give a whole number from 1 to 9"),
    (text(games=100), "give a whole number from 1 to 99"),
    (text(board="7"), "give a whole number from 1 to 9999"),
    (text(board=0), "give a whole number from 1 to 9999"),
    (text(players="ANN"), "give a list of names in quotes"),
    (text(players=["ANN", 5]), "give a list of names in quotes"),
    (text(players=["ANN"]), "name two players"),
    (text(players=["ANN", "BOB", "CAT"]), "name two players"),
    (text(players=["ANN", "ANN"]), "must all be different"),
    (text(players=["ANN", "Ann"]), "look too much alike"),
    (text(players=["ANN", ""]), "is empty"),
    (text(players=["ANN", "B" * 41]), "has 41 characters"),
    (text(players=["ANN", "B" * 3000]), "has 3,000 characters"),
    (text(players=["ANN", "BOB\nWARNING all is lost"]), "which is invisible"),
    (text(players=["ANN", "\ud800"]), "which is invisible"),
    (text(players=["ANN", "\N{RIGHT-TO-LEFT OVERRIDE}BOB"]), "which is invisible"),
    (text(rules="euchre"), "choose one of standard"),
    (text(rules=5), "choose one of standard"),
]


@pytest.mark.parametrize(("message", "says"), BAD)
def test_what_is_no_pairing_is_refused_in_one_short_line(message: str, says: str) -> None:
    with pytest.raises(BadPairing, match=re.escape(says)) as bad:
        read(message)
    said = str(bad.value)
    assert said.startswith(TOPIC)
    assert said.isprintable()
    assert len(said) < 300


def test_the_pages_example_holds_to_the_schema_and_is_read_and_each_field_must_be_there() -> None:
    page = (DOCS / "reference" / "mqtt.md").read_text("utf-8")
    schema = json.loads((DOCS / "reference" / "mqtt.schema.json").read_text("utf-8"))
    _, example = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    holds = fastjsonschema.compile({**schema, "$ref": "#/definitions/pairing"})
    holds(json.loads(example))
    assert read(example) == ROUND_3
    for key in MESSAGE:
        with pytest.raises(fastjsonschema.JsonSchemaValueException):
            holds({name: value for name, value in MESSAGE.items() if name != key})
        with pytest.raises(BadPairing, match=f"{key} is missing"):
            read(json.dumps({name: value for name, value in MESSAGE.items() if name != key}))


# --- a broker -----------------------------------------------------------------------------------------


def wait(is_it: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    until = time.monotonic() + seconds
    while not is_it() and time.monotonic() < until:
        time.sleep(0.02)
    return is_it()


class Board:
    """A board that hears at a broker."""

    def __init__(self, folder: Path, port: int, *, club: bool = True) -> None:
        self.heard: list[Pairing | None] = []
        self.pages: list[str] = []
        self.said: list[str | None] = []
        self.publisher = Publisher(
            Broker(host="127.0.0.1", port=port, board="oak", club=club),
            folder,
            lambda _part, sentence: self.said.append(sentence),
            pair=self.heard.append,
            show_club=self.pages.append,
        )

    def __enter__(self) -> Self:
        self.publisher.start()
        assert wait(lambda: None in self.said)
        return self

    def __exit__(self, *_: object) -> None:
        self.publisher.stop()


@needs_broker
@needs_paho
def test_a_board_hears_what_the_broker_has_kept_and_what_is_new(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "broker").mkdir()
    with opened(tmp_path), mosquitto(tmp_path / "broker") as broker, listening(broker) as desk:
        with Board(tmp_path, broker.port) as board:
            assert wait(lambda: board.heard == [None]), "the desk has named nobody"
            with caplog.at_level(logging.WARNING, "cribpi.companion.mqtt.publisher"):
                desk.say(TOPIC, text(players=["ANN", "ANN"]), retain=True)
                desk.say(TOPIC, text(), retain=True)
                assert wait(lambda: len(board.heard) > 1)
            assert board.heard == [None, ROUND_3]
            assert [record.getMessage().split(":")[0] for record in caplog.records] == [TOPIC]
        with Board(tmp_path, broker.port) as late:
            assert wait(lambda: bool(late.heard))
            assert late.heard == [ROUND_3], "at once, and without a gap"
            desk.say(DESK, '{"schema": 1, "url": "http://192.168.1.20:8131/"}', retain=True)
            desk.say(DESK, '{"schema": 1, "url": "ftp://elsewhere/"}', retain=True)
            desk.say(DESK, "", retain=True)
            assert wait(lambda: len(late.pages) > 2)
            assert late.pages == ["", "192.168.1.20:8131", ""], "none, one, and it closes"
        with Board(tmp_path, broker.port, club=False) as other:
            desk.say(TOPIC, text(round=4), retain=True)
        assert not other.heard, "off until it is wanted"
        desk.say(TOPIC, "", retain=True)
        with Board(tmp_path, broker.port) as last:
            assert wait(lambda: last.heard == [None]), "what was there is there no more"


@needs_broker
@needs_paho
def test_a_companion_shows_the_pairing_and_ok_starts_its_game(tmp_path: Path) -> None:
    """The whole program: what the desk retains is on the board, its game is told, and a restart knows."""
    (tmp_path / "broker").mkdir()
    settings = tmp_path / "config" / "cribpi" / "config.toml"
    settings.parent.mkdir(parents=True)
    environ = os.environ | {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    with mosquitto(tmp_path / "broker") as broker, listening(broker) as desk:
        settings.write_text(
            f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nboard = "oak"\nclub = true\n',
            encoding="utf-8",
        )
        desk.say(TOPIC, text(), retain=True)
        with companion(tmp_path / "state", env=environ) as (_, url):

            def prompt() -> str:
                return str(ask(f"{url}api/state")[1]["prompt"])

            assert wait(lambda: prompt() == "Board 7, round 3 of 9: ANN - BOB. OK: Start"), prompt()
            assert ask(f"{url}api/press", {"key": "OK"})[0] == 200
            state = desk.until("cribpi/oak/state", "rules", "acc")[-1]
            assert [seat["name"] for seat in state["seats"]] == ["ANN", "BOB"]
            assert ask(f"{url}api/press", {"key": "UNDO"})[0] == 200
            assert ask(f"{url}api/press", {"key": "OK"})[0] == 200
            assert prompt().startswith("Board 7, round 3 of 9")
            assert ask(f"{url}api/press", {"key": "OK"})[0] == 200
        many = len(desk.of("cribpi/oak/online"))
        with companion(tmp_path / "state", env=environ) as (_, url):
            assert len(desk.wait("cribpi/oak/online", many + 1)) > many
            assert "ANN" in prompt()
            assert "round 3" not in prompt(), "its game is on"
            for key in ("UNDO", "OK"):
                assert ask(f"{url}api/press", {"key": key})[0] == 200
            assert prompt().startswith("Board 7, round 3 of 9"), "which this run has heard of the broker"
