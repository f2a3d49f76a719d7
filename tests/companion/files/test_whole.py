"""Files that are written whole: what is there after a power cut, and who alone renames anything."""

from __future__ import annotations

import ast
import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.full_disk import files_no_longer_than
from support.paths import PACKAGE, SYSTEMD

from cribpi.companion.files.atomic import erase, put, write_whole

RENAMES = {
    "cribpi/companion/files/atomic.py": 1,
    "cribpi/companion/journal/location.py": 2,  # the journal's own files: its first sync takes their names
    "cribpi/companion/journal/connection.py": 1,
    "systemd/fallback.py": 1,  # a folder, whose name `slots.switch` syncs
    "systemd/slots.py": 4,  # folders and a link, which change names at once and are synced then
}
"""How many renames there are in each module that has any."""


def test_the_folder_is_synced_once_the_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced, sync = tmp_path / "file", list[tuple[bool, str | None]](), os.fsync

    def fsync(handle: int) -> None:
        is_folder = os.path.sameopenfile(handle, folder)
        synced.append((is_folder, path.read_text() if path.exists() else None))
        sync(handle)

    folder = os.open(tmp_path, os.O_RDONLY)

    monkeypatch.setattr(os, "fsync", fsync)
    write_whole(path, b"one")
    assert synced == [(False, None), (True, "one")]
    (tmp_path / "two").write_text("two")
    put(tmp_path / "two", path)
    erase(path)
    os.close(folder)
    assert synced[2:] == [(True, "two"), (True, None)]


def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    with files_no_longer_than(2), pytest.raises(OSError, match="File too large"):
        write_whole(path, b"new one")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"old"


def test_only_who_may_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / ".file.new").write_text("left by a power cut, for all to read")
    write_whole(path, b"secret", mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b"secret", "and nothing of what was left"


def test_without_a_word_about_it_a_file_is_read_by_those_who_read_any_new_one(tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    write_whole(tmp_path / "file", b"one")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_a_folder_that_is_a_file_is_refused_in_the_systems_words(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("")
    with pytest.raises(NotADirectoryError):
        write_whole(tmp_path / "games" / "file", b"one")


def test_what_is_not_there_is_erased_without_a_word(tmp_path: Path) -> None:
    erase(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("code", "is_refused"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_folder_that_cannot_be_synced_is_one_of_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, *, is_refused: bool
) -> None:
    sync = os.fsync

    def fsync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(code, os.strerror(code))
        sync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    try:
        write_whole(tmp_path / "file", b"one")
        assert not is_refused
    except OSError:
        assert is_refused
    assert (tmp_path / "file").read_bytes() == b"one"


def renames_in(source: str) -> Iterator[ast.Call]:
    """Yield each call that renames a file: `Path.replace` takes one argument, and `str.replace` two."""
    named: dict[str, Callable[[ast.Call], bool]] = {
        "rename": lambda _: True,
        "replace": lambda call: len(call.args) == 1 and not call.keywords,
    }
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            is_rename = named.get(call.func.attr)
            if is_rename is not None and is_rename(call):
                yield call


def test_whoever_else_renames_a_file_does_it_there() -> None:
    found = {
        str(path.relative_to(room.parent)): number
        for room in (PACKAGE, SYSTEMD)
        for path in sorted(room.rglob("*.py"))
        if (number := len(list(renames_in(path.read_text(encoding="utf-8")))))
    }
    # The wheel has no installer.
    there = {name: number for name, number in RENAMES.items() if SYSTEMD.is_dir() or "systemd" not in name}
    assert found == there
