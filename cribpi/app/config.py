"""The settings: TOML to one frozen value.  None is needed, and every error is a sentence.

Read from `$XDG_CONFIG_HOME/cribpi/config.toml` (by default `~/.config/cribpi/config.toml`), else from
`/etc/cribpi/config.toml`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from cribpi.core.errors import BadSetup
from cribpi.core.events import PERSON, Entry
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.names import given_names
from cribpi.core.rules import PRESETS, find_preset, read, written
from cribpi.core.seats import PLAYERS
from cribpi.core.shown import shown
from cribpi.entry.desk import SPEEDS, Setup, sitters
from cribpi.storage.disk import Unreadable, toml_of

LONGEST_THOUGHT: Final = 3600.0
"""The most seconds that an opponent can be given."""
LAST_PORT: Final = 65_535
"""The highest port that there is."""


class ConfigError(ValueError):
    """A setting that can't be.  Its text names file, key and remedy."""


@dataclass(frozen=True, slots=True)
class Config:
    """What can be set.  Each has a default that serves."""

    kit: str = "table"
    """The kit's name, or the path of a kit.toml."""
    port: int = 8121
    """The page's port on the loopback address, 1 to 65535."""
    names: tuple[str, ...] = ()
    """Names of the seats, in order; colours stand in for those that are missing."""
    players: int = 2
    """How many players the first new game offers: 2, 3 or 4."""
    target: int = 0
    """The target that the first new game offers, 31 to 121; 0 for that of its rules."""
    rules: str = "standard"
    """The rules that the first new game offers: a preset."""
    house: tuple[tuple[str, str], ...] = ()
    """What the house changes in them: option and value, as `cribpi rules` writes them."""
    entry: str = "kit"
    """How a game is kept: by `cards`, by points, `peg`, `dealt` by the machine, or as the `kit` says."""
    levels: tuple[str, ...] = (PERSON, "solid")
    """Who sits in each seat where the machine deals: a `person`, or the machine at a level; the last for the
    rest."""
    speed: str = "normal"
    """How quickly the machine's seats act: `slow`, `normal` or `fast`."""
    thinking_time: float = 0.0
    """Seconds that an opponent may think about a decision before its seat goes to `thrifty`; 0 for what suits
    the machine."""
    brightness: float = 1.0
    """The LEDs' brightness, above 0 to 1."""
    max_ma: int = 0
    """What the LEDs may draw together, in milliamperes: as much as the kit allows, or less; 0 for what the
    kit says."""
    still: bool = False
    """Whether pegs jump instead of walking."""

    def setup(self, entry: str = "cards") -> Setup:
        """Return what the first new game offers; *entry* is how the kit would have it kept.

        Raises:
            BadSetup: If the rules make no sense.
        """
        plain = Setup(
            entry=entry if self.entry == "kit" else self.entry,
            names=self.names,
            levels=sitters(self.levels),
            speed=self.speed,
        )
        setup = plain.with_preset(self.rules)
        changes = dict(self.house) | {"players": str(self.players)}
        return setup.with_rules(None, changes | ({"target": str(self.target)} if self.target else {}))


