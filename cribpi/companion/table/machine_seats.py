"""The computer's seats and hints: a thread that requests each decision from an opponent.

The thread never blocks the loop.  A decision is discarded if the game has changed meanwhile, for example by
an undo.  The thread also presses OK for automatic steps, and for every step if no person plays.  It waits
while a menu, a question or the message of an undo is open.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from cribpi.companion.entry.hands import to_read
from cribpi.companion.entry.input_state import Hint
from cribpi.companion.entry.requests import ApplyHint, AutoAdvance, Play, TableRequest
from cribpi.companion.journal.journal import JournalTrouble, TableResponse
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.snapshot import Snapshot
from cribpi.cribbage.game.events import PERSON, CardPlayed, Discarded, Event
from cribpi.cribbage.game.legal import legal
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import State
from cribpi.cribbage.words.levels import BY_NAME, CARELESS, engine_name
from cribpi.cribbage.words.log import LogEntry

if TYPE_CHECKING:  # Slow to import: loaded with the computer's first seat.
    from pathlib import Path

    from cribpi.cribbage.game.deal import PlayedDeal
    from cribpi.cribbage.game.sight import SeatSight
    from cribpi.cribbage.players.fallback import WithFallback
    from cribpi.cribbage.players.hints import Hinted
    from cribpi.cribbage.players.opponent import Opponent
    from cribpi.cribbage.rules.rules import Rules

_LOG: Final = logging.getLogger(__name__)

PAUSES: Final = {"slow": 2.0, "normal": 0.8, "fast": 0.0}
"""Seconds before the computer acts, by the speed setting, so that people can follow."""

READING: Final = 0.4
"""Minimum reading time before an automatic step, in seconds per item on screen."""

STOP_POLL: Final = 0.5
"""Seconds between checks for a stop request while waiting for the table."""

RETRY_AFTER: Final = 5.0
"""Seconds before a failed move is tried again."""

PREPARING: Final = 60.0
"""Minimum timeout for loading, in seconds: on a Pi it takes much longer than a decision."""

_MOVE: Final = "computer's move"

Make: TypeAlias = "Callable[[str, Random], Opponent]"
"""Creates an opponent of a level, such as `solid` or `solid-errs`; the Random supplies its seed."""


def new_opponent(level: str, chance: Random) -> Opponent:
    """Return a new opponent of *level*.

    Raises:
        UserError: If the level is unknown.
    """
    from cribpi.cribbage.players.levels import opponent  # noqa: PLC0415  NumPy is slow to import

    return opponent(level, chance=chance)


def new_player(
    engines: Mapping[str, str],
    patience: float,
    level: str,
    chance: Random,
    *,
    secret_paths: Iterable[Path] = (),
    is_trusted: bool = False,
) -> Opponent:
    """Return a new opponent of *level*, which can also be the name of one of *engines*.

    An engine has *patience* seconds for each decision.  It runs in a sandbox and can't read the files
    *secret_paths*, unless it *is_trusted*.

    Raises:
        UserError: If the level or engine is unknown.
    """
    if not (name := engine_name(level)):
        return new_opponent(level, chance)
    from cribpi.companion.engines.process import player_of  # noqa: PLC0415  few games have an engine

    return player_of(name, engines, patience, secret_paths=secret_paths, is_trusted=is_trusted)


GiveHint: TypeAlias = "Callable[[SeatSight, Random], Hinted]"
"""Returns a hint for a seat's view of the game; the Random supplies the seed of its sampling."""


def new_hint(sight: SeatSight, chance: Random) -> Hinted:
    """Return a hint from the strongest level."""
    from cribpi.cribbage.players.hints import hint  # noqa: PLC0415  NumPy is slow to import

    return hint(sight, chance)


Remember: TypeAlias = "Callable[[str], tuple[PlayedDeal, ...]]"
"""Returns the deals of a person's earlier games, with that person in seat 0."""


def nothing_remembered(_: str) -> tuple[PlayedDeal, ...]:
    return ()


