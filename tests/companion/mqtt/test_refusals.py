"""What a broker refuses by a code: why is said in words, and it is tried again, soon if it can pass."""

from __future__ import annotations

import json
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from support import games
from support.broker import Listener, listening, mosquitto, needs_broker
from support.fake_broker import fake_broker
from support.patience import PATIENCE
from support.tables import opened, play_on
from support.telling import EVENT, in_order, telling, told, wanted

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Start
from cribpi.companion.mqtt import publisher as publishing
from cribpi.companion.mqtt.client import LARGEST, TOO_SMALL
from cribpi.companion.mqtt.messages import events_of, result_of, state_of
from cribpi.cribbage.game.events import Entry, GameStarted, PenaltyPegged
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.words.log import LogEntry

pytestmark = pytest.mark.skipif(find_spec("paho") is None, reason="the extra mqtt is not installed")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (128, f"it refuses {EVENT} and gives no reason: see its log"),
        (131, f"its own rules refuse {EVENT}: see its log"),
        (135, f"it does not let this board write {EVENT}: see its access list"),
        (144, f"it does not accept the topic {EVENT}: choose another prefix or board in [mqtt]"),
        (145, "it still has an earlier message with the same number"),
        (151, f"it is full for now, and does not accept {EVENT}"),
        (153, f"it does not accept the format of {EVENT}: see its settings"),
    ],
)
def test_why_a_message_is_refused_is_said_in_words(tmp_path: Path, code: int, why: str) -> None:
    with (
        opened(tmp_path) as (_, table),
        fake_broker(lambda topic, _text: code if topic == EVENT else 0) as broker,
    ):
        play_on(table, Random(3), 20)
        with telling(tmp_path, broker.port) as (_, said):
            sentence = said.wait(bool)
            assert None not in said.all
    assert sentence == f"The broker 127.0.0.1 gets the games later: {why}."
    assert told(tmp_path) == 0


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (137, "it is busy"),
        (139, "it is shutting down"),
        (
            142,
            "another program has connected as oak: give each board its own name, as board in [mqtt]",
        ),
        (149, str(TOO_SMALL)),
        (152, "its administrator closed the connection"),
    ],
)
def test_why_a_connection_has_ended_is_said_in_words(tmp_path: Path, code: int, why: str) -> None:
    with (
        opened(tmp_path),
        fake_broker(lambda _topic, _text: -code) as broker,
        telling(tmp_path, broker.port) as (_, said),
    ):
        sentence = said.wait(bool)
    assert sentence == f"The broker 127.0.0.1 gets the games later: {why}."


@pytest.mark.parametrize(("code", "again"), [(151, "soon"), (145, "soon"), (131, "late"), (135, "late")])
def test_what_can_pass_is_tried_again_soon_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, again: str
) -> None:
    """The third event is refused once."""
    monkeypatch.setattr(publishing, "PAUSES", (0.1, 60.0))
    counted: Counter[str] = Counter()

    def answer(topic: str, _text: bytes) -> int:
        counted[topic] += 1
        return code if topic == EVENT and counted[EVENT] == 3 else 0

    with opened(tmp_path) as (_, table), fake_broker(answer) as broker:
        play_on(table, Random(3), 40)
        with telling(tmp_path, broker.port) as (_, said):
            said.wait(bool)
            if again == "soon":
                said.wait(lambda sentence: sentence is None)
                heard = [json.loads(text) for topic, text in broker.taken if topic == EVENT]
                assert sorted(in_order(heard), key=_place) == sorted(wanted(tmp_path), key=_place)
                assert told(tmp_path) == heard[-1]["seq"]
            else:
                with pytest.raises(AssertionError):
                    said.wait(lambda _: len(broker.sessions) > 1, 1.0)
                assert told(tmp_path) < 3, "what comes after it does not count"


def _place(name: str) -> list[int]:
    """Return the step and the number in it, by an event's id."""
    return [int(one) for one in name.split("-")[1:]]


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


# --- how large a message may be -------------------------------------------------------------------------

LONG: Final[dict[str, Any]] = {"board": "b" * 60, "prefix": "p" * 60, "discovery": "d" * 60, "undo": True}
"""Settings with which messages are as long as they can be."""


@needs_broker
def test_a_broker_whose_limit_is_too_small_is_said_and_waited_for(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    limit = f"max_packet_size {LARGEST - 1}"
    with mosquitto(tmp_path / "broker", limit) as broker, opened(tmp_path) as (_, table):
        play_on(table, Random(4), 30)
        with telling(tmp_path, broker.port) as (_, said):
            sentence = said.wait(bool)
    assert sentence == (
        "The broker 127.0.0.1 gets the games later: its limit is too small for this board: "
        "set max_packet_size or message_size_limit there to 8,192 or more."
    )
    assert told(tmp_path) == 0, "nothing is lost"


@needs_broker
@pytest.mark.parametrize("limit", ["max_packet_size", "message_size_limit"])
def test_a_broker_that_takes_just_the_largest_message_hears_all(tmp_path: Path, limit: str) -> None:
    (tmp_path / "broker").mkdir()
    with (
        mosquitto(tmp_path / "broker", f"{limit} {LARGEST}") as broker,
        opened(tmp_path) as (_, table),
        listening(broker) as listener,
    ):
        table.do(Start(Changes(players=3)))
        play_on(table, Random(4), 30)
        with telling(tmp_path, broker.port, **LONG) as (_, said):
            said.wait(lambda sentence: sentence is None)
            assert said.all == [None]
        until = time.monotonic() + PATIENCE
        while (most := largest(listener)) <= 0.8 * LARGEST and time.monotonic() < until:
            time.sleep(0.02)
    assert 0.8 * LARGEST < most < LARGEST - 100, "Home Assistant's discovery"


def largest(listener: Listener) -> int:
    return max((len(topic) + len(text) for topic, text, _ in list(listener.heard)), default=0)


def test_no_message_is_larger() -> None:
    """The longest names, and all that houses change."""
    names = tuple(letter + "\N{SNOWMAN}" * 39 for letter in "ABCD")
    largest = 0
    for seed in range(200):
        rules = games.random_house(Random(seed))
        state = step(NEW_TABLE, GameStarted(names[: rules.players], rules, Entry.PEG, dealer=0))
        peg = PenaltyPegged(0, rules.target)
        won = step(state, peg)
        told = [result_of(won), state_of(won), *events_of(LogEntry(state, peg, won))]
        largest = max(largest, *(len(json.dumps(one)) for one in told))
    assert 1000 < largest < LARGEST / 2
