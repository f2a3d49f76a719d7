"""Boards for a trial of a club night: without keys or screens, and with opponents at them."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

from cribpi.core.cards import PACK
from cribpi.core.events import GameStarted
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.rules import preset
from cribpi.mqtt.broker import Broker
from cribpi.mqtt.publisher import Publisher
from cribpi.opponents.arena.games import play_on
from cribpi.opponents.levels import opponent
from cribpi.storage.journal import Journal

NAMES: Final = (
    "ash", "beech", "birch", "cedar", "elm", "fir", "hazel", "holly", "larch", "lime", "maple", "oak", "pine",
    "plane", "rowan", "spruce", "walnut", "willow", "yew", "alder",
)  # fmt: skip
"""What the boards are called."""

PEOPLE: Final = (
    "Ada", "Ben", "Carla", "Dev", "Edith", "Femi", "Greta", "Hank", "Iris", "Jun", "Kofi", "Lena", "Marco",
    "Nadia", "Otis", "Priya", "Quinn", "Rosa", "Sam", "Tilda", "Uma", "Vince", "Wanda", "Yusuf",
)  # fmt: skip
"""Who plays."""

LEVELS: Final = ("chance", "thrifty")
"""How their players play: quickly."""


class TrialBoard:
    """A board that plays each pairing it is sent, and publishes its games as any board does."""

    def __init__(self, broker: Broker, folder: Path, seed: int, pace: float = 0.0) -> None:
        """*pace* is the time between two cards, in seconds."""
        folder.mkdir(parents=True, exist_ok=True)
        self.name = broker.board
        self.folder = folder
        self._chance = Random(seed)  # noqa: S311  cards of a trial
        self._pace = pace
        self._pairings: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._played: set[tuple[str, int]] = set()
        self.publisher = Publisher(broker, folder, lambda _part, _sentence: None)
        self._ear = _Ear(broker, self._pairings.put)
        self._thread = threading.Thread(target=self._run, name=f"board {self.name}", daemon=True)

    def start(self) -> None:
        self.publisher.start()
        self._ear.start()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._pairings.put(None)
        self._thread.join(30)
        self._ear.stop()
        self.publisher.stop()

    def _run(self) -> None:
        with closing(Journal(self.folder / "journal.db")) as journal:
            while (pairing := self._pairings.get()) is not None:
                one = str(pairing["night"]), int(pairing["round"])
                if one not in self._played:
                    self._played.add(one)
                    self._play(journal, tuple(pairing["players"]), str(pairing["rules"]))

    def _play(self, journal: Journal, players: tuple[str, ...], rules: str) -> None:
        chance = self._chance
        event = GameStarted(players, preset(rules), dealer=chance.randrange(2))
        state = step(NEW_TABLE, event)
        self._keep(journal, event)
        seats = [opponent(LEVELS[chance.randrange(len(LEVELS))], chance=chance) for _ in players]
        for happened, _ in play_on(state, seats, lambda _deal: chance.sample(PACK, len(PACK))):
            if self._stopping.wait(self._pace) if self._pace else self._stopping.is_set():
                return
            self._keep(journal, happened)

    def _keep(self, journal: Journal, event: Any) -> None:  # noqa: ANN401  any event of the core
        journal.take_in([event], 0, "", datetime.now(UTC).isoformat(timespec="milliseconds"))
        self.publisher.on_change("state")


class _Ear:
    """Listens for the pairings of one board."""

    def __init__(self, broker: Broker, on_pairing: Callable[[dict[str, Any]], None]) -> None:
        from paho.mqtt import client as mqtt  # noqa: PLC0415  the extra `club`
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415  as above

        def on_message(_client: Any, _data: Any, message: Any) -> None:  # noqa: ANN401  paho's
            with suppress(ValueError):
                found = json.loads(message.payload or b"null")
                if isinstance(found, dict):
                    on_pairing(found)

        name = f"{broker.prefix}-{broker.board}-pairings"
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, name, protocol=mqtt.MQTTv5)
        if broker.user:
            self._client.username_pw_set(broker.user, broker.password())
        self._client.reconnect_delay_set(1, 2)
        self._client.on_connect = lambda client, *_: client.subscribe(broker.topic("pairing"), qos=1)
        self._client.on_message = on_message
        self._client.connect_async(broker.host, broker.at, keepalive=15)

    def start(self) -> None:
        self._client.loop_start()

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
