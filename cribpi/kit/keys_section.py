"""[keys] of a kit.toml: a matrix, buttons with a GPIO each, or a keypad on USB."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from cribpi.core.shown import shown
from cribpi.entry.keys import HOLDS, KEYS, SIDES
from cribpi.kit.codes import KEY_CODES
from cribpi.kit.pins import HIGHEST_GPIO, LOWEST_GPIO, Pins
from cribpi.kit.shape import Buttons, Keypad, Keys, UsbKeys
from cribpi.storage.section import Section

_Grid = tuple[tuple[str, ...], ...]
_Pairs = tuple[tuple[str, str], ...]

_LONGEST_CAP: Final = 5  # as many as the drawn keys have room for


def read_keys(section: Section, pins: Pins) -> Keys:
    """Return the keys that *section* describes, their GPIOs claimed of *pins*.

    Raises:
        KitError: If anything in it is unfit.
    """
    kind = section.choice("kind", tuple(_KINDS)) if section.has("kind") else "matrix"
    keys = _KINDS[kind](section, pins)
    section.finish()
    return keys


def _read_matrix(section: Section, pins: Pins) -> Keypad:
    lines: dict[str, tuple[int, ...]] = {}
    for key in ("rows", "columns"):
        lines[key] = section.integers(key, LOWEST_GPIO, HIGHEST_GPIO)
        for index, gpio in enumerate(lines[key]):
            pins.claim(section, key, gpio, f"already keys.{key}[{index}]", index=index)
    grid = section.grid("layout")
    if len(grid) != len(lines["rows"]):
        why = f"there are {len(lines['rows'])} GPIOs in keys.rows; give as many rows of names"
        raise section.refusal("layout", why)
    for index, row in enumerate(grid):
        if len(row) != len(lines["columns"]):
            why = f"there are {len(lines['columns'])} GPIOs in keys.columns; give as many names"
            raise section.refusal("layout", why, index=index)
    names = _checked(section, grid)
    return Keypad(lines["rows"], lines["columns"], grid, **_extras(section, names))


def _read_buttons(section: Section, pins: Pins) -> Buttons:
    grid = _even_grid(section)
    names = _checked(section, grid)
    wired = section.section("buttons")
    given: list[tuple[str, int]] = []
    for name in wired.names():
        _be_on_layout(wired, name, names)
        gpio = wired.integer(name, LOWEST_GPIO, HIGHEST_GPIO)
        pins.claim(wired, name, gpio, f"already keys.buttons.{name}")
        given.append((name, gpio))
    for name in names:
        if name not in dict(given):
            raise section.refusal(
                "buttons", f'"{shown(name, str)}" is in keys.layout and has no GPIO; give it one here'
            )
    return Buttons(tuple(given), grid, **_extras(section, names))


def _read_usb(section: Section, _pins: Pins) -> UsbKeys:
    grid = _even_grid(section)
    names = _checked(section, grid)
    codes = section.grid("codes")
    if [len(row) for row in codes] != [len(row) for row in grid]:
        why = f"keys.layout has {len(grid)} rows of {len(grid[0])}; give a code for each place"
        raise section.refusal("codes", why)
    taken: set[str] = set()
    for index, (row, named) in enumerate(zip(codes, grid, strict=True)):
        for code, name in zip(row, named, strict=True):
            _check_code(section, index, code, name, taken)
    device = section.text("name") if section.has("name") else None
    return UsbKeys(codes, grid, device, **_extras(section, names))


_KINDS: Final[dict[str, Callable[[Section, Pins], Keys]]] = {
    "matrix": _read_matrix,
    "buttons": _read_buttons,
    "usb": _read_usb,
}


def _check_code(section: Section, index: int, code: str, name: str, taken: set[str]) -> None:
    """Check the *code* of the key *name* in row *index*, and add it to *taken*."""
    if bool(code) != bool(name):
        there, remedy = (name, "give its code") if name else (code, "name a key there, or leave the code out")
        why = f'"{shown(there, str)}" has no partner in {"keys.codes" if name else "keys.layout"}; {remedy}'
        raise section.refusal("codes", why, index=index)
    if not code:
        return
    if code not in KEY_CODES:
        why = (
            f'"{shown(code, str)}" is not a key code; give Linux\'s name of the key, such as KEY_KP1 or '
            f"KEY_ENTER"
        )
        raise section.refusal("codes", why, index=index)
    if code in taken:
        raise section.refusal(
            "codes", f'"{code}" is another key\'s already; give each code once', index=index
        )
    taken.add(code)


def _even_grid(section: Section) -> _Grid:
    """Return the layout, each row of which is as long as the first."""
    grid = section.grid("layout")
    for index, row in enumerate(grid):
        if len(row) != len(grid[0]):
            why = f'the first row has {len(grid[0])} places; give as many, "" where there is no key'
            raise section.refusal("layout", why, index=index)
    return grid


def _checked(section: Section, grid: _Grid) -> tuple[str, ...]:
    """Return the names of the keys in *grid*, each of which may be there once."""
    seen: list[str] = []
    for index, row in enumerate(grid):
        for name in filter(None, row):
            if name not in KEYS:
                why = f'"{shown(name, str)}" is not a key; the keys are {" ".join(KEYS)}'
                raise section.refusal("layout", why, index=index)
            if name in seen:
                why = f'"{name}" is on the keypad already; give each key once'
                raise section.refusal("layout", why, index=index)
            seen.append(name)
    if not seen:
        raise section.refusal("layout", f"it has no keys; name some of {' '.join(KEYS)}")
    return tuple(seen)


def _extras(section: Section, names: tuple[str, ...]) -> dict[str, _Pairs]:
    """Return what a key of *names* is when it is held, which side it stands for, and what its cap bears."""
    readers = {"holds": _hold, "sides": _side, "caps": _cap}
    return {key: _pairs(section, key, names, read) for key, read in readers.items()}


def _pairs(
    section: Section,
    key: str,
    names: tuple[str, ...],
    read: Callable[[Section, str, tuple[str, ...], Collection[str]], str],
) -> _Pairs:
    """Return the table *key*, which may be left out: a key of *names*, and what *read* makes of its value."""
    if not section.has(key):
        return ()
    table = section.section(key)
    pairs: dict[str, str] = {}
    for name in table.names():
        _be_on_layout(table, name, names)
        pairs[name] = read(table, name, names, pairs.values())
    return tuple(pairs.items())


def _hold(table: Section, name: str, _names: tuple[str, ...], _others: Collection[str]) -> str:
    if name in {"UNDO", "MENU"}:
        raise table.refusal(name, f"a long press of {name} is hold:{name} already; hold another key")
    given = table.choice(name, (*KEYS, *HOLDS))
    if given == name:
        raise table.refusal(name, f"{name} is that already when it is pressed; name another key")
    return given


def _side(table: Section, name: str, names: tuple[str, ...], others: Collection[str]) -> str:
    side = table.choice(name, SIDES)
    if side in names:
        raise table.refusal(name, f"{side} is a key of this kit itself; leave this out")
    if side in others:
        raise table.refusal(name, f"another key stands for {side} already; give each side one")
    return side


def _cap(table: Section, name: str, _names: tuple[str, ...], _others: Collection[str]) -> str:
    cap = table.text(name)
    if len(cap) > _LONGEST_CAP or not (cap.isascii() and cap.isprintable()):
        raise table.refusal(name, f"give up to {_LONGEST_CAP} plain letters, digits or signs")
    return cap


def _be_on_layout(section: Section, name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        why = f'"{shown(name, str)}" is not in keys.layout; name one of {" ".join(names)}'
        raise section.refusal(name, why)
