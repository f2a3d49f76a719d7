"""The players of a club: one player, one entry, whatever the name; and CSV as spreadsheets write it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")

from support.refusals import refused

from cribpi.club import roster as roster_of
from cribpi.club.entries import ClubEntry, Noted, from_json, to_json
from cribpi.club.exports import book_csv
from cribpi.club.log import CLUB, Log
from cribpi.club.roster import Book, Filed, Person
from cribpi.cribbage.rules.errors import RuleError


def filled(*names: str) -> tuple[Book, list[ClubEntry]]:
    """Return a book of guests, with its entries."""
    book = Book()
    return book, [book.put(name) for name in names]


def people(entries: Iterable[ClubEntry]) -> dict[str, str]:
    """Return the numbers of all in the book that *entries* make once they were in a log, by names."""
    read = [from_json(to_json(entry)) for entry in entries]
    return {one.name: one.number for one in Book(read).by_name}


def test_a_player_who_is_renamed_is_found_by_every_name(database: str) -> None:
    log = Log(database)
    book, entries = filled("Ann Smith", "Bob")
    entries.append(book.put("Ann Jones", "CA12", "member", 1))
    for number, entry in enumerate(entries, 1):
        log.add(CLUB, number, entry)
    again = Book(log.entries(CLUB))
    assert again.people[1] == Person(1, "Ann Jones", "CA12", "member", ("Ann Smith",))
    assert again.find("ann SMITH") == again.find("Ann Jones") == again.people[1]
    assert log.nights() == {}, "the book is not a night"
    log.close()


def test_a_name_is_one_players_for_good() -> None:
    book, _ = filled("Ann Smith", "Bob")
    book.put("Ann Jones", id_=1)
    said = refused(RuleError, book.put, "ANN SMITH")
    assert said.startswith("ANN SMITH is in the book, who is called Ann Jones now. Somebody else? Add an")
    assert refused(RuleError, book.put, "bob").startswith("bob is in the book. Somebody else?")
    book.put("Ann Smith", id_=1)
    assert book.people[1].former == ("Ann Jones",), "she can have it back"


def test_two_who_are_the_same_become_one_with_all_names() -> None:
    book, entries = filled("Robert", "Bob", "Cat")
    entries += [book.put("Rob", "7", id_=1), book.same(1, "bob")]
    again = Book(entries)
    assert again.people[2] == Person(2, "Bob", "7", "guest", ("Rob", "Robert"))
    assert 1 not in again.people
    assert again.find("robert") == again.people[2]
    for id_, name in ((2, "Robert"), (2, "Zoe"), (1, "Cat")):
        refused(RuleError, book.same, id_, name)
    assert again.put("Dot").people[0]["id"] == 4


def test_who_has_played_no_game_can_be_removed() -> None:
    book, entries = filled("Ann", "Bob", "Anm")
    entries += [book.put("Annabel", id_=1), book.remove(3, ["Ann", "Bob", "Cat"])]
    assert [one.name for one in Book(entries).by_name] == ["Annabel", "Bob"]
    assert refused(RuleError, book.remove, 1, ["Ann"]).startswith("Annabel has played, and stays in the book")
    refused(RuleError, book.remove, 3, [])
    assert book.put("Anm").people[0]["id"] == 4


@pytest.mark.parametrize(
    ("form", "why"),
    [
        (("",), "is empty"),
        (("A\u200bnn",), "which is invisible"),
        (("Dot", "12"), "the number 12 is Ann's"),
        (("Dot", "1" * 21), "use 20 visible characters at most"),
        (("Dot", "1", "king"), "'king': write guest or member"),
        (("Dot", "1", "guest", 9), "not in the book any more"),
    ],
)
def test_what_no_player_can_be(form: tuple[str, ...], why: str) -> None:
    book, _ = filled("Ann")
    book.put("Ann", "12", id_=1)
    with pytest.raises(RuleError, match=why):
        book.put(*form)  # type: ignore[arg-type]


def test_a_book_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster_of, "MOST", 2)
    book, _ = filled("Ann", "Bob")
    assert refused(RuleError, book.put, "Cat") == "the book is full: 2 players"
    book.put("Bobby", id_=2)
    assert book.find("bobby") == book.people[2]


ROWS = "name{0}number{0}kind\r\nZoë{0}CA1{0}member\r\nBob{0}{0}\r\n"


@pytest.mark.parametrize(
    "data",
    [
        ROWS.format(",").encode("utf-8-sig"),
        ROWS.format(",").encode(),
        ROWS.format(";").encode("cp1252"),
        ROWS.format("\t").encode("utf-16"),
        ROWS.format(",").replace("\r\n", "\r").encode(),
        "Kind,NAME , Number\nmember,  Zoë ,CA1\n,Bob\n\n,,\n".encode(),
    ],
    ids=["utf-8-bom", "utf-8", "windows", "utf-16", "mac-lines", "other-order"],
)
def test_a_file_of_a_spreadsheet_is_read(data: bytes) -> None:
    book = Book()
    again = Book([book.read(data)])
    assert again.people == {1: Person(1, "Zo\xeb", "CA1", "member"), 2: Person(2, "Bob")}


def test_what_is_exported_can_be_imported() -> None:
    book, entries = filled("=SUM(A1)", "<b>Ann</b>", 'Bob "B", Jr.')
    entries.append(book.put("Cat", "+12", "member"))
    written = book_csv(book)
    assert written.startswith("\N{BOM}name,number,kind\r\n".encode())
    assert b"'=SUM(A1)" in written
    assert people([Book().read(written)]) == people(entries)
    assert Book([*entries, book.read(written)]).people == book.people, "the same again changes nothing"


RISKY = (
    *(
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "Ann;=1+1",
        'Ann; "=1+1"',
        "Bob ;;@A1",
        "'=1",
        ";'-1",
        "\N{FULLWIDTH EQUALS SIGN}1",
    ),
    *("Zoe;+1;-2", '"=1', "Ann-Lee", "x=1", "a;b"),
)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("name", RISKY)
def test_no_spreadsheet_finds_a_formula_in_it_whichever_separator_it_takes(name: str, separator: str) -> None:
    """One of a country with decimal commas takes the semicolon, whatever the file was written with."""
    book, entries = filled("Ann")
    entries += [book.put(name, "", "member"), book.put("Cat", name, "member")]
    written = book_csv(book).decode("utf-8-sig")
    for row in csv.reader(io.StringIO(written), delimiter=separator):
        for cell in row:
            assert cell.strip(' "')[:1] not in {*"=+-@", "\N{FULLWIDTH EQUALS SIGN}"}, cell
    assert people([Book().read(written.encode())]) == people(entries)
    assert Book([*entries, book.read(written.encode())]).people == book.people


def test_a_number_leads_to_the_player_and_two_of_one_name_are_told_apart() -> None:
    book, entries = filled("Ann Smith", "Bob")
    entries.append(book.put("Ann Smith", "5", id_=1))
    entries.append(book.read(b"name,number\nAnn Jones,5\nBob,6\nBob,7\n"))
    assert people(entries) == {"Ann Jones": "5", "Bob": "6", "Bob 2": "7"}
    assert Book(entries).people[1].former == ("Ann Smith",)
    for again in (b"Bob,6\nBob,7\nBob,8\n", b"Bob,8\nBob,7\nBob,6\n"):
        entries.append(book.read(b"name,number\n" + again))
        assert people(entries) == {"Ann Jones": "5", "Bob": "6", "Bob 2": "7", "Bob 3": "8"}


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("Ann,5\nBob,5", "line 3: the number 5 is on another line too"),
        ("Ann,\nann,", "line 3: ann is on another line too: give each a number"),
        ("Ann,5\nB\u200bob,6", "line 3: the name 'B\\\\u200bob' has U+200B"),
        (",7", "line 2: the name '' is empty"),
    ],
)
def test_of_a_file_with_a_line_that_can_not_be_nothing_is_taken(rows: str, why: str) -> None:
    said = refused(RuleError, Book().read, f"name,number\n{rows}\n".encode())
    assert said.startswith(why.replace("\\\\", "\\"))
    assert said.endswith("Nothing was imported")


@pytest.mark.parametrize("data", [b"", b"Ann,5\n", b"PK\x03\x04\x00\x90\x81", b"\xff\xfe\x00", b"\x81\x8d"])
def test_what_is_no_such_file_is_said(data: bytes) -> None:
    said = refused(RuleError, Book().read, data)
    assert "name the columns: name, number, kind" in said or said.endswith("save the sheet as CSV")


def test_two_who_have_met_in_a_night_are_not_made_one() -> None:
    book, _ = filled("Robert", "Bob", "Cat")
    nights = {"2026-01-07": ["Robert", "Cat"], "2026-01-14": ["Bob", "Robert"]}
    said = refused(RuleError, book.same, 1, "Bob", nights)
    assert said == "Robert and Bob have both played on 2026-01-14: they are two players"
    book.same(1, "Bob", {"2026-01-07": ["Robert", "Cat"], "2026-01-14": ["Bob", "Cat"]})


def test_two_who_were_made_one_are_two_again_with_all_that_each_had() -> None:
    book, entries = filled("Robert", "Bob")
    entries += [book.put("Rob", "7", "member", 1), book.put("Bobby", id_=2)]
    before = dict(book.people)
    entries.append(book.same(1, "Bobby"))
    again = Book(entries)
    assert [one.number for one in again.by_name] == ["7"]
    assert again.joined[1].into == 2
    parted = Book([*entries, again.part(1)])
    assert parted.people == before
    assert parted.joined == {}
    assert parted.find("robert") == before[1]
    assert parted.find("BOB") == before[2]
    assert refused(RuleError, parted.part, 1) == "that player is not in the book any more: reload the page"
    assert [one.name for one in Book([from_json(to_json(one)) for one in entries]).by_name] == ["Bobby"]


def test_who_was_changed_after_being_made_one_keeps_that() -> None:
    book, entries = filled("Robert", "Bob", "Cat")
    entries += [book.put("Robert", "7", id_=1), book.same(1, "Bob")]
    again = Book(entries)
    entries += [again.put("Robin", "8", "member", 2), again.put("Cat", "7", id_=3)]
    parted = Book([*entries, Book(entries).part(1)])
    assert parted.people[2] == Person(2, "Robin", "8", "member", ("Bob",))
    assert parted.people[1] == Person(1, "Robert", "", "guest"), "the number is another's now"
    named = Book([*entries, Book(entries).put("Robert", "8", "member", 2)])
    said = refused(RuleError, named.part, 1)
    assert said == "Robert is a name of the other's: rename this one first"


def test_a_night_has_one_name_and_no_other_nights() -> None:
    book = Book([Noted(night="one"), Noted(night="two")])
    again = Book([Noted(night="one"), Noted(night="two"), book.file(Filed("one", "Opening night"))])
    assert (again.title("one"), again.night("Opening night"), again.title("two")) == (
        "Opening night",
        "one",
        "two",
    )
    for name in ("Opening night", "one"):
        assert refused(RuleError, again.file, Filed("two", name)) == f"another night is called {name}"
    assert again.file(Filed("one", "one", "2026-01-07")).filed[0]["day"] == "2026-01-07"
