"""What the page bundles is what it was when it was taken in, and each licence is beside it."""

from __future__ import annotations

import hashlib
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest
from support import pages

import cribpi

PAGE = Path(cribpi.__file__).parent / "companion" / "web" / "page"  # as it is installed
VENDOR = PAGE / "vendor"
SUMS = {
    name: checksum
    for checksum, name in (line.split("  ") for line in pages.read(VENDOR / "SHA256SUMS").splitlines())
}
OURS = {"README.md", "LICENSES.txt", "SHA256SUMS"}
"""Files that say what the others are."""
ABOUT = pages.read(VENDOR / "README.md")
LICENCES = pages.read(VENDOR / "LICENSES.txt")


def brought() -> list[Path]:
    """Return every file of others that is served with the page."""
    found = [path for path in VENDOR.rglob("*") if path.is_file() and path.name not in OURS]
    return [*found, *(path for path in (PAGE / "deck").rglob("*") if path.is_file())]


@pytest.mark.parametrize("name", SUMS)
def test_a_file_is_as_its_checksum_says(name: str) -> None:
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == SUMS[name]


def test_every_file_has_a_checksum_and_no_other_has() -> None:
    assert {path.resolve() for path in brought()} == {(VENDOR / name).resolve() for name in SUMS}


def test_every_file_is_in_the_table_of_where_it_is_from() -> None:
    named = {name for cell, *_ in pages.rows(ABOUT) for name in pages.codes(cell)}
    assert not [name for name in SUMS if not any(fnmatch(name, pattern) for pattern in named)]


def test_each_licence_is_there_for_each_package() -> None:
    packages = {
        "Preact": "MIT",
        "@preact/signals": "MIT",
        "htm": "Apache-2.0",
        "Figtree": "OFL-1.1",
        "@letele/playing-cards": "CC0-1.0",
    }
    for name, licence in packages.items():
        assert name in ABOUT, name
        assert name in LICENCES, name
        assert licence in ABOUT, licence
    words = ("The MIT License", "Apache License", "SIL OPEN FONT LICENSE", "CC0")
    assert [text for text in words if text not in LICENCES] == []


def test_the_versions_are_the_same_in_both() -> None:
    for name in ("Preact", "@preact/signals", "htm"):
        versions = {re.findall(rf"{name} (\d+\.\d+\.\d+)", text)[0] for text in (ABOUT, LICENCES)}
        assert len(versions) == 1, name
