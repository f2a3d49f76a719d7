"""Settings of the table and its device: the rows of `settings.toml`, and the chosen values.

A value is one of the texts in its row. Only values that differ from this machine's defaults are saved, so
that `config.toml` still determines all others.
"""

from __future__ import annotations

import pkgutil
import tomllib
from dataclasses import dataclass
from typing import Final, Literal

from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.shown import shown

Pairs = tuple[tuple[str, str], ...]
"""Pairs of a value and its title, or of a name and its value."""

_ON_OFF: Final = {"on": "On", "off": "Off"}
_LEAST_MA: Final = 50
"""Minimum current of the LEDs in milliamperes, besides the current of dark LEDs.

With less, pegs would go dark.
"""
ANY_CURRENT: Final = (0, 1 << 30)
OF_KIT: Final = "0"
"""Value of `max_ma` that means the kit's own limit."""


class NoSuchSetting(RuleError):
    """The setting does not exist on this machine, or does not have that value."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of `settings.toml`. The comment at the top of that file explains the keys."""

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
        """Return the title of *value*. A number that is not in the row gets the unit."""
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
    """Settings of this machine and their defaults, from `config.toml` and its hardware."""

    usual: Pairs = USUAL
    """Default of each setting available on this machine. Settings that do not apply to it are missing."""
    is_pi: bool = False
    """Whether this is a Raspberry Pi. Only a Pi can be shut down."""
    engines: tuple[str, ...] = ()
    """Levels of third-party engines, such as `engine-fred`."""
    currents: tuple[int, int] = ANY_CURRENT
    """Current of the dark LEDs, and the kit's limit, in milliamperes."""

    def value(self, name: str, chosen: Pairs) -> str:
        """Return the *chosen* value of *name*. If it is missing or no longer possible, return the default."""
        value = dict(chosen).get(name)
        if value is not None and value in dict(self.values(name)):
            return value
        return dict(self.usual)[name]

    def rows(self) -> tuple[Setting, ...]:
        return tuple(BY_NAME[name] for name, _ in self.usual)

    def values(self, name: str) -> Pairs:
        """Return the values that the setting *name* can have.

        This machine's default is always among them, even if it is not one of the usual choices.
        """
        row, usual = BY_NAME[name], dict(self.usual)[name]
        values = row.values
        if name == "max_ma":
            least, most = self.currents[0] + _LEAST_MA, self.currents[1]
            values = tuple(pair for pair in values if pair[0] == OF_KIT or least <= int(pair[0]) < most)
        if usual in dict(values):
            return values
        return tuple(sorted((*values, (usual, row.titled(usual))), key=lambda pair: int(pair[0])))

    def with_value(self, chosen: Pairs, name: str, value: str) -> Pairs:
        """Return the *chosen* settings with *name* set to *value*. A default value is removed."""
        changed = dict(chosen) | {name: value}
        if value == dict(self.usual)[name]:
            del changed[name]
        return tuple(changed.items())

    def check(self, name: str, value: str) -> None:
        """Check that *name* is a setting of this machine and can have *value*.

        Raises:
            NoSuchSetting: If not. The message lists valid names or values.
        """
        if name not in dict(self.usual):
            known = ", ".join(row.name for row in self.rows())
            raise NoSuchSetting(f"{shown(name)} is not a setting: choose from {known}")
        values = dict(self.values(name))
        if value not in values:
            raise NoSuchSetting(f"{shown(value)} is not a value of {name}: choose {', '.join(values)}")


ANY_MACHINE: Final = Machine()


def known_settings(saved: object) -> Pairs:
    """Return the *saved* settings, without damaged and unknown ones.

    >>> known_settings({"still": "on", "sleep": "soon", "lamp": 5})
    (('still', 'on'),)
    """
    pairs = saved.items() if isinstance(saved, dict) else ()
    values = {row.name: [value for value, _ in row.values] for row in SETTINGS}
    return tuple((name, value) for name, value in pairs if value in values.get(name, ()))
