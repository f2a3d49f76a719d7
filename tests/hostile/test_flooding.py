"""A broker that floods whoever connects to it: the table plays on, and a phone at it; and so does a desk."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.flooding import FLOODS, OF_BOARD, flood, flooding
from hostile.rooms import club, table
from support.broker import listening, mosquitto, needs_broker
from support.patience import until
from support.tables import opened
from support.telling import telling

SOME = 200_000
"""Bytes of a flood."""
MORE = 20_000_000
"""Bytes of one through a broker that is honest."""


@pytest.mark.parametrize("kind", FLOODS)
def test_a_table_plays_on(kind: str, tmp_path: Path) -> None:
    with flooding(FLOODS[kind]) as broker:
        settings = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nclub = true\nundo = true\n'
        with table(tmp_path, settings) as (room, _):
            until(lambda: broker.lines)
            room.serve()
            room.program.begin()
            broker.may_flood.set()
            until(lambda: broker.sent > SOME or broker.hung_up or kind == "silence")
            for _ in range(50):
                room.withstands()


@needs_broker
@pytest.mark.parametrize("kind", ["pairings", "bad pairings", "UNDO", "a message of 50 MB"])
def test_a_table_plays_on_whatever_others_send_to_its_broker(kind: str, tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with mosquitto(tmp_path / "broker") as broker:
        settings = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nclub = true\nundo = true\n'
        with table(tmp_path, settings) as (room, _), listening(broker) as listener:
            until(lambda: ("cribpi/cribpi/online", b"true") in [one[:2] for one in listener.heard])
            room.program.begin()
            flood(broker.port, FLOODS[kind](), MORE)
            for _ in range(50):
                room.withstands()


@needs_broker
@pytest.mark.parametrize("kind", OF_BOARD)
def test_a_desk_goes_on_whatever_a_board_sends(kind: str, tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with (
        mosquitto(tmp_path / "broker") as broker,
        listening(broker) as listener,
        club(tmp_path, "--broker", f"127.0.0.1:{broker.port}") as room,
    ):
        until(lambda: any("/desk-" in topic for topic, _, _ in listener.heard))
        room.program.begin()
        flood(broker.port, OF_BOARD[kind](), MORE)
        for _ in range(20):
            room.withstands()


@pytest.mark.parametrize("may_undo", [True, False])
def test_who_floods_a_board_is_hung_up_on_and_undoes_nothing_unless_it_may(
    tmp_path: Path, *, may_undo: bool
) -> None:
    heard: list[str | None] = []
    with (
        opened(tmp_path),
        flooding(FLOODS["UNDO"]) as broker,
        telling(tmp_path, broker.port, heard.append, board="cribpi", undo=may_undo) as (_, said),
    ):
        broker.may_flood.set()
        sentence = said.wait(bool)
    assert sentence == (
        "The broker 127.0.0.1 gets the games later: "
        "it sends more than a board can hear: check who may write there."
    )
    assert bool(heard) == may_undo
    assert len(heard) < 1_000