def config_file(environ: Mapping[str, str] = os.environ, system: Path = Path("/etc")) -> Path | None:
    """Return the file that holds the settings, or None where there is none."""
    home = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME") or "/") / ".config")
    for folder in (home, system):
        path = folder / "cribpi" / "config.toml"
        if path.exists():
            return path
    return None


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the journal: `$XDG_STATE_HOME/cribpi`, by default `~/.local/state/cribpi`."""
    home = environ.get("XDG_STATE_HOME") or Path(environ.get("HOME") or "/") / ".local" / "state"
    return Path(home) / "cribpi"


def read_config(path: Path | None) -> Config:
    """Read the settings in *path*; without a file, the defaults.

    Raises:
        ConfigError: At the first thing that is wrong.
    """
    if path is None:
        return Config()
    try:
        data = toml_of(path)
    except Unreadable as bad:
        raise ConfigError(f"{path}: {bad}, or move the file away") from None
    return _config(path, data)


def _config(path: Path, data: dict[str, Any]) -> Config:
    defaults = {field.name: field.default for field in fields(Config)}
    for key, value in data.items():
        if key not in defaults:
            raise ConfigError(
                f"{path}: {shown(key, str)}: there is no such setting; there are {', '.join(defaults)}"
            )
        if key == "house":
            data[key] = _house(path, value)
        else:
            _check_type(path, key, value, defaults[key])
    for key, value in data.items():
        if isinstance(value, list):
            data[key] = tuple(value)
    if "players" not in data and data.get("rules") in PRESETS:
        data["players"] = find_preset(data["rules"]).players[0]
    config = Config(**data)
    if not 1 <= config.port <= LAST_PORT:
        raise ConfigError(
            f"{path}: port = {shown(config.port)}: a port is 1 to {LAST_PORT}; 8121 is the usual one"
        )
    if not 0 < config.brightness <= 1:
        raise ConfigError(f"{path}: brightness = {shown(config.brightness)}: choose above 0 and up to 1")
    if not 0 <= config.thinking_time <= LONGEST_THOUGHT:
        raise ConfigError(
            f"{path}: thinking_time = {shown(config.thinking_time)}: choose up to {LONGEST_THOUGHT:g} "
            f"seconds, "
            "or 0 for 5 seconds, and 60 on a Raspberry Pi"
        )
    if config.max_ma < 0:
        raise ConfigError(
            f"{path}: max_ma = {shown(config.max_ma)}: choose milliamperes, or 0 for the kit's own"
        )
    for key, choices in _CHOICES.items():
        if getattr(config, key) not in choices:
            raise ConfigError(
                f"{path}: {key} = {shown(getattr(config, key))}: choose {' or '.join(map(str, choices))}"
            )
    try:
        config = replace(config, names=given_names(config.names))
    except BadSetup as bad:
        raise ConfigError(f"{path}: names: {bad}") from None
    if len(config.names) > max(PLAYERS):
        raise ConfigError(f"{path}: names has {len(config.names)}: four seats are the most")
    try:
        sitters(config.levels)
    except BadSetup as bad:
        raise ConfigError(f"{path}: levels: {bad}") from None
    try:
        setup = config.setup()
    except BadSetup as bad:
        raise ConfigError(f"{path}: rules: {bad}") from None
    try:
        step(NEW_TABLE, setup.event())
    except BadSetup as bad:
        raise ConfigError(f"{path}: names: {bad}") from None
    return config


_CHOICES: Final[dict[str, tuple[object, ...]]] = {
    "players": PLAYERS,
    "rules": PRESETS,
    "entry": (*map(str, Entry), "kit"),
    "speed": SPEEDS,
}


def _house(path: Path, table: object) -> tuple[tuple[str, str], ...]:
    """Return the options of the table *house*, each value as it is written."""
    if not isinstance(table, dict):
        raise ConfigError(
            f'{path}: house = {shown(table)}: write a table, as [house] and below it crib_flush = "four"'
        )
    found = []
    for option, value in table.items():
        if option in {"players", "target"}:
            raise ConfigError(f"{path}: house.{option}: it has a setting of its own, above [house]: {option}")
        if not isinstance(value, str | int):
            raise ConfigError(
                f"{path}: house.{shown(option, str)} = {shown(value)}: write a text between quotes"
            )
        text = written(value) if isinstance(value, bool) else shown(value, str)
        try:
            read(option, text)
        except BadSetup as bad:
            raise ConfigError(f"{path}: house.{shown(option, str)}: {bad}") from None
        found.append((option, text))
    return tuple(found)


def _check_type(path: Path, key: str, value: object, default: object) -> None:
    """Raise `ConfigError` if *value* is not of the kind that *default* is of."""
    if isinstance(default, tuple):
        is_right = isinstance(value, list) and all(isinstance(item, str) for item in value)
        wanted = 'a list of texts, as ["ANN", "BOB"]'
    elif isinstance(default, bool):
        is_right, wanted = isinstance(value, bool), "true or false"
    elif isinstance(default, float):
        is_right, wanted = isinstance(value, int | float) and not isinstance(value, bool), "a number"
    elif isinstance(default, int):
        is_right, wanted = isinstance(value, int) and not isinstance(value, bool), "a whole number"
    else:
        is_right, wanted = isinstance(value, str), "a text between quotes"
    if not is_right:
        raise ConfigError(f"{path}: {key} = {shown(value)}: write {wanted}")
