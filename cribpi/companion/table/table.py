"""The table: checks a press, saves it, then shows it.  Every change to a game goes through here.

A press is answered only once it is on disk; a refused press changes nothing.  Not thread-safe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Protocol, TypeAlias

from cribpi.companion.entry.effect import Effect, Refusal, TableCommand, WrongKey, event_of_draw
from cribpi.companion.entry.facts import RENAMED, Fact, Facts, facts_of
from cribpi.companion.entry.here import NOBODY
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import NO_INPUT, Undone
from cribpi.companion.entry.kept import from_text, parts_of, to_text, with_parts
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.phones import PhoneCommand
from cribpi.companion.entry.requests import (
    PowerCommand,
    Press,
    Remove,
    Rename,
    SetPairing,
    SetPhones,
    TableRequest,
    effect_of,
)
from cribpi.companion.entry.settings import ANY_MACHINE, Machine
from cribpi.companion.entry.view import fitted, view_of
from cribpi.companion.journal.journal import Journal, JournalTrouble, TableResponse
from cribpi.companion.table.chance_once import kind_of_draw, same_draw_as_before
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.sessions import BOARD, ClientSession
from cribpi.companion.table.snapshot import Snapshot, bring_back, goes_with, shows_at_end, steps_back
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Event, GameStarted, PackShuffled, SeatsNamed
from cribpi.cribbage.results.statistics import summary_of
from cribpi.cribbage.rules.errors import BadSetup, RuleError
from cribpi.cribbage.rules.names import YOU
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.log import GameLog, LogEntry, append, game_log
from cribpi.cribbage.words.undo_texts import brought_back, taken_back, with_shows

See: TypeAlias = "Callable[[Snapshot], Snapshot]"
"""Maps a snapshot to the view of the client that asked."""


class ResponseFormatter(Protocol):
    """Formats the responses for one kind of client."""

    def accepted(self, now: Snapshot, see: See, faults: Faults, /) -> str:
        """Return the response to an accepted request, which has led to *now*."""

    def refused(self, error: Exception, now: Snapshot, faults: Faults, /) -> str:
        """Return the response to a request that was refused with *error*."""

    def overtaken(self, by: str, now: Snapshot, see: See, faults: Faults, /) -> str:
        """Return the response to a stale request; *by* is who acted first, `person` or `machine`."""


Clock = Callable[[], str]
"""Returns the current time: ISO 8601, UTC."""


@dataclass(frozen=True, slots=True)
class ShutdownResult:
    """The message after a request to shut down or restart, and whether the system is going down."""

    words: str
    is_leaving: bool = False


def no_pi(command: PowerCommand) -> ShutdownResult:
    """Refuse *command* on a computer that is not a Raspberry Pi."""
    what = "shut down" if command is TableCommand.SHUT_DOWN else "restart"
    return ShutdownResult(f"can't {what}: this is not a Raspberry Pi")


class Table:
    """The imperative shell: the journal, the clock and random draws around the pure game rules."""

    def __init__(
        self,
        journal: Journal,
        *,
        formatter: ResponseFormatter,
        clock: Clock,
        draw: Callable[[], int],
        shuffle: Callable[[], Sequence[Card]] = lambda: PACK,
        setup: NextGame | None = None,
        asked: Sequence[str] = (),
        pad: Pad = TWENTY,
        power: Callable[[PowerCommand], ShutdownResult] = no_pi,
        machine: Machine = ANY_MACHINE,
        on_phone_command: Callable[[PhoneCommand], None] = lambda _command: None,
        has_played: Callable[[str], bool] = lambda _name: True,
    ) -> None:
        """Restore the game and the open prompt from *journal*.

        *draw* returns a random integer, *shuffle* a shuffled pack of 52 cards.  *setup* has the defaults for
        a new table's first game; its fields listed in *asked* also override the saved set-up.
        *power* shuts the system down or restarts it.  *on_phone_command* handles a command about phones.
        *has_played* returns whether a person of that name has played an earlier game.
        """
        self._journal = journal
        self._formatter = formatter
        self._clock = clock
        self._draw = draw
        self._shuffle = shuffle
        self._power = power
        self._pad = pad
        self._on_phone_command = on_phone_command
        self._has_played = has_played
        self._is_rebuilt = False
        """Whether the journal was rebuilt and no message has reported it yet."""
        self.faults = Faults()
        """Bugs in the views, here and wherever this table is shown."""
        offered = setup or NextGame()
        seq, row = journal.saved_input() or (0, "")
        input_state, context = from_text(row, SavedInput(NO_INPUT, InputContext(offered)))
        self._offered = facts_of(offered.house)
        self._facts = self._facts_after(0)
        """The durable facts in the journal, such as names and house rules."""
        self._has_read_pairings = False
        """Whether the journal's pairings were read.  Only a pairing report needs them, not every start."""
        game = self._facts.on(context.next_game, offered)
        game = with_parts(game, {word: value for word, value in parts_of(offered).items() if word in asked})
        context = fitted(replace(context, next_game=game, machine=machine), pad)
        log = game_log(journal.game())
        journal.line = lambda: [entry.event for entry in self.now.log]
        self.now = Snapshot(input_state, context, seq, journal.may_undo, journal.may_redo, log, pad=pad)
        self._person_seq = self.now.seq
        """The `seq` after a person's last press; the computer has caused any later one."""

    @property
    def trouble(self) -> str | None:
        """Why the last press could not be saved, or None."""
        return self._journal.trouble

    @property
    def notice(self) -> str | None:
        """The message about journal files that were moved or deleted, or None."""
        return self._journal.notice

    def do(
        self,
        request: TableRequest,
        session: ClientSession = BOARD,
        *,
        id: str | None = None,  # noqa: A002  the contract's own word
        if_seq: int | None = None,
    ) -> TableResponse:
        """Apply *request* from *session*: save it, then show it.

        A repeated *id* returns the first response and changes nothing.  A *request* whose *if_seq* is not the
        current `seq` is refused as stale, unless it still applies at *session*.
        """
        if isinstance(request, SetPairing) and not self._has_read_pairings:
            saved = reduce(lambda reports, game: reports.after(*game), self._journal.paired(), NOBODY)
            self.now = replace(self.now, context=self.now.context.with_here(begun=saved.begun))
            self._has_read_pairings = True
        if isinstance(request, SetPhones | SetPairing) and self._is_noted(request):
            return TableResponse("", is_accepted=True)
        if if_seq is not None and session.is_meant_still(self.now):
            if_seq = None
        try:
            self._find_journal()
            # The id comes first: a client that retries after a lost response sends the seq of its first try.
            if id is not None and (first := self._journal.response(id)) is not None:
                return first
            if if_seq is not None and if_seq != self.now.seq:
                return self._overtaken(id, if_seq, session)
            if isinstance(request, Rename):
                self._check_known(request.old)
            removal = self._removal(request) if isinstance(request, Remove) else None
            response = self._accept(session.effect(request, self.now), id, session, removal)
        except (RuleError, JournalTrouble) as refused:
            if session.is_boards:
                key = request.key if isinstance(request, Press) else ""
                self.now = self.now.with_refusal(Refusal(refused, key))
            text = self._formatter.refused(refused, self.now, self.faults)
            response = TableResponse(text, refused, is_accepted=False)
            # A failed write is not remembered: a retry must try it again.
            if isinstance(refused, RuleError):
                self._remember(id, response)
            return response
        if session.is_persons:
            self._person_seq = self.now.seq
        return response

    def _check_known(self, name: str) -> None:
        """Check that *name* is a player of this game, the next one or an earlier one.

        Raises:
            BadSetup: If it is not.
            JournalTrouble: If the games can't be read.
        """
        game = self.now.context.next_game
        players = {YOU, game.house.you, *game.people, *self.now.state.names}
        if name not in players and not self._has_played(name):
            raise BadSetup(f"nobody here is called {shown(name)}: look for the name in the statistics")

    def _removal(self, request: Remove) -> tuple[int, bool]:
        """Return the journal row where the game begins, and whether to remove it (False: put it back).

        Raises:
            BadSetup: If there is no such game, it is already removed or back, or it is not finished.
            JournalTrouble: If the games can't be read.
        """
        starts, removed = self._journal.games(), self._journal.removed()
        number = request.number
        if number not in starts:
            advice = f"the games are 1 to {len(starts)}" if starts else "play one first"
            raise BadSetup(f"there is no game {number}: {advice}")
        start, is_open = starts[number], number == len(starts) and self.now.state.winner is None
        if request.is_back and start not in removed:
            raise BadSetup(f"game {number} was not removed: look for it in Games")
        if start in removed and not request.is_back:
            raise BadSetup(f"game {number} was removed already: Undo puts it back")
        if is_open and not request.is_back:
            raise BadSetup(f"game {number} is on the table: finish it, or start another one first")
        return start, not request.is_back

    def _is_noted(self, request: SetPhones | SetPairing) -> bool:
        """Apply a phone or pairing report that does not change what OK does.  Return whether it was applied.

        Such reports are not journaled.  All other reports are handled as presses, and may be stale.
        """
        now = self.now
        context = effect_of(request, now.view).context or now.context
        if view_of(now.state, now.input_state, context=context).following != now.view.following:
            return False
        self.now = replace(now, context=context)
        return True

    def _remember(self, name: str | None, response: TableResponse) -> None:
        if name is not None:
            self._journal.remember(name, response)

    def _overtaken(self, name: str | None, if_seq: int, session: ClientSession) -> TableResponse:
        """Refuse a stale press.  The board's screen, which other people are reading, does not show it."""
        by = "machine" if self._person_seq <= if_seq < self.now.seq else "person"
        response = TableResponse(
            self._formatter.overtaken(by, self.now, session.seen, self.faults), is_accepted=False
        )
        self._remember(name, response)
        return response

    def _find_journal(self) -> None:
        """Check that the journal's files are in place and unchanged; if not, rebuild them.

        The next message reports a rebuilt journal.

        Raises:
            JournalTrouble: If the files were changed in place, or new ones can't be written.
        """
        try:
            self._is_rebuilt |= self._journal.find_again()
        except JournalTrouble:
            journal = self._journal  # A rebuilt journal may lack the undone events.
            self.now = replace(self.now, may_undo=journal.may_undo, may_redo=journal.may_redo)
            raise

    def _described(self, steps: GameLog, words: Callable[[LogEntry], str], otherwise: str) -> str:
        """Describe the undone or redone *steps* by their first event.

        If a card implied the pegging of hands, they come before it: the text names the card, then the hands.
        The text is *otherwise* if *words* raises: a bug there must not prevent an undo.
        """
        shows = steps[: shows_at_end(steps[:-1])]
        main = steps[-1 if shows else 0]
        return self.faults.guarded(
            "words", main.after, lambda: words(main) + with_shows(shows), lambda _error: otherwise
        )

    def _accept(
        self, effect: Effect, name: str | None, client: ClientSession, removal: tuple[int, bool] | None = None
    ) -> TableResponse:
        """Apply *effect*: save it, then show it.  Return the response for *client*.

        *removal* is the row where a past game begins, and whether to remove it (False: put it back).

        Raises:
            RuleError: If it is illegal.
            JournalTrouble: If the write fails.
        """
        own, saved = effect.input_state, client.on_board(effect, self.now)
        if (
            client.has_own_input
            and saved == self.now.saved
            and effect.event is None
            and effect.command is None
        ):
            # Only a phone's own input has changed, which is not journaled.
            text = self._formatter.accepted(self.now, lambda now: client.seen(now, own), self.faults)
            response = TableResponse(text, is_accepted=True)
            self._remember(name, response)
            client.keep(own, self.now)
            return response
        event = self._with_chance(effect, saved.context)
        if isinstance(event, GameStarted):
            saved = saved._replace(context=replace(saved.context, pace=effect.pace))
        done = () if event is None else (*effect.before, event)
        after, steps = self._after(saved, done, effect.command)
        after, facts, new_facts = self._with_facts(after, steps, effect.renamed)
        if self._is_rebuilt:
            after = replace(after, input_state=replace(after.input_state, message=self.notice))
        response = TableResponse(
            lambda: self._formatter.accepted(after, lambda now: client.seen(now, own), self.faults),
            is_accepted=True,
        )
        saved = after.saved
        if after.leaving:  # The next start shows the prompt, not the message of this shutdown.
            saved = saved._replace(input_state=replace(after.input_state, message=None))
        try:
            self._journal.commit(
                self._clock(),
                after.seq,
                to_text(saved, facts.renamed),
                done,
                steps=steps,
                response=None if name is None else (name, response),
                summary=self._summary(event, after),
                removal=removal,
                statements=new_facts,
            )
        except JournalTrouble:
            # A full disk must not prevent a shutdown; this press has no event to lose.
            if not after.leaving:
                raise
            self._remember(name, response)
        # Only now: a change must not become visible before it is on the disk.
        self.now, self._facts = after, facts
        self._is_rebuilt = False
        client.keep(own, after)
        if effect.phone_command is not None:
            self._on_phone_command(effect.phone_command)
        return response

    def _facts_after(self, steps: int) -> Facts:
        """Return the durable facts after redoing *steps* events (negative: undoing them).

        Raises:
            JournalTrouble: If they can't be read.
        """
        return Facts(self._offered).with_facts(
            (fact.after, fact.statement) for fact in self._journal.house(steps)
        )

    def _with_facts(
        self, after: Snapshot, steps: int, renamed: tuple[str, str] | None
    ) -> tuple[Snapshot, Facts, list[Fact]]:
        """Return the snapshot *after* a press, the durable facts, and the facts that are new.

        If the undone or redone *steps* rename a person, that person is renamed in the set-up too.

        Raises:
            JournalTrouble: If the facts can't be read.
        """
        facts, new_facts = self._facts, list[Fact]()
        log = self.now.log if steps < 0 else after.log
        moved = log[-abs(steps) :] if steps else ()
        if any(isinstance(entry.event, SeatsNamed) for entry in moved):
            was, facts = self._facts_after(0), self._facts_after(steps)
            game = facts.instead_of(was, after.context.next_game)
            after = replace(after, context=replace(after.context, next_game=game))
        if renamed is not None:
            new_facts = [*facts.news(self.now.context.house), (RENAMED, *renamed)]
            row = self._journal.last_row
            facts = facts.with_facts((row, fact) for fact in new_facts)
        house = after.context.house
        new_facts += facts.news(house)
        if new_facts or facts.read_from is None:
            facts = Facts(facts_of(house), facts.renamed, house)
        return after, facts, new_facts

    def _summary(self, event: Event | None, after: Snapshot) -> str | None:
        """Return the statistics of the game that *event* wins or abandons, or None for other events.

        A game without a saved summary is replayed whenever its statistics are needed.
        """
        if isinstance(event, GameStarted):
            over = self.now.state if self.now.log else None
        else:
            over = after.state if event is not None and after.state.winner is not None else None
        if over is None:
            return None
        return self.faults.guarded("statistics", after, lambda: summary_of(over).text(), lambda _error: None)

    def _with_chance(self, effect: Effect, context: InputContext) -> Event | None:
        """Return the event of *effect* or the draw that it requests (pack, cut card or dealer), or None.

        An undone draw is repeated.  If the event starts a game of the pairing in *context*, the pairing's
        night and round are added to it.

        Raises:
            JournalTrouble: If the undone draws can't be read.
        """
        event, state = effect.event, self.now.state
        if effect.command is TableCommand.SHUFFLE:
            event = PackShuffled(tuple(self._shuffle()))
        elif effect.command in {TableCommand.CUT, TableCommand.DRAW}:
            event = event_of_draw(state, effect.command, self._draw())
        if event is None:
            return None
        event = context.here.started(event)
        word = kind_of_draw(state, event)
        if word is not None:
            line = [entry.event for entry in self.now.log]
            event = same_draw_as_before(event, line, self._journal.taken_back(word))
        return event

    def _after(
        self, saved: SavedInput, done: Sequence[Event], command: TableCommand | None
    ) -> tuple[Snapshot, int]:
        """Return the snapshot after the events *done* or *command*, and the number of steps redone.

        The number is negative for an undo.  An undo or redo covers one event of a person, the automatic
        events after it and the shows pegged before it.

        Raises:
            RuleError: If it is illegal.
        """
        now, log = self.now, self.now.log
        depth, (input_state, context) = self._journal.depth, saved
        steps, leaving = 0, False
        may_undo, may_redo = now.may_undo, now.may_redo
        if done:
            log = reduce(append, done, log)
            may_undo, may_redo = True, False
            depth += len(done)
            here = context.here.after(done[-1], depth)
            context = context if here is context.here else replace(context, here=here)
            if len(done) > 1 or context.carried:
                context = context.with_step(depth, len(done) - 1)
        elif command is TableCommand.UNDO:
            if not may_undo:
                raise WrongKey("nothing to undo")
            steps = -steps_back(log, now.context, depth)
            text = self._described(log[steps:], taken_back, "The last step was taken back")
            undone = Undone(text, depth + steps)
            # Undoing the start of a game leaves an empty log: the previous game is shown again.
            log = log[:steps] or game_log(self._journal.game_before())
            input_state = replace(input_state, dialog=undone)
            context = replace(context, here=context.here.at(depth + steps))
            may_undo, may_redo = bool(log), True
        elif command is TableCommand.REDO:
            if not may_redo:
                raise WrongKey("nothing to redo: redo comes after an undo")
            log, steps, message = self._brought_back()
            here = context.here.at(depth)
            for number, entry in enumerate(log[-steps:], start=depth + 1):
                here = here.after(entry.event, number)
            input_state, context = replace(input_state, message=message), replace(context, here=here)
            may_undo, may_redo = True, steps < len(self._journal.undone)
        elif command is TableCommand.SHUT_DOWN or command is TableCommand.RESTART:
            result = self._power(command)
            input_state, leaving = replace(input_state, message=result.words), result.is_leaving
        seq = now.seq + max(1, len(done))
        after = Snapshot(input_state, context, seq, may_undo, may_redo, log, pad=self._pad, leaving=leaving)
        return after, steps

    def _brought_back(self) -> tuple[GameLog, int, str]:
        """Return the log after a redo, the number of events redone, and a message."""
        log = bring_back(self.now.log, self._journal.undone_event())
        steps = 1
        while len(log) > 1 and steps < len(self._journal.undone):
            event = self._journal.undone_event(steps)
            if not goes_with(log[-1], event, self.now.context, self._journal.depth + steps):
                break
            log, steps = bring_back(log, event), steps + 1
        return log, steps, self._described(log[-steps:], brought_back, "The last step is back")
