"""The strip's picture: the lamps to light, and the bytes that are sent to the LEDs."""

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
"""Exponent from lightness to light: the eye sees half of the lightness at a fifth of the light."""

FULL: Final = 1.0
"""The light of a front peg."""

QUARTER: Final = 0.25
"""The light of a back peg: a quarter of the light, not of the lightness.

That is two stops, which the eye sees as a little over half: clearly the dimmer of two pegs.  A
quarter of the lightness would be a 28th of the light, lost across a lit room, and already at half
brightness less than the LED's smallest step, where its hue is lost too.
"""

DARKEST: Final = 9 / 255
"""The least share of the full light, unless a lamp is off: with fewer of the LED's steps, orange would be
red, and a back peg as bright as its front peg. It is the light of a brightness of a quarter."""

MA_FULL: Final = (16, 11, 15)
"""Current in mA of an LED at full red, green and blue, over `MA_REST`."""

MA_REST: Final = 1
"""Current in mA of a dark LED."""

_SIDE_LIGHT: Final = tuple(tuple(255 * (value / 255) ** GAMMA for value in colour) for colour in SIDE_COLOURS)
_LEAST: Final = ((3, 1, 0), (0, 0, 1), (1, 1, 1))
"""The least of each colour in a lit LED: orange keeps its green, and with less red would be yellow."""

_STEPS: Final = 512
"""Number of brightness steps that are tried to keep a frame within its current."""

_HALF: Final = 0.5
"""A light between those of a back peg and a front peg."""

_LedLook: TypeAlias = tuple[int, float]
"""The look of an LED: the side whose colour it shows, and its light."""

_GHOST: Final[_LedLook] = (2, QUARTER)
"""The look of a ghost: as dim as a back peg, in the colour that a game of two leaves unused."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The colours of a whole strip as sent to its LEDs: after gamma, and within the current.

    *data* is three bytes an LED, red, green and blue, from LED 0.

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
    """A lamp of *side*'s colour at the *hole* of a score; *light* from 0 (off) to 1, in light, not lightness.

    On a board with two laps *hole* counts on: 61 is then the first hole again.
    """

    side: int
    hole: int
    light: float = FULL


@dataclass(frozen=True, slots=True)
class Lights:
    """The lamps to light at one instant.

    *pegs* stand in holes. If one side has several lamps in a hole, the brightest shows; if several sides meet
    on one LED they take turns, and *turn* (0, 1, 2 ...) selects one of them. *games* is the games won per
    side: each side gets one more peg, in the kit's holes for them. *over* lies over the pegs: a walking peg,
    a gesture; of two such lamps on an LED the later shows. *target* is the score to win: it decides which
    hole is the game hole of a board of 61 holes. *ghosts* are pairs of side and hole, dimly lit in white
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


def meet_on_a_led(kit: Kit, lights: Lights) -> bool:
    """Return whether pegs of several sides share an LED, so that they have to take turns."""
    return any(len(sides) > 1 for sides in _pegs_by_led(kit, lights).values())


def current(frame: Frame) -> float:
    """Return the current in mA of a strip that shows *frame*.

    >>> current(Frame(bytes([255, 0, 0, 0, 0, 0])))
    18.0
    """
    return MA_REST * len(frame) + _cost(frame.data) / 255


def compose(kit: Kit, lights: Lights, *, brightness: float = 1.0, max_ma: int | None = None) -> Frame:
    """Return the frame that shows *lights* on *kit*'s strip.

    *brightness*, from 0 (dark) to 1, is as the eye sees it. Three lamps are not shown: one in a start without
    an LED, one past the game hole of a board with two laps, and a game won on a kit without holes for games.
    Below a quarter, every brightness but 0 is the same, so that a front peg stays brighter than a back peg,
    and orange stays orange. The whole frame is dimmed evenly if it would draw more than *max_ma* (by default
    the kit's limit); every lit LED keeps the least of its colour while there is current for it.

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
    """Return the colour of an LED with *look*; *factor* is the brightness, in light."""
    side, light = look
    colour = (int(value * light * factor + 0.5) for value in _SIDE_LIGHT[side])
    # Colour-blind people who see no red tell orange only by its green, so the dimmest front peg keeps two
    # steps of green and its back peg one.
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
    """Return the pegs' lights by LED and side; of several of one side, the brightest."""
    lit = [(kit.led(lamp.side, lamp.hole, lights.target), lamp.side, lamp.light) for lamp in lights.pegs]
    won = [(kit.games_led(side, games), side, FULL) for side, games in enumerate(lights.games)]
    by_led: dict[int, dict[int, float]] = {}
    for led, side, light in (*lit, *won):
        if led is not None and light > 0:
            sides = by_led.setdefault(led, {})
            sides[side] = max(light, sides.get(side, 0.0))
    return by_led


def _cost(data: bytes | bytearray) -> int:
    """Return the current of the colours in *data* over that of dark LEDs, in 255ths of a mA."""
    red, green, blue = MA_FULL
    return red * sum(data[0::3]) + green * sum(data[1::3]) + blue * sum(data[2::3])


def _dimmed(looks: dict[int, _LedLook], factor: float, most: int, leds: int) -> bytes:
    """Return the colours of *looks* at the greatest brightness under *factor* that draws at most *most*.

    They are calculated at the lower brightness: scaling the brighter ones down would round twice, and a few
    steps of orange would turn red.  If even the least of all is too much, the last LEDs stay dark.
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
