"""The log in one file: copied while its desk runs, kept after each round, and continued by another desk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")

from club.nights import set_up

from cribpi.club import backups
from cribpi.club.backups import Backups
from cribpi.club.desk import Desk
from cribpi.club.entries import Corrected, Listed, Reported
from cribpi.club.log import CLUB, Log
from cribpi.club.night import Night
from cribpi.club.standings import Result
from cribpi.commands.club import _tonight

EIGHT = ("ANN", "BOB", "CAT", "DOT", "EVE", "FAY", "GUS", "HAL")


@pytest.fixture
def log(database: str) -> Iterator[Log]:
    found = Log(database)
    yield found
    found.close()


def night_in(file: Path, name: str = "a night") -> Night:
    """Return the night that the *file* alone has, on a laptop that has nothing else."""
    log = Log(f"sqlite:///{shutil.copy(file, file.parent / 'elsewhere.db')}")
    try:
        return Desk(log, name).night
    finally:
        log.close()
        (file.parent / "elsewhere.db").unlink()


def play(desk: Desk) -> None:
    """Play a round."""
    desk.open_round()
    for table in desk.night.missing:
        desk.do(Reported(Result(desk.night.round, table.board, *table.players, 90), "the desk"))


def test_the_file_alone_has_all_that_was_entered_while_its_desk_runs(tmp_path: Path) -> None:
    log = Log(f"sqlite:///{tmp_path / 'club.db'}")
    desk = Desk(log, "a night")
    set_up(desk, EIGHT, 9)
    for _ in range(4):
        desk.open_round()
        for table in desk.night.missing:
            desk.do(Reported(Result(desk.night.round, table.board, *table.players, 90), "the desk"))
            assert night_in(tmp_path / "club.db") == desk.night
    assert len(night_in(tmp_path / "club.db").results) == 16
    log.close()


def test_after_each_round_there_is_a_copy_that_has_it(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(f"club-2026-11-25-20000{number}.db" for number in range(9))
    monkeypatch.setattr(backups, "file_name", lambda: next(times))
    desk, folder = Desk(log, "a night"), tmp_path / "backups"
    said: list[str | None] = []
    Backups(log, desk, folder, said.append)
    set_up(desk, EIGHT, 3)
    assert not folder.exists()
    for number in (1, 2):
        play(desk)
        assert len([*folder.iterdir()]) == number
    desk.do(Listed("IDA"))
    assert len([*folder.iterdir()]) == 2, "no result has changed"
    desk.do(Corrected(Result(1, 1, *desk.night.table(1, 1).players, 3), "the desk"))
    latest = max(folder.iterdir())
    assert len([*folder.iterdir()]) == 3
    assert latest.stat().st_mode & 0o077 == 0
    assert night_in(latest) == desk.night
    assert [len(night_in(one).results) for one in sorted(folder.iterdir())] == [4, 8, 8]
    assert said == [None] * 3


def test_as_many_copies_stay_as_were_promised_and_the_latest_is_among_them(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some are of a night on which the clock was a year ahead."""
    folder = tmp_path / "backups"
    folder.mkdir()
    ahead, before = (
        [f"club-{year}-11-25-2000{number:02}.db" for number in range(30)] for year in (2027, 2025)
    )
    for name in (*ahead, *before, "another file"):
        (folder / name).touch()
    monkeypatch.setattr(backups, "file_name", lambda: "club-2026-11-25-200000.db")
    desk = Desk(log, "a night")
    Backups(log, desk, folder, lambda _: None)
    set_up(desk, EIGHT, 3)
    play(desk)
    kept = {one.name for one in folder.iterdir()}
    assert kept == {"another file", "club-2026-11-25-200000.db", *before[-backups.KEPT + 1 :]}


def test_a_copy_that_can_not_be_saved_is_said_and_the_night_goes_on(log: Log, tmp_path: Path) -> None:
    folder, said = tmp_path / "backups", list[str | None]()
    folder.touch()
    desk = Desk(log, "a night")
    Backups(log, desk, folder, said.append)
    set_up(desk, EIGHT, 3)
    play(desk)
    assert said == [f"The copy of this night can't be saved in {folder} (file exists)."]
    folder.unlink()
    play(desk)
    assert said[1:] == [None]


def test_another_desk_goes_on_from_a_copy_whatever_database_it_is_of(log: Log, tmp_path: Path) -> None:
    desk = Desk(log, _tonight(log))
    set_up(desk, [desk.known(one) for one in EIGHT], 3)
    play(desk)
    (tmp_path / "laptop.db").write_bytes(log.copy())
    other = Log(f"sqlite:///{tmp_path / 'laptop.db'}")
    assert _tonight(other) == desk.name
    again = Desk(other, desk.name)
    assert again.night == desk.night
    assert [one.name for one in again.book().by_name] == [*EIGHT]
    assert other.timed(desk.name) == log.timed(desk.name)
    assert other.timed(CLUB) == log.timed(CLUB)
    for _ in range(2):
        play(again)
    assert again.night.is_over
    assert len(again.night.results) == 12
    other.close()


def test_an_empty_log_is_copied_too(log: Log, tmp_path: Path) -> None:
    (tmp_path / "empty.db").write_bytes(log.copy())
    assert night_in(tmp_path / "empty.db") == Night()