class MachinePlayers:
    """The computer's opponents, each created by *make* for its first decision, and hints from *give_hint*.

    In a two-player game, some levels model the other person's play.  They start from that person's earlier
    games, which *remember* returns.

    Random choices depend only on a seed from *chance* and on the seat's view: the same view gives the same
    card, also after an undo.  *patience* is the timeout of a decision in seconds, after which another
    opponent takes the seat; None for no timeout.
    """

    def __init__(
        self,
        chance: Random,
        make: Make = new_opponent,
        give_hint: GiveHint = new_hint,
        patience: float | None = None,
        remember: Remember = nothing_remembered,
    ) -> None:
        self._seed = chance.getrandbits(64)
        self._remember = remember
        self._past: dict[tuple[int, str], tuple[PlayedDeal, ...]] = {}
        """By the computer's seat and the other player's name: that player's deals in earlier games."""
        self._make = make
        self._give_hint = give_hint
        self._patience = patience
        self._seats: dict[tuple[int, str], WithFallback] = {}
        self._prepared_for: Rules | None = None
        self._game: LogEntry | None = None
        self.troubles: dict[int, str] = {}
        """By seat: the error of an opponent that failed and was replaced."""

    def begin(self, game: LogEntry) -> None:
        """Discard the opponents if they are of another game; *game* is the first entry of its log."""
        if self._game is not game:
            self._game = game
            self.end()
            self._past.clear()
            self.troubles.clear()

    def end(self) -> None:
        """Discard the opponents, with any engine processes."""
        self._seats.clear()

    def decide(self, state: State, seat: int) -> Event:
        """Return the computer's decision in *seat*, based only on what that seat can see."""
        player, may = self._player(seat, state.level(seat)), legal(state, seat)
        event = may[0]  # His heels, a go and the only playable card need no decision.
        if isinstance(event, Discarded):
            event = Discarded(seat, player.discard(sight_of(state, seat)))
        elif isinstance(event, CardPlayed) and len(may) > 1:
            sight = sight_of(state, seat)
            event = CardPlayed(seat, player.play(replace(sight, past=self._past_deals(state, seat))))
        if player.trouble is not None:
            self.troubles[seat] = f"{state.names[seat]}: {player.trouble}"
        return event

    def hint(self, state: State, seat: int) -> Hint:
        """Return a hint for the person in *seat*, based only on what that seat can see."""
        from cribpi.cribbage.players.fallback import TookTooLong, within  # noqa: PLC0415  NumPy
        from cribpi.cribbage.players.hints import simple_hint  # noqa: PLC0415  NumPy

        sight, chance = sight_of(state, seat), Random(self._seed)  # noqa: S311  not for cryptography
        try:
            hint = within(self._patience, lambda: self._give_hint(sight, chance))
        except TookTooLong as late:
            _LOG.warning("no hint from expert (%s): thrifty gives one instead", late)
            hint = simple_hint(sight)
        return Hint(tuple(map(str, hint.cards)), hint.words, hint.brief)

    def prepare(self, state: State) -> None:
        """Load the data that the seats of *state* need, so that the first decision is quick."""
        for seat in range(state.players):
            self._past_deals(state, seat)
        levels = {state.level(seat).removesuffix(CARELESS) for seat in range(state.players)} - {PERSON}
        loads = any(BY_NAME[level].loads for level in levels & BY_NAME.keys())
        if state.rules == self._prepared_for or not loads:
            return
        self._prepared_for = state.rules
        from cribpi.cribbage.players.fallback import within  # noqa: PLC0415  NumPy
        from cribpi.cribbage.players.levels import prepare  # noqa: PLC0415  NumPy

        seconds = None if self._patience is None else max(self._patience, PREPARING)
        with suppress(Exception):  # The first decision will report it.
            within(seconds, lambda: prepare(state.rules))

    def _past_deals(self, state: State, seat: int) -> tuple[PlayedDeal, ...]:
        """Return the deals from which the level in *seat* models the other player, oldest first."""
        other = 1 - seat
        level = BY_NAME.get(state.level(seat))
        if state.players != 2 or level is None or not level.reads or not state.is_person(other):
            return state.past
        key = (seat, state.names[other])
        if key not in self._past:
            past = self._remember(state.names[other])
            self._past[key] = past if other == 0 else tuple(deal.with_seats_swapped() for deal in past)
        return (*self._past[key], *state.past)

    def _player(self, seat: int, level: str) -> WithFallback:
        from cribpi.cribbage.players.fallback import with_fallback  # noqa: PLC0415  NumPy

        if (seat, level) not in self._seats:
            chance = Random(self._seed)  # noqa: S311  not for cryptography
            self._seats[seat, level] = with_fallback(level, lambda: self._make(level, chance), self._patience)
        return self._seats[seat, level]


