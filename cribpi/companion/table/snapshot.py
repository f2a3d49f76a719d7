"""A snapshot of the table: the game's log, the input, and the views computed from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.effect import Refusal, TableCommand
from cribpi.companion.entry.hands import is_nobodys
from cribpi.companion.entry.implied import ImpliedPresses, implied_presses
from cribpi.companion.entry.input_context import ANY_CONTEXT, InputContext, SavedInput
from cribpi.companion.entry.input_state import NO_INPUT, InputState
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.view import TableView, view_of
from cribpi.cribbage.game.events import CribShown, Entry, Event, HandShown, HeelsTaken
from cribpi.cribbage.game.state import State
from cribpi.cribbage.record.legacy import step_as_accepted
from cribpi.cribbage.words.log import GameLog, LogEntry, end_of, with_entry


@dataclass(frozen=True)
class Snapshot:
    """Everything that can be shown at one moment.  Immutable: any thread can read it."""

    input_state: InputState
    context: InputContext
    seq: int
    may_undo: bool
    may_redo: bool
    log: GameLog
    """The game's events, oldest first."""
    refusal: Refusal | None = None
    pad: Pad = TWENTY
    """The keypad, whose keys the prompts name."""
    leaving: bool = False
    """Whether the system is shutting down or restarting."""
    viewer: int | None = None
    """The seat whose private view this is, or None for the public view."""

    @property
    def saved(self) -> SavedInput:
        return SavedInput(self.input_state, self.context)

    @cached_property
    def state(self) -> State:
        return end_of(self.log)

    @cached_property
    def view(self) -> TableView:
        """The view model for `viewer`."""
        return view_of(self.state, self.input_state, self.pad, self.viewer, self.log, self.context)

    @cached_property
    def implied_presses(self) -> ImpliedPresses:
        """The presses of OK that a card tapped on a page implies, by the card's key."""
        return implied_presses(self.view)

    def since(self, before: Snapshot) -> GameLog:
        """Return the log entries added since *before*, or () if this log does not continue that one."""
        known = len(before.log)
        return self.log[known:] if self.log[:known] == before.log else ()

    def did_last(self, seat: int) -> bool:
        """Return whether the person in *seat* made the last event that was not automatic."""
        for entry in reversed(self.log[1:]):
            if not is_nobodys(entry.before, entry.event, self.context.house.automatic):
                deal, event = self.state.deal, entry.event
                # HeelsTaken names no seat: the dealer scores.
                is_heels = isinstance(event, HeelsTaken) and deal is not None and deal.dealer == seat
                return is_heels or getattr(event, "seat", None) == seat
        return False

    def with_refusal(self, refusal: Refusal) -> Snapshot:
        """Return this snapshot with *refusal*, reusing its view, which does not depend on refusals."""
        refused = replace(self, refusal=refusal)
        vars(refused)["view"] = self.view
        return refused

    def blank(self) -> Snapshot:
        """Return an empty snapshot with the same `seq`."""
        return replace(self, input_state=NO_INPUT, context=ANY_CONTEXT, log=(), refusal=None, viewer=None)

    def choices(self) -> tuple[Choice, ...]:
        """Return the choices for `viewer`, without an undo or redo that is not possible."""
        return self.possible(self.view.choices)

    def possible(self, offered: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Return the choices *offered*, without an undo or redo that is not possible."""
        may = {TableCommand.UNDO: self.may_undo, TableCommand.REDO: self.may_redo}
        return tuple(
            choice
            for choice in offered
            if choice.effect.command is None or may.get(choice.effect.command, True)
        )


def steps_back(log: GameLog, context: InputContext, depth: int) -> int:
    """Return the number of events in a person's last decision, which one undo takes back.

    *depth* is the number of events in the journal.  GameStarted is never undone together with later events.
    """
    steps = 1
    while steps < len(log) - 1 and goes_with(log[-steps - 1], log[-steps].event, context, depth - steps):
        steps += 1
    return steps


def goes_with(before: LogEntry, event: Event, context: InputContext, depth: int) -> bool:
    """Return whether *event* belongs to the same decision as the event before it.

    *before* is the log entry of that event, and *depth* its number in the journal.
    """
    is_carried = depth in context.carried and shows_at_end((before,)) > 0
    return is_carried or is_nobodys(before.after, event, context.house.automatic)


def shows_at_end(log: GameLog) -> int:
    """Count the hands and cribs shown at the very end of *log*, without other events between them.

    Only shows of real cards count.
    """
    shows = takewhile(lambda entry: isinstance(entry.event, HandShown | CribShown), reversed(log))
    return sum(entry.after.entry is Entry.CARDS for entry in shows)


def bring_back(log: GameLog, event: Event) -> GameLog:
    """Return *log* with *event* redone, even if only an earlier version of cribpi accepted it."""
    return with_entry(log, *step_as_accepted(end_of(log), event))
