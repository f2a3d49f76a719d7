"""The settings: TOML read into one frozen value.  Each has a default, and each error is a readable message.

Read from `$XDG_CONFIG_HOME/cribpi/config.toml` (by default `~/.config/cribpi/config.toml`), else from
`/etc/cribpi/config.toml`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Final, cast

from cribpi.companion.entry.house import House
from cribpi.companion.entry.next_game import SPEEDS, USUALLY_AUTOMATIC, NextGame, parse_levels, parse_steps
from cribpi.companion.entry.settings import ANY_CURRENT, SETTINGS, Machine, Setting
from cribpi.companion.files.config_table import (
    ABOVE_0,
    LAST_PORT,
    Section,
    Unfit,
    setting,
    settings_in,
    table_of,
)
from cribpi.companion.files.disk import Unreadable, toml_of
from cribpi.companion.kit import PANELS, Glass, read_offset, read_rotate
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.run.splash import settings_file
from cribpi.cribbage.game.events import PERSON_WORD, Entry
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.names import given_names
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import read, written
from cribpi.cribbage.rules.seats import PLAYERS
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.levels import engine_name

LONGEST_THOUGHT: Final = 3600.0
"""Maximum thinking time of an opponent, in seconds."""
_LABEL: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,28}[A-Za-z0-9])?", re.ASCII)
"""A label of a host name (RFC 952), with room for a number at its end."""

_LANGUAGE: Final = "language"
"""A setting of earlier versions, whose only value was `en`; files that contain it remain valid."""


class ConfigError(Unfit):
    """Invalid settings."""

    page = "docs/reference/settings.md"


@contextmanager
def _refusing(file: Section, key: str) -> Iterator[None]:
    """Turn a BadSetup into a ConfigError for *key*."""
    try:
        yield
    except BadSetup as bad:
        raise file.refusal(key, str(bad)) from None


def _names(file: Section, key: str) -> tuple[str, ...]:
    names = file.texts(key)
    if len(names) > max(PLAYERS):
        raise file.refusal(key, f"{len(names)} names: a game has four players at most")
    with _refusing(file, key):
        return given_names(names)


def _levels(file: Section, key: str) -> tuple[str, ...]:
    levels = file.texts(key)
    with _refusing(file, key):
        parse_levels(levels)
    return levels


def _automatic(file: Section, key: str) -> tuple[str, ...]:
    with _refusing(file, key):
        return parse_steps(file.texts(key))


def _host(page: Section, key: str) -> str:
    name = page.text(key)
    if _LABEL.fullmatch(name) is None:
        raise page.refusal(key, "use letters, digits and hyphens, 30 at most, such as cribpi-oak")
    return name.lower()


def _house(file: Section, key: str) -> tuple[tuple[str, str], ...]:
    """Return the options in the table *key*, with each value as `cribpi rules` writes it."""
    house, options = file.section(key), []
    for option in house.names():
        if option in {"players", "target"}:
            raise house.refusal(option, "this has its own setting; write it above [house]")
        value = house.scalar(option)
        text = written(value) if isinstance(value, bool) else shown(value, str)
        with _refusing(house, option):
            read(option, text)
        options.append((option, text))
    return tuple(options)


def _engines(file: Section, key: str) -> tuple[tuple[str, str], ...]:
    """Return the name and the command of each engine in the table *key*."""
    engines, commands = file.section(key), []
    for name in engines.names():
        command = engines.text(name)
        if not engine_name(f"engine-{name}"):
            raise engines.refusal(name, "name an engine with 1 to 9 small letters, such as fred")
        try:
            shlex.split(command)
        except ValueError as bad:
            raise engines.refusal(name, f"{bad}: write the command as you would in a shell") from None
        commands.append((name, command))
    return tuple(commands)


@dataclass(frozen=True, slots=True)
class SoundConfig:
    """The companion's voice."""

    voice: bool = setting(Section.boolean, default=False)
    """Whether events are spoken."""
    output: str = setting(Section.text, default="kit")
    """ALSA name of the loudspeaker, or `kit` for the kit's; a kit without one uses the system's."""
    speed: int = setting(
        lambda sound, key: sound.integer(key, 80, 450, hint="150 words a minute is the usual speed"),
        default=150,
    )
    """Words per minute, 80 to 450."""
    accent: str = setting(Section.text, default="en")
    """Name of an espeak-ng voice."""

    def loudspeaker(self, of_kit: str | None) -> str | None:
        """Return the loudspeaker's ALSA name, *of_kit* unless the settings override it; None for no sound.

        >>> SoundConfig().loudspeaker(None), SoundConfig().loudspeaker("hw:1")
        (None, 'hw:1')
        >>> SoundConfig(voice=True).loudspeaker(None)
        'default'
        """
        if self.output != "kit":
            return self.output
        return of_kit or ("default" if self.voice else None)


