"""The rules that people choose: a source's own, with the options that the house changes.

Where a sheet is silent about an option, it plays as `standard` does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.option import written
from cribpi.cribbage.rules.shown import amount, shown
from cribpi.cribbage.rules.table import BY_NAME, DEALS, PRESETS, Rules


@dataclass(frozen=True, slots=True)
class Preset:
    """One source's rules: for how many, from where, and how they differ from `standard`."""

    name: str
    text: str
    """One sentence for players."""
    sources: Mapping[int, str]
    """The source for each number of players it covers."""
    options: Mapping[str, Any]
    """The values that differ from those of a standard game of two."""

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players it covers."""
        return tuple(self.sources)


_ACC: Final = {
    "heels_deadline": "first-card",
    "miscount": "lost",
    "stake": (2, 3, 3),
    "renege": "2-a-card",
    "false_win": "acc",
}

_ALL: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset(
            "standard",
            "The game most people know, from the sheet of a board set; for three and four, from Lowe's.",
            {2: "board-set", 3: "lowe", 4: "lowe"},
            {},
        ),
        Preset(
            "computer-game",
            "A computer game's manual: nothing for his heels, and the crib counts like a hand.",
            {2: "computer-game", 3: "computer-game"},
            {"heels": 0, "crib_flush": "four"},
        ),
        Preset(
            "lowe",
            "Lowe's sheet for two, three and four: you can only pair another player's card.",
            {2: "lowe", 3: "lowe", 4: "lowe"},
            {"self_combinations": "over-another"},
        ),
        Preset(
            "use-and-care",
            "An excerpt from a manual: the play ends with the first go or thirty-one.",
            {2: "use-and-care"},
            {"play_rounds": "one", "self_combinations": "over-another"},
        ),
        Preset(
            "travel-61",
            "A travel set's sheet, once round the board: no cut for the starter, a flush of four in the "
            "crib.",
            {2: "travel-set"},
            {"target": 61, "starter_cut": "dealer-turns", "crib_flush": "four"},
        ),
        Preset(
            "travel-121",
            "A travel set's sheet, twice round the board: no cut for the starter, a flush of four in the "
            "crib.",
            {2: "travel-set"},
            {"starter_cut": "dealer-turns", "crib_flush": "four"},
        ),
        Preset(
            "acc",
            "American Cribbage Congress tournaments: you count, and points you miss are lost.",
            {2: "acc"},
            _ACC,
        ),
        Preset(
            "acc-muggins",
            "ACC tournaments with their one optional rule: points you miss go to the other side.",
            {2: "acc"},
            _ACC | {"miscount": "muggins"},
        ),
    )
}


def find_preset(name: str) -> Preset:
    """Return the preset *name*.

    Raises:
        BadSetup: If no preset has that name.
    """
    if name not in _ALL:
        raise BadSetup(f"rules {shown(name)} are not known: choose one of {', '.join(PRESETS)}")
    return _ALL[name]


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
    return Rules(name, players, **(options | dict(found.options)))


_OTHERS: Final = {int: r"\d{1,4}", tuple: r"\d{1,4}(-\d{1,4}){2}", str: ".*"}
"""The pattern of values that are not listed, by the type of an option; its row says which are valid."""


def read(name: str, text: str) -> Any:  # noqa: ANN401  the type is that of the field
    """Parse *text* as a value of the option *name*.

    Raises:
        BadSetup: If there is no such option, or *text* is not one of its values.
    """
    option = BY_NAME.get(name)
    if option is None:
        raise BadSetup(f"{shown(name)} is not an option of the rules: the options are {', '.join(BY_NAME)}")
    default = option.standard
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
        name: written(value) for name in BY_NAME if (value := getattr(rules, name)) != getattr(plain, name)
    }


def source(rules: Rules) -> str:
    """Return the source of *rules*: the sheet, or `acc`."""
    return find_preset(rules.name).sources[rules.players]


def differences(a: Rules, b: Rules) -> dict[str, tuple[str, str]]:
    """Return the options in which *a* and *b* differ, each with both values as written."""
    pairs = {name: (written(getattr(a, name)), written(getattr(b, name))) for name in BY_NAME}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
