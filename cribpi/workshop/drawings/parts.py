"""What a kit is made of: the parts, what they cost, what to search for, and the current that they draw."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from cribpi.companion.kit import GLASS_MA, PI_MA, Keypad, Kit, UsbKeys
from cribpi.companion.views.lights.frame import MA_FULL, MA_REST, QUARTER
from cribpi.workshop.drawings.circuit import FARTHEST, cells, feeds, fuse, wires
from cribpi.workshop.drawings.strip import along, pieces, pitch
from cribpi.workshop.drawings.template import drill, fixing_holes

_A_METRE: Final = {30: 3, 60: 4, 74: 7, 96: 10, 100: 10, 144: 12}
"""LEDs a metre that strips are sold with, and what a metre costs in euros."""

_PANELS: Final = {"SSD1306": ("0.96", 6), "SH1106": ("1.3", 8), "SSD1309": ("2.42", 20)}
"""By its chip, the inches that a panel is usually sold with, and its price in euros (estimate)."""


class Part(NamedTuple):
    """What to buy: how many, or a length with its unit; *what*, and its use; the words to *search* for.

    *euros* is what all of them usually cost in a shop, before postage (estimate).
    """

    how_many: str
    what: str
    use: str
    euros: int
    search: str


def per_metre(kit: Kit) -> int:
    """Return the LEDs per metre of the strip that is sold with the nearest spacing to the kit's."""
    return min(_A_METRE, key=lambda sold: abs(1000 / sold - pitch(kit)))


def needs_no_solder(kit: Kit) -> bool:
    """Return whether nothing has to be soldered: the lights are a panel, and the keys have a cable."""
    return kit.panel is not None and isinstance(kit.keypad, UsbKeys)


def price(kit: Kit) -> int:
    """Return about what all parts cost, in euros (estimate)."""
    return sum(part.euros for part in parts(kit))


def parts(kit: Kit) -> Iterator[Part]:
    """Yield what to buy."""
    header = "its header soldered on" if needs_no_solder(kit) else "its header"
    pi = f"Raspberry Pi Zero 2 W, 3, 4 or 5 with {header}"
    yield Part("1", pi, "runs the program", 22, "Raspberry Pi Zero 2 WH")
    yield Part("1", "microSD card, 8 GB or more", "system and games", 6, "microSD 16 GB A1")
    yield from _supplies(kit)
    yield from _glass_and_keys(kit)
    if kit.loudspeaker is not None:
        what = "loudspeaker on USB, or with a sound card on USB"
        yield Part("1", what, "the voice, nothing to solder", 12, "USB mini speaker")
    yield from _lights(kit)
    yield from _small_parts(kit)
    yield from _front(kit)


def _supplies(kit: Kit) -> Iterator[Part]:
    amperes = kit.power.supply_ma / 1000
    if kit.power.strip == "pi":
        what = f"USB supply for that Pi, 5 V, {amperes:g} A or more"
        yield Part("1", what, "Pi, OLED and strip", 10, f"Raspberry Pi power supply 5 V {amperes:g} A")
        return
    yield Part("1", "the usual USB supply of that Pi", "Pi and OLED", 10, "Raspberry Pi power supply")
    what = f"supply 5 V, {amperes:g} A or more, with screw terminals"
    yield Part("1", what, "the strip alone", 20, f"5 V {amperes:g} A power supply, DC screw terminal")


def _glass_and_keys(kit: Kit) -> Iterator[Part]:
    keys, has_bonnet = kit.keypad, kit.glass.bonnet
    count = len(list(cells(keys)))
    if has_bonnet:
        what = "OLED bonnet 128 x 64 with joystick and two buttons"
        yield Part("1", what, "screen and keys", 25, "OLED bonnet 128x64 joystick Raspberry Pi")
        use = "leads the strip's wires out from under the bonnet"
        yield Part("1", "stacking header 2 x 20, long pins", use, 3, "GPIO stacking header 2x20 extra long")
    else:
        soldered = ", its pins soldered on" if needs_no_solder(kit) else ""
        panel = kit.glass.panel
        inches, euros = _PANELS[panel]
        what = f"OLED 128 x 64, {panel}, I2C, address 0x{kit.glass.address:02X}{soldered}"
        yield Part("1", what, "the screen", euros, f"OLED 128x64 I2C {panel} {inches} inch")
    if isinstance(keys, Keypad):
        size = f"{len(keys.rows)} x {len(keys.columns)}"
        what = f"matrix keypad {size}, or {count} key switches (MX) with caps, wired as one"
        yield Part("1", what, "the keys", 15, f"matrix keypad {size}; MX switches and keycaps 1U")
        use = "one in series with each key, its band (cathode) towards the row: keys held together stay apart"
        yield Part(str(count), "diode 1N4148, if you wire the matrix yourself", use, 1, "1N4148")
    elif isinstance(keys, UsbKeys):
        yield Part("1", "numeric keypad on USB", "the keys, nothing to solder", 12, "USB numeric keypad")
    elif not has_bonnet:
        yield Part(str(count), "push button", "the keys", count, "push button 12 mm with cap")


