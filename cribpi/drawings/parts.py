"""The parts of a kit, with how many and what for, and the current that they draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cribpi.drawings.circuit import FARTHEST, feeds, fuse, wires
from cribpi.drawings.strip import holes_of, pieces, pitch
from cribpi.drawings.template import drill, fixing_holes
from cribpi.kit import GLASS_MA, PI_MA, Buttons, Keypad, Kit
from cribpi.views.lights.frame import MA_FULL, MA_REST, QUARTER

_SOLD: Final = (30, 60, 74, 96, 100, 144)  # LEDs a metre that strips are sold with


@dataclass(frozen=True, slots=True)
class Part:
    """A line of the shopping list; *count* is a number, or a length with its unit."""

    count: str
    what: str
    use: str


@dataclass(frozen=True, slots=True)
class Draw:
    """A line of the current budget, in mA; one that *is_sum* is compared with the supply."""

    what: str
    ma: int
    why: str
    is_sum: bool = False


def per_metre(kit: Kit) -> int:
    """Return the LEDs per metre of the strip that is sold with the nearest spacing to the kit's."""
    return min(_SOLD, key=lambda sold: abs(1000 / sold - pitch(kit)))


def parts(kit: Kit) -> tuple[Part, ...]:
    return (*_computer(kit), *_glass_and_keys(kit), *_lights(kit), *_small_parts(kit), *_wood(kit))


def _computer(kit: Kit) -> Iterator[Part]:
    yield Part("1", "Raspberry Pi Zero 2 W, 3, 4 or 5 with its header", "runs the program")
    yield Part("1", "microSD card, 8 GB or more", "system and games")
    if kit.power.strip == "pi":
        amperes = kit.power.supply_ma / 1000
        yield Part("1", f"USB supply for that Pi, 5 V, {amperes:g} A or more", "Pi, OLED and strip")
    else:
        yield Part("1", "the usual USB supply of that Pi", "Pi and OLED")
        amperes = kit.power.supply_ma / 1000
        yield Part("1", f"supply 5 V, {amperes:g} A or more, with screw terminals", "the strip alone")


def _glass_and_keys(kit: Kit) -> Iterator[Part]:
    keys = kit.keypad
    count = sum(bool(name) for row in keys.keys for name in row)
    if kit.glass.bonnet:
        yield Part("1", "OLED bonnet 128 x 64 with joystick and two buttons", "screen and keys")
        yield Part(
            "1", "stacking header 2 x 20, long pins", "leads the strip's wires out from under the bonnet"
        )
    else:
        yield Part("1", f"OLED 128 x 64, SSD1306, I2C, address 0x{kit.glass.address:02X}", "the screen")
    if isinstance(keys, Keypad):
        size = f"{len(keys.rows)} x {len(keys.columns)}"
        yield Part("1", f"matrix keypad {size}, or {count} push buttons wired as one", "the keys")
        yield Part(
            str(count),
            "diode 1N4148, if you wire the matrix yourself",
            "one in series with each key, its band (cathode) towards the row: keys held together stay apart",
        )
    elif isinstance(keys, Buttons):
        if not kit.glass.bonnet:
            yield Part(str(count), "push button", "the keys")
    else:
        yield Part("1", "numeric keypad on USB", "the keys, nothing to solder")


def _lights(kit: Kit) -> Iterator[Part]:
    sold = per_metre(kit)
    length = kit.strip.leds * pitch(kit) / 1000
    cut = pieces(kit)
    told = ", ".join(f"{count} of {leds}" for leds, count in sorted(Counter(cut).items(), reverse=True))
    yield Part(
        f"{length:.2f} m",
        f"LED strip WS2812B, 5 V, {sold} a metre, 10 mm wide: {kit.strip.leds} LEDs",
        f"the lights, cut in pieces: {told}",
    )
    joints = len(cut) - 1
    if joints:
        yield Part(str(3 * joints), "short wire", f"joins the pieces: 5 V, data and GND at {joints} joints")


