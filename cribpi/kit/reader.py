"""kit.toml to `Kit`: finds the file, reads it, and checks the whole before anything is wired to it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, cast

from cribpi.entry.keys import KEYS
from cribpi.kit.section import Section
from cribpi.kit.shape import (
    HOLES,
    SIDES,
    Board,
    Driver,
    GamesRow,
    Glass,
    Keypad,
    Kit,
    KitError,
    Place,
    Strip,
    Track,
)

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_KIT_FOLDERS: Final = (_PACKAGE / "kits", _PACKAGE.parent / "hardware" / "kits")
"""Where kits lie in the wheel, and where in a checkout."""

_LOWEST_GPIO: Final = 2  # 0 and 1 belong to the memory chip of a HAT
_HIGHEST_GPIO: Final = 27
_STRIP_PINS: Final[dict[int, dict[int, str]]] = {
    10: {10: "the strip's data line"} | dict.fromkeys((7, 8, 9, 11), "part of the strip's SPI bus"),
    18: {18: "the strip's data line"},
}
"""The GPIOs that a strip keeps for itself: on 10 by SPI, whose whole bus the kernel takes; on 18 by PWM."""


def kit_names() -> tuple[str, ...]:
    """Return the names of the kits that came with the program, in order."""
    return tuple(sorted({path.parent.name for folder in _KIT_FOLDERS for path in folder.glob("*/kit.toml")}))


def load_kit(name_or_path: str) -> Kit:
    """Return the kit of that name, or the one in that file: a text with a slash or ``.toml`` is a path.

    >>> load_kit("table").strip.leds
    242

    Raises:
        KitError: If there is no such kit, the file cannot be read, or anything in it is unfit.
    """
    path = _find(name_or_path)
    shown = _shown(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KitError(f"{shown}: the kit cannot be read ({error.strerror}); check the path") from error
    except UnicodeDecodeError as error:
        raise KitError(f"{shown}: byte {error.start} is not UTF-8; save the file as UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise KitError(f"{shown}: this is not TOML: {error}; correct it there") from error
    return _read_kit(path.parent.name if path.name == "kit.toml" else path.stem, Section(shown, "", table))


def _find(name_or_path: str) -> Path:
    if "/" in name_or_path or name_or_path.endswith(".toml"):
        return Path(name_or_path)
    for folder in _KIT_FOLDERS:
        if name_or_path in kit_names() and (path := folder / name_or_path / "kit.toml").is_file():
            return path
    known = ", ".join(kit_names())
    raise KitError(
        f'no kit is called "{name_or_path}"; choose one of {known}, or give the path of a kit.toml'
    )


def _shown(path: Path) -> str:
    """Name *path* as a person would: from the checkout or the working folder where it lies in one."""
    for folder in (_PACKAGE.parent, Path.cwd()):
        if path.is_relative_to(folder):
            return str(path.relative_to(folder))
    return str(path)


def _read_kit(name: str, file: Section) -> Kit:
    title = file.text("title")
    board = _read_board(file.section("board"))
    pins = _Pins()
    glass = _read_glass(file.section("oled"), pins)
    strip = _read_strip(file.section("strip"), pins)
    keypad = _read_keypad(file.section("keys"), pins)
    tracks = _read_tracks(file, board, strip)
    file.finish()
    return Kit(name, title, board, tracks, keypad, glass, strip)


class _Pins:
    """Which GPIO is already whose."""

    def __init__(self) -> None:
        self._taken: dict[int, str] = {}

    def claim(self, section: Section, key: str, gpio: int, owner: str, *, index: int | None = None) -> None:
        if gpio in self._taken:
            why = f"GPIO {gpio} is {self._taken[gpio]}; choose another pin"
            raise section.refusal(key, why, index=index)
        self._taken[gpio] = owner


def _read_board(section: Section) -> Board:
    board = Board(section.length("width"), section.length("height"))
    section.finish()
    return board


def _read_glass(section: Section, pins: _Pins) -> Glass:
    glass = Glass(
        bus=section.integer("bus", 0, 31),
        address=section.integer("address", 0x08, 0x77),
        data=section.integer("data", _LOWEST_GPIO, _HIGHEST_GPIO),
        clock=section.integer("clock", _LOWEST_GPIO, _HIGHEST_GPIO),
        baudrate=section.integer("baudrate", 10_000, 1_000_000),
    )
    for key, given, gpio in (("data", glass.data, 2), ("clock", glass.clock, 3)):
        if glass.bus == 1 and given != gpio:
            raise section.refusal(key, f"on bus 1 the {key} line is GPIO {gpio}; write {gpio}")
    pins.claim(section, "data", glass.data, "the OLED's data line")
    pins.claim(section, "clock", glass.clock, "the OLED's clock line")
    section.finish()
    return glass


def _read_strip(section: Section, pins: _Pins) -> Strip:
    strip = Strip(
        driver=cast("Driver", section.choice("driver", ("auto", "rpi-ws281x", "spi"))),
        leds=section.integer("leds", 1, 2000),
        gpio=section.integer("gpio", _LOWEST_GPIO, _HIGHEST_GPIO),
        max_ma=section.integer("max_ma", 1, 60_000),
    )
    if strip.gpio not in _STRIP_PINS:
        raise section.refusal(
            "gpio", "the strip's data line is GPIO 10 (SPI) or 18 (PWM); choose one of these"
        )
    if strip.driver == "spi" and strip.gpio != 10:
        raise section.refusal("gpio", "the spi driver sends on GPIO 10; write 10 or choose another driver")
    if strip.max_ma <= strip.leds:
        why = f"{strip.leds} LEDs draw {strip.leds} mA while they are dark; give more, by a stronger supply"
        raise section.refusal("max_ma", why)
    for gpio, owner in _STRIP_PINS[strip.gpio].items():
        pins.claim(section, "gpio", gpio, owner)
    section.finish()
    return strip


def _read_keypad(section: Section, pins: _Pins) -> Keypad:
    lines: dict[str, tuple[int, ...]] = {}
    for key in ("rows", "columns"):
        lines[key] = section.integers(key, _LOWEST_GPIO, _HIGHEST_GPIO)
        for index, gpio in enumerate(lines[key]):
            pins.claim(section, key, gpio, f"already keys.{key}[{index}]", index=index)
    keypad = Keypad(lines["rows"], lines["columns"], section.grid("layout"))
    if len(keypad.keys) != len(keypad.rows):
        why = f"there are {len(keypad.rows)} GPIOs in keys.rows; give as many rows of names"
        raise section.refusal("layout", why)
    seen: set[str] = set()
    for index, row in enumerate(keypad.keys):
        if len(row) != len(keypad.columns):
            why = f"there are {len(keypad.columns)} GPIOs in keys.columns; give as many names"
            raise section.refusal("layout", why, index=index)
        for name in row:
            if name not in KEYS:
                why = f'"{name}" is no key; the keys are {" ".join(KEYS)}'
                raise section.refusal("layout", why, index=index)
            if name in seen:
                raise section.refusal(
                    "layout", f'"{name}" is on the keypad already; give each key once', index=index
                )
            seen.add(name)
    section.finish()
    return keypad


def _read_tracks(file: Section, board: Board, strip: Strip) -> tuple[Track, ...]:
    tracks: list[Track] = []
    on_track: set[int] = set()
    taken = _Taken()
    for section in file.sections("tracks"):
        sides = section.integers("sides", SIDES[0], SIDES[-1])
        for index, side in enumerate(sides):
            if side in on_track:
                raise section.refusal("sides", f"side {side} is on a track already; give it one", index=index)
            on_track.add(side)
        holes = _read_holes(section, board, strip, taken)
        tracks.append(Track(sides, holes, _read_games(section, sides, board, strip, taken)))
        section.finish()
    for side in SIDES:
        if side not in on_track:
            raise file.refusal(
                "tracks", f"side {side} is on no track; add it to the sides of one, to share it"
            )
    return tuple(tracks)


class _Taken:
    """What the tracks read so far have used: LEDs, and places on the board."""

    def __init__(self) -> None:
        self._leds: set[int] = set()
        self._places: set[tuple[float, float]] = set()

    def claim(self, section: Section, place: Place, name: str) -> None:
        """Take the LED and the place of a hole that people call *name*."""
        if place.led in self._leds:
            raise section.refusal("leds", f"LED {place.led} lights another hole already; choose another")
        if (place.x, place.y) in self._places:
            raise section.refusal("from", f"{name} would lie on another hole; move it")
        self._leds.add(place.led)
        self._places.add((place.x, place.y))


def _read_holes(track: Section, board: Board, strip: Strip, taken: _Taken) -> tuple[Place, ...]:
    holes: dict[int, Place] = {}
    for section in track.sections("segments"):
        for place in _read_segment(section, board, strip):
            if place.hole in holes:
                raise section.refusal(
                    "holes", f"hole {place.hole} is on this track already; give each hole once"
                )
            taken.claim(section, place, f"hole {place.hole}")
            holes[place.hole] = place
    for hole in range(1, HOLES + 1):
        if hole not in holes:
            raise track.refusal("segments", f"hole {hole} is in no segment; a track has all of 1 to {HOLES}")
    return tuple(holes[hole] for hole in sorted(holes))


def _read_games(
    track: Section, sides: tuple[int, ...], board: Board, strip: Strip, taken: _Taken
) -> tuple[GamesRow, ...]:
    """Return the rows for the games won: none, one for each side of the track, or one that sides share."""
    rows: list[GamesRow] = []
    for section in track.sections_if_any("games"):
        pegging = section.integers("sides", SIDES[0], SIDES[-1])
        for index, side in enumerate(pegging):
            if side not in sides:
                why = f"side {side} pegs on another track; give it its games there"
                raise section.refusal("sides", why, index=index)
            if side in pegging[:index] or any(side in row.sides for row in rows):
                why = f"side {side} has games already; give it one row"
                raise section.refusal("sides", why, index=index)
        first, last = section.integers("leds", 0, strip.leds - 1, length=2)
        places = _read_run(section, board, 1, first, last)
        for place in places:
            taken.claim(section, place, f"games hole {place.hole}")
        rows.append(GamesRow(pegging, tuple(places)))
    return tuple(rows)


def _read_segment(section: Section, board: Board, strip: Strip) -> list[Place]:
    """Return the places of one straight run of a track's holes."""
    first, last = section.integers("holes", 0, HOLES, length=2)
    if last < first:
        raise section.refusal("holes", "name the lower hole first; leds, from and to may run backward")
    led, last_led = section.integers("leds", 0, strip.leds - 1, length=2)
    steps = last - first
    if abs(last_led - led) != steps:
        raise section.refusal("leds", f"{steps + 1} holes need {steps + 1} LEDs, one for each")
    return _read_run(section, board, first, led, last_led)


def _read_run(section: Section, board: Board, first: int, led: int, last_led: int) -> list[Place]:
    """Return the places of a straight run from hole *first*, evenly spaced, the LEDs counting up or down."""
    steps = abs(last_led - led)
    x, y = section.point("from", board.width, board.height)
    end_x, end_y = section.point("to", board.width, board.height)
    section.finish()
    way = 1 if last_led >= led else -1
    places: list[Place] = []
    for step in range(steps + 1):
        share = step / max(steps, 1)
        at = round(x + (end_x - x) * share, 2), round(y + (end_y - y) * share, 2)
        places.append(Place(first + step, led + way * step, *at))
    return places
