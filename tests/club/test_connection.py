"""A board's report is acknowledged once it is in the log, and nothing that a board sends ends the desk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("paho", reason="the extra club is not installed")

from club.ends import end_of, text
from paho.mqtt.client import Client
from support.refusals import refused

from cribpi.club import connection
from cribpi.club.connection import BrokerConnection
from cribpi.club.desk import Desk
from cribpi.club.entries import Arrived, Listed
from cribpi.club.log import Log, LogTrouble
from cribpi.companion.mqtt.broker import Broker
from cribpi.cribbage.rules.errors import UserError


@dataclass
class Message:
    topic: str
    payload: bytes
    mid: int = 7
    qos: int = 1


class Acks:
    """What the desk's client acknowledges, and what the log had then."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.all: list[tuple[int, int]] = []

    def ack(self, mid: int, _qos: int) -> None:
        self.all.append((mid, len(self._desk.night.results)))


@pytest.fixture
def log(database: str) -> Iterator[Log]:
    found = Log(database)
    yield found
    found.close()


@pytest.fixture
def desk(log: Log) -> Desk:
    found = Desk(log, "a night")
    for player in ("ANN", "BOB"):
        found.do(Listed(player))
        found.do(Arrived(player))
    found.on_online("oak", is_there=True)
    found.on_state("oak", b'{"sides": [], "phase": "idle", "club": true}')
    found.draw(Random(1))
    found.open_round()
    return found


def test_a_report_is_acknowledged_once_it_is_in_the_log(
    desk: Desk, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "RETRY", 0.01)
    said: list[str | None] = []
    line, acks = BrokerConnection(Broker(host="127.0.0.1"), desk, said.append), Acks(desk)
    add, tries = log.add, iter(range(9))

    def full(*arguments: Any) -> None:  # noqa: ANN401  those of `Log.add`
        if next(tries) < 3:
            assert not acks.all
            raise LogTrouble("the disk is full")
        add(*arguments)

    monkeypatch.setattr(log, "add", full)
    line._on_message(acks, None, Message("cribpi/oak/result", text(end_of("ANN", "BOB", 88))))  # type: ignore[arg-type]
    assert acks.all == [(7, 1)]
    assert said == ["What oak reports can't be saved: the disk is full."] * 3


def test_at_the_end_what_could_not_be_saved_stays_with_the_broker(
    desk: Desk, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, acks = BrokerConnection(Broker(host="127.0.0.1"), desk, lambda _sentence: None), Acks(desk)

    def full(*_: object) -> None:
        line.stop()
        raise LogTrouble("the disk is full")

    monkeypatch.setattr(log, "add", full)
    line._on_message(acks, None, Message("cribpi/oak/result", text(end_of("ANN", "BOB", 88))))  # type: ignore[arg-type]
    assert acks.all == []


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("cribpi/oak/result", b"\x00" * 30_000),
        ("cribpi/oak/state", b"[" * 30_000),
        ("cribpi/oak/online", b"perhaps"),
        ("cribpi//result", b"{}"),
        ("cribpi/\x1b[2J/result", b"{}"),
        (f"cribpi/{'x' * 70}/result", b"{}"),
        ("elsewhere", b"{}"),
        ("cribpi/oak/a/b", b"{}"),
    ],
)
def test_nothing_that_is_sent_ends_the_desk(desk: Desk, topic: str, payload: bytes) -> None:
    line, acks = BrokerConnection(Broker(host="127.0.0.1"), desk, lambda _sentence: None), Acks(desk)
    line._on_message(acks, None, Message(topic, payload))  # type: ignore[arg-type]
    assert acks.all == [(7, 0)]
    assert set(desk.live) == {"oak"}
    assert not desk.live["oak"].sides


@dataclass
class Reason:
    value: int
    is_failure: bool = True


def test_a_desk_that_another_one_has_replaced_says_so_and_does_not_take_the_line_back_at_once(
    desk: Desk,
) -> None:
    said: list[str | None] = []
    line = BrokerConnection(Broker(host="127.0.0.1"), desk, said.append)
    line._on_disconnect(line._client, None, None, Reason(142), None)
    (sentence,) = said
    assert sentence == (
        "Another desk has connected to the broker 127.0.0.1 under this desk's name: "
        "close one of them, or give each its own user there."
    )
    assert line._client._reconnect_min_delay == 60
    line._on_disconnect(line._client, None, None, Reason(139), None)
    assert line._client._reconnect_min_delay == 1


def test_a_password_that_can_not_be_read_is_a_sentence(desk: Desk) -> None:
    broker = Broker("broker", user="desk", password_file="/nowhere/password")  # noqa: S106  a file
    said = refused(UserError, BrokerConnection, broker, desk, print)
    assert said == "/nowhere/password can't be read (No such file or directory)"


def test_a_broker_that_goes_while_the_desk_closes_does_not_keep_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def wait_for_publish(self, _seconds: float) -> None:
            raise RuntimeError("Message publish failed: The client is not currently connected.")

    sent: list[str] = []

    def publish(topic: str, *_: object, **_more: object) -> Gone:
        sent.append(topic)
        return Gone()

    line = BrokerConnection(Broker(host="127.0.0.1"), desk, lambda _: None, "http://192.168.1.20:8131/")
    monkeypatch.setattr(line._client, "is_connected", lambda: True)
    monkeypatch.setattr(line._client, "publish", publish)
    line.publish()
    sent.clear()
    line.stop()
    assert sent == ["cribpi/oak/desk"]


def test_two_that_hear_of_another_night_begin_one_session(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page opens it, and the thread of the session before, which has just connected, publishes too."""
    session = BrokerConnection(Broker(host="127.0.0.1", port=9), desk, lambda _: None)
    first, make = session._client, session._new_client
    leave, made = first.disconnect, [first]

    def another() -> Client:
        made.append(make())
        return made[-1]

    def while_the_other_publishes(*how: Any) -> object:  # noqa: ANN401  paho's
        monkeypatch.setattr(first, "disconnect", leave)
        other = Thread(target=session.publish)
        other.start()
        other.join()
        return leave(*how)

    monkeypatch.setattr(session, "_new_client", another)
    monkeypatch.setattr(first, "disconnect", while_the_other_publishes)
    session.start()
    try:
        desk.open("another night")
        assert len(made) == 2
        assert session._client is made[1]
        assert first._thread is None, "the session before has ended"
        assert made[1]._thread is not None
        assert made[1]._thread.is_alive()
    finally:
        session.stop()
    desk.open("a third night")
    assert len(made) == 2, "none is begun after the end"
