"""JSON types of what a table is set up with: its kit, rules, settings and phones."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, TypedDict

from cribpi.companion.entry.phones import Role
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.words.json_types import Seat, Side

Key: TypeAlias = str
"""The name of a key, such as `7`, `GO` or `hold:UNDO`, or a card such as `7H`."""

# --- the kit: GET /api/kit ---


class Size(TypedDict):
    """Millimetres, as all positions."""

    width: float
    height: float


class Hole(TypedDict):
    hole: int
    led: int
    x: float
    y: float


class GameHoles(TypedDict):
    sides: Sequence[Side]
    holes: Sequence[Hole]


class Track(TypedDict):
    sides: Sequence[Side]
    holes: list[Hole]
    games: list[GameHoles]


class Hold(TypedDict):
    key: Key
    seconds: float


class Kit(TypedDict):
    """The kit as the page draws it."""

    name: str
    board: Size
    tracks: list[Track]
    keys: Sequence[Sequence[Key]]
    """The keypad by rows; an empty text stands for no key."""
    caps: dict[Key, str]
    """The labels that differ from the key's name."""
    sides: dict[Key, Key]
    """The side key that a rank key is while ranks mean nothing."""
    holds: dict[Key, Hold]
    """The meaning of each long press."""
    leds: int
    colours: Sequence[tuple[int, int, int]]
    """Red, green and blue of each side."""


# --- the rules: GET /api/rules ---


class Preset(TypedDict):
    name: str
    title: str
    text: str
    players: list[int]
    hand: int
    """The number of cards in a hand."""
    source: str
    effective: dict[str, dict[str, str]]
    """The value of every option, by the number of players."""


class Value(TypedDict):
    value: str
    text: str


class OptionValue(Value):
    fits: bool
    """Whether it fits the set-up, perhaps with another option changed."""


class Choosable(Value):
    title: str


class Option(TypedDict):
    name: str
    group: str
    title: str
    text: str
    values: list[OptionValue]
    others: str
    """A description of the other possible values, or an empty string."""
    default: str
    citations: Mapping[str, str]
    """The words of each source."""
    says: dict[str, list[str]]
    """The values that each source stands for."""


class Game(TypedDict):
    rules: str
    players: int
    target: int
    entry: Entry
    names: list[str]
    levels: list[str]
    """The computer's level in each seat; empty for a person."""
    options: Mapping[str, str]
    """The changes to the preset."""
    effective: Mapping[str, str]
    """The value of every option."""


class GameSetup(Game):
    speed: str
    automatic: list[str]
    you: str
    """The person's name in games against the computer; empty if not given."""
    people: list[str]


class Playing(Game):
    people: list[str]
    over: bool


class Rules(TypedDict):
    """The rules to choose from, and those of this game and the next."""

    presets: list[Preset]
    options: list[Option]
    levels: list[Choosable]
    speeds: list[Choosable]
    setup: GameSetup
    playing: Playing | None


class Remedy(Value):
    """A value of an option that would make a set-up fit."""

    option: str
    title: str


# --- settings ---


class SettingChoice(TypedDict):
    value: str
    title: str


class Setting(TypedDict):
    name: str
    group: Literal["automatic", "table", "device"]
    title: str
    text: str
    value: str
    choices: list[SettingChoice]


Power: TypeAlias = Literal["restart", "off"]


class Settings(TypedDict):
    """The settings of the table and its device."""

    settings: list[Setting]
    power: list[Power]
    """The commands to the machine; empty unless it is a Pi."""


# --- phones ---


class PhoneSeat(TypedDict):
    """A person's seat, with the number of the phone that holds it."""

    seat: Seat
    name: str
    phone: int | None


class PhoneRole(TypedDict):
    number: int
    """The phone's number, from 1."""
    kind: str
    role: Role | None
    seat: Seat | None


class Phone(PhoneRole):
    """A phone, and the roles that it can have."""

    entry: Entry
    """The entry mode of the game on the table, or of the next one."""
    seats: list[PhoneSeat]


class ListedPhone(PhoneRole):
    name: str


class Phones(TypedDict):
    """The way to join, and the joined phones."""

    open: bool
    address: str
    """The address where phones join, or an empty string while they can't."""
    code: str
    seconds: float
    """The time for which the code is valid."""
    modules: list[list[int]]
    """The QR code, row by row, 1 for dark; empty without an address."""
    trouble: str | None
    seats: list[PhoneSeat]
    phones: list[ListedPhone]


class Left(TypedDict):
    """An empty object."""
