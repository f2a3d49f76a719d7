"""The wiring diagram: the header, and every wire with its pin, GPIO and colour, and where it goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from cribpi.companion.kit import Keypad, Kit, UsbKeys
from cribpi.workshop.drawings.circuit import GLASS, KEYS, PINS, Wire, is_left, row_of, wires
from cribpi.workshop.drawings.parts import said
from cribpi.workshop.drawings.routes import (
    MIDDLE,
    PAPER,
    SOFT,
    WIDTH,
    End,
    Lead,
    Pull,
    lay,
    open_pin,
    places,
    row_y,
)
from cribpi.workshop.drawings.shapes import (
    FAINT,
    GREY,
    Circle,
    Pen,
    Rectangle,
    Shape,
    Sheet,
    Text,
    line,
    numbered,
)
from cribpi.workshop.drawings.wiring_keys import draw_glass, draw_keys
from cribpi.workshop.drawings.wiring_power import draw_power

_PAD: Final = 2.2  # half of a pad's side
_COLUMN: Final = 3.0  # from the middle line to a column of pads
_HALF: Final = 5.5  # of the header's width


@lru_cache(maxsize=16)
def wiring_sheet(kit: Kit) -> Sheet:
    """Return the wiring diagram of *kit*, on A4 lying."""
    found = wires(kit)
    drawn = [*draw_glass(kit), *draw_power(kit), *draw_keys(kit, _keys_top(kit, found))]
    ends = {(end.device, end.terminal): end for end in drawn if isinstance(end, End)}
    leads = [*(lead for lead in drawn if isinstance(lead, Lead)), *_laid(found, ends)]
    shapes = (
        *(path for lead in leads for path in lead.paths()),
        *(shape for shape in drawn if not isinstance(shape, (End, Lead))),
        *_header({wire.pin: wire for wire in found}),
        *_pi(10.0, 150.0),
        *_words(kit),
    )
    return Sheet(f"Wiring of the kit {kit.name}", 297.0, 210.0, shapes)


def _keys_top(kit: Kit, found: Iterable[Wire]) -> float:
    """Return the y of the keys' box: below the lanes that lead to it."""
    keys = kit.keypad
    if isinstance(keys, UsbKeys):
        return 150.0
    if isinstance(keys, Keypad):
        lanes = len(keys.columns)
    else:
        ours = [wire for wire in found if wire.device in {GLASS, KEYS}]
        lanes = sum(wire.terminal != "GND" or wire.is_plugged for wire in ours)
    return max(places("below", lanes)[-1] + 3, 150)


def _laid(found: Iterable[Wire], ends: dict[tuple[str, str], End]) -> Iterator[Lead]:
    """Yield each wire from its pin to the end that its device has."""
    ordered = sorted(found, key=lambda wire: wire.pin)
    pulls = []
    for wire in ordered:
        end, y = ends[wire.device, wire.terminal], row_y(row_of(wire.pin))
        if is_left(wire.pin):
            pulls.append(Pull((MIDDLE - _HALF, y), "left", end))
        else:
            pulls.append(Pull((MIDDLE + _HALF, y), "right", end))
    for wire, way in zip(ordered, lay(pulls), strict=True):
        name = f"GPIO {wire.gpio}" if wire.gpio is not None else f"pin {wire.pin}"
        yield Lead(name, wire.colour, way, wire.is_plugged)


def _header(used: dict[int, Wire]) -> Iterator[Shape]:
    """Draw the forty pins with their numbers and names; those with a wire in its colour."""
    top, bottom = row_y(0) - 3.4, row_y(19) + 3.4
    edge, left = Pen("#0d1117", 0.4), MIDDLE - _HALF
    yield Rectangle(left, top, 2 * _HALF, bottom - top, edge, "#24292f", 1, role="box", name="header")
    yield Text(MIDDLE, top - 1.4, "microSD card", 2, "middle", colour=FAINT)
    for pin, name in PINS.items():
        side = -1 if is_left(pin) else 1
        x, y = MIDDLE + side * _COLUMN, row_y(row_of(pin))
        wire = used.get(pin)
        fill = wire.colour.ink if wire else "#6e7781"
        # The pad of pin 1 is square on every Pi.
        if pin == 1:
            yield Rectangle(x - _PAD, y - _PAD, 2 * _PAD, 2 * _PAD, Pen(PAPER, 0.3), fill)
        else:
            yield Circle(x, y, _PAD, Pen(PAPER, 0.3), fill)
        yield Text(x, y + 0.75, str(pin), 2.1, "middle", is_bold=True, colour=PAPER)
        yield from _pin_words(MIDDLE + side * 7.6, y - 0.95, name, wire, is_left=side < 0)


