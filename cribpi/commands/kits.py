"""`cribpi kits`: list the shipped kits, describe a kit, or write its drawings."""

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
    HIGHEST_GPIO,
    LOWEST_GPIO,
    PICTURES,
    Buttons,
    Glass,
    Keypad,
    KeysSection,
    Kit,
    Track,
    UsbKeys,
)
from cribpi.companion.kit.keys_section import STRIP_PINS
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.cribbage.rules.shown import amount
from cribpi.workshop.drawings.parts import rows, texts
from cribpi.workshop.drawings.strip import runs

SOLD: Final = (30, 60, 96, 100, 144)
"""LEDs per metre of the strips on sale."""

SPI_LEDS: Final = 339
"""Maximum number of LEDs that rpi-ws281x can drive over SPI with the kernel's 4,096-byte buffer.

Not tried on a Pi.
"""

_KINDS: Final = {Keypad: "matrix", Buttons: "buttons", UsbKeys: "usb"}
"""Name of each kind of keypad in the JSON output."""

NO_PDF: Final = (
    "no PDF: svglib is not installed. In a checkout, get it with .venv/bin/python -m pip install -e '.[draw]'"
)
"""Note printed if PDFs can't be written."""

NO_STL: Final = "no STL of the plate: two of its openings, or an opening and its edge, are too close together"
"""Note printed if the plate can't be made as a solid."""

_NEAR: Final = 0.02  # millimetres: coordinates are rounded to hundredths


def run(options: Namespace) -> None:
    """Print the list of kits or the description of one, or write its drawings.

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
    """Write a kit's drawings to a folder, and print their names.

    The default folder is the kit's name in the working directory. Existing files are overwritten.

    Raises:
        UserError: If there is no such kit, or a write fails.
    """
    from cribpi.workshop import drawings  # noqa: PLC0415  loads NumPy, which other actions don't need

    kit = load_kit(options.name)
    folder = options.to or Path(kit.name)
    written = drawings.texts(kit) | drawings.pictures(kit)
    contents = {folder / file: text.encode() for file, text in written.items()}
    to_print = drawings.solids(kit)
    contents |= {folder / file: data for file, data in to_print.items()}
    notes = [] if any(file.startswith("plate-") for file in to_print) else [NO_STL]
    if drawings.may_write_pdf():
        contents |= {folder / file: drawings.pdf(kit, paper) for file, paper in drawings.PDFS.items()}
    else:
        notes.append(NO_PDF)
    for path, data in contents.items():
        with writing(path, "choose a folder that you can write to with --to"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    files = [str(path) for path in contents]
    note = "; ".join(notes) or None
    show([*files, *notes], {"files": files, "note": note}, is_json=options.json)


# --- as text ----------------------------------------------------------------------------------------


def listed(kits: Sequence[Kit]) -> Iterator[str]:
    """Format *kits* as lines of text: name, title, board size, LEDs, keys and tracks."""
    for kit in kits:
        tracks, laps = kit.tracks, ", twice round" if kit.laps > 1 else ""
        yield f"{kit.name:<12}  {kit.title}"
        yield f"{'':<12}  {_size(kit)}, {kit.strip.leds} LEDs; {_keys_words(kit)}"
        yield (
            f"{'':<12}  {amount(len(tracks), 'track')} of {tracks[0].lap + 1} holes{laps}: "
            f"{'; '.join(_sharing(track.sides) for track in tracks)}"
        )
    yield ""
    yield "cribpi kits check NAME describes a kit in full; cribpi run --kit NAME plays with it."


def described(kit: Kit) -> Iterator[str]:
    """Format *kit* as lines of text: board, tracks, strip, power, screen, keys and notes."""
    yield f"{kit.name}: a valid kit. {kit.title}"
    apart, panel = _spacing(kit), kit.panel
    spacing = "unevenly spaced holes" if apart is None else f"holes {apart:g} mm apart"
    if panel is not None:
        spacing = f"on a panel of {panel.columns} x {panel.rows}, {panel.pitch:g} mm apart"
    elif sold := _sold(apart):
        spacing += f", a strip of {sold} LEDs per metre"
    keys = len(kit.plate.openings) - 1 if kit.plate else 0
    free = sorted(set(range(LOWEST_GPIO, HIGHEST_GPIO + 1)) - set(gpios(kit)))
    described_rows = rows(
        kit,
        "described",
        size=_size(kit),
        tracks="\n".join(map(_track, kit.tracks)),
        bus="SPI" if kit.strip.gpio == 10 else "PWM",
        spacing=spacing,
        lines=_lines(kit.glass),
        keyed=_keys_words(kit),
        layout="\n".join(_more_of_keys(kit.keypad)),
        key_openings=f" and {keys} openings for keys" if keys else "",
        free=f"GPIO {_numbers(free)}" if free else "no GPIO",
    )
    for row in described_rows:
        for text in row["what"].splitlines():
            yield f"{row['of']:<8}  {text}"
    for note in notes(kit):
        yield f"{'note':<8}  {note}"


def _track(track: Track) -> str:
    start = "a light" if track.holes[0].hole == 0 else "no light"
    games = "".join(f", {len(row.holes)} holes for the games of {_sides(row.sides)}" for row in track.games)
    return f"{_sharing(track.sides)}: holes 1 to {track.holes[-1].hole}, {start} in the start{games}"


def _more_of_keys(keys: KeysSection) -> Iterator[str]:
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
    """Yield notes on missing or unused parts. A kit with notes is still valid."""
    names = {name for row in kit.keypad.keys for name in row} | {key for _, key in kit.keypad.holds}
    dark = sorted(set(range(kit.strip.leds)) - {place.led for row in runs(kit) for place in row})
    strip, apart = kit.strip, _spacing(kit)
    has = {
        "ranks": names.issuperset(RANKS),
        "dark": dark,
        "several": len(dark) > 1,
        "too_many": strip.driver == "rpi-ws281x" and strip.gpio == 10 and strip.leds > SPI_LEDS,
        "narrow": is_narrow(kit),
        "unsold": kit.panel is None and apart is not None and not _sold(apart),
    }
    names |= {name for name, holds in has.items() if holds}
    picture = PICTURES[kit.glass.panel]
    return texts(kit, "note", names, dark=_numbers(dark), spi_leds=SPI_LEDS, apart=apart, picture=picture)


def is_narrow(kit: Kit) -> bool:
    """Return whether the window in the plate of *kit* hides part of the screen's picture."""
    if kit.plate is None or kit.glass.bonnet:
        return False
    screen, (across, down) = kit.plate.screen, PICTURES[kit.glass.panel]
    return screen.right - screen.left < across or screen.bottom - screen.top < down


