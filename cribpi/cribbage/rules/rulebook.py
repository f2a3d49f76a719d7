"""The rule book, `rules.toml`: the options, the presets and what no option changes; read when first asked."""

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
    """A mistake in the file: the text names the line and the key."""


class Quote(NamedTuple):
    """What a source says of a rule: of an option also the values it *gives*, as written."""

    words: str
    """Its own words, at most 220 characters."""
    gives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule behind scores, refusals and automatic steps."""

    name: str
    """Its key: for an option, the name of the field of `Rules`."""
    text: str
    """One sentence for players, of 15 to 160 characters, with a full stop.  For an option: what is chosen."""
    quotes: Mapping[str, Quote]
    """What each source says, in the order of the sources; silent ones are absent."""

    @property
    def words(self) -> dict[str, str]:
        """What each source says, in its own words."""
        return {source: quote.words for source, quote in self.quotes.items()}


@dataclass(frozen=True, slots=True)
class Option(Rule):
    """An option: the keys of its row, which the head of the file explains."""

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
    """One source's rules: for how many, from where, and how they differ from `standard`."""

    name: str
    title: str
    text: str
    """One sentence for players."""
    sources: Mapping[int, str]
    """The source for each number of players it covers."""
    options: Mapping[str, str]
    """The values, as written, that differ from those of a standard game of two."""

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players it covers."""
        return tuple(self.sources)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All that the file says, each by its name and in its order."""

    sources: tuple[str, ...]
    paraphrased: tuple[str, ...]
    """The sources that are not quoted word for word."""
    options: Mapping[str, Option]
    presets: Mapping[str, Preset]
    fixed: Mapping[str, Rule]
    """The rules that no option changes."""
    elsewhere: Mapping[str, str]
    """What is said of games that are not played here, by their names."""

    @property
    def rules(self) -> dict[str, Rule]:
        """Every rule: first those that no option changes, then the options."""
        return {**self.fixed, **self.options}


@cache
def rulebook() -> Rulebook:
    """Return what `rules.toml` says.

    >>> rulebook().rules["limit"].words["lowe"]
    'Neither player may play a card if it makes the sum greater than 31.'
    >>> rulebook().options["crib_flush"].quotes["computer-game"].gives
    ('four',)

    Raises:
        BadRulebook: If there is a mistake in it.
    """
    import pkgutil  # noqa: PLC0415  a start that needs no rules does without

    return parse((pkgutil.get_data(__package__, FILE) or b"").decode())


def find_preset(name: str) -> Preset:
    """Return the preset *name*.

    Raises:
        BadSetup: If no preset has that name.
    """
    presets = rulebook().presets
    if name not in presets:
        elsewhere = rulebook().elsewhere.get(name)
        why = f"{elsewhere} Choose" if elsewhere else f"rules {shown(name)} are not known: choose"
        raise BadSetup(f"{why} one of {', '.join(presets)}")
    return presets[name]


def parse(text: str) -> Rulebook:
    """Return what the *text* of a rule book says.

    Raises:
        BadRulebook: If it is not TOML, or something in it is missing, unknown or of the wrong type.
    """
    import tomllib  # noqa: PLC0415  it takes longer to load than most of what asks for rules

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
        {key: one.text(options[key].values) for key, one in row["options"].table_of(options).items()},
    )


def _rule(name: str, value: _Value, sources: Collection[str]) -> Rule:
    row = value.row("text", quotes={})
    quotes = {source: Quote(words.text()) for source, words in row["quotes"].table_of(sources).items()}
    return Rule(name, row["text"].text(), quotes)


class _Value(NamedTuple):
    """A *value* of a *file*, which is its whole text, under the keys of its *path*."""

    file: str
    path: tuple[str, ...]
    value: object

    def mistake(self, why: str) -> BadRulebook:
        return BadRulebook(f"{FILE}, line {_line(self.file, self.path)}: {'.'.join(self.path)}: {why}")

    def below(self, key: str, value: object) -> _Value:
        return _Value(self.file, (*self.path, key), value)

    def text(self, choices: Collection[str] | None = None) -> str:
        """Return a text, one of *choices* if there are any to choose from."""
        if not isinstance(self.value, str):
            raise self.mistake("give text in quotes")
        if choices is not None and self.value not in choices:
            raise self.mistake(f"{shown(self.value)} is not one of {', '.join(choices)}")
        return self.value

    def texts(self, choices: Collection[str] | None = None) -> tuple[str, ...]:
        if not isinstance(self.value, list):
            raise self.mistake("give a list of texts in quotes, in square brackets")
        return tuple(_Value(self.file, self.path, one).text(choices) for one in self.value)

    def table(self) -> dict[str, _Value]:
        if not isinstance(self.value, dict):
            raise self.mistake("give a table")
        return {key: self.below(key, one) for key, one in self.value.items()}

    def table_of(self, keys: Collection[str]) -> dict[str, _Value]:
        """Return a table with some of *keys*, in their order."""
        table = self.table()
        for key, one in table.items():
            if key not in keys:
                raise one.mistake(f"there is no such key: choose from {', '.join(keys)}")
        return {key: table[key] for key in keys if key in table}

    def row(self, *needed: str, **defaults: object) -> dict[str, _Value]:
        """Return a table with all the *needed* keys, and the *defaults* of others that are left out."""
        found = {key: self.below(key, default) for key, default in defaults.items()}
        found |= self.table_of((*needed, *defaults))
        for key in needed:
            if key not in found:
                raise self.below(key, None).mistake("this is missing")
        return found


_KEY: Final = re.compile(r"'[^']*'|\"[^\"]*\"|[\w-]+")
_KEYS: Final = re.compile(rf"\[?((?:{_KEY.pattern}|\.)+)")


def _line(file: str, path: tuple[str, ...]) -> int:
    r"""Return the line of a key, of which the parser keeps none: the first that has most of its *path*.

    >>> _line('[options.pot]\ntitle = "The pot"\nvalues.1 = "one"', ("options", "pot", "values", "1", "x"))
    3
    """
    table: tuple[str, ...] = ()
    places: list[tuple[int, tuple[str, ...]]] = []
    for number, line in enumerate(file.splitlines(), start=1):
        if found := _KEYS.match(line):
            keys = tuple(key.strip("'\"") for key in _KEY.findall(found[1]))
            if line.startswith("["):
                table, keys = keys, ()
            places.append((number, (*table, *keys)))
    for depth in range(len(path), 0, -1):
        for number, keys in places:
            if keys[:depth] == path[:depth]:
                return number
    return 1
