"""The journal: every accepted key press is on disk before its effect is visible, and no step is ever deleted.

The journal is one SQLite file. Each row of `steps` is an event, an undo or a redo, with its time. Events are
stored in the format of game records. The rows form a tree: an event's *parent* is the row that it followed.
An undo moves the head to the parent, a redo moves it back, and no row is ever changed. Unfinished input, and
the latest answers by id, are written in the same transaction.

A transaction is on disk when `commit` returns, because of WAL with `synchronous=FULL`. Only an SD card that
loses acknowledged data can break this. A failed transaction never comes back, even if only its sync failed.
If the files were deleted or moved, everything is written to new files first.
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
"""Maximum number of earlier games rescued from a journal that another program has damaged.

The key press waits for the rescue, so the number is limited.
"""

DAMAGED_INPUT: Final = (
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
"""A game of a damaged journal: start time, events, summary or None, and the rows of the events."""


class JournalTrouble(UserError):
    """A read or write of the journal failed. The message is a sentence and includes the remedy."""


class StateFolderTrouble(JournalTrouble):
    """The state folder can't be used at all."""


class TableResponse:
    """The result of a request: whether it *is_accepted*, and the text for its sender.

    The text is built on first use, which takes a third of the time of a press. A keypad never needs it.
    """

    def __init__(
        self, text: str | Callable[[], str], refused: Exception | None = None, *, is_accepted: bool
    ) -> None:
        """Create an answer from a text, or from a function that builds it.

        *refused* is the error, if still known.
        """
        self.is_accepted = is_accepted
        self.refused = refused
        self._text = text

    @cached_property
    def text(self) -> str:
        return self._text if isinstance(self._text, str) else self._text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableResponse) and (self.is_accepted, self.text) == (
            other.is_accepted,
            other.text,
        )

    __hash__ = None  # type: ignore[assignment]


