"""The rule book `rules.toml`: options, presets and fixed rules. It is read on first use."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.shown import shown

FILE: Final = "rules.toml"


class BadRulebook(ValueError):
    """A mistake in the file. The message names the line and the key."""


class Quote(NamedTuple):
    """A source's quote on a rule. For an option, *gives* has the values that the quote states, as text."""

    words: str
    """The quote: at most 220 characters."""
    gives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that explains scores, error messages and automatic steps."""

    name: str
    """Key of the rule. For an option, it is a field of `Rules`."""
    text: str
    """A sentence for players, of 15 to 160 characters. For an option, it describes the choice."""
    quotes: Mapping[str, Quote]
    """Quotes by source. Sources that do not mention the rule are absent."""

    @property
    def words(self) -> dict[str, str]:
        """The text of the quotes, by source."""
        return {source: quote.words for source, quote in self.quotes.items()}


@dataclass(frozen=True, slots=True)
class Option(Rule):
    """An option. The top of the file explains its keys."""

    title: str
    group: str
    default: str
    values: Mapping[str, str]
    others: str
    wrong: str
    why: tuple[str, ...]
    stated_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preset:
    """The rules of one source: a source for each number of players, and the differences from `standard`."""

    name: str
    title: str
    text: str
    sources: Mapping[int, str]
    options: Mapping[str, str]
    """Values, as text, that differ from those of a standard game for two."""

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(self.sources)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The contents of `rules.toml`, in the order of the file."""

    sources: tuple[str, ...]
    paraphrased: tuple[str, ...]
    """Sources that are paraphrased instead of quoted."""
    options: Mapping[str, Option]
    presets: Mapping[str, Preset]
    fixed: Mapping[str, Rule]
    elsewhere: Mapping[str, str]
    """Messages for other cribbage games that cribpi does not support, by name."""

    @property
    def rules(self) -> dict[str, Rule]:
        """All rules, fixed ones first, then the options."""
        return {**self.fixed, **self.options}


@cache
def rulebook() -> Rulebook:
    """Return the contents of `rules.toml`. The file is read once.

    >>> rulebook().rules["limit"].words["lowe"]
    'Neither player may play a card if it makes the sum greater than 31.'
    >>> rulebook().options["crib_flush"].quotes["computer-game"].gives
    ('four',)

    Raises:
        BadRulebook: If the file has a mistake.
    """
    import pkgutil  # noqa: PLC0415  a start without rules does not need it

    return parse((pkgutil.get_data(__package__, FILE) or b"").decode())


def find_preset(name: str) -> Preset:
    """Return the preset *name*.

    Raises:
        BadSetup: If there is no such preset.
    """
    presets = rulebook().presets
    if name not in presets:
        elsewhere = rulebook().elsewhere.get(name)
        why = f"{elsewhere} Choose" if elsewhere else f"rules {shown(name)} are not known: choose"
        raise BadSetup(f"{why} one of {', '.join(presets)}")
    return presets[name]


def parse(text: str) -> Rulebook:
    """Parse the *text* of a rule book.

    Raises:
        BadRulebook: If the text is not TOML, or a key is missing, unknown or of the wrong type.
    """
    import tomllib  # noqa: PLC0415  slow to load

    try:
        whole = _Value(text, (), tomllib.loads(text)).row(
            *("sources", "options", "presets", "rules"), paraphrased=[], elsewhere={}
        )
    except tomllib.TOMLDecodeError as bad:
        why, _, where = str(bad).removesuffix(")").partition(" (at ")
        raise BadRulebook(f"{FILE}, {where}: {why}") from None
    sources = whole["sources"].texts()
    options = {name: _option(name, row, sources) for name, row in whole["options"].table().items()}
    presets = {name: _preset(name, row, sources, options) for name, row in whole["presets"].table().items()}
    fixed = {name: _rule(name, row, sources) for name, row in whole["rules"].table().items()}
    for name in fixed:
        if name in options:
            raise whole["rules"].below(name, None).mistake("an option has this name")
    elsewhere = {name: said.text() for name, said in whole["elsewhere"].table().items()}
    return Rulebook(sources, whole["paraphrased"].texts(sources), options, presets, fixed, elsewhere)


