"""A broker that takes no large messages: what fits is told, and what does not holds nothing up."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from support.broker import listening, mosquitto, needs_broker
from support.fake_broker import fake_broker
from support.tables import opened, play_on, play_to
from support.telling import EVENT, RESULT, STATE, in_order, telling, told, wanted

from cribpi.mqtt import publisher as publishing
from cribpi.mqtt.limit import FORGOTTEN, WINDOW, Limit, Message
from cribpi.mqtt.messages import GAP
from cribpi.mqtt.outbox import Outbox

needs_paho = pytest.mark.skipif(find_spec("paho") is None, reason="the extra mqtt is not installed")

LARGE, SMALL, OTHER = (Message(EVENT, letter * size) for letter, size in (("l", 900), ("s", 90), ("o", 80)))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "PAUSES", (0.1,))


@pytest.mark.parametrize("text", [0, 101, 102, 103, 16_000, 17_000])
def test_a_message_is_as_large_as_it_is_sent(text: int) -> None:
    """A fixed header, whose length takes a byte for each 7 bits; topic, number, no properties, text."""
    body = 2 + len(EVENT) + 2 + 1 + text
    header = 1 + (1 if body < 128 else 2 if body < 16_384 else 3)
    assert Message(EVENT, "x" * text).size == header + body


def test_what_a_broker_says_of_its_limit_holds_for_this_connection() -> None:
    limit = Limit()
    assert limit.takes(LARGE)
    limit.connected(LARGE.size)
    assert limit.takes(LARGE)
    limit.connected(LARGE.size - 1)
    assert not limit.takes(LARGE)
    limit.connected(0)
    assert limit.takes(LARGE)


def test_a_message_that_ends_two_connections_alone_is_too_large_and_so_are_larger_ones() -> None:
    limit = Limit()
    assert not limit.broken_off([LARGE, SMALL], is_said=False), "it can be any of them"
    assert limit.window == 1, "so they are sent one at a time"
    assert not limit.broken_off([LARGE], is_said=False), "it can be chance"
    assert limit.takes(LARGE)
    assert limit.broken_off([LARGE], is_said=False)
    assert not limit.takes(LARGE)
    assert limit.takes(SMALL)


def test_who_is_acknowledged_in_between_is_not_too_large() -> None:
    limit = Limit()
    for _ in range(5):
        assert not limit.broken_off([SMALL], is_said=False)
        limit.accepted(SMALL)
    assert limit.takes(SMALL)


def test_another_message_each_time_is_chance() -> None:
    limit = Limit()
    for _ in range(5):
        assert not limit.broken_off([SMALL], is_said=False)
        assert not limit.broken_off([OTHER], is_said=False)
    assert limit.takes(LARGE)


def test_once_enough_came_through_alone_many_are_sent_at_a_time_again() -> None:
    limit = Limit()
    limit.broken_off([LARGE, SMALL], is_said=False)
    for _ in range(WINDOW):
        assert limit.window == 1
        limit.accepted(SMALL)
    assert limit.window == WINDOW


def test_a_limit_that_was_found_is_tried_again_after_an_hour() -> None:
    now = 100.0
    limit = Limit(lambda: now)
    assert limit.broken_off([LARGE], is_said=True), "once is enough where the broker says so"
    limit.connected(0)
    assert not limit.takes(LARGE)
    now += FORGOTTEN + 1
    limit.connected(0)
    assert limit.takes(LARGE)


@needs_broker
@needs_paho
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("line", "says", "missing"),
    [
        ("max_packet_size 400", "takes messages of up to 400 bytes", "results, some events and the state"),
        ("message_size_limit 400", "takes no messages of 541 bytes", "results and the state"),
    ],
)
def test_what_fits_is_told_in_order_and_what_does_not_is_a_gap(
    tmp_path: Path, line: str, says: str, missing: str
) -> None:
    """Mosquitto says the first limit when it lets the board in, and the second one not at all."""
    (tmp_path / "broker").mkdir()
    with mosquitto(tmp_path / "broker", line) as broker, opened(tmp_path) as (_, table):
        play_to(table, Random(4), 300)
        with listening(broker) as listener, telling(tmp_path, broker.port) as (publisher, said):
            sentence = said.wait(lambda sentence: says in (sentence or ""))
            assert None not in said.all, "it is not well in between"
            play_on(table, Random(5), 40)
            publisher.on_change("state")
            ids = wanted(tmp_path)
            heard = listener.until(EVENT, "id", ids[-1])
            assert said.all.count(sentence) == 1, "it is said once"
            results = listener.of(RESULT) + listener.of(STATE)
    assert sentence == (
        f"The broker 127.0.0.1 {says}, so it does not get Home Assistant's discovery, {missing}. "
        "Raise its limit."
    )
    assert not results
    gaps = [one["id"] for one in heard if one["event_type"] == GAP]
    steps = {told.row: told for told in Outbox(tmp_path, "oak").after(0) if told.result}
    assert {f"{told.result['id']}" for told in steps.values() if told.result} <= set(gaps), "of each result"
    events = [one for one in heard if one["id"].count("-") == 2]
    assert in_order(events) == ids, "each event, or a gap by its id, in order"
    assert told(tmp_path) == int(ids[-1].split("-")[1]), "and all of it is done with"


@needs_broker
@needs_paho
@pytest.mark.usefixtures("quick")
def test_a_broker_that_does_not_even_take_a_gap_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with mosquitto(tmp_path / "broker", "max_packet_size 200") as broker, opened(tmp_path) as (_, table):
        play_to(table, Random(4), 30)
        with telling(tmp_path, broker.port) as (_, said):
            sentence = said.wait(bool)
    assert sentence == (
        "The broker 127.0.0.1 hears of the games later: its limit is too small for this board: "
        "raise max_packet_size or message_size_limit there."
    )
    assert told(tmp_path) == 0, "nothing is lost"


@needs_paho
def test_a_broker_that_takes_the_first_message_alone_is_not_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again less and less often."""
    monkeypatch.setattr(publishing, "PAUSES", (0.1, 0.2, 60.0))

    def answer(topic: str, _text: bytes) -> int:
        return 0 if topic.endswith("online") else -137

    with opened(tmp_path) as (_, table), fake_broker(answer) as broker:
        play_on(table, Random(3), 20)
        with telling(tmp_path, broker.port) as (_, said):
            said.wait(lambda _: len(broker.sessions) == 3 and len(said.all) == 3)
            with pytest.raises(AssertionError):
                said.wait(lambda _: len(broker.sessions) > 3, 1.0)
            assert None not in said.all
    assert told(tmp_path) == 0


@needs_paho
@pytest.mark.usefixtures("quick")
def test_a_broker_that_says_that_a_message_is_too_large_is_believed_at_once(tmp_path: Path) -> None:
    def answer(_topic: str, text: bytes) -> int:
        return 0 if len(text) < 450 else -149

    with opened(tmp_path) as (_, table), fake_broker(answer) as broker:
        play_on(table, Random(3), 20)
        with telling(tmp_path, broker.port) as (_, said):
            said.wait(lambda sentence: "Raise its limit" in (sentence or ""))
            assert None not in said.all
        times = [sum(len(text) >= 450 for _, text in session) for session in broker.sessions]
    assert sum(times) <= 3, "the discovery twice, the first time among others, and the state"
    ids = wanted(tmp_path)
    assert in_order([json.loads(text) for topic, text in broker.taken if topic == EVENT]) == ids
