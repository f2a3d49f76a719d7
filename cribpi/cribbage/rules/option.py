"""A rule, and an option of the rules: all that is known about it, in one row; how its values are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, NamedTuple, TypeVar

from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.shown import shown

T = TypeVar("T")


class Quote(NamedTuple):
    """What a source says of a rule: of an option also the *values* it gives, as written."""

    words: str
    """Its own words, at most 220 characters."""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule behind scores, refusals and automatic steps."""

    name: str
    """Its key: for an option, the name of the field of `Rules`."""
    text: str
    """One sentence for players, of 15 to 160 characters, with a full stop.  For an option: what is chosen."""
    quotes: Mapping[str, Quote] = field(hash=False)
    """What each source says; silent ones are absent."""

    @property
    def words(self) -> dict[str, str]:
        """What each source says, in its own words."""
        return {source: quote.words for source, quote in self.quotes.items()}


@dataclass(frozen=True, slots=True)
class Option(Rule):
    """A row of the table of options."""

    standard: Any
    """The value in a standard game of two."""
    title: str
    """Its subject, which begins its line."""
    group: str
    """The heading under which the page lists it."""
    values: Mapping[str, str] = field(hash=False)
    """The values as written, each with its meaning."""
    others: str = ""
    """A description of the values that are not listed, if any."""
    fits: Callable[[Any], bool] | None = None
    """Whether a value is valid, if there are values that are not listed."""
    wrong: str = ""
    """The refusal of an invalid value."""
    why: tuple[str, ...] = ()
    """What depends on it, by name: kinds of score, corrections, and phases of the game."""
    stated_by: tuple[str, ...] = ()
    """Rules whose words also state it."""

    @property
    def default(self) -> str:
        """The value in a standard game of two, as written."""
        return written(self.standard)

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


def option(*, default: T, **row: Any) -> T:  # noqa: ANN401  see `read_option`
    """Return a field of `Rules` with its row as metadata; type checkers see only the *default*."""
    return field(default=default, metadata={"standard": default, **row})


def read_option(name: str, *, standard: object, group: str, text: str, **more: Any) -> Option:  # noqa: ANN401
    r"""Parse the *text* of a row, as described in `table`; *more* is the other fields of `Option`.

    >>> row = "The pot\nIts price.\nlowe (2 none): so\n    it is"
    >>> read_option("pot", standard=2, group="The game", text=row).quotes
    {'lowe': Quote(words='so it is', values=('2', 'none'))}
    """
    title, sentence, *lines = paragraphs(text)
    values: dict[str, str] = {}
    quotes: dict[str, Quote] = {}
    for line in lines:
        if value := re.match(r"(\S+) = ", line):
            values[value[1]] = line[value.end() :]
        else:
            source, given, words = re.split(r" \(|\): ", line, maxsplit=2)
            quotes[source] = Quote(words, tuple(given.split()))
    return Option(name, sentence, quotes, standard, title, group, values, **more)


def paragraphs(text: str) -> list[str]:
    """Return the lines of *text*, each joined with the indented lines that continue it."""
    return [" ".join(one.split()) for one in re.split(r"\n(?=\S)", cleandoc(text))]


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
