"""What there is to show at one moment, and the line of events that led there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import takewhile

from cribpi.companion.entry.by_dealing import is_nobodys
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.choices import choices
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.reply import Move, Refusal
from cribpi.cribbage.game.events import CribShown, Entry, Event, GameStarted, HandShown
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record.earlier import step_as_accepted
from cribpi.cribbage.rules.cite import Reason
from cribpi.cribbage.words.why import automatic


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, and the state that it led to."""

    event: Event
    state: State


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All there is to show, at one moment; other threads may read it."""

    desk: Desk
    seq: int
    may_undo: bool
    may_redo: bool
    line: tuple[Moment, ...]
    """This game's events, oldest first."""
    refusal: Refusal | None = None
    pad: Pad = TWENTY
    """The keys that its sentences name."""
    leaving: bool = False
    """Whether the last press has made the machine switch itself off."""
    viewer: int | None = None
    """The seat whose own view it is; None where all can see it."""

    @property
    def state(self) -> State:
        """Where the game stands."""
        return _end(self.line)

    @property
    def automatic(self) -> tuple[Reason, ...]:
        """What happened by itself with the last event, and why."""
        return tuple(automatic(_end(self.line[:-1]), self.line[-1].event, self.state)) if self.line else ()

    def since(self, before: Snapshot) -> tuple[Moment, ...]:
        """Return the moments since *before*; empty if this does not continue it."""
        known = len(before.line)
        return self.line[known:] if self.line[:known] == before.line else ()

    def blank(self) -> Snapshot:
        """Return a snapshot of this number in which there is nothing to see."""
        return replace(self, desk=Desk(), line=(), refusal=None, viewer=None)

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be pressed now."""
        return self.possible(choices(self.state, self.desk, self.pad, self.viewer))

    def possible(self, offered: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Return what is *offered*; a step back or forward only where there is one."""
        gone = {Move.UNDO: not self.may_undo, Move.REDO: not self.may_redo}
        return tuple(
            choice for choice in offered if choice.reply.move is None or not gone.get(choice.reply.move)
        )


def steps_back(line: Sequence[Moment], desk: Desk, depth: int) -> int:
    """Return how many events of the *depth* in the journal lead back to before a person's last one.

    The beginning of a game is taken back by itself: what went on from there without a person comes before it.
    """
    steps = 1
    while steps < len(line) - 1 and goes_with(line[-steps - 1], line[-steps].event, desk, depth - steps):
        steps += 1
    return steps


def goes_with(before: Moment, event: Event, desk: Desk, depth: int) -> bool:
    """Tell whether *event* is one decision with the moment *before* it, which is *depth* steps deep."""
    is_carried = depth in desk.carried and shows_at_end((before,)) > 0
    return is_carried or is_nobodys(before.state, event, desk)


def shows_at_end(line: Sequence[Moment]) -> int:
    """Return how many hands and cribs, in a row, were pegged last where the cards are real."""
    at_end = takewhile(lambda one: isinstance(one.event, HandShown | CribShown), reversed(line))
    return sum(one.state.entry is Entry.CARDS for one in at_end)


def append(line: tuple[Moment, ...], event: Event) -> tuple[Moment, ...]:
    """Return *line* with *event* done; a new game begins a new line."""
    return _with(line, event, step(_end(line), event))


def bring_back(line: tuple[Moment, ...], event: Event) -> tuple[Moment, ...]:
    """Return *line* with *event* done again, which may have been done with an earlier cribpi."""
    return _with(line, *step_as_accepted(_end(line), event))


def _end(line: tuple[Moment, ...]) -> State:
    return line[-1].state if line else NEW_TABLE


def _with(line: tuple[Moment, ...], event: Event, state: State) -> tuple[Moment, ...]:
    before = () if isinstance(event, GameStarted) else line
    return (*before, Moment(event, state))


def moments(events: Sequence[Event]) -> tuple[Moment, ...]:
    """Return the line of *events*, the first of which begins a game, if there are any."""
    return reduce(append, events, ())
