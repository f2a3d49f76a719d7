"""The circuit of a kit as data: the pins of the Pi's header, the wires, the feeds of the strip, the fuses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Final

from cribpi.companion.kit import CONTROLLER_MA, Buttons, Keypad, KeysSection, Kit
from cribpi.workshop.drawings.strip import rows

_ODD: Final = (
    *("3V3", "GPIO 2", "GPIO 3", "GPIO 4", "GND", "GPIO 17", "GPIO 27", "GPIO 22", "3V3", "GPIO 10"),
    *("GPIO 9", "GPIO 11", "GND", "ID SD", "GPIO 5", "GPIO 6", "GPIO 13", "GPIO 19", "GPIO 26", "GND"),
)
_EVEN: Final = (
    *("5V", "5V", "GND", "GPIO 14", "GPIO 15", "GPIO 18", "GND", "GPIO 23", "GPIO 24", "GND"),
    *("GPIO 25", "GPIO 8", "GPIO 7", "ID SC", "GND", "GPIO 12", "GND", "GPIO 16", "GPIO 20", "GPIO 21"),
)

PINS: Final[dict[int, str]] = {
    **{2 * row + 1: name for row, name in enumerate(_ODD)},
    **{2 * row + 2: name for row, name in enumerate(_EVEN)},
}
"""The names of the header's pins; 1 is next to the microSD card, and even ones are at the board's edge."""

V3, V5 = 1, 2
"""The pins for the OLED's 3.3 V and for the strip's 5 V."""

GLASS_GROUND, STRIP_GROUND = 9, 6
"""Ground pins of the OLED and the strip."""
KEYS_GROUND: Final = 39
"""Ground pin of the buttons."""


def pin_of(gpio: int) -> int:
    """Return the pin of a GPIO, 2 to 27.

    >>> pin_of(2), pin_of(10), pin_of(21)
    (3, 19, 40)

    Raises:
        ValueError: If the header has no such GPIO.
    """
    for pin, name in PINS.items():
        if name == f"GPIO {gpio}":
            return pin
    raise ValueError(f"GPIO {gpio} is not on the header; choose one of 2 to 27")


def is_left(pin: int) -> bool:
    """Return whether *pin* is in the left column, seen from above with the microSD card on top."""
    return pin % 2 == 1


def row_of(pin: int) -> int:
    """Return the row of *pin* from 0 at the top."""
    return (pin - 1) // 2


# --- the circuit -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of a wire's insulation: its name, and its colour in drawings."""

    name: str
    ink: str


RED: Final = Colour("red", "#d22630")
BLACK: Final = Colour("black", "#22252a")
ORANGE: Final = Colour("orange", "#ee7d11")
BLUE: Final = Colour("blue", "#1f62d0")
YELLOW: Final = Colour("yellow", "#d9b300")
GREEN: Final = Colour("green", "#12924a")
WHITE: Final = Colour("white", "#aab2bd")
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
"""Colours of the keys' wires, used in order and repeated."""

GLASS: Final = "OLED"
GLASS_PINS: Final = ("GND", "VCC", "SCL", "SDA")
"""The pins of most OLEDs from left to right, seen from the front; others begin with VCC."""
SEVEN_PINS: Final = (*GLASS_PINS, "RES", "DC", "CS")
"""The pins of an OLED with a reset line; the last two are grounded if it is on I2C."""
SHIFTER: Final = "74AHCT125"
STRIP: Final = "strip"
KEYS: Final = "keys"

FARTHEST: Final = 150
"""Maximum distance from an LED to a feed, in LEDs: farther away the voltage drops, and white turns red."""

# Ratings of miniature fuses in amperes, the R10 series (IEC 60127).
_FUSES: Final = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0)


# Maximum current in amperes and cross-section of a cord in mm2 (IEC 60335-1, table 11).
_CORDS: Final = ((3.0, 0.5), (6.0, 0.75), (10.0, 1.0), (16.0, 1.5), (25.0, 2.5))


@dataclass(frozen=True, slots=True)
class HeaderWire:
    """A wire from the header's *pin* to the *terminal* of a *device*; *gpio* is None for supply and ground.

    If it *is_plugged*, the device plugs onto the header, and the wire needs no solder.
    """

    pin: int
    gpio: int | None
    device: str
    terminal: str
    colour: Colour
    is_plugged: bool = False

    @property
    def signal(self) -> str:
        """Name of the pin: a GPIO, 3V3, 5V or GND."""
        return PINS[self.pin]