def _pin_words(x: float, y: float, name: str, wire: Wire | None, *, is_left: bool) -> Iterator[Text]:
    """Write what a pin is, over its wire."""
    if wire is None:
        yield Text(x, y + 1.7, name, 2, "end" if is_left else "start", colour="#a8afb8")
        return
    what = f"{wire.device} "
    if wire.device == KEYS and wire.gpio:
        what = "" if wire.terminal.startswith(("row", "column")) else "key "
    plain = Text(x, y, f"{what}{wire.terminal}, {wire.colour.name}", 2.2)
    bold = Text(x, y, name, 2.2, is_bold=True)
    if is_left:
        yield replace(plain, anchor="end")
        yield replace(bold, x=x - plain.width() - 1.1, anchor="end")
    else:
        yield bold
        yield replace(plain, x=x + bold.width() + 1.1)


def _pi(x: float, y: float) -> Iterator[Shape]:
    """Draw a small Pi, to show which end of the header is which."""
    edge = Pen(FAINT, 0.3)
    yield Text(x, y - 2.5, "Where the header is", 2.6, is_bold=True)
    yield Rectangle(x, y, 29, 44, Pen("#2c6e49", 0.4), "#e3f1e6", 2)
    yield Rectangle(x + 9, y - 1, 9, 6, edge, SOFT, 0.5)
    yield Text(x + 13.5, y + 2.9, "microSD", 1.7, "middle")
    for n in range(2):
        yield Rectangle(x + 3 + 10 * n, y + 37, 8, 8.5, edge, SOFT, 0.5)
        yield Text(x + 7 + 10 * n, y + 41.8, "USB", 1.9, "middle")
    yield Rectangle(x + 24, y + 4, 4, 31, None, "#24292f", 0.4)
    for row in range(20):
        for column in range(2):
            yield Circle(x + 25.1 + 1.8 * column, y + 5.2 + 1.5 * row, 0.45, None, "#d8c27a")
    yield Circle(x + 25.1, y + 5.2, 1.0, Pen("#d22630", 0.35))
    yield Text(x + 31, y + 6, "pin 1", 2.2, is_bold=True)
    yield Rectangle(x + 6, y + 15, 10, 10, edge, SOFT, 0.8)


def _words(kit: Kit) -> Iterator[Shape]:
    """Write the title, the legend, and what to look out for."""
    yield Text(8, 15, f"Wiring of the kit {kit.name}", 6.2, is_bold=True)
    yield Text(8, 20.5, kit.title, 3.1, colour=GREY)
    yield from _legend(8, 78, has_bonnet=kit.glass.bonnet)
    yield Text(190, 159, "Take care", 2.6, is_bold=True)
    yield from numbered((190, 163.2), said(kit, "care"), 2.2, indent=4, width=95, step=3.15, gap=0.7)
    yield Text(8, 205, f"Drawn from kit.toml by: cribpi kits draw {kit.name}", 2, colour=FAINT)
    yield Text(289, 205, "Not to scale. Not yet tested on a Raspberry Pi.", 2, "end", colour=FAINT)


def _legend(x: float, y: float, *, has_bonnet: bool) -> Iterator[Shape]:
    """Draw each sign, and beside it what it means."""
    pen, centre = Pen(GREY, WIDTH), x + 4
    yield Text(x, y, "How to read it", 2.6, is_bold=True)
    y += 5.5
    middle = y - 0.8
    yield line(x, middle, x + 8, middle, pen)
    yield line(centre, middle - 2, centre, middle + 2, Pen(PAPER, WIDTH + 0.9))
    yield line(centre, middle - 2, centre, middle + 2, pen)
    yield Text(x + 10.5, y, "crossing, not joined", 2.1)
    y += 5.5
    middle = y - 0.8
    yield line(x, middle, x + 8, middle, pen)
    yield line(centre, middle, centre, middle + 2, pen)
    yield Circle(centre, middle, 0.95, None, GREY)
    yield Text(x + 10.5, y, "a dot: joined", 2.1)
    y += 5.5
    yield from open_pin(centre, y - 0.8)
    yield Text(x + 10.5, y, "pin not connected", 2.1)
    y += 5.5
    if has_bonnet:
        yield line(x, y - 0.8, x + 8, y - 0.8, Pen(GREY, 0.5, (1.4, 1.1)))
        yield Text(x + 10.5, y, "made by plugging it on", 2.1)
        y += 5.5
    for text in ("number in a pad: the header's pin", "GPIO: the chip's name for it", "grey: not used"):
        yield Text(x, y, text, 2.1)
        y += 3.6
