"""The player book: each player's id, member number and names.

A name refers to the same player forever, even after a rename. A night's log therefore stores only names, and
nights from before the book existed can be read too.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Final

from cribpi.club.entries import ClubEntry, Noted
from cribpi.club.standings import refuse
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import given_names, plain, unlike
from cribpi.cribbage.rules.shown import hidden, shown

MOST: Final = 2_000
"""Maximum number of players in a book."""

LONGEST_NUMBER: Final = 20
GUEST, MEMBER = "guest", "member"
COLUMNS: Final = ("name", "number", "kind")
"""Columns of the book's CSV file. Only `name` is required."""

_FORMULA: Final = "[=+@\\-\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}]"
"""Characters that start a formula in a spreadsheet cell."""
_BEFORE: Final = """((?:^|[;\t])[ "']*)"""
"""Start of a spreadsheet cell. Semicolons also separate cells in locales that write decimals with a comma."""


def defused(text: str) -> str:
    """Return *text* for a CSV cell, with an apostrophe before each formula, so that no spreadsheet runs it.

    >>> defused("=1+1"), defused("Ann;=1+1"), defused("Ann-Lee; Bob")
    ("'=1+1", "Ann;'=1+1", 'Ann-Lee; Bob')
    """
    return re.sub(f"{_BEFORE}(?={_FORMULA})", r"\1'", text)


def _cell(text: str) -> str:
    """Parse the text of a CSV cell: removes the apostrophes that `defused` adds."""
    return re.sub(f"{_BEFORE}'(?={_FORMULA})", r"\1", " ".join(text.split()))


AWARDS: Final = {12: 1, 14: 2, 16: 3, 18: 4}
"""Grass Roots points by minimum game points on a card. The numbers are an example."""
BEST: Final = 20
"""Number of a player's best nights in the season's `best` column."""


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    name: str
    number: str = ""
    """Number given by the ACC or the club, or ""."""
    kind: str = GUEST
    former: tuple[str, ...] = ()
    """Earlier names, which nights may still use."""
    party: str = ""
    """Name of the player's party, such as a couple or a car pool; "" if none.

    Members of a party are not paired.
    """
    table: int = 0
    """Table of a player who can't move; 0 for all others."""


@dataclass(frozen=True, slots=True)
class Filed:
    """The director's changes to a night's name, date, and whether it counts."""

    night: str
    """The night's name in the log, which never changes."""
    name: str = ""
    day: str = ""
    counts: bool = True


@dataclass(frozen=True, slots=True)
class PersonMerge:
    """A merge of two players, with the data to undo it."""

    gone: Person
    into: int
    number: str
    """Number of the player *into* before the merge."""


NEXT, NONE = SUMMERS = ("next", "none")
"""Season of the nights in summer: the next season, or none."""