def is_next(now: Snapshot) -> bool:
    """Return whether the computer must act next or give a hint."""
    view = now.view
    return view.machine is not None or view.plays_itself or view.hint_asked is not None


def next_request(now: Snapshot, players: MachinePlayers) -> TableRequest | None:
    """Return the computer's next request to the table, or None."""
    if not is_next(now):
        return None
    state, asker = now.state, now.view.hint_asked
    players.begin(now.log[0])
    if asker is not None:
        return ApplyHint(players.hint(state, asker), state)
    seat = now.view.machine
    return AutoAdvance(state) if seat is None else Play(players.decide(state, seat), state)


class MachineSeats:
    """The thread that plays the computer's seats at *loop*'s table."""

    def __init__(self, loop: Loop, players: MachinePlayers, pauses: dict[str, float] | None = None) -> None:
        self._loop = loop
        self._players = players
        self._pauses = pauses or PAUSES
        self._reported: dict[int, str] = {}
        self._is_refused = False
        self._wake = threading.Event()
        self._stop = False
        self._thread = threading.Thread(target=self._run, name="machine seats", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def on_change(self, kind: str) -> None:
        """Wake the thread if *kind* is `state`.  Thread-safe; never blocks."""
        if kind == "state":
            self._wake.set()

    def stop(self) -> None:
        """Stop the thread; a decision in progress is discarded."""
        self._stop = True
        self._wake.set()

    def _run(self) -> None:
        while not self._stop:
            self._wake.clear()
            try:
                is_done = self._act(self._loop.table.now)
            except Exception:  # noqa: BLE001  a bug must not end the game
                _LOG.exception("the computer's move failed")
                is_done = self._failed(
                    "a bug in cribpi stopped the computer's move (see the log); "
                    "it will try again; UNDO undoes the step before it"
                )
            if not is_done:  # Try again once the game has changed, or after some seconds.
                self._wake.clear()
                if not self._stop:
                    self._wake.wait(RETRY_AFTER)
        self._players.end()

    def _act(self, now: Snapshot) -> bool:
        """Act at *now*, or wait for the next change.  Return whether that succeeded."""
        if now.log:
            self._players.begin(now.log[0])
        if not is_next(now):
            self._players.prepare(now.state)
            self._wake.wait()
            return True
        if not self._has_paused(now):
            return True
        request = next_request(now, self._players)
        self._report_troubles()
        if request is None or self._stop:
            return True
        response = self._send(request)
        if response is not None and isinstance(response.refused, JournalTrouble):
            return self._failed(str(response.refused))
        is_done = response is None or response.is_accepted or not self._is_at(now)
        if is_done and self._is_refused:
            self._is_refused = False
            self._loop.trouble(_MOVE, None)
        return is_done

    def _has_paused(self, now: Snapshot) -> bool:
        """Pause for the speed setting, except before a hint.  Return whether *now* is still current."""
        pause = self._pauses[now.context.value("speed")] if now.view.hint_asked is None else 0.0
        pause = max(pause, to_read(now.state) * max(pause, READING))
        end = time.monotonic() + pause
        while self._is_at(now) and (remaining := end - time.monotonic()) > 0:
            self._wake.wait(remaining)
            self._wake.clear()
        return self._is_at(now)

    def _is_at(self, now: Snapshot) -> bool:
        current = self._loop.table.now  # `is`: after undo and redo the state is equal, not the same
        is_same = current.state is now.state and current.input_state.dialog is now.input_state.dialog
        return not self._stop and is_same and current.view.hint_asked == now.view.hint_asked

    def _failed(self, reason: str) -> bool:
        """Report the *reason* of a failed move.  Return False."""
        self._is_refused = True
        self._loop.trouble(_MOVE, reason)
        return False

    def _send(self, request: TableRequest) -> TableResponse | None:
        """Send *request* to the table and wait for its response; None if this thread must stop first."""
        response = self._loop.ask(lambda table: table.do(request, COMPUTER))
        while not self._stop:
            with suppress(TimeoutError):
                return response.result(STOP_POLL)
        return None

    def _report_troubles(self) -> None:
        now = dict(self._players.troubles)
        for seat in self._reported.keys() | now.keys():
            if self._reported.get(seat) != now.get(seat):
                self._loop.trouble(f"machine in seat {seat}", now.get(seat))
        self._reported = now
