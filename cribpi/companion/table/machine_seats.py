"""The computer's seats and its hints: a thread that asks an opponent for each decision.

It never holds anything up: it thinks beside the loop, and what it has decided is dropped if the game has
moved on meanwhile, as by an undo.  Where no person plays, it also presses OK for the steps that are nobody's
choice.  While a menu or a question is open, or what UNDO took back is read, the machine waits.
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

from cribpi.companion.entry.ask import Ask, GoOn, Play, TakeHint
from cribpi.companion.entry.desk import Hint
from cribpi.companion.entry.hands import to_read
from cribpi.companion.journal.journal import Answer, JournalTrouble
from cribpi.companion.table.desks import COMPUTER
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.snapshot import Snapshot
from cribpi.cribbage.game.events import PERSON, CardPlayed, Discarded, Event
from cribpi.cribbage.game.legal import legal
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import State
from cribpi.cribbage.words.levels import BY_NAME, CARELESS, engine_name
from cribpi.cribbage.words.log import LogEntry

if TYPE_CHECKING:  # loaded when the first machine sits down, and not before
    from pathlib import Path

    from cribpi.cribbage.game.deal import PlayedDeal
    from cribpi.cribbage.game.sight import SeatSight
    from cribpi.cribbage.players.fallback import WithFallback
    from cribpi.cribbage.players.hints import Hinted
    from cribpi.cribbage.players.opponent import Opponent
    from cribpi.cribbage.rules.rules import Rules

_LOG: Final = logging.getLogger(__name__)

PAUSES: Final = {"slow": 2.0, "normal": 0.8, "fast": 0.0}
"""Seconds before a seat of the machine acts, by the speed that is set up, so that people can follow."""

READING: Final = 0.4
"""Seconds at least for each thing to look at before what goes without a key."""

STOP_POLL: Final = 0.5
"""Seconds after which a thread that waits for the table looks up, whether it is to stop."""

RETRY_AFTER: Final = 5.0
"""Seconds after which what the disk refused is tried again."""

PREPARING: Final = 60.0
"""Seconds at least that loading gets: on a Pi it takes much longer than a decision."""

_MOVE: Final = "computer's move"

Make: TypeAlias = "Callable[[str, Random], Opponent]"
"""Makes an opponent of a level, as `solid` or `solid-errs`; the seed of what it leaves to chance comes from
the second."""


def new_opponent(level: str, chance: Random) -> Opponent:
    """Return a new opponent of *level*.

    Raises:
        UserError: If there is no such level.
    """
    from cribpi.cribbage.players.levels import opponent  # noqa: PLC0415  NumPy, for a seat that needs it

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
    """Return a new opponent of *level*, or one of *engines*, which has *patience* seconds for a decision.

    An engine does not see the files *secret_paths*; one that *is_trusted* is not confined.

    Raises:
        UserError: If there is no such level or engine.
    """
    if not (name := engine_name(level)):
        return new_opponent(level, chance)
    from cribpi.companion.engines.process import player_of  # noqa: PLC0415  for a seat that needs it

    return player_of(name, engines, patience, secret_paths=secret_paths, is_trusted=is_trusted)


GiveHint: TypeAlias = "Callable[[SeatSight, Random], Hinted]"
"""Gives a hint to a seat by what it sees; the seed of what it leaves to chance comes from the second."""


def new_hint(sight: SeatSight, chance: Random) -> Hinted:
    """Return a hint by the strongest level."""
    from cribpi.cribbage.players.hints import hint  # noqa: PLC0415  as above

    return hint(sight, chance)


Remember: TypeAlias = "Callable[[str], tuple[PlayedDeal, ...]]"
"""Returns the play of earlier games of the person of that name, as if that person had always had seat 0."""


def nothing_remembered(_: str) -> tuple[PlayedDeal, ...]:
    return ()


class MachinePlayers:
    """The opponents, each made by *make* when its seat first decides, and the hints that *give_hint* gives.

    A level that reads the other of two gets to know, by *remember*, how that person played in earlier games.

    What they leave to chance hangs on a seed from *chance*, and on what a seat sees: the same sight gives the
    same card, whatever was decided before, and also after an undo.  With *patience* each decision gets so
    many seconds, and an opponent that hangs gives its seat to another; without it, none is ever given up.
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
        """By a machine's seat and the other's name, the play of the other in earlier games."""
        self._make = make
        self._give_hint = give_hint
        self._patience = patience
        self._seats: dict[tuple[int, str], WithFallback] = {}
        self._prepared_for: Rules | None = None
        self._game: LogEntry | None = None
        self.troubles: dict[int, str] = {}
        """By seat, what there is to say of an opponent that failed and gave its seat to another."""

    def begin(self, game: LogEntry) -> None:
        """Seat new opponents, where *game* begins another game than they were seated for."""
        if self._game is not game:
            self._game = game
            self.end()
            self._past.clear()
            self.troubles.clear()

    def end(self) -> None:
        """Let the opponents go, with what they have running."""
        self._seats.clear()

    def decide(self, state: State, seat: int) -> Event:
        """Return what the machine does in *seat*, by what that seat sees and nothing else."""
        player, may = self._player(seat, state.level(seat)), legal(state, seat)
        event = may[0]  # his heels come first, and the only card or a go needs no thought
        if isinstance(event, Discarded):
            event = Discarded(seat, player.discard(sight_of(state, seat)))
        elif isinstance(event, CardPlayed) and len(may) > 1:
            sight = sight_of(state, seat)
            event = CardPlayed(seat, player.play(replace(sight, past=self._known(state, seat))))
        if player.trouble is not None:
            self.troubles[seat] = f"{state.names[seat]}: {player.trouble}"
        return event

    def hint(self, state: State, seat: int) -> Hint:
        """Return a hint for the person in *seat*, by what that seat sees and nothing else."""
        from cribpi.cribbage.players.fallback import TookTooLong, within  # noqa: PLC0415  as above
        from cribpi.cribbage.players.hints import simple_hint  # noqa: PLC0415  as above

        sight, chance = sight_of(state, seat), Random(self._seed)  # noqa: S311  a game's
        try:
            found = within(self._patience, lambda: self._give_hint(sight, chance))
        except TookTooLong as late:
            _LOG.warning("no hint from expert (%s): thrifty gives one instead", late)
            found = simple_hint(sight)
        return Hint(tuple(map(str, found.cards)), found.words, found.brief)

    def prepare(self, state: State) -> None:
        """Load what the seats of the game at *state* will need, so that the first decision is quick."""
        for seat in range(state.players):
            self._known(state, seat)
        levels = {state.level(seat).removesuffix(CARELESS) for seat in range(state.players)} - {PERSON}
        loads = any(BY_NAME[level].loads for level in levels & BY_NAME.keys())
        if state.rules == self._prepared_for or not loads:
            return
        self._prepared_for = state.rules
        from cribpi.cribbage.players.fallback import within  # noqa: PLC0415  as above
        from cribpi.cribbage.players.levels import prepare  # noqa: PLC0415  as above

        seconds = None if self._patience is None else max(self._patience, PREPARING)
        with suppress(Exception):  # it is told with the first decision
            within(seconds, lambda: prepare(state.rules))

    def _known(self, state: State, seat: int) -> tuple[PlayedDeal, ...]:
        """Return the play that the level in *seat* knows the other by: of earlier games, and of this one."""
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
        from cribpi.cribbage.players.fallback import made  # noqa: PLC0415  as above

        if (seat, level) not in self._seats:
            chance = Random(self._seed)  # noqa: S311  a game's; seats differ by what they see
            self._seats[seat, level] = made(level, lambda: self._make(level, chance), self._patience)
        return self._seats[seat, level]


