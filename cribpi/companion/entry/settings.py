"""Settings of the table and its device: the rows of `settings.toml`, and the values that people chose.

A value is text, one of its row's.  Only what differs from what is usual on this machine is kept, so that
`config.toml` still says the rest.  `SavedInput` also knows those of a new game.
"""

from __future__ import annotations

import pkgutil
import tomllib
from dataclasses import dataclass
from typing import Final

from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.shown import shown

Pairs = tuple[tuple[str, str], ...]
"""Values with their titles, or names with their values."""

_ON_OFF: Final = {"on": "On", "off": "Off"}
_LEAST_MA: Final = 50
"""What the lights need over what they draw in the dark: with less, pegs would go out."""
ANY_CURRENT: Final = (0, 1 << 30)
OF_KIT: Final = "0"
"""The value of `max_ma` that stands for what the kit allows."""


class NoSuchSetting(RuleError):
    """There is no such setting on this machine, or it can't have that value."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of `settings.toml`, whose head explains its keys."""

    name: str
    group: str
    title: str
    brief: str
    text: str
    values: Pairs
    usual: str
    file: str = ""
    unit: str = "%"

    def titled(self, value: str) -> str:
        """Return what *value* is called; a number with a unit may be any."""
        return dict(self.values).get(value, f"{value} {self.unit}")


SETTINGS: Final = tuple(
    Setting(name, **{**row, "values": tuple(row.get("values", _ON_OFF).items())})
    for name, row in tomllib.loads((pkgutil.get_data(__package__, "settings.toml") or b"").decode()).items()
)
"""All there are, in the order in which they are listed."""

BY_NAME: Final = {row.name: row for row in SETTINGS}
USUAL: Final[Pairs] = tuple((row.name, row.usual) for row in SETTINGS)


@dataclass(frozen=True, slots=True)
class Machine:
    """This machine, by `config.toml` and its hardware: what can be set here, and what is usual."""

    usual: Pairs = USUAL
    """The values that nobody has changed; a row that is not here makes no sense on this machine."""
    is_pi: bool = False
    """Whether there is a machine to switch off."""
    engines: tuple[str, ...] = ()
    """The programs of others that can have a seat, by their levels, `engine-fred`."""
    currents: tuple[int, int] = ANY_CURRENT
    """What the lights draw when they are all dark, and what the kit allows them, in milliamperes."""

    def value(self, name: str, chosen: Pairs) -> str:
        """Return the value of *name*; one that was *chosen* does not count if it is not possible any more."""
        value = dict(chosen).get(name)
        if value is not None and value in dict(self.values(name)):
            return value
        return dict(self.usual)[name]

    def rows(self) -> tuple[Setting, ...]:
        """Return the rows that make sense on this machine."""
        return tuple(BY_NAME[name] for name, _ in self.usual)

    def values(self, name: str) -> Pairs:
        """Return the values that *name* can have: its row's, and the usual one if that lies between them."""
        row, usual = BY_NAME[name], dict(self.usual)[name]
        values = row.values
        if name == "max_ma":
            least, most = self.currents[0] + _LEAST_MA, self.currents[1]
            values = tuple(pair for pair in values if pair[0] == OF_KIT or least <= int(pair[0]) < most)
        if usual in dict(values):
            return values
        return tuple(sorted((*values, (usual, row.titled(usual))), key=lambda pair: int(pair[0])))

    def with_value(self, chosen: Pairs, name: str, value: str) -> Pairs:
        """Return what is *chosen*, with *name* set to *value*; its usual value removes it."""
        changed = dict(chosen) | {name: value}
        if value == dict(self.usual)[name]:
            del changed[name]
        return tuple(changed.items())

    def check(self, name: str, value: str) -> None:
        """Check that *name* is a setting of this machine, and can have *value*.

        Raises:
            NoSuchSetting: If not; the text says what there is.
        """
        if name not in dict(self.usual):
            known = ", ".join(row.name for row in self.rows())
            raise NoSuchSetting(f"{shown(name)} is not a setting: choose from {known}")
        values = dict(self.values(name))
        if value not in values:
            raise NoSuchSetting(f"{shown(value)} is not a value of {name}: choose {', '.join(values)}")


ANY_MACHINE: Final = Machine()


def known_settings(kept: object) -> Pairs:
    """Return the settings that were *kept*, without those that are damaged or not known here.

    >>> known_settings({"still": "on", "sleep": "soon", "lamp": 5})
    (('still', 'on'),)
    """
    pairs = kept.items() if isinstance(kept, dict) else ()
    values = {row.name: [value for value, _ in row.values] for row in SETTINGS}
    return tuple((name, value) for name, value in pairs if value in values.get(name, ()))
