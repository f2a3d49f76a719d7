"""The kit as the program sees it: pins, keys, lights, and where every hole lies on the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

HOLES: Final = 121
"""Holes of a track; the last is the game hole of a game to 121."""

SIDES: Final = (0, 1, 2)
"""The sides that every kit has a track for."""

Driver: TypeAlias = Literal["auto", "rpi-ws281x", "spi"]
"""What drives the strip; ``auto`` leaves the choice to the machine that it is found on."""


class KitError(ValueError):
    """A kit file cannot be used; the text names the file, the key, the value and the remedy."""


@dataclass(frozen=True, slots=True)
class Board:
    """The board's outer size in millimetres."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Place:
    """A hole, the LED under it, and where it lies: *x* to the right, *y* downward, in millimetres.

    Both are measured from the board's upper left corner.  Hole 0 is the start, 121 the game hole;
    *led* counts along the strip from 0.
    """

    hole: int
    led: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class GamesRow:
    """A row of holes in which *sides* peg the games that they have won: *holes* from 1, in order."""

    sides: tuple[int, ...]
    holes: tuple[Place, ...]

    def led(self, games: int) -> int | None:
        """Return the LED of the peg of a side that has won *games*, or None where it has won none.

        After the last hole it begins again at the first, as a peg goes round.

        Raises:
            ValueError: If *games* is less than 0.
        """
        if games < 0:
            raise ValueError(f"{games} games cannot have been won; give 0 or more")
        return self.holes[(games - 1) % len(self.holes)].led if games else None


@dataclass(frozen=True, slots=True)
class Track:
    """One run of holes, and the sides that peg on it.

    *holes* are in order, each once: from 1 to 121, or from 0 where the start has an LED.  *games*
    are the rows for the games won, of those of its sides that have one.
    """

    sides: tuple[int, ...]
    holes: tuple[Place, ...]
    games: tuple[GamesRow, ...] = ()

    def led(self, hole: int) -> int | None:
        """Return the LED of *hole*, or None for a start that has none.

        Raises:
            ValueError: If *hole* is not one of 0 to 121.
        """
        if not 0 <= hole <= HOLES:
            raise ValueError(f"hole {hole} is not on the board; holes are 0 (the start) to {HOLES}")
        index = hole - self.holes[0].hole
        return self.holes[index].led if index >= 0 else None


@dataclass(frozen=True, slots=True)
class Keypad:
    """A matrix of keys: *keys* has a row of names for each GPIO of *rows*, a name for each of *columns*."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    keys: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Glass:
    """The OLED: its I2C bus and address, the GPIOs of its two lines, and the bus's speed in baud."""

    bus: int
    address: int
    data: int
    clock: int
    baudrate: int


@dataclass(frozen=True, slots=True)
class Strip:
    """The LED strip: its driver, length, GPIO, and the most current that it may draw, in mA."""

    driver: Driver
    leds: int
    gpio: int
    max_ma: int


@dataclass(frozen=True, slots=True)
class Kit:
    """One build of the companion, checked as a whole; `load_kit` makes it from a kit.toml."""

    name: str
    title: str
    board: Board
    tracks: tuple[Track, ...]
    keypad: Keypad
    glass: Glass
    strip: Strip

    def track_of(self, side: int) -> Track:
        """Return the track that *side* pegs on.

        Raises:
            ValueError: If *side* is not one of 0, 1 and 2.
        """
        for track in self.tracks:
            if side in track.sides:
                return track
        raise ValueError(f"side {side} is on no track of kit {self.name}; sides are 0, 1 and 2")

    def led(self, side: int, hole: int) -> int | None:
        """Return the LED of *side*'s *hole* (0 to 121), or None for a start that has none.

        Raises:
            ValueError: If there is no such side or hole.
        """
        return self.track_of(side).led(hole)

    def games_led(self, side: int, games: int) -> int | None:
        """Return the LED of *side*'s peg for *games* won, or None for none won and where there is no row.

        Raises:
            ValueError: If there is no such side, or *games* is less than 0.
        """
        rows = (row for row in self.track_of(side).games if side in row.sides)
        return next((row.led(games) for row in rows), None)