def wires(kit: Kit) -> tuple[HeaderWire, ...]:
    """Return every wire that leaves the header, in the order of soldering: OLED, strip, keys."""
    glass = kit.glass
    return (
        HeaderWire(V3, None, GLASS, "VCC", ORANGE, glass.bonnet),
        HeaderWire(pin_of(glass.data), glass.data, GLASS, "SDA", BLUE, glass.bonnet),
        HeaderWire(pin_of(glass.clock), glass.clock, GLASS, "SCL", YELLOW, glass.bonnet),
        HeaderWire(GLASS_GROUND, None, GLASS, "GND", BLACK, glass.bonnet),
        *(
            [HeaderWire(pin_of(glass.reset), glass.reset, GLASS, "RES", WHITE, glass.bonnet)]
            if glass.reset is not None
            else ()
        ),
        *_strip_wires(kit),
        *_key_wires(kit),
    )


def _strip_wires(kit: Kit) -> Iterator[HeaderWire]:
    gpio = kit.strip.gpio
    if gpio is None:  # a WLED controller has no wires to the Pi
        return
    if kit.power.strip == "pi":
        yield HeaderWire(V5, None, STRIP, "5 V", RED)
    yield HeaderWire(STRIP_GROUND, None, STRIP, "GND", BLACK)
    yield HeaderWire(pin_of(gpio), gpio, SHIFTER, "1A", GREEN)


def _key_wires(kit: Kit) -> Iterator[HeaderWire]:
    keys = kit.keypad
    lines: list[tuple[str, int]] = []
    is_plugged = kit.glass.bonnet and isinstance(keys, Buttons)
    if isinstance(keys, Keypad):
        lines += ((f"row {n}", gpio) for n, gpio in enumerate(keys.rows, start=1))
        lines += ((f"column {n}", gpio) for n, gpio in enumerate(keys.columns, start=1))
    elif isinstance(keys, Buttons):
        lines += keys.pins
    for (name, gpio), colour in zip(lines, cycle(KEY_COLOURS), strict=False):
        yield HeaderWire(pin_of(gpio), gpio, KEYS, name, colour, is_plugged)
    # The buttons of a bonnet share the OLED's ground wire.
    if isinstance(keys, Buttons) and not is_plugged:
        yield HeaderWire(KEYS_GROUND, None, KEYS, "GND", BLACK)


def cells(keys: KeysSection) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each key, and its row and column from 0."""
    for row, names in enumerate(keys.keys):
        yield from ((name, row, column) for column, name in enumerate(names) if name)


def feeds(kit: Kit) -> tuple[int, ...]:
    """Return the positions at which the strip is fed with 5 V and ground, as the LEDs that follow them.

    A feed at the end of the strip is the number of LEDs.  A feed in the middle is placed at the nearest joint
    of two rows, where the strip is cut anyway.
    """
    leds = kit.strip.leds
    if leds <= FARTHEST:
        return (0,)
    spans = math.ceil(leds / (2 * FARTHEST))
    # A feed may be moved by this many LEDs: then no LED is farther than FARTHEST from a feed.
    reach = FARTHEST - leds / spans / 2
    joints = sorted({min(row[0].led, row[-1].led) for row in rows(kit)} - {0})
    middles = []
    for span in range(1, spans):
        wish = span * leds / spans
        near = [joint for joint in joints if abs(joint - wish) <= reach / 2]
        middles.append(min(near, key=lambda joint: abs(joint - wish), default=round(wish)))
    return (0, *middles, leds)


def cord(kit: Kit) -> float:
    """Return the minimum cross-section in mm2 of the wires that *kit*'s fuse protects.

    >>> from cribpi.companion.kit.reader import load_kit
    >>> cord(load_kit("table"))
    0.5
    """
    return next((area for most, area in _CORDS if fuse(kit) <= most), _CORDS[-1][1])


def feed_share(kit: Kit) -> float:
    """Return the share of the strip supplied by the feed with the highest load.

    A feed supplies half of each piece next to it.

    >>> from cribpi.companion.kit.reader import load_kit
    >>> feed_share(load_kit("table")), feed_share(load_kit("strip-121"))
    (0.5, 1.0)
    """
    leds = kit.strip.leds
    halves = [0, *((start + end) / 2 for start, end in pairwise(feeds(kit))), leds]
    return max(end - start for start, end in pairwise(halves)) / leds


def feeds_have_fuses(kit: Kit) -> bool:
    """Return whether each feed of the strip has its own fuse: only if the strip can draw more than 4 A."""
    return kit.strip.max_ma > 4000


def fuse(kit: Kit, share: float = 1.0) -> float:
    """Return the rating in A of the slow fuse for *share* of the strip: at least 1.25 times its current.

    The current includes that of a WLED controller.
    """
    most = kit.strip.max_ma + (CONTROLLER_MA if kit.strip.host is not None else 0)
    wish = most * share * 1.25 / 1000
    return next((amperes for amperes in _FUSES if amperes >= wish), math.ceil(wish))
