"""What a broker refuses by a code: why is said in words, and it is tried again, soon if it can pass."""

from __future__ import annotations

import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from support.fake_broker import fake_broker
from support.tables import opened, play_on
from support.telling import EVENT, in_order, telling, told, wanted

from cribpi.mqtt import publisher as publishing

pytestmark = pytest.mark.skipif(find_spec("paho") is None, reason="the extra mqtt is not installed")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (128, f"it refuses {EVENT} and does not say why: see its log"),
        (131, f"it refuses {EVENT} by a rule of its own: see its log"),
        (135, f"it does not let this board write {EVENT}: see its access list"),
        (144, f"it does not take the topic {EVENT}: set prefix or board in [mqtt] to another one"),
        (145, "it still has an earlier message by the same number"),
        (151, f"it is full for now, and does not take {EVENT}"),
        (153, f"it does not take the format of {EVENT}: see its settings"),
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
    assert sentence == f"The broker 127.0.0.1 hears of the games later: {why}."
    assert told(tmp_path) == 0


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (137, "it is busy"),
        (139, "it is shutting down"),
        (142, "another program has come in by this board's name"),
        (152, "somebody has ended the connection there"),
    ],
)
def test_why_a_connection_has_ended_is_said_in_words(tmp_path: Path, code: int, why: str) -> None:
    with (
        opened(tmp_path),
        fake_broker(lambda _topic, _text: -code) as broker,
        telling(tmp_path, broker.port) as (_, said),
    ):
        sentence = said.wait(bool)
    assert sentence == f"The broker 127.0.0.1 hears of the games later: {why}."


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