def _lights(kit: Kit) -> Iterator[Part]:
    if (panel := kit.panel) is not None:
        what = (
            f"panel of {panel.rows} x {panel.columns} WS2812B LEDs, 5 V, {panel.pitch:g} mm apart, with leads"
        )
        use = f"the lights, {panel.leds} of them, ready wired"
        search = f"WS2812B {panel.rows}x{panel.columns} flexible LED panel"
        yield Part("1", what, use, round(panel.leds / 10), search)
        return
    length, sold = kit.strip.leds * pitch(kit) / 1000, per_metre(kit)
    cut = pieces(kit)
    listed = ", ".join(f"{count} of {leds}" for leds, count in sorted(Counter(cut).items(), reverse=True))
    yield Part(
        f"{length:.2f} m",
        f"LED strip WS2812B, 5 V, {sold} a metre, 10 mm wide: {kit.strip.leds} LEDs",
        f"the lights, cut in pieces: {listed}",
        math.ceil(length) * _A_METRE[sold],
        f"WS2812B {sold} LED/m IP30 black 5 V",
    )
    if joints := len(cut) - 1:
        use = f"joins the pieces: 5 V, data and GND at {joints} joints"
        yield Part(str(3 * joints), "short wire", use, 3, "silicone wire 0.25 mm2, three colours")


def _small_parts(kit: Kit) -> Iterator[Part]:
    lights = "strip" if kit.panel is None else "panel"
    at_start, across = f"at the {lights}'s start", "across 5 V and GND"
    bare = needs_no_solder(kit)
    shifter = "74AHCT125, DIP-14" + ("" if bare else ", with a socket")
    yield Part("1", shifter, "raises the data from 3.3 V to 5 V", 1, "74AHCT125N DIP-14")
    yield Part("1", "R1, resistor 330 ohm (up to 470)", f"in the data line, {at_start}", 1, "330 ohm 0.25 W")
    capacitor = "C1, electrolytic capacitor 1000 uF, 6.3 V or more"
    yield Part("1", capacitor, f"{across}, {at_start}", 1, "1000 uF 10 V radial")
    yield Part("1", "C2, ceramic capacitor 100 nF", f"{across}, at the 74AHCT125", 1, "100 nF ceramic 50 V")
    holder = f"F1, slow fuse {fuse(kit):g} A with a holder" + (" on leads" if bare else "")
    search = f"fuse 5x20 slow {fuse(kit):g} A, inline holder"
    yield Part("1", holder, f"in the {lights}'s 5 V line", 3, search)
    soldered = Counter(wire.colour.name for wire in wires(kit) if not wire.is_plugged)
    colours = ", ".join(f"{count} {name}" for name, count in soldered.items())
    what = f"{'jumper wire' if bare else 'wire'} from the header: {colours}"
    search = "jumper wires 20 cm, female to male and to female"
    yield Part(str(soldered.total()), what, "see the list of wires", 4, search)
    fed = len(feeds(kit))
    use = f"5 V and GND to the {lights}" + ("'s start" if fed == 1 else f", at {fed} places")
    yield Part(str(2 * fed), "wire 0.5 mm2, red and black", use, 3, "wire 0.5 mm2 red black")
    if bare:
        use = "joins thick wires: 5 V and GND, each to the panel's two ends"
        yield Part("2", "lever connector for 5 wires", use, 2, "lever wire connector 5 way")
    board = "breadboard" if bare else "breadboard or perfboard"
    yield Part("1", board, "carries the 74AHCT125 and the parts around it", 4, "breadboard 400 points")


def _front(kit: Kit) -> Iterator[Part]:
    (width, height), holes = kit.front, len(along(kit))
    use = f"{holes} holes of {drill(kit):g} mm"
    if kit.plate is not None:
        count = len(kit.plate.openings)
        use += f", {count} opening{'s' * (count > 1)}"
    what = f"{'plate' if kit.plate else 'board'} {width:g} x {height:g} mm"
    yield Part("1", what, use, 10, "birch plywood 3 mm, or a laser service")
    if fixing := len(fixing_holes(kit)):
        what, use = "screw M3 with nut and spacer", "holds the board over the strip"
        yield Part(str(fixing), what, use, 3, "M3 standoff kit")


# --- the current -------------------------------------------------------------------------------------


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
