"""Whose rule applies in a game: the sentence for players, the source, and the source's own words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cribpi.cribbage.rules.citations import RULES, SAYS, SOURCES
from cribpi.cribbage.rules.option import written
from cribpi.cribbage.rules.presets import house_changes, preset, source
from cribpi.cribbage.rules.table import BY_NAME, OPTIONS, Rules

SILENT: Final = "not stated; as in standard"
"""Cited where a source says nothing."""

HOUSE: Final = "the house"
"""The source of an option that was changed."""

OURS: Final = "cribpi"
"""The source of a rule that no source has."""

NEVER_NAMED: Final = "never mentioned, so worth nothing"
"""Cited where a source lists what scores, and this is not in the list."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A *rule* by name, its sentence for players, its *source* and the source's own *words*."""

    rule: str
    text: str
    source: str
    words: str


@lru_cache(maxsize=1024)
def cite(name: str, rules: Rules) -> Reason:
    """Return the rule *name* as it is in a game by *rules*; an option with its value there.

    >>> reason = cite("crib_flush", preset("standard"))
    >>> reason.text, reason.source
    ('A flush in the crib: all five cards only, for five.', 'board-set')
    """
    rule, by = RULES[name], _who(name, rules)
    text = rule.text
    if name in BY_NAME:
        value = written(getattr(rules, name))
        text = f"{BY_NAME[name].title}: {BY_NAME[name].values.get(value, value)}."
        if name in house_changes(rules):
            plain = written(getattr(preset(rules.name, rules.players), name))
            return Reason(name, text, HOUSE, f"{rules.name} has: {BY_NAME[name].values.get(plain, plain)}")
    if _says(by, name, rules):
        return Reason(name, text, by, rule.quotes[by].words)
    if by == OURS or not rule.quotes:
        return Reason(name, text, OURS, "")
    if name in BY_NAME and getattr(rules, name) != getattr(preset("standard", rules.players), name):
        return Reason(name, text, by, NEVER_NAMED)
    return Reason(name, text, by, SILENT)


def _who(name: str, rules: Rules) -> str:
    """Return whose rule *name* is: usually that of the preset's own source.

    A standard game combines sources: if its own is silent or disagrees, the rule is that of the first source
    that says what standard plays by, and cribpi's own if none does.
    """
    own = source(rules)
    if rules.name != "standard" or _says(own, name, rules):
        return own
    return next((one for one in SOURCES if _says(one, name, rules)), OURS)


def _says(by: str, name: str, rules: Rules) -> bool:
    """Return whether source *by* states the rule *name*; for an option, the value that *rules* have."""
    option = _OPTION_STATED_BY.get(name, name)
    if by not in RULES[name].quotes:
        return False
    said = SAYS.get(option, {}).get(by)
    return said is None or written(getattr(rules, option)) in said


_OPTION_STATED_BY: Final = {rule: one.name for one in OPTIONS for rule in one.stated_by}
"""Rules whose words also state an option."""
