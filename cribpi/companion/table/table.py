"""The table: check, write down, then show.  Everything that changes a game goes through here.

A press is answered only when it is on the disk, and a refusal changes nothing.  One thread uses it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, Literal, Protocol

from cribpi.companion.entry.by_dealing import hint_asked, is_nobodys
from cribpi.companion.entry.choices import fitted, press, waiting_pairing
from cribpi.companion.entry.desk import Desk, Hint, NewGame, Setup, Undone
from cribpi.companion.entry.kept import from_json, to_json
from cribpi.companion.entry.pad import TWENTY, Pad
from cribpi.companion.entry.pairing import Club, Pairing
from cribpi.companion.entry.phones import Phones, Wish
from cribpi.companion.entry.reply import Move, Refusal, Reply, WrongKey, drawn
from cribpi.companion.entry.roles import table_after
from cribpi.companion.entry.settings import Settings, kept_settings
from cribpi.companion.journal.journal import Journal, JournalTrouble, LazyAnswer, Write
from cribpi.companion.table.answers import Answers
from cribpi.companion.table.chance_once import kind_of_draw, same_draw_as_before
from cribpi.companion.table.faults import Faults, sentence
from cribpi.companion.table.snapshot import Moment, Snapshot, append, bring_back, moments, steps_back
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Event, GameStarted, PackShuffled, PointsPegged, SeatsNamed
from cribpi.cribbage.game.names import given_names
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.results.standing import standing_of
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.presets import preset
from cribpi.cribbage.words.tell import tell

_STATE: Final = "page (state)"
"""What the state's JSON is called where it fails."""

OVERTAKEN: Final = {
    "person": "Somebody else pressed first: the game has changed, and your press did not count.",
    "machine": "The computer moved first: the game has changed, and your press did not count.",
}
"""The answer to a press that was meant for a state from which the table has gone on, by who moved it."""

Clock = Callable[[], str]
"""Gives the time, ISO 8601, UTC."""


class InputDesk(Protocol):
    """A desk beside the table's, where somebody enters things for himself."""

    def press(self, now: Snapshot, key: str, /) -> Reply:
        """Return what *key* does there; it may raise a `RuleError`."""

    def keep(self, desk: Desk, now: Snapshot, /) -> None:
        """Keep what is half entered there."""

    def is_meant_still(self, now: Snapshot, /) -> bool:
        """Tell whether a press that was meant for an earlier moment means the same *now*."""

    def seen(self, now: Snapshot, desk: Desk | None = None, /) -> Snapshot:
        """Return *now* as it is seen there; with *desk*, what is half entered there is that."""


See = Callable[[Snapshot], Snapshot]
"""Gives what there is as it is seen at the desk of whoever presses."""


def _at_the_table(now: Snapshot) -> Snapshot:
    return now


@dataclass(frozen=True, slots=True)
class ShutdownResult:
    """What came of a request to shut down: *words* to say, and whether the machine *is_leaving*."""

    words: str
    is_leaving: bool = False


def no_pi() -> ShutdownResult:
    """Switch nothing off."""
    return ShutdownResult("can't shut down: this is not a Raspberry Pi")


