"""Citations of the rules in a game: the sentence for players, the source, and a quote from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from cribpi.cribbage.rules.rulebook import Option, find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, house_changes, preset, written

if TYPE_CHECKING:
    from cribpi.cribbage.rules import json_types

SILENT: Final = "not stated; as in standard"
"""The quote if a source does not mention the rule."""

HOUSE: Final = "the house"

OURS: Final = "cribpi"

NEVER_NAMED: Final = "never mentioned, so worth nothing"
"""The quote if a source's list of scores does not have the rule."""


@dataclass(frozen=True)
class Reason:
    """A *rule* by name, its sentence for players, its *source* and a quote from it, *words*."""

    rule: str
    text: str
    source: str
    words: str

    def as_json(self) -> json_types.Reason:
        return cast(
            "json_types.Reason", dict(vars(self))
        )  # twenty times as fast as `asdict`, because a log has many reasons


@lru_cache(maxsize=1024)
def cite(name: str, rules: Rules) -> Reason:
    """Return the citation for the rule *name* in a game under *rules*; for an option, with its value.

    >>> reason = cite("crib_flush", preset("standard"))
    >>> reason.text, reason.source
    ('A flush in the crib: all five cards only, for five.', 'board-set')
    """
    rule, by = rulebook().rules[name], _source(name, rules)
    text = rule.text
    is_as_standard = True
    if isinstance(rule, Option):
        value = getattr(rules, name)
        text = f"{rule.title}: {_meaning(rule, value)}."
        if name in house_changes(rules):
            plain = getattr(preset(rules.name, rules.players), name)
            return Reason(name, text, HOUSE, f"{rules.name} has: {_meaning(rule, plain)}")
        is_as_standard = value == getattr(preset("standard", rules.players), name)
    if _states(by, name, rules):
        return Reason(name, text, by, rule.quotes[by].words)
    if by == OURS or not rule.quotes:
        return Reason(name, text, OURS, "")
    return Reason(name, text, by, SILENT if is_as_standard else NEVER_NAMED)


def _meaning(option: Option, value: object) -> str:
    """Return the meaning of *value*, or its text if the rule book does not list it."""
    return option.values.get(written(value), written(value))


def _source(name: str, rules: Rules) -> str:
    """Return the source of the rule *name*: usually the preset's.

    A standard game combines sources: if its own source is silent or disagrees, the rule is from the first
    source that states the standard's value, or from cribpi if none does.
    """
    own = find_preset(rules.name).sources[rules.players]
    if rules.name != "standard" or _states(own, name, rules):
        return own
    return next((source for source in rulebook().sources if _states(source, name, rules)), OURS)


def _states(source: str, name: str, rules: Rules) -> bool:
    """Return whether *source* states the rule *name*; for an option, the value that *rules* have."""
    book = rulebook()
    if source not in book.rules[name].quotes:
        return False
    options = book.options.values()
    option = next((option for option in options if name in (option.name, *option.stated_by)), None)
    if option is None or source not in option.quotes:
        return True
    return written(getattr(rules, option.name)) in option.quotes[source].gives
