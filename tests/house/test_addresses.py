"""cribpi has no address on the internet yet, so nothing sends anybody to one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from support import pages
from support.paths import PACKAGE

ADDRESS = re.compile(r"(?:https?://|git@|ssh://)([^\s\"'`<>)]+)")
CLONE = re.compile(r"git clone (?:https?://|git@|ssh://)|git pull\b")
NAME = re.compile(r"cribpi", re.IGNORECASE)
BOARDS = re.compile(r"cribpi(?:-\d+)?\.local\b")  # a board's own, at home


def made_up(text: str) -> list[str]:
    """Return the addresses in *text* that have our name and are no board's."""
    return [found for found in ADDRESS.findall(text) if NAME.search(BOARDS.sub("", found))]


def ours() -> list[Path]:
    """Return the files of the house that somebody may read, but for these tests."""
    rooms = (PACKAGE, *(pages.HOUSE / room for room in ("docs", "hardware", "systemd")))
    found = [path for room in rooms for path in room.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return found + [path for path in pages.HOUSE.glob("*") if path.is_file()]


def test_no_file_names_an_address_with_our_name() -> None:
    read = {str(path): made_up(path.read_bytes().decode("utf-8", "replace")) for path in ours()}
    assert len(read) > 500
    assert {name: addresses for name, addresses in read.items() if addresses} == {}


def test_nobody_is_told_to_fetch_a_checkout_that_is_nowhere() -> None:
    assert [pages.name(page) for page in pages.pages() if CLONE.search(pages.read(page))] == []


def test_the_project_has_no_address() -> None:
    project = tomllib.loads(pages.read(pages.HOUSE / "pyproject.toml"))["project"]
    assert "urls" not in project


def test_an_address_of_ours_would_be_seen() -> None:
    assert made_up("git clone https://example.com/cribpi/cribpi && cd cribpi") == [
        "example.com/cribpi/cribpi"
    ]
    assert made_up("open http://cribpi.local:8121/ or http://cribpi-2.local/") == []
