"""Kits: from a kit.toml to pins, keys, holes and their LEDs, checked as a whole."""

from cribpi.kit.reader import kit_names, load_kit
from cribpi.kit.shape import (
    HOLES,
    SIDES,
    Board,
    Driver,
    GamesRow,
    Glass,
    Keypad,
    Kit,
    KitError,
    Place,
    Strip,
    Track,
)

__all__ = [
    "HOLES",
    "SIDES",
    "Board",
    "Driver",
    "GamesRow",
    "Glass",
    "Keypad",
    "Kit",
    "KitError",
    "Place",
    "Strip",
    "Track",
    "kit_names",
    "load_kit",
]
