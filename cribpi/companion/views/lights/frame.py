"""Frames of the LED strip: composes the lamps to light into the bytes that are sent to the LEDs."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from cribpi.companion.kit import HOLES, Kit

SIDE_COLOURS: Final = ((255, 96, 0), (0, 70, 255), (185, 185, 185))
"""Each side's colour in sRGB, before gamma correction: orange, blue, white.

White must be bright enough for people who can't see blue to distinguish its back peg from the blue one.  It
must be dim enough not to look like a front peg.  `docs/explanation/strip.md` has the colour distances.
"""

GAMMA: Final = 2.4
"""Exponent from lightness, as the eye sees it, to light.  Half of the lightness is a fifth of the light."""

FULL: Final = 1.0
"""The light of a front peg."""

QUARTER: Final = 0.25
"""The light of a back peg: a quarter of the light, not of the lightness.

A quarter of the light, two stops, looks a little over half as bright: clearly the dimmer of two pegs.  A
quarter of the lightness would be a 28th of the light, too dim in a lit room.  At half brightness it would be
less than the LED's smallest step, and lose its hue.
"""

DARKEST: Final = 9 / 255
"""Minimum light of a lamp that is on, as a share of full light: that of a brightness of a quarter.

With less, the LED has too few steps: orange would turn red, and a back peg be as bright as a front peg."""

MA_FULL: Final = (16, 11, 15)
"""Current in mA of an LED at full red, green and blue, in addition to `MA_REST`."""

MA_REST: Final = 1
"""Current in mA of a dark LED."""

_SIDE_LIGHT: Final = tuple(tuple(255 * (value / 255) ** GAMMA for value in colour) for colour in SIDE_COLOURS)
_LEAST: Final = ((3, 1, 0), (0, 0, 1), (1, 1, 1))
"""Minimum colour of a lit LED by side.  Orange keeps its green, and enough red not to look yellow."""

_STEPS: Final = 512
"""Number of brightness steps to choose from when a frame is dimmed to its maximum current."""

_HALF: Final = 0.5
"""Threshold between the light of a back peg and of a front peg."""

_LedLook: TypeAlias = tuple[int, float]
"""The look of an LED: the side that gives its colour, and its light, 0 to 1."""

_GHOST: Final[_LedLook] = (2, QUARTER)
"""The look of a ghost, a hole to compare with: as dim as a back peg, in the third side's colour."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The colours of a whole strip as sent to the LEDs, after gamma correction and current limiting.

    *data* has three bytes per LED, from LED 0: red, green, blue.

    >>> Frame(bytes([9, 4, 0, 0, 0, 7]))[1]
    (0, 0, 7)
    """

    data: bytes

    @classmethod
    def dark(cls, leds: int) -> Frame:
        return cls(bytes(3 * leds))

    def __len__(self) -> int:
        return len(self.data) // 3

    def __getitem__(self, led: int) -> tuple[int, int, int]:
        if not 0 <= led < len(self):
            raise IndexError(f"there is no LED {led}; the strip has 0 to {len(self) - 1}")
        red, green, blue = self.data[3 * led : 3 * led + 3]
        return red, green, blue

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return (self[led] for led in range(len(self)))


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp in the colour of *side* at the *hole* for a score, 0 to 121.

    *light* is 0 (off) to 1, in light, not lightness.  On a board with two laps, *hole* is still the score: 61
    is in the first hole again.
    """

    side: int
    hole: int
    light: float = FULL


@dataclass(frozen=True, slots=True)
class Lights:
    """The lamps to light at one instant.

    *pegs* stand in holes. If a side has several lamps in a hole, the brightest is shown. If several sides
    meet on one LED they take turns, and *turn* (0, 1, 2 ...) selects one of them. *over* covers the pegs: a
    walking peg or a gesture; of several such lamps on an LED, the last is shown. *games* is the number of
    games won per side, which the kit's holes for games show. *target* is the score to win, which decides
    where the game hole is on a board with two laps. *ghosts* are pairs of side and hole, dimly lit in white
    unless something else is lit there.
    """

    pegs: tuple[Lamp, ...] = ()
    over: tuple[Lamp, ...] = ()
    turn: int = 0
    games: tuple[int, ...] = ()
    target: int = HOLES
    ghosts: tuple[tuple[int, int], ...] = ()


def light_of(lightness: float) -> float:
    """Return the light, 0 to 1, that the eye sees as *lightness*, 0 to 1.

    >>> round(light_of(0.5), 2)
    0.19
    """
    return float(lightness**GAMMA)


def as_seen(duty: int) -> int:
    """Return the value of a pixel that looks as bright as an LED of *duty*, both 0 to 255.

    LEDs are linear in light and pixels are not.  Without this, dim LEDs would look too dark.

    >>> as_seen(0), as_seen(64), as_seen(255)
    (0, 143, 255)
    """
    return round(255 * float((duty / 255) ** (1 / GAMMA)))


