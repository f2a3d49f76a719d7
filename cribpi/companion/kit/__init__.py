"""A kit as the program sees it: pins, keys, lights, power, and the place of every hole on the board.

`reader` makes a kit from a kit.toml, and checks the whole file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from math import dist
from typing import Final, Literal, NamedTuple, TypeAlias, cast, get_args

from cribpi.companion.entry.keys import Pad
from cribpi.companion.files.config_table import ABOVE_0, Section, Unfit, required, setting
from cribpi.companion.kit.codes import KEY_CODES

HOLES: Final = 121
"""The number of the game hole in a game to 121, the longest."""

KEY_PITCH: Final = 19.05
"""Millimetres from one key to the next: 0.75 inch, as on keyboards."""

KEY_OPENING: Final = 14.0
"""Side of the square opening for a key switch of the MX type, in millimetres."""

SIDES: Final = (0, 1, 2)
"""The numbers of the sides.  Every kit has a track for each side."""

Driver: TypeAlias = Literal["auto", "rpi-ws281x", "spi", "wled"]
"""The driver of the strip; ``auto`` chooses one for this machine, ``wled`` is a controller on the network."""

Feed: TypeAlias = Literal["pi", "own"]
"""The supply of the strip's 5 V: the Pi's pin, or a separate supply, which also feeds a WLED controller."""

EntryName: TypeAlias = Literal["cards", "peg"]
"""The entry mode of a game, as in `game.events.Entry`: card by card, or by points."""

PI_PIN_MA: Final = 500
"""Current in mA that the Pi's own 5 V pin can spare for a strip (estimate)."""

PI_MA: Final = 1200
"""Current in mA of a Pi that runs cribpi with nothing plugged in, with some reserve (estimate)."""

CONTROLLER_MA: Final = 300
"""Current in mA of a WLED controller itself: an ESP32 sending Wi-Fi takes at most 240 by its data sheet."""

GLASS_MA: Final = {"SSD1306": 30, "SH1106": 40, "SSD1309": 250}
"""Current in mA of an OLED with every pixel lit, by its chip (estimate); 2.42-inch ones take the most."""


class KitError(Unfit):
    """A kit that cannot be used; the message is the reason."""

    page = "docs/reference/kits.md"


@dataclass(frozen=True, slots=True)
class Board:
    """The board's outer size in millimetres."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class HolePosition:
    """A hole with its LED and its position: *x* to the right, *y* downward, in millimetres.

    The origin is the board's upper left corner. Hole 0 is the start, 121 the game hole; *led* counts along
    the strip from 0.
    """

    hole: int
    led: int
    x: float
    y: float

    @property
    def at(self) -> tuple[float, float]:
        return self.x, self.y


@dataclass(frozen=True, slots=True)
class GamesRow:
    """A row of holes in which *sides* peg the games that they have won. *holes* are in order, from 1."""

    sides: tuple[int, ...]
    holes: tuple[HolePosition, ...]

    def led(self, games: int) -> int | None:
        """Return the LED for *games* won, or None before the first.

        After the last hole the peg starts at the first again.

        Raises:
            ValueError: If *games* is less than 0.
        """
        if games < 0:
            raise ValueError(f"{games} games cannot have been won; give 0 or more")
        return self.holes[(games - 1) % len(self.holes)].led if games else None


@dataclass(frozen=True, slots=True)
class Track:
    """One run of holes, and the sides that peg on it.

    *holes* are in order, each once. The first is hole 1, or 0 if the start has an LED. The last is 121, or 61
    if a game to 121 takes two *laps*. *games* are the rows for games won.
    """

    sides: tuple[int, ...]
    holes: tuple[HolePosition, ...]
    games: tuple[GamesRow, ...] = ()
    laps: int = 1

    @property
    def lap(self) -> int:
        """Number of holes per lap, without the game hole: 120, or 60 on a board with two laps."""
        return (HOLES - 1) // self.laps

    def lap_of(self, score: int, target: int = HOLES) -> int:
        """Return the lap of a peg at *score*, 0 to *target*, in a game to *target*: 1 or 2.

        The game hole belongs to the lap that it ends.

        >>> from cribpi.companion.kit.reader import load_kit
        >>> track = load_kit("travel-61").tracks[0]
        >>> [track.lap_of(score) for score in (0, 60, 61, 121)], track.lap_of(61, target=61)
        ([1, 1, 2, 2], 1)
        """
        last = score - 1 if score == target else score
        return min(max(last - 1, 0) // self.lap + 1, self.laps)

    def place(self, score: int, target: int = HOLES) -> HolePosition | None:
        """Return the hole for a peg at *score* in a game to *target*.

        None for a start without an LED, and for a score past the game hole of a board with two laps.

        Raises:
            ValueError: If *score* is not one of 0 to 121.
        """
        if not 0 <= score <= HOLES:
            raise ValueError(f"hole {score} is not on the board; holes are 0 (the start) to {HOLES}")
        if self.laps > 1 and score > target:
            return None
        index = score - (self.lap_of(score, target) - 1) * self.lap - self.holes[0].hole
        return self.holes[index] if index >= 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keys:
    """Optional attributes of keys of every kind, as pairs of a key's name and a value."""

    holds: tuple[tuple[str, str], ...] = ()
    """The meaning of a long press: another key, or hold:UNDO or hold:MENU."""
    sides: tuple[tuple[str, str], ...] = ()
    """The side key that this key stands for whenever no rank can be entered."""
    caps: tuple[tuple[str, str], ...] = ()
    """The caption on the key, if it differs from the key's name."""


