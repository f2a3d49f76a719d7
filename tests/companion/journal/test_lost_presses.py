"""Presses that were answered and are gone, since somebody changed the files and the program was killed before
its next press: the start and the doctor say how many.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.damage import DAMAGES, LOG, MAIN, Damage
from support.lasting import troubles_at
from support.patience import until
from support.server import ask, companion
from support.sync_faults import shown
from support.tables import opened, play_on, table_of

from cribpi.cli import main
from cribpi.companion.entry.requests import Press
from cribpi.companion.journal.journal import StateFolder
from cribpi.companion.table.snapshot import Snapshot

KEYS = ("OK", "OK", "P2", "3", "10")
GONE = (
    "the journal lacks the last 5 presses: its files were changed while cribpi ran, which was then killed "
    "before it could write them again"
)


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """Give the folder of a companion as `kill -9` leaves it after KEYS."""
    with companion(tmp_path / "left") as (process, url):
        for key in KEYS:
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        process.kill()
    return tmp_path / "left"


def doctor(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    main(["doctor", "--sim", "--state", str(folder)])
    return next(line for line in capsys.readouterr().out.splitlines() if " journal " in line)


def test_a_log_that_is_emptied_before_the_program_is_killed_is_missed_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "state"
    with companion(folder) as (process, url):
        for key in KEYS:
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        assert doctor(folder, capsys).startswith("ok")
        os.truncate(folder / LOG, 0)
        process.kill()
    assert doctor(folder, capsys) == f"FAIL  journal       {folder / MAIN}: {GONE}"
    with companion(folder, stderr=subprocess.PIPE) as (process, url):
        assert process.stderr is not None
        assert GONE in process.stderr.readline()
        until(lambda: troubles_at(url) == [GONE])  # the page is there before the trouble is known to it
        assert ask(f"{url}api/press", {"key": "OK"})[0] == 200
        process.kill()
        process.stderr.close()
    with companion(folder) as (_, url):
        assert troubles_at(url) == [], "it is said until the game has gone on"
    assert doctor(folder, capsys).startswith("ok")


def test_a_program_that_is_killed_and_has_lost_nothing_says_nothing(
    left: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(left, capsys).startswith("ok")
    with companion(left) as (_, url):
        assert troubles_at(url) == []


def opened_again(folder: Path) -> tuple[Snapshot, str | None]:
    with closing(StateFolder(folder)) as held:
        journal, notice = held.open_journal()
        with closing(journal):
            return table_of(journal).now, notice


def _delete(*names: str) -> Damage:
    def do(folder: Path, _: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return do


LOST: dict[str, Damage] = {
    **DAMAGES,
    "journal deleted": _delete(MAIN),
    "log deleted": _delete(LOG),
    "all deleted": _delete(MAIN, LOG, "journal.db-shm"),
}


@pytest.mark.parametrize("do", LOST.values(), ids=LOST)
def test_whatever_is_done_to_the_files_before_a_kill_is_harmless_or_said(
    tmp_path: Path, do: Damage, another: Path
) -> None:
    with opened(tmp_path / "state") as (journal, table):
        play_on(table, Random(6), 120)
        journal._opened.checkpoint()
        play_on(table, Random(7), 60)
        before = shown(table)
        left = shutil.copytree(tmp_path / "state", tmp_path / "left")
    do(left, another)
    now, notice = opened_again(left)
    assert notice is not None or now == before


def test_a_journal_that_is_taken_away_or_put_back_while_nothing_runs_is_nobodys_loss(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (_, table):
        play_on(table, Random(6), 60)
    shutil.copy(folder / MAIN, tmp_path / "backup")
    with opened(folder) as (_, table):
        play_on(table, Random(7), 60)
    shutil.copy(tmp_path / "backup", folder / MAIN)
    assert opened_again(folder)[1] is None
    (folder / MAIN).unlink()
    assert opened_again(folder)[1] is None


def test_a_journal_deleted_after_the_last_press_of_an_evening_is_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(tmp_path) as (_, table):
        for key in KEYS:
            assert table.do(Press(key)).is_accepted
        for path in tmp_path.glob("journal.db*"):
            path.unlink()
    assert "empty or gone" in doctor(tmp_path, capsys)
    assert "the last 5 presses" in (opened_again(tmp_path)[1] or "")


@pytest.mark.parametrize("mark", [b"", bytes(21), b"what a torn write leaves", b"9" * 40, b"-5\n"])
def test_a_mark_that_makes_no_sense_says_nothing(left: Path, mark: bytes) -> None:
    """A pulled plug may leave zeros, or nothing: the mark is not synced."""
    (left / "lock").write_bytes(mark)
    assert opened_again(left)[1] is None
