"""Club nights of the tests: a desk, a broker and boards that play by themselves."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

from sqlalchemy import text
from support.patience import joined, until
from support.tables import opened

from cribpi.club.connection import BrokerConnection
from cribpi.club.desk import Desk
from cribpi.club.entries import Arrived, Listed, Planned
from cribpi.club.log import Log
from cribpi.club.standings import Result
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.requests import Play, Press, SetPairing
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.publisher import Publisher
from cribpi.cribbage.game.events import GameStarted, PenaltyPegged
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record import parse_event
from cribpi.workshop.club_trial import TrialBoard


class DeskAtWork:
    """A desk on its database and its broker; it can be killed and started again."""

    def __init__(self, address: str, port: int, night: str = "a night", url: str = "") -> None:
        self._address, self._port, self._night, self._url = address, port, night, url
        self.troubles: list[str] = []
        self.heard: list[str] = []
        """What boards have said, by the last level of its topic; once it was taken."""
        self.start()

    def start(self) -> None:
        self.log = Log(self._address)
        self.desk = Desk(self.log, self._night)
        broker = Broker(host="127.0.0.1", port=self._port)
        self._connection = BrokerConnection(broker, self.desk, self._report, self._url)
        receive = self._connection._received

        def received(board: str, what: str, text: bytes) -> None:
            receive(board, what, text)
            self.heard.append(what)

        self._connection._received = received  # type: ignore[method-assign]
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
        until(client.is_connected)  # it may be on its way back to a broker that was away
        line, thread = client.socket(), client._thread
        assert line is not None
        assert thread is not None
        self._connection._stopping.set()
        client._thread_terminate = True
        line.close()
        joined(thread)  # what it had begun to save is in the log, and not acknowledged
        self.log.close()


class BoardAtWork:
    """A real table on its journal, with a publisher: it can be switched off and on again."""

    def __init__(self, folder: Path, port: int, name: str = "oak", *, club: bool = True) -> None:
        self._folder = folder
        self._broker = Broker(host="127.0.0.1", port=port, board=name, discovery="off", club=club)
        self.pages: list[str] = []
        """Where the desk's page is, as it was last heard; empty after it closes."""
        self.start()

    def start(self) -> None:
        self._stack = ExitStack()
        _, self.table = self._stack.enter_context(opened(self._folder))
        self._pairings: SimpleQueue[Pairing | None] = SimpleQueue()
        self._publisher = Publisher(
            self._broker,
            self._folder,
            lambda _part, _sentence: None,
            pair=self._pairings.put,
            show_club=self.pages.append,
        )
        self._publisher.start()

    def stop(self) -> None:
        self._publisher.stop()
        self._stack.close()

    def is_offered(self, round_: int) -> bool:
        """Tell whether OK starts the game of that round, past the last result."""
        with suppress(Empty):
            while True:
                self.table.do(SetPairing(self._pairings.get_nowait()))
        pairing = self.table.now.view.following
        return pairing is not None and pairing.round == round_

    def begin(self, round_: int) -> None:
        """Start the game of a round once the desk says whose it is."""
        until(lambda: self.is_offered(round_))
        while self.table.now.view.pairing is None:
            self.press("OK")
        self.press("OK")
        self.press("P1")

    def finish(self, winner: int, score: int) -> None:
        """Have side *winner* win, with the other on *score*."""
        for side, points in ((1 - winner, score), (winner, 121)):
            assert self.table.do(Play(PenaltyPegged(side, points), self.table.now.state)).is_accepted
        self._publisher.on_change("state")

    def press(self, key: str) -> None:
        assert self.table.do(Press(key)).is_accepted
        self._publisher.on_change("state")


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


def open_round(desk: Desk) -> None:
    desk.open_round()


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
