"""The record's line that begins a game: names, rules, levels, and the match so far."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cribpi.cribbage.game.events import PERSON, PERSON_WORD, Entry, GameStarted
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.record.words import QUOTED, Words, quote, unquoted
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.presets import changed, differences, preset, read
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import STANDARD, Rules
from cribpi.cribbage.rules.shown import shown

_SETTINGS: Final = {
    "entry": (r"cards|peg|dealt", "cards, peg or dealt"),
    "levels": (r"[a-z-]{1,16}(,[a-z-]{1,16}){1,3}", "person or a level for each seat, as in person,solid"),
    "dealer": (r"\d", "a seat"),
    "games": (r"\d{1,6}(-\d{1,6})+", "a number for each side, as in 2-1"),
    "points": (r"\d{1,6}(-\d{1,6})+", "a number for each side, as in 5-2"),
    "skunks": (r"\d{1,6}(-\d{1,6})+", "a number for each side, as in 1-0"),
    "spread": (r"[+-]?\d{1,6}(,[+-]?\d{1,6})+", "a number for each side, as in 51,-51"),
    "night": (QUOTED, "the name of a club's night between double quotes"),
    "round": (r"\d{1,2}", "the round of the night"),
}
"""The settings of a game besides its rules: the pattern of each, and its description."""

_TALLY: Final = {"games": "-", "points": "-", "skunks": "-", "spread": ","}
"""The settings that tell what each side has won, and what stands between the sides' numbers."""

_FIRST_MEANT: Final[Mapping[str, Mapping[str, str]]] = {
    name: {"last_card": "none"} for name in ("travel-61", "travel-121")
}
"""What a preset had otherwise when the first records and journals named it.

A record names a preset and what differs from it, so the name must go on meaning what it meant then.
"""


def print_game(event: GameStarted) -> str:
    """Print what begins a game; `read_game` is the inverse."""
    rules, tally = event.rules, event.tally
    found = differences(_meant(rules.name, rules.players), rules)
    changes = {name: text for name, (_, text) in found.items() if name != "target"}
    words = [*map(quote, event.names), f"rules={rules.name}", f"target={rules.target}"]
    words += [f"{name}={text}" for name, text in changes.items()]
    words += [f"entry={event.entry}"]
    words += [f"levels={','.join(level or PERSON_WORD for level in event.levels)}"] * bool(event.levels)
    words += [f"dealer={event.dealer}"] * (event.dealer is not None)
    has_more = any(one.points or one.skunks or one.spread for one in tally)
    for name, between in _TALLY.items():
        if tally and (has_more or name == "games"):
            words.append(f"{name}={between.join(str(getattr(one, name)) for one in tally)}")
    if event.night:
        words += [f"night={quote(event.night)}", f"round={event.round}"]
    return " ".join(words)


def read_game(words: Words) -> GameStarted:
    """Parse the beginning of a game; `print_game` is the inverse.

    Raises:
        RecordError: At the first setting that is wrong.
    """
    names = words.names()
    settings: dict[str, str] = {}
    changes: dict[str, str] = {}
    while words.more():
        key, _, value = words.word("a setting").partition("=")
        if key in settings or key in changes:
            raise words.fail(f"{shown(key)} is given twice")
        if key in _SETTINGS and not re.fullmatch(_SETTINGS[key][0], value, re.ASCII):
            raise words.fail(f"{shown(value)} is not a value for {key}: write {_SETTINGS[key][1]}")
        if key in _SETTINGS or key == "rules":
            settings[key] = value
        elif key not in (options := rulebook().options) or key == "players":
            known = (*_SETTINGS, "rules", *(name for name in options if name != "players"))
            raise words.fail(f"{shown(key)} is not a setting of a game: the settings are {' '.join(known)}")
        else:
            changes[key] = value
        try:
            _check_setting(key, value)
        except BadSetup as bad:
            raise words.fail(str(bad)) from None
    try:
        rules = changed(_meant(settings.get("rules", "standard"), len(names)), changes)
        tally = _tally(settings)
    except BadSetup as bad:
        raise words.fail(str(bad)) from None
    dealer = int(settings["dealer"]) if "dealer" in settings else None
    entry = Entry(settings.get("entry", "cards"))
    seated = settings["levels"].split(",") if "levels" in settings else ()
    levels = tuple(PERSON if level == PERSON_WORD else level for level in seated)
    night, round_ = unquoted(settings.get("night", '""')), int(settings.get("round", 0))
    return GameStarted(names, rules, entry, dealer, tally, levels, night, round_)


def _meant(name: str, players: int) -> Rules:
    """Return the rules that the preset *name* stands for in a record.

    Raises:
        BadSetup: If there is no such preset, or it has no game for that many.
    """
    return changed(preset(name, players), _FIRST_MEANT.get(name, {}))


def _check_setting(key: str, value: str) -> None:
    """Raise `BadSetup` if a setting alone is wrong, so that the error gives its own column."""
    if key == "rules":
        find_preset(value)
    elif key in rulebook().options:
        read(key, value)
        if rulebook().options[key].others:  # a number, which may be out of range
            changed(STANDARD, {key: value})


def _tally(settings: Mapping[str, str]) -> tuple[Tally, ...]:
    columns = {
        name: [int(text) for text in settings[name].split(between)]
        for name, between in _TALLY.items()
        if name in settings
    }
    sides = {len(column) for column in columns.values()}
    if len(sides) > 1:
        raise BadSetup(
            f"{' '.join(columns)} are not for the same number of sides: give a number for each side"
        )
    return tuple(
        Tally(*(columns[name][side] if name in columns else 0 for name in _TALLY))
        for side in range(max(sides, default=0))
    )
