"""The table: check, write down, then show.  Everything that changes a game goes through here.

A press is answered only when it is on the disk, and a refusal changes nothing.  One thread uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Protocol, TypeAlias

from cribpi.companion.entry.ask import Ask, Meet, Pair, PowerMove, Press, Remove, Rename, reply_to
from cribpi.companion.entry.desk import Desk, Undone
from cribpi.companion.entry.here import NOBODY
from cribpi.companion.entry.house import RENAMED, Fact, House, said_on
from cribpi.companion.entry.kept import from_text, to_text
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.next_game import Setup
from cribpi.companion.entry.phones import Wish
from cribpi.companion.entry.reply import Move, Refusal, Reply, WrongKey, drawn
from cribpi.companion.entry.settings import ANY_MACHINE, Machine
from cribpi.companion.entry.view import fitted, view_of
from cribpi.companion.journal.journal import Answer, Journal, JournalTrouble
from cribpi.companion.table.chance_once import kind_of_draw, same_draw_as_before
from cribpi.companion.table.desks import BOARD, InputDesk
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.snapshot import Snapshot, bring_back, goes_with, shows_at_end, steps_back
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Event, GameStarted, PackShuffled, SeatsNamed
from cribpi.cribbage.results.statistics import summary_of
from cribpi.cribbage.rules.errors import BadSetup, RuleError
from cribpi.cribbage.rules.names import YOU
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.log import GameLog, LogEntry, append, game_log
from cribpi.cribbage.words.taken_back import brought_back, taken_back, with_shows

See: TypeAlias = "Callable[[Snapshot], Snapshot]"
"""Gives what there is as it is seen at the desk of whoever asks."""


class Answers(Protocol):
    """What makes the text for whoever asks: the table itself knows none."""

    def accepted(self, now: Snapshot, see: See, faults: Faults, /) -> str:
        """Return the text for what was accepted, and has led to *now*."""

    def refused(self, error: Exception, now: Snapshot, faults: Faults, /) -> str:
        """Return the text for what was refused by *error*."""

    def overtaken(self, by: str, now: Snapshot, see: See, faults: Faults, /) -> str:
        """Return the text for what came too late, and by whom: `person` or `machine`."""


Clock = Callable[[], str]
"""Gives the time, ISO 8601, UTC."""


@dataclass(frozen=True, slots=True)
class ShutdownResult:
    """What came of a request to shut down: *words* to say, and whether the machine *is_leaving*."""

    words: str
    is_leaving: bool = False


def no_pi(move: PowerMove) -> ShutdownResult:
    """Switch nothing off."""
    what = "shut down" if move is Move.SHUT_DOWN else "restart"
    return ShutdownResult(f"can't {what}: this is not a Raspberry Pi")


class Table:
    """The shell round the pure parts."""

    def __init__(
        self,
        journal: Journal,
        *,
        answers: Answers,
        clock: Clock,
        draw: Callable[[], int],
        shuffle: Callable[[], Sequence[Card]] = lambda: PACK,
        setup: Setup | None = None,
        asked: Sequence[str] = (),
        pad: Pad = TWENTY,
        power: Callable[[PowerMove], ShutdownResult] = no_pi,
        machine: Machine = ANY_MACHINE,
        wish: Callable[[Wish], None] = lambda _wish: None,
        has_played: Callable[[str], bool] = lambda _name: True,
    ) -> None:
        """Come back to the very prompt at which *journal* was left.

        *draw* gives a whole number by chance, *shuffle* a pack of 52 in the order in which chance has put it;
        *setup* is what a first new game offers, and its fields that are *asked* for, what the next one
        of an old table offers too; *pad* is the keys that people have; *power* asks the machine to switch
        itself off, or to restart, and returns what came of it; *machine* tells what is usual on it.
        *wish* is called with what is asked of the phones; *has_played* tells whether the games before know a
        person of that name.
        """
        self._journal = journal
        self._answers = answers
        self._clock = clock
        self._draw = draw
        self._shuffle = shuffle
        self._power = power
        self._pad = pad
        self._wish = wish
        self._has_played = has_played
        self._is_anew = False
        """Whether the journal had to be written anew, and no message has said so yet."""
        self.faults = Faults()
        """Views that fail, here and wherever this table is shown."""
        offered = Desk(setup or Setup(), machine=machine)
        seq, kept = journal.desk() or (0, "")
        desk = from_text(kept, offered)
        desk = replace(desk, machine=machine)
        self._offered = said_on(offered)
        self._house = self._house_after(0)
        """The durable facts, as the journal has them."""
        self._knows_begun = False
        """Whether it was asked which games of a night have begun: only a pairing wants that, and no start."""
        desk = self._house.on(desk, offered)
        if setup is not None:
            wanted = {field: getattr(setup, field) for field in asked}
            desk = replace(desk, setup=replace(desk.setup, **wanted))
        log = game_log(journal.game())
        journal.line = lambda: [entry.event for entry in self.now.log]
        self.now = Snapshot(fitted(desk, pad), seq, journal.may_undo, journal.may_redo, log, pad=pad)
        self._person_at = self.now.seq
        """The `seq` that a person's last press has led to: what came later is the machine's."""

    @property
    def trouble(self) -> str | None:
        """Why the disk has not taken the last press, or None."""
        return self._journal.trouble

    @property
    def notice(self) -> str | None:
        """What there is to say of the journal's files, or None."""
        return self._journal.notice

    # --- what can be asked of it ---

    def do(
        self,
        ask: Ask,
        desk: InputDesk = BOARD,
        *,
        id: str | None = None,  # noqa: A002  the contract's own word
        if_seq: int | None = None,
    ) -> Answer:
        """Do what is asked at *desk*: written down first, then there for all to see.

        The same *id* again gives the first answer again, and does nothing.  *if_seq* is the `seq` of the
        state that it is meant for: at any other it is refused.
        """
        if isinstance(ask, Pair) and not self._knows_begun:
            there = reduce(lambda here, one: here.after(*one), self._journal.paired(), NOBODY)
            here = replace(self.now.desk.here, begun=there.begun)
            self.now = replace(self.now, desk=replace(self.now.desk, here=here))
            self._knows_begun = True
        if isinstance(ask, Meet | Pair) and self._is_noted(ask):
            return Answer("", is_accepted=True)
        if if_seq is not None and desk.is_meant_still(self.now):
            if_seq = None
        try:
            self._find_journal()
            # An id that is known comes first: whoever asks again for a lost answer carries the seq of then.
            if id is not None and (first := self._journal.answer(id)) is not None:
                return first
            if if_seq is not None and if_seq != self.now.seq:
                return self._overtaken(id, if_seq, desk)
            if isinstance(ask, Rename):
                self._check_known(ask.old)
            removal = self._removal(ask) if isinstance(ask, Remove) else None
            answer = self._accept(desk.reply(ask, self.now), id, desk, removal)
        except (RuleError, JournalTrouble) as refused:
            if desk.is_boards:
                key = ask.key if isinstance(ask, Press) else ""
                self.now = self.now.with_refusal(Refusal(refused, key))
            text = self._answers.refused(refused, self.now, self.faults)
            answer = Answer(text, refused, is_accepted=False)
            if isinstance(refused, RuleError):
                self._remember(id, answer)
            return answer
        if desk.is_persons:
            self._person_at = self.now.seq
        return answer

    # --- how it is done ---

    def _check_known(self, name: str) -> None:
        """Check that somebody is called *name*, here, in what is set up, or in a game that was played.

        Raises:
            BadSetup: If nobody is.
            JournalTrouble: If the games can't be read.
        """
        setup = self.now.desk.setup
        here = {YOU, setup.you, *setup.people, *self.now.state.names}
        if name not in here and not self._has_played(name):
            raise BadSetup(f"nobody here is called {shown(name)}: look for the name in the statistics")

    def _removal(self, ask: Remove) -> tuple[int, bool]:
        """Return the row in which the game of *ask* begins, and whether it is to be removed.

        Raises:
            BadSetup: If there is no such game, it is so already, or it is on the table.
            JournalTrouble: If the games can't be read.
        """
        starts, removed = self._journal.games(), self._journal.removed()
        number = ask.number
        if number not in starts:
            there = f"the games are 1 to {len(starts)}" if starts else "play one first"
            raise BadSetup(f"there is no game {number}: {there}")
        start, is_open = starts[number], number == len(starts) and self.now.state.winner is None
        if ask.is_back and start not in removed:
            raise BadSetup(f"game {number} was not removed: look for it in Games")
        if start in removed and not ask.is_back:
            raise BadSetup(f"game {number} was removed already: Undo puts it back")
        if is_open and not ask.is_back:
            raise BadSetup(f"game {number} is on the table: finish it, or start another one first")
        return start, not ask.is_back

    def _is_noted(self, ask: Meet | Pair) -> bool:
        """Note who is here, or is to play, unless it changes what OK does; the journal keeps nothing of it.

        If it does, *ask* is as a press: one that was meant for what was there before comes too late.
        """
        now = self.now
        desk = replace(reply_to(ask, now.view).desk, message=now.desk.message)
        if view_of(now.state, desk).following != now.view.following:
            return False
        self.now = replace(now, desk=desk)
        return True

    def _remember(self, name: str | None, answer: Answer) -> None:
        if name is not None:
            self._journal.remember(name, answer)

    def _overtaken(self, name: str | None, if_seq: int, desk: InputDesk) -> Answer:
        """Refuse a press whose state is gone; the screen, which others read, says nothing of it."""
        by = "machine" if self._person_at <= if_seq < self.now.seq else "person"
        answer = Answer(self._answers.overtaken(by, self.now, desk.seen, self.faults), is_accepted=False)
        self._remember(name, answer)
        return answer

    def _find_journal(self) -> None:
        """See that the journal is where it was, and as it was left.

        If it had to be written anew, the next message says so.

        Raises:
            JournalTrouble: If somebody has changed it where it is, or if the disk refuses a new one.
        """
        try:
            self._is_anew |= self._journal.find_again()
        except JournalTrouble:
            journal = self._journal  # a new one may lack what was undone
            self.now = replace(self.now, may_undo=journal.may_undo, may_redo=journal.may_redo)
            raise

    def _said(self, steps: GameLog, words: Callable[[LogEntry], str], else_: str) -> str:
        """Say in *words* what began these *steps*, or which card did and what it pegged.

        A fault in the words never prevents an undo.
        """
        shows = steps[: shows_at_end(steps[:-1])]
        main = steps[-1 if shows else 0]
        return self.faults.guarded(
            "words", main.after, lambda: words(main) + with_shows(shows), lambda _error: else_
        )

    def _accept(
        self, reply: Reply, name: str | None, at: InputDesk, removal: tuple[int, bool] | None = None
    ) -> Answer:
        """Do what *reply* asks: on the disk first, then for all to see; it is told as *at* that desk.

        *removal* is the row in which a past game begins, and whether it is removed or put back.

        Raises:
            RuleError: If it is illegal.
            JournalTrouble: If the disk refuses.
        """
        own, desk = reply.desk, at.on_board(reply, self.now)
        if own is not desk and desk == self.now.desk and reply.event is None and reply.move is None:
            # The input of any other desk than the board's is kept there.
            text = self._answers.accepted(self.now, lambda now: at.seen(now, own), self.faults)
            answer = Answer(text, is_accepted=True)
            self._remember(name, answer)
            at.keep(own, self.now)
            return answer
        event = self._with_chance(reply, desk)
        done = () if event is None else (*reply.before, event)
        after, steps = self._after(desk, done, reply.move)
        after, house, said = self._with_house(after, steps, reply.renamed)
        if self._is_anew:
            after = replace(after, desk=replace(after.desk, message=self.notice))
        answer = Answer(
            lambda: self._answers.accepted(after, lambda now: at.seen(now, own), self.faults),
            is_accepted=True,
        )
        # The next start comes back to the prompt, and not to the last words.
        kept = replace(after.desk, message=None) if after.leaving else after.desk
        try:
            self._journal.commit(
                self._clock(),
                after.seq,
                to_text(kept, house.renamed),
                done,
                steps=steps,
                answer=None if name is None else (name, answer),
                summary=self._summary(event, after),
                removal=removal,
                said=said,
            )
        except JournalTrouble:
            # Nothing of the game is lost with this press: a full disk does not keep a Pi from going off.
            if not after.leaving:
                raise
            self._remember(name, answer)
        self.now, self._house = after, house
        self._is_anew = False
        at.keep(own, after)
        if reply.wish is not None:
            self._wish(reply.wish)
        return answer

    def _house_after(self, steps: int) -> House:
        """Return the house after redoing *steps*, or undoing them below 0.

        Raises:
            JournalTrouble: If the disk refuses.
        """
        return House(self._offered).told((fact.after, fact.said) for fact in self._journal.house(steps))

    def _with_house(
        self, after: Snapshot, steps: int, renamed: tuple[str, str] | None
    ) -> tuple[Snapshot, House, list[Fact]]:
        """Return the snapshot *after* a press, the house then, and what was said with it.

        With so many *steps* a renaming goes back or comes again, and with it what was called by that name.

        Raises:
            JournalTrouble: If the disk refuses.
        """
        house, said = self._house, list[Fact]()
        moved = (self.now if steps < 0 else after).log[-abs(steps) :] if steps else ()
        if any(isinstance(one.event, SeatsNamed) for one in moved):
            was, house = self._house_after(0), self._house_after(steps)
            after = replace(after, desk=house.instead_of(was, after.desk))
        if renamed is not None:
            said = [*house.news(self.now.desk), (RENAMED, *renamed)]
            row = self._journal.last_row
            house = house.told((row, fact) for fact in said)
        said += house.news(after.desk)
        if said or house.heard is None:
            house = House(said_on(after.desk), house.renamed, after.desk)
        return after, house, said

    def _summary(self, event: Event | None, after: Snapshot) -> str | None:
        """Return what a game has come to that *event* wins, or leaves for another; None for other events.

        Without it, the next start or whoever asks replays the game.
        """
        if isinstance(event, GameStarted):
            over = self.now.state if self.now.log else None
        else:
            over = after.state if event is not None and after.state.winner is not None else None
        if over is None:
            return None
        return self.faults.guarded("statistics", after, lambda: summary_of(over).text(), lambda _error: None)

    def _with_chance(self, reply: Reply, desk: Desk) -> Event | None:
        """Return the event of *reply*, or the pack, the cut card or the dealer that it leaves to chance.

        That is what this place of the game had before an undo, if it had any.  A game that a club's desk, as
        it is on *desk*, waits for gets its night and round.

        Raises:
            JournalTrouble: If the disk refuses.
        """
        event, state = reply.event, self.now.state
        if reply.move is Move.SHUFFLE:
            event = PackShuffled(tuple(self._shuffle()))
        elif reply.move in {Move.CUT, Move.DRAW}:
            event = drawn(state, reply.move, self._draw())
        if event is None:
            return None
        event = desk.here.started(event)
        word = kind_of_draw(state, event)
        if word is not None:
            line = [entry.event for entry in self.now.log]
            event = same_draw_as_before(event, line, self._journal.taken_back(word))
        return event

    def _after(self, desk: Desk, done: Sequence[Event], move: Move | None) -> tuple[Snapshot, int]:
        """Return the snapshot with *desk* after the events *done*, or *move*, and the steps redone.

        Those of an undo are below 0.  An undo or a redo covers one event of a person's, what was nobody's
        after it, and the shows that it pegged first.

        Raises:
            RuleError: If it is illegal.
        """
        now, log, depth, steps, leaving = self.now, self.now.log, self._journal.depth, 0, False
        may_undo, may_redo = now.may_undo, now.may_redo
        if done:
            log = reduce(append, done, log)
            may_undo, may_redo = True, False
            depth += len(done)
            here = desk.here.after(done[-1], depth)
            desk = desk if here is desk.here else replace(desk, here=here)
            if len(done) > 1 or desk.carried:
                desk = desk.with_step(depth, len(done) - 1)
        elif move is Move.UNDO:
            if not may_undo:
                raise WrongKey("nothing to undo")
            steps = -steps_back(log, now.desk, depth)
            said = self._said(log[steps:], taken_back, "The last step was taken back")
            undone = Undone(said, depth + steps)
            log = log[:steps] or game_log(self._journal.game_before())
            desk = replace(desk, dialog=undone, here=desk.here.at(depth + steps))
            may_undo, may_redo = bool(log), True
        elif move is Move.REDO:
            if not may_redo:
                raise WrongKey("nothing to redo: redo comes after an undo")
            log, steps, message = self._brought_back()
            here = desk.here.at(depth)
            for deep, one in enumerate(log[-steps:], start=depth + 1):
                here = here.after(one.event, deep)
            desk = replace(desk, message=message, here=here)
            may_undo, may_redo = True, steps < len(self._journal.undone)
        elif move is Move.SHUT_DOWN or move is Move.RESTART:
            result = self._power(move)
            desk, leaving = replace(desk, message=result.words), result.is_leaving
        seq = now.seq + max(1, len(done))
        return Snapshot(desk, seq, may_undo, may_redo, log, pad=self._pad, leaving=leaving), steps

    def _brought_back(self) -> tuple[GameLog, int, str]:
        """Return the log after a redo, how many events that brings back, and what they are in words."""
        log = bring_back(self.now.log, self._journal.undone_event())
        steps = 1
        while len(log) > 1 and steps < len(self._journal.undone):
            event = self._journal.undone_event(steps)
            if not goes_with(log[-1], event, self.now.desk, self._journal.depth + steps):
                break
            log, steps = bring_back(log, event), steps + 1
        return log, steps, self._said(log[-steps:], brought_back, "The last step is back")
