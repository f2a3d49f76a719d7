"""The strip's picture: what should be lit, and the bytes that the LEDs are told for it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from cribpi.companion.kit import HOLES, Kit

SIDE_COLOURS: Final = ((255, 96, 0), (0, 70, 255), (185, 185, 185))
"""Each side's colour as the eye sees it, before gamma: orange, blue, white.

White is bright enough that people who can't see blue still tell the two back pegs apart, and dim enough not
to look like a front peg; `docs/explanation/strip.md` has the distances.
"""

GAMMA: Final = 2.4
"""Light for lightness: the eye sees half of the lightness at a fifth of the light."""

FULL: Final = 1.0
"""The light of a front peg."""

QUARTER: Final = 0.25
"""The light of a back peg: a quarter of the light, not of the lightness.

That is two stops, which the eye sees as a little over half: clearly the dimmer of two pegs.  A
quarter of the lightness would be a 28th of the light, lost across a lit room, and already at half
brightness less than the LED's smallest step, where its hue is lost too.
"""

DARKEST: Final = 9 / 255
"""The least light, as a part of the full, but for none at all: with less of the LED's steps, orange would be
red, and a back peg as bright as its front peg.  It is that of a brightness of a quarter."""

MA_FULL: Final = (16, 11, 15)
"""What an LED draws for full red, green and blue, in mA, over `MA_REST`."""

MA_REST: Final = 1
"""What an LED draws while it is dark, in mA."""

_SIDE_LIGHT: Final = tuple(tuple(255 * (value / 255) ** GAMMA for value in colour) for colour in SIDE_COLOURS)
_LEAST: Final = ((3, 1, 0), (0, 0, 1), (1, 1, 1))
"""The least of each colour that a lit LED shows: orange keeps its green, and with less red were yellow."""

_STEPS: Final = 512
"""How finely a frame is dimmed to the current that there is."""

_HALF: Final = 0.5
"""Between the light of a back peg and that of a front peg."""

_Look: TypeAlias = tuple[int, float]
"""What an LED shows: whose colour, and its light."""

_GHOST: Final[_Look] = (2, QUARTER)
"""The look of a ghost: as dim as a back peg, in the colour that no side has in a game of two."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The colours of a whole strip as its LEDs are told them: after gamma, and within the current.

    *data* is three bytes an LED, red, green and blue, from LED 0.

    >>> Frame(bytes([9, 4, 0, 0, 0, 7]))[1]
    (0, 0, 7)
    """

    data: bytes

    @classmethod
    def dark(cls, leds: int) -> Frame:
        """Return the frame of *leds* LEDs that are all off."""
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
    """A *side*'s colour in the *hole* of a score; *light* from 0 (off) to 1, in light, not lightness.

    *hole* counts on where the board is gone round twice: 61 is then the first hole once more.
    """

    side: int
    hole: int
    light: float = FULL


@dataclass(frozen=True, slots=True)
class Lights:
    """What should be lit at one instant.

    *pegs* stand in holes.  Where one side has several lamps in a hole, the brightest shows; where
    several sides meet on one LED they take turns, and *turn* (0, 1, 2 ...) says whose it is.
    *games* is the games won, a number a side: one more peg of each, in the kit's holes for them.
    *over* lies over the pegs: a peg that walks, a gesture; the later of two lamps there shows.
    *target* is what the game goes to: it says which hole is the game hole of a board of 61 holes.
    *ghosts* are holes, as side and hole, that are dimly lit in white where nothing else is.
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


def meet_on_a_led(kit: Kit, lights: Lights) -> bool:
    """Return whether pegs of several sides stand on one LED, so that they have to take turns."""
    return any(len(sides) > 1 for sides in _pegs_by_led(kit, lights).values())


def current(frame: Frame) -> float:
    """Return what a strip that shows *frame* draws, in mA.

    >>> current(Frame(bytes([255, 0, 0, 0, 0, 0])))
    18.0
    """
    return MA_REST * len(frame) + _cost(frame.data) / 255


