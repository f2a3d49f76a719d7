"""The list of rooms in docs/explanation/architecture.md, from the first line of each room's docstring.

`PYTHONPATH=tests python -m support.architecture_page` rewrites it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from support import pages, paths

PAGE = pages.DOCS / "explanation" / "architecture.md"
HEADING = "## What is where\n"
PARTS = ("cribbage", "companion", "workshop", "club")
"""Folders whose subfolders have a line each. Deeper folders are only named."""


def rooms() -> list[Path]:
    """Return the folders and modules that have a line, from the bottom layer up."""
    inside = [room for part in PARTS for room in (paths.PACKAGE / part, *folders(paths.PACKAGE / part))]
    return [*inside, paths.PACKAGE / "commands", *modules()]


def folders(room: Path) -> list[Path]:
    return sorted(path for path in room.iterdir() if path.is_dir() and any(path.glob("*.py")))


def modules() -> list[Path]:
    return sorted(path for path in paths.PACKAGE.glob("*.py") if path.stem != "__init__")


def lines() -> Iterator[str]:
    for room in rooms():
        is_part = room.parent == paths.PACKAGE and room.name in PARTS
        below = [] if is_part else [path for path in sorted(room.rglob("*")) if path in folders(path.parent)]
        named = "".join(f", `{path.relative_to(room).as_posix()}/`" for path in below)
        name = room.relative_to(paths.PACKAGE).as_posix() + "/" * room.is_dir()
        yield f"- `{name}`{named}: {summary(room)}"


def summary(room: Path) -> str:
    """Return the first line of the docstring of a package or a module."""
    source = room / "__init__.py" if room.is_dir() else room
    said = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8")))
    assert said, f"{source} has no docstring"
    return said.splitlines()[0].removesuffix(".")


def page() -> str:
    """Return the page with an up-to-date list."""
    before, heading, rest = pages.read(PAGE).partition(HEADING)
    first, _, after = rest.partition("\n- `")
    return before + heading + first + "\n" + "\n".join(lines()) + "\n\n" + after.partition("\n\n")[2]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
