"""Rules and settings as JSON for the page: options with their sources, and current values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.next_game import LEVELS, NextGame, is_given
from cribpi.cribbage.game.events import PERSON, Entry
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import Option, Preset, rulebook
from cribpi.cribbage.rules.rules import Rules, house_changes, preset
from cribpi.cribbage.words.levels import OFFERED, engine_name, title_of

if TYPE_CHECKING:
    from cribpi.companion.web.json import setup_types

A_PERSON: Final = ("A person", "Plays on this page, or with the keypad.")

_ASSIGNED: Final = re.compile(r"\b([a-z_]+)=([\w-]+)")

AN_ENGINE: Final = "Another program, named in config.toml."

AS_STRONG: Final = "At five-card, plays like Strong."
NOT_OFFERED: Final = "From earlier versions."

SPEED_WORDS: Final = {
    "slow": ("slow", "Two seconds before each of the computer's moves."),
    "normal": ("normal", "Just under a second, so you can follow."),
    "fast": ("fast", "As fast as possible: a game between computers is over in a moment."),
}


def rules_json(setup: NextGame, state: State, engines: tuple[str, ...] = ()) -> setup_types.Rules:
    """Return the available rules, the set-up of the next game, and the rules of this game.

    *engines* are the levels of third-party engines. Options are sorted by group, in the order in which the
    groups first appear in the rule book.
    """
    others = dict.fromkeys((*engines, *(level for level in setup.seat_levels() if level not in LEVELS)))
    has_tables = not setup.game_rules().is_five_card
    groups = list(dict.fromkeys(option.group for option in rulebook().options.values()))
    options = sorted(rulebook().options.values(), key=lambda option: groups.index(option.group))
    game = _game_json(setup.game_rules(), Entry(setup.entry), setup.seat_names(), setup.seat_levels())
    playing: setup_types.Playing | None = None
    if state.phase is not Phase.IDLE:
        levels = tuple(map(state.level, range(state.players)))
        names = zip(state.names, levels, strict=True)
        playing = {
            **_game_json(state.rules, state.entry, state.names, levels),
            "people": [name if is_given(name) and not level else "" for name, level in names],
            "over": state.winner is not None,
        }
    return {
        "presets": list(map(_preset_json, rulebook().presets.values())),
        "options": [_option_json(option, setup) for option in options],
        "levels": [
            _choice(PERSON, *A_PERSON),
            *(
                _choice(level.name, level.title, level.knows if has_tables or not level.loads else AS_STRONG)
                for level in OFFERED
            ),
            *(
                _choice(name, title_of(name), AN_ENGINE if engine_name(name) else NOT_OFFERED)
                for name in others
            ),
        ],
        "speeds": [_choice(speed, *words) for speed, words in SPEED_WORDS.items()],
        "setup": _set_up_json(setup, game),
        "playing": playing,
    }


def rules_of_start(rules: Mapping[str, Any]) -> dict[str, object]:
    """Return the part of `rules_json` that the page needs at its start.

    Options and their values are left out.
    """
    presets = [
        {name: value for name, value in row.items() if name != "effective"} for row in rules["presets"]
    ]
    return {name: value for name, value in rules.items() if name != "options"} | {"presets": presets}


def _choice(value: str, title: str, text: str) -> setup_types.Choosable:
    return {"value": value, "title": title, "text": text}


def _preset_json(row: Preset) -> setup_types.Preset:
    return {
        "name": row.name,
        "title": row.title,
        "text": row.text,
        "players": list(row.players),
        "hand": preset(row.name, row.players[0]).sizes.hand,
        "source": ", ".join(dict.fromkeys(row.sources.values())),
        "effective": {str(players): preset(row.name, players).as_written() for players in row.players},
    }


def _option_json(option: Option, setup: NextGame) -> setup_types.Option:
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


def _fits(setup: NextGame, option: Option, value: str) -> bool:
    """Return whether the set-up allows *value*, at least if another option is changed too."""
    try:
        setup.with_rules(None, {option.name: value})
    except BadSetup as refused:
        return any(name != option.name for name, _ in refused.remedies)
    return True


def set_up_refusal(refused: BadSetup) -> tuple[str, list[setup_types.Remedy]]:
    """Return the message of *refused* in the page's words, and the options that would resolve it."""
    remedies = [(rulebook().options[name], value) for name, value in refused.remedies]
    return _ASSIGNED.sub(_in_words, str(refused)), [
        {"option": option.name, "title": option.title, "value": value, "text": option.values[value]}
        for option, value in remedies
    ]


def _in_words(match: re.Match[str]) -> str:
    option = rulebook().options.get(match[1])
    return f"“{option.title}: {option.values.get(match[2], match[2])}”" if option else match[0]


def _game_json(
    rules: Rules, entry: Entry, names: tuple[str, ...], levels: tuple[str, ...]
) -> setup_types.Game:
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


def _set_up_json(setup: NextGame, game: setup_types.Game) -> setup_types.GameSetup:
    """Return *game* with the fields that only a set-up has."""
    return {
        **game,
        "speed": setup.house.speed,
        "automatic": list(setup.house.automatic),
        "you": setup.house.you,
        "people": [*setup.people, *[""] * (setup.players - len(setup.people))],
    }


def settings_json(context: InputContext) -> setup_types.Settings:
    """Return the settings of this machine, and the power commands. Only a Pi has power commands."""
    machine = context.machine
    return {
        "settings": [
            {
                "name": row.name,
                "group": row.group,
                "title": row.title,
                "text": row.text,
                "value": context.value(row.name),
                "choices": [{"value": value, "title": title} for value, title in machine.values(row.name)],
            }
            for row in machine.rows()
        ],
        "power": ["restart", "off"] if machine.is_pi else [],
    }


def values_json(context: InputContext) -> dict[str, str]:
    """Return the values of this machine's settings, by name."""
    return {row.name: context.value(row.name) for row in context.machine.rows()}


def plain_rules_json(setup: NextGame) -> setup_types.Rules:
    """Return the set-up of the next game as in ``GET /api/rules``, but without rules to choose from.

    This is the fallback if `rules_json` fails.
    """
    game: setup_types.Game = {
        "rules": setup.rules,
        "players": setup.players,
        "target": setup.target,
        "entry": Entry(setup.entry),
        "names": list(setup.house.names),
        "levels": list(setup.levels),
        "options": dict(setup.options),
        "effective": {},
    }
    whole = _set_up_json(setup, game)
    return {"presets": [], "options": [], "levels": [], "speeds": [], "setup": whole, "playing": None}
