"""The machine's seats: a thread that asks an opponent for each of their decisions, and hands it to the table.

It never holds anything up: it thinks beside the loop, and what it has decided is dropped if the game has moved
on meanwhile, as by an undo.  Where no person plays, it also presses OK for the steps that are nobody's choice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Final

from cribpi.core.decide import next_machine, persons
from cribpi.core.events import CardPlayed, CardsLaidAway, Entry, Event, GoSaid, HeelsTaken
from cribpi.core.sight import sight_of
from cribpi.core.state import Phase, State
from cribpi.journal import JournalTrouble
from cribpi.loop import Loop
from cribpi.table import Snapshot, Table

if TYPE_CHECKING:  # loaded when the first machine sits down, and not before
    from cribpi.opponents.handing_over import HandingOver
    from cribpi.opponents.opponent import Opponent

PAUSES: Final = {"slow": 2.0, "normal": 0.8, "fast": 0.0}
"""Seconds before a seat of the machine acts, by the speed that is set up, so that people can follow."""

LOOK_UP: Final = 0.5
"""Seconds after which a thread that waits for the table looks up, whether it is to stop."""

AGAIN: Final = 5.0
"""Seconds after which a decision that the disk refused is tried again."""


class MachinePlayers:
    """The opponents, each made when its seat first decides; what they leave to chance comes from *chance*."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._seats: dict[tuple[int, str], HandingOver] = {}
        self.troubles: dict[int, str] = {}
        """By seat, what there is to say of an opponent that failed and gave its seat to another."""

    def decide(self, state: State, seat: int) -> Event:
        """Return what the machine does in *seat*, by what that seat sees and nothing else."""
        deal = state.deal
        if deal is not None and deal.heels_open and seat == deal.dealer:
            return HeelsTaken()
        sight, player = sight_of(state, seat), self._player(seat, state.level(seat))
        if state.phase is Phase.DEAL:
            event: Event = CardsLaidAway(seat, player.lay_away(sight))
        elif not sight.playable:
            event = GoSaid(seat)
        elif len(sight.playable) == 1:
            event = CardPlayed(seat, sight.playable[0])
        else:
            event = CardPlayed(seat, player.play(sight))
        if player.trouble is not None:
            self.troubles[seat] = f"{state.names[seat]}: {player.trouble}"
        return event

    def _player(self, seat: int, level: str) -> HandingOver:
        from cribpi.opponents.handing_over import made  # noqa: PLC0415  NumPy, for a seat that needs it
        from cribpi.opponents.levels import opponent, read_level  # noqa: PLC0415

        if (seat, level) not in self._seats:
            chance = Random(self._chance.getrandbits(64))  # noqa: S311  a game's

            def make() -> Opponent:
                name, errs = read_level(level)
                return opponent(name, chance=chance, errs=errs)

            self._seats[seat, level] = made(level, make)
        return self._seats[seat, level]


def plays_itself(now: Snapshot) -> bool:
    """Tell whether OK is all that the game waits for, and no person sits there to press it."""
    state = now.state
    if state.entry is not Entry.DEALT or now.desk.dialog is not None or state.winner is not None:
        return False
    return bool(state.names) and not persons(state) and next_machine(state) is None


def next_act(now: Snapshot, players: MachinePlayers) -> Callable[[Table], bool] | None:
    """Return what the machine does next where *now* stands, to be put to the table; None where it does nothing.

    Put to the table, it tells whether it was done.
    """
    seat, state = next_machine(now.state), now.state
    if seat is not None:
        event = players.decide(state, seat)
        return lambda table: table.act(state, event)
    if plays_itself(now):
        return lambda table: table.now is now and table.press("OK").status == 200
    return None


class MachineSeats:
    """The thread that lets the machine's seats act at *loop*'s table."""

    def __init__(self, loop: Loop, players: MachinePlayers, pauses: dict[str, float] | None = None) -> None:
        self._loop = loop
        self._players = players
        self._pauses = pauses or PAUSES
        self._wake = threading.Event()
        self._stop = False
        self._thread = threading.Thread(target=self._run, name="machine seats", daemon=True)

    def start(self) -> None:
        """Act from now on."""
        self._thread.start()

    def told(self, kind: str) -> None:
        """Take notice of a change, if *kind* is `state`; any thread may tell, and it never waits."""
        if kind == "state":
            self._wake.set()

    def stop(self) -> None:
        """Act no more; what is being thought of is dropped."""
        self._stop = True
        self._wake.set()

    def _run(self) -> None:
        while not self._stop:
            self._wake.clear()
            now = self._loop.table.now
            is_paused = now.desk.dialog is not None and not persons(now.state)
            if is_paused or not (plays_itself(now) or next_machine(now.state) is not None):
                self._wake.wait()
                continue
            pause = self._pauses[now.desk.setup.speed]
            if pause and self._wake.wait(pause) and self._loop.table.now is not now:
                continue
            act = next_act(now, self._players)
            if act is not None and not self._stop:
                self._do(act)

    def _do(self, act: Callable[[Table], bool]) -> None:
        """Put *act* to the table, and wait until it is done; what the disk refuses is tried again later."""
        for told in self._players.troubles.values():
            self._loop.trouble("machine", told)
        done = self._loop.ask(act)
        while not self._stop:
            with suppress(TimeoutError):
                try:
                    done.result(LOOK_UP)
                except JournalTrouble as refused:
                    self._loop.trouble("machine's move", str(refused))
                    self._wake.wait(AGAIN)
                else:
                    self._loop.trouble("machine's move", None)
                return
