"""The folder of finished reviews: no more than so many, the newest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cribpi.companion.history import kept_reviews as store
from cribpi.companion.history.kept_reviews import FOLDER, keep, kept
from cribpi.cribbage.review import FORMAT

REVIEW = {"format": FORMAT}


def test_only_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST", 2)
    for day, key in enumerate(("c", "b", "a")):
        keep(tmp_path, key, REVIEW)
        os.utime(tmp_path / FOLDER / key, (day, day))
    keep(tmp_path, "newest", REVIEW)
    assert sorted(path.name for path in (tmp_path / FOLDER).iterdir()) == ["a", "newest"]


def test_nothing_half_written_is_left_where_the_disk_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        keep(tmp_path, "a", REVIEW)
    assert not list((tmp_path / FOLDER).iterdir())
    assert kept(tmp_path, "a") is None
