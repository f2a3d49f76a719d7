"""Reader of kit.toml: finds the file, reads it, and checks all of it before any device is opened.

It reads [board], [oled], [strip], [power], [panel], [plate] and [[tracks]]; `keys_section` reads [keys].
Every function raises `KitError` at the first fault; its message names the place and the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Final, TypeAlias, cast, get_args

from cribpi.companion import kit
from cribpi.companion.files.config_table import Section, settings_in
from cribpi.companion.files.disk import Unreadable, toml_of
from cribpi.companion.kit.keys_section import STRIP_PINS, Pins, read_keys
from cribpi.cribbage.rules.shown import shown

_PACKAGE: Final = Path(__file__).resolve().parents[2]
_KIT_FOLDERS: Final = (_PACKAGE / "kits", _PACKAGE.parent / "hardware" / "kits")
"""The folders of kits in the wheel, and in a checkout."""

_PI_SUPPLY_MA: Final = 2500
"""Default current of a Pi's supply in mA: Raspberry Pi's recommendation for a Pi 3."""


def kit_names() -> tuple[str, ...]:
    """Return the names of the kits that come with the program, sorted."""
    return tuple(sorted({path.parent.name for folder in _KIT_FOLDERS for path in folder.glob("*/kit.toml")}))


def load_kit(name_or_path: str) -> kit.Kit:
    """Return the kit of that name, or the one in that file: a slash or ``.toml`` makes it a path.

    >>> load_kit("table").strip.leds
    242

    Raises:
        KitError: If there is no such kit, the file cannot be read, or anything in it is invalid.
    """
    path = _find(name_or_path)
    # Messages name the file relative to the checkout or the working folder, if it is in one.
    near = (
        path.relative_to(folder) for folder in (_PACKAGE.parent, Path.cwd()) if path.is_relative_to(folder)
    )
    file = str(next(near, path))
    try:
        table = toml_of(path)
    except Unreadable as bad:
        raise kit.KitError(f"{file}: {bad}") from bad
    name = path.resolve().parent.name if path.name == "kit.toml" else path.stem
    return _read_kit(name, Section(file, "", table, kit.KitError))


def _find(name_or_path: str) -> Path:
    if "/" in name_or_path or name_or_path.endswith(".toml"):
        return Path(name_or_path)
    names = kit_names()
    if name_or_path not in names:
        called = shown(name_or_path, str)
        how = f"choose one of {', '.join(names)}, or give the path of a kit.toml"
        raise kit.KitError(f'no kit is called "{called}"; {how}')
    return next(path for folder in _KIT_FOLDERS if (path := folder / name_or_path / "kit.toml").is_file())


def _read_kit(name: str, file: Section) -> kit.Kit:
    title = file.text("title")
    entry = cast(
        "kit.EntryName", file.choice("entry", get_args(kit.EntryName)) if file.has("entry") else "cards"
    )
    size = file.section("board")
    board = kit.Board(size.length("width"), size.length("height"))
    laps = size.integer("laps", 1, 2) if size.has("laps") else 1  # times round the board to 121
    size.finish()
    pins = Pins()
    glass = _read_glass(file.section("oled"), pins)
    strip = _read_strip(file.section("strip"), pins)
    power = _read_power(file.section_if_any("power"), strip)
    keypad = read_keys(file.section("keys"), pins)
    panel = _read_panel(file.section("panel"), board, strip.leds) if file.has("panel") else None
    tracks = read_tracks(file, board, panel or strip, laps)
    plate = _read_plate(file.section("plate"), board, tracks, keypad, glass) if file.has("plate") else None
    loudspeaker = None
    if file.has("sound"):
        sound = file.section("sound")
        loudspeaker = sound.text("output")
        sound.finish()
    file.finish()
    return kit.Kit(name, title, board, tracks, keypad, glass, strip, power, entry, loudspeaker, panel, plate)


def _read_glass(section: Section, pins: Pins) -> kit.Glass:
    glass = kit.Glass(**settings_in(kit.Glass, section))
    if glass.bonnet and glass.bus != 1:
        raise section.refusal("bus", "a bonnet sits on the header, whose bus is 1; write 1")
    for key, actual, gpio in (("data", glass.data, 2), ("clock", glass.clock, 3)):
        if glass.bus == 1 and actual != gpio:
            raise section.refusal(key, f"on bus 1 the {key} line is GPIO {gpio}; write {gpio}")
        pins.claim(section, key, actual, f"the OLED's {key} line")
    if glass.reset is not None:
        pins.claim(section, "reset", glass.reset, "the OLED's reset line")
    section.finish()
    return glass


def _read_strip(section: Section, pins: Pins) -> kit.Strip:
    strip = kit.Strip(**settings_in(kit.Strip, section))
    if strip.driver == "wled":
        section.value("host")  # raises if it is missing
        if strip.gpio is not None:
            raise section.refusal("gpio", "a WLED controller drives the data line; remove this")
    elif strip.host is not None:
        raise section.refusal("host", 'only a WLED controller has one; remove it, or write driver = "wled"')
    elif section.value("gpio") not in STRIP_PINS:
        reason = "the strip's data line is GPIO 10 (SPI) or 18 (PWM); choose one of these"
        raise section.refusal("gpio", reason)
    if strip.driver == "spi" and strip.gpio != 10:
        raise section.refusal("gpio", "the spi driver sends on GPIO 10; write 10 or choose another driver")
    if strip.max_ma <= strip.leds:
        reason = (
            f"{strip.leds} LEDs draw {strip.leds} mA while they are dark; give more, with a stronger supply"
        )
        raise section.refusal("max_ma", reason)
    for gpio, owner in STRIP_PINS[strip.gpio].items():
        pins.claim(section, "gpio", gpio, owner)
    section.finish()
    return strip


def _read_power(section: Section, strip: kit.Strip) -> kit.Power:
    """Return the supply of the strip's 5 V, after checking that it can deliver enough current."""
    feed: kit.Feed = "pi" if strip.max_ma <= kit.PI_PIN_MA and strip.host is None else "own"
    if section.has("strip"):
        feed = cast("kit.Feed", section.choice("strip", get_args(kit.Feed)))
    drawn, who = strip.max_ma, "the strip draws"
    if strip.host is not None:
        drawn, who = strip.max_ma + kit.CONTROLLER_MA, "controller and strip draw"
    # The default supply has a reserve of a quarter, and is rounded up to whole amperes.
    supply = -(-drawn * 5 // 4000) * 1000
    if feed == "pi":
        if strip.host is not None:
            raise section.refusal(
                "strip", 'a WLED controller and its strip have their own supply; write "own"'
            )
        if strip.max_ma > kit.PI_PIN_MA:
            reason = (
                f"the Pi's own pin can spare {kit.PI_PIN_MA} mA, and strip.max_ma is {strip.max_ma}; "
                f'write "own", or max_ma = {kit.PI_PIN_MA}'
            )
            raise section.refusal("strip", reason)
        drawn, who = strip.max_ma + kit.PI_MA + kit.GLASS_MA[kit.PANELS[0]], "Pi, OLED and strip draw"
        supply = _PI_SUPPLY_MA
    if section.has("supply_ma"):
        supply = section.integer("supply_ma", 1, 100_000)
    if drawn > supply:
        reason = f"{who} up to {drawn} mA; use a supply of at least that, or a lower strip.max_ma"
        raise section.refusal("supply_ma", reason)
    section.finish()
    return kit.Power(feed, supply)


def _read_panel(section: Section, board: kit.Board, leds: int) -> kit.LedMatrix:
    """Return the panel on *board*, after checking that its number of LEDs is *leds*, that of the strip."""
    x, y = section.point("from", board.width, board.height)
    panel = kit.LedMatrix(x=x, y=y, **settings_in(kit.LedMatrix, section))
    if panel.leds != leds:
        raise section.refusal(
            "rows", f"{panel.columns} x {panel.rows} LEDs are {panel.leds}; strip.leds says {leds}"
        )
    right, bottom = panel.at((panel.columns - 1, panel.rows - 1))
    if right > board.width or bottom > board.height:
        where = f"its last LED would lie at [{right:g}, {bottom:g}], outside the board"
        raise section.refusal("from", f"{where}; move it, or make the board larger")
    section.finish()
    return panel


_HOLE: Final = 2.5  # radius in mm of the widest hole for an LED


def _read_plate(
    section: Section,
    board: kit.Board,
    tracks: tuple[kit.Track, ...],
    keypad: kit.KeysSection,
    glass: kit.Glass,
) -> kit.Plate:
    """Return the plate around *board*, with openings for the screen and for the keys mounted in it."""
    width = section.length("width") if section.has("width") else board.width
    height = section.length("height")
    for key, size, least in (("width", width, board.width), ("height", height, board.height)):
        if size < least:
            raise section.refusal(key, f"the board on it is {least:g} mm; give at least that")
    x, y = section.point("screen", width, height)
    # The default window shows the panel's whole picture.  If that does not fit, the smaller window of the
    # default panel is tried.
    usual = dict.fromkeys((kit.WINDOWS[glass.panel], kit.WINDOWS[kit.PANELS[0]]))
    windows = [section.size("window")] if section.has("window") else list(usual)
    keys: list[kit.Opening] = []
    # A USB keypad has its own case, and a bonnet's keys are in its window.
    if not (isinstance(keypad, kit.UsbKeys) or glass.bonnet):
        keys_x, keys_y = section.point("keys", width, height)
        half = kit.KEY_OPENING / 2
        for row, names in enumerate(keypad.keys):
            for column, name in enumerate(names):
                if name:
                    at_x, at_y = keys_x + kit.KEY_PITCH * column, keys_y + kit.KEY_PITCH * row
                    edges = (at_x - half, at_y - half, at_x + half, at_y + half)
                    keys.append(kit.Opening(name, *(round(edge, 3) for edge in edges)))
    section.finish()
    holes: list[tuple[float, float]] = []
    for track in tracks:
        for run in (track.holes, *(row.holes for row in track.games)):
            holes += [place.at for place in run]
    plates = [
        kit.Plate(width, height, (kit.Opening("screen", x - w / 2, y - h / 2, x + w / 2, y + h / 2), *keys))
        for w, h in windows
    ]
    plate = next((plate for plate in plates[:-1] if _misplaced(plate, holes) is None), plates[-1])
    if wrong := _misplaced(plate, holes):
        opening, reason = wrong
        is_screen = opening.name == "screen"
        what = "the window" if is_screen else f"key {opening.name}"
        raise section.refusal("screen" if is_screen else "keys", f"{what} would lie {reason}; move it")
    return plate


def _misplaced(plate: kit.Plate, holes: Sequence[tuple[float, float]]) -> tuple[kit.Opening, str] | None:
    """Return a misplaced opening of *plate*, and the reason; None if all fit."""
    right, bottom = plate.width - kit.RIM, plate.height - kit.RIM
    for opening in plate.openings:
        if min(opening.left, opening.top) < kit.RIM or opening.right > right or opening.bottom > bottom:
            return opening, f"over the edge of the plate of {plate.width:g} x {plate.height:g} mm"
        if any(opening.distance_to(hole) < _HOLE + kit.RIM for hole in holes):
            return opening, "over a hole of the board"
    for opening, other in combinations(plate.openings, 2):
        if opening.is_near(other):
            return other, "over the window" if opening.name == "screen" else f"over key {opening.name}"
    return None


_SHORT: Final = (kit.HOLES - 1) // 2 + 1
"""Number of the game hole, 61, on a track on which a game to 121 takes two laps."""

LedSource: TypeAlias = kit.Strip | kit.LedMatrix
"""The source of a track's LEDs: a strip to lay, or a ready-made panel."""


def read_tracks(file: Section, board: kit.Board, strip: LedSource, laps: int) -> tuple[kit.Track, ...]:
    """Return the tracks of *file*, on which a game to 121 takes *laps* laps.

    Raises:
        KitError: If a hole is missing or occurs twice, two holes share an LED or a position, or a side has no
            track.
    """
    tracks: list[kit.Track] = []
    on_track: set[int] = set()
    claimed: _Claimed = set()
    for section in file.sections("tracks"):
        sides = section.integers("sides", kit.SIDES[0], kit.SIDES[-1])
        for index, side in enumerate(sides):
            if side in on_track:
                raise section.refusal("sides", f"side {side} is on a track already; give it one", index=index)
            on_track.add(side)
        holes = _read_holes(section, board, strip, claimed, laps)
        tracks.append(kit.Track(sides, holes, _read_games(section, sides, board, strip, claimed), laps))
        section.finish()
    if missing := set(kit.SIDES) - on_track:
        reason = f"side {min(missing)} is not on a track; add it to the sides of one, to share it"
        raise file.refusal("tracks", reason)
    return tuple(tracks)


_Claimed: TypeAlias = set[int | tuple[float, float]]
"""The LEDs and the positions on the board that already have a hole."""


def _claim(claimed: _Claimed, section: Section, place: kit.HolePosition, name: str) -> None:
    """Claim the LED and the position of the hole *name*; `KitError` if another hole has one of them."""
    if place.led in claimed:
        raise section.refusal("leds", f"LED {place.led} lights another hole already; choose another")
    if place.at in claimed:
        raise section.refusal("from", f"{name} would lie on another hole; move it")
    claimed |= {place.led, place.at}


def _read_holes(
    track: Section, board: kit.Board, strip: LedSource, claimed: _Claimed, laps: int
) -> tuple[kit.HolePosition, ...]:
    holes: dict[int, kit.HolePosition] = {}
    last = (kit.HOLES - 1) // laps + 1
    for section in track.sections("segments"):
        first, final = section.integers("holes", 0, last, length=2)
        if final < first:
            reason = "name the lower hole first; leds, from and to may run backward"
            raise section.refusal("holes", reason)
        for place in _read_run(section, board, strip, first, final - first + 1):
            if place.hole in holes:
                reason = f"hole {place.hole} is on this track already; give each hole once"
                raise section.refusal("holes", reason)
            _claim(claimed, section, place, f"hole {place.hole}")
            holes[place.hole] = place
    if missing := set(range(1, last + 1)) - holes.keys():
        short = f", or of 1 to {_SHORT} with laps = 2 in [board]" if max(holes) == _SHORT else ""
        reason = f"hole {min(missing)} is missing from the segments; a track needs 1 to {last}{short}"
        raise track.refusal("segments", reason)
    if laps > 1 and 0 not in holes:
        reason = "a board that goes round twice needs its start lit: give it an LED"
        raise track.refusal("segments", f"hole 0 is missing from the segments; {reason}")
    return tuple(holes[hole] for hole in sorted(holes))


def _read_games(
    track: Section, sides: tuple[int, ...], board: kit.Board, strip: LedSource, claimed: _Claimed
) -> tuple[kit.GamesRow, ...]:
    """Return the rows for games won.  Each row belongs to one or several sides of the track."""
    rows: list[kit.GamesRow] = []
    for section in track.sections_if_any("games"):
        pegging = section.integers("sides", kit.SIDES[0], kit.SIDES[-1])
        for index, side in enumerate(pegging):
            if side not in sides:
                reason = f"side {side} pegs on another track; give it its games there"
                raise section.refusal("sides", reason, index=index)
            if side in pegging[:index] or any(side in row.sides for row in rows):
                reason = f"side {side} has games already; give it one row"
                raise section.refusal("sides", reason, index=index)
        rows.append(kit.GamesRow(pegging, _read_run(section, board, strip, 1)))
        for place in rows[-1].holes:
            _claim(claimed, section, place, f"games hole {place.hole}")
    return tuple(rows)


def _read_run(
    section: Section, board: kit.Board, lights: LedSource, first: int, count: int | None = None
) -> tuple[kit.HolePosition, ...]:
    """Return the holes of a straight run, numbered from *first*; there must be *count* of them, if given.

    On a panel they lie in one row or column. On a strip they are spaced evenly between two points, and their
    LEDs count up or down.
    """
    if isinstance(lights, kit.LedMatrix):
        (column, row), (last_column, last_row) = section.cells("cells", lights.columns, lights.rows)
        section.finish()
        across, down = last_column - column, last_row - row
        if across and down:
            reason = "both must lie in one row or in one column; use a segment for each"
            raise section.refusal("cells", reason)
        steps = max(abs(across), abs(down))
        if count is not None and steps + 1 != count:
            raise section.refusal("cells", f"{count} holes need {count} cells, one for each")
        shares = [step / max(steps, 1) for step in range(steps + 1)]
        cells = [(column + round(across * share), row + round(down * share)) for share in shares]
        return tuple(
            kit.HolePosition(hole, lights.led(cell), *lights.at(cell))
            for hole, cell in enumerate(cells, start=first)
        )
    led, last_led = section.integers("leds", 0, lights.leds - 1, length=2)
    steps, way = abs(last_led - led), 1 if last_led >= led else -1
    if count is not None and steps + 1 != count:
        raise section.refusal("leds", f"{count} holes need {count} LEDs, one for each")
    x, y = section.point("from", board.width, board.height)
    end_x, end_y = section.point("to", board.width, board.height)
    section.finish()

    def place(step: int) -> kit.HolePosition:
        share = step / max(steps, 1)
        at = round(x + (end_x - x) * share, 2), round(y + (end_y - y) * share, 2)
        return kit.HolePosition(first + step, led + way * step, *at)

    return tuple(map(place, range(steps + 1)))
