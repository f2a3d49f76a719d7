"""What is no table, or a table for something else, is refused with one sentence and its remedy."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from cribpi.analysis import make, tables
from cribpi.analysis.tables import Table, TablesError, laying_away, load, read


def damaged(folder: Path, how: str) -> Path:
    path = folder / "laying-away-2.npz"
    whole = (tables.DATA / "laying-away-2.npz").read_bytes()
    match how:
        case "missing":
            pass
        case "empty":
            path.write_bytes(b"")
        case "truncated":
            path.write_bytes(whole[:-3000])
        case "changed":
            path.write_bytes(whole[:2000] + bytes([whole[2000] ^ 255]) + whole[2001:])
        case "text":
            path.write_text("not a table")
        case "array":
            with path.open("wb") as file:
                np.save(file, np.arange(3))
        case "alien":
            with zipfile.ZipFile(path, "w") as file:
                file.writestr("hello.txt", "hello")
        case "folder":
            path.mkdir()
        case "newer":
            about = np.frombuffer(b'{"format": 99, "name": "laying-away-2", "rules": {}}', dtype=np.uint8)
            np.savez(path, about=about)
        case "other":
            make.write(folder / "other.npz", {}, {})
            (folder / "other.npz").rename(path)
    return path


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("missing", "it is missing"),
        ("empty", "it cannot be read"),
        ("truncated", "it cannot be read"),
        ("changed", "it cannot be read"),
        ("text", "it cannot be read"),
        ("array", "it cannot be read"),
        ("alien", "it cannot be read"),
        ("folder", "it cannot be read"),
        ("newer", "it has format 99, and this program reads format 1"),
        ("other", "it holds 'other'"),
    ],
)
def test_what_is_no_table_is_refused_with_the_remedy(tmp_path: Path, how: str, why: str) -> None:
    path = damaged(tmp_path, how)
    with pytest.raises(TablesError) as refused:
        read(path)
    sentence = str(refused.value)
    assert sentence.startswith(f"the table laying-away-2 cannot be used: {why}")
    assert sentence.endswith("make it again with `make tables`, or install cribpi again")
    assert "\n" not in sentence


def refused_by_laying_away(monkeypatch: pytest.MonkeyPatch, table: Table) -> str:
    monkeypatch.setattr(tables, "load", lambda _: table)
    laying_away.cache_clear()
    try:
        with pytest.raises(TablesError) as refused:
            laying_away(2)
    finally:
        laying_away.cache_clear()
    return str(refused.value)


def test_a_table_for_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load("laying-away-2")
    sentence = refused_by_laying_away(
        monkeypatch, Table(table.name, {"players": 3, "crib_flush": "five"}, table.arrays)
    )
    assert f"it was made for {json.dumps({'players': 3, 'crib_flush': 'five'})}" in sentence


@pytest.mark.parametrize("gone", ["steps_0", "thrown", "hand_points"])
def test_a_table_that_is_not_whole_is_refused(monkeypatch: pytest.MonkeyPatch, gone: str) -> None:
    table = load("laying-away-2")
    some = {name: array for name, array in table.arrays.items() if name != gone}
    assert "it is not whole" in refused_by_laying_away(monkeypatch, Table(table.name, table.rules, some))


def test_a_table_in_which_a_hand_throws_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load("laying-away-2")
    some = {
        **table.arrays,
        "times_1": table.arrays["times_1"] * (np.arange(len(table.arrays["times_1"])) > 1000),
    }
    assert "some hands throw nothing" in refused_by_laying_away(
        monkeypatch, Table(table.name, table.rules, some)
    )
