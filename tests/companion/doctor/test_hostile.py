"""Journals that somebody has made to do harm, and names on the network: doctor says what is wrong in a line.

Each row has its right checksum, as whoever makes it knows how.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
import zeroconf
from support.tables import opened, play_on, table_of

from cribpi.cli import main
from cribpi.commands.doctor import _print
from cribpi.companion.devices import mdns
from cribpi.companion.doctor.machine import finding
from cribpi.companion.doctor.pi import check_wled
from cribpi.companion.journal.journal import StateFolder
from cribpi.companion.journal.steps_table import check_value

ESCAPE = "\x1b]0;gone\x07\x1b[31m\u202e"
ODD: Sequence[object] = (ESCAPE, "", "12", b"\xff\x00", 1e999, -1, 1 << 62, 0.5, None)


def change(table: str, key: str, column: str, value: object) -> Callable[[sqlite3.Connection], None]:
    """Return what writes *value* into a *column* of the last row of *table*, with the checksum for it."""

    def do(db: sqlite3.Connection) -> None:
        db.execute("PRAGMA ignore_check_constraints=ON")
        row = db.execute(f"SELECT * FROM {table} ORDER BY {key} DESC LIMIT 1")  # noqa: S608  our own names
        names = [one[0] for one in row.description]
        cells = dict(zip(names, row.fetchone(), strict=True)) | {column: value}
        cells["crc"] = check_value([cells[name] for name in names if name not in {"crc", "one"}])
        db.execute(f"DELETE FROM {table} WHERE {key} = (SELECT max({key}) FROM {table})")  # noqa: S608  our own
        places = ", ".join("?" * len(names))
        db.execute(f"INSERT INTO {table} VALUES ({places})", [cells[name] for name in names])  # noqa: S608  our own

    return do


def statements(*lines: str) -> Callable[[sqlite3.Connection], None]:
    def do(db: sqlite3.Connection) -> None:
        for line in lines:
            db.execute(line)

    return do


DO: dict[str, Callable[[sqlite3.Connection], None]] = {
    **{
        f"{table}.{column} is {value!r}": change(table, key, column, value)
        for table, key, columns in (
            ("desk", "one", ("seq", "data")),
            ("steps", "id", ("at", "event", "parent", "depth", "head")),
            ("games", "start", ("at", "parent", "depth", "before", "number")),
        )
        for column in columns
        for value in ODD
        if value is not None or column in {"event", "parent", "head", "before"}
    },
    "a table with escapes": statements(f'CREATE TABLE "{ESCAPE}" (one)'),
    "an index with escapes that lacks a row": statements(
        f'CREATE INDEX "{ESCAPE}" ON steps (at)',
        "PRAGMA writable_schema=ON",
        f"UPDATE sqlite_schema SET sql = 'CREATE INDEX \"{ESCAPE}\" ON steps (act)' WHERE name = '{ESCAPE}'",  # noqa: S608  our own
    ),
    "no table of steps": statements("DROP TABLE steps"),
    "no desk": statements("DROP TABLE desk"),
    "a desk of other columns": statements("DROP TABLE desk", "CREATE TABLE desk (seq, other)"),
    "two desks": statements("DROP TABLE desk", "CREATE VIEW desk AS SELECT 'a' seq, 'b' data, 'c' crc"),
    "steps that are a view": statements("DROP TABLE steps", "CREATE VIEW steps AS SELECT 1 AS id"),
    "a sequence of its own": statements(f"UPDATE sqlite_sequence SET seq = '{ESCAPE}'"),  # noqa: S608  our own
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("played")
    with opened(folder) as (_, table):
        play_on(table, Random(6), 120)
    return (folder / "journal.db").read_bytes()


def doctor(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["doctor", "--sim", "--state", str(folder)]) in {0, 1}
    said = capsys.readouterr().out
    assert all(one.isprintable() for line in said.splitlines() for one in line), said
    return next(line for line in said.splitlines() if " journal " in line)


@pytest.mark.parametrize("do", DO.values(), ids=map(ascii, DO))
def test_a_journal_made_to_do_harm_is_said_in_a_line_and_the_start_takes_it_or_sets_it_aside(
    tmp_path: Path,
    played: bytes,
    do: Callable[[sqlite3.Connection], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(played)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        do(db)
    doctor(tmp_path, capsys)
    main(["export", "--list", "--state", str(tmp_path)])
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    with closing(StateFolder(tmp_path)) as folder:
        journal, _ = folder.open_journal()
        with closing(journal):
            play_on(table_of(journal), Random(1), 5)


def test_a_folder_whose_name_has_escapes_is_named_without_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "\x1b[31m").mkdir()
    assert r"\x1b[31m" in doctor(tmp_path / "\x1b[31m", capsys)


def test_names_on_the_network_that_are_made_to_do_harm_hide_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = "_wled._tcp.local."
    names = [
        f"{ESCAPE}.{kind}",
        "no service",
        f"{'x' * 300}.{kind}",
        *(f"{one}.{kind}" for one in ("oak", "elm", "nobody")),
    ]

    class Network:
        def __init__(self, **_: object) -> None:
            pass

        def get_service_info(self, type_: str, name: str, _milliseconds: int) -> object:
            zeroconf.ServiceInfo(type_, name)  # it refuses names as it does for zeroconf's own network
            host = name.partition(".")[0]
            server = {"nobody": None, "elm": f"{ESCAPE}.local."}.get(host, f"{host}.local.")
            return SimpleNamespace(server=server, parsed_addresses=lambda: ["192.0.2.60"])

        def close(self) -> None:
            pass

    class Browser:
        def __init__(self, _network: object, _kind: str, handlers: Sequence[Callable[..., None]]) -> None:
            for name in names:
                handlers[0](name=name)

        def cancel(self) -> None:
            pass

    monkeypatch.setattr(zeroconf, "Zeroconf", Network)
    monkeypatch.setattr(zeroconf, "ServiceBrowser", Browser)
    found = mdns.offering("_wled._tcp", seconds=0.0)
    assert found == {"oak.local": "192.0.2.60", f"{ESCAPE}.local": "192.0.2.60"}
    verdict = check_wled("nobody.invalid", 1, find=lambda service: mdns.offering(service, seconds=0.0))
    _print(finding("led driver", verdict))
    said = capsys.readouterr().out
    assert "oak.local (192.0.2.60)" in said
    assert all(one.isprintable() for line in said.splitlines() for one in line), said