def meet_on_a_led(kit: Kit, lights: Lights) -> bool:
    """Return whether pegs of several sides share an LED and must take turns."""
    return any(len(sides) > 1 for sides in _pegs_by_led(kit, lights).values())


def current(frame: Frame) -> float:
    """Return the current in mA of a strip that shows *frame*.

    >>> current(Frame(bytes([255, 0, 0, 0, 0, 0])))
    18.0
    """
    return MA_REST * len(frame) + _cost(frame.data) / 255


def compose(kit: Kit, lights: Lights, *, brightness: float = 1.0, max_ma: int | None = None) -> Frame:
    """Return the frame that shows *lights* on *kit*'s strip.

    *brightness*, from 0 (dark) to 1, is as the eye sees it. A lamp is left out if the kit has no LED for it:
    at the start, past the game hole of a board with two laps, or for games won.

    Every brightness from just above 0 to a quarter is shown as a quarter: below that, a back peg would look
    like a front peg, and orange like red. If the frame would draw more than *max_ma* (by default the kit's
    limit), it is dimmed evenly. Every lit LED keeps its minimum colour as long as there is current for it.

    Raises:
        ValueError: If *brightness* is out of range, or a lamp's side or hole is not on the kit.
    """
    if not 0 <= brightness <= 1:
        raise ValueError(f"brightness {brightness} is out of range; give 0 (dark) to 1")
    looks = _looks_by_led(kit, lights) if brightness > 0 else {}
    factor = max(light_of(brightness), DARKEST)
    data = bytearray(3 * kit.strip.leds)
    for led, look in looks.items():
        data[3 * led : 3 * led + 3] = _colour(look, factor)
    most = 255 * max((kit.strip.max_ma if max_ma is None else max_ma) - MA_REST * kit.strip.leds, 0)
    return Frame(bytes(data) if _cost(data) <= most else _dimmed(looks, factor, most, kit.strip.leds))


@lru_cache(maxsize=1024)
def _colour(look: _LedLook, factor: float) -> bytes:
    """Return the bytes of an LED with *look*; *factor* is the brightness, in light."""
    side, light = look
    colour = (int(value * light * factor + 0.5) for value in _SIDE_LIGHT[side])
    # People who can't see red recognize orange only by its green.  So a front peg keeps two steps of green
    # even when dimmest, and a back peg one.
    least = 2 if light > _HALF else 1
    return bytes(max(value, least * step) for value, step in zip(colour, _LEAST[side], strict=True))


def _looks_by_led(kit: Kit, lights: Lights) -> dict[int, _LedLook]:
    by_led = _pegs_by_led(kit, lights).items()
    shown = {led: sorted(sides.items())[lights.turn % len(sides)] for led, sides in by_led}
    for lamp in lights.over:
        led_over = kit.led(lamp.side, lamp.hole, lights.target)
        if led_over is not None and lamp.light > 0:
            shown[led_over] = lamp.side, lamp.light
    for side, hole in lights.ghosts:
        led_under = kit.led(side, hole, lights.target)
        if led_under is not None:
            shown.setdefault(led_under, _GHOST)
    return shown


def _pegs_by_led(kit: Kit, lights: Lights) -> dict[int, dict[int, float]]:
    """Return the light of the pegs by LED and side; of several pegs of one side, that of the brightest."""
    lit = [(kit.led(lamp.side, lamp.hole, lights.target), lamp.side, lamp.light) for lamp in lights.pegs]
    won = [(kit.games_led(side, games), side, FULL) for side, games in enumerate(lights.games)]
    by_led: dict[int, dict[int, float]] = {}
    for led, side, light in (*lit, *won):
        if led is not None and light > 0:
            sides = by_led.setdefault(led, {})
            sides[side] = max(light, sides.get(side, 0.0))
    return by_led


def _cost(data: bytes | bytearray) -> int:
    """Return the current of the colours in *data* in addition to that of dark LEDs, in 1/255 mA."""
    red, green, blue = MA_FULL
    return red * sum(data[0::3]) + green * sum(data[1::3]) + blue * sum(data[2::3])


def _dimmed(looks: dict[int, _LedLook], factor: float, most: int, leds: int) -> bytes:
    """Return the bytes of *looks* at the highest brightness below *factor* that draws at most *most*.

    *most* is in 1/255 mA.  The colours are computed anew from the looks: scaling the bytes down would round
    twice, and turn dim orange red.  If even the lowest brightness draws too much, the last LEDs stay dark.
    """
    counts = Counter(looks.values()).items()

    def cost(step: int) -> int:
        return sum(many * _cost(_colour(look, factor * step / _STEPS)) for look, many in counts)

    step = max(bisect_right(range(_STEPS), most, key=cost) - 1, 0)
    data, remaining = bytearray(3 * leds), most
    for led, look in looks.items():
        colour = _colour(look, factor * step / _STEPS)
        remaining -= _cost(colour)
        if remaining >= 0:
            data[3 * led : 3 * led + 3] = colour
    return bytes(data)
