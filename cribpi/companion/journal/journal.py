"""The journal: every accepted press is on disk before its effect is visible, and no step is ever deleted.

One SQLite file. Each row of `steps` is an event, an undo or a redo, with its time; events are stored in the
format of the game record. Rows form a tree: an event's *parent* is the row it followed, so undo moves the
head to the parent, redo moves it back, and no row is ever changed. Unfinished input, and the latest answers
by id, are written in the same transaction.

A transaction is on disk when `commit` returns: WAL with `synchronous=FULL`. An SD card that loses
acknowledged data is beyond any program. A transaction that fails never comes back, even if only its sync
failed; and if the files were deleted or moved, everything is first written to new ones.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Final, Literal, TypeAlias

from cribpi.companion.files.disk import one_line, reason, remedy
from cribpi.companion.journal import database, house_table, steps_table
from cribpi.companion.journal.connection import JournalFile, is_malformed
from cribpi.companion.journal.games_table import (
    LACKING_SUMMARIES,
    fill,
    keep_removal,
    keep_summary,
    lacks_games,
    line_to,
    paired,
    record_start,
    removed_games,
)
from cribpi.companion.journal.house_table import RENAMED, FactRow, Renaming, Statement, keep_fact
from cribpi.companion.journal.location import (
    copies,
    is_emptied,
    lock_folder,
    marked,
    put_in_place,
    set_aside,
    unlock,
)
from cribpi.cribbage.game.events import Event, GameStarted
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import RecordError, parse_event, print_event
from cribpi.cribbage.record.legacy import as_accepted
from cribpi.cribbage.rules.errors import UserError

ANSWERS_KEPT: Final = 4096

MOST_RESCUED: Final = 500
"""Maximum number of earlier games rescued from a journal damaged by another program.

It is limited because the key press waits for the rescue.
"""

DAMAGED_DESK: Final = (
    "what you were entering and the setup of the next game were damaged and have been cleared; "
    "the game goes on"
)
_MOVED: Final = "the journal was deleted or moved"
_CHANGED: Final = "the journal was cut short or overwritten"
_UNREADABLE: Final = "the journal became unreadable"
_SAVED: Final = "{what} while cribpi ran: a new one now holds {kept}"
_EVERYTHING: Final = "everything that was in it"
NEW_JOURNAL: Final = _SAVED.format(what=_MOVED, kept=_EVERYTHING)
CHANGED_JOURNAL: Final = _SAVED.format(what=_CHANGED, kept=_EVERYTHING)

_LOST: Final = (
    "the journal lacks the last {presses}: its files were changed while cribpi ran, which was then killed "
    "before it could write them again"
)

_Rescued: TypeAlias = tuple[str, Sequence[Event], str | None, Sequence[int]]
"""A game of a damaged journal: the time of its start, its events and summary, and their rows."""


class JournalTrouble(UserError):
    """A read or write of the journal failed. The message is a sentence with the remedy."""


class StateFolderTrouble(JournalTrouble):
    """The state folder can't be used at all."""


class Answer:
    """The result of a request: whether it *is_accepted*, and the text for its sender.

    The text is built on first use: a keypad press never needs it, and building it takes a third of the time
    of a press.
    """

    def __init__(
        self, text: str | Callable[[], str], refused: Exception | None = None, *, is_accepted: bool
    ) -> None:
        """Take the stored text, or a function that makes it; *refused* is the reason, if still known."""
        self.is_accepted = is_accepted
        self.refused = refused
        self._text = text

    @cached_property
    def text(self) -> str:
        return self._text if isinstance(self._text, str) else self._text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and (self.is_accepted, self.text) == (other.is_accepted, other.text)

    __hash__ = None  # type: ignore[assignment]


