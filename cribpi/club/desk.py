"""The director's desk: logs the director's entries and the boards' reports, then notifies listeners."""

from __future__ import annotations

import hashlib
import json
import logging
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from cribpi.club import entries
from cribpi.club.log import CLUB, Log, LogTrouble, Taken
from cribpi.club.night import BY_DESK, Night, can_be_board
from cribpi.club.pairings import BEST_OF
from cribpi.club.reports import judge
from cribpi.club.roster import Book
from cribpi.club.standings import ACC, Result, refuse
from cribpi.companion.entry.pairing import Pairing
from cribpi.cribbage.game.events import LONGEST_NIGHT
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.shown import hidden

_LOG: Final = logging.getLogger(__name__)

SCHEMA: Final = 1
"""Version of the messages to boards."""

MOST_DOUBTS: Final = 20
"""Maximum number of open doubts per board. Further ones only go to the system log."""

LEAVES: Final = ("void", "forfeit", "finish")
"""Options for the unfinished game of a player who leaves: not counted, lost, or played to its end."""

MOST_TRIES: Final = 50
"""Maximum number of attempts to change the book while other desks change it too."""

NEAR: Final = ACC.target - 20
"""Score from which a game is close to its end."""


@dataclass(frozen=True, slots=True)
class Live:
    """The latest state received from a board."""

    sides: tuple[tuple[str, int], ...]
    """Name and score of each side."""
    takes_pairings: bool

    @property
    def is_near(self) -> bool:
        return max((score for _, score in self.sides), default=0) >= NEAR


