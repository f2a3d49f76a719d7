"""What a game is played by: frozen data, an option for each line where sources differ.

`table` has every option, a row each; `changes` reads and writes values, `presets` tells which source plays by
which, `citations` what each source says, and `cite` whose rule a rule is by the rules of a game.
"""

from cribpi.core.rules.changes import changed, differences, read
from cribpi.core.rules.option import Option, written
from cribpi.core.rules.presets import Preset, find_preset, house_changes, house_rules, preset, source
from cribpi.core.rules.table import BY_NAME, DEALS, OPTIONS, PRESETS, STANDARD, TARGETS, Rules

__all__ = [
    "BY_NAME",
    "DEALS",
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
    "source",
    "written",
]
