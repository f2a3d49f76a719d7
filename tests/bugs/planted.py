"""The bugs that are planted on purpose, as the lists beside this file name them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HOUSE: Final = Path(__file__).resolve().parents[2]
"""The checkout."""

LISTS: Final = (
    "core.toml",
    "analysis.toml",
    "entry.toml",
    "views.toml",
    "hardware.toml",
    "kit.toml",
    "doctor.toml",
    "engines.toml",
    "results.toml",
    "drawings.toml",
    "commands.toml",
    "phones.toml",
    "storage.toml",
    "web.toml",
    "review.toml",
    "advice.toml",
    "reading.toml",
    "mqtt.toml",
    "club.toml",
    "winning.toml",
    "page.toml",
)


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug: in *file*, which is a path in the checkout, *there* stands exactly once, and *instead* is
    wrong."""

    name: str
    file: str
    there: str
    instead: str
    why: str
    """What is right, in a few words."""
    tests: tuple[str, ...] = ()
    """The tests that may find it: paths in the checkout, its own or those that its list gives."""

    def planted_in(self, text: str) -> str:
        """Return *text*, which is that of the bug's file, with the bug in it.

        Raises:
            ValueError: If what the bug changes does not stand in *text* exactly once, or nothing would
                change.
        """
        times = text.count(self.there)
        if times != 1:
            raise ValueError(
                f"{self.name}: {self.file} has its text {times} times, not once: put it right in tests/bugs\n"
                f"{self.there}"
            )
        if self.there == self.instead:
            raise ValueError(f"{self.name}: nothing would change: write in tests/bugs what is wrong")
        return text.replace(self.there, self.instead)


def bugs() -> tuple[Bug, ...]:
    """Return every bug of the lists, in their order."""
    found = []
    for name in LISTS:
        listed = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
        tests = tuple(listed.pop("tests"))
        for file, ones in listed.items():
            found += [Bug(file=file, **one | {"tests": tuple(one.get("tests", tests))}) for one in ones]
    return tuple(found)


def chosen(names: list[str]) -> tuple[Bug, ...]:
    """Return the bugs of these *names*, or of the files that end so; all of them without a name.

    Raises:
        ValueError: If there is none of a name.
    """
    every = bugs()
    unknown = [
        name for name in names if not any(bug.name == name or bug.file.endswith(name) for bug in every)
    ]
    if unknown:
        raise ValueError(f"no bug is called {', '.join(unknown)}: the lists are tests/bugs/*.toml")
    return tuple(
        bug
        for bug in every
        if not names or any(bug.name == name or bug.file.endswith(name) for name in names)
    )
