"""Which wire goes where: the circuit of a kit, before anything is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from cribpi.drawings import header
from cribpi.kit import Buttons, Keypad, Kit, Place


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of a wire's insulation: its name, and how it is drawn."""

    name: str
    ink: str


RED: Final = Colour("red", "#d22630")
BLACK: Final = Colour("black", "#22252a")
ORANGE: Final = Colour("orange", "#ee7d11")
BLUE: Final = Colour("blue", "#1f62d0")
YELLOW: Final = Colour("yellow", "#d9b300")
GREEN: Final = Colour("green", "#12924a")
KEY_COLOURS: Final = (
    Colour("brown", "#7b4a24"),
    Colour("purple", "#7e3fb2"),
    Colour("grey", "#868c95"),
    Colour("pink", "#ec77ab"),
    Colour("turquoise", "#0aa3b5"),
    YELLOW,
    BLUE,
    GREEN,
    ORANGE,
)
"""The colours of the keys' wires, in order; after the last comes the first again."""

GLASS: Final = "OLED"
SHIFTER: Final = "74AHCT125"
STRIP: Final = "strip"
KEYS: Final = "keys"

FARTHEST: Final = 150
"""The most LEDs from any one to where the strip is fed: farther on the voltage drops, and white turns red."""

# In amperes: the series R10, in which miniature fuses are rated (IEC 60127).
_FUSES: Final = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0)


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire from the header's *pin* to the *terminal* of a *device*; *gpio* is None for supply and ground.

    One that *is_plugged* is made by plugging the device on the header, and needs no solder.
    """

    pin: int
    gpio: int | None
    device: str
    terminal: str
    colour: Colour
    is_plugged: bool = False

    @property
    def signal(self) -> str:
        """What the header calls the pin: a GPIO, 3V3, 5V or GND."""
        return header.PINS[self.pin]


def wires(kit: Kit) -> tuple[Wire, ...]:
    """Return every wire that leaves the header, in the order of soldering: OLED, strip, keys."""
    return (*_glass_wires(kit), *_strip_wires(kit), *_key_wires(kit))


def gpios(kit: Kit) -> tuple[int, ...]:
    """Return every GPIO that has a wire, in order."""
    keys = kit.keypad
    of_keys: tuple[int, ...] = ()
    if isinstance(keys, Keypad):
        of_keys = (*keys.rows, *keys.columns)
    elif isinstance(keys, Buttons):
        of_keys = tuple(gpio for _, gpio in keys.pins)
    return tuple(sorted((kit.glass.data, kit.glass.clock, kit.strip.gpio, *of_keys)))


def _glass_wires(kit: Kit) -> tuple[Wire, ...]:
    glass = kit.glass
    return (
        Wire(header.V3, None, GLASS, "VCC", ORANGE, glass.bonnet),
        Wire(header.pin_of(glass.data), glass.data, GLASS, "SDA", BLUE, glass.bonnet),
        Wire(header.pin_of(glass.clock), glass.clock, GLASS, "SCL", YELLOW, glass.bonnet),
        Wire(header.GLASS_GROUND, None, GLASS, "GND", BLACK, glass.bonnet),
    )


def _strip_wires(kit: Kit) -> tuple[Wire, ...]:
    gpio = kit.strip.gpio
    supply = (Wire(header.V5, None, STRIP, "5 V", RED),) if kit.power.strip == "pi" else ()
    return (
        *supply,
        Wire(header.STRIP_GROUND, None, STRIP, "GND", BLACK),
        Wire(header.pin_of(gpio), gpio, SHIFTER, "1A", GREEN),
    )


def _key_wires(kit: Kit) -> tuple[Wire, ...]:
    keys = kit.keypad
    if isinstance(keys, Keypad):
        lines = [(f"row {n}", gpio) for n, gpio in enumerate(keys.rows, start=1)]
        lines += [(f"column {n}", gpio) for n, gpio in enumerate(keys.columns, start=1)]
        return _coloured(lines, is_plugged=False)
    if isinstance(keys, Buttons):
        on_bonnet = kit.glass.bonnet
        ground = Wire(header.KEYS_GROUND, None, KEYS, "GND", BLACK)
        # The buttons of a bonnet share the OLED's ground, which is drawn with the OLED.
        return (*_coloured(list(keys.pins), is_plugged=on_bonnet), *(() if on_bonnet else (ground,)))
    return ()


def _coloured(lines: list[tuple[str, int]], *, is_plugged: bool) -> tuple[Wire, ...]:
    return tuple(
        Wire(header.pin_of(gpio), gpio, KEYS, name, KEY_COLOURS[n % len(KEY_COLOURS)], is_plugged)
        for n, (name, gpio) in enumerate(lines)
    )


def feeds(kit: Kit) -> tuple[int, ...]:
    """Return before which LEDs the strip is fed with 5 V and ground; the number of LEDs is its end.

    A feed in the middle is at the nearest joint of two rows, where the strip is cut anyway.
    """
    leds = kit.strip.leds
    if leds <= FARTHEST:
        return (0,)
    spans = math.ceil(leds / (2 * FARTHEST))
    # How far a feed may be from its even place, so that no LED between two is farther than FARTHEST.
    reach = FARTHEST - leds / spans / 2
    middles = []
    for span in range(1, spans):
        wish = span * leds / spans
        near = [joint for joint in _joints(kit) if abs(joint - wish) <= reach / 2]
        middles.append(min(near, key=lambda joint: abs(joint - wish), default=round(wish)))
    return (0, *middles, leds)


def _joints(kit: Kit) -> list[int]:
    """Return the first LEDs of the rows, without that of the strip."""
    runs = rows_of(kit)
    return sorted({min(run[0], run[-1]) for run in runs} - {0})


def rows_of(kit: Kit) -> tuple[tuple[int, ...], ...]:
    """Return the LEDs of each straight row of holes, in the order of the holes."""
    rows: list[list[int]] = []
    for places in (holes for track in kit.tracks for holes in (track.holes, *(r.holes for r in track.games))):
        row: list[Place] = []
        for place in places:
            if row and not _goes_on(row, place):
                rows.append([lit.led for lit in row])
                row = []
            row.append(place)
        rows.append([lit.led for lit in row])
    return tuple(map(tuple, rows))


def _goes_on(row: list[Place], place: Place) -> bool:
    """Return whether *place* continues *row*: straight, evenly, and its LED next on the strip."""
    last = row[-1]
    if abs(place.led - last.led) != 1:
        return False
    if len(row) == 1:
        return True
    before = row[-2]
    step, first = (place.x - last.x, place.y - last.y), (last.x - before.x, last.y - before.y)
    # Places are rounded to a hundredth of a millimetre, so steps of one row differ by two at most.
    return all(abs(a - b) < 0.05 for a, b in zip(step, first, strict=True))


def fuse(kit: Kit) -> float:
    """Return the slow fuse in the strip's 5 V line, in A: the next rating from 1.25 times `max_ma`."""
    wish = kit.strip.max_ma * 1.25 / 1000
    return next((amperes for amperes in _FUSES if amperes >= wish), math.ceil(wish))