_ACCEPTED, _REFUSED = 200, 409
"""The codes for that in the table of answers: the journals of the first version stored HTTP statuses."""


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Raise JournalTrouble for a failed read or a damaged row."""
    try:
        yield
    except (sqlite3.Error, RecordError) as bad:
        raise JournalTrouble(
            f"an earlier step can't be read ({bad}), so nothing has changed: the game goes on from here"
        ) from bad


class Journal:
    """The open file. Only one thread at a time may use it."""

    def __init__(
        self,
        path: Path,
        hold: Callable[[], None] = lambda: None,
        mark: Callable[[int], None] = lambda _seq: None,
    ) -> None:
        """Open or create *path*.

        *hold* recreates and locks the folder if the files were deleted or moved; it may raise JournalTrouble.
        *mark* receives the number of each press that is on the disk, and 0 when the file is closed undamaged.

        Raises:
            sqlite3.DatabaseError: If it is damaged, or is not a journal of a known version.
            OSError, sqlite3.OperationalError: If a read or write fails.
        """
        self.path = path
        self._hold = hold
        self._mark = mark
        self.line: Callable[[], Sequence[Event]] = self.game
        """Returns the events of the current game; can be replaced by a function that has them in memory."""
        self._unwritten: dict[str, Answer] = {}
        """Answers by id to presses that changed nothing, whose writes have failed so far."""
        self._has_copy = False
        """Whether there may be a copy that was not put in the place of the journal."""
        self._is_malformed = False
        """Whether SQLite has failed to read a page that a press needs."""
        self._opened = JournalFile(path)
        self.head: int | None = None
        self.depth = 0
        """The number of steps that can be undone."""
        self._at = ""
        """The time of the last step."""
        self.undone: list[int] = []
        self.trouble: str | None = None
        """The reason why the last write failed; None after the next successful write."""
        self.notice: str | None = None
        """The message about files that were deleted or moved, if any."""
        try:
            if lacks_games(self._db):
                with self._opened.transaction():
                    fill(self._db)
            self._resume()
            self._desk = self.desk()
            if more := house_table.unknown(self._db):
                with self._opened.transaction():
                    for old, new, after in more:
                        keep_fact(self._db, self._at, after, None, (RENAMED, old, new))
        except BaseException:
            self._opened.close()
            raise

    @property
    def _db(self) -> sqlite3.Connection:
        return self._opened.db

    def _resume(self) -> None:
        last = steps_table.last_step(self._db)
        if last is not None:
            self.head, self.depth = last.head, last.depth
            self._at = last.at
        self.undone = []
        tip = self._db.execute("SELECT max(id) FROM steps WHERE act = 'event'").fetchone()[0]
        while tip != self.head:
            if tip is None:
                raise sqlite3.DatabaseError("its steps do not lead to the current game")
            self.undone.append(tip)
            later, tip = tip, self._parent(tip)
            if tip is not None and tip >= later:
                raise sqlite3.DatabaseError("its steps go in circles")

    def close(self) -> None:
        """Close the file; one that another program has truncated or overwritten is replaced first.

        Otherwise SQLite would copy its log into the damaged file.
        """
        if self._opened.watched.are_in_place():
            with contextlib.suppress(JournalTrouble):
                self.find_again()
            if self.trouble is None:
                self._mark(0)
        self._opened.close()

    @property
    def may_undo(self) -> bool:
        return self.head is not None

    @property
    def may_redo(self) -> bool:
        """Whether the last change to the line of events was an undo."""
        return bool(self.undone)

    def game(self) -> list[Event]:
        """Return the events of the current game, up to the current state.

        Raises:
            RecordError: If one can't be read.
        """
        return self.game_to(self.head)

    @_reading()
    def game_before(self) -> list[Event]:
        """Return the events that `game` will return after an undo.

        Raises:
            JournalTrouble: If it can't be read.
        """
        return self.game_to(self._parent(self.head))

    @_reading()
    def undone_event(self, ahead: int = 0) -> Event:
        """Return the event that the next redo restores, or the redo *ahead* steps after it.

        Raises:
            JournalTrouble: If it can't be read.
        """
        return parse_event(steps_table.step_at(self._db, self.undone[-1 - ahead]).event)

    @_reading()
    def taken_back(self, word: str) -> list[list[Event]]:
        """Return the lines of this game up to each undone event of the record's *word*, newest first.

        A game with the same beginning after the same game, undone as a whole, counts as this game too.
        Damaged lines are left out.

        Raises:
            JournalTrouble: If the read fails.
        """
        line, lines = steps_table.game_to(self._db, self.head), []
        for beside in steps_table.games_beside(self._db, line, word) if line else ():
            with contextlib.suppress(sqlite3.DatabaseError, RecordError):
                lines.append([parse_event(step.whole().event) for step in beside])
        return lines

    @_reading()
    def games(self) -> dict[int, int]:
        """Return the row in which each game on the line begins, by its number; the last game comes first.

        Raises:
            JournalTrouble: If they can't be read.
        """
        start = steps_table.start_of(self._db, self.head)
        return {} if start is None else {game.number: game.start for game, _ in line_to(self._db, start)}

    @_reading()
    def removed(self) -> frozenset[int]:
        """Return the rows in which the removed games begin.

        Raises:
            JournalTrouble: If they can't be read.
        """
        return removed_games(self._db)

    def game_to(self, last: int | None) -> list[Event]:
        """Return the events of a game up to the one in row *last*.

        Raises:
            sqlite3.Error, RecordError: If one can't be read.
        """
        return as_accepted(parse_event(step.whole().event) for step in steps_table.game_to(self._db, last))

    def _parent(self, row: int | None) -> int | None:
        return steps_table.step_at(self._db, row).parent

    def desk(self) -> tuple[int, str] | None:
        """Return the number of the last accepted press and the unfinished input, or None for a new table.

        The input is empty if it is damaged.
        """
        return database.desk_row(self._db)

    @property
    def last_row(self) -> int:
        """The last row of `steps`, even if it is undone; 0 for a new journal."""
        return steps_table.last_row(self._db)

    def house(self, steps: int = 0) -> list[FactRow]:
        """Return the house facts as they would be after redoing *steps* steps, or undoing them if negative.

        Raises:
            JournalTrouble: If the read fails; after damage, `find_again` writes a new file.
        """
        with self._noticing("press again"):
            return house_table.facts(self._db, self._moved(steps), is_undo=steps < 0)

    def paired(self) -> list[tuple[GameStarted, int]]:
        """Return the club games on the line, oldest first, each with the number of steps up to its start.

        Unreadable games are left out.
        """
        games = list[tuple[GameStarted, int]]()
        with contextlib.suppress(sqlite3.Error):
            for text, depth in paired(self._db, steps_table.start_of(self._db, self.head)):
                with contextlib.suppress(RecordError):
                    event = parse_event(text)
                    if isinstance(event, GameStarted):
                        games.append((event, depth))
        return games

    def renamed(self) -> tuple[Renaming, ...]:
        """Return the renamings.

        Raises:
            JournalTrouble: If the read fails; after damage, `find_again` writes a new file.
        """
        with self._noticing("press again"):
            return house_table.renamings(self._db)

    def _moved(self, steps: int) -> list[int]:
        """Return the rows to redo, or to undo if *steps* is negative, in order."""
        if steps >= 0:
            return self.undone[::-1][:steps]
        rows, head = list[int](), self.head
        while head is not None and len(rows) < -steps:
            rows.append(head)
            head = self._parent(head)
        return rows

    def answer(self, name: str) -> Answer | None:
        """Return the answer given to the press of id *name*, or None if it is no longer stored.

        Raises:
            JournalTrouble: If the read fails; after damage, `find_again` writes a new file.
        """
        if name in self._unwritten:
            return self._unwritten[name]
        with self._noticing("press again"):
            row = self._db.execute("SELECT status, body FROM answers WHERE id = ?", (name,)).fetchone()
        return Answer(row[1], is_accepted=row[0] == _ACCEPTED) if row else None

    def commit(
        self,
        at: str,
        seq: int,
        desk: str,
        events: Iterable[Event] = (),
        *,
        steps: int = 0,
        answer: tuple[str, Answer] | None = None,
        summary: str | None = None,
        removal: tuple[int, bool] | None = None,
        statements: Sequence[Statement] = (),
        again: str = "press again",
    ) -> None:
        """Write one transaction with the timestamp *at*, after which the unfinished input is *desk*.

        The press has the number *seq*. It appends *events*, each of which can be undone, or moves by *steps*:
        positive redoes, negative undoes. *answer* is the press's id with its answer. *summary* is a game's
        summary, from `Summary.text`: of the game before if an event begins a game, else of this one.
        *removal* is the row in which a game begins, and whether it is removed or put back; undoing a step of
        a removed game puts it back. *statements* are facts about the house: renamings belong to the last of
        the events, and are taken back with it.

        Raises:
            JournalTrouble: If the write fails; nothing has changed then. The message ends with *again*.
        """
        act: Literal["undo", "redo"] = "redo" if steps > 0 else "undo"
        with self._writing(again):
            after = self.last_row if statements or steps else 0
            head, depth, last = self._append(events, at)
            for statement in statements:
                step = head if head != self.head and statement[0] == RENAMED else None
                keep_fact(self._db, at, after, step, statement)
            undone = self.undone if head == self.head else []
            if summary is not None:
                keep_summary(self._db, last, summary)
            if steps < 0 and (removed := removed_games(self._db)):
                start = steps_table.start_of(self._db, self.head)
                removal = (start, False) if start in removed else None
            if removal is not None:
                keep_removal(self._db, at, removal[0], is_removed=removal[1])
            if moved := self._moved(steps):
                house_table.turn(self._db, at, after, moved, is_undo=steps < 0)
            for done in moved:
                if act == "redo":
                    undone, head = undone[:-1], done
                    depth += 1
                else:
                    undone, head = [*undone, done], self._parent(done)
                    depth -= 1
                row = steps_table.next_row(self._db)
                steps_table.write_step(self._db, row, at, act, None, None, depth, head)
            database.keep_desk(self._db, seq, desk)
            if answer is not None:
                self._keep_answer(*answer)
        self._mark(seq)
        self.head, self.depth = head, depth
        self.undone = undone
        self._desk, self._at = (seq, desk), at

    @_reading()
    def lacking_summaries(self, beginning: str) -> list[int]:
        """Return the last rows of games, newest first, that lack a summary with this *beginning*.

        The current game is not among them.

        Raises:
            JournalTrouble: If they can't be read.
        """
        return [last for (last,) in self._db.execute(LACKING_SUMMARIES, (f"{beginning}%",))]

    def keep_summaries(self, summaries: Mapping[int, str]) -> bool:
        """Write summaries of games, by the rows of their last steps; return whether the write succeeded."""
        if not self._opened.watched.are_as_left():
            return False
        with contextlib.suppress(sqlite3.Error, OSError), self._opened.transaction():
            for last, text in summaries.items():
                keep_summary(self._db, last, text)
            return True
        return False

    def _append(self, events: Iterable[Event], at: str) -> tuple[int | None, int, int | None]:
        """Write *events*, each on the one before it.

        Return the new head, the number of events that lead to it, and the last row of the game that the last
        event continues, or has left for a new game.
        """
        head, depth = self.head, self.depth
        last = head
        for row, event in enumerate(events, start=steps_table.next_row(self._db)):
            depth += 1
            steps_table.write_step(self._db, row, at, "event", print_event(event), head, depth, row)
            if isinstance(event, GameStarted):
                record_start(self._db, row, at, head, depth)
            last = head if isinstance(event, GameStarted) else row
            head = row
        return head, depth, last

    @contextlib.contextmanager
    def _writing(self, again: str) -> Iterator[None]:
        """Write all or nothing; raise JournalTrouble if the write fails, which then never takes effect.

        *again* says what to do after a repair, such as "press again". If another program has changed the
        files, this raises without repairing them, because the files that `find_again` writes may lack undone
        steps, and the caller must know that.
        """
        if not self._opened.watched.are_as_left():
            raise self._refused(again)
        with self._noticing(again), self._opened.transaction():
            yield
            for name, answer in self._unwritten.items():
                self._keep_answer(name, answer)
        self._unwritten.clear()
        self.trouble = None

    def _refused(self, again: str) -> JournalTrouble:
        """Record that a press was not saved because the files are damaged, and return the error."""
        self.trouble = f"the last press was not saved: {self._damage()}"
        return JournalTrouble(f"not saved, and nothing has changed: {self._damage()}. Please {again}.")

    @contextlib.contextmanager
    def _noticing(self, again: str) -> Iterator[None]:
        """Raise JournalTrouble if a read or write fails or finds damage, and record it."""
        try:
            yield
        except sqlite3.ProgrammingError:
            raise  # a bug of cribpi, not of the disk
        except (sqlite3.Error, OSError) as refused:
            if is_malformed(refused):
                self._is_malformed = True
                raise self._refused(again) from refused
            mends = remedy(refused, "stop any other program that has the journal open")
            why = f"({reason(refused)}): {mends}"
            self.trouble = f"the last press was not saved {why}"
            may_come_back = self._opened.may_come_back
            then = "but it may be there after a restart" if may_come_back else "and nothing has changed"
            raise JournalTrouble(f"not saved, {then} {why}, then {again}") from refused

    def find_again(self) -> bool:
        """Check that the files are in place and unchanged by other programs; if not, write new ones.

        Return whether there are new ones.

        Raises:
            JournalTrouble: If another program has changed the files in place, even if new ones are written.
                Also if writing those fails: then the next call tries again.
        """
        watched = self._opened.watched
        if not self._is_malformed and watched.are_as_left():
            if self._has_copy:  # remove it: a start would take it for newer than the journal
                try:
                    self._opened.remove_copies()
                except OSError as refused:
                    raise JournalTrouble(
                        f"not saved, and nothing has changed ({reason(refused)}): {_mends(refused)}"
                    ) from refused
                self._has_copy = False
            return False
        what = self._damage()
        is_moved = what == _MOVED
        try:
            self._has_copy = True
            self._hold()
            is_whole = self._opened.write_copy(lambda db: self._is_ours(db, is_checked=not is_moved))
            content = _EVERYTHING if is_whole else self._write_rest()
            aside = put_in_place(self.path)
            old, self._opened = self._opened, JournalFile(self.path)
            old.close()  # SQLite notices that its file has moved, and leaves the new one's log alone
            if is_whole and aside:
                watched.drop_log(aside)
            self._resume()
        except (JournalTrouble, sqlite3.Error, OSError) as refused:
            why = str(refused)
            if not isinstance(refused, JournalTrouble):
                why = f"{reason(refused)}: {_mends(refused)}"
            self.trouble = f"{what}, and a new one can't be written: {why}"
            raise JournalTrouble(f"not saved, and nothing has changed: {self.trouble}") from refused
        self._has_copy = self._is_malformed = False
        self.trouble = None
        in_place = f"; what was in its place is kept as {aside.name}" if aside and aside.exists() else ""
        self.notice = f"{_SAVED.format(what=what, kept=content)}{in_place}"
        if is_moved and is_whole:
            return True
        content = "all of it" if is_whole else content  # short, for five lines of the screen
        raise JournalTrouble(f"not saved: {what}; a new one holds {content}. Press again.")

    def _damage(self) -> str:
        """Return the kind of damage, by another program or the disk."""
        watched = self._opened.watched
        if not watched.are_in_place():
            return _MOVED
        return _UNREADABLE if self._is_malformed or watched.is_unreadable else _CHANGED

    def _is_ours(self, db: sqlite3.Connection, *, is_checked: bool) -> bool:
        """Return whether *db* has the state of this journal and, if *is_checked*, no damage."""
        last = steps_table.last_step(db)
        if database.desk_row(db) != self._desk or (last.head if last else None) != self.head:
            return False
        whole = database.size(db) <= database.CHECKED_BY_ROW
        return not (is_checked and database.damage(db, whole=whole, indexes=whole))

    def _write_rest(self) -> str:
        """Write a new file, for `put_in_place`, with the games that can still be read; return them in words.

        It has this game, and the games before it as far back as SQLite can still read them.

        Raises:
            sqlite3.Error, OSError: If the write fails.
        """
        begun, _ = copies(self.path)
        before, answers = self._games_before(), list[tuple[str, int, str]]()
        line = self.line()
        rows, statements = list[int](), list[FactRow]()
        removed = frozenset[int]()  # if the removals can't be read, removed games are listed again
        with contextlib.suppress(sqlite3.Error):
            rows = [step.id for step in steps_table.game_to(self._db, self.head)]
        with contextlib.suppress(sqlite3.Error):
            removed = removed_games(self._db)
        with contextlib.suppress(sqlite3.Error):
            statements = house_table.facts(self._db)
        with contextlib.suppress(sqlite3.Error):  # as many as can be read, the latest first
            answers.extend(self._db.execute("SELECT id, status, body FROM answers ORDER BY place DESC"))
        self._opened.remove_copies()
        with contextlib.closing(Journal(begun)) as new:
            games = [*before, (self._at, line, None, rows if len(rows) == len(line) else rows[:1])]
            new.begin_with(games, answers[::-1], self._desk, removed, statements)
        self._opened.complete_copy()
        more = f" and {len(before):,} before it" if before else ""
        return f"this game{more}"

    def begin_with(
        self,
        games: Iterable[_Rescued],
        answers: Iterable[tuple[str, int, str]],
        desk: tuple[int, str] | None,
        removed: frozenset[int] = frozenset(),
        facts: Iterable[FactRow] = (),
    ) -> None:
        """Write rescued data of another journal into this new one, in one transaction.

        *removed* has the rows in which removed games began there, and *facts* are those of the house.

        Raises:
            sqlite3.Error, OSError: If the write fails.
        """
        moved = dict[int, int]()
        with self._opened.transaction():
            for began, events, summary, rows in games:
                start = steps_table.next_row(self._db)
                self.head, self.depth, _ = self._append(events, began)
                moved |= zip(rows, count(start))
                if summary is not None:
                    keep_summary(self._db, self.head, summary)
                if not removed.isdisjoint(rows[:1]):
                    keep_removal(self._db, began, start, is_removed=True)
            for fact in facts:
                after = max((new for old, new in moved.items() if old <= fact.after), default=0)
                keep_fact(self._db, fact.at, after, moved.get(fact.step or 0), fact.statement)
            for name, status, text in answers:
                self._keep_answer(name, Answer(text, is_accepted=status == _ACCEPTED))
            if desk is not None:
                database.keep_desk(self._db, *desk)

    def _games_before(self) -> list[_Rescued]:
        """Return the games before this one, each with its start, events, summary and rows, oldest first.

        They are complete, and without a gap: games before an unreadable one are left out.
        """
        games: list[_Rescued] = []
        with contextlib.suppress(sqlite3.Error, RecordError):
            start = steps_table.start_of(self._db, self.head)
            line = line_to(self._db, start) if start is not None else iter(())
            for (later, summary), (begun, _) in pairwise(islice(line, MOST_RESCUED + 1)):
                steps = steps_table.game_to(self._db, later.parent)
                if not steps or steps[0].id != begun.start or len(steps) != later.depth - begun.depth:
                    break
                events = [parse_event(step.whole().event) for step in steps]
                games.append((begun.at, events, summary, [step.id for step in steps]))
        return games[::-1]

    def remember(self, name: str, answer: Answer) -> None:
        """Store the answer to a press that has changed nothing; if the write fails, keep it in memory."""
        self._unwritten[name] = answer
        for oldest in list(self._unwritten)[:-ANSWERS_KEPT]:
            del self._unwritten[oldest]
        with contextlib.suppress(JournalTrouble), self._writing("press again"):
            pass  # `_writing` itself writes all of `_unwritten`

    def _keep_answer(self, name: str, answer: Answer) -> None:
        row = (name, _ACCEPTED if answer.is_accepted else _REFUSED, answer.text)
        self._db.execute("INSERT OR REPLACE INTO answers (id, status, body) VALUES (?, ?, ?)", row)
        self._db.execute("DELETE FROM answers WHERE place <= last_insert_rowid() - ?", (ANSWERS_KEPT,))


def _mends(refused: sqlite3.Error | OSError) -> str:
    return f"{remedy(refused, 'make the state folder writable')}, then press again"


class StateFolder:
    """The folder of the journal; one running companion holds its lock."""

    def __init__(self, path: Path) -> None:
        """Create and lock the folder *path*.

        Raises:
            StateFolderTrouble: If it can't be written to, or another companion holds it.
        """
        self.path = path
        self._locks = self._hold()

    def _hold(self) -> list[int]:
        with _usable(self.path, "make it a folder you can write to"):
            try:
                return lock_folder(self.path)
            except BlockingIOError:
                raise StateFolderTrouble(
                    f"{self.path}: another cribpi is running on it: stop that one, or choose another folder "
                    f"with --state"
                ) from None

    def hold_again(self) -> None:
        """Recreate and lock the folder if it was deleted or moved.

        Raises:
            StateFolderTrouble: If it can't be written to, or another companion holds it.
        """
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(self._locks[0]), self.path.stat()):
                return
        old, self._locks = self._locks, self._hold()
        unlock(old)

    def mark(self, seq: int) -> None:
        """Record in the file `lock` that press *seq* is on the disk, or by 0 that the journal is closed.

        The file is not synced: after a power failure the number may be too low, but never too high.
        """
        with contextlib.suppress(OSError):
            os.pwrite(self._locks[1], b"%020d\n" % seq, 0)

    def close(self) -> None:
        unlock(self._locks)

    def open_journal(self) -> tuple[Journal, str | None]:
        """Open the journal; rename an unreadable one out of the way.

        Return the journal, and a sentence if an old one was set aside, or if the unfinished input is damaged.

        Raises:
            StateFolderTrouble: If a read or write fails.
        """
        path = self.path / "journal.db"
        with _usable(path, "make the folder and the file writable"):
            notice = _begun_again(path)
            try:
                journal = Journal(path, self.hold_again, self.mark)
                try:
                    fold(journal.game())
                    desk = journal.desk()
                except BaseException:
                    journal.close()
                    raise
            except (sqlite3.DatabaseError, ValueError, TypeError) as bad:
                if database.is_the_disks_fault(bad):
                    raise
                why, aside = one_line(bad), set_aside(path)
                place = f"it is kept as {aside.name}, " if aside else ""
                notice = f"the journal could not be read ({why}): {place}and a new one begun"
                return Journal(path, self.hold_again, self.mark), notice
        lost = lost_presses(marked(self.path), desk)
        return journal, DAMAGED_DESK if desk is not None and not desk[1] else notice or lost


def lost_presses(mark: int, desk: tuple[int, str] | None) -> str | None:
    """Return a sentence if the journal with the row *desk* is behind *mark*, the last press on the disk.

    >>> lost_presses(7, (7, "")), lost_presses(0, None)
    (None, None)
    """
    lost = mark - (desk[0] if desk else 0)
    if lost <= 0:
        return None
    return _LOST.format(presses=f"{lost:,} presses" if lost > 1 else "press")


def _begun_again(journal: Path) -> str | None:
    """Set aside a file in the *journal*'s place that is not the journal; return a sentence if there was one.

    There are two cases: a damaged file whose finished copy was never moved into its place, because the
    program was killed; or an empty file although games had been recorded.

    Raises:
        OSError: If the write fails.
    """
    if aside := put_in_place(journal):
        return f"{CHANGED_JOURNAL}; what was in its place is kept as {aside.name}"
    if is_emptied(journal) and (aside := set_aside(journal)):
        return (
            f"the journal was empty or gone, though games were played: its remains are kept as {aside.name}"
        )
    return None


@contextlib.contextmanager
def _usable(path: Path, usual: str) -> Iterator[None]:
    """Raise StateFolderTrouble, with the remedy, for a failed read or write; *usual* is the usual remedy."""
    try:
        yield
    except (OSError, sqlite3.Error) as refused:
        why = f"{reason(refused)}: {remedy(refused, usual)}, or choose another with --state"
        raise StateFolderTrouble(f"{path}: {why}") from refused
