"""Reader of the section [keys] of a kit.toml: a matrix, buttons with a GPIO each, or a keypad on USB."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

from cribpi.companion.entry.keys import HOLDS, KEYS, SIDES
from cribpi.companion.files.config_table import Section
from cribpi.companion.kit import HIGHEST_GPIO, LOWEST_GPIO, Buttons, Keypad, KeysSection, UsbKeys, read_gpio
from cribpi.companion.kit.codes import KEY_CODES
from cribpi.cribbage.rules.shown import amount, shown

STRIP_PINS: Final[dict[int | None, dict[int, str]]] = {
    # The kernel's SPI driver reserves the whole bus: 7 and 8 select a chip, 9 is data in, 11 the clock.
    10: {10: "the strip's data line"} | dict.fromkeys((7, 8, 9, 11), "part of the strip's SPI bus"),
    18: {18: "the strip's data line"},
    None: {},
}
"""The GPIOs that a strip occupies, by its data line: 10 is SPI, 18 is PWM, None a network controller."""


class Pins:
    """The owner of each GPIO in use.  A GPIO can have only one."""

    def __init__(self) -> None:
        self._taken: dict[int, str] = {}

    def claim(self, section: Section, key: str, gpio: int, owner: str, *, index: int | None = None) -> None:
        """Assign *gpio* to *owner*.  *section*, *key* and *index* are the place that an error message names.

        Raises:
            KitError: If *gpio* already has an owner.
        """
        if gpio in self._taken:
            reason = f"GPIO {gpio} is {self._taken[gpio]}; choose another pin"
            raise section.refusal(key, reason, index=index)
        self._taken[gpio] = owner


_Grid = tuple[tuple[str, ...], ...]
_Pairs = tuple[tuple[str, str], ...]

_LONGEST_CAP: Final = 5  # more characters do not fit on a drawn key


def read_keys(section: Section, pins: Pins) -> KeysSection:
    """Return the keys that *section* describes, and claim their GPIOs from *pins*.

    Raises:
        KitError: If anything in *section* is invalid.
    """
    kind = section.choice("kind", tuple(_KINDS)) if section.has("kind") else "matrix"
    keys = _KINDS[kind](section, pins)
    section.finish()
    return keys


def _read_matrix(section: Section, pins: Pins) -> Keypad:
    rows, columns = _read_lines(section, "rows", pins), _read_lines(section, "columns", pins)
    grid = section.grid("layout")
    if len(grid) != len(rows):
        reason = f"there are {len(rows)} GPIOs in keys.rows; give as many rows of names"
        raise section.refusal("layout", reason)
    for index, row in enumerate(grid):
        if len(row) != len(columns):
            reason = f"there are {len(columns)} GPIOs in keys.columns; give as many names"
            raise section.refusal("layout", reason, index=index)
    return Keypad(rows, columns, grid, **_extras(section, _checked(section, grid)))


def _read_lines(section: Section, key: str, pins: Pins) -> tuple[int, ...]:
    lines = section.integers(key, LOWEST_GPIO, HIGHEST_GPIO)
    for index, gpio in enumerate(lines):
        pins.claim(section, key, gpio, f"already keys.{key}[{index}]", index=index)
    return lines


def _read_buttons(section: Section, pins: Pins) -> Buttons:
    grid = _even_grid(section)
    names = _checked(section, grid)
    gpios: dict[str, int] = {}
    for wired, name in _entries(section.section("buttons"), names):
        gpios[name] = read_gpio(wired, name)
        pins.claim(wired, name, gpios[name], f"already keys.buttons.{name}")
    for name in names:
        if name not in gpios:
            reason = f'"{shown(name, str)}" is in keys.layout and has no GPIO; give it one here'
            raise section.refusal("buttons", reason)
    return Buttons(tuple(gpios.items()), grid, **_extras(section, names))


def _read_usb(section: Section, _pins: Pins) -> UsbKeys:
    grid = _even_grid(section)
    names = _checked(section, grid)
    codes = section.grid("codes")
    if [len(row) for row in codes] != [len(row) for row in grid]:
        reason = f"keys.layout has {amount(len(grid), 'row')} of {len(grid[0])}; give a code for each place"
        raise section.refusal("codes", reason)
    used: set[str] = set()
    for index, (row, named) in enumerate(zip(codes, grid, strict=True)):
        for code, name in zip(row, named, strict=True):
            if reason := _unfit_code(code, name, used):
                raise section.refusal("codes", reason, index=index)
            used.add(code)
    device = section.text("name") if section.has("name") else None
    return UsbKeys(codes, grid, device, **_extras(section, names))


_KINDS: Final[dict[str, Callable[[Section, Pins], KeysSection]]] = {
    "matrix": _read_matrix,
    "buttons": _read_buttons,
    "usb": _read_usb,
}


def _unfit_code(code: str, name: str, used: Collection[str]) -> str:
    """Return the reason why *code* can't belong to the key *name*, or "". *used* are other keys' codes."""
    if name and not code:
        return f'"{shown(name, str)}" has no code in keys.codes; give it one'
    if code and not name:
        reason = "name a key there, or leave the code out"
        return f'"{shown(code, str)}" has no key in keys.layout; {reason}'
    if code and code not in KEY_CODES:
        reason = "give Linux's name of the key, such as KEY_KP1 or KEY_ENTER"
        return f'"{shown(code, str)}" is not a key code; {reason}'
    if code and code in used:
        return f'"{code}" belongs to another key already; give each code once'
    return ""


def _even_grid(section: Section) -> _Grid:
    """Return the layout, after checking that all rows have the same length."""
    grid = section.grid("layout")
    for index, row in enumerate(grid):
        if len(row) != len(grid[0]):
            many = amount(len(grid[0]), "place")
            reason = f'the first row has {many}; give as many, with "" where there is no key'
            raise section.refusal("layout", reason, index=index)
    return grid


def _checked(section: Section, grid: _Grid) -> tuple[str, ...]:
    """Return the names of the keys in *grid*, after checking that each is known and occurs once."""
    seen: list[str] = []
    for index, row in enumerate(grid):
        for name in filter(None, row):
            if name not in KEYS:
                reason = f'"{shown(name, str)}" is not a key; the keys are {" ".join(KEYS)}'
                raise section.refusal("layout", reason, index=index)
            if name in seen:
                reason = f'"{name}" is on the keypad already; give each key once'
                raise section.refusal("layout", reason, index=index)
            seen.append(name)
    if not seen:
        raise section.refusal("layout", f"it has no keys; name some of {' '.join(KEYS)}")
    return tuple(seen)


def _extras(section: Section, names: tuple[str, ...]) -> dict[str, _Pairs]:
    """Return the long presses, sides and captions of the keys *names*."""
    holds, sides = dict[str, str](), dict[str, str]()
    caps = dict[str, str]()
    for table, name in _entries(section.section_if_any("holds"), names):
        if name in {"UNDO", "MENU"}:
            raise table.refusal(name, f"a long press of {name} is hold:{name} already; hold another key")
        holds[name] = table.choice(name, (*KEYS, *HOLDS))
        if holds[name] == name:
            raise table.refusal(name, f"{name} does that already when it is pressed; name another key")
    for table, name in _entries(section.section_if_any("sides"), names):
        side = table.choice(name, SIDES)
        if side in names:
            raise table.refusal(name, f"{side} has its own key on this kit; leave this out")
        if side in sides.values():
            raise table.refusal(name, f"another key stands for {side} already; give each side one")
        sides[name] = side
    for table, name in _entries(section.section_if_any("caps"), names):
        cap = caps[name] = table.text(name)
        if len(cap) > _LONGEST_CAP or not (cap.isascii() and cap.isprintable()):
            raise table.refusal(name, f"give at most {_LONGEST_CAP} plain letters, digits or signs")
    return {"holds": tuple(holds.items()), "sides": tuple(sides.items()), "caps": tuple(caps.items())}


def _entries(table: Section, names: tuple[str, ...]) -> Iterator[tuple[Section, str]]:
    """Yield *table* and the name of an entry, for each entry; the name must be one of *names*."""
    for name in table.names():
        if name not in names:
            reason = f'"{shown(name, str)}" is not in keys.layout; name one of {" ".join(names)}'
            raise table.refusal(name, reason)
        yield table, name
