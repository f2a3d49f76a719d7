"""Whose rule a rule is in a game: the sentence for players, the source, and that source's own words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cribpi.core.rules.citations import RULES, SAYS, SOURCES
from cribpi.core.rules.option import written
from cribpi.core.rules.presets import house_changes, preset, source
from cribpi.core.rules.table import BY_NAME, OPTIONS, Rules

SILENT: Final = "not stated; as in standard"
"""What is cited where a source says nothing."""

HOUSE: Final = "the house"
"""Whose rule an option is that was changed."""

OURS: Final = "cribpi"
"""Whose rule it is where no source has one."""

NEVER_NAMED: Final = "never mentioned, so worth nothing"
"""What is cited where a source lists what scores, and this is not there."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A *rule* by its name, as one sentence for players, with its *source* and that source's own *words*."""

    rule: str
    text: str
    source: str
    words: str


@lru_cache(maxsize=1024)
def cite(name: str, rules: Rules) -> Reason:
    """Return the rule *name* as a game by *rules* has it; an option with the value that it has there.

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
            plain = _plain(name, rules)
            return Reason(name, text, HOUSE, f"{rules.name} has: {BY_NAME[name].values.get(plain, plain)}")
    if _says(by, name, rules):
        return Reason(name, text, by, rule.words[by])
    if by == OURS or not rule.words:
        return Reason(name, text, OURS, "")
    if name in BY_NAME and getattr(rules, name) != getattr(preset("standard", rules.players), name):
        return Reason(name, text, by, NEVER_NAMED)
    return Reason(name, text, by, SILENT)


def _who(name: str, rules: Rules) -> str:
    """Return whose rule *name* is: its preset's own source's.

    A standard game is put together: where its source is silent, or says otherwise, it is the first source's
    that says what it plays by, and cribpi's own where none does.
    """
    own = source(rules)
    if rules.name != "standard" or _says(own, name, rules):
        return own
    return next((one for one in SOURCES if _says(one, name, rules)), OURS)


def _says(by: str, name: str, rules: Rules) -> bool:
    """Tell whether *by* says the rule *name*; of an option, whether it says the value of *rules*."""
    option = _TOLD_WITH.get(name, name)
    if by not in RULES[name].words:
        return False
    said = SAYS.get(option, {}).get(by)
    return said is None or written(getattr(rules, option)) in said


_TOLD_WITH: Final = {rule: one.name for one in OPTIONS for rule in one.told_with}
"""The rules whose words tell an option too."""


def _plain(name: str, rules: Rules) -> str:
    return written(getattr(preset(rules.name, rules.players), name))
