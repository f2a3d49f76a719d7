"""The rules of a game: immutable data, with an option wherever the sources differ.

`table` has every option, a row each; `presets` says which source plays by which, and changes them;
`citations` what each source says; and `cite` whose rule applies in a game.
"""

from cribpi.core.rules.option import Option, written
from cribpi.core.rules.presets import (
    Preset,
    changed,
    differences,
    find_preset,
    house_changes,
    house_rules,
    preset,
    read,
)
from cribpi.core.rules.table import BY_NAME, OPTIONS, PRESETS, STANDARD, TARGETS, Rules

__all__ = [
    "BY_NAME",
    "OPTIONS",
    "PRESETS",
    "STANDARD",
    "TARGETS",
    "Option",
    "Preset",
    "Rules",
    "changed",
    "differences",
    "find_preset",
    "house_changes",
    "house_rules",
    "preset",
    "read",
    "written",
]