def is_next(now: Snapshot) -> bool:
    """Tell whether it is for the machine to go on where *now* stands, or to give a hint."""
    view = now.view
    return view.machine is not None or view.plays_itself or view.hint_asked is not None


def next_ask(now: Snapshot, players: MachinePlayers) -> Ask | None:
    """Return what the computer asks of the table next where *now* stands, or None."""
    if not is_next(now):
        return None
    state, asker = now.state, now.view.hint_asked
    players.begin(now.log[0])
    if asker is not None:
        return TakeHint(players.hint(state, asker), state)
    seat = now.view.machine
    return GoOn(state) if seat is None else Play(players.decide(state, seat), state)


class MachineSeats:
    """The thread that lets the machine's seats act at *loop*'s table."""

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
        """Act from now on."""
        self._thread.start()

    def on_change(self, kind: str) -> None:
        """Take notice of a change, if *kind* is `state`; any thread may call it, and it never waits."""
        if kind == "state":
            self._wake.set()

    def stop(self) -> None:
        """Act no more; what is being thought of is dropped."""
        self._stop = True
        self._wake.set()

    def _run(self) -> None:
        while not self._stop:
            self._wake.clear()
            try:
                is_well = self._went_on(self._loop.table.now)
            except Exception:  # noqa: BLE001  a bug must not end the game
                _LOG.exception("the computer's move failed")
                is_well = self._refused(
                    "a bug in cribpi stopped the computer's move (see the log); "
                    "it will try again; UNDO undoes the step before it"
                )
            if not is_well:  # until a key is pressed, or for some seconds
                self._wake.clear()
                if not self._stop:
                    self._wake.wait(RETRY_AFTER)
        self._players.end()

    def _went_on(self, now: Snapshot) -> bool:
        """Do what the computer does at *now*, or wait for another's turn; return whether that went well."""
        if now.log:
            self._players.begin(now.log[0])
        if not is_next(now):
            self._players.prepare(now.state)
            self._wake.wait()
            return True
        if not self._has_paused(now):
            return True
        ask = next_ask(now, self._players)
        self._report_troubles()
        if ask is None or self._stop:
            return True
        answer = self._answer(ask)
        if answer is not None and isinstance(answer.refused, JournalTrouble):
            return self._refused(str(answer.refused))
        is_done = answer is None or answer.is_accepted or not self._is_at(now)
        if is_done and self._is_refused:
            self._is_refused = False
            self._loop.trouble(_MOVE, None)
        return is_done

    def _has_paused(self, now: Snapshot) -> bool:
        """Wait as the speed says, but not with a hint; return whether the game still stands at *now*."""
        pause = self._pauses[now.desk.value("speed")] if now.view.hint_asked is None else 0.0
        pause = max(pause, to_read(now.state) * max(pause, READING))
        end = time.monotonic() + pause
        while self._is_at(now) and (left := end - time.monotonic()) > 0:
            self._wake.wait(left)
            self._wake.clear()
        return self._is_at(now)

    def _is_at(self, now: Snapshot) -> bool:
        there = self._loop.table.now
        is_same = there.state is now.state and there.desk.dialog is now.desk.dialog
        return not self._stop and is_same and there.view.hint_asked == now.view.hint_asked

    def _refused(self, why: str) -> bool:
        """Say *why* the machine's move was not done, and return that it was not."""
        self._is_refused = True
        self._loop.trouble(_MOVE, why)
        return False

    def _answer(self, ask: Ask) -> Answer | None:
        """Put *ask* to the table, and wait for what comes of it; None where this thread is to stop first."""
        asked = self._loop.ask(lambda table: table.do(ask, COMPUTER))
        while not self._stop:
            with suppress(TimeoutError):
                return asked.result(STOP_POLL)
        return None

    def _report_troubles(self) -> None:
        now = dict(self._players.troubles)
        for seat in self._reported.keys() | now.keys():
            if self._reported.get(seat) != now.get(seat):
                self._loop.trouble(f"machine in seat {seat}", now.get(seat))
        self._reported = now
