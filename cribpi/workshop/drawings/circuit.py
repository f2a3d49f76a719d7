"""Which wire goes where: the circuit of a kit, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Final

from cribpi.companion.kit import Buttons, Keypad, Kit
from cribpi.workshop.drawings import header
from cribpi.workshop.drawings.strip import rows


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


def _glass_wires(kit: Kit) -> tuple[Wire, ...]:
    glass = kit.glass
    return (
        Wire(header.V3, None, GLASS, "VCC", ORANGE, glass.bonnet),
        Wire(header.pin_of(glass.data), glass.data, GLASS, "SDA", BLUE, glass.bonnet),
        Wire(header.pin_of(glass.clock), glass.clock, GLASS, "SCL", YELLOW, glass.bonnet),
        Wire(header.GLASS_GROUND, None, GLASS, "GND", BLACK, glass.bonnet),
    )


def _strip_wires(kit: Kit) -> Iterator[Wire]:
    gpio = kit.strip.gpio
    if kit.power.strip == "pi":
        yield Wire(header.V5, None, STRIP, "5 V", RED)
    yield Wire(header.STRIP_GROUND, None, STRIP, "GND", BLACK)
    yield Wire(header.pin_of(gpio), gpio, SHIFTER, "1A", GREEN)


def _key_wires(kit: Kit) -> Iterator[Wire]:
    keys = kit.keypad
    lines: list[tuple[str, int]] = []
    is_plugged = kit.glass.bonnet and isinstance(keys, Buttons)
    if isinstance(keys, Keypad):
        lines += ((f"row {n}", gpio) for n, gpio in enumerate(keys.rows, start=1))
        lines += ((f"column {n}", gpio) for n, gpio in enumerate(keys.columns, start=1))
    elif isinstance(keys, Buttons):
        lines += keys.pins
    for (name, gpio), colour in zip(lines, cycle(KEY_COLOURS), strict=False):
        yield Wire(header.pin_of(gpio), gpio, KEYS, name, colour, is_plugged)
    # The buttons of a bonnet share the OLED's ground, which is drawn with the OLED.
    if isinstance(keys, Buttons) and not is_plugged:
        yield Wire(header.KEYS_GROUND, None, KEYS, "GND", BLACK)


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
    joints = sorted({min(row[0].led, row[-1].led) for row in rows(kit)} - {0})
    middles = []
    for span in range(1, spans):
        wish = span * leds / spans
        near = [joint for joint in joints if abs(joint - wish) <= reach / 2]
        middles.append(min(near, key=lambda joint: abs(joint - wish), default=round(wish)))
    return (0, *middles, leds)


def fuse(kit: Kit) -> float:
    """Return the slow fuse in the strip's 5 V line, in A: the next rating from 1.25 times `max_ma`."""
    wish = kit.strip.max_ma * 1.25 / 1000
    return next((amperes for amperes in _FUSES if amperes >= wish), math.ceil(wish))
