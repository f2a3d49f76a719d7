"""The page about extending cribpi: applies each section's changes to a copy, and runs its commands there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from support import pages
from support.paths import CHECKOUT
from support.patience import PATIENCE

PAGE = pages.DOCS / "how-to" / "extend.md"
REDRAW = "look at what is printed now, and if it is right: PYTHONPATH=tests python -m support.extend_page"
PICTURE = pages.DOCS / "images" / "to-go.png"
DRAWN: Final = "shots/0009-glass.png"

PATCHED: Final = "patched"
"""Word after `console` that marks an example which changes the checkout, or needs an earlier change."""

DIFFS: Final = PAGE.with_suffix("")


def sections(text: str) -> dict[str, str]:
    """Return each section that has commands, by its anchor."""
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    found = {head.lower().replace(" ", "-"): body for head, body in zip(parts[::2], parts[1::2], strict=True)}
    return {anchor: body for anchor, body in found.items() if pages.blocks(body, "console")}


def copied(folder: Path) -> Path:
    """Copy all that the commands need to *folder*: package with bytecode, kits and changes."""
    shutil.copytree(CHECKOUT / "cribpi", folder / "cribpi")
    shutil.copytree(DIFFS, folder / DIFFS.relative_to(pages.HOUSE))
    for kit in (CHECKOUT / "hardware" / "kits").glob("*/kit.toml"):
        there = folder / kit.relative_to(CHECKOUT)
        there.parent.mkdir(parents=True)
        shutil.copy2(kit, there)
    command = folder / "bin" / "cribpi"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cribpi "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return folder


def played(anchor: str, parts: dict[str, str], folder: Path) -> Iterator[tuple[str, str, str]]:
    """Run the commands of section *anchor* in *folder*.

    Yield each command, its documented output, and its output.
    """
    for block in pages.blocks(parts[anchor], "console"):
        assert PATCHED in block.words
        for command, said in _examples(block.text):
            yield command, said, printed_by(command, folder)


def examples(text: str) -> list[tuple[str, str]]:
    """Return each command of *text* with its documented output."""
    return [example for block in pages.blocks(text, "console") for example in _examples(block.text)]


def _examples(body: str) -> Iterator[tuple[str, str]]:
    for example in f"\n{body}".split("\n$ ")[1:]:
        command, _, output = example.partition("\n")
        yield command, output.rstrip("\n")


def printed_by(command: str, folder: Path) -> str:
    """Return the output of *command* with the package in *folder*."""
    ran = _run(["sh", "-c", command], folder)
    return "\n".join(line.rstrip() for line in ran.stdout.splitlines())


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ
        | {
            "PATH": os.pathsep.join([str(folder / "bin"), os.environ.get("PATH", os.defpath)]),
            "PYTHONPATH": str(folder),
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def _redrawn() -> None:
    """Write the current output of the commands into the page, and its picture."""
    text = pages.read(PAGE)
    parts = sections(text)
    for anchor in parts:
        with tempfile.TemporaryDirectory() as name:
            folder = copied(Path(name) / "copy")
            for command, said, printed in played(anchor, parts, folder):
                text = text.replace(
                    f"$ {command}\n{said}\n" if said else f"$ {command}\n",
                    f"$ {command}\n{printed}\n" if printed else f"$ {command}\n",
                )
            if (folder / DRAWN).exists():
                shutil.copy(folder / DRAWN, PICTURE)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _redrawn()
