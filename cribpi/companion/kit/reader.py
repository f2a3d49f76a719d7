"""kit.toml to `Kit`: finds the file, reads it, and checks all of it before anything is wired."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from cribpi.companion.files.disk import Unreadable, toml_of
from cribpi.companion.files.section import Section
from cribpi.companion.kit.keys_section import read_keys
from cribpi.companion.kit.panel import Panel, read_panel
from cribpi.companion.kit.pins import HIGHEST_GPIO, LOWEST_GPIO, STRIP_PINS, Pins
from cribpi.companion.kit.plate import Plate, read_plate
from cribpi.companion.kit.shape import (
    GLASS_MA,
    PANELS,
    PI_MA,
    PI_PIN_MA,
    ROTATIONS,
    Board,
    Driver,
    EntryName,
    Feed,
    Glass,
    Keys,
    Kit,
    KitError,
    Power,
    Strip,
    Track,
    UsbKeys,
)
from cribpi.companion.kit.tracks import read_tracks
from cribpi.cribbage.rules.shown import shown

_PACKAGE: Final = Path(__file__).resolve().parents[2]
_KIT_FOLDERS: Final = (_PACKAGE / "kits", _PACKAGE.parent / "hardware" / "kits")
"""The kits' folder in the wheel, and in a checkout."""

_PI_SUPPLY_MA: Final = 2500
"""A Pi's supply where the kit does not say, in mA: what Raspberry Pi recommends for a Pi 3."""


def kit_names() -> tuple[str, ...]:
    """Return the names of the kits that came with the program, in order."""
    return tuple(sorted({path.parent.name for folder in _KIT_FOLDERS for path in folder.glob("*/kit.toml")}))


def load_kit(name_or_path: str) -> Kit:
    """Return the kit of that name, or the one in that file: a slash or ``.toml`` makes it a path.

    >>> load_kit("table").strip.leds
    242

    Raises:
        KitError: If there is no such kit, the file cannot be read, or anything in it is unfit.
    """
    path = _find(name_or_path)
    # It is called by its path in the checkout or the working folder, if it is in one.
    near = (
        path.relative_to(folder) for folder in (_PACKAGE.parent, Path.cwd()) if path.is_relative_to(folder)
    )
    file = str(next(near, path))
    try:
        table = toml_of(path)
    except Unreadable as bad:
        raise KitError(f"{file}: {bad}") from bad
    name = path.resolve().parent.name if path.name == "kit.toml" else path.stem
    return _read_kit(name, Section(file, "", table, KitError))


def _find(name_or_path: str) -> Path:
    if "/" in name_or_path or name_or_path.endswith(".toml"):
        return Path(name_or_path)
    names = kit_names()
    if name_or_path not in names:
        called = shown(name_or_path, str)
        how = f"choose one of {', '.join(names)}, or give the path of a kit.toml"
        raise KitError(f'no kit is called "{called}"; {how}')
    return next(path for folder in _KIT_FOLDERS if (path := folder / name_or_path / "kit.toml").is_file())


def _read_kit(name: str, file: Section) -> Kit:
    title = file.text("title")
    entry = cast("EntryName", file.choice("entry", ("cards", "peg")) if file.has("entry") else "cards")
    board, laps = _read_board(file.section("board"))
    pins = Pins()
    glass = _read_glass(file.section("oled"), pins)
    strip = _read_strip(file.section("strip"), pins)
    power = _read_power(file.section_if_any("power"), strip)
    keypad = read_keys(file.section("keys"), pins)
    panel = _read_panel(file, board, strip) if file.has("panel") else None
    tracks = read_tracks(file, board, panel or strip, laps)
    plate = _read_plate(file, board, tracks, keypad, glass) if file.has("plate") else None
    loudspeaker = _read_sound(file.section("sound")) if file.has("sound") else None
    file.finish()
    return Kit(name, title, board, tracks, keypad, glass, strip, power, entry, loudspeaker, panel, plate)


def _read_board(section: Section) -> tuple[Board, int]:
    """Return the board, and how many times round it a game to 121 goes."""
    board = Board(section.length("width"), section.length("height"))
    laps = section.integer("laps", 1, 2) if section.has("laps") else 1
    section.finish()
    return board, laps


