"""`cribpi kits`: the kits that came with the program, a description of each, and its drawings."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any, Final, assert_never

from cribpi.commands.streams import show, writing
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.kit import (
    GLASS_MA,
    HIGHEST_GPIO,
    LOWEST_GPIO,
    PI_MA,
    Buttons,
    Keypad,
    Keys,
    Kit,
    Place,
    UsbKeys,
)
from cribpi.companion.kit.keys_section import STRIP_PINS
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.cribbage.rules.shown import amount

SOLD: Final = (30, 60, 96, 100, 144)
"""LEDs per metre of strips on sale."""

SPI_LEDS: Final = 339
"""The most LEDs rpi-ws281x can drive by SPI with the kernel's buffer of 4,096 bytes (not tried on a Pi)."""

_KINDS: Final = {
    Keypad: ("matrix", "a matrix of {} keys"),
    Buttons: ("buttons", "{} buttons"),
    UsbKeys: ("usb", "{} keys on USB"),
}
"""Each kind of keys: its name, and how many it has."""

NO_PDF: Final = (
    "no PDF: svglib is not installed; get it: in a checkout .venv/bin/python -m pip install -e '.[draw]'"
)
"""The note when only the SVGs and the parts list can be written."""

NO_STL: Final = "no STL: two openings of the plate, or one and its edge, are too near to each other"
"""The note when a printer could not keep the openings apart."""

_NEAR: Final = 0.02  # millimetres: places are rounded to hundredths


def run(options: Namespace) -> None:
    """Print the kits that came with the program, or a description of one, or draw it.

    Raises:
        UserError: If the kit is not found, or is invalid.
    """
    if options.action == "draw":
        _draw(options)
    elif options.action == "check":
        kit = load_kit(options.file)
        show(described(kit), kit_json(kit), is_json=options.json)
    else:
        kits = [load_kit(name) for name in kit_names()]
        show(listed(kits), {"kits": list(map(kit_json, kits))}, is_json=options.json)


# --- its drawings ---


