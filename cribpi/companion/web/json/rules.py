"""The rules as JSON for the page: what can be chosen, its source, what is set up and what is played."""

from __future__ import annotations

import re
from typing import Final

from cribpi.companion.entry.ask import Changes
from cribpi.companion.entry.desk import Setup
from cribpi.cribbage.game.events import PERSON
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import Option, Preset, rulebook
from cribpi.cribbage.rules.rules import Rules, house_changes, preset
from cribpi.cribbage.words.levels import CARELESS_NAMES, LEVELS, title_of

A_PERSON: Final = ("A person", "Plays on this page, or with the keypad.")

_ASSIGNED: Final = re.compile(r"\b([a-z_]+)=([\w-]+)")

CARELESS_TOO: Final = "The same, but overlooks something one time in ten, as people do."

SPEED_WORDS: Final = {
    "slow": ("slow", "Two seconds before each of the computer's moves."),
    "normal": ("normal", "Just under a second, so you can follow."),
    "fast": ("fast", "As fast as possible: a game between computers is over in a moment."),
}


def rules_json(setup: Setup, state: State) -> dict[str, object]:
    """Return all that can be chosen, what is set up for the next game, and the rules of this game."""
    return {
        "presets": [_preset_json(one) for one in rulebook().presets.values()],
        "options": [_option_json(option, setup) for option in _by_group()],
        "levels": [
            _choice(PERSON, *A_PERSON),
            *(_choice(level.name, level.title, level.knows) for level in LEVELS),
            *(_choice(name, title_of(name), CARELESS_TOO) for name in CARELESS_NAMES),
        ],
        "speeds": [_choice(speed, *words) for speed, words in SPEED_WORDS.items()],
        "setup": _game_json(setup.house(), setup.entry, setup.seat_names(), setup.seat_levels())
        | {"speed": setup.speed, "automatic": list(setup.automatic)},
        "playing": playing_json(state),
    }


def playing_json(state: State) -> dict[str, object] | None:
    """Return what the game on the table is played by; None while there is none."""
    if state.phase is Phase.IDLE:
        return None
    levels = tuple(state.level(seat) for seat in range(state.players))
    return _game_json(state.rules, str(state.entry), state.names, levels) | {"over": state.winner is not None}


def _choice(value: str, title: str, text: str) -> dict[str, str]:
    return {"value": value, "title": title, "text": text}


def _preset_json(one: Preset) -> dict[str, object]:
    return {
        "name": one.name,
        "title": one.title,
        "text": one.text,
        "players": list(one.players),
        "source": ", ".join(dict.fromkeys(one.sources.values())),
        "effective": {str(players): preset(one.name, players).as_written() for players in one.players},
    }


def _by_group() -> list[Option]:
    """Return every option, group by group, in the order in which the rows name the groups."""
    options = rulebook().options.values()
    groups = list(dict.fromkeys(option.group for option in options))
    return sorted(options, key=lambda option: groups.index(option.group))


def _option_json(option: Option, setup: Setup) -> dict[str, object]:
    return {
        "name": option.name,
        "group": option.group,
        "title": option.title,
        "text": option.text,
        "values": [
            {"value": value, "text": text, "fits": _fits(setup, option, value)}
            for value, text in option.values.items()
        ],
        "others": option.others,
        "default": option.default,
        "citations": option.words,
        "says": {source: list(quote.gives) for source, quote in option.quotes.items()},
    }


def _fits(setup: Setup, option: Option, value: str) -> bool:
    """Tell whether *value* fits what is set up, perhaps with another option changed as well."""
    try:
        Changes(options={option.name: value}).of(setup)
    except BadSetup as refused:
        return any(name != option.name for name, _ in refused.remedies)
    return True


def set_up_refusal_json(refused: BadSetup) -> dict[str, object]:
    """Return what is *refused* in the words of the page, and what, chosen as well, would mend it."""
    remedies = [(rulebook().options[name], value) for name, value in refused.remedies]
    return {
        "told": _ASSIGNED.sub(_in_words, str(refused)),
        "remedies": [
            {"option": option.name, "title": option.title, "value": value, "text": option.values[value]}
            for option, value in remedies
        ],
    }


def _in_words(found: re.Match[str]) -> str:
    option = rulebook().options.get(found[1])
    return f"“{option.title}: {option.values.get(found[2], found[2])}”" if option else found[0]


def _game_json(
    rules: Rules, entry: str, names: tuple[str, ...], levels: tuple[str, ...]
) -> dict[str, object]:
    return {
        "rules": rules.name,
        "players": rules.players,
        "target": rules.target,
        "entry": entry,
        "names": list(names),
        "levels": list(levels),
        "options": house_changes(rules),
        "effective": rules.as_written(),
    }
