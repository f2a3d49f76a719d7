"""How far a club's desk goes: so many simulated boards on one Mosquitto, a game each minute.

    PYTHONPATH=tests python -m bench.club --boards 400 --seconds 180

A board is a connection of its own that publishes what a board publishes: every event of a game and the state
after it, as the core makes them, and the result.  Broker, desk and boards are processes of their own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import select
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.figures import row
from support.broker import Mosquitto

from cribpi.club.connection import BrokerConnection
from cribpi.club.desk import Desk
from cribpi.club.entries import after, opening
from cribpi.club.log import Log
from cribpi.club.night import Night
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.messages import events_of, result_of, state_of
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.games import play_on
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.log import LogEntry

GAME: Final = 60.0
"""Seconds for a game."""

TEMPLATES: Final = 12
"""Different games that are played."""

Messages = list[tuple[str, str, bool]]
"""Topic of a board, text and whether it is retained."""


def played(seed: int) -> list[Messages]:
    """Return the messages of a game, step by step; the players are called @0 and @1, the board @B."""
    chance = Random(seed)
    started = GameStarted(("@0", "@1"), preset("acc"), dealer=seed % 2)
    seats = [opponent("thrifty", chance=chance) for _ in range(2)]
    state, found = NEW_TABLE, []
    happened: list[Any] = [started]
    start = step(NEW_TABLE, started)
    happened += [event for event, _ in play_on(start, seats, lambda _deal: chance.sample(PACK, len(PACK)))]
    for seq, event in enumerate(happened, 1):
        before, state = state, step(state, event)
        head = {"schema": 1, "board": "@B", "journal": "@J", "id": f"@J-{seq}", "seq": seq, "at": "@T"}
        messages: Messages = [
            ("event", json.dumps(head | told), False) for told in events_of(LogEntry(before, event, state))
        ]
        messages.append(("state", json.dumps(head | {"instance": "bench"} | state_of(state)), True))
        if (result := result_of(state)) is not None:
            messages.append(
                (
                    "result",
                    json.dumps(head | {"taken_back": False, "night": "bench", "round": 1} | result),
                    True,
                )
            )
        found.append(messages)
    return found


class Board:
    """A board's connection, and the game that it plays."""

    def __init__(self, number: int, port: int, games: Sequence[list[Messages]], chance: Random) -> None:
        from paho.mqtt import client as mqtt  # noqa: PLC0415  the extra `club`
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415  as above

        self.number, self._games, self._chance = number, games, chance
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, f"board-{number}", protocol=mqtt.MQTTv5)
        self.client.max_inflight_messages_set(1000)
        self.client.connect("127.0.0.1", port, keepalive=600)
        self.next = time.monotonic() + chance.random()
        self._game = chance.choice(games)
        self._at, self._rounds = chance.randrange(len(self._game)), 0  # some end soon, and some late
        self.sent = 0

    def act(self) -> None:
        """Publish the next step of the game."""
        if self._at >= len(self._game):
            self._game, self._at = self._chance.choice(self._games), 0
            self._rounds += 1
        names = {"@B": f"b{self.number}", "@J": f"j{self.number}r{self._rounds}"}
        names |= {f"@{seat}": f"P{2 * self.number + seat}" for seat in (0, 1)}
        for what, text, is_retained in self._game[self._at]:
            for name, given in (names | {"@T": str(time.monotonic_ns())}).items():
                text = text.replace(name, given)  # noqa: PLW2901  the same text, filled in
            self.client.publish(f"cribpi/b{self.number}/{what}", text, qos=1, retain=is_retained)
            self.sent += 1
        self._at += 1
        self.next += GAME / len(self._game)


def boards(numbers: range, port: int, ready: Event, stop: Event, sent: Any) -> None:  # noqa: ANN401  a shared value
    """Run the boards of these *numbers* in one process, as one loop over all lines."""
    games, chance = [played(seed) for seed in range(TEMPLATES)], Random(numbers.start)
    every = [Board(number, port, games, chance) for number in numbers]
    poll, by_line = select.epoll(), {}
    for board in every:
        line = board.client.socket()
        assert line is not None
        poll.register(line.fileno(), select.EPOLLIN)
        by_line[line.fileno()] = board
    ready.set()
    late = 0.0
    while not stop.is_set():
        for line_number, _ in poll.poll(0.005):
            by_line[line_number].client.loop_read()
        now = time.monotonic()
        for board in every:
            if board.next <= now:
                late = max(late, now - board.next)
                board.act()
            while board.client.want_write():
                board.client.loop_write()
            board.client.loop_misc()
    with sent.get_lock():
        sent.value += sum(board.sent for board in every)