_ACCEPTED, _REFUSED = 200, 409
"""Codes in the table of answers. They are HTTP statuses, as the first version stored."""


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Raise JournalTrouble if a read fails or finds a damaged row."""
    try:
        yield
    except (sqlite3.Error, RecordError) as bad:
        raise JournalTrouble(
            f"an earlier step can't be read ({bad}), so nothing has changed: the game goes on from here"
        ) from bad


class Journal:
    """The open journal. Only one thread at a time may use it."""

    def __init__(
        self,
        path: Path,
        hold: Callable[[], None] = lambda: None,
        mark: Callable[[int], None] = lambda _seq: None,
    ) -> None:
        """Open or create the journal at *path*.

        *hold* recreates and locks the folder if the files were deleted or moved; it may raise JournalTrouble.
        *mark* receives the number of each press once it is on disk, and 0 when the journal is closed
        undamaged.

        Raises:
            sqlite3.DatabaseError: If the file is damaged, or is not a journal of a known version.
            OSError, sqlite3.OperationalError: If a read or write fails.
        """
        self.path = path
        self._hold = hold
        self._mark = mark
        self.line: Callable[[], Sequence[Event]] = self.game
        """Function that returns the current game's events.

        Replaceable by a faster one that has them in memory.
        """
        self._unwritten: dict[str, TableResponse] = {}
        """Answers, by request id, that could not be written yet. Their requests changed nothing."""
        self._has_copy = False
        """Whether a copy of the journal may exist that has not replaced it."""
        self._is_malformed = False
        """Whether SQLite has found a page malformed that a press needs."""
        self._opened = JournalFile(path)
        self.head: int | None = None
        self.depth = 0
        """Number of steps that can be undone."""
        self._at = ""
        """Time of the last step."""
        self.undone: list[int] = []
        self.trouble: str | None = None
        """Error message of the last write; None if it succeeded."""
        self.notice: str | None = None
        """Message about files that were deleted, moved or changed, or None."""
        try:
            if lacks_games(self._db):
                with self._opened.transaction():
                    fill(self._db)
            self._resume()
            self._saved_input = self.saved_input()
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
        """Close the journal. If another program has truncated or overwritten the file, write a new one first.

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
        """Whether the last step was an undo, or a redo after which undone events remain."""
        return bool(self.undone)

    def game(self) -> list[Event]:
        """Return the events of the current game, up to the current state.

        Raises:
            RecordError: If an event can't be read.
        """
        return self.game_to(self.head)

    @_reading()
    def game_before(self) -> list[Event]:
        """Return the events of the current game as they would be after one undo.

        Raises:
            JournalTrouble: If an event can't be read.
        """
        return self.game_to(self._parent(self.head))

    @_reading()
    def undone_event(self, ahead: int = 0) -> Event:
        """Return the event that the next redo restores. *ahead* is the number of redos before that.

        Raises:
            JournalTrouble: If the event can't be read.
        """
        return parse_event(steps_table.step_at(self._db, self.undone[-1 - ahead]).event)

    @_reading()
    def taken_back(self, word: str) -> list[list[Event]]:
        """Return the events up to each undone event that starts with *word* in a record, newest first.

        A game that was undone completely counts too, if it started alike after the same game. Damaged lines
        are left out.

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
        """Return the row that begins each game, by the game's number, latest first.

        Undone games are left out.

        Raises:
            JournalTrouble: If the table can't be read.
        """
        start = steps_table.start_of(self._db, self.head)
        return {} if start is None else {game.number: game.start for game, _ in line_to(self._db, start)}

    @_reading()
    def removed(self) -> frozenset[int]:
        """Return the rows that begin the removed games.

        Raises:
            JournalTrouble: If the table can't be read.
        """
        return removed_games(self._db)

    def game_to(self, last: int | None) -> list[Event]:
        """Return the events of a game, up to the event in row *last*.

        Raises:
            sqlite3.Error, RecordError: If an event can't be read.
        """
        return as_accepted(parse_event(step.whole().event) for step in steps_table.game_to(self._db, last))

    def _parent(self, row: int | None) -> int | None:
        return steps_table.step_at(self._db, row).parent

    def saved_input(self) -> tuple[int, str] | None:
        """Return the number of the last accepted press and the unfinished input, or None for a new table.

        Damaged input is returned as "".
        """
        return database.desk_row(self._db)

    @property
    def last_row(self) -> int:
        """The last row of `steps`, even if it is undone, or 0 for a new journal."""
        return steps_table.last_row(self._db)

    def house(self, steps: int = 0) -> list[FactRow]:
        """Return the house facts as they would be after *steps* redos. A negative number counts undos.

        Raises:
            JournalTrouble: If the read fails; after damage, `find_again` writes a new file.
        """
        with self._noticing("press again"):
            return house_table.facts(self._db, self._moved(steps), is_undo=steps < 0)

    def paired(self) -> list[tuple[GameStarted, int]]:
        """Return the first events of club games, oldest first, each with the number of steps up to it.

        Undone games and unreadable games are left out.
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
        """Return all renamings, oldest first.

        Raises:
            JournalTrouble: If the read fails; after damage, `find_again` writes a new file.
        """
        with self._noticing("press again"):
            return house_table.renamings(self._db)

    def _moved(self, steps: int) -> list[int]:
        """Return the rows to redo, or if *steps* is negative to undo, in order."""
        if steps >= 0:
            return self.undone[::-1][:steps]
        rows, head = list[int](), self.head
        while head is not None and len(rows) < -steps:
            rows.append(head)
            head = self._parent(head)
        return rows

    def response(self, name: str) -> TableResponse | None:
        """Return the answer to the request with id *name*, or None if it is not stored or no longer stored.

        Raises:
            JournalTrouble: If the read fails; after damage, `find_again` writes a new file.
        """
        if name in self._unwritten:
            return self._unwritten[name]
        with self._noticing("press again"):
            row = self._db.execute("SELECT status, body FROM answers WHERE id = ?", (name,)).fetchone()
        return TableResponse(row[1], is_accepted=row[0] == _ACCEPTED) if row else None

    def commit(
        self,
        at: str,
        seq: int,
        saved_input: str,
        events: Iterable[Event] = (),
        *,
        steps: int = 0,
        response: tuple[str, TableResponse] | None = None,
        summary: str | None = None,
        removal: tuple[int, bool] | None = None,
        statements: Sequence[Statement] = (),
        again: str = "press again",
    ) -> None:
        """Write one transaction: press number *seq* at the time *at*. It leaves *saved_input*.

        *events* are appended, and each can be undone. *steps* redoes that many steps, or undoes them if
        negative. *response* is a request's id and its answer.

        *summary*, from `Summary.text`, is of the game before if an event begins a game, otherwise of the
        current game. *removal* is the row that begins a game, and whether the game is removed or put back.
        Undoing a step of a removed game puts it back. *statements* are facts about the house. A renaming
        belongs to the last of the events, and is undone with it.

        Raises:
            JournalTrouble: If the write fails. Nothing has changed then. The message ends with *again*.
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
            database.write_desk_row(self._db, seq, saved_input)
            if response is not None:
                self._keep_response(*response)
        self._mark(seq)
        self.head, self.depth = head, depth
        self.undone = undone
        self._saved_input, self._at = (seq, saved_input), at

    @_reading()
    def lacking_summaries(self, beginning: str) -> list[int]:
        """Return the last row of each game without a current summary, newest first.

        A current summary starts with *beginning*. The game being played is left out.

        Raises:
            JournalTrouble: If the tables can't be read.
        """
        return [last for (last,) in self._db.execute(LACKING_SUMMARIES, (f"{beginning}%",))]

    def keep_summaries(self, summaries: Mapping[int, str]) -> bool:
        """Write summaries, by the rows of the games' last steps. Return whether the write succeeded."""
        if not self._opened.watched.are_as_left():
            return False
        with contextlib.suppress(sqlite3.Error, OSError), self._opened.transaction():
            for last, text in summaries.items():
                keep_summary(self._db, last, text)
            return True
        return False

    def _append(self, events: Iterable[Event], at: str) -> tuple[int | None, int, int | None]:
        """Write *events*, each as the child of the one before.

        Return the new head, the number of events up to it, and a last row of a game. That is the game that
        the last event continues, or if that event begins a game, the game before it.
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
        """Run the body as one transaction. If the write fails, raise JournalTrouble: nothing has changed.

        *again* is a remedy, such as "press again". If another program has changed the files, this raises an
        error and does not repair them: the files that `find_again` writes may lack undone steps, so the
        caller must decide.
        """
        if not self._opened.watched.are_as_left():
            raise self._refused(again)
        with self._noticing(again), self._opened.transaction():
            yield
            for name, response in self._unwritten.items():
                self._keep_response(name, response)
        self._unwritten.clear()
        self.trouble = None

    def _refused(self, again: str) -> JournalTrouble:
        """Record that a press was not saved because the files are damaged. Return the error to raise."""
        self.trouble = f"the last press was not saved: {self._damage()}"
        return JournalTrouble(f"not saved, and nothing has changed: {self._damage()}. Please {again}.")

    @contextlib.contextmanager
    def _noticing(self, again: str) -> Iterator[None]:
        """Raise and record a JournalTrouble if a read or write fails or finds damage."""
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
        """Check that the files are in place and unchanged by other programs. If not, write new files.

        Return whether the files were moved and new ones have everything.

        Raises:
            JournalTrouble: If another program has changed the files in place, even if new ones were written.
                Also if writing new ones fails: the next call tries again.
        """
        watched = self._opened.watched
        if not self._is_malformed and watched.are_as_left():
            if self._has_copy:  # remove the copy, which the next start would take for newer than the journal
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
            old.close()  # SQLite sees that its file has moved, and does not touch the new file's log
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
        content = "all of it" if is_whole else content  # the short text fits five lines of the screen
        raise JournalTrouble(f"not saved: {what}; a new one holds {content}. Press again.")

    def _damage(self) -> str:
        """Return the kind of damage as a text."""
        watched = self._opened.watched
        if not watched.are_in_place():
            return _MOVED
        return _UNREADABLE if self._is_malformed or watched.is_unreadable else _CHANGED

    def _is_ours(self, db: sqlite3.Connection, *, is_checked: bool) -> bool:
        """Return whether *db* has the current state of this journal and, if *is_checked*, no damage."""
        last = steps_table.last_step(db)
        if database.desk_row(db) != self._saved_input or (last.head if last else None) != self.head:
            return False
        whole = database.size(db) <= database.CHECKED_BY_ROW
        return not (is_checked and database.damage(db, whole=whole, indexes=whole))

    def _write_rest(self) -> str:
        """Write a new file with the games that can still be read.

        These are this game, and as many before it as possible.

        `put_in_place` can then rename that file. Return a description of its content.

        Raises:
            sqlite3.Error, OSError: If the write fails.
        """
        begun, _ = copies(self.path)
        before, responses = self._games_before(), list[tuple[str, int, str]]()
        line = self.line()
        rows, statements = list[int](), list[FactRow]()
        removed = frozenset[int]()  # if the removals can't be read, removed games reappear in lists
        with contextlib.suppress(sqlite3.Error):
            rows = [step.id for step in steps_table.game_to(self._db, self.head)]
        with contextlib.suppress(sqlite3.Error):
            removed = removed_games(self._db)
        with contextlib.suppress(sqlite3.Error):
            statements = house_table.facts(self._db)
        with contextlib.suppress(sqlite3.Error):  # reads as many as possible, latest first
            responses.extend(self._db.execute("SELECT id, status, body FROM answers ORDER BY place DESC"))
        self._opened.remove_copies()
        with contextlib.closing(Journal(begun)) as new:
            games = [*before, (self._at, line, None, rows if len(rows) == len(line) else rows[:1])]
            new.begin_with(games, responses[::-1], self._saved_input, removed, statements)
        self._opened.complete_copy()
        more = f" and {len(before):,} before it" if before else ""
        return f"this game{more}"

    def begin_with(
        self,
        games: Iterable[_Rescued],
        responses: Iterable[tuple[str, int, str]],
        saved_input: tuple[int, str] | None,
        removed: frozenset[int] = frozenset(),
        facts: Iterable[FactRow] = (),
    ) -> None:
        """Write data rescued from another journal into this new one, in one transaction.

        *removed* has the rows that began removed games in the other journal. *facts* are its house facts.

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
            for name, status, text in responses:
                self._keep_response(name, TableResponse(text, is_accepted=status == _ACCEPTED))
            if saved_input is not None:
                database.write_desk_row(self._db, *saved_input)

    def _games_before(self) -> list[_Rescued]:
        """Return the games before this one, oldest first, each with its start time, events, summary and rows.

        All are complete. An unreadable game ends the search, so that there is no gap.
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

    def remember(self, name: str, response: TableResponse) -> None:
        """Store the answer to a request that changed nothing.

        If the write fails, the answer stays in memory.
        """
        self._unwritten[name] = response
        for oldest in list(self._unwritten)[:-ANSWERS_KEPT]:
            del self._unwritten[oldest]
        with contextlib.suppress(JournalTrouble), self._writing("press again"):
            pass  # `_writing` itself writes all of `_unwritten`

    def _keep_response(self, name: str, response: TableResponse) -> None:
        row = (name, _ACCEPTED if response.is_accepted else _REFUSED, response.text)
        self._db.execute("INSERT OR REPLACE INTO answers (id, status, body) VALUES (?, ?, ?)", row)
        self._db.execute("DELETE FROM answers WHERE place <= last_insert_rowid() - ?", (ANSWERS_KEPT,))


def _mends(refused: sqlite3.Error | OSError) -> str:
    return f"{remedy(refused, 'make the state folder writable')}, then press again"


class StateFolder:
    """The folder of the journal. A running companion locks it."""

    def __init__(self, path: Path) -> None:
        """Create and lock the folder *path*.

        Raises:
            StateFolderTrouble: If the folder can't be written to, or another companion has locked it.
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
            StateFolderTrouble: If the folder can't be written to, or another companion has locked it.
        """
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(self._locks[0]), self.path.stat()):
                return
        old, self._locks = self._locks, self._hold()
        unlock(old)

    def mark(self, seq: int) -> None:
        """Record in the file `lock` that press *seq* is on disk.

        0 means that the journal was closed undamaged.

        The file is not synced. After a power cut the number may be too low, but never too high.
        """
        with contextlib.suppress(OSError):
            os.pwrite(self._locks[1], b"%020d\n" % seq, 0)

    def close(self) -> None:
        unlock(self._locks)

    def open_journal(self) -> tuple[Journal, str | None]:
        """Open the journal. An unreadable one is renamed, and a new one begun.

        Return the journal, and a message if it was unreadable or lacks the last presses, or if the unfinished
        input was damaged.

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
                    saved_input = journal.saved_input()
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
        lost = lost_presses(marked(self.path), saved_input)
        return journal, DAMAGED_INPUT if saved_input is not None and not saved_input[1] else notice or lost


def lost_presses(mark: int, saved_input: tuple[int, str] | None) -> str | None:
    """Return a message if the journal lacks presses that were on disk. *mark* is the last of those.

    *saved_input* is the journal's row with its own last press.

    >>> lost_presses(7, (7, "")), lost_presses(0, None)
    (None, None)
    """
    lost = mark - (saved_input[0] if saved_input else 0)
    if lost <= 0:
        return None
    return _LOST.format(presses=f"{lost:,} presses" if lost > 1 else "press")


def _begun_again(journal: Path) -> str | None:
    """Rename a file in the *journal*'s place that is not the journal.

    Return a message, or None if there was none.

    Either the file is damaged, and the program was killed before the finished copy replaced it. Or the file
    is empty although games had been recorded.

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
    """Raise StateFolderTrouble if a read or write fails. The message has the remedy, by default *usual*."""
    try:
        yield
    except (OSError, sqlite3.Error) as refused:
        why = f"{reason(refused)}: {remedy(refused, usual)}, or choose another with --state"
        raise StateFolderTrouble(f"{path}: {why}") from refused
