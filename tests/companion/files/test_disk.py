"""A disk that refuses: what is said names what mends it, and the doctor finds it before a game does."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.program import command

from cribpi.cli import main
from cribpi.companion.files.disk import LONGEST_LINE, Unreadable, reason, remedy, text_of, toml_of

RECORD = 'cribpi record 1\ngame "A" "B" dealer=1\n'


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "make room on the disk"),
        (errno.EDQUOT, "make room on the disk"),
        (errno.EROFS, "make the disk writable again (a worn card becomes read-only)"),
        (errno.EIO, "check the card or disk, which is failing (dmesg has more)"),
        (errno.EACCES, "choose another folder"),
        (None, "choose another folder"),
    ],
)
def test_what_mends_a_disk_hangs_on_why_it_refuses(number: int | None, says: str) -> None:
    assert remedy(OSError(number, "") if number else OSError(), "choose another folder") == says


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (sqlite3.SQLITE_FULL, "make room on the disk"),
        (sqlite3.SQLITE_IOERR_SHMSIZE, "make room on the disk"),
        (sqlite3.SQLITE_IOERR_FSYNC, "check the card or disk, which is failing (dmesg has more)"),
        (sqlite3.SQLITE_READONLY_CANTLOCK, "make the disk writable again (a worn card becomes read-only)"),
        (
            sqlite3.SQLITE_CORRUPT,
            "start cribpi again: it checks the file, and sets it aside if it is damaged",
        ),
        (sqlite3.SQLITE_BUSY, "stop any other program that has the journal open"),
    ],
)
def test_what_mends_a_journal_hangs_on_what_sqlite_says(code: int, says: str) -> None:
    refused = sqlite3.OperationalError("no")
    refused.sqlite_errorcode = code
    assert remedy(refused, "stop the other program") == says
    assert (
        remedy(sqlite3.OperationalError("of Python's own"), "stop the other program")
        == "stop the other program"
    )


def test_why_a_disk_refuses_is_said_in_its_own_words() -> None:
    assert reason(OSError(errno.ENOSPC, "No space left on device")) == "no space left on device"
    assert reason(OSError("the stick was pulled")) == "the stick was pulled"
    assert reason(sqlite3.OperationalError("database is locked")) == "database is locked"


def test_a_text_may_begin_with_a_mark_and_be_as_long_as_the_limit(tmp_path: Path) -> None:
    """Editors on Windows put three bytes before UTF-8."""
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfone")
    assert text_of(path) == text_of(path, largest=6) == "one"
    with pytest.raises(Unreadable, match="more than 5 bytes"):
        text_of(path, largest=5)


def test_a_path_that_leads_nowhere_is_said_with_why_and_what_to_check(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none", "No such file or directory"), (Path("a\0b"), "null")):
        with pytest.raises(Unreadable, match=rf"{why}.*check the path"):
            text_of(path)


def test_a_line_of_toml_that_is_too_long_is_named_by_its_number(tmp_path: Path) -> None:
    path, longest = tmp_path / "kit.toml", "#" * LONGEST_LINE
    path.write_text(f"{longest}\na = 1\n{longest}")
    assert toml_of(path) == {"a": 1}
    path.write_text(f"a = 1\n{longest}#\n")
    with pytest.raises(Unreadable, match=r"line 2 has 4,001 characters.*at most 4,000"):
        toml_of(path)


def test_brackets_without_end_are_no_toml(tmp_path: Path) -> None:
    path = tmp_path / "kit.toml"
    path.write_text("a = " + "[" * 3000)
    with pytest.raises(Unreadable, match=r"not TOML.*brackets"):
        toml_of(path)


def read_only(folder: Path, *arguments: object) -> tuple[int, str, str]:
    """Run cribpi while *folder* can only be read: for root too, by a mount of its own."""
    words = command(*arguments)
    if os.geteuid() == 0:
        mounted = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" || exit 99; exec "$@"'
        words = ["unshare", "-m", "sh", "-c", mounted, str(folder), *words]
    else:
        folder.chmod(0o555)
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder.parent)
    finally:
        folder.chmod(0o755)
    if os.geteuid() == 0 and ("unshare" in done.stderr or done.returncode == 99):
        pytest.skip("a root that may mount nothing has no read-only folder")
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder with a journal of one game."""
    (tmp_path / "game.crib").write_text(RECORD)
    folder = tmp_path / "games"
    assert main(("import", str(tmp_path / "game.crib"), "--state", str(folder))) == 0
    return folder


@pytest.mark.parametrize("below", ["", "new"])
def test_the_doctor_says_no_to_a_journal_in_a_folder_that_can_only_be_read(games: Path, below: str) -> None:
    code, out, told = read_only(games, "doctor", "--sim", "--port", "0", "--state", games / below)
    assert (code, told) == (1, "")
    line = next(line for line in out.splitlines() if " journal " in line)
    assert line.startswith("FAIL  journal ")
    assert line.endswith(f"{games} can't be written, so no game can be kept")
    remedy_line = out.splitlines()[out.splitlines().index(line) + 1]
    assert ("make the disk writable again" in remedy_line) == (os.geteuid() == 0)
    assert ("--state" in remedy_line) == (os.geteuid() != 0)


def test_the_doctor_says_no_to_a_file_in_place_of_the_folder(
    tmp_path: Path,
) -> None:
    (tmp_path / "games").write_text("")
    words = [
        sys.executable,
        "-m",
        "cribpi",
        "doctor",
        "--sim",
        "--port",
        "0",
        "--state",
        str(tmp_path / "games"),
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"FAIL  journal       {tmp_path / 'games'} is not a folder" in done.stdout


def test_what_writes_into_a_folder_that_can_only_be_read_is_refused_with_what_mends_it(games: Path) -> None:
    said = "make the disk writable again" if os.geteuid() == 0 else "writ"
    for arguments in (
        ("run", "--sim", "--port", "0", "--state", games),
        ("import", games.parent / "game.crib", "--state", games),
        ("export", games / "one.crib", "--state", games),
        ("kits", "draw", "table", "--to", games / "drawings"),
        ("simulate", "OK", "--png", games),
        ("arena", "chance", "chance", "--games", "2", "--rules", "travel-61", "--out", games / "kept.json"),
    ):
        code, _, told = read_only(games, *arguments)
        assert code == 2
        assert told.count("\n") == 1
        assert said in told
        assert "make room" not in told