@dataclass(frozen=True, slots=True)
class PageConfig:
    """Settings of the web page: its host name, and whether phones on the home network can join."""

    lan: bool = setting(Section.boolean, default=False)
    """Whether phones on the network can join from the start."""
    name: str = setting(_host, default="cribpi")
    """The board's host name without `.local`: letters, digits and hyphens."""


def _offset(screen: Section, key: str) -> int | str:
    return "kit" if screen.value(key) == "kit" else read_offset(screen, key)


@dataclass(frozen=True, slots=True)
class ScreenConfig:
    """Overrides of the kit's screen."""

    panel: str = setting(lambda screen, key: screen.choice(key, ("kit", *PANELS)), default="kit")
    """The panel's chip, or `kit` for the kit's own."""
    rotate: int = setting(read_rotate, default=0)
    """Rotation of the picture in addition to the kit's: 0 or 180 degrees."""
    offset: int | str = setting(_offset, default=cast("int | str", "kit"))
    """Column of the panel's memory at the picture's left edge, 0 to 4; `kit` for the kit's or its chip's."""

    def of_kit(self, glass: Glass) -> Glass:
        """Return the kit's *glass* with these overrides."""
        panel = glass.panel if self.panel == "kit" else self.panel
        rotate = (glass.rotate + self.rotate) % 360
        # The kit's offset applies only to the kit's own panel.
        usual = glass.offset if self.panel == "kit" else None
        offset = self.offset if isinstance(self.offset, int) else usual
        return replace(glass, panel=panel, rotate=rotate, offset=offset)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of the companion."""

    kit: str = setting(Section.text, default="table")
    """The kit's name, or the path of a kit.toml."""
    port: int = setting(
        lambda file, key: file.integer(key, 1, LAST_PORT, hint="8121 is the usual one"), default=8121
    )
    """The page's port on the loopback address, 1 to 65535."""
    names: tuple[str, ...] = setting(_names, default=())
    """Names of the seats, in order; a seat without one is called by its colour."""
    players: int = setting(lambda file, key: file.integer(key, min(PLAYERS), max(PLAYERS)), default=2)
    """Number of players in the first new game: 2, 3 or 4."""
    target: int = setting(
        lambda file, key: file.integer(key, 0, 121, hint="0 keeps the rules' own"), default=0
    )
    """Target of the first new game, 31 to 121; 0 for the usual one of its rules."""
    rules: str = setting(lambda file, key: file.choice(key, tuple(rulebook().presets)), default="standard")
    """Rules of the first new game: a preset."""
    house: tuple[tuple[str, str], ...] = setting(_house, default=())
    """House rules on top of the preset: option and value, as `cribpi rules` writes them."""
    entry: str = setting(lambda file, key: file.choice(key, (*Entry, "kit")), default="kit")
    """Game mode: real `cards`, `peg` (points only), `dealt` (by the computer), or `kit` for its default."""
    levels: tuple[str, ...] = setting(_levels, default=(PERSON_WORD, "medium"))
    """Player in each seat if the computer deals: `person` or a level; the last one is for all other seats."""
    engines: tuple[tuple[str, str], ...] = setting(_engines, default=())
    """Third-party engines, selected as level `engine-NAME`: name and command of each."""
    speed: str = setting(lambda file, key: file.choice(key, SPEEDS), default="normal")
    """Speed of the computer's seats: `slow`, `normal` or `fast`."""
    automatic: tuple[str, ...] = setting(_automatic, default=USUALLY_AUTOMATIC)
    """Automatic steps if the computer deals: any of `cut`, `deal`, `starter`, `go` and `peg`."""
    thinking_time: float = setting(
        lambda file, key: file.number(
            key,
            0,
            LONGEST_THOUGHT,
            f"give at most {LONGEST_THOUGHT:g} seconds; 0 means 5, or 60 on a Raspberry Pi",
        ),
        default=0.0,
    )
    """Timeout of an opponent's decision in seconds, after which `thrifty` takes the seat; 0 for 5, or 60 on
    a Raspberry Pi."""
    brightness: float = setting(
        lambda file, key: file.number(key, ABOVE_0, 1, "give a number above 0 and up to 1"), default=1.0
    )
    """The LEDs' brightness, above 0 to 1."""
    max_ma: int = setting(
        lambda file, key: file.integer(key, 0, 60_000, hint="0 keeps the kit's own"), default=0
    )
    """Maximum current of all LEDs in milliamperes, up to the kit's limit; 0 for that limit."""
    still: bool = setting(Section.boolean, default=False)
    """Whether pegs jump instead of walking."""
    ghost: bool = setting(Section.boolean, default=False)
    """Whether the board marks, at each deal, the average scores of two good players."""
    sound: SoundConfig = setting(table_of(SoundConfig), default=SoundConfig())
    page: PageConfig = setting(table_of(PageConfig), default=PageConfig())
    oled: ScreenConfig = setting(table_of(ScreenConfig), default=ScreenConfig())
    mqtt: Broker = setting(table_of(Broker), default=Broker())

    @property
    def broker(self) -> Broker | None:
        """The MQTT broker, if a host is set.  The board is named after its machine by default."""
        if not self.mqtt.host:
            return None
        return replace(self.mqtt, board=self.mqtt.board or self.page.name)

    def setup(self, entry: str = "cards") -> NextGame:
        """Return the defaults of the first new game; *entry* is the kit's game mode.

        Raises:
            BadSetup: If the rules make no sense.
        """
        plain = NextGame(
            entry=entry if self.entry == "kit" else self.entry,
            levels=parse_levels(self.levels),
            house=House(self.names, speed=self.speed, automatic=self.automatic),
        )
        setup = plain.with_preset(self.rules)
        changes = dict(self.house) | {"players": str(self.players)}
        changes |= {"target": str(self.target)} if self.target else {}
        return setup.with_rules(None, changes).as_before()

    def machine(
        self, *, is_pi: bool = False, has_loudspeaker: bool = False, currents: tuple[int, int] = ANY_CURRENT
    ) -> Machine:
        """Return this computer, with the defaults of the settings that can be changed at the table.

        *currents* is the current of the kit's dark LEDs and the kit's limit, in milliamperes.
        """

        def usual(row: Setting) -> str:
            value = attrgetter(row.file)(self) if row.file else row.usual
            match value:
                case tuple():  # the automatic steps
                    return "on" if row.name.removeprefix("auto_") in value else "off"
                case bool():
                    return "on" if value else "off"
                case float():  # a fraction, shown in percent
                    return str(max(round(100 * value), 1))
                case _:
                    return str(value)

        rows = (row for row in SETTINGS if has_loudspeaker or row.name != "voice")
        here = tuple((row.name, usual(row)) for row in rows)
        engines = tuple(f"engine-{name}" for name, _ in self.engines)
        return Machine(here, is_pi=is_pi, engines=engines, currents=currents)