@dataclass(frozen=True, slots=True)
class Keypad(_Keys):
    """A matrix of keys, wired to the GPIOs *rows* and *columns*.

    *keys* has a row of names for each GPIO of *rows*, with one name for each GPIO of *columns*. It is also
    the grid that the page draws; an empty name leaves a gap in it.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    keys: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Buttons(_Keys):
    """Keys that each pull a GPIO to ground. *pins* pairs each name in the grid *keys* with its GPIO."""

    pins: tuple[tuple[str, int], ...]
    keys: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class UsbKeys(_Keys):
    """A keypad on USB: *codes* is a grid like *keys*, with Linux's name of each key, such as ``KEY_KP1``.

    *name* is a part of the device's name, or None for any keypad that has all of the codes.
    """

    codes: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[str, ...], ...]
    name: str | None = None

    @property
    def by_code(self) -> dict[int, str]:
        """The name of each key by its code, in the kernel's numbers."""
        pairs = zip(chain.from_iterable(self.codes), chain.from_iterable(self.keys), strict=True)
        return {KEY_CODES[code]: key for code, key in pairs if key}


KeysSection: TypeAlias = Keypad | Buttons | UsbKeys
"""The keypad of a kit. Every kind has its grid of names in ``keys``."""

PANELS: Final = ("SSD1306", "SSD1309", "SH1106")
"""The chips of panels that cribpi can drive, the default first."""

PICTURES: Final = {"SSD1306": (21.7, 10.9), "SH1106": (29.4, 14.7), "SSD1309": (55.0, 27.5)}
"""The usual size of the picture in millimetres by the panel's chip: 0.96, 1.3 and 2.42 inch."""

WINDOWS: Final = {"SSD1306": (24.0, 13.0), "SH1106": (32.0, 17.0), "SSD1309": (57.0, 30.0)}
"""The size in millimetres of the opening that shows the whole picture, by the panel's chip."""

ROTATIONS: Final = (0, 180)
"""The possible rotations of a picture, in degrees."""

LOWEST_GPIO: Final = 2  # GPIO 0 and 1 are reserved for the memory chip of a HAT
HIGHEST_GPIO: Final = 27


def read_rotate(section: Section, key: str) -> int:
    """Return the rotation of the picture in degrees.

    Raises:
        Unfit: If the value is neither 0 nor 180.
    """
    rotate = section.integer(key, min(ROTATIONS), max(ROTATIONS))
    if rotate not in ROTATIONS:
        raise section.refusal(key, "a panel can be the right way up, 0, or upside down, 180")
    return rotate


def read_offset(section: Section, key: str) -> int:
    """Return the first column of the panel's memory that is visible."""
    return section.integer(key, 0, 4, hint="most panels have 0, 1.3-inch ones 2")


