"""Export from a damaged journal: what is whole is given, what is damaged is said, and nothing wrong is
given."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from support.paths import DATA, GAMES
from support.tables import opened

from cribpi.commands import export
from cribpi.companion.entry.requests import Press, Remove
from cribpi.companion.journal import database
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.record import Comment, parse
from cribpi.cribbage.rules.errors import UserError

PAGE = 4096


def events_of(text: str) -> list[Event]:
    return [entry for entry in parse(text) if not isinstance(entry, Comment)]


def recorded(stem: str) -> list[Event]:
    return events_of((GAMES / f"{stem}.crib").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Kept:
    """A journal of three games as bytes, and what export gives of it while it is whole."""

    data: bytes
    listed: tuple[dict[str, object], ...]
    records: tuple[str, ...]


@cache
def three_games() -> Kept:
    """Return a journal of three games on the line, of which one was removed and put back, a fourth that was
    taken back, and answers."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for stem, length in (
            ("two-to-61", 999),
            ("two-by-cards", 40),
            ("dealt-2", 999),
            ("three-by-cards", 70),
        ):
            with opened(folder) as (journal, _):
                journal.commit(f"2030-01-01, {stem}", 1, "{}", recorded(stem)[:length])
            with opened(folder) as (_, table):
                for number in range(40 if length == 40 else 12):
                    key = "hold:UNDO" if length > 40 and number % 2 else "UNDO"
                    assert table.do(Press(key), id=f"{stem} {number}").is_accepted
        with opened(folder) as (_, table):
            for ask in (Remove(1), Remove(1, is_back=True)):
                assert table.do(ask).is_accepted
        return Kept((folder / "journal.db").read_bytes(), *exported(folder))


def exported(folder: Path) -> tuple[tuple[dict[str, object], ...], tuple[str, ...]]:
    """Return what export gives of a whole journal: its list, and each record."""
    games = tuple(json.loads(export.listed(folder, is_json=True).text)["games"])
    return games, tuple(export.record(folder, number).text for number in range(1, len(games) + 1))


def regions(data: bytes) -> dict[str, list[int]]:
    """Return where the file's header lies, and the pages of each of its tables and of its index, their heads
    apart."""
    with TemporaryDirectory() as name:
        path = Path(name, "journal.db")
        path.write_bytes(data)
        with closing(sqlite3.connect(path)) as db:
            roots = dict(db.execute("SELECT rootpage, name FROM sqlite_schema WHERE rootpage > 0"))
    found: dict[str, list[int]] = {"header": list(range(100)), "schema": list(range(100, PAGE))}
    for root, table in roots.items():
        for page in pages_below(data, root):
            start = (page - 1) * PAGE
            found.setdefault(f"heads of {table}", []).extend(range(start, start + 12))
            found.setdefault(table, []).extend(range(start + 12, start + PAGE))
    return found


def pages_below(data: bytes, page: int) -> Iterator[int]:
    """Give the page and those below it in its tree, as the file format has it."""
    yield page
    start = (page - 1) * PAGE
    if data[start] in {2, 5}:
        cells = int.from_bytes(data[start + 3 : start + 5], "big")
        for cell in range(cells):
            place = start + int.from_bytes(data[start + 12 + 2 * cell : start + 14 + 2 * cell], "big")
            yield from pages_below(data, int.from_bytes(data[place : place + 4], "big"))
        yield from pages_below(data, int.from_bytes(data[start + 8 : start + 12], "big"))


def given(folder: Path, number: int | None) -> tuple[str, str]:
    """Return the record that export gives, and what it says is damaged; each may be empty."""
    try:
        found = export.record(folder, number)
    except UserError as refused:
        return "", str(refused)
    return found.text, found.damage or ""


def check(folder: Path, kept: Kept, *, in_steps: bool) -> bool:
    """Check what export gives of a journal in which one bit has flipped; tell whether it was seen."""
    records = check_what_is_given(folder, kept)
    whole = sum(text == true for (text, _), true in zip(records, kept.records, strict=True))
    newer = any("newer than this" in said for _, said in records)
    assert newer or whole >= 3 - in_steps, records
    return any(said for _, said in records)


