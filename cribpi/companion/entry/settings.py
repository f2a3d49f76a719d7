"""Settings of the table and its device: the rows of `settings.toml`, and the values that people chose.

A value is text, one of those in its row.  Only values that differ from this machine's defaults are saved, so
that `config.toml` still determines the rest.  `SavedInput` adds the settings of a new game.
"""

from __future__ import annotations

import pkgutil
import tomllib
from dataclasses import dataclass
from typing import Final, Literal

from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.shown import shown

Pairs = tuple[tuple[str, str], ...]
"""Values with their titles, or names with their values."""

_ON_OFF: Final = {"on": "On", "off": "Off"}
_LEAST_MA: Final = 50
"""Minimum milliamperes for the LEDs above their dark current; with less, pegs would go out."""
ANY_CURRENT: Final = (0, 1 << 30)
OF_KIT: Final = "0"
"""The value of `max_ma` that stands for the limit of the kit."""


class NoSuchSetting(RuleError):
    """The setting does not exist on this machine, or does not have that value."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of `settings.toml`; the comment at the top of that file explains the keys."""

    name: str
    group: Literal["automatic", "table", "device"]
    title: str
    brief: str
    text: str
    values: Pairs
    usual: str
    file: str = ""
    unit: str = "%"

    def titled(self, value: str) -> str:
        """Return the title of *value*; a number that is not in the row is followed by the unit."""
        return dict(self.values).get(value, f"{value} {self.unit}")


SETTINGS: Final = tuple(
    Setting(name, **{**row, "values": tuple(row.get("values", _ON_OFF).items())})
    for name, row in tomllib.loads((pkgutil.get_data(__package__, "settings.toml") or b"").decode()).items()
)
"""All settings, in menu order."""

BY_NAME: Final = {row.name: row for row in SETTINGS}
USUAL: Final[Pairs] = tuple((row.name, row.usual) for row in SETTINGS)


@dataclass(frozen=True, slots=True)
class Machine:
    """The settings and defaults of this machine, according to `config.toml` and its hardware."""

    usual: Pairs = USUAL
    """The default of each setting available on this machine; the other rows do not apply to it."""
    is_pi: bool = False
    """Whether this is a Raspberry Pi, which can be shut down."""
    engines: tuple[str, ...] = ()
    """Levels of the third-party engines that can play, such as `engine-fred`."""
    currents: tuple[int, int] = ANY_CURRENT
    """Current of the dark LEDs, and the limit of the kit, in milliamperes."""

    def value(self, name: str, chosen: Pairs) -> str:
        """Return the *chosen* value of *name*, or the default if it is missing or no longer possible."""
        value = dict(chosen).get(name)
        if value is not None and value in dict(self.values(name)):
            return value
        return dict(self.usual)[name]

    def rows(self) -> tuple[Setting, ...]:
        return tuple(BY_NAME[name] for name, _ in self.usual)

    def values(self, name: str) -> Pairs:
        """Return the possible values of *name*, including a default that is not in its row."""
        row, usual = BY_NAME[name], dict(self.usual)[name]
        values = row.values
        if name == "max_ma":
            least, most = self.currents[0] + _LEAST_MA, self.currents[1]
            values = tuple(pair for pair in values if pair[0] == OF_KIT or least <= int(pair[0]) < most)
        if usual in dict(values):
            return values
        return tuple(sorted((*values, (usual, row.titled(usual))), key=lambda pair: int(pair[0])))

    def with_value(self, chosen: Pairs, name: str, value: str) -> Pairs:
        """Return the *chosen* settings with *name* set to *value*; the default removes *name*."""
        changed = dict(chosen) | {name: value}
        if value == dict(self.usual)[name]:
            del changed[name]
        return tuple(changed.items())

    def check(self, name: str, value: str) -> None:
        """Check that *name* is a setting of this machine, and can have *value*.

        Raises:
            NoSuchSetting: If not; the message lists the valid ones.
        """
        if name not in dict(self.usual):
            known = ", ".join(row.name for row in self.rows())
            raise NoSuchSetting(f"{shown(name)} is not a setting: choose from {known}")
        values = dict(self.values(name))
        if value not in values:
            raise NoSuchSetting(f"{shown(value)} is not a value of {name}: choose {', '.join(values)}")


ANY_MACHINE: Final = Machine()


def known_settings(saved: object) -> Pairs:
    """Return the *saved* settings, without those that are damaged or unknown.

    >>> known_settings({"still": "on", "sleep": "soon", "lamp": 5})
    (('still', 'on'),)
    """
    pairs = saved.items() if isinstance(saved, dict) else ()
    values = {row.name: [value for value, _ in row.values] for row in SETTINGS}
    return tuple((name, value) for name, value in pairs if value in values.get(name, ()))
