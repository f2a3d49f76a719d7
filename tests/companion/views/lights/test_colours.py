"""The pegs' colours as they go over the wire: everyone tells all six apart, and orange is never red."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.eyes import EYES, distance, lab
from support.pages import DOCS

from cribpi.companion.devices.strip import SpiStrip
from cribpi.companion.devices.twin.wire import Wire
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.lights.frame import FULL, MA_REST, QUARTER, Lamp, Lights, compose, current

TABLE = load_kit("table-3")
PEGS = {
    f"{side} {peg}": (number, light)
    for number, side in enumerate(("orange", "blue", "white"))
    for peg, light in (("front", FULL), ("back", QUARTER))
}
PERCENT = (100, 70, 50, 30, 15, 5)
GREEN = 24 / 255
"""Orange's green for its red, where there are steps enough."""


def on_the_wire(
    brightness: float, max_ma: int | None = None, more: int = 0
) -> dict[str, tuple[int, int, int]]:
    """Return what the LEDs of all six pegs take from the wire; *more* lamps of orange are lit besides."""
    lamps = [Lamp(side, 5 + 40 * (light == FULL), light) for side, light in PEGS.values()]
    lamps += [Lamp(0, 50 + one) for one in range(more)]
    frame = compose(TABLE, Lights(tuple(lamps)), brightness=brightness, max_ma=max_ma)
    wire = Wire(TABLE.strip.leds)
    SpiStrip(TABLE.strip.leds, wire).show(frame.data)
    leds = [TABLE.led(lamp.side, lamp.hole) for lamp in lamps[: len(PEGS)]]
    colours = [tuple(wire.colours[3 * led : 3 * led + 3]) for led in leds if led is not None]
    return dict(zip(PEGS, colours, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("percent", [*range(5, 101, 5), 1])
def test_everyone_tells_a_ghost_from_all_four_pegs_of_two_sides(percent: int, eye: str) -> None:
    lamps = tuple(Lamp(side, 5 + 40 * (light == FULL), light) for side, light in PEGS.values() if side < 2)
    frame = compose(TABLE, Lights(lamps, ghosts=((0, 50), (1, 60))), brightness=percent / 100)
    pegs = [frame[TABLE.led(lamp.side, lamp.hole) or 0] for lamp in lamps]
    ghost, other = (frame[TABLE.led(side, hole) or 0] for side, hole in ((0, 50), (1, 60)))
    assert ghost == other, "a track says whose it is"
    assert max(ghost) < max(map(max, pegs)) / 2, "dim"
    white = max(map(max, pegs))
    assert min(distance(ghost, peg, eye, white) for peg in pegs) >= 23, (ghost, pegs)


def nearest(brightness: float, eye: str) -> tuple[float, str]:
    """Return the least distance between two pegs, and whose, to an *eye* used to the brightest of them."""
    pegs = on_the_wire(brightness)
    white = max(max(colour) for colour in pegs.values())
    return min(
        (distance(pegs[one], pegs[other], eye, white), f"{one}, {other}")
        for one, other in combinations(pegs, 2)
    )


def test_the_measure_of_colours_is_that_of_the_books() -> None:
    assert lab((255, 255, 255), "all three cones", 255) == pytest.approx((100, 0, 0), abs=0.02)
    red, green = (lab(one, "all three cones", 255) for one in ((255, 0, 0), (0, 255, 0)))
    assert red == pytest.approx((53.24, 80.09, 67.20), abs=0.05)
    assert green == pytest.approx((87.73, -86.18, 83.18), abs=0.05)
    for eye in EYES:
        assert lab((90, 90, 90), eye, 255)[1:] == pytest.approx((0, 0), abs=0.1), "grey is grey to everyone"
    ordinary, none = (distance((150, 60, 0), (60, 90, 0), eye, 255) for eye in ("all three cones", "no red"))
    assert none < ordinary / 2, "red and green are hard to tell without red cones"


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("percent", [*range(5, 101, 5), 1])
def test_everyone_tells_all_six_pegs_apart_at_any_brightness(percent: int, eye: str) -> None:
    far, pegs = nearest(percent / 100, eye)
    assert far >= 23, f"{pegs} at {percent} %: {on_the_wire(percent / 100)}"


@given(st.floats(0.001, 1), st.integers(0, 60), st.integers(380, 500))
@example(brightness=0.875, more=2, max_ma=432)  # scaled down from 61 and 6, it had 43 and 3
def test_orange_is_orange_at_any_brightness_and_with_little_current(
    brightness: float, more: int, max_ma: int
) -> None:
    pegs = on_the_wire(brightness, max_ma, more)
    for name in ("orange front", "orange back"):
        red, green, blue = pegs[name]
        assert blue == 0
        assert 1 <= green <= red / 3, f"{name} is yellow or red: {pegs[name]}"
        assert -1 < green - GREEN * red < 1.5, "no further from its hue than a step and a half"


@given(st.floats(0.001, 1))
def test_white_is_grey_and_blue_is_blue_at_any_brightness(brightness: float) -> None:
    pegs = on_the_wire(brightness)
    for name in ("white front", "white back"):
        assert len(set(pegs[name])) == 1
    for name in ("blue front", "blue back"):
        red, green, blue = pegs[name]
        assert (red, green <= blue / 10) == (0, True)


def test_with_hardly_any_current_pegs_go_out_and_none_turns_red() -> None:
    for ma in range(MA_REST * TABLE.strip.leds, MA_REST * TABLE.strip.leds + 40):
        pegs = on_the_wire(1.0, ma, more=60)
        for name in ("orange front", "orange back"):
            red, green, _ = pegs[name]
            assert bool(red) == bool(green), (ma, pegs)
        frame = compose(TABLE, Lights(tuple(Lamp(0, hole) for hole in range(1, 100))), max_ma=ma)
        assert current(frame) <= ma


def test_the_page_about_the_strip_has_the_distances() -> None:
    page = (DOCS / "explanation" / "strip.md").read_text("utf-8")
    for percent in PERCENT:
        pegs = on_the_wire(percent / 100)
        orange = " ".join(", ".join(map(str, pegs[f"orange {peg}"][:2])) + " |" for peg in ("front", "back"))
        row = " | ".join(f"{nearest(percent / 100, eye)[0]:.0f}" for eye in EYES)
        assert f"| {percent} % | {orange} {row} |" in page, f"| {percent} % | {orange} {row} |"
