"""Club nights of the tests: a desk, a broker and boards that play by themselves."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from random import Random

from sqlalchemy import text

from cribpi.club.connection import Connection
from cribpi.club.desk import Desk
from cribpi.club.entries import Arrived, Listed, Planned, RoundOpened
from cribpi.club.log import Log
from cribpi.club.standings import Result
from cribpi.club.trial import TrialBoard
from cribpi.core.events import GameStarted
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.record import parse_event
from cribpi.core.state import State
from cribpi.mqtt.broker import Broker


class DeskAtWork:
    """A desk on its database and its broker; it can be killed and started again."""

    def __init__(self, address: str, port: int, night: str = "a night") -> None:
        self._address, self._port, self._night = address, port, night
        self.troubles: list[str] = []
        self.start()

    def start(self) -> None:
        self.log = Log(self._address)
        self.desk = Desk(self.log, self._night)
        self._connection = Connection(Broker(host="127.0.0.1", port=self._port), self.desk, self._report)
        self._connection.start()

    def _report(self, sentence: str | None) -> None:
        if sentence:
            self.troubles.append(sentence)

    def stop(self) -> None:
        self._connection.stop()
        self.log.close()

    def kill(self) -> None:
        """Go without a word: the broker finds out by itself."""
        client = self._connection._client
        line, thread = client.socket(), client._thread
        assert line is not None
        assert thread is not None
        self._connection._stopping.set()
        client._thread_terminate = True
        line.close()
        thread.join(30)  # what it had begun to save is in the log, and not acknowledged
        self.log.close()


def as_from_a_backup(address: str, entries: int) -> None:
    """Leave as many *entries* in the log of the database at *address* as its backup had."""
    log = Log(address)
    with log._engine.begin() as db:
        db.execute(text("DELETE FROM cribpi_club_log WHERE number > :entries"), {"entries": entries})
    log.close()


def set_up(desk: Desk, players: Iterable[str], games: int) -> None:
    """Check all *players* in, and draw."""
    desk.do(Planned(games))
    for player in players:
        desk.do(Listed(player))
        desk.do(Arrived(player))
    desk.draw(Random(1))


def until(is_it: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not is_it():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def open_round(desk: Desk) -> None:
    desk.do(RoundOpened(desk.night.round + 1))


def ends_in(board: TrialBoard) -> list[tuple[str, str, int]]:
    """Return winner, loser and the loser's score of each finished game in a board's journal, in order."""
    with closing(sqlite3.connect(f"file:{board.folder / 'journal.db'}?mode=ro", uri=True)) as db:
        rows = db.execute("SELECT event FROM steps WHERE act = 'event' ORDER BY id").fetchall()
    state: State = NEW_TABLE
    found = []
    for (line,) in rows:
        event = parse_event(line)
        state = step(NEW_TABLE if isinstance(event, GameStarted) else state, event)
        if state.winner is not None:
            winner, loser = state.winner, 1 - state.winner
            found.append((state.names[winner], state.names[loser], state.scores()[loser]))
    return found


def results_in(boards: Iterable[TrialBoard]) -> list[tuple[str, str, int]]:
    return sorted(end for board in boards for end in ends_in(board))


def as_ends(results: Iterable[Result]) -> list[tuple[str, str, int]]:
    return sorted((one.winner, one.loser, one.score) for one in results)
