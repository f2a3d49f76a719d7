"""What is no table, or a table for something else, is refused with one sentence and its remedy."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cribpi.cribbage.analysis import tables
from cribpi.cribbage.analysis.discard import habits
from cribpi.cribbage.analysis.discard.habits import discard_table
from cribpi.cribbage.analysis.tables import TABLE_SPECS, DataTable, TablesError, checked, load, read
from cribpi.workshop.tables import make


def in_each_entry(whole: bytes, at: int, value: int) -> bytes:
    """Return a zip with *value* at that place of each entry of its directory: 6 is the version, 8 the
    flags."""
    head, *entries = whole.split(b"PK\x01\x02")
    return b"PK\x01\x02".join([head, *(one[: at - 4] + bytes([value]) + one[at - 3 :] for one in entries)])


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
        case "of a later zip":
            path.write_bytes(in_each_entry(whole, 6, 99))
        case "locked":
            path.write_bytes(in_each_entry(whole, 8, 1))
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
        ("of a later zip", "it cannot be read (zip file version 9.9)"),
        ("locked", "it cannot be read (File '"),
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


def test_whatever_is_changed_in_a_table_it_is_refused_with_the_remedy_or_read(tmp_path: Path) -> None:
    path, chance = tmp_path / "laying-away-2.npz", Random(6)
    make.write(path, {"players": 2}, {"one": np.arange(20), "two": np.zeros((2, 3))})
    whole = path.read_bytes()
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.choice([0, 1, 99, 255, chance.randrange(256)])
        path.write_bytes(data)
        try:
            read(path)
        except TablesError as refused:
            assert str(refused).isprintable()  # noqa: PT017  either outcome is right


@pytest.mark.parametrize("name", sorted(TABLE_SPECS))
def test_a_table_for_other_rules_is_refused(name: str) -> None:
    other = {**TABLE_SPECS[name].rules, "players": 7}
    with pytest.raises(TablesError) as refused:
        checked(DataTable(name, other, load(name).arrays))
    assert f"it was made for {json.dumps(other)}, not for" in str(refused.value)


@pytest.mark.parametrize("how", ["gone", "deeper", "flat", "words"])
@pytest.mark.parametrize(
    ("name", "array"), [(name, array) for name in TABLE_SPECS for array in TABLE_SPECS[name].shapes]
)
def test_a_table_that_is_not_whole_is_refused(name: str, array: str, how: str) -> None:
    table = load(name)
    arrays = dict(table.arrays)
    match how:
        case "gone":
            del arrays[array]
        case "deeper":
            arrays[array] = arrays[array][..., None]
        case "flat":
            arrays[array] = arrays[array].max()
        case "words":
            arrays[array] = arrays[array].astype(str)
    with pytest.raises(TablesError, match=rf"it is incomplete \({array}\)"):
        checked(DataTable(name, table.rules, arrays))


@pytest.mark.parametrize("name", sorted(TABLE_SPECS))
def test_a_table_whose_array_is_shorter_is_refused(name: str) -> None:
    table = load(name)
    for array, shape in TABLE_SPECS[name].shapes.items():
        if None not in shape:
            arrays = {**table.arrays, array: table.arrays[array][..., :-1]}
            with pytest.raises(TablesError, match=rf"it is incomplete \({array}\)"):
                checked(DataTable(name, table.rules, arrays))


def test_each_table_that_is_made_and_shipped_has_its_form() -> None:
    assert set(make.TABLES) == set(TABLE_SPECS)
    assert {path.stem for path in tables.DATA.iterdir()} == set(TABLE_SPECS)
    for name in TABLE_SPECS:
        assert checked(load(name)) is load(name)


def test_what_is_loaded_is_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make.write(tmp_path / "pegging-2.npz", {"players": 2, "play_rounds": "one"}, load("pegging-2").arrays)
    monkeypatch.setattr(tables, "DATA", tmp_path)
    load.cache_clear()
    try:
        with pytest.raises(TablesError, match="pegging-2 cannot be used: it was made for"):
            load("pegging-2")
    finally:
        load.cache_clear()


def test_a_table_in_which_a_hand_throws_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load("laying-away-2")
    times = table.arrays["times_1"]
    some = {**table.arrays, "times_1": times * (np.arange(len(times)) > 1000)}
    monkeypatch.setattr(habits, "load", lambda _: DataTable(table.name, table.rules, some))
    discard_table.cache_clear()
    try:
        with pytest.raises(TablesError, match=r"it is incomplete \(some hands discard nothing"):
            discard_table(2)
    finally:
        discard_table.cache_clear()