def check_what_is_given(folder: Path, kept: Kept) -> list[tuple[str, str]]:
    """Check that export gives nothing but what is whole, and says so where it is not all; return the
    records."""
    records = [given(folder, number) for number in (1, 2, 3)]
    for (text, said), true in zip(records, kept.records, strict=True):
        assert text in {"", true} or (true is kept.records[-1] and is_the_beginning(text, true) and said)
        assert text == true or said
    assert given(folder, None) == records[-1] or "no game 3" in records[-1][1]
    try:
        found = export.listed(folder, is_json=True)
    except UserError:
        assert not any(text for text, _ in records)
        return records
    listed = json.loads(found.text)["games"]
    for one in listed:
        assert one == kept.listed[one["game"] - 1] or "error" in one or one["game"] == 3
    assert list(kept.listed) == listed or found.damage
    return records


def is_the_beginning(text: str, true: str) -> bool:
    """Tell whether *text* lacks nothing of *true* but its last events."""
    events = events_of(text)
    return events == events_of(true)[: len(events)]


def check_flips(folder: Path, seeds: range) -> int:
    """Flip a bit in each region in turn; return how many were seen."""
    kept = three_games()
    found = regions(kept.data)
    names = sorted(found)
    seen = 0
    for seed in seeds:
        chance = Random(seed)
        name = names[seed % len(names)]
        place = chance.choice(found[name])
        data = bytearray(kept.data)
        data[place] ^= 1 << chance.randrange(8)
        (folder / "journal.db").write_bytes(data)
        try:
            seen += check(folder, kept, in_steps=name == "steps")
        except AssertionError as wrong:
            raise AssertionError(f"seed {seed}, byte {place}, in {name}: {wrong}") from wrong
    return seen


def test_the_journal_of_the_laws_has_three_games_and_every_region() -> None:
    kept = three_games()
    assert len(kept.listed) == 3
    assert kept.listed[0]["winner"] == 1
    for name in (
        "header",
        "schema",
        "steps",
        "heads of steps",
        "games",
        "removed",
        "house",
        "desk",
        "answers",
        "sqlite_autoindex_answers_1",
    ):
        assert name in regions(kept.data)
    assert len(regions(kept.data)["heads of steps"]) > 3 * 12, "a tree of several pages"


