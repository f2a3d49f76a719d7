"""Whose rule applies in a game: the sentence for players, the source, and the source's own words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cribpi.cribbage.rules.rulebook import Option, find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, house_changes, preset, written

SILENT: Final = "not stated; as in standard"
"""Cited where a source says nothing."""

HOUSE: Final = "the house"
"""The source of an option that was changed."""

OURS: Final = "cribpi"
"""The source of a rule that no source has."""

NEVER_NAMED: Final = "never mentioned, so worth nothing"
"""Cited where a source lists what scores, and this is not in the list."""


@dataclass(frozen=True)
class Reason:
    """A *rule* by name, its sentence for players, its *source* and the source's own *words*."""

    rule: str
    text: str
    source: str
    words: str

    def as_json(self) -> dict[str, str]:
        """Return it in the documented JSON."""
        return dict(vars(self))  # a log repeats many, and `asdict` takes twenty times as long


@lru_cache(maxsize=1024)
def cite(name: str, rules: Rules) -> Reason:
    """Return the rule *name* as it is in a game by *rules*; an option with its value there.

    >>> reason = cite("crib_flush", preset("standard"))
    >>> reason.text, reason.source
    ('A flush in the crib: all five cards only, for five.', 'board-set')
    """
    rule, by = rulebook().rules[name], _who(name, rules)
    text = rule.text
    is_as_standard = True
    if isinstance(rule, Option):
        value = getattr(rules, name)
        text = f"{rule.title}: {_meaning(rule, value)}."
        if name in house_changes(rules):
            plain = getattr(preset(rules.name, rules.players), name)
            return Reason(name, text, HOUSE, f"{rules.name} has: {_meaning(rule, plain)}")
        is_as_standard = value == getattr(preset("standard", rules.players), name)
    if _says(by, name, rules):
        return Reason(name, text, by, rule.quotes[by].words)
    if by == OURS or not rule.quotes:
        return Reason(name, text, OURS, "")
    return Reason(name, text, by, SILENT if is_as_standard else NEVER_NAMED)


def _meaning(option: Option, value: object) -> str:
    """Return what *value* means, or how it is written if the rule book does not list it."""
    return option.values.get(written(value), written(value))


def _who(name: str, rules: Rules) -> str:
    """Return whose rule *name* is: usually that of the preset's own source.

    A standard game combines sources: if its own is silent or disagrees, the rule is that of the first source
    that says what standard plays by, and cribpi's own if none does.
    """
    own = find_preset(rules.name).sources[rules.players]  # the sheet, or `acc`
    if rules.name != "standard" or _says(own, name, rules):
        return own
    return next((one for one in rulebook().sources if _says(one, name, rules)), OURS)


def _says(by: str, name: str, rules: Rules) -> bool:
    """Return whether source *by* states the rule *name*; for an option, the value that *rules* have."""
    book = rulebook()
    if by not in book.rules[name].quotes:
        return False
    option = next((one for one in book.options.values() if name in (one.name, *one.stated_by)), None)
    if option is None or by not in option.quotes:
        return True
    return written(getattr(rules, option.name)) in option.quotes[by].gives
