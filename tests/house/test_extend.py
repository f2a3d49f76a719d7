"""Each change that the page shows fits a copy of this checkout, and its commands print there what the page
says.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from support import pages
from support.extend_page import (
    DIFFS,
    DRAWN,
    PAGE,
    PICTURE,
    REDRAW,
    copied,
    examples,
    played,
    printed_by,
    sections,
)

SECTIONS = sections(pages.read(PAGE))


def test_there_is_an_option_a_kit_a_level_a_dialog_and_a_screen() -> None:
    assert list(SECTIONS) == ["an-option", "a-kit", "a-level", "a-dialog", "a-screen"]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("anchor", SECTIONS)
def test_the_change_fits_and_works(anchor: str, tmp_path: Path) -> None:
    folder = copied(tmp_path / "copy")
    shown = list(played(anchor, SECTIONS, folder))
    assert shown
    for command, said, printed in shown:
        assert printed == said, f"{command}: {REDRAW}"
    if anchor == "a-screen":
        with Image.open(folder / DRAWN) as drawn, Image.open(PICTURE) as picture:
            assert drawn.tobytes() == picture.tobytes(), REDRAW


def test_without_the_changes_the_commands_print_something_else(tmp_path: Path) -> None:
    """Or the page would show what works anyway; what the screen's prints is told by its picture."""
    folder = copied(tmp_path / "copy")
    for anchor in SECTIONS.keys() - {"a-screen"}:
        command, said = examples(SECTIONS[anchor])[-1]
        assert printed_by(command, folder) != said, command


def test_a_dialog_touches_four_files_at_most() -> None:
    assert pages.read(DIFFS / "a-dialog.diff").count("\n+++ b/") <= 4
