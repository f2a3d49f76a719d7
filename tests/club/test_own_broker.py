"""The desk's own Mosquitto: a board writes its own topics alone, and has to know its password."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support.patience import PATIENCE

pytest.importorskip("paho", reason="the extra club is not installed")

from support.broker import free_port, listening, needs_broker, needs_ipv6
from support.refusals import refused

from cribpi.club.own_broker import DESK, OwnBroker
from cribpi.cribbage.rules.errors import UserError

pytestmark = needs_broker


class _AsMosquitto:
    """What `listening` needs of a broker."""

    def __init__(self, port: int) -> None:
        self.port = port


@pytest.fixture
def own(tmp_path: Path) -> Iterator[OwnBroker]:
    found = OwnBroker(tmp_path / "broker", "127.0.0.1", free_port(), is_open=False)
    found.start()
    yield found
    found.stop()


def says(port: int, user: str, password: str, topic: str) -> None:
    """Publish as *user*; Mosquitto hangs up on who may not."""
    with (
        listening(_AsMosquitto(port), user, password, f"{user}-{topic}") as one,  # type: ignore[arg-type]
        suppress(RuntimeError),
    ):
        one.say(topic, f'"from {user}"')


def lets_in(port: int, user: str, password: str) -> bool:
    from paho.mqtt import client as mqtt  # noqa: PLC0415  skipped where it is missing
    from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415  as above

    answers: list[bool] = []
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.on_connect = lambda _client, _data, _flags, reason, _more: answers.append(not reason.is_failure)
    if user:
        client.username_pw_set(user, password)
    client.connect("127.0.0.1", port)
    for _ in range(100):
        client.loop(0.1)
        if answers:
            break
    client.disconnect()
    return answers == [True]


def lets_in_soon(port: int, user: str, password: str) -> bool:
    """Tell whether it does as soon as it has read its users again."""
    for _ in range(50):
        if lets_in(port, user, password):
            return True
        time.sleep(0.1)
    return False


def test_a_board_writes_its_own_topics_alone(own: OwnBroker) -> None:
    passwords = {board: own.add_board(board) for board in ("oak", "elm")}
    desk = own.broker()
    assert lets_in_soon(desk.port, "elm", passwords["elm"])
    with (
        listening(_AsMosquitto(desk.port), DESK, desk.password() or "", "desk") as heard,  # type: ignore[arg-type]
        listening(_AsMosquitto(desk.port), "elm", passwords["elm"], "elm") as elm,  # type: ignore[arg-type]
    ):
        others = ("cribpi/elm/result", "cribpi/fir/result", "elsewhere")
        for topic in (*others, "cribpi/oak/pairing", "cribpi/oak/result"):
            says(desk.port, "oak", passwords["oak"], topic)
        heard.wait("cribpi/oak/result", 1)
        assert {topic for topic, _, _ in heard.heard} == {"cribpi/oak/result"}
        heard.say("cribpi/elm/pairing", '"for elm"', retain=True)
        assert elm.wait("cribpi/elm/pairing", 1) == ["for elm"]
        heard.say("cribpi/elm/desk", '"for elm"', retain=True)
        assert elm.wait("cribpi/elm/desk", 1) == ["for elm"]
        with suppress(RuntimeError):
            heard.say("cribpi/elm/result", '"from the desk"')
        time.sleep(0.5)
        assert {topic for topic, _, _ in elm.heard} == {"cribpi/elm/pairing", "cribpi/elm/desk"}


def test_a_broker_that_a_killed_desk_has_left_is_ended(own: OwnBroker, tmp_path: Path) -> None:
    again = OwnBroker(tmp_path / "broker", "127.0.0.1", own.broker().port, is_open=False)
    again.start()
    assert own._process is not None
    assert own._process.wait(PATIENCE) == 0
    assert lets_in(again.broker().port, DESK, again.broker().password() or "")
    again.stop()


def test_a_board_that_is_added_while_the_desk_runs_is_let_in(own: OwnBroker, tmp_path: Path) -> None:
    password = OwnBroker(tmp_path / "broker", "127.0.0.1", own.broker().port, is_open=False).add_board("fir")
    assert lets_in_soon(own.broker().port, "fir", password)


def test_without_the_password_nobody_comes_in(own: OwnBroker) -> None:
    password = own.add_board("oak")
    port = own.broker().port
    assert lets_in_soon(port, "oak", password)
    assert not any(lets_in(port, *one) for one in (("", ""), ("oak", "guess"), ("eve", password)))


def test_the_password_is_in_no_file_but_the_desks_own(own: OwnBroker, tmp_path: Path) -> None:
    password = own.add_board("oak")
    for file in (tmp_path / "broker").iterdir():
        assert password.encode() not in file.read_bytes()
    assert (tmp_path / "broker" / "desk.password").stat().st_mode & 0o077 == 0
    assert (tmp_path / "broker").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["", "desk", "o:k", "oak\nelm", "+", "#", "a/b", "x" * 61, "oäk"])
def test_a_name_that_no_board_can_have_is_refused(own: OwnBroker, name: str) -> None:
    said = refused(UserError, own.add_board, name)
    assert (
        said
        == 'the board\'s name: use letters, digits, hyphens and underscores, 60 at most; "desk" is the desk'
    )


def test_a_name_that_a_board_can_have_in_its_settings_is_taken(own: OwnBroker) -> None:
    assert lets_in_soon(own.broker().port, "my_oak", own.add_board("my_oak"))


def test_a_port_that_is_taken_is_said(own: OwnBroker, tmp_path: Path) -> None:
    other = OwnBroker(tmp_path / "other", "127.0.0.1", own.broker().port, is_open=True)
    assert "or choose another port with --broker-port" in refused(UserError, other.start)


def test_where_no_mosquitto_is_installed_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    said = refused(UserError, lambda: OwnBroker(tmp_path / "broker", "127.0.0.1", 1, is_open=True))
    assert said == "mosquitto is not installed: sudo apt install mosquitto"


@pytest.mark.parametrize(
    ("address", "host"),
    [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("::1", "::1"), ("192.168.1.20", "192.168.1.20")],  # noqa: S104  read
)
def test_the_desk_finds_its_own_broker(tmp_path: Path, address: str, host: str) -> None:
    assert OwnBroker(tmp_path, address, 1883, is_open=True).broker().host == host


@needs_ipv6
def test_it_starts_at_all_addresses_of_ipv6(tmp_path: Path) -> None:
    own = OwnBroker(tmp_path / "broker", "::", free_port(), is_open=True)
    own.start()
    own.stop()
