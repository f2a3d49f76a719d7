"""What an option of the rules is: all that is known of it, in one row; and how its values are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Final, TypeVar

from cribpi.core.errors import BadSetup
from cribpi.core.shown import shown

T = TypeVar("T")

ROW: Final = "option"
"""Where a field of `Rules` keeps its row."""


@dataclass(frozen=True, slots=True)
class Option:
    """A row of the table of options."""

    standard: Any
    """Its value in a standard game of two."""
    title: str
    """What it is about, as its line begins."""
    values: Mapping[str, str]
    """Its values as they are written, each with its meaning."""
    text: str
    """One sentence for players: what is chosen."""
    others: str = ""
    """What other values there are; empty where there are none."""
    fits: Callable[[Any], bool] | None = None
    """Which values can be, where there are others than those listed."""
    wrong: str = ""
    """How a value that cannot be is refused."""
    says: str = ""
    """A line for each source that speaks of it: `source (the values that it says): its own words`."""
    why: tuple[str, ...] = ()
    """What rests on it, by name: kinds of score, corrections, and what is done in a phase of the game."""
    told_with: tuple[str, ...] = ()
    """The rules beside it whose words tell it too."""
    name: str = ""
    """The field of `Rules`."""

    @property
    def default(self) -> str:
        """Its value in a standard game of two, as it is written."""
        return written(self.standard)

    @property
    def quotes(self) -> dict[str, tuple[tuple[str, ...], str]]:
        """Each source that speaks of it, with the values that it says, and its words.

        >>> Option(2, "", {}, "", says="lowe (2 none): so it is").quotes
        {'lowe': (('2', 'none'), 'so it is')}
        """
        found = {}
        for line in filter(None, re.split(r"\n(?=\S)", cleandoc(self.says))):
            source, values, words = re.split(r" \(|\): ", " ".join(line.split()), maxsplit=2)
            found[source] = tuple(values.split()), words
        return found

    def check(self, value: object) -> None:
        """Raise `BadSetup` if *value* cannot be."""
        if self.fits(value) if self.fits else written(value) in self.values:
            return
        *most, last = self.values
        plain = "-".join(map(str, value)) if isinstance(value, tuple) else value
        raise BadSetup(
            (self.wrong or f"{self.name}={{value}} is not offered: choose {{choices}}").format(
                value=plain, shown=shown(value), choices=f"{', '.join(most)} or {last}"
            )
        )


def option(*, default: T, **row: Any) -> T:  # noqa: ANN401  what a row takes is told by `Option`
    """Return a field of `Rules` with its row; the type checker sees the *default* alone."""
    return field(default=default, metadata={ROW: Option(default, **row)})


def written(value: object) -> str:
    """Return the value of an option as it is written; `read` is the inverse.

    >>> written(True), written((2, 3, 3)), written(0), written("low-cut")
    ('on', '2-3-3', 'none', 'low-cut')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return "none" if value == 0 else str(value)
