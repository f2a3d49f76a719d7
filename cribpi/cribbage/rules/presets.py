"""The rules that people choose: a source's own, with the options that the house changes.

Where a sheet is silent about an option, it plays as `standard` does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import DEALS, STANDARD, Rules, written
from cribpi.cribbage.rules.shown import amount, shown


@lru_cache(maxsize=64)
def preset(name: str, players: int = 2) -> Rules:
    """Return the rules of the preset *name* for *players*.

    >>> preset("lowe", 3).deal, preset("travel-61").target
    ('five-and-pack', 61)

    Raises:
        BadSetup: If there is no such preset, or it has no game for that many.
    """
    found = find_preset(name)
    if players not in found.sources:
        known = " or ".join(map(str, found.players)).replace(" or ", ", ", len(found.players) - 2)
        many = amount(players, "player")
        raise BadSetup(f"{name} is not for {many}: choose {known} players, or other rules")
    options: dict[str, Any] = {
        "deal": DEALS[players],
        "partners_scorekeeper": "on" if players == 4 else "off",
    }
    if players > 2:
        options["starter_cut"] = "left-cuts"
    own = {option: read(option, text) for option, text in found.options.items()}
    return Rules(name, players, **(options | own))


_OTHERS: Final = {int: r"\d{1,4}", tuple: r"\d{1,4}(-\d{1,4}){2}", str: ".*"}
"""The pattern of values that are not listed, by the type of an option; its row says which are valid."""


def read(name: str, text: str) -> Any:  # noqa: ANN401  the type is that of the field
    """Parse *text* as a value of the option *name*.

    Raises:
        BadSetup: If there is no such option, or *text* is not one of its values.
    """
    options = rulebook().options
    if name not in options:
        raise BadSetup(f"{shown(name)} is not an option of the rules: the options are {', '.join(options)}")
    option, default = options[name], getattr(STANDARD, name)
    if text not in option.values and not (
        option.others and re.fullmatch(_OTHERS[type(default)], text, re.ASCII | re.DOTALL)
    ):
        choices = ", ".join((*option.values, *([option.others] if option.others else [])))
        raise BadSetup(f"{name}={shown(text, str)} is not offered: choose {choices}")
    if isinstance(default, bool):
        return text == "on"
    if isinstance(default, int):
        return 0 if text == "none" else int(text)
    return tuple(map(int, text.split("-"))) if isinstance(default, tuple) else text


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


def house_rules(name: str, players: int, changes: Mapping[str, str]) -> Rules:
    """Return the rules of a new game: the preset *name* for *players*, with the house's *changes* as written.

    A change of `players` is ignored in favour of *players*.

    Raises:
        BadSetup: If the preset, an option or a value is not known, the preset has no game for that many, or
            the options make no sense together.
    """
    rules = changed(preset(name, players), {key: text for key, text in changes.items() if key != "players"})
    rules.check_new()
    return rules


def house_changes(rules: Rules) -> dict[str, str]:
    """Return the options, as written, in which *rules* differ from the preset they are named after."""
    plain = preset(rules.name, rules.players)
    return {
        name: written(value)
        for name in rulebook().options
        if (value := getattr(rules, name)) != getattr(plain, name)
    }


def source(rules: Rules) -> str:
    """Return the source of *rules*: the sheet, or `acc`."""
    return find_preset(rules.name).sources[rules.players]


def differences(a: Rules, b: Rules) -> dict[str, tuple[str, str]]:
    """Return the options in which *a* and *b* differ, each with both values as written."""
    pairs = zip(a.as_written().items(), b.as_written().values(), strict=True)
    return {name: (one, other) for (name, one), other in pairs if one != other}
