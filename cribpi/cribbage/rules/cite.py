"""Citations of rules: a sentence for players, the source, and a quote from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from cribpi.cribbage.rules.rulebook import Option, find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, house_changes, preset, written

if TYPE_CHECKING:
    from cribpi.cribbage.rules import json_types

SILENT: Final = "not stated; as in standard"
"""Text in place of a quote if a source does not mention the rule."""

HOUSE: Final = "the house"

OURS: Final = "cribpi"

NEVER_NAMED: Final = "never mentioned, so worth nothing"
"""Text in place of a quote if a source's list of scores lacks the rule."""


@dataclass(frozen=True)
class Reason:
    """The citation of a rule: its name *rule*, a sentence for players, the *source*, and its *words*."""

    rule: str
    text: str
    source: str
    words: str

    def as_json(self) -> json_types.Reason:
        # A log has many reasons, and `asdict` takes twenty times as long.
        return cast("json_types.Reason", dict(vars(self)))


@lru_cache(maxsize=1024)
def cite(name: str, rules: Rules) -> Reason:
    """Return the citation for the rule *name* in a game under *rules*.

    The sentence includes an option's value.

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
    """Return the meaning of *value* in words, or the value itself if the rule book does not list it."""
    return option.values.get(written(value), written(value))


def _source(name: str, rules: Rules) -> str:
    """Return the source of the rule *name*, usually that of the preset.

    A standard game combines sources. If its own source does not state the standard's value, the rule comes
    from the first source that does, or from cribpi if there is none.
    """
    own = find_preset(rules.name).sources[rules.players]
    if rules.name != "standard" or _states(own, name, rules):
        return own
    return next((source for source in rulebook().sources if _states(source, name, rules)), OURS)


def _states(source: str, name: str, rules: Rules) -> bool:
    """Return whether *source* states the rule *name*. For an option, it must state the value in *rules*."""
    book = rulebook()
    if source not in book.rules[name].quotes:
        return False
    options = book.options.values()
    option = next((option for option in options if name in (option.name, *option.stated_by)), None)
    if option is None or source not in option.quotes:
        return True
    return written(getattr(rules, option.name)) in option.quotes[source].gives
