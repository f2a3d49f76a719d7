"""The rules as JSON for the page: what can be chosen, whose rule each is, what is set up and what is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cribpi.core.citations import RULES, SAYS, SOURCES
from cribpi.core.options import BY_NAME, OPTIONS, Option, written
from cribpi.core.presets import Preset, find_preset, house_changes, preset
from cribpi.core.rules import PRESETS, Rules
from cribpi.core.state import Phase, State
from cribpi.core.why import TITLES
from cribpi.entry.desk import Setup


def rules_json(setup: Setup, state: State) -> dict[str, object]:
    """Return all that can be chosen, what is set up for the next new game, and the rules of the game at *state*."""
    return {
        "presets": [_preset_json(find_preset(name)) for name in PRESETS],
        "options": [_option_json(option) for option in OPTIONS],
        "setup": _game_json(setup.house(), setup.entry, setup.seat_names()),
        "playing": playing_json(state),
    }


def playing_json(state: State) -> dict[str, object] | None:
    """Return what the game on the table is played by; None while there is none."""
    if state.phase is Phase.IDLE:
        return None
    return _game_json(state.rules, str(state.entry), state.names) | {"over": state.winner is not None}


def effective(rules: Rules) -> dict[str, str]:
    """Return the value of every option of *rules* as it is written.

    >>> effective(preset("standard"))["stake"]
    '1-2-3'
    """
    return {name: written(getattr(rules, name)) for name in BY_NAME}


def set_up(setup: Setup, request: Mapping[str, Any]) -> Setup:
    """Return *setup* changed as *request* asks, in the shape of ``POST /api/rules``.

    Raises:
        BadSetup: If a preset, an option or a value is not known, or they make no sense together.
    """
    changes: dict[str, str] = {}
    if "players" in request:
        changes["players"] = str(request["players"])
    wanted = setup.with_rules(request.get("rules"), changes | dict(request.get("options", {})))
    return replace(wanted, entry=request.get("entry", setup.entry))


def _preset_json(one: Preset) -> dict[str, object]:
    return {
        "name": one.name,
        "text": one.text,
        "players": list(one.players),
        "source": ", ".join(dict.fromkeys(one.sources.values())),
        "effective": {str(players): effective(preset(one.name, players)) for players in one.players},
    }


def _option_json(option: Option) -> dict[str, object]:
    words, says = RULES[option.name].words, SAYS.get(option.name, {})
    return {
        "name": option.name,
        "title": TITLES[option.name],
        "text": RULES[option.name].text,
        "values": [{"value": value, "text": text} for value, text in option.values.items()],
        "others": option.others,
        "default": option.default,
        "citations": {source: words[source] for source in SOURCES if source in words},
        "says": {source: list(says[source]) for source in SOURCES if source in says},
    }


def _game_json(rules: Rules, entry: str, names: tuple[str, ...]) -> dict[str, object]:
    return {
        "rules": rules.name,
        "players": rules.players,
        "target": rules.target,
        "entry": entry,
        "names": list(names),
        "options": house_changes(rules),
        "effective": effective(rules),
    }
