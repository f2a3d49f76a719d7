"""Kits for tests of the drawings: the shipped ones, and variants."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cribpi.companion.kit import Buttons, Kit, Power
from cribpi.companion.kit.reader import kit_names, load_kit

KITS = kit_names()


def own_supply(kit: Kit, leds: int = 242, max_ma: int = 2000) -> Kit:
    """Return the kit with a separate, strong supply for the strip."""
    return replace(kit, strip=replace(kit.strip, leds=leds, max_ma=max_ma), power=Power("own", 2 * max_ma))


def by_buttons(kit: Kit, gpios: list[int]) -> Kit:
    """Return the kit with a button at each of *gpios*."""
    names = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "GO", "OK", "UNDO", "MENU")
    pins = tuple(zip(names, gpios, strict=False))
    return replace(kit, keypad=Buttons(pins, (tuple(name for name, _ in pins),)), plate=None)


VARIANTS = {
    **{name: load_kit(name) for name in KITS},
    "own supply": own_supply(load_kit("table")),
    "long strip": own_supply(load_kit("table-3"), 900, 4000),
    "very long strip": own_supply(load_kit("table-3"), 2000, 9000),
    "by PWM": replace(load_kit("table"), strip=replace(load_kit("table").strip, gpio=18)),
    "buttons": by_buttons(load_kit("strip-121"), [17, 27, 22, 5, 6, 13, 19, 26, 14, 15, 23, 24, 25]),
    "reset": replace(load_kit("table"), glass=replace(load_kit("table").glass, panel="SSD1309", reset=17)),
    "another bus": replace(
        load_kit("table"), glass=replace(load_kit("table").glass, bus=3, data=4, clock=15)
    ),
}
every_kit = pytest.mark.parametrize("kit", [pytest.param(kit, id=name) for name, kit in VARIANTS.items()])
