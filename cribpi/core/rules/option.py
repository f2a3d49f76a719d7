"""An option of the rules: all that is known about it, in one row; and how its values are written."""

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
"""The metadata key of a `Rules` field under which its row is kept."""


@dataclass(frozen=True, slots=True)
class Option:
    """A row of the table of options."""

    standard: Any
    """The value in a standard game of two."""
    title: str
    """Its subject, which begins its line."""
    values: Mapping[str, str]
    """The values as written, each with its meaning."""
    text: str
    """One sentence for players: what is chosen."""
    others: str = ""
    """A description of the values that are not listed, if any."""
    fits: Callable[[Any], bool] | None = None
    """Whether a value is valid, if there are values that are not listed."""
    wrong: str = ""
    """The refusal of an invalid value."""
    says: str = ""
    """A line for each source that mentions it: `source (the values it gives): its own words`."""
    why: tuple[str, ...] = ()
    """What depends on it, by name: kinds of score, corrections, and phases of the game."""
    stated_by: tuple[str, ...] = ()
    """Rules whose words also state it."""
    name: str = ""
    """The field of `Rules`."""

    @property
    def default(self) -> str:
        """The value in a standard game of two, as written."""
        return written(self.standard)

    @property
    def quotes(self) -> dict[str, tuple[tuple[str, ...], str]]:
        """Each source that mentions it, with the values it gives, and its words.

        >>> Option(2, "", {}, "", says="lowe (2 none): so it is").quotes
        {'lowe': (('2', 'none'), 'so it is')}
        """
        found = {}
        for line in filter(None, re.split(r"\n(?=\S)", cleandoc(self.says))):
            source, values, words = re.split(r" \(|\): ", " ".join(line.split()), maxsplit=2)
            found[source] = tuple(values.split()), words
        return found

    def check(self, value: object) -> None:
        """Raise `BadSetup` if *value* is not valid."""
        if self.fits(value) if self.fits else written(value) in self.values:
            return
        *most, last = self.values
        plain = "-".join(map(str, value)) if isinstance(value, tuple) else value
        raise BadSetup(
            (self.wrong or f"{self.name}={{value}} is not offered: choose {{choices}}").format(
                value=plain, shown=shown(value), choices=f"{', '.join(most)} or {last}"
            )
        )


def option(*, default: T, **row: Any) -> T:  # noqa: ANN401  the fields of `Option`
    """Return a field of `Rules` with its row; type checkers see only the *default*."""
    return field(default=default, metadata={ROW: Option(default, **row)})


def written(value: object) -> str:
    """Return an option's value as it is written; `read` is the inverse.

    >>> written(True), written((2, 3, 3)), written(0), written("low-cut")
    ('on', '2-3-3', 'none', 'low-cut')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return "none" if value == 0 else str(value)