def _small_parts(kit: Kit) -> Iterator[Part]:
    yield Part("1", "74AHCT125, DIP-14, with a socket", "raises the data from 3.3 V to 5 V")
    yield Part("1", "R1, resistor 330 ohm (up to 470)", "in the data line, at the strip's start")
    yield Part(
        "1", "C1, electrolytic capacitor 1000 uF, 6.3 V or more", "across 5 V and GND, at the strip's start"
    )
    yield Part("1", "C2, ceramic capacitor 100 nF", "across 5 V and GND, at the 74AHCT125")
    yield Part("1", f"F1, slow fuse {fuse(kit):g} A with a holder", "in the strip's 5 V line")
    soldered = Counter(wire.colour.name for wire in wires(kit) if not wire.is_plugged)
    colours = ", ".join(f"{count} {name}" for name, count in soldered.items())
    yield Part(str(soldered.total()), f"wire from the header: {colours}", "see the list of wires")
    fed = len(feeds(kit))
    yield Part(
        str(2 * fed),
        "wire 0.5 mm2, red and black",
        "5 V and GND to " + ("the strip's start" if fed == 1 else f"the strip, at {fed} places"),
    )
    yield Part("1", "breadboard or perfboard", "carries the 74AHCT125 and the parts around it")


def _wood(kit: Kit) -> Iterator[Part]:
    board = kit.board
    yield Part(
        "1",
        f"board {board.width:g} x {board.height:g} mm",
        f"{sum(1 for _ in holes_of(kit))} holes of {drill(kit):g} mm",
    )
    fixing = len(fixing_holes(kit))
    if fixing:
        yield Part(str(fixing), "screw M3 with nut and spacer", "holds the board over the strip")


def budget(kit: Kit) -> tuple[Draw, ...]:
    leds = kit.strip.leds
    full = MA_REST + sum(MA_FULL)
    pegs = round(2 * (1 + QUARTER) * sum(MA_FULL))
    lines = [
        Draw("strip, dark", leds * MA_REST, f"{leds} LEDs, {MA_REST} mA each"),
        Draw(
            "strip, two front and two back pegs",
            leds * MA_REST + pegs,
            "at most, as if they were white",
        ),
        Draw(
            "strip, all white",
            leds * full,
            f"{full} mA each; never reached: the program dims the lights first",
        ),
        Draw(
            "strip, the most that the program allows",
            kit.strip.max_ma,
            "strip.max_ma in kit.toml",
            is_sum=True,
        ),
        Draw("Raspberry Pi", PI_MA, "estimate, nothing else plugged in"),
        Draw("OLED", GLASS_MA, "estimate, every pixel lit"),
    ]
    if kit.power.strip == "pi":
        lines.append(Draw("total", kit.strip.max_ma + PI_MA + GLASS_MA, "strip, Pi and OLED", is_sum=True))
    lines.append(Draw("supply", kit.power.supply_ma, "power.supply_ma, or what such a kit usually has"))
    return tuple(lines)


def margin(kit: Kit) -> tuple[int, int]:
    """Return what the supply has to spare, in mA and in per cent of it."""
    drawn = kit.strip.max_ma + (PI_MA + GLASS_MA if kit.power.strip == "pi" else 0)
    spare = kit.power.supply_ma - drawn
    return spare, round(100 * spare / kit.power.supply_ma)


def in_words(kit: Kit) -> tuple[str, ...]:
    """Return what follows from the budget, as sentences."""
    spare, share = margin(kit)
    whose = "The Pi's supply" if kit.power.strip == "pi" else "The strip's own supply"
    told = [
        f"{whose} gives {kit.power.supply_ma} mA and has {spare} mA to spare, {share} %.",
        f"The fuse F1 is {fuse(kit):g} A, slow: a quarter or more above {kit.strip.max_ma} mA.",
    ]
    if kit.power.strip == "pi":
        told.append("A Pi's own 5 V pin can spare about 500 mA for a strip (estimate).")
    if len(feeds(kit)) > 1:
        told.append(f"The strip is fed at {len(feeds(kit))} places: no LED is more than {FARTHEST} from one.")
    told.append("These currents are calculated, not measured on a Pi.")
    return tuple(told)