def read_gpio(section: Section, key: str) -> int:
    """Return a GPIO of the Pi's header."""
    return section.integer(key, LOWEST_GPIO, HIGHEST_GPIO)


@dataclass(frozen=True, slots=True)
class Glass:
    """The OLED: its I2C bus and address, the GPIOs of its two lines, and the bus's speed in baud.

    A *bonnet* plugs on the Pi's header, together with its buttons, and needs no wires. *panel* is the chip on
    it, one of `PANELS`, and *rotate* the rotation of its picture, one of `ROTATIONS`, in degrees. *offset* is
    the first column of its memory that is visible, None for the chip's default. *reset* is the GPIO of its
    RES line, None if that is not wired.
    """

    bus: int = required(lambda oled, key: oled.integer(key, 0, 31))
    address: int = required(lambda oled, key: oled.integer(key, 0x08, 0x77))
    data: int = required(read_gpio)
    clock: int = required(read_gpio)
    baudrate: int = required(lambda oled, key: oled.integer(key, 10_000, 1_000_000))
    bonnet: bool = setting(Section.boolean, default=False)
    panel: str = setting(lambda oled, key: oled.choice(key, PANELS), default=PANELS[0])
    rotate: int = setting(read_rotate, default=0)
    offset: int | None = setting(read_offset, default=None)
    reset: int | None = setting(read_gpio, default=None)


def read_host(section: Section, key: str) -> str:
    """Return a host name, or an IPv4 address."""
    host = section.text(key)
    if re.fullmatch(r"(?=.{1,253}$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", host) is None:
        reason = "give the controller's name or address alone, such as wled-cribbage.local or 192.168.1.60"
        raise section.refusal(key, reason)
    return host


@dataclass(frozen=True, slots=True)
class Strip:
    """The LED strip: its driver, its LEDs, its maximum current in mA, and its data line.

    A Pi drives the data line with the pin *gpio*. With the driver ``wled``, a controller on the network
    drives it; *host* is its name or address.
    """

    driver: Driver = required(lambda strip, key: cast("Driver", strip.choice(key, get_args(Driver))))
    leds: int = required(lambda strip, key: strip.integer(key, 1, 2000))
    max_ma: int = required(lambda strip, key: strip.integer(key, 1, 60_000))
    gpio: int | None = setting(read_gpio, default=None)
    host: str | None = setting(read_host, default=None)


@dataclass(frozen=True, slots=True)
class Power:
    """The supply of the strip's 5 V, and its maximum current in mA.

    With ``pi`` the supply is the Pi's, and feeds Pi, OLED and strip; with ``own`` it is the strip's alone.
    """

    strip: Feed
    supply_ma: int


@dataclass(frozen=True, slots=True)
class Kit:
    """A whole kit; `load_kit` reads it from a kit.toml and checks it."""

    name: str
    title: str
    board: Board
    tracks: tuple[Track, ...]
    keypad: KeysSection
    glass: Glass
    strip: Strip
    power: Power
    entry: EntryName = "cards"
    """The default entry mode of a new game."""
    loudspeaker: str | None = None
    """ALSA's name of the kit's loudspeaker; None for a kit without one."""
    panel: LedMatrix | None = None
    """The ready-made matrix of LEDs; None if a strip is cut and laid instead."""
    plate: Plate | None = None
    """The front with openings for the screen and the keys; None if the kit has only the board."""

    @property
    def laps(self) -> int:
        """Laps of a game to 121: 1, or 2 on tracks of 61 holes."""
        return self.tracks[0].laps

    @property
    def front(self) -> tuple[float, float]:
        """Width and height in millimetres of the plate, or of the board if there is no plate."""
        outer = self.plate or self.board
        return outer.width, outer.height

    @property
    def pad(self) -> Pad:
        """The keys without their wiring."""
        keys = self.keypad
        return Pad(tuple(filter(None, chain.from_iterable(keys.keys))), keys.holds, keys.sides, keys.caps)

    def track_of(self, side: int) -> Track:
        """Return the track of *side*.

        Raises:
            ValueError: If *side* is not one of 0, 1 and 2.
        """
        for track in self.tracks:
            if side in track.sides:
                return track
        raise ValueError(f"side {side} is not on a track of kit {self.name}; sides are 0, 1 and 2")

    def led(self, side: int, score: int, target: int = HOLES) -> int | None:
        """Return the LED for the *score* of *side*, 0 to 121, in a game to *target*.

        None for a start without an LED, and for a score past the game hole of a board with two laps.

        Raises:
            ValueError: If there is no such side or hole.
        """
        place = self.track_of(side).place(score, target)
        return None if place is None else place.led

    def games_led(self, side: int, games: int) -> int | None:
        """Return the LED of *side*'s peg for *games* won; None before the first, or without a games row.

        Raises:
            ValueError: If there is no such side, or *games* is less than 0.
        """
        rows = (row for row in self.track_of(side).games if side in row.sides)
        return next((row.led(games) for row in rows), None)


