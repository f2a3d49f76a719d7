"""What there is to show at one moment, and the log of the game that led there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from cribpi.companion.entry.carry import Carry, carry
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.hands import is_nobodys
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.reply import Move, Refusal
from cribpi.companion.entry.view import TableView, view_of
from cribpi.cribbage.game.events import CribShown, Entry, Event, HandShown, HeelsTaken
from cribpi.cribbage.game.state import State
from cribpi.cribbage.record.earlier import step_as_accepted
from cribpi.cribbage.words.log import GameLog, LogEntry, end_of, with_entry


@dataclass(frozen=True)
class Snapshot:
    """All there is to show, at one moment; other threads may read it."""

    desk: Desk
    seq: int
    may_undo: bool
    may_redo: bool
    log: GameLog
    """This game's events, oldest first."""
    refusal: Refusal | None = None
    pad: Pad = TWENTY
    """The keys that its sentences name."""
    leaving: bool = False
    """Whether the last press has made the machine switch itself off."""
    viewer: int | None = None
    """The seat whose own view it is; None where all can see it."""

    @cached_property
    def state(self) -> State:
        """Where the game stands."""
        return end_of(self.log)

    @cached_property
    def view(self) -> TableView:
        """The view model of the board itself."""
        return view_of(self.state, self.desk, self.pad, self.viewer, self.log)

    @cached_property
    def carry(self) -> Carry:
        """What a card says without more on a page."""
        return carry(self.view)

    def since(self, before: Snapshot) -> GameLog:
        """Return the entries since *before*; empty if this does not continue it."""
        known = len(before.log)
        return self.log[known:] if self.log[:known] == before.log else ()

    def did_last(self, seat: int) -> bool:
        """Tell whether the last event that a person has done was that of *seat*."""
        for entry in reversed(self.log[1:]):
            if not is_nobodys(entry.before, entry.event, self.desk):
                deal, event = self.state.deal, entry.event
                is_heels = isinstance(event, HeelsTaken) and deal is not None and deal.dealer == seat
                return is_heels or getattr(event, "seat", None) == seat
        return False

    def with_refusal(self, refusal: Refusal) -> Snapshot:
        """Return the snapshot with why the last press was refused; what there is to see stays the same."""
        found = replace(self, refusal=refusal)
        vars(found)["view"] = self.view
        return found

    def blank(self) -> Snapshot:
        """Return a snapshot of this number in which there is nothing to see."""
        return replace(self, desk=Desk(), log=(), refusal=None, viewer=None)

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be pressed now."""
        return self.possible(self.view.choices)

    def possible(self, offered: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Return what is *offered*; a step back or forward only where there is one."""
        gone = {Move.UNDO: not self.may_undo, Move.REDO: not self.may_redo}
        return tuple(
            choice for choice in offered if choice.reply.move is None or not gone.get(choice.reply.move)
        )


def steps_back(log: GameLog, desk: Desk, depth: int) -> int:
    """Return how many events of the *depth* in the journal lead back to before a person's last one.

    The beginning of a game is taken back by itself: what went on from there without a person comes before it.
    """
    steps = 1
    while steps < len(log) - 1 and goes_with(log[-steps - 1], log[-steps].event, desk, depth - steps):
        steps += 1
    return steps


def goes_with(before: LogEntry, event: Event, desk: Desk, depth: int) -> bool:
    """Tell whether *event* is one decision with the entry *before* it, which is *depth* steps deep."""
    is_carried = depth in desk.carried and shows_at_end((before,)) > 0
    return is_carried or is_nobodys(before.after, event, desk)


def shows_at_end(log: GameLog) -> int:
    """Return how many hands and cribs, in a row, were pegged last where the cards are real."""
    at_end = takewhile(lambda one: isinstance(one.event, HandShown | CribShown), reversed(log))
    return sum(one.after.entry is Entry.CARDS for one in at_end)


def bring_back(log: GameLog, event: Event) -> GameLog:
    """Return *log* with *event* done again, which may have been done with an earlier cribpi."""
    return with_entry(log, *step_as_accepted(end_of(log), event))
