"""The desk: what the director enters and the boards report goes into the log, and then onto every screen."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from cribpi.club.entries import (
    Begun,
    BoardPlaced,
    Doubted,
    Entry,
    PlayoffsBegun,
    Restored,
    RoundOpened,
    Settled,
)
from cribpi.club.log import Log, LogTrouble
from cribpi.club.night import Night, Refused, after, can_be_board, night_of
from cribpi.club.playoffs import BEST_OF
from cribpi.club.reports import Unreadable, judge, read, unreadable
from cribpi.club.standings import ACC
from cribpi.core.shown import hidden

_LOG: Final = logging.getLogger(__name__)

SCHEMA: Final = 1
"""The version of what the desk tells boards."""

MOST_DOUBTS: Final = 20
"""What a board may have in doubt at a time; what it says beyond that is logged alone."""

LONGEST_NAME: Final = 80
"""Characters in the name of a night."""

NEAR: Final = ACC.target - 20
"""From this score on a game is near its end."""


@dataclass(frozen=True, slots=True)
class Live:
    """What a board shows, as it last said."""

    sides: tuple[tuple[str, int], ...]
    """Name and score of each."""
    phase: str

    @property
    def is_near(self) -> bool:
        return max((score for _, score in self.sides), default=0) >= NEAR


class Desk:
    """One night at the desk.  Any thread may call; *changed* is called after each change."""

    def __init__(self, log: Log, night: str, changed: Callable[[], None] = lambda: None) -> None:
        """Take up the night of this name where its log stands.

        Raises:
            LogTrouble: If the log can't be read.
            Refused: If it does not lead anywhere, or a night can't be called so.
        """
        if not night.strip() or len(night) > LONGEST_NAME or hidden(night) is not None:
            raise Refused(f"the night's name: use 1 to {LONGEST_NAME} visible characters on one line")
        self.name = night
        self._log = log
        self._changed = [changed]
        self._lock = threading.RLock()
        self._night = night_of(log.entries(night))
        self._live: dict[str, Live] = {}
        self._online: set[str] = set()

    @property
    def night(self) -> Night:
        return self._night

    @property
    def live(self) -> Mapping[str, Live]:
        """What each board shows, by its name; with the names that its players have now."""
        called = self._night.called
        return {
            board: replace(live, sides=tuple((called(name), score) for name, score in live.sides))
            for board, live in self._live.copy().items()
        }

    @property
    def online(self) -> frozenset[str]:
        return frozenset(self._online)

    @property
    def spare(self) -> list[str]:
        """The boards that are there and stand at no table."""
        return sorted(self._online - set(self._night.boards.values()))

    def subscribe(self, changed: Callable[[], None]) -> None:
        self._changed.append(changed)

    def do(self, entry: Entry) -> Night:
        """Put *entry* into the log, and return where that leads.

        Raises:
            Refused: If it can't be done.
            LogTrouble: If it can't be kept; then nothing has changed.
        """
        with self._lock:
            night = after(self._night, entry)
            self._log.add(self.name, night.entries, entry)
            self._night = night
        self._tell()
        if isinstance(entry, RoundOpened):
            self._fill_up()
        return night

    def _fill_up(self) -> None:
        """Count what boards have reported of this round already, if it was in a log that was longer."""
        with self._lock:
            night = self._night
            for doubt in night.doubts if night.round <= night.sent else ():
                result = doubt.doubted.result
                if result is None or self._night.result(night.round, result.board) is not None:
                    continue
                if result.round == night.round and night.boards.get(result.board) == doubt.doubted.by:
                    with suppress(Refused):  # no game ends like that
                        self.do(Settled(doubt.number, is_right=True))

    def draw(self, chance: Random) -> Night:
        """Begin the night: those who are here, drawn by lot.

        Raises:
            Refused, LogTrouble: As `do`.
        """
        with self._lock:
            players = [one for one in self._night.players if one in self._night.here]
            chance.shuffle(players)
            return self.do(Begun(tuple(players)))

    def begin_playoffs(self, best_of: int = BEST_OF) -> Night:
        """Begin the play-offs of the best who are here: as many as qualify, and two at least.

        A match has *best_of* games at most.

        Raises:
            Refused, LogTrouble: As `do`.
        """
        with self._lock:
            night = self._night
            places = max(sum(one.qualifies for one in night.standings), 2)
            here = [one.player for one in night.standings if one.player in night.here]
            return self.do(PlayoffsBegun(tuple(here[:places]), best_of))

    def _tell(self) -> None:
        for changed in self._changed:
            changed()

    # --- what boards say ---

    def on_result(self, board: str, text: bytes) -> None:
        """Take what a board says of a game's end.

        Raises:
            LogTrouble: If it can't be kept.
        """
        with self._lock:
            try:
                entry = judge(self._night, read(board, text))
            except Unreadable as why:
                entry = unreadable(self._night, board, text, why)
            if isinstance(entry, Doubted):
                _LOG.warning("%s", entry.why)
                if sum(one.doubted.by == board for one in self._night.doubts) >= MOST_DOUBTS:
                    return
            if entry is not None:
                try:
                    self.do(entry)
                except Refused as why:
                    _LOG.warning("%s: %s", board, why)

    def on_sent(self, night: str, number: int) -> None:
        """Take it that this desk has sent a board a pairing of that round; the broker has kept it.

        If the log does not have that round, it was restored from a backup.

        Raises:
            LogTrouble: If it can't be kept.
        """
        with self._lock:
            if night == self.name and max(self._night.round, self._night.sent) < number <= self._night.games:
                self.do(Restored(number))
                _LOG.warning("%s", self.behind)

    @property
    def behind(self) -> str:
        """What there is to say of a log that was restored from a backup; empty if it was not."""
        night = self._night
        if not night.is_behind:
            return ""
        ends = f"ends in round {night.round}" if night.round else "ends before round 1"
        return (
            f"The log of this night {ends}, but boards have been sent round {night.sent}: it seems to be a "
            "backup. Start the rounds again and enter what is missing. What boards still report is filled in."
        )

    def on_online(self, board: str, *, is_there: bool) -> None:
        """Take it that a board has come or gone; a new one gets the first table without one."""
        with self._lock:
            if is_there == (board in self._online) or not can_be_board(board):
                return
            (self._online.add if is_there else self._online.discard)(board)
            try:
                self._place(board)
            except LogTrouble:  # it comes again, as if it had not been heard
                self._online.discard(board)
                raise
        self._tell()

    def _place(self, board: str) -> None:
        night = self._night
        if board not in self._online or board in night.boards.values():
            return
        tables = max(len(night.here), len(night.chairs)) // 2
        free = next((at for at in range(1, tables + 1) if at not in night.boards), None)
        if free is not None:
            self.do(BoardPlaced(free, board))

    def place_spares(self) -> None:
        """Give each board that stands at no table one, as long as there are some."""
        with self._lock:
            for board in self.spare:
                self._place(board)

    def on_state(self, board: str, text: bytes) -> None:
        """Take what a board shows; what can't be read is left out."""
        live = _live(text)
        with self._lock:
            if live is None or self._live.get(board) == live:
                return
            self._live[board] = live
        self._tell()

    # --- what boards are sent ---

    def pairings(self) -> dict[str, bytes]:
        """Return what each board that stands at a table is to show: its pairing, or nothing."""
        night = self._night
        tables = {table.board: table for table in night.round_of(night.round).tables} if night.round else {}
        found: dict[str, bytes] = {}
        for number, name in night.boards.items():
            table = tables.get(number)
            found[name] = (
                b""
                if table is None
                else json.dumps(
                    {
                        "schema": SCHEMA,
                        "night": self.name,
                        "round": night.round,
                        "games": night.games,
                        "board": number,
                        "players": list(table.players),
                        "rules": ACC.name,
                    }
                ).encode()
            )
        return found


def _live(text: bytes) -> Live | None:
    try:
        found: Any = json.loads(text)
        sides = tuple((str(one["name"])[:40], int(one["score"])) for one in found["sides"][:3])
        return Live(sides, str(found["phase"])[:20])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
