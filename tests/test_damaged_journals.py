"""Export from a damaged journal: what is whole is given, what is damaged is said, and nothing wrong is given."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from support.tables import opened

from cribpi.commands import export
from cribpi.commands.errors import CommandError
from cribpi.core.events import Event
from cribpi.core.record import Comment, parse

RECORDS = Path(__file__).parent / "games"
VERSION_1 = Path(__file__).parent / "data" / "journal-version-1.sql"
PAGE = 4096


def events_of(text: str) -> list[Event]:
    return [entry for entry in parse(text) if not isinstance(entry, Comment)]


def recorded(stem: str) -> list[Event]:
    return events_of((RECORDS / f"{stem}.crib").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Kept:
    """A journal of three games as bytes, and what export gives of it while it is whole."""

    data: bytes
    listed: tuple[dict[str, object], ...]
    records: tuple[str, ...]


@cache
def three_games() -> Kept:
    """Return a journal of three games on the line, a fourth that was taken back, and answers."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for stem, length in (
            ("two-to-61", 999),
            ("two-by-cards", 40),
            ("dealt-2", 999),
            ("three-by-cards", 70),
        ):
            with opened(folder) as (journal, _):
                journal.take_in(recorded(stem)[:length], 1, "{}", f"2030-01-01, {stem}")
            with opened(folder) as (_, table):
                for number in range(40 if length == 40 else 12):
                    key = "hold:UNDO" if length > 40 and number % 2 else "UNDO"
                    assert table.press(key, f"{stem} {number}").status == 200
        return Kept((folder / "journal.db").read_bytes(), *exported(folder))


def exported(folder: Path) -> tuple[tuple[dict[str, object], ...], tuple[str, ...]]:
    """Return what export gives of a whole journal: its list, and each record."""
    games = tuple(json.loads(export.listed(folder, is_json=True).text)["games"])
    return games, tuple(export.record(folder, number).text for number in range(1, len(games) + 1))


def regions(data: bytes) -> dict[str, list[int]]:
    """Return where the file's header lies, and the pages of each of its tables and of its index, their heads apart."""
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
    except CommandError as refused:
        return "", str(refused)
    return found.text, found.damage or ""


def check(folder: Path, kept: Kept, place: int, *, in_steps: bool) -> bool:
    """Check what export gives of a journal in which one bit at *place* has flipped; tell whether it was seen."""
    where = f"byte {place}"
    records = [given(folder, number) for number in (1, 2, 3)]
    for (text, said), true in zip(records, kept.records, strict=True):
        assert text in {"", true} or (true is kept.records[-1] and is_the_beginning(text, true) and said), (
            where
        )
        assert text == true or said, where
    assert given(folder, None) == records[-1] or "no game 3" in records[-1][1], where
    whole = sum(text == true for (text, _), true in zip(records, kept.records, strict=True))
    newer = any("newer than this" in said for _, said in records)
    assert newer or whole >= 3 - in_steps, f"{where}: {records}"
    try:
        found = export.listed(folder, is_json=True)
    except CommandError:
        assert newer, where
        return True
    listed = json.loads(found.text)["games"]
    for one in listed:
        true_one = kept.listed[one["game"] - 1]
        assert one == true_one or "error" in one or one["game"] == 3, where
    assert list(kept.listed) == listed or found.damage, where
    assert bool(found.damage) == any(said for _, said in records), where
    return found.damage is not None


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
        seen += check(folder, kept, place, in_steps=name == "steps")
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
        "desk",
        "answers",
        "sqlite_autoindex_answers_1",
    ):
        assert name in regions(kept.data)
    assert len(regions(kept.data)["heads of steps"]) > 3 * 12, "a tree of several pages"


def test_one_flipped_bit_is_said_or_harmless_and_what_is_whole_is_given(tmp_path: Path) -> None:
    assert check_flips(tmp_path, range(26)) > 5


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_one_flipped_bit_of_five_thousand_is_said_or_harmless_and_what_is_whole_is_given(
    tmp_path: Path,
) -> None:
    print(f"{check_flips(tmp_path, range(5000))} of 5000 seen")
