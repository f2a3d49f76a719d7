"""A broker that is slow or full: nothing is lost, all comes in order, and no press is delayed."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from support.broker import listening, mosquitto, needs_broker
from support.fake_broker import fake_broker
from support.slow_line import slow_line
from support.tables import opened, play_on
from support.telling import EVENT, STATE, in_order, telling, told, wanted

from cribpi.companion.mqtt import publisher as publishing
from cribpi.companion.mqtt.outbox import Outbox

pytestmark = [
    needs_broker,
    pytest.mark.skipif(find_spec("paho") is None, reason="the extra mqtt is not installed"),
]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "PAUSES", (0.1,))


def test_what_comes_in_pieces_comes_whole_and_in_order(tmp_path: Path) -> None:
    """No piece is a whole message: each event comes in some twenty."""
    (tmp_path / "broker").mkdir()
    with (
        mosquitto(tmp_path / "broker") as broker,
        slow_line(broker.port, most=16, pause=0.001) as line,
        opened(tmp_path) as (_, table),
        listening(broker) as listener,
    ):
        play_on(table, Random(3), 20)
        with telling(tmp_path, line.port) as (publisher, said):
            for _ in range(3):
                play_on(table, Random(4), 5)
                publisher.on_change("state")
            ids = wanted(tmp_path)
            listener.until(EVENT, "id", ids[-1])
            listener.until(STATE, "seq", Outbox(tmp_path, "oak").now()[0])
            said.wait(lambda sentence: sentence is None)
        assert [one["id"] for one in listener.of(EVENT)] == ids
        assert told(tmp_path) == int(ids[-1].split("-")[1])


def test_a_press_waits_for_no_broker(tmp_path: Path) -> None:
    """The line holds everything back: hundreds of presses are answered all the same, and told afterwards."""
    (tmp_path / "broker").mkdir()
    with (
        mosquitto(tmp_path / "broker") as broker,
        slow_line(broker.port) as line,
        opened(tmp_path) as (_, table),
        listening(broker) as listener,
        telling(tmp_path, line.port) as (publisher, said),
    ):
        said.wait(lambda sentence: sentence is None)
        line.free.clear()
        passed, chance, longest = line.handed_on, Random(3), 0.0
        for _ in range(300):
            began = time.monotonic()
            play_on(table, chance, 1)
            publisher.on_change("state")
            longest = max(longest, time.monotonic() - began)
        assert longest < 1.0
        ids = wanted(tmp_path)
        assert not listener.of(EVENT)
        assert line.handed_on == passed
        line.free.set()
        listener.until(EVENT, "id", ids[-1])
        assert [one["id"] for one in listener.of(EVENT)] == ids
        assert said.all == [None], "it was slow, and never away"


def guests(port: int) -> list[socket.socket]:
    """Come in until no more are let in."""
    found: list[socket.socket] = []
    for number in range(9):
        line = socket.create_connection(("127.0.0.1", port), 5)
        connect = b"\x00\x04MQTT\x05\x02\x00\x3c\x00\x00\x01" + b"%d" % number
        with suppress(OSError):
            line.sendall(bytes([0x10, len(connect)]) + connect)
            if line.recv(1):
                found.append(line)
                continue
        line.close()
        return found
    raise AssertionError("all are let in")


@pytest.mark.usefixtures("quick")
def test_a_broker_that_has_no_place_is_told_when_it_has(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with (
        mosquitto(tmp_path / "broker", "max_connections 2") as broker,
        opened(tmp_path) as (_, table),
        listening(broker) as listener,
    ):
        play_on(table, Random(3), 20)
        there = guests(broker.port)
        with telling(tmp_path, broker.port) as (_, said):
            sentence = said.wait(bool)
            assert told(tmp_path) == 0
            for line in there:
                line.close()
            said.wait(lambda sentence: sentence is None)
            ids = wanted(tmp_path)
            assert in_order(listener.wait(EVENT, len(ids))) == ids
    assert sentence == (
        "The broker 127.0.0.1 gets the games later: "
        "it hangs up without an answer: "
        "check whether it is full, and whether its port expects TLS (tls in [mqtt])."
    )


@pytest.mark.parametrize("line", ["max_inflight_messages 1", "max_queued_messages 1"])
def test_a_broker_that_takes_little_at_a_time_takes_all(tmp_path: Path, line: str) -> None:
    (tmp_path / "broker").mkdir()
    with (
        mosquitto(tmp_path / "broker", line) as broker,
        opened(tmp_path) as (_, table),
        listening(broker) as listener,
    ):
        play_on(table, Random(3), 60)
        with telling(tmp_path, broker.port) as (_, said):
            said.wait(lambda sentence: sentence is None)
            assert said.all == [None]
            ids = wanted(tmp_path)
            assert told(tmp_path) == int(ids[-1].split("-")[1])
            heard = [one["id"] for one in listener.wait(EVENT, len(ids), 5.0)]
    # What there is no room for in the listener's own queue, the broker drops: that is its affair.
    assert heard == (ids if "inflight" in line else [one for one in ids if one in set(heard)])


def test_no_more_wait_for_an_answer_than_the_broker_allows(tmp_path: Path) -> None:
    with (
        opened(tmp_path) as (_, table),
        fake_broker(lambda _topic, _text: 0, receive_maximum=1) as broker,
    ):
        play_on(table, Random(3), 20)
        with telling(tmp_path, broker.port) as (_, said):
            said.wait(lambda sentence: sentence is None)
        assert broker.crowded == 0
