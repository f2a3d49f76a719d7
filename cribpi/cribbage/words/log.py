"""The log of a game: each event with its states before and after, and its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import chain
from typing import TypeAlias

from cribpi.cribbage.game.events import Event, GameStarted
from cribpi.cribbage.game.show import Score
from cribpi.cribbage.game.state import Outcome, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.cite import Reason
from cribpi.cribbage.words import speech
from cribpi.cribbage.words.tell import tell
from cribpi.cribbage.words.why import automatic, reasons_of_outcome, scored


@dataclass(frozen=True)
class LogEntry:
    """An *event*, with the states *before* and *after* it; each game begins from a new table.

    The texts are computed one by one, on first use.
    """

    before: State = field(hash=False)  # hashing states would take a hundred times as long
    event: Event
    after: State = field(hash=False)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        return self.after.outcomes_of(self.event)

    @property
    def deal(self) -> int:
        """The number of the deal; 0 before the first.

        The show of a crib belongs to the deal that it ends, and so does muggins for it.
        """
        return self.outcomes[0].deal if self.outcomes else self.after.deal_number

    @cached_property
    def text(self) -> str:
        return tell(self.event, self.after)

    @cached_property
    def announced(self) -> str:
        """The text for a screen reader."""
        return speech.announced(self.event, self.after, self.text)

    @cached_property
    def spoken(self) -> str:
        """The words of the player, or "" if there are none."""
        return speech.spoken_text(self.before, self.event, self.after)

    @cached_property
    def sound(self) -> speech.Sound | None:
        return speech.sound(self.before, self.event, self.after)

    @cached_property
    def scores(self) -> tuple[tuple[Score, Reason], ...]:
        """Each score, with the rule behind it."""
        return tuple(chain.from_iterable(scored(outcome, self.after.rules) for outcome in self.outcomes))

    @cached_property
    def automatic(self) -> tuple[Reason, ...]:
        """The rules behind its automatic steps, such as the end of a count."""
        return automatic(self.before, self.event, self.after)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """The rules behind its outcomes and automatic steps."""
        pegged = chain.from_iterable(reasons_of_outcome(each, self.after.rules) for each in self.outcomes)
        return tuple(dict.fromkeys((*pegged, *self.automatic)))


GameLog: TypeAlias = tuple[LogEntry, ...]
"""The entries of a game, oldest first."""


def end_of(log: GameLog) -> State:
    return log[-1].after if log else NEW_TABLE


def append(log: GameLog, event: Event) -> GameLog:
    """Return *log* after *event*; a new game begins a new log.

    Raises:
        RuleError: If *event* is illegal.
    """
    return with_entry(log, event, step(end_of(log), event))


def with_entry(log: GameLog, event: Event, after: State) -> GameLog:
    before = () if isinstance(event, GameStarted) else log
    return (*before, LogEntry(end_of(before), event, after))


def game_log(events: Iterable[Event]) -> GameLog:
    """Return the log of *events*: none, or those of one or more games from the first.

    Raises:
        RuleError: If an event is illegal.
    """
    return reduce(append, events, ())