def config_file(environ: Mapping[str, str] = os.environ, system: Path = Path("/etc")) -> Path | None:
    """Return the path of the settings file, if it exists."""
    path = settings_file(environ, str(system))
    return Path(path) if path else None


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the journal: `$XDG_STATE_HOME/cribpi`, by default `~/.local/state/cribpi`."""
    home = environ.get("XDG_STATE_HOME") or Path(environ.get("HOME") or "/") / ".local" / "state"
    return Path(home) / "cribpi"


def read_config(path: Path | None) -> Config:
    """Return the settings in *path*; if it is None, the defaults.

    Raises:
        ConfigError: If they are invalid; the message describes the first error.
    """
    if path is None:
        return Config()
    try:
        file = Section(str(path), "", toml_of(path), ConfigError)
    except Unreadable as bad:
        raise ConfigError(f"{path}: {bad}, or move the file away") from None
    settings = settings_in(Config, file)
    if file.has(_LANGUAGE):
        file.choice(_LANGUAGE, ("en",))
    file.finish()
    if "players" not in settings and "rules" in settings:
        settings["players"] = find_preset(settings["rules"]).players[0]
    config = Config(**settings)
    for engine in filter(None, map(engine_name, config.levels)):
        if engine not in dict(config.engines):
            raise file.refusal("levels", f"[engines] has no {engine}: add its command there")
    with _refusing(file, "rules"):
        setup = config.setup()
    with _refusing(file, "names"):
        step(NEW_TABLE, setup.event())
    return config
