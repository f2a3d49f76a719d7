"""Simulated boards for a trial of a club night, on which computer opponents play."""

from __future__ import annotations

import queue
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.journal.journal import Journal
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.publisher import Publisher
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.games import play_on
from cribpi.cribbage.players.levels import opponent

NAMES: Final = (
    "ash", "beech", "birch", "cedar", "elm", "fir", "hazel", "holly", "larch", "lime", "maple", "oak", "pine",
    "plane", "rowan", "spruce", "walnut", "willow", "yew", "alder",
)  # fmt: skip
"""Names of the boards."""

PEOPLE: Final = (
    "Ada", "Ben", "Carla", "Dev", "Edith", "Femi", "Greta", "Hank", "Iris", "Jun", "Kofi", "Lena", "Marco",
    "Nadia", "Otis", "Priya", "Quinn", "Rosa", "Sam", "Tilda", "Uma", "Vince", "Wanda", "Yusuf",
)  # fmt: skip
"""Names of the players."""

LEVELS: Final = ("chance", "thrifty")
"""Levels of the players: the fastest ones."""


class TrialBoard:
    """A board that plays each pairing it receives, and publishes its games as any board does."""

    def __init__(self, broker: Broker, folder: Path, seed: int, pace: float = 0.0) -> None:
        """*pace* is the time between two cards, in seconds."""
        folder.mkdir(parents=True, exist_ok=True)
        self.name = broker.board
        self.folder = folder
        self._chance = Random(seed)  # noqa: S311  cards of a trial
        self._pace = pace
        self._pairings: queue.SimpleQueue[Pairing | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._played: set[tuple[str, int]] = set()
        self.publisher = Publisher(
            replace(broker, club=True), folder, lambda _part, _sentence: None, pair=self._receive
        )
        self._thread = threading.Thread(target=self._run, name=f"board {self.name}", daemon=True)

    def start(self) -> None:
        self.publisher.start()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._pairings.put(None)
        self._thread.join(30)
        self.publisher.stop()

    def _run(self) -> None:
        with closing(Journal(self.folder / "journal.db")) as journal:
            while (pairing := self._pairings.get()) is not None:
                key = pairing.night, pairing.round
                if key not in self._played:
                    self._played.add(key)
                    self._play(journal, pairing)

    def _receive(self, pairing: Pairing | None) -> None:
        if pairing is not None:
            self._pairings.put(pairing)

    def _play(self, journal: Journal, pairing: Pairing) -> None:
        chance = self._chance
        event = replace(pairing.game("cards"), dealer=chance.randrange(2))
        state = step(NEW_TABLE, event)
        self._keep(journal, event)
        seats = [opponent(LEVELS[chance.randrange(len(LEVELS))], chance=chance) for _ in pairing.players]
        for happened, _ in play_on(state, seats, lambda _deal: chance.sample(PACK, len(PACK))):
            if self._stopping.wait(self._pace) if self._pace else self._stopping.is_set():
                return
            self._keep(journal, happened)

    def _keep(self, journal: Journal, event: Any) -> None:  # noqa: ANN401  any event of the core
        journal.commit(datetime.now(UTC).isoformat(timespec="milliseconds"), 0, "", [event])
        self.publisher.on_change("state")