Cell: TypeAlias = tuple[int, int]
"""A panel's column and row, from 0 at the upper left."""

Corner: TypeAlias = Literal["upper left", "upper right", "lower left", "lower right"]
Zigzag: TypeAlias = Literal["columns", "rows"]

_PITCH: Final = "give the millimetres between two LEDs, up to 100"


@dataclass(frozen=True, slots=True)
class LedMatrix:
    """A matrix of *columns* by *rows* LEDs, *pitch* millimetres apart, seen from the front.

    Its upper left LED lies at *x*, *y* on the board. LED 0 is in the corner *first*; from there the LEDs run
    in a zigzag along the columns or along the rows.
    """

    columns: int = required(lambda panel, key: panel.integer(key, 1, 256))
    rows: int = required(lambda panel, key: panel.integer(key, 1, 256))
    pitch: float = required(lambda panel, key: panel.number(key, ABOVE_0, 100, _PITCH))
    x: float = field(kw_only=True)
    y: float = field(kw_only=True)
    first: Corner = required(lambda panel, key: cast("Corner", panel.choice(key, get_args(Corner))))
    zigzag: Zigzag = required(lambda panel, key: cast("Zigzag", panel.choice(key, get_args(Zigzag))))

    @property
    def leds(self) -> int:
        return self.columns * self.rows

    def led(self, cell: Cell) -> int:
        """Return the LED in *cell*, counted from 0 along the panel's own wire.

        >>> panel = LedMatrix(32, 8, 10, "upper left", "columns", x=25, y=25)
        >>> [panel.led(cell) for cell in ((0, 0), (0, 7), (1, 7), (1, 0), (2, 0))]
        [0, 7, 8, 15, 16]
        """
        column, row = cell
        across = column if self.first.endswith("left") else self.columns - 1 - column
        down = row if self.first.startswith("upper") else self.rows - 1 - row
        if self.zigzag == "columns":
            line, step = across, down
            length = self.rows
        else:
            line, step = down, across
            length = self.columns
        return line * length + (length - 1 - step if line % 2 else step)

    def at(self, cell: Cell) -> tuple[float, float]:
        """Return the position of *cell* on the board, in millimetres."""
        return round(self.x + cell[0] * self.pitch, 2), round(self.y + cell[1] * self.pitch, 2)


RIM: Final = 2.0
"""Minimum width of the wood between two openings, and from an opening to the edge, in millimetres."""


class Opening(NamedTuple):
    """A rectangular opening in the plate, with its edges in millimetres; *name* is a key's, or "screen"."""

    name: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return round((self.left + self.right) / 2, 3), round((self.top + self.bottom) / 2, 3)

    def is_near(self, other: Opening) -> bool:
        """Return whether the wood between the two openings is narrower than the rim."""
        return (
            self.left - RIM < other.right
            and other.left - RIM < self.right
            and self.top - RIM < other.bottom
            and other.top - RIM < self.bottom
        )

    def distance_to(self, point: tuple[float, float]) -> float:
        """Return the distance of *point* from the opening in millimetres; 0 inside."""
        x, y = point
        nearest = min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)
        return dist(point, nearest)


@dataclass(frozen=True, slots=True)
class Plate:
    """The front, *width* by *height* millimetres from the board's upper left corner, and its openings."""

    width: float
    height: float
    openings: tuple[Opening, ...]

    @property
    def screen(self) -> Opening:
        """The screen's window: the first of `openings`; those of the keys follow."""
        return self.openings[0]
