"""Settings of the table and of its device: a row each, and the values that people have chosen.

A value is text, one of its row's.  Only what differs from what is usual on this machine is kept, so that
`config.toml` still says the rest.  `Desk.value` and `Desk.with_value` also know those of a new game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.shown import shown

Pairs = tuple[tuple[str, str], ...]
"""Values with their titles, or names with their values."""

ON_OFF: Final = (("on", "On"), ("off", "Off"))
_PERCENT: Final = tuple((str(share), f"{share} %") for share in range(0, 101, 10))
_MA: Final = (*range(50, 501, 50), 750, 1000, 1500, 2000, 3000, 4000)
_LEAST_MA: Final = 50
"""What the lights need over what they draw in the dark: with less, pegs would go out."""
ANY_CURRENT: Final = (0, _MA[-1] + 1)
OF_KIT: Final = "0"
"""The value of `max_ma` that stands for what the kit allows."""


class NoSuchSetting(RuleError):
    """There is no such setting on this machine, or it can't have that value."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A row: its name, where it belongs, and what to say of it."""

    name: str
    group: str
    """`automatic`, `table` or `device`."""
    title: str
    text: str
    """What it does, in a sentence."""
    brief: str
    """Its name on the screen."""
    values: Pairs
    usual: str
    unit: str = "%"
    """What stands behind a value that is not among its own."""

    def titled(self, value: str) -> str:
        """Return what *value* is called; a number with a unit may be any."""
        return dict(self.values).get(value, f"{value} {self.unit}")


SETTINGS: Final = (
    Setting(
        "auto_cut",
        "automatic",
        "Cut for the deal",
        "Cards are cut for everyone.",
        "Auto cut",
        ON_OFF,
        "on",
    ),
    Setting(
        "auto_deal",
        "automatic",
        "Deal",
        "The computer shuffles and deals without being asked.",
        "Auto deal",
        ON_OFF,
        "on",
    ),
    Setting(
        "auto_starter",
        "automatic",
        "Turn up the starter",
        "The starter is turned up as soon as the crib is full.",
        "Auto starter",
        ON_OFF,
        "on",
    ),
    Setting(
        "auto_go",
        "automatic",
        "Say go",
        "If you play alone against the computer and no card fits, cribpi says go for you.",
        "Auto go",
        ON_OFF,
        "off",
    ),
    Setting(
        "auto_peg",
        "automatic",
        "Peg the show",
        "Each hand and crib is pegged after enough time to read it.",
        "Auto peg",
        ON_OFF,
        "off",
    ),
    Setting(
        "speed",
        "table",
        "The computer's speed",
        "How long the computer waits before each move, so you can follow.",
        "Speed",
        (("slow", "Slow"), ("normal", "Normal"), ("fast", "Fast")),
        "normal",
    ),
    Setting(
        "brightness",
        "device",
        "Lights",
        "How bright the board's lights are. 0 % is dark.",
        "Lights",
        _PERCENT,
        "100",
    ),
    Setting(
        "max_ma",
        "device",
        "Largest current",
        "The most that the board's lights may draw. Set it lower, and they dim when many are lit.",
        "LED limit",
        ((OF_KIT, "kit's own"), *((str(ma), f"{ma} mA") for ma in _MA)),
        OF_KIT,
        "mA",
    ),
    Setting(
        "contrast",
        "device",
        "Screen",
        "How bright the screen is.",
        "Screen",
        _PERCENT[1:],
        "100",
    ),
    Setting(
        "rotate",
        "device",
        "Turn the screen",
        "If your screen is mounted upside down.",
        "Turn screen",
        (("0", "No"), ("180", "Yes")),
        "0",
    ),
    Setting(
        "still",
        "device",
        "Keep still",
        "Pegs jump to their holes instead of walking, and nothing pulses.",
        "Keep still",
        ON_OFF,
        "off",
    ),
    Setting(
        "ghost",
        "device",
        "Ghost pegs",
        "With two players, a dim white light shows at each deal where good players would be on average.",
        "Ghost pegs",
        ON_OFF,
        "off",
    ),
    Setting(
        "sleep",
        "device",
        "Go dark after",
        "If no key is pressed, lights and screen dim after a minute, then go dark. Any key wakes them.",
        "Dark after",
        (
            ("2", "2 minutes"),
            ("10", "10 minutes"),
            ("30", "30 minutes"),
            ("60", "1 hour"),
            ("never", "Never"),
        ),
        "10",
    ),
    Setting(
        "voice",
        "device",
        "The table's voice",
        "Says each count aloud, through its loudspeaker.",
        "Voice",
        ON_OFF,
        "off",
    ),
)
"""All there are, in the order in which they are listed."""

BY_NAME: Final = {row.name: row for row in SETTINGS}
USUAL: Final[Pairs] = tuple((row.name, row.usual) for row in SETTINGS)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values on this machine."""

    changed: Pairs = ()
    """What people have chosen, where it is not the usual; this alone is kept."""
    usual: Pairs = USUAL
    """What they are without that, by `config.toml`; a row that is not here makes no sense on this machine."""
    is_pi: bool = False
    """Whether there is a machine to switch off."""
    currents: tuple[int, int] = ANY_CURRENT
    """What the lights draw when they are all dark, and what the kit allows them, in milliamperes."""

    def value(self, name: str) -> str:
        """Return the value of *name*; what was chosen does not count where it is not possible any more."""
        chosen = dict(self.changed).get(name)
        return chosen if chosen in dict(self.values(name)) else dict(self.usual)[name]

    def rows(self) -> tuple[Setting, ...]:
        """Return the rows that make sense on this machine."""
        here = dict(self.usual)
        return tuple(row for row in SETTINGS if row.name in here)

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

    def with_value(self, name: str, value: str) -> Settings:
        """Return the settings with *name* set to *value*; its usual value removes the change."""
        changed = dict(self.changed) | {name: value}
        if value == dict(self.usual)[name]:
            del changed[name]
        return replace(self, changed=tuple(changed.items()))

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


USUAL_SETTINGS: Final = Settings()


def kept_settings(kept: object) -> Settings:
    """Return the settings from what was *kept*; a value that is damaged, or not known here, is the usual one.

    >>> kept_settings({"still": "on", "sleep": "soon", "lamp": 5}).changed
    (('still', 'on'),)
    """
    found = kept if isinstance(kept, dict) else {}
    settings = USUAL_SETTINGS
    for name, value in found.items():
        if name in BY_NAME and value in [known for known, _ in BY_NAME[name].values]:
            settings = replace(settings, changed=(*settings.changed, (name, value)))
    return settings


def usual_values(**given: str) -> Pairs:
    """Return the usual values with those that are *given* in their place.

    >>> dict(usual_values(still="on"))["still"]
    'on'
    """
    return tuple((dict(USUAL) | given).items())