def _draw(options: Namespace) -> None:
    """Write the drawings of a kit to a folder, and print their names.

    Without a folder they go to one with the kit's name in the working directory.  It is created if need be;
    files of the same names are overwritten, as they are drawn and never edited.

    Raises:
        UserError: If there is no such kit, or the disk refuses.
    """
    # No other action draws.
    from cribpi.workshop.drawings import PDFS, may_write_pdf, pdf, pictures, solids, texts  # noqa: PLC0415

    kit = load_kit(options.name)
    folder = options.to or Path(kit.name)
    written = texts(kit) | pictures(kit)
    found = {folder / file: text.encode() for file, text in written.items()}
    to_print = solids(kit)
    found |= {folder / file: data for file, data in to_print.items()}
    notes = [] if to_print else [NO_STL]
    if may_write_pdf():
        found |= {folder / file: pdf(kit, paper) for file, paper in PDFS.items()}
    else:
        notes.append(NO_PDF)
    for path, data in found.items():
        with writing(path, "choose a folder that you can write to with --to"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    files = [str(path) for path in found]
    note = "; ".join(notes) or None
    show([*files, *notes], {"files": files, "note": note}, is_json=options.json)


# --- as text ----------------------------------------------------------------------------------------


def listed(kits: Sequence[Kit]) -> Iterator[str]:
    """Yield the lines that list *kits*: name and title, then board, LEDs, keys and tracks."""
    for kit in kits:
        tracks, laps = kit.tracks, ", twice round" if kit.laps > 1 else ""
        yield f"{kit.name:<12}  {kit.title}"
        yield f"{'':<12}  {_size(kit)}, {kit.strip.leds} LEDs; {_keys_words(kit.keypad)}"
        yield (
            f"{'':<12}  {amount(len(tracks), 'track')} of {tracks[0].lap + 1} holes{laps}: "
            f"{'; '.join(_sharing(track.sides) for track in tracks)}"
        )
    yield ""
    yield "cribpi kits check NAME describes a kit in full; cribpi run --kit NAME plays with it."


def described(kit: Kit) -> Iterator[str]:
    """Yield the lines that describe *kit*: board, tracks, strip, power, screen, keys, and what it lacks."""
    yield f"{kit.name}: a valid kit. {kit.title}"
    for what, text in (*_parts(kit), *(("note", note) for note in notes(kit))):
        yield f"{what:<8}  {text}"


def _parts(kit: Kit) -> Iterator[tuple[str, str]]:
    strip, glass, power = kit.strip, kit.glass, kit.power
    yield "board", f"{_size(kit)}, {'twice round in a game to 121' if kit.laps > 1 else 'once round'}"
    for track in kit.tracks:
        start = "a light" if track.holes[0].hole == 0 else "no light"
        games = "".join(
            f", {len(row.holes)} holes for the games of {_sides(row.sides)}" for row in track.games
        )
        last = track.holes[-1].hole
        yield "track", f"{_sharing(track.sides)}: holes 1 to {last}, {start} in the start{games}"
    bus = "SPI" if strip.gpio == 10 else "PWM"
    apart = _spacing(kit)
    spacing = "holes at several distances" if apart is None else f"holes {apart:g} mm apart"
    if kit.panel is not None:
        spacing = f"on a panel of {kit.panel.columns} x {kit.panel.rows}, {kit.panel.pitch:g} mm apart"
    elif sold := _sold(apart):
        spacing += f", a strip of {sold} LEDs a metre"
    yield "strip", f"{strip.leds} LEDs on GPIO {strip.gpio} ({bus}), driver {strip.driver}; {spacing}"
    if power.strip == "pi":
        most = strip.max_ma + PI_MA + GLASS_MA
        yield "power", f"the strip takes up to {strip.max_ma} mA from the Pi's own pin"
        yield "", f"a supply of {power.supply_ma} mA; Pi, OLED and strip draw up to {most} (estimate)"
    else:
        own = f"{power.supply_ma} mA, of which it draws up to {strip.max_ma}"
        yield "power", f"the strip has its own supply: {own}"
    lines = f"GPIO {glass.data} and {glass.clock}"
    plug = "; a bonnet, plugged onto the header" if glass.bonnet else ""
    yield "screen", f"OLED at 0x{glass.address:02X} on bus {glass.bus} ({lines}), {glass.baudrate} baud{plug}"
    yield "keys", _keys_words(kit.keypad)
    for text in _more_of_keys(kit.keypad):
        yield "", text
    if kit.plate is not None:
        keys = len(kit.plate.openings) - 1
        has = f"a window for the screen and {keys} openings for keys" if keys else "a window for the screen"
        yield "plate", f"{kit.plate.width:g} x {kit.plate.height:g} mm, with {has}"
    yield "entry", "every card" if kit.entry == "cards" else "points only (peg)"
    free = sorted(set(range(LOWEST_GPIO, HIGHEST_GPIO + 1)) - set(gpios(kit)))
    yield "free", f"GPIO {_numbers(free)}" if free else "no GPIO"


def _more_of_keys(keys: Keys) -> Iterator[str]:
    for row in keys.keys:
        yield " ".join(f"{name or '.':<5}" for name in row).rstrip()
    match keys:
        case Keypad():
            yield f"rows on GPIO {_numbers(keys.rows)}, columns on GPIO {_numbers(keys.columns)}"
        case Buttons():
            yield "each pulls its GPIO to ground: " + ", ".join(f"{name} {gpio}" for name, gpio in keys.pins)
        case UsbKeys(name=None):
            yield "read from any device that has these codes"
        case UsbKeys():
            yield f'read from the device whose name has "{keys.name}"'
        case _:
            assert_never(keys)
    for what, verb, pairs in (
        ("held", "is", keys.holds),
        ("where no rank can be entered", "is", keys.sides),
        ("printed", "as", keys.caps),
    ):
        if pairs:
            yield f"{what}: " + ", ".join(f"{name} {verb} {other}" for name, other in pairs)


def notes(kit: Kit) -> Iterator[str]:
    """Yield what the kit lacks, or has no use for: it can be played with all the same."""
    names = {name for row in kit.keypad.keys for name in row} | {held for _, held in kit.keypad.holds}
    for key, loss in (
        ("OK", "nothing can be confirmed"),
        ("UNDO", "nothing can be undone"),
        ("MENU", "the menus can't be opened"),
    ):
        if key not in names:
            yield f"no key {key}: without the page {loss}"
    if kit.entry == "cards" and not names.issuperset(RANKS):
        yield 'some ranks have no key: cards are entered on the page, or write entry = "peg"'
    dark = sorted(set(range(kit.strip.leds)) - {place.led for row in _rows(kit) for place in row})
    if dark:
        verbs = "light no hole and stay dark" if len(dark) > 1 else "lights no hole and stays dark"
        yield f"LED{'s' * (len(dark) > 1)} {_numbers(dark)} {verbs}"
    if kit.strip.driver == "rpi-ws281x" and kit.strip.gpio == 10 and kit.strip.leds > SPI_LEDS:
        yield (
            f"driver rpi-ws281x sends {SPI_LEDS} LEDs at most with the usual spidev.bufsiz: take spi, or "
            f"raise that"
        )
    apart = _spacing(kit)
    if kit.panel is None and apart is not None and not _sold(apart):
        yield f"no strip that is sold has its LEDs {apart:g} mm apart: cut it, and join the LEDs with wires"


def gpios(kit: Kit) -> dict[int, str]:
    """Return the GPIOs of *kit* in order, with the purpose of each."""
    used = {kit.glass.data: "oled data", kit.glass.clock: "oled clock"}
    used |= {gpio: "strip" if gpio == kit.strip.gpio else "spi" for gpio in STRIP_PINS[kit.strip.gpio]}
    match kit.keypad:
        case Keypad(rows=rows, columns=columns):
            used |= {gpio: f"row {index}" for index, gpio in enumerate(rows)}
            used |= {gpio: f"column {index}" for index, gpio in enumerate(columns)}
        case Buttons(pins=pins):
            used |= {gpio: f"key {name}" for name, gpio in pins}
        case UsbKeys():
            pass
        case _:
            assert_never(kit.keypad)
    return dict(sorted(used.items()))


def _keys_words(keys: Keys) -> str:
    return _KINDS[type(keys)][1].format(sum(bool(name) for row in keys.keys for name in row))


def _size(kit: Kit) -> str:
    return f"{kit.board.width:g} x {kit.board.height:g} mm"


def _sides(sides: Sequence[int]) -> str:
    *others, last = map(str, sides)
    return f"sides {', '.join(others)} and {last}" if others else f"side {last}"


def _sharing(sides: Sequence[int]) -> str:
    return _sides(sides) + " share it" * (len(sides) > 1)


def _rows(kit: Kit) -> Iterator[Sequence[Place]]:
    for track in kit.tracks:
        yield track.holes
        yield from (row.holes for row in track.games)


def _spacing(kit: Kit) -> float | None:
    """Return the millimetres between most neighbours along the strip, or None if they vary."""
    apart = sorted(
        hypot(one.x - other.x, one.y - other.y)
        for row in _rows(kit)
        for one, other in pairwise(row)
        if abs(one.led - other.led) == 1
    )
    if not apart:
        return None
    usual = apart[len(apart) // 2]
    same = sum(abs(step - usual) < _NEAR for step in apart)
    return round(usual, 2) if same >= 0.8 * len(apart) else None


def _sold(spacing: float | None) -> int | None:
    """Return the LEDs per metre of the strip with *spacing* in millimetres, or None if none is on sale."""
    return next((each for each in SOLD if spacing and abs(1000 / each - spacing) < _NEAR), None)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


# --- as JSON ----------------------------------------------------------------------------------------


def kit_json(kit: Kit) -> dict[str, Any]:
    """Describe *kit* for JSON."""
    board, strip, glass, keys = kit.board, kit.strip, kit.glass, kit.keypad
    plate = None
    if kit.plate is not None:
        openings = [opening._asdict() for opening in kit.plate.openings]
        plate = {"width": kit.plate.width, "height": kit.plate.height, "openings": openings}
    return {
        "name": kit.name,
        "title": kit.title,
        "board": {"width": board.width, "height": board.height, "laps": kit.laps},
        "leds": strip.leds,
        "strip": {"driver": strip.driver, "gpio": strip.gpio, "max_ma": strip.max_ma},
        "power": {"strip": kit.power.strip, "supply_ma": kit.power.supply_ma},
        "oled": {"bus": glass.bus, "address": glass.address, "bonnet": glass.bonnet},
        "keys": {
            "kind": _KINDS[type(keys)][0],
            "layout": keys.keys,
            "holds": dict(keys.holds),
            "sides": dict(keys.sides),
            "caps": dict(keys.caps),
        },
        "panel": None if kit.panel is None else asdict(kit.panel),
        "plate": plate,
        "entry": kit.entry,
        "tracks": [
            {
                "sides": track.sides,
                "holes": track.holes[-1].hole,
                "start": track.holes[0].hole == 0,
                "games": [{"sides": row.sides, "holes": len(row.holes)} for row in track.games],
            }
            for track in kit.tracks
        ],
        "gpios": gpios(kit),
        "notes": list(notes(kit)),
    }