@pytest.fixture
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take each journal for a large one, of which only the rows that are given are looked at."""
    monkeypatch.setattr(database, "CHECKED_BY_ROW", 0)


def test_one_flipped_bit_is_said_or_harmless_and_what_is_whole_is_given(tmp_path: Path) -> None:
    assert check_flips(tmp_path, range(12)) > 3


@pytest.mark.usefixtures("_large")
def test_one_flipped_bit_in_a_large_journal_is_said_or_harmless(tmp_path: Path) -> None:
    assert check_flips(tmp_path, range(12, 28)) > 3


@pytest.mark.prove
@pytest.mark.timeout(7200)
def test_one_flipped_bit_of_three_thousand_is_said_or_harmless(tmp_path: Path) -> None:
    print(f"{check_flips(tmp_path, range(3000))} of 3000 seen")


@pytest.mark.prove
@pytest.mark.timeout(7200)
@pytest.mark.usefixtures("_large")
def test_one_flipped_bit_of_two_thousand_in_a_large_journal_is_said_or_harmless(tmp_path: Path) -> None:
    print(f"{check_flips(tmp_path, range(3000, 5000))} of 2000 seen")


# --- one by one -------------------------------------------------------------------------------------


def test_damage_in_the_names_of_its_tables_is_said(tmp_path: Path) -> None:
    """SQLite quotes such a name in its own message, which then is no text."""
    kept = three_games()
    schema = kept.data[:PAGE]
    places = [found.start() for found in re.finditer(b"steps|games|sqlite_sequence|presses", schema)]
    assert len(places) > 5
    for place in places:
        data = bytearray(kept.data)
        data[place] = 0xC5  # begins a letter of two bytes, and the second is missing
        (tmp_path / "journal.db").write_bytes(data)
        check(tmp_path, kept, in_steps=False)


def test_the_last_steps_of_a_journal_are_missed(tmp_path: Path) -> None:
    """A journal that ends too soon looks whole: only the count of all steps that were written tells."""
    (tmp_path / "journal.db").write_bytes(three_games().data)
    lose = "DELETE FROM steps WHERE id > (SELECT max(id) - 3 FROM steps)"
    changed(tmp_path / "journal.db", "PRAGMA secure_delete=ON", lose)
    found = export.record(tmp_path, 1)
    assert found.text == three_games().records[0]
    assert found.damage is not None
    assert "steps" in found.damage
    assert "have changed since they were written" in found.damage


def changed(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def damaged(path: Path, mark: bytes) -> None:
    """Change the last byte of *mark*, which stands in the file once."""
    data = bytearray(path.read_bytes())
    assert data.count(mark) == 1
    data[data.index(mark) + len(mark) - 1] ^= 1
    path.write_bytes(data)


def killed(folder: Path, records: int) -> Path:
    """Leave the journal of a companion that was killed: what it committed lies in the log alone."""
    copy = folder / "copy"
    copy.mkdir()
    with opened(folder / "kept") as (journal, _):
        for number in range(records):
            journal.commit(f"game {number}", 1, "{}", recorded("two-to-61"))
        for path in (folder / "kept").glob("journal.db*"):
            (copy / path.name).write_bytes(path.read_bytes())
    return copy


def test_what_lies_in_the_log_alone_is_given_too(tmp_path: Path) -> None:
    copy = killed(tmp_path, 2)
    true = exported(copy)
    data = bytearray((copy / "journal.db").read_bytes())
    data[:16] = bytes(16)
    (copy / "journal.db").write_bytes(data)
    (copy / "journal.db-wal").write_bytes(b"\0" + (copy / "journal.db-wal").read_bytes()[1:])
    for number, record in enumerate(true[1], start=1):
        found = export.record(copy, number)
        assert (found.text, bool(found.damage)) == (record, True)


def test_what_the_log_did_not_commit_is_not_given(tmp_path: Path) -> None:
    copy = killed(tmp_path, 2)
    log = (copy / "journal.db-wal").read_bytes()
    (copy / "journal.db-wal").write_bytes(b"\0" + log[1:-PAGE])
    data = bytearray((copy / "journal.db").read_bytes())
    data[:16] = bytes(16)
    (copy / "journal.db").write_bytes(data)
    assert len(json.loads(export.listed(copy, is_json=True).text)["games"]) == 1


@pytest.mark.parametrize("version", [1, 2])
def test_a_damaged_journal_of_an_earlier_version_gives_what_is_whole(version: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        sql = DATA / f"journal-version-{version}.sql"
        db.executescript(sql.read_text(encoding="utf-8"))
        root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'steps'").fetchone()[0]
    true = exported(tmp_path)
    data = bytearray(path.read_bytes())
    data[(root - 1) * PAGE] ^= 2
    path.write_bytes(data)
    for number, record in enumerate(true[1], start=1):
        found = export.record(tmp_path, number)
        assert (found.text, bool(found.damage)) == (record, True)


def test_where_the_beginning_of_a_game_is_lost_without_a_note_the_numbers_are_doubted(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((DATA / "journal-version-2.sql").read_text(encoding="utf-8"))
        at = db.execute("SELECT at FROM steps WHERE event LIKE 'game %' ORDER BY id DESC").fetchone()[0]
    damaged(path, at.encode())
    found = export.listed(tmp_path, is_json=True)
    assert found.damage is not None
    assert "the numbers of the games may be too low" in found.damage


def test_a_note_of_a_game_that_is_damaged_costs_nothing_but_a_word(tmp_path: Path) -> None:
    kept = three_games()
    (tmp_path / "journal.db").write_bytes(kept.data)
    changed(tmp_path / "journal.db", "UPDATE games SET number = 7 WHERE number = 2")
    found = export.record(tmp_path, 1)
    assert found.text == kept.records[0]
    assert "the note of the game" in (found.damage or "")
    assert "every step is intact" in (found.damage or "")


def test_a_journal_of_a_newer_version_is_no_damaged_one(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(three_games().data)
    changed(tmp_path / "journal.db", "PRAGMA user_version=99")
    with pytest.raises(UserError, match="newer than this"):
        export.record(tmp_path, 1)


def test_what_holds_no_step_gives_the_reason(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(three_games().data[: PAGE // 2])
    with pytest.raises(UserError, match="can't be read"):
        export.record(tmp_path, 1)
