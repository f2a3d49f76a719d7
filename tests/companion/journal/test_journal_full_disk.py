"""A disk that takes nothing more is found when the journal is opened, and not at the first press."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.full_disk import files_no_longer_than

from cribpi.companion.journal.journal import Journal, JournalTrouble
from cribpi.cribbage.game.events import StepPassed

TIME = "2026-05-03T19:04:21.000+00:00"


def test_a_disk_that_takes_no_more_is_found_when_the_journal_opens(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with closing(Journal(path)) as first:  # it stays open, so that no file has to be made, or cut
        for seq in range(1, 21):
            first.commit(TIME, seq, "{}", [StepPassed()])
        written = path.with_name("journal.db-wal").stat().st_size
        assert written > 32768, "the next page goes past the index beside it, which is as long"
        with files_no_longer_than(written):
            with pytest.raises(JournalTrouble, match="not saved"):
                first.commit(TIME, 21, "{}", [StepPassed()])
            with pytest.raises(sqlite3.OperationalError):
                Journal(path)
        with closing(Journal(path)) as second:
            assert second.saved_input() == (20, "{}")


def test_a_file_system_that_becomes_read_only_is_asked_and_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an emergency remount ext4 says of each sync that it succeeded, and the disk has nothing."""
    asked = os.statvfs

    def read_only(path: str) -> SimpleNamespace:
        found = asked(path)
        return SimpleNamespace(f_flag=found.f_flag | os.ST_RDONLY)

    with closing(Journal(tmp_path / "journal.db")) as journal:
        journal.commit(TIME, 1, "{}", [StepPassed()])
        with monkeypatch.context() as patch:
            patch.setattr(os, "statvfs", read_only)
            with pytest.raises(JournalTrouble, match=r"nothing has changed \(read-only file system\): make"):
                journal.commit(TIME, 2, "{}", [StepPassed()])
            assert journal.saved_input() == (1, "{}")
        journal.commit(TIME, 2, "{}", [StepPassed()])
        assert (journal.saved_input(), journal.trouble) == ((2, "{}"), None)
