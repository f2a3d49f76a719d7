"""[keys] of a kit.toml: a matrix, buttons with a GPIO each, or a keypad on USB."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cribpi.core.shown import shown
from cribpi.entry.keys import HOLDS, KEYS, SIDES
from cribpi.kit.codes import KEY_CODES
from cribpi.kit.pins import HIGHEST_GPIO, LOWEST_GPIO, Pins
from cribpi.kit.shape import Buttons, Keypad, Keys, UsbKeys
from cribpi.storage.section import Section

_Grid = tuple[tuple[str, ...], ...]
_Pairs = tuple[tuple[str, str], ...]

_LONGEST_CAP: Final = 5


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
    return Keypad(
        lines["rows"],
        lines["columns"],
        grid,
        _holds(section, names),
        _sides(section, names),
        _caps(section, names),
    )


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
    return Buttons(tuple(given), grid, _holds(section, names), _sides(section, names), _caps(section, names))


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
    return UsbKeys(codes, grid, device, _holds(section, names), _sides(section, names), _caps(section, names))


_KINDS: Final[dict[str, Callable[[Section, Pins], Keys]]] = {
    "matrix": _read_matrix,
    "buttons": _read_buttons,
    "usb": _read_usb,
}


def _check_code(section: Section, index: int, code: str, name: str, taken: set[str]) -> None:
    """Check the *code* of the key *name* in row *index*, and add it to those *taken*."""
    if bool(code) != bool(name):
        there, remedy = (name, "give its code") if name else (code, "name a key there, or leave the code out")
        why = f'"{shown(there, str)}" has no partner in {"keys.codes" if name else "keys.layout"}; {remedy}'
        raise section.refusal("codes", why, index=index)
    if not code:
        return
    if code not in KEY_CODES:
        why = (
            f'"{shown(code, str)}" is no key code; give Linux\'s name of the key, such as KEY_KP1 or '
            f"KEY_ENTER"
        )
        raise section.refusal("codes", why, index=index)
    if code in taken:
        raise section.refusal("codes", f'"{code}" is another key\'s already; give each once', index=index)
    taken.add(code)


def _even_grid(section: Section) -> _Grid:
    """Return the layout of keys that no lines of a matrix shape: every row as long as the first."""
    grid = section.grid("layout")
    for index, row in enumerate(grid):
        if len(row) != len(grid[0]):
            why = f'the first row has {len(grid[0])} places; give as many, "" where there is no key'
            raise section.refusal("layout", why, index=index)
    return grid


def _checked(section: Section, grid: _Grid) -> tuple[str, ...]:
    """Return the names of the keys of *grid*, each a key and there once."""
    seen: list[str] = []
    for index, row in enumerate(grid):
        for name in filter(None, row):
            if name not in KEYS:
                why = f'"{shown(name, str)}" is no key; the keys are {" ".join(KEYS)}'
                raise section.refusal("layout", why, index=index)
            if name in seen:
                why = f'"{name}" is on the keypad already; give each key once'
                raise section.refusal("layout", why, index=index)
            seen.append(name)
    if not seen:
        raise section.refusal("layout", f"there is no key in it; name some of {' '.join(KEYS)}")
    return tuple(seen)


def _holds(section: Section, names: tuple[str, ...]) -> _Pairs:
    """Return what a long press of a key is, beside those that UNDO and MENU have."""
    if not section.has("holds"):
        return ()
    held = section.section("holds")
    pairs: list[tuple[str, str]] = []
    for name in held.names():
        _be_on_layout(held, name, names)
        if name in {"UNDO", "MENU"}:
            raise held.refusal(name, f"a long press of {name} is hold:{name} already; hold another key")
        given = held.choice(name, (*KEYS, *HOLDS))
        if given == name:
            raise held.refusal(name, f"{name} is that already when it is pressed; name another key")
        pairs.append((name, given))
    return tuple(pairs)


def _sides(section: Section, names: tuple[str, ...]) -> _Pairs:
    """Return which keys stand for the side keys wherever a rank means nothing."""
    if not section.has("sides"):
        return ()
    standing = section.section("sides")
    pairs: list[tuple[str, str]] = []
    for name in standing.names():
        _be_on_layout(standing, name, names)
        side = standing.choice(name, SIDES)
        if side in names:
            raise standing.refusal(name, f"{side} is a key of this kit itself; leave this out")
        if side in dict(pairs).values():
            raise standing.refusal(name, f"another key stands for {side} already; give each side one")
        pairs.append((name, side))
    return tuple(pairs)


def _caps(section: Section, names: tuple[str, ...]) -> _Pairs:
    """Return what is printed on the keys whose caps do not bear their names."""
    if not section.has("caps"):
        return ()
    printed = section.section("caps")
    pairs: list[tuple[str, str]] = []
    for name in printed.names():
        _be_on_layout(printed, name, names)
        cap = printed.text(name)
        if len(cap) > _LONGEST_CAP or not (cap.isascii() and cap.isprintable()):
            raise printed.refusal(name, f"give up to {_LONGEST_CAP} plain letters, digits or signs")
        pairs.append((name, cap))
    return tuple(pairs)


def _be_on_layout(section: Section, name: str, names: tuple[str, ...]) -> None:
    if name not in names:
        why = f'"{shown(name, str)}" is not in keys.layout; name one of {" ".join(names)}'
        raise section.refusal(name, why)