class Book:
    """The player book, replayed from its log *entries*."""

    def __init__(self, entries: Iterable[ClubEntry] = ()) -> None:
        self.people: dict[int, Person] = {}
        self.awards, self.best = AWARDS, BEST
        self.nights: list[str] = []
        """All nights started so far."""
        self.filed: dict[str, Filed] = {}
        self.summer = NEXT
        self.joined: dict[int, PersonMerge] = {}
        """Merges that can be undone, by the id that no longer exists."""
        self.entries = 0
        self._by_name: dict[str, int] = {}
        self._next = 1
        for entry in entries:
            self.entries += 1
            if isinstance(entry, Noted):
                for id_ in entry.gone:
                    kept = self.people.get(entry.people[0]["id"]) if entry.people else None
                    if kept and id_ in self.people:
                        self.joined[id_] = PersonMerge(self.people[id_], kept.id, kept.number)
                    self._drop(id_)
                for one in entry.people:
                    self.joined.pop(one["id"], None)
                    self._put(Person(**{**one, "former": tuple(one["former"])}))
                for one in entry.filed:
                    self.filed[one["night"]] = Filed(**one)
                self.summer = entry.summer or self.summer
                self.awards, self.best = dict(entry.awards) or self.awards, entry.best or self.best
                self.nights += filter(None, [entry.night])

    @property
    def by_name(self) -> list[Person]:
        return sorted(self.people.values(), key=lambda one: plain(one.name))

    def find(self, name: str) -> Person | None:
        """Return the player who has or had *name*, or None if the book has no such player."""
        return self.people.get(self._by_name.get(plain(name), 0))

    def who(self, name: str) -> Person:
        """Return the player who has or had *name*, or a guest if the book has no such player."""
        return self.find(name) or Person(0, name)

    def _drop(self, id_: int) -> None:
        if (one := self.people.pop(id_, None)) is not None:
            self._by_name = {name: owner for name, owner in self._by_name.items() if owner != one.id}

    def _put(self, one: Person) -> Noted:
        self.people[one.id] = one
        self._by_name |= dict.fromkeys(map(plain, (*one.former, one.name)), one.id)
        self._next = max(self._next, one.id + 1)
        return Noted((asdict(one),))

    def _person(self, id_: int) -> Person:
        refuse(id_ not in self.people, "that player is not in the book any more: reload the page")
        return self.people[id_]

    def put(self, name: str, number: str = "", kind: str = GUEST, id_: int = 0) -> Noted:
        """Add a player, or change the one with *id_*. Return the log entry.

        Raises:
            RuleError: If the name or number is invalid or belongs to another player.
        """
        (name,) = given_names([" ".join(name.split())])
        number = " ".join(number.split())
        if len(number) > LONGEST_NUMBER or hidden(number) is not None:
            raise RuleError(f"the number {shown(number)}: use {LONGEST_NUMBER} visible characters at most")
        refuse(kind not in {GUEST, MEMBER}, f"{shown(kind)}: write {GUEST} or {MEMBER}")
        if number and (other := self._of_number(number)) and other.id != id_:
            raise RuleError(f"the number {number} is {other.name}'s")
        if (other := self.find(name)) and other.id != id_:
            was = "" if plain(name) == plain(other.name) else f", who is called {other.name} now"
            raise RuleError(f"{name} is in the book{was}. Somebody else? Add an initial: {name} B")
        refuse(not id_ and len(self.people) >= MOST, f"the book is full: {MOST:,} players")
        one = self._person(id_) if id_ else Person(self._next, name)
        former = dict.fromkeys((*one.former, one.name))
        former.pop(name, None)
        return self._put(replace(one, name=name, number=number, kind=kind, former=tuple(former)))

    def seat(self, id_: int, party: str, table: int) -> Noted:
        """Set the group that the player is not paired with, *party*, and the fixed table, or 0 for none."""
        return self._put(replace(self._person(id_), party=party, table=table))

    def remove(self, id_: int, played: Iterable[str]) -> Noted:
        """Remove a player.

        Raise RuleError if *played*, the names of all who have played, includes the player.
        """
        one = self._person(id_)
        stays = f"{one.name} has played, and stays in the book. The same player as another? Make them one"
        refuse(one in map(self.find, played), stays)
        self._drop(id_)
        return Noted(gone=(id_,))

    def same(self, id_: int, name: str, nights: Mapping[str, Iterable[str]] | None = None) -> Noted:
        """Merge the player *id_* into the one called *name*.

        Raises:
            RuleError: If both have played on the same night. *nights* lists the players' names by night.
        """
        gone, kept = self._person(id_), self.find(name)
        if kept is None or kept is gone:
            raise RuleError("choose another player from the book")
        for night, names in (nights or {}).items():
            both = {gone.id, kept.id} <= {self.who(one).id for one in names}
            refuse(both, f"{gone.name} and {kept.name} have both played on {night}: they are two players")
        self._drop(id_)
        former = dict.fromkeys((*kept.former, gone.name, *gone.former))
        kept = replace(kept, number=kept.number or gone.number, former=tuple(former))
        return replace(self._put(kept), gone=(id_,))

    def part(self, id_: int) -> Noted:
        """Undo the merge of the player *id_* into another player."""
        joined = self.joined.get(id_, PersonMerge(Person(0, ""), 0, ""))
        gone, kept = joined.gone, self._person(joined.into)
        names = {plain(one) for one in (*gone.former, gone.name)}
        refuse(plain(kept.name) in names, f"{kept.name} is a name of the other's: rename this one first")
        former = tuple(one for one in kept.former if plain(one) not in names)
        number = joined.number if kept.number == gone.number else kept.number
        kept = replace(kept, former=former, number=number)
        holder = self._of_number(gone.number) if gone.number else None
        if holder and holder.id != kept.id:
            gone = replace(gone, number="")
        return Noted((asdict(kept), asdict(gone)))

    def title(self, night: str) -> str:
        return (self.filed[night].name if night in self.filed else "") or night

    def night(self, title: str) -> str:
        """Return the name under which the log stores the night titled *title*."""
        return next((one.night for one in self.filed.values() if one.name == title), title)

    def file(self, one: Filed) -> Noted:
        """Set a night's name, date, and whether it counts."""
        taken = {self.title(night) for night in {*self.nights, *self.filed} - {one.night}} | {*self.nights}
        refuse(one.name in taken - {one.night}, f"another night is called {one.name}")
        return Noted(filed=(asdict(one),))

    def _of_number(self, number: str) -> Person | None:
        return next((one for one in self.people.values() if one.number == number), None)

    def read(self, data: bytes) -> Noted:
        """Import a CSV file.

        A row is matched to a player by number, then by name; otherwise it adds a player.

        If two players have the same name but different numbers, the second is renamed, such as to "Ann 2".

        Raises:
            RuleError: If a line is invalid. The book is then half changed: discard it.
        """
        text = io.StringIO(_text(data), newline=None)
        head = text.readline()
        text.seek(0)
        rows = csv.DictReader(text, delimiter=max(",;\t", key=head.count), restval="")
        rows.fieldnames = [one.strip().casefold() for one in rows.fieldnames or []]
        refuse("name" not in rows.fieldnames, f"the first line must name the columns: {', '.join(COLUMNS)}")
        try:
            changed = {one.id: one for one in self._changes(rows)}
        except (RuleError, csv.Error) as bad:
            raise RuleError(f"line {rows.line_num}: {bad}. Nothing was imported") from None
        return Noted(tuple(map(asdict, changed.values())))

    def _changes(self, rows: Iterable[dict[str, str]]) -> Iterator[Person]:
        numbers: set[str] = set()
        ids: set[int] = set()
        for cells in rows:
            row = {head: _cell(cells[head]) for head in COLUMNS if head in cells}
            if not any(row.values()):
                continue
            if (number := row.get("number", "")) and number in numbers:
                raise RuleError(f"the number {number} is on another line too")
            one = self._read(row.get("name", ""), number, row.get("kind", "").casefold())
            refuse(one.id in ids, f"{one.name} is on another line too: give each a number")
            numbers.add(number)
            ids.add(one.id)
            yield one

    def _read(self, name: str, number: str, kind: str) -> Person:
        found = self._of_number(number) if number else None
        if found is None:
            (name,) = given_names([name])
            found = self.find(name)
            found = None if found and number and found.number else found
        if number:  # two players who share a name get different ones
            name = unlike(name, [one.name for one in self.people.values() if one is not found])
        kept = found or Person(0, name)
        (made,) = self.put(name or kept.name, number or kept.number, kind or kept.kind, kept.id).people
        return self.people[made["id"]]


def _text(data: bytes) -> str:
    """Return the text of a spreadsheet's CSV export: UTF-8, UTF-16 or Windows-1252."""
    has_mark = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if has_mark else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    raise RuleError("that is not text: save the sheet as CSV")
