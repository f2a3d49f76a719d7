"""A table of any house, stateful: legal moves, undo and redo in any order, and the record of where it
stands."""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support import games
from support.laws import check_line, check_move
from support.samples import examples

from cribpi.companion.entry.hands import is_by_machine
from cribpi.companion.entry.requests import Play, Press
from cribpi.companion.journal.journal import Journal
from cribpi.companion.table.chance_once import kind_of_draw
from cribpi.companion.table.table import Table
from cribpi.companion.web.json.state import AS_JSON
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.record import parse, print_record
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules.rules import Rules


class TableMachine(RuleBasedStateMachine):
    """A real table on a real journal, beside a list of the states that it was in."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.journal = Journal(Path(self.folder.name) / "journal.db")
        seconds = count()
        self.table = Table(
            self.journal, formatter=AS_JSON, clock=lambda: f"2030-01-01T{next(seconds):08}Z", draw=lambda: 0
        )
        self.states = [NEW_TABLE]
        self.events: list[Event] = []
        self.ever: list[Event] = []
        self.undone = 0

    def teardown(self) -> None:
        self.journal.close()
        self.folder.cleanup()

    def offer(self, event: Event) -> bool:
        """Offer *event* as a page does; tell whether it was accepted, and check what it came to."""
        before = self.table.now.state
        answer = self.table.do(Play(event, self.table.now.state))
        if not answer.is_accepted:
            assert self.table.now.state == before, "a refusal changes nothing"
            return False
        taken = self.table.now.log[-1].event
        assert taken == event or (kind_of_draw(before, event) and taken in self.ever), (
            "only chance is as it was before an UNDO"
        )
        check_move(before, taken, self.table.now.state)
        self.states.append(self.table.now.state)
        self.events.append(taken)
        self.ever.append(taken)
        self.undone = 0
        return True

    @initialize(
        seed=st.integers(0, 2**16),
        rules=st.sampled_from(games.ALL_PRESETS) | st.randoms(use_true_random=False).map(games.random_house),
        entry=st.sampled_from(Entry),
    )
    def start(self, seed: int, rules: Rules, entry: Entry) -> None:
        assert self.offer(games.random_start(Random(seed), rules.players, entry, rules))

    @rule(seed=st.integers(0, 2**32), most=st.integers(1, 25))
    def play_on(self, seed: int, most: int) -> None:
        chance = Random(seed)
        for _ in range(most):
            self.offer(games.random_event(self.table.now.state, chance))

    @rule(seed=st.integers(0, 2**32))
    def correct(self, seed: int) -> None:
        self.offer(games.random_correction(self.table.now.state, Random(seed)))

    @precondition(lambda self: self.table.now.state.winner is not None)
    @rule()
    def play_another(self) -> None:
        assert self.offer(next_game(self.table.now.state))

    @precondition(lambda self: len(self.states) > 1)
    @rule(times=st.integers(1, 30))
    def take_back_and_bring_back(self, times: int) -> None:
        """Undo then redo is nothing, however often."""
        at, ways = len(self.events), list[int]()
        while at and len(ways) < times:
            ways.append(at)
            at = self.before(at)
            assert self.table.do(Press("UNDO")).is_accepted
            assert self.table.now.state == self.states[at]
        for at in reversed(ways):
            assert self.table.do(Press("hold:UNDO")).is_accepted
            assert self.table.now.state == self.states[at]

    def before(self, at: int) -> int:
        """Return where one undo leads from after *at* events: before one of a person's, and the machine's
        after it."""
        while is_by_machine(self.states[at], self.events[at - 1]):
            at -= 1
        return at - 1

    @precondition(lambda self: len(self.states) > 2)
    @rule(times=st.integers(1, 5))
    def take_back(self, times: int) -> None:
        for _ in range(times):
            at = self.before(len(self.events))
            if not at:
                return
            assert self.table.do(Press("UNDO")).is_accepted
            del self.states[at + 1 :], self.events[at:]

    @invariant()
    def stands_where_its_record_stands(self) -> None:
        assert self.table.now.state == self.states[-1]
        check_line(self.events, self.states[-1])
        assert parse(print_record(self.events)) == tuple(self.events)


TestTable = TableMachine.TestCase
TestTable.settings = examples(12, steps=12)
