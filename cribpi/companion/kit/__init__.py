"""Kits: from a kit.toml to pins, keys, holes and their LEDs, checked as a whole."""

from cribpi.companion.kit.codes import KEY_CODES
from cribpi.companion.kit.panel import Panel
from cribpi.companion.kit.plate import KEY_OPENING, KEY_PITCH, Opening, Plate
from cribpi.companion.kit.reader import kit_names, load_kit, read_rotate
from cribpi.companion.kit.shape import (
    GLASS_MA,
    HOLES,
    PANELS,
    PI_MA,
    PI_PIN_MA,
    SIDES,
    Board,
    Buttons,
    Glass,
    Keypad,
    Keys,
    Kit,
    KitError,
    Place,
    Power,
    Strip,
    Track,
    UsbKeys,
)

__all__ = [
    "GLASS_MA",
    "HOLES",
    "KEY_CODES",
    "KEY_OPENING",
    "KEY_PITCH",
    "PANELS",
    "PI_MA",
    "PI_PIN_MA",
    "SIDES",
    "Board",
    "Buttons",
    "Glass",
    "Keypad",
    "Keys",
    "Kit",
    "KitError",
    "Opening",
    "Panel",
    "Place",
    "Plate",
    "Power",
    "Strip",
    "Track",
    "UsbKeys",
    "kit_names",
    "load_kit",
    "read_rotate",
]