def gpios(kit: Kit) -> dict[int, str]:
    """Return the purpose of each GPIO that *kit* uses, sorted by GPIO."""
    used = {kit.glass.data: "oled data", kit.glass.clock: "oled clock"}
    if kit.glass.reset is not None:
        used[kit.glass.reset] = "oled reset"
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


def _keys_words(kit: Kit) -> str:
    return next(texts(kit, "keyed"))


def _lines(glass: Glass) -> str:
    lines = f"GPIO {glass.data} and {glass.clock}"
    return lines if glass.reset is None else f"{lines}; its reset line is GPIO {glass.reset}"


def _size(kit: Kit) -> str:
    return f"{kit.board.width:g} x {kit.board.height:g} mm"


def _sides(sides: Sequence[int]) -> str:
    *others, last = map(str, sides)
    return f"sides {', '.join(others)} and {last}" if others else f"side {last}"


def _sharing(sides: Sequence[int]) -> str:
    return f"{_sides(sides)} share it" if len(sides) > 1 else _sides(sides)


def _spacing(kit: Kit) -> float | None:
    """Return the usual distance between neighbouring LEDs in millimetres, or None if it varies."""
    apart = sorted(
        hypot(a.x - b.x, a.y - b.y) for row in runs(kit) for a, b in pairwise(row) if abs(a.led - b.led) == 1
    )
    if not apart:
        return None
    usual = apart[len(apart) // 2]
    same = sum(abs(step - usual) < _NEAR for step in apart)
    return round(usual, 2) if same >= 0.8 * len(apart) else None


def _sold(spacing: float | None) -> int | None:
    """Return the LEDs per metre of the strip on sale with this *spacing* in millimetres, or None."""
    return next((each for each in SOLD if spacing and abs(1000 / each - spacing) < _NEAR), None)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


# --- as JSON ----------------------------------------------------------------------------------------


def kit_json(kit: Kit) -> dict[str, Any]:
    board, strip = kit.board, kit.strip
    glass, keys = kit.glass, kit.keypad
    plate = None
    if kit.plate is not None:
        openings = [opening._asdict() for opening in kit.plate.openings]
        plate = {"width": kit.plate.width, "height": kit.plate.height, "openings": openings}
    return {
        "name": kit.name,
        "title": kit.title,
        "board": {"width": board.width, "height": board.height, "laps": kit.laps},
        "leds": strip.leds,
        "strip": {
            "driver": strip.driver,
            "gpio": strip.gpio,
            "host": strip.host,
            "max_ma": strip.max_ma,
        },
        "power": {"strip": kit.power.strip, "supply_ma": kit.power.supply_ma},
        "oled": {
            "bus": glass.bus,
            "address": glass.address,
            "bonnet": glass.bonnet,
            "panel": glass.panel,
            "offset": glass.offset,
            "reset": glass.reset,
        },
        "keys": {
            "kind": _KINDS[type(keys)],
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