class Desk:
    """One night at the desk. Thread-safe."""

    def __init__(self, log: Log, night: str) -> None:
        """Open *night*. Raises LogTrouble or RuleError, as `open` does."""
        self._log = log
        self._subscribers: list[Callable[[], None]] = []
        self._lock = threading.RLock()
        self.open(night)
        self._live: dict[str, Live] = {}
        self._online: set[str] = set()
        self._away: set[str] = set()
        """Boards that the director removed from a table. They are not placed again automatically."""

    def open(self, night: str) -> None:
        """Switch to *night* and replay its log. The previous night's log is unchanged.

        Raises:
            LogTrouble: If the log can't be read.
            RuleError: If the log or the night's name is invalid.
        """
        book = Book()
        with suppress(LogTrouble):
            book = self.book()
        night = book.night(night)
        if not night.strip() or len(night) > LONGEST_NIGHT or hidden(night) is not None:
            raise RuleError(f"the night's name: use 1 to {LONGEST_NIGHT} visible characters on one line")
        with self._lock:
            self.night = entries.night_of(self._log.entries(night))
            self.name, self.title = night, book.title(night)
        self._notify()

    @property
    def id(self) -> str:
        """Identifies this desk at a broker, even after a restart."""
        machine = ""
        with suppress(OSError):
            machine = Path("/etc/machine-id").read_text(encoding="ascii").strip()
        known = f"{machine} {socket.gethostname()} {self._log.address} {self.name}"
        return hashlib.sha256(known.encode()).hexdigest()[:12]

    @property
    def live(self) -> Mapping[str, Live]:
        """The latest state of each board by name, with tonight's players by id."""
        ids = self.night.ids
        return {
            board: replace(live, sides=tuple((ids.get(name, name), score) for name, score in live.sides))
            for board, live in self._live.copy().items()
        }

    @property
    def online(self) -> frozenset[str]:
        return frozenset(self._online)

    @property
    def spare(self) -> list[str]:
        """Boards that are online and not at a table."""
        return sorted(self._online - set(self.night.boards.values()))

    @property
    def deaf(self) -> list[str]:
        """Spare boards that don't accept pairings."""
        return [board for board in self.spare if board in self._live and not self._takes_pairings(board)]

    def _takes_pairings(self, board: str) -> bool:
        return board in self._live and self._live[board].takes_pairings

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call *changed* after each change."""
        self._subscribers.append(changed)

    def do(self, entry: entries.ClubEntry | Callable[[Night], entries.ClubEntry]) -> None:
        """Log *entry*. A function is called with the current night and must return the entry.

        Raises:
            RuleError: If the entry is not allowed.
            LogTrouble: If the write fails; the night is then unchanged.
        """
        with self._lock:
            entry = entry(self.night) if callable(entry) else entry
            if isinstance(entry, entries.BoardPlaced) and not entry.name:
                self._away.add(self.night.boards.get(entry.board, ""))
            night = entries.after(self.night, entry)
            self._log.add(self.name, night.entries, entry)
            self.night = night
            if night.entries == 1:
                with suppress(LogTrouble):  # the entry itself is already saved
                    self.note(lambda _: entries.Noted(night=self.name))
            self._place_spares()
        self._notify()

    def book(self) -> Book:
        """Read the player book.

        Raises:
            LogTrouble: If the book can't be read.
        """
        return Book(self._log.entries(CLUB))

    def note(self, change: Callable[[Book], entries.Noted]) -> entries.Noted:
        """Log a change of the player book. Retry if another desk has changed the book meanwhile.

        *change* is called with the current book, and must return the entry.

        Raises:
            RuleError: If the change is not allowed.
            LogTrouble: If the write fails.
        """
        with self._lock:
            noted = self._noted(change, MOST_TRIES)
        self._notify()
        return noted

    def _noted(self, change: Callable[[Book], entries.Noted], tries: int) -> entries.Noted:
        book = self.book()
        noted = change(book)
        try:
            self._log.add(CLUB, book.entries + 1, noted)
        except Taken:
            if tries == 1:
                raise
            return self._noted(change, tries - 1)
        self.title = (
            next((one["name"] for one in noted.filed if one["night"] == self.name), self.title) or self.name
        )
        return noted

    def known(self, name: str) -> str:
        """Return a player's current name.

        *name* is any name that the player has had; an unknown player is added.

        If the book can't be read, return *name*, because a night does not depend on the book.

        Raises:
            RuleError: If the name is invalid.
        """
        with self._lock, suppress(LogTrouble):
            if self.book().find(name) is None:
                self.note(lambda book: book.put(name))
            return self.book().who(name).name
        return name

    def enlist(self, name: str) -> str:
        """List a player, with the party and table from the book.

        Return "", or an error message if that table is not free.

        Raises:
            RuleError, LogTrouble: As `do`.
        """
        with self._lock:
            self.do(entries.Listed(name))
            with suppress(LogTrouble):  # a night goes on without the book
                one = self.book().who(name)
                try:
                    if one.party or one.table:
                        self.do(lambda night: entries.seating(night, name, one.party, one.table))
                except RuleError as why:
                    self.do(entries.Seated(name, one.party))
                    return str(why)
        return ""

    def seat(self, player: str, party: str, table: int) -> None:
        """Set a player's party and fixed table, tonight and in the book. 0 is no fixed table.

        Raises:
            RuleError, LogTrouble: As `note`.
        """
        with self._lock:
            self.do(lambda night: entries.seating(night, player, party, table))
            if one := self.book().find(self.night.name_of(player)):
                self.note(lambda book: book.seat(one.id, party, table))

    def give_name(self, player: str, name: str) -> None:
        """Rename a player, tonight and in the book.

        Raises:
            RuleError, LogTrouble: As `note`.
        """
        with self._lock:
            was = self.night.name_of(player)
            self.do(entries.Renamed(player, name))
            with suppress(LogTrouble):  # a night goes on without the book
                known, other = map(self.book().find, (was, name))
                if known and not other:
                    self.note(lambda book: book.put(name, known.number, known.kind, known.id))

    def leave(self, player: str, game: str = "") -> None:
        """Record that a player has left.

        *game*, one of `LEAVES`, decides how the player's unfinished game ends.

        Raises:
            RuleError, LogTrouble: As `do`, or if *game* is required and missing.
        """
        with self._lock:
            night = self.night
            player = night.ids.get(player, player)
            if table := night.playing(player):
                (other,) = set(table.players) - {player}
                both = f"the game of {night.name_of(player)} and {night.name_of(other)}"
                refuse(game not in LEAVES, f"{both} is not over: choose what becomes of it")
                if game == "forfeit":
                    lost = Result(night.round, table.board, other, player, 0, forfeit=True)
                    self.do(entries.Reported(lost, BY_DESK))
            self.do(entries.Gone(player, finishes=game == "finish"))

    def open_round(self, swap: Sequence[str] = (), players: Sequence[str] = ()) -> None:
        """Start the next round with the players here. The two players in *swap*, if any, trade places.

        An extra round is for *players*, or if that is empty, for everyone who has missed a game.

        Raises:
            RuleError, LogTrouble: As `do`.
        """
        self.do(lambda night: entries.opening(night, swap, players))

    def draw(self, chance: Random) -> None:
        """Draw the pairings of the night for the players here.

        Raises:
            RuleError, LogTrouble: As `do`.
        """
        self.do(lambda night: entries.drawing(night, chance))

    def begin_playoffs(self, best_of: int = BEST_OF) -> None:
        """Start the play-offs with the qualified players who are here: at least two.

        *best_of* is the maximum number of games of a match.

        Raises:
            RuleError, LogTrouble: As `do`.
        """
        self.do(lambda night: entries.PlayoffsBegun(night.qualified, best_of))

    def _notify(self) -> None:
        for changed in self._subscribers:
            changed()

    # --- what boards say ---

    def on_result(self, board: str, text: bytes) -> None:
        """Handle the message on a board's `result` topic.

        Raises:
            LogTrouble: If the write fails.
        """
        with self._lock:
            entry = judge(self.night, self.name, board, text, self._other)
            if isinstance(entry, entries.Doubted):
                _LOG.warning("%s", entry.why)
                if sum(one.by == board for one in self.night.doubts) >= MOST_DOUBTS:
                    return
            if entry is not None:
                try:
                    self.do(entry)
                except RuleError as why:
                    _LOG.warning("%s: %s", board, why)

    def _other(self, name: str) -> Night:
        """Return another night, or an empty one if it can't be read."""
        with suppress(LogTrouble, RuleError):
            return entries.night_of(self._log.entries(name))
        return Night()

    def on_online(self, board: str, *, is_there: bool) -> None:
        """Handle a board going online or offline. Seat a new board at the first table without one."""
        with self._lock:
            if is_there == (board in self._online) or not can_be_board(board):
                return
            (self._online.add if is_there else self._online.discard)(board)
            self._away.discard(board)
            self._place_spares()
        self._notify()

    def on_state(self, board: str, text: bytes) -> None:
        """Handle the message on a board's `state` topic. An invalid message is ignored."""
        live = _live(text)
        with self._lock:
            if live is None or self._live.get(board) == live:
                return
            self._live[board] = live
            self._place_spares()
        self._notify()

    def _place_spares(self) -> None:
        """Place the first spare board that accepts pairings at the first table without one."""
        night = self.night
        boards = (board for board in self.spare if board not in self._away and self._takes_pairings(board))
        if (board := next(boards, None)) is not None:
            tables = max(len(night.here) // 2, *(len(one.tables) for one in night.opened[-1:]), 0)
            free = next((at for at in range(1, tables + 1) if at not in night.boards), None)
            if free is not None:
                with suppress(LogTrouble):  # retried with the next entry or message
                    self.do(entries.BoardPlaced(free, board))

    # --- what boards are sent ---

    def pairings(self) -> dict[str, bytes]:
        """Return the payload of each placed board's `pairing` topic; empty at a free table."""
        night = self.night
        found = dict.fromkeys(night.boards.values(), b"")
        for table in night.opened[-1].tables if night.opened else ():
            if table.board in night.boards:
                players = tuple(map(night.name_of, table.players))
                games = max(night.games, night.round)
                pairing = Pairing(self.name, night.round, games, table.board, players, ACC.name)
                sent = {"schema": SCHEMA, **asdict(pairing)}
                found[night.boards[table.board]] = json.dumps(sent).encode()
        return found


def _live(text: bytes) -> Live | None:
    try:
        found: Any = json.loads(text)
        sides = tuple((str(one["name"])[:40], int(one["score"])) for one in found["sides"][:3])
        return Live(sides, found.get("club") is True)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
