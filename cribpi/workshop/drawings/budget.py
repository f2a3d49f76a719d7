"""The current that a kit draws, and what its supply has to spare."""

from __future__ import annotations

from collections.abc import Iterator

from cribpi.companion.kit import GLASS_MA, PI_MA, Kit
from cribpi.companion.views.lights.frame import MA_FULL, MA_REST, QUARTER
from cribpi.workshop.drawings.circuit import FARTHEST, feeds, fuse


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
