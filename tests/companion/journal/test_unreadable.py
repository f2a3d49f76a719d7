"""A journal that the disk no longer reads: a file gives EIO, as a bad sector does, or pages have flipped.

EIO is for whoever reads a file; SQLite has its index mapped into memory.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from support.damage import INDEX, LOG, MAIN
from support.sync_faults import after_kill, shown
from support.tables import opened, play_on, play_to

from cribpi.companion.entry.requests import Press
from cribpi.companion.journal.journal import Journal

_UNREADABLE = "the journal became unreadable"
_REFUSED = f"not saved: {_UNREADABLE}; a new one holds all of it. Press again."


@contextmanager
def unreadable(is_meant: Callable[[int], bool], is_now: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Let each read of an open file that *is_meant* fail with EIO where it *is_now* so."""
    pread = os.pread

    def fails(file: int, size: int, place: int) -> bytes:
        if is_meant(file) and is_now():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return pread(file, size, place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "pread", fails)
        yield


def this(path: Path) -> Callable[[int], bool]:
    """Return what says whether an open file is that at *path* now."""
    found = path.stat()
    return lambda file: os.path.samestat(os.fstat(file), found)


def any_index(file: int) -> bool:
    return Path(f"/proc/self/fd/{file}").readlink().name == INDEX


def test_an_index_that_cannot_be_read_refuses_a_press_in_a_sentence_and_is_new_for_the_next(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "state") as (_, table):
        play_on(table, Random(6), 80)
        before = shown(table)
        with unreadable(this(tmp_path / "state" / INDEX)):
            answer = table.do(Press("MENU"), id="an id")
            assert (answer.is_accepted, json.loads(answer.text)) == (False, {"error": _REFUSED})
            assert shown(table) == before
            assert after_kill(tmp_path / "state") == before
            assert table.do(Press("MENU"), id="an id").is_accepted


def test_a_disk_that_reads_no_index_at_all_refuses_one_press_and_then_the_game_goes_on(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "state") as (_, table):
        play_on(table, Random(6), 80)
        before = shown(table)
        with unreadable(any_index):
            assert not table.do(Press("MENU"), id="an id").is_accepted
            assert (shown(table), after_kill(tmp_path / "state")) == (before, before)
            play_to(table, Random(7), before.seq + 5)
            assert after_kill(tmp_path / "state") == shown(table)
        assert not table.do(Press("MENU"), id="the next").is_accepted, "what there was meanwhile is unknown"
        play_to(table, Random(8), before.seq + 9)
        assert after_kill(tmp_path / "state") == shown(table)


def written(journal: Journal, folder: Path) -> Callable[[], bool]:
    """Return what says whether anything was committed to *journal* in *folder* from now on."""
    before = (folder / LOG).stat().st_size
    return lambda: (folder / LOG).stat().st_size > before and not journal._db.in_transaction


@pytest.mark.parametrize("name", [INDEX, LOG])
def test_a_press_that_is_saved_is_answered_so_whatever_can_be_read_after_it(
    tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        play_on(table, Random(6), 80)
        before = table.now
        with unreadable(this(folder / name), written(journal, folder)):
            answer = table.do(Press("MENU"), id="an id")
            assert (answer.is_accepted, table.now.seq) == (True, before.seq + 1)
            assert after_kill(folder) == shown(table), "it is on the disk, and nobody was told otherwise"
        saved = shown(table)
        assert not table.do(Press("UNDO"), id="the next").is_accepted, "it finds the damage"
        assert shown(table) == saved
        assert table.do(Press("UNDO"), id="the next").is_accepted
        assert after_kill(folder) == shown(table)


def spoil(journal: Journal, folder: Path, of: str) -> None:
    """Spoil the first page of the table or index *of*, as a worn-out card does: without a new time."""
    journal._opened.checkpoint()
    (page,) = journal._db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (of,)).fetchone()
    (size,) = journal._db.execute("PRAGMA page_size").fetchone()
    journal._db.execute("PRAGMA shrink_memory")
    times = (folder / MAIN).stat()
    with (folder / MAIN).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x77" * size)
    os.utime(folder / MAIN, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize("of", ["sqlite_autoindex_answers_1", "answers", "steps", "desk"])
def test_a_page_that_has_flipped_refuses_some_presses_in_a_sentence_and_the_game_goes_on(
    tmp_path: Path, of: str
) -> None:
    folder = tmp_path / "state"
    with opened(folder) as (journal, table):
        for press in range(200):
            play_on(table, Random(press), 1, f"press {press}")
        before = shown(table)
        spoil(journal, folder, of)
        answers = [table.do(Press("MENU"), id=f"then {number}") for number in range(3)]
        assert [answer.is_accepted for answer in answers] == [False, False, True]
        assert "not saved" in json.loads(answers[0].text)["error"]
        assert "a new one holds this game" in json.loads(answers[1].text)["error"]
        assert (table.now.log, table.now.seq) == (before.log, before.seq + 1)
        assert after_kill(folder) == shown(table)
