"""The parts of a kit, with how many and what for, and the current that they draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeAlias

from cribpi.drawings.circuit import FARTHEST, feeds, fuse, wires
from cribpi.drawings.strip import along, pieces, pitch
from cribpi.drawings.template import drill, fixing_holes
from cribpi.kit import GLASS_MA, PI_MA, Keypad, Kit, UsbKeys
from cribpi.views.lights.frame import MA_FULL, MA_REST, QUARTER

Row: TypeAlias = tuple[str, str, str]
_SOLD: Final = (30, 60, 74, 96, 100, 144)  # LEDs a metre that strips are sold with


def per_metre(kit: Kit) -> int:
    """Return the LEDs per metre of the strip that is sold with the nearest spacing to the kit's."""
    return min(_SOLD, key=lambda sold: abs(1000 / sold - pitch(kit)))


def parts(kit: Kit) -> Iterator[Row]:
    """Yield what to buy: how many, or a length with its unit; what; and what for."""
    amperes = kit.power.supply_ma / 1000
    yield "1", "Raspberry Pi Zero 2 W, 3, 4 or 5 with its header", "runs the program"
    yield "1", "microSD card, 8 GB or more", "system and games"
    if kit.power.strip == "pi":
        yield "1", f"USB supply for that Pi, 5 V, {amperes:g} A or more", "Pi, OLED and strip"
    else:
        yield "1", "the usual USB supply of that Pi", "Pi and OLED"
        yield "1", f"supply 5 V, {amperes:g} A or more, with screw terminals", "the strip alone"
    yield from _glass_and_keys(kit)
    if kit.loudspeaker is not None:
        yield "1", "loudspeaker on USB, or with a sound card on USB", "the voice, nothing to solder"
    yield from _lights(kit)
    yield from _small_parts(kit)
    (width, height), holes = kit.front, len(along(kit))
    what = "plate" if kit.plate else "board"
    openings = f", {len(kit.plate.openings)} openings" if kit.plate else ""
    openings = openings.removesuffix("s") if openings.startswith(", 1 ") else openings
    yield "1", f"{what} {width:g} x {height:g} mm", f"{holes} holes of {drill(kit):g} mm{openings}"
    if fixing := len(fixing_holes(kit)):
        yield str(fixing), "screw M3 with nut and spacer", "holds the board over the strip"


def _glass_and_keys(kit: Kit) -> Iterator[Row]:
    keys, has_bonnet = kit.keypad, kit.glass.bonnet
    count = sum(bool(name) for row in keys.keys for name in row)
    if has_bonnet:
        yield "1", "OLED bonnet 128 x 64 with joystick and two buttons", "screen and keys"
        use = "leads the strip's wires out from under the bonnet"
        yield "1", "stacking header 2 x 20, long pins", use
    else:
        yield "1", f"OLED 128 x 64, SSD1306, I2C, address 0x{kit.glass.address:02X}", "the screen"
    if isinstance(keys, Keypad):
        size = f"{len(keys.rows)} x {len(keys.columns)}"
        yield "1", f"matrix keypad {size}, or {count} push buttons wired as one", "the keys"
        yield (
            str(count),
            "diode 1N4148, if you wire the matrix yourself",
            "one in series with each key, its band (cathode) towards the row: keys held together stay apart",
        )
    elif isinstance(keys, UsbKeys):
        yield "1", "numeric keypad on USB", "the keys, nothing to solder"
    elif not has_bonnet:
        yield str(count), "push button", "the keys"


def _lights(kit: Kit) -> Iterator[Row]:
    if (panel := kit.panel) is not None:
        what = f"panel of {panel.rows} x {panel.columns} WS2812B LEDs, 5 V, {panel.pitch:g} mm apart"
        yield "1", f"{what}, with its leads", f"the lights, {panel.leds} of them, ready wired"
        return
    length = kit.strip.leds * pitch(kit) / 1000
    cut = pieces(kit)
    told = ", ".join(f"{count} of {leds}" for leds, count in sorted(Counter(cut).items(), reverse=True))
    yield (
        f"{length:.2f} m",
        f"LED strip WS2812B, 5 V, {per_metre(kit)} a metre, 10 mm wide: {kit.strip.leds} LEDs",
        f"the lights, cut in pieces: {told}",
    )
    if joints := len(cut) - 1:
        yield str(3 * joints), "short wire", f"joins the pieces: 5 V, data and GND at {joints} joints"