def compose(kit: Kit, lights: Lights, *, brightness: float = 1.0, max_ma: int | None = None) -> Frame:
    """Return the frame that shows *lights* on *kit*'s strip.

    *brightness*, from 0 (dark) to 1, is as the eye sees it.  A lamp in a start without an LED is
    not shown, nor is one past the game hole of a board that is gone round twice, nor are games won on a
    kit without holes for them.  However dark, a front peg stays brighter than a back peg, and orange orange:
    below a quarter, all brightness but 0 is the same.  The whole frame is dimmed evenly where it would draw
    more than *max_ma* (the kit's, unless given); every lit LED keeps the least of its colour, as long as
    there is current for it.

    Raises:
        ValueError: If *brightness* is out of range, or a lamp's side or hole is not on the kit.
    """
    if not 0 <= brightness <= 1:
        raise ValueError(f"brightness {brightness} is out of range; give 0 (dark) to 1")
    shown = _shown(kit, lights) if brightness > 0 else {}
    factor = max(light_of(brightness), DARKEST)
    data = bytearray(3 * kit.strip.leds)
    for led, look in shown.items():
        data[3 * led : 3 * led + 3] = _colour(look, factor)
    most = 255 * max((kit.strip.max_ma if max_ma is None else max_ma) - MA_REST * kit.strip.leds, 0)
    return Frame(bytes(data) if _cost(data) <= most else _dimmed(shown, factor, most, kit.strip.leds))


@lru_cache(maxsize=1024)
def _colour(look: _Look, factor: float) -> bytes:
    """Return the colour of an LED with that *look* at a brightness of *factor*, in light."""
    side, light = look
    colour = (int(value * light * factor + 0.5) for value in _SIDE_LIGHT[side])
    # Where a few steps are left, a front peg has two of green to its back peg's one: who sees no red sees
    # of orange little else.
    least = 1 + (light > _HALF)
    return bytes(max(value, least * step) for value, step in zip(colour, _LEAST[side], strict=True))


def _shown(kit: Kit, lights: Lights) -> dict[int, _Look]:
    """Return the one look of each lit LED."""
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
    """Return the lights of the pegs by LED and side, the brightest of each side."""
    lit = [(kit.led(one.side, one.hole, lights.target), one.side, one.light) for one in lights.pegs]
    won = [(kit.games_led(side, games), side, FULL) for side, games in enumerate(lights.games)]
    by_led: dict[int, dict[int, float]] = {}
    for led, side, light in (*lit, *won):
        if led is not None and light > 0:
            sides = by_led.setdefault(led, {})
            sides[side] = max(light, sides.get(side, 0.0))
    return by_led


def _cost(data: bytes | bytearray) -> int:
    """Return what the colours of *data* draw over the LEDs' rest, in 255ths of a mA."""
    red, green, blue = MA_FULL
    return red * sum(data[0::3]) + green * sum(data[1::3]) + blue * sum(data[2::3])


def _dimmed(shown: dict[int, _Look], factor: float, most: int, leds: int) -> bytes:
    """Return the colours of *shown* at the greatest brightness under *factor* that draws no more than *most*.

    They are those of a lower brightness, and not *shown*'s own scaled down: that would round twice, and a few
    steps of orange would turn red.  Where the least of all is too much, the last LEDs stay dark.
    """
    looks = Counter(shown.values()).items()

    def cost(step: int) -> int:
        return sum(many * _cost(_colour(look, factor * step / _STEPS)) for look, many in looks)

    step = max(bisect_right(range(_STEPS), most, key=cost) - 1, 0)
    data, left = bytearray(3 * leds), most
    for led, look in shown.items():
        colour = _colour(look, factor * step / _STEPS)
        left -= _cost(colour)
        if left >= 0:
            data[3 * led : 3 * led + 3] = colour
    return bytes(data)