def no_restart() -> ShutdownResult:
    """Restart nothing."""
    return ShutdownResult("can't restart: this is not a Raspberry Pi")


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
        shut_down: Callable[[], ShutdownResult] = no_pi,
        restart: Callable[[], ShutdownResult] = no_restart,
        settings: Settings | None = None,
        wish: Callable[[Wish], None] = lambda _wish: None,
    ) -> None:
        """Come back to the very prompt at which *journal* was left.

        *draw* gives a whole number by chance, *shuffle* a pack of 52 in the order in which chance has put it;
        *setup* is what a first new game offers, and its fields that are *asked* for, what the next one
        of an old table offers too; *pad* is the keys that people have; *shut_down* asks the machine to switch
        itself off and returns what came of it, *restart* the same for a restart; *settings* are what is usual
        on this machine.  *wish* is called with what is asked of the phones.
        """
        self._journal = journal
        self._answers = answers
        self._clock = clock
        self._draw = draw
        self._shuffle = shuffle
        self._power = {Move.SHUT_DOWN: shut_down, Move.RESTART: restart}
        self._pad = pad
        self._wish = wish
        self._is_anew = False
        """Whether the journal had to be written anew, and no message has said so yet."""
        self.faults = Faults()
        """Views that fail, here and wherever this table is shown."""
        seq, desk = 0, Desk(setup or Setup())
        found = journal.desk()
        if found is not None:
            seq = found[0]
            with suppress(ValueError, RecursionError):
                desk = _desk(json.loads(found[1]), desk)
        usual = settings or Settings()
        desk = replace(desk, settings=replace(usual, changed=desk.settings.changed))
        if setup is not None:
            offered = replace(desk.setup, **{field: getattr(setup, field) for field in asked})
            desk = replace(desk, setup=offered)
        line = moments(journal.game())
        journal.line = lambda: [moment.event for moment in self.now.line]
        self.now = Snapshot(fitted(desk, pad), seq, journal.may_undo, journal.may_redo, line, pad=pad)
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

    def json(self, now: Snapshot | None = None, see: See = _at_the_table) -> dict[str, object]:
        """Return the state, as somebody may *see* it, in the shape of the contract; any thread may ask.

        If a part fails it is plain: what all can see.
        """
        shown = now or self.now

        def plain(error: Exception) -> dict[str, object]:
            return self._answers.plain(shown, sentence(_STATE, error))

        return self.faults.guarded(_STATE, shown, lambda: self._answers.state(see(shown)), plain)

    def press(self, key: str, name: str | None = None, if_seq: int | None = None) -> LazyAnswer:
        """Press *key*; *name* is the press's id, and the same one again gives the first answer again.

        *if_seq* is the `seq` of the state that the press is meant for: at any other it is refused.
        """
        return self._once(name, key, lambda: press(self.now.state, self.now.desk, key, self._pad), if_seq)

    def press_at(
        self, beside: InputDesk, key: str, name: str | None = None, if_seq: int | None = None
    ) -> LazyAnswer:
        """Press *key* at a desk of its own, as a phone has one; *name* and *if_seq* are as in `press`.

        What is half entered there, and why it was refused, stays there; and what is open at the table's own
        desk, such as the code that lets phones in, is no part of the answer.
        """

        def done() -> LazyAnswer:
            reply = beside.press(self.now, key)
            desk = table_after(self.now.desk, reply)
            if reply.event is None and reply.move is None and desk == self.now.desk:
                seen = self.json(self.now, lambda now: beside.seen(now, reply.desk))
                answer = LazyAnswer(200, json.dumps(seen))
                self._remember(name, answer)
            else:
                accepted = Reply(desk, reply.event, reply.move)
                answer = self._accept(accepted, name, lambda after: beside.seen(after, reply.desk))
            beside.keep(reply.desk, self.now)
            return answer

        is_meant = if_seq is None or beside.is_meant_still(self.now)
        return self._answered(name, done, None if is_meant else if_seq, see=beside.seen)

    def set_phones(self, phones: Phones) -> None:
        """Take notice of which *phones* are here; the journal keeps nothing of it."""
        away = tuple(sorted(phones.seats))
        self.now = replace(self.now, desk=replace(self.now.desk, phones=phones, away=away))

    def pair(self, pairing: Pairing | None) -> None:
        """Take from a club's desk whose game is next here, or None for nobody's.

        If that changes what OK does, it counts as a press: one that was meant for what was there before comes
        too late.
        """
        now = self.now
        club = replace(now.desk.club, pairing=pairing)
        desk = replace(now.desk, club=club)
        if waiting_pairing(now.state, desk) == waiting_pairing(now.state, now.desk):
            self.now = replace(now, desk=desk)
        else:
            reply = Reply(replace(desk, message=None))
            if self._once(None, "", lambda: reply).status != 200:  # where people would press again
                self._once(None, "", lambda: reply)

    def peg(
        self, event: Callable[[], PointsPegged], name: str | None = None, if_seq: int | None = None
    ) -> LazyAnswer:
        """Peg what *event* gives: a scored event by its name, or an amount; it may refuse."""
        return self._once(name, "", lambda: Reply(self.now.desk.cleared(), event()), if_seq)

    def name_seats(self, names: tuple[str, ...], name: str | None = None) -> LazyAnswer:
        """Give the seats names, in this game and the next ones."""
        return self._once(name, "", lambda: self._name(names))

    def set_up(
        self, setup: Callable[[Setup], Setup], name: str | None = None, *, opens_menu: bool = True
    ) -> LazyAnswer:
        """Set the next new game up as *setup* changes what is set up now; the new-game menu may open."""

        def changed() -> Reply:
            reply = self._set_up(setup)
            if opens_menu:
                return reply
            return Reply(replace(self.now.desk, setup=reply.desk.setup, message=None))

        return self._once(name, "", changed)

    def start(
        self, setup: Callable[[Setup], Setup], name: str | None = None, *, once: bool = False
    ) -> LazyAnswer:
        """Start a new game as *setup* changes what is set up now; a game that is on is over with it.

        Where that is for *once*, what is set up for the next game stays as it is.
        """

        def begun() -> Reply:
            desk = self._set_up(setup).desk
            wanted = desk.setup
            return Reply(self.now.desk.begun(wanted.speed) if once else desk.begun(), wanted.event())

        return self._once(name, "", begun)

    def change(self, values: Mapping[str, str], name: str | None = None) -> LazyAnswer:
        """Change settings to *values*, by their names; a game that is on goes on."""
        return self._once(name, "", lambda: Reply(reduce(_changed, values.items(), self.now.desk)))

    def power(self, move: Move, name: str | None = None) -> LazyAnswer:
        """Switch the machine off, or restart it, as *move* says."""
        return self._once(name, "", lambda: Reply(replace(self.now.desk, dialog=None), move=move))

    def act(self, state: State, event: Event) -> bool:
        """Let a computer's seat do *event*, if the game still stands at *state*; return whether it was done.

        It is not while a person has a menu or a question open, or reads what UNDO took back: that may speak
        of *state*.  A hand that lies open stays open, with what is chosen of it.

        Raises:
            JournalTrouble: If the disk refuses; nothing has changed.
        """
        if self.now.state is not state or self.now.desk.dialog is not None:
            return False
        self._find_journal()
        self._accept(Reply(replace(self.now.desk, message=None), event), None)
        return True

    def hint(self, state: State, hint: Hint) -> bool:
        """Choose what *hint* says, if one is still asked for at *state*; return whether it is.

        Raises:
            JournalTrouble: If the disk refuses; nothing has changed.
        """
        if self.now.state is not state or hint_asked(state, self.now.desk) is None:
            return False
        self._find_journal()
        self._accept(Reply(replace(self.now.desk, hint=hint, chosen=hint.cards)), None)
        return True

    def _set_up(self, setup: Callable[[Setup], Setup]) -> Reply:
        desk = self.now.desk
        wanted = setup(desk.setup)
        if wanted.names != desk.setup.names:
            wanted = replace(wanted, names=given_names(wanted.names))
        step(NEW_TABLE, wanted.event())  # rules that no game can start with are refused
        return Reply(fitted(replace(desk.cleared(), setup=wanted, dialog=NewGame()), self._pad))

    def _name(self, names: tuple[str, ...]) -> Reply:
        desk, names = self.now.desk, given_names(names)
        setup = replace(desk.setup, names=names)
        seated = names if len(names) > 1 else replace(setup, players=2).seat_names()
        step(NEW_TABLE, GameStarted(seated, preset("standard", len(seated))))  # the names are checked
        named = replace(desk, setup=setup)
        if self.now.state.players == len(names):
            return Reply(named, SeatsNamed(names))
        return Reply(replace(named, message=f"saved for the next new game: {', '.join(names)}"))

    def go_on(self) -> bool:
        """Press OK where only seats of the machine are left to press it; return whether it was accepted."""
        person_at = self._person_at
        answer = self.press("OK")
        self._person_at = person_at
        return answer.status == 200

    # --- how it is done ---

    def _once(
        self, name: str | None, key: str, ask: Callable[[], Reply], if_seq: int | None = None
    ) -> LazyAnswer:
        def refused(error: RuleError | JournalTrouble) -> None:
            self.now = replace(self.now, refusal=Refusal(error, key))

        return self._answered(name, lambda: self._accept(ask(), name), if_seq, refused)

    def _answered(
        self,
        name: str | None,
        do: Callable[[], LazyAnswer],
        if_seq: int | None,
        on_refusal: Callable[[RuleError | JournalTrouble], None] = lambda _error: None,
        see: See = _at_the_table,
    ) -> LazyAnswer:
        try:
            self._find_journal()
            # An id that is known comes first: whoever asks again for a lost answer carries the seq of then.
            if name is not None and (first := self._journal.answer(name)) is not None:
                return first
            if if_seq is not None and if_seq != self.now.seq:
                return self._overtaken(name, if_seq, see)
            answer = do()
        except (RuleError, JournalTrouble) as refused:
            on_refusal(refused)
            answer = LazyAnswer(409, json.dumps(self._refusal(refused)))
            if isinstance(refused, RuleError):
                self._remember(name, answer)
            return answer
        self._person_at = self.now.seq
        return answer

    def _remember(self, name: str | None, answer: LazyAnswer) -> None:
        if name is not None:
            self._journal.remember(name, answer)

    def _overtaken(self, name: str | None, if_seq: int, see: See) -> LazyAnswer:
        """Refuse a press whose state is gone; the screen, which others read, says nothing of it."""
        by = "machine" if self._person_at <= if_seq < self.now.seq else "person"
        state = self.json(self.now, see)
        answer = LazyAnswer(409, json.dumps({"error": OVERTAKEN[by], "by": by, "state": state}))
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

    def _refusal(self, refused: RuleError | JournalTrouble) -> dict[str, object]:
        now = self.now
        return self.faults.guarded(
            "page (refusal)",
            now,
            lambda: self._answers.refusal(refused, now.state.rules),
            lambda _error: {"error": str(refused)},
        )

    def _said(self, moment: Moment) -> str:
        """Say in words what happened; a fault in the words never prevents an undo."""
        event, state = moment.event, moment.state
        return self.faults.guarded("words", state, lambda: tell(event, state), lambda _error: "the last step")

    def _accept(self, reply: Reply, name: str | None, see: See = _at_the_table) -> LazyAnswer:
        """Do what *reply* asks: on the disk first, then for all to see; the answer tells what they *see*.

        Raises:
            RuleError: If it is illegal.
            JournalTrouble: If the disk refuses.
        """
        reply = self._with_chance(reply)
        steps = self._steps(reply.move)
        after = replace(self._after(reply, steps), seq=self.now.seq + 1, pad=self._pad)
        after = replace(after, desk=replace(after.desk, club=self._club(reply, steps)))
        if self._is_anew:
            after = replace(after, desk=replace(after.desk, message=self.notice))
        # The next start comes back to the prompt, and not to the last words.
        kept = json.dumps(to_json(replace(after.desk, message=None) if after.leaving else after.desk))
        answer = LazyAnswer(200, lambda: self.json(after, see))
        write = Write(
            after.seq,
            kept,
            reply.event,
            _MOVES.get(reply.move),
            steps,
            (name, answer) if name is not None else None,
            stood=standing_of(self.now.state).text()
            if self.now.line and isinstance(reply.event, GameStarted)
            else None,
        )
        try:
            self._journal.commit(write, self._clock())
        except JournalTrouble:
            # Nothing of the game is lost with this press: a full disk does not keep a Pi from going off.
            if not after.leaving:
                raise
            self._remember(name, answer)
        self.now, self._is_anew = after, False
        if reply.wish is not None:
            self._wish(reply.wish)
        return answer

    def _with_chance(self, reply: Reply) -> Reply:
        """Return *reply* with the pack, the cut card or the dealer that it leaves to chance.

        It is what this place of the game had before an undo, if it had any.  A game that a club's desk waits
        for gets its night and round.

        Raises:
            JournalTrouble: If the disk refuses.
        """
        event, state = reply.event, self.now.state
        if reply.move is Move.SHUFFLE:
            event = PackShuffled(tuple(self._shuffle()))
        elif reply.move in {Move.CUT, Move.DRAW}:
            event = drawn(state, reply.move, self._draw())
        if event is None:
            return reply
        event = reply.desk.club.started(event)
        word = kind_of_draw(state, event)
        if word is not None:
            line = [moment.event for moment in self.now.line]
            event = same_draw_as_before(event, line, self._journal.taken_back(word))
        return Reply(reply.desk, event)

    def _club(self, reply: Reply, steps: int) -> Club:
        """Return the desk's club after *reply*, which moves by *steps* where it is a move."""
        club, depth = reply.desk.club, self._journal.depth
        match reply:
            case Reply(event=event) if event is not None:
                return club.after(event, depth + 1)
            case Reply(move=Move.UNDO):
                return club.at(depth - steps)
            case Reply(move=Move.REDO):
                return club.at(depth + steps)
            case _:
                return club

    def _steps(self, move: Move | None) -> int:
        """Return how many events *move* covers: one of a person's, and what was nobody's after it."""
        line, desk, steps = self.now.line, self.now.desk, 1
        if move is Move.UNDO:
            return steps_back(line, desk)
        if move is Move.REDO and self.now.may_redo:
            line = bring_back(line, self._journal.undone_event())
            ahead = len(self._journal.undone)
            while len(line) > 1 and steps < ahead:
                event = self._journal.undone_event(steps)
                if not is_nobodys(line[-1].state, event, desk):
                    break
                line, steps = bring_back(line, event), steps + 1
        return steps

    def _after(self, reply: Reply, steps: int) -> Snapshot:
        """Return what there will be to show after *reply*, which moves by *steps* where it is a move.

        Raises:
            RuleError: If it is illegal.
        """
        now = replace(self.now, desk=reply.desk, refusal=None, leaving=False)
        if reply.event is not None:
            return replace(now, line=append(now.line, reply.event), may_undo=True, may_redo=False)
        match reply.move:
            case Move.UNDO:
                return self._after_undo(now, steps)
            case Move.REDO:
                return self._after_redo(now, steps)
            case Move.SHUT_DOWN | Move.RESTART:
                result = self._power[reply.move]()
                desk = replace(now.desk, message=result.words)
                return replace(now, desk=desk, leaving=result.is_leaving)
            case _:
                return now

    def _after_undo(self, now: Snapshot, steps: int) -> Snapshot:
        if not now.may_undo:
            raise WrongKey("nothing to undo")
        what = self._said(now.line[-steps])
        line = now.line[:-steps] or moments(self._journal.game_before())
        desk = replace(now.desk, dialog=Undone(what, self._journal.depth - steps))
        return replace(now, line=line, desk=desk, may_undo=bool(line), may_redo=True)

    def _after_redo(self, now: Snapshot, steps: int) -> Snapshot:
        if not now.may_redo:
            raise WrongKey("nothing to redo: redo comes after an undo")
        line = bring_back(now.line, self._journal.undone_event())
        desk = replace(now.desk, message=f"redone: {self._said(line[-1])}")
        for ahead in range(1, steps):
            line = bring_back(line, self._journal.undone_event(ahead))
        more = len(self._journal.undone) > steps
        return replace(now, line=line, desk=desk, may_undo=True, may_redo=more)


def _desk(kept: object, empty: Desk) -> Desk:
    """Return the desk that was *kept*; of a damaged one the settings alone, on an *empty* one."""
    with suppress(ValueError, RecursionError):
        return from_json(kept)
    settings = kept.get("settings") if isinstance(kept, dict) else None
    return replace(empty, settings=kept_settings(settings))


def _changed(desk: Desk, pair: tuple[str, str]) -> Desk:
    return desk.with_value(*pair)


_MOVES: Final[dict[Move | None, Literal["undo", "redo"]]] = {Move.UNDO: "undo", Move.REDO: "redo"}