def night(many: int) -> Night:
    """Return a night with two players at each of *many* boards, in a round that never ends."""
    names = [f"P{number}" for number in range(2 * many)]
    circle = [*names[::2], *reversed(names[1::2])]  # so that P0 meets P1, P2 P3, and so on
    found = Night(
        games=9,
        names={name: name for name in names},
        ids={name: name for name in names},
        here=frozenset(names),
        boards={number + 1: f"b{number}" for number in range(many)},
        drawn=tuple(circle),
    )
    return after(found, opening(found))


def desk(many: int, port: int, folder: str, stop: Event, figures: Any) -> None:  # noqa: ANN401  a queue
    """Be the desk: each first result of a board counts, and how long it took from the board into the log."""
    log = Log(f"sqlite:///{folder}/club.db")
    found = Desk(log, "bench")
    found.night = replace(night(many), entries=0)  # none of it is in the log
    delays: list[float] = []
    messages = 0

    def on_result(board: str, text: bytes) -> None:
        told = json.loads(text)
        # The same two play again and again: each game counts as one of a night of its own.
        found.night = replace(found.night, reports={}, latest={}, doubts=())
        Desk.on_result(found, board, text)
        assert len(found.night.results) == 1, found.night.doubts
        delays.append((time.monotonic_ns() - int(told["at"])) / 1e9)

    found.on_result = on_result  # type: ignore[method-assign]
    line = BrokerConnection(Broker(host="127.0.0.1", port=port), found, lambda _sentence: None)
    received = line._on_message

    def counted(*arguments: Any) -> None:  # noqa: ANN401  paho's
        nonlocal messages
        messages += 1
        received(*arguments)

    line._client.on_message = counted
    line.start()
    begun, cpu = time.monotonic(), time.process_time()
    stop.wait()
    seconds = time.monotonic() - begun
    figures.put(
        {
            "delays": delays,
            "messages": messages / seconds,
            "cpu": (time.process_time() - cpu) / seconds,
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
    )
    line.stop()
    log.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a desk with many boards.")
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=150.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder), "max_queued_messages 0", "max_inflight_messages 0")
        broker.start()
        try:
            _measured(options.boards, options.seconds, folder, broker)
        finally:
            broker.stop()


def _measured(many: int, seconds: float, folder: str, broker: Mosquitto) -> None:
    stop = multiprocessing.Event()
    figures: multiprocessing.Queue[dict[str, Any]] = multiprocessing.Queue()
    sent = multiprocessing.Value("q", 0)
    processes = [multiprocessing.Process(target=desk, args=(many, broker.port, folder, stop, figures))]
    signs = []
    for first in range(0, many, 500):
        numbers, ready = range(first, min(first + 500, many)), multiprocessing.Event()
        signs.append(ready)
        processes.append(
            multiprocessing.Process(target=boards, args=(numbers, broker.port, ready, stop, sent))
        )
    for process in processes:
        process.start()
    for ready in signs:
        ready.wait(300)
    begun = time.monotonic()
    time.sleep(seconds)
    assert broker._process is not None
    ran = Path(f"/proc/{broker._process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    memory = Path(f"/proc/{broker._process.pid}/status").read_text(encoding="ascii")
    kilobytes = next(int(line.split()[1]) for line in memory.splitlines() if line.startswith("VmHWM"))
    took = time.monotonic() - begun
    stop.set()
    found = figures.get(timeout=120)
    for process in processes:
        process.join(60)
    delays = sorted(found["delays"])
    row("boards, a game a minute each", str(many), "-")
    row("messages sent", f"{sent.value / took:.0f} a second", "-")
    row("results at the desk", str(len(delays)), "-")
    if delays:
        late = delays[min(len(delays) - 1, int(0.95 * len(delays)))]
        row("from the board into the log, median", f"{1000 * statistics.median(delays):.0f} ms", "-")
        row("the same, 95 of 100", f"{1000 * late:.0f} ms", "1 s with 400")
    row("desk: messages heard", f"{found['messages']:.0f} a second", "-")
    row("desk: of a core", f"{100 * found['cpu']:.1f} %", "-")
    row("desk: memory", f"{found['memory']:.0f} MB", "-")
    row("broker: of a core", f"{100 * (int(ran[11]) + int(ran[12])) / 100 / took:.1f} %", "-")
    row("broker: memory", f"{kilobytes / 1024:.0f} MB", "-")


if __name__ == "__main__":
    main()