def _option(name: str, value: _Value, sources: Collection[str]) -> Option:
    row = value.row(
        *("title", "group", "text", "default", "values"), others="", wrong="", quotes={}, why=[], stated_by=[]
    )
    values = {written: meaning.text() for written, meaning in row["values"].table().items()}
    quotes: dict[str, Quote] = {}
    for source, said in row["quotes"].table_of(sources).items():
        quote = said.row("gives", "words")
        quotes[source] = Quote(quote["words"].text(), quote["gives"].texts(values))
    return Option(
        name=name,
        text=row["text"].text(),
        quotes=quotes,
        title=row["title"].text(),
        group=row["group"].text(),
        default=row["default"].text(values),
        values=values,
        others=row["others"].text(),
        wrong=row["wrong"].text(),
        why=row["why"].texts(),
        stated_by=row["stated_by"].texts(),
    )


def _preset(name: str, value: _Value, sources: Collection[str], options: Mapping[str, Option]) -> Preset:
    row = value.row("title", "text", "sources", "options")
    return Preset(
        name,
        row["title"].text(),
        row["text"].text(),
        {int(players): by.text(sources) for players, by in row["sources"].table_of(("2", "3", "4")).items()},
        {key: text.text(options[key].values) for key, text in row["options"].table_of(options).items()},
    )


def _rule(name: str, value: _Value, sources: Collection[str]) -> Rule:
    row = value.row("text", quotes={})
    quotes = {source: Quote(words.text()) for source, words in row["quotes"].table_of(sources).items()}
    return Rule(name, row["text"].text(), quotes)


class _Value(NamedTuple):
    """A *value* at the keys *path* of a TOML file. *file* is the file's whole text, to find line numbers."""

    file: str
    path: tuple[str, ...]
    value: object

    def mistake(self, why: str) -> BadRulebook:
        return BadRulebook(f"{FILE}, line {_line(self.file, self.path)}: {'.'.join(self.path)}: {why}")

    def below(self, key: str, value: object) -> _Value:
        return _Value(self.file, (*self.path, key), value)

    def text(self, choices: Collection[str] | None = None) -> str:
        """Return the value as text. If *choices* are given, it must be one of them."""
        if not isinstance(self.value, str):
            raise self.mistake("give text in quotes")
        if choices is not None and self.value not in choices:
            raise self.mistake(f"{shown(self.value)} is not one of {', '.join(choices)}")
        return self.value

    def texts(self, choices: Collection[str] | None = None) -> tuple[str, ...]:
        if not isinstance(self.value, list):
            raise self.mistake("give a list of texts in quotes, in square brackets")
        return tuple(_Value(self.file, self.path, item).text(choices) for item in self.value)

    def table(self) -> dict[str, _Value]:
        if not isinstance(self.value, dict):
            raise self.mistake("give a table")
        return {key: self.below(key, value) for key, value in self.value.items()}

    def table_of(self, keys: Collection[str]) -> dict[str, _Value]:
        """Return a table that may have only *keys*, in that order. Keys can be missing."""
        table = self.table()
        for key, value in table.items():
            if key not in keys:
                raise value.mistake(f"there is no such key: choose from {', '.join(keys)}")
        return {key: table[key] for key in keys if key in table}

    def row(self, *needed: str, **defaults: object) -> dict[str, _Value]:
        """Return a table that must have all *needed* keys. Missing optional keys get their *defaults*."""
        row = {key: self.below(key, default) for key, default in defaults.items()}
        row |= self.table_of((*needed, *defaults))
        for key in needed:
            if key not in row:
                raise self.below(key, None).mistake("this is missing")
        return row


_KEY: Final = re.compile(r"'[^']*'|\"[^\"]*\"|[\w-]+")
_KEYS: Final = re.compile(rf"\[?((?:{_KEY.pattern}|\.)+)")


def _line(file: str, path: tuple[str, ...]) -> int:
    r"""Return the line number of the key *path*. If the key is missing, use its closest table or row.

    The TOML parser does not keep line numbers.

    >>> _line('[options.pot]\ntitle = "The pot"\nvalues.1 = "one"', ("options", "pot", "values", "1", "x"))
    3
    """
    table: tuple[str, ...] = ()
    places: list[tuple[int, tuple[str, ...]]] = []
    for number, line in enumerate(file.splitlines(), start=1):
        if match := _KEYS.match(line):
            keys = tuple(key.strip("'\"") for key in _KEY.findall(match[1]))
            if line.startswith("["):
                table, keys = keys, ()
            places.append((number, (*table, *keys)))
    for depth in range(len(path), 0, -1):
        for number, keys in places:
            if keys[:depth] == path[:depth]:
                return number
    return 1
