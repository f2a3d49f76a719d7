"""Options of rules: parsed from what people write, changed, and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cribpi.core.errors import BadSetup
from cribpi.core.rules.option import written
from cribpi.core.rules.table import BY_NAME, DEALS, Rules
from cribpi.core.shown import shown


def read(name: str, text: str) -> Any:  # noqa: ANN401  the type is that of the field
    """Parse *text* as a value of the option *name*.

    Raises:
        BadSetup: If there is no such option, or *text* is not one of its values.
    """
    option = BY_NAME.get(name)
    if option is None:
        raise BadSetup(f"{shown(name)} is not an option of the rules: the options are {', '.join(BY_NAME)}")
    default = option.standard
    value: object = text
    if isinstance(default, bool):
        value = {"on": True, "off": False}.get(text, text)
    elif isinstance(default, int) and text.isascii() and text.isdigit() and len(text) < 5:
        value = int(text)
    elif isinstance(default, int) and text == "none":
        value = 0
    elif isinstance(default, tuple):
        parts = text.split("-")
        is_number = all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts)
        value = tuple(map(int, parts)) if is_number else text
    is_right = isinstance(value, type(default)) and (not isinstance(value, tuple) or len(value) == 3)
    if not is_right or (text not in option.values and not option.others):
        choices = ", ".join((*option.values, *([option.others] if option.others else [])))
        raise BadSetup(f"{name}={shown(text, str)} is not offered: choose {choices}")
    return value


def changed(rules: Rules, changes: Mapping[str, str]) -> Rules:
    """Return *rules* with *changes* applied, each option as it is written.

    A new number of players brings its own deal.

    Raises:
        BadSetup: If an option or value is not known, or they make no sense together.
    """
    values = {name: read(name, text) for name, text in changes.items()}
    if "players" in values and "deal" not in values:
        values["deal"] = DEALS.get(values["players"], rules.deal)
    return replace(rules, **values)


def differences(a: Rules, b: Rules) -> dict[str, tuple[str, str]]:
    """Return the options in which *a* and *b* differ, each with both values as written."""
    pairs = {name: (written(getattr(a, name)), written(getattr(b, name))) for name in BY_NAME}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