def _small_parts(kit: Kit) -> Iterator[Row]:
    start = "across 5 V and GND, at the strip's start"
    yield "1", "74AHCT125, DIP-14, with a socket", "raises the data from 3.3 V to 5 V"
    yield "1", "R1, resistor 330 ohm (up to 470)", "in the data line, at the strip's start"
    yield "1", "C1, electrolytic capacitor 1000 uF, 6.3 V or more", start
    yield "1", "C2, ceramic capacitor 100 nF", "across 5 V and GND, at the 74AHCT125"
    yield "1", f"F1, slow fuse {fuse(kit):g} A with a holder", "in the strip's 5 V line"
    soldered = Counter(wire.colour.name for wire in wires(kit) if not wire.is_plugged)
    colours = ", ".join(f"{count} {name}" for name, count in soldered.items())
    yield str(soldered.total()), f"wire from the header: {colours}", "see the list of wires"
    fed = len(feeds(kit))
    where = "the strip's start" if fed == 1 else f"the strip, at {fed} places"
    yield str(2 * fed), "wire 0.5 mm2, red and black", f"5 V and GND to {where}"
    yield "1", "breadboard or perfboard", "carries the 74AHCT125 and the parts around it"


def budget(kit: Kit) -> Iterator[tuple[str, int, str]]:
    """Yield what draws current, how much in mA, and why so much; then what the supply gives."""
    leds, most = kit.strip.leds, kit.strip.max_ma
    dark, full = leds * MA_REST, MA_REST + sum(MA_FULL)
    pegs = round(2 * (1 + QUARTER) * sum(MA_FULL))
    never = f"{full} mA each; never reached: the program dims the lights first"
    yield "strip, dark", dark, f"{leds} LEDs, {MA_REST} mA each"
    yield "strip, two front and two back pegs", dark + pegs, "at most, as if they were white"
    yield "strip, all white", leds * full, never
    yield "strip, the most that the program allows", most, "strip.max_ma in kit.toml"
    yield "Raspberry Pi", PI_MA, "estimate, nothing else plugged in"
    yield "OLED", GLASS_MA, "estimate, every pixel lit"
    if kit.power.strip == "pi":
        yield "total", _drawn(kit), "strip, Pi and OLED"
    yield "supply", kit.power.supply_ma, "power.supply_ma, or what such a kit usually has"


def _drawn(kit: Kit) -> int:
    """Return the most that is drawn from the supply that the strip has, in mA."""
    return kit.strip.max_ma + (PI_MA + GLASS_MA if kit.power.strip == "pi" else 0)


def margin(kit: Kit) -> tuple[int, int]:
    """Return what the supply has to spare, in mA and in per cent of it."""
    spare = kit.power.supply_ma - _drawn(kit)
    return spare, round(100 * spare / kit.power.supply_ma)


def in_words(kit: Kit) -> Iterator[str]:
    """Yield what follows from the budget, as sentences."""
    spare, share = margin(kit)
    is_small = kit.power.strip == "pi"
    whose = "The Pi's supply" if is_small else "The strip's own supply"
    yield f"{whose} gives {kit.power.supply_ma} mA and has {spare} mA to spare, {share} %."
    yield f"The fuse F1 is {fuse(kit):g} A, slow: a quarter or more above {kit.strip.max_ma} mA."
    if is_small:
        yield "A Pi's own 5 V pin can spare about 500 mA for a strip (estimate)."
    fed = len(feeds(kit))
    if fed > 1:
        yield f"The strip is fed at {fed} places: no LED is more than {FARTHEST} from one."
    yield "These currents are calculated, not measured on a Pi."