def _read_glass(section: Section, pins: Pins) -> Glass:
    glass = Glass(
        bus=section.integer("bus", 0, 31),
        address=section.integer("address", 0x08, 0x77),
        data=section.integer("data", LOWEST_GPIO, HIGHEST_GPIO),
        clock=section.integer("clock", LOWEST_GPIO, HIGHEST_GPIO),
        baudrate=section.integer("baudrate", 10_000, 1_000_000),
        bonnet=section.has("bonnet") and section.boolean("bonnet"),
        panel=section.choice("panel", PANELS) if section.has("panel") else PANELS[0],
        rotate=read_rotate(section, "rotate") if section.has("rotate") else 0,
    )
    if glass.bonnet and glass.bus != 1:
        raise section.refusal("bus", "a bonnet sits on the header, whose bus is 1; write 1")
    for key, given, gpio in (("data", glass.data, 2), ("clock", glass.clock, 3)):
        if glass.bus == 1 and given != gpio:
            raise section.refusal(key, f"on bus 1 the {key} line is GPIO {gpio}; write {gpio}")
        pins.claim(section, key, given, f"the OLED's {key} line")
    section.finish()
    return glass


def read_rotate(section: Section, key: str) -> int:
    """Return how a picture is to be turned, in degrees.

    Raises:
        Unfit: If *key* of *section* says what no panel can.
    """
    rotate = section.integer(key, min(ROTATIONS), max(ROTATIONS))
    if rotate not in ROTATIONS:
        raise section.refusal(key, "a panel can be the right way up, 0, or upside down, 180")
    return rotate


def _read_strip(section: Section, pins: Pins) -> Strip:
    strip = Strip(
        driver=cast("Driver", section.choice("driver", ("auto", "rpi-ws281x", "spi"))),
        leds=section.integer("leds", 1, 2000),
        gpio=section.integer("gpio", LOWEST_GPIO, HIGHEST_GPIO),
        max_ma=section.integer("max_ma", 1, 60_000),
    )
    if strip.gpio not in STRIP_PINS:
        why = "the strip's data line is GPIO 10 (SPI) or 18 (PWM); choose one of these"
        raise section.refusal("gpio", why)
    if strip.driver == "spi" and strip.gpio != 10:
        raise section.refusal("gpio", "the spi driver sends on GPIO 10; write 10 or choose another driver")
    if strip.max_ma <= strip.leds:
        why = f"{strip.leds} LEDs draw {strip.leds} mA while they are dark; give more, with a stronger supply"
        raise section.refusal("max_ma", why)
    for gpio, owner in STRIP_PINS[strip.gpio].items():
        pins.claim(section, "gpio", gpio, owner)
    section.finish()
    return strip


def _read_panel(file: Section, board: Board, strip: Strip) -> Panel:
    return read_panel(file.section("panel"), board.width, board.height, strip.leds)


def _read_plate(file: Section, board: Board, tracks: tuple[Track, ...], keypad: Keys, glass: Glass) -> Plate:
    # A keypad on USB has a case of its own, and the keys of a bonnet are in its window.
    has_keys = not (isinstance(keypad, UsbKeys) or glass.bonnet)
    rows = (holes for track in tracks for holes in (track.holes, *(row.holes for row in track.games)))
    holes = (place.at for row in rows for place in row)
    grid = keypad.keys if has_keys else ()
    return read_plate(file.section("plate"), (board.width, board.height), grid, holes)


def _read_sound(section: Section) -> str:
    """Return ALSA's name of the loudspeaker."""
    output = section.text("output")
    section.finish()
    return output


def _read_power(section: Section, strip: Strip) -> Power:
    """Return whose 5 V the strip takes, and check that they suffice; by default they do."""
    feed: Feed = "pi" if strip.max_ma <= PI_PIN_MA else "own"
    if section.has("strip"):
        feed = cast("Feed", section.choice("strip", ("pi", "own")))
    drawn, who = strip.max_ma, "the strip draws"
    # What suffices: the strip's and a quarter more, in whole amperes.
    supply = -(-strip.max_ma * 5 // 4000) * 1000
    if feed == "pi":
        if strip.max_ma > PI_PIN_MA:
            why = (
                f"the Pi's own pin can spare {PI_PIN_MA} mA, and strip.max_ma is {strip.max_ma}; "
                f'write "own", or max_ma = {PI_PIN_MA}'
            )
            raise section.refusal("strip", why)
        drawn, who = strip.max_ma + PI_MA + GLASS_MA, "Pi, OLED and strip draw"
        supply = _PI_SUPPLY_MA
    if section.has("supply_ma"):
        supply = section.integer("supply_ma", 1, 100_000)
    if drawn > supply:
        why = f"{who} up to {drawn} mA; take a supply of that or more, or a lower strip.max_ma"
        raise section.refusal("supply_ma", why)
    section.finish()
    return Power(feed, supply)
