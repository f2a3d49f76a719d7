"""The wiring diagram: the header, each wire with pin, GPIO, colour and destination, and the 5 V side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from cribpi.companion.kit import Keypad, Kit, UsbKeys
from cribpi.workshop.drawings.circuit import (
    BLACK,
    GLASS,
    GREEN,
    KEYS,
    PINS,
    RED,
    SHIFTER,
    STRIP,
    HeaderWire,
    feed_share,
    feeds,
    feeds_have_fuses,
    fuse,
    is_left,
    row_of,
    wires,
)
from cribpi.workshop.drawings.parts import facts, texts
from cribpi.workshop.drawings.routes import (
    MIDDLE,
    PAPER,
    End,
    Lead,
    Parts,
    Route,
    box,
    lay,
    lead,
    places,
    row_y,
    wired,
)
from cribpi.workshop.drawings.shapes import (
    FAINT,
    GREY,
    Circle,
    Drawing,
    DrawnShape,
    Pen,
    Rectangle,
    TextLine,
    numbered,
)
from cribpi.workshop.drawings.svg import figure
from cribpi.workshop.drawings.wiring_keys import draw_glass, draw_keys

_PAD: Final = 2.2  # half the side of a pad
_COLUMN: Final = 3.0  # distance from the middle line to a column of pads
_HALF: Final = 5.5  # half the width of the header


@lru_cache(maxsize=16)
def wiring_sheet(kit: Kit) -> Drawing:
    """Return the wiring diagram of *kit* on landscape A4."""
    found = wires(kit)
    drawn = [*draw_glass(kit), *draw_power(kit), *draw_keys(kit, _keys_top(kit, found))]
    ends = {(end.device, end.terminal): end for end in drawn if isinstance(end, End)}
    leads = [*(lead for lead in drawn if isinstance(lead, Lead)), *_laid(found, ends)]
    shapes = (
        *(path for lead in leads for path in lead.paths()),
        *(shape for shape in drawn if not isinstance(shape, (End, Lead))),
        *_header({wire.pin: wire for wire in found}),
        *figure("pi", 10.0, 150.0),
        *_words(kit),
    )
    return Drawing(f"Wiring of the kit {kit.name}", 297.0, 210.0, shapes)


def _keys_top(kit: Kit, found: Iterable[HeaderWire]) -> float:
    """Return the y of the top of the keys' box, below the lanes of its wires."""
    keys = kit.keypad
    if isinstance(keys, UsbKeys):
        return 150.0
    if isinstance(keys, Keypad):
        lanes = len(keys.columns)
    else:
        ours = [wire for wire in found if wire.device in {GLASS, KEYS}]
        lanes = sum(wire.terminal != "GND" or wire.is_plugged for wire in ours)
    return max(places("below", lanes)[-1] + 3, 150)


def _laid(found: Iterable[HeaderWire], ends: dict[tuple[str, str], End]) -> Iterator[Lead]:
    """Yield each wire from its pin to its end at the device."""
    ordered = sorted(found, key=lambda wire: wire.pin)
    routes = []
    for wire in ordered:
        end, y = ends[wire.device, wire.terminal], row_y(row_of(wire.pin))
        if is_left(wire.pin):
            routes.append(Route((MIDDLE - _HALF, y), "left", end))
        else:
            routes.append(Route((MIDDLE + _HALF, y), "right", end))
    for wire, way in zip(ordered, lay(routes), strict=True):
        name = f"GPIO {wire.gpio}" if wire.gpio is not None else f"pin {wire.pin}"
        yield Lead(name, wire.colour, way, wire.is_plugged)


def _header(used: dict[int, HeaderWire]) -> Iterator[DrawnShape]:
    """Draw the forty pins with their numbers and names; a pin with a wire has the wire's colour."""
    top, bottom = row_y(0) - 3.4, row_y(19) + 3.4
    edge, left = Pen("#0d1117", 0.4), MIDDLE - _HALF
    yield Rectangle(left, top, 2 * _HALF, bottom - top, edge, "#24292f", 1, role="box", name="header")
    yield TextLine(MIDDLE, top - 1.4, "microSD card", 2, "middle", colour=FAINT)
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
        yield TextLine(x, y + 0.75, str(pin), 2.1, "middle", is_bold=True, colour=PAPER)
        yield from _pin_words(MIDDLE + side * 7.6, y - 0.95, name, wire, is_left=side < 0)


def _pin_words(
    x: float, y: float, name: str, wire: HeaderWire | None, *, is_left: bool
) -> Iterator[TextLine]:
    """Write the name of a pin above its wire."""
    if wire is None:
        yield TextLine(x, y + 1.7, name, 2, "end" if is_left else "start", colour="#a8afb8")
        return
    what = f"{wire.device} "
    if wire.device == KEYS and wire.gpio:
        what = "" if wire.terminal.startswith(("row", "column")) else "key "
    plain = TextLine(x, y, f"{what}{wire.terminal}, {wire.colour.name}", 2.2)
    bold = TextLine(x, y, name, 2.2, is_bold=True)
    if is_left:
        yield replace(plain, anchor="end")
        yield replace(bold, x=x - plain.width() - 1.1, anchor="end")
    else:
        yield bold
        yield replace(plain, x=x + bold.width() + 1.1)


def _words(kit: Kit) -> Iterator[DrawnShape]:
    """Write the title, the legend and the warnings."""
    yield TextLine(8, 15, f"Wiring of the kit {kit.name}", 6.2, is_bold=True)
    yield TextLine(8, 20.5, kit.title, 3.1, colour=GREY)
    yield from figure("legend", 8, 78)
    if kit.glass.bonnet:
        yield from figure("plugged", 8, 78)
    yield from figure("pins", 8, 78 + 5.5 * kit.glass.bonnet)
    yield TextLine(190, 159, "Take care", 2.6, is_bold=True)
    yield from numbered((190, 163.2), texts(kit, "care"), 2.2, indent=4, width=95, step=3.15, gap=0.7)
    yield TextLine(8, 205, f"Drawn from kit.toml by: cribpi kits draw {kit.name}", 2, colour=FAINT)
    yield TextLine(289, 205, "Not to scale. Not yet tested on a Raspberry Pi.", 2, "end", colour=FAINT)


# --- the right side: supply, fuse, level shifter and strip, between two rails ------------------------


_LEFT: Final = 188.0  # x at which the wires from the header end
# The rails are halfway between rows of pins, so that no wire from the header overlaps them.
_V5: Final = row_y(3.5)
_DATA: Final = row_y(11.5)
_GROUND: Final = row_y(12.5)
_PAD_V5, _PAD_GROUND = 134.0, 144.0
_PAD_DATA: Final = 139.0
_STRIP_LEFT, _STRIP_RIGHT = 220.0, 278.0
_MOST_FEEDS: Final = 4  # more would not fit in the drawing; the text below lists all


def draw_power(kit: Kit) -> Parts:
    """Draw the 5 V side of *kit*, and yield the ends of the wires from the header."""
    fed = feeds(kit)
    has_own, has_far_feed = kit.power.strip == "own", len(fed) > 1
    is_wled = kit.strip.host is not None
    if not is_wled:
        yield End(STRIP, "GND", (_LEFT, _GROUND), "right")
        yield End(SHIFTER, "1A", (_LEFT, _DATA), "right")
    if not has_own:
        yield End(STRIP, "5 V", (_LEFT, _V5), "right")
    supplied = "controller and strip" if is_wled else "the strip only"
    for name in (
        "own supply" if has_own else "pi supply",
        "controller" if is_wled else "level shifter",
        "feed",
    ):
        yield from wired(name, **facts(kit), supplied=supplied)
    shown = (*fed[: _MOST_FEEDS - 1], fed[-1]) if len(fed) > _MOST_FEEDS else fed
    yield from _pieces(kit, shown)
    v5 = [(202.0 if has_own else 198.5, _V5)]
    ground = [(211.0 if is_wled else _LEFT, _GROUND)]
    if has_far_feed:
        v5 += [(283.0, _V5), (283.0, _PAD_V5), (_STRIP_RIGHT, _PAD_V5)]
        ground += [(287.0, _GROUND), (287.0, _PAD_GROUND), (_STRIP_RIGHT, _PAD_GROUND)]
    else:
        v5.append((270 if has_own else 252, _V5))
        ground.append((276 if has_own else 258, _GROUND))
    yield from lead("5 V rail", RED, *v5)
    yield from lead("ground rail", BLACK, *ground)
    if feeds_have_fuses(kit):
        yield from _feed_fuses(kit, shown)
    yield TextLine(240.0, _V5 - 1.6, "5 V", 2.2, "middle", is_bold=True, colour=RED.ink)
    yield TextLine(214 if is_wled else 190, _GROUND - 1.3, "GND", 2.2, is_bold=True)


def _piece_length(fed: tuple[int, ...]) -> float:
    """Return the length, as drawn, of each piece of the strip.  The pieces are 6 mm apart."""
    return (_STRIP_RIGHT - _STRIP_LEFT + 6) / max(len(fed) - 1, 1) - 6


def _feed_fuses(kit: Kit, fed: tuple[int, ...]) -> Parts:
    """Draw a fuse in the 5 V wire to each feed, named as in the KiCad circuit."""
    length = _piece_length(fed)
    for n, led in enumerate(fed):
        name = f"F{feeds(kit).index(led) + 4}"
        if 0 < n < len(fed) - 1:
            x = _STRIP_LEFT + n * (length + 6) - 4
            y, high = 127.6, 5.0
            yield TextLine(x - 1.8, 126.2, name, 2.1, "end", is_bold=True)
        else:
            x, y, high = (283.0, 118.0, 8.0) if n else (202.0, 122.0, 8.0)
            yield TextLine(x - 2.5, y + 3.7, name, 2.1, "end", is_bold=True)
            yield TextLine(x - 2.5, y + 6.6, f"{fuse(kit, feed_share(kit)):g} A slow", 2.1, "end")
        yield Rectangle(x - 1.2, y, 2.4, high, Pen(GREY, 0.35), PAPER, name=name)
        yield Rectangle(x - 0.15, y, 0.3, high, None, GREY)


def _pieces(kit: Kit, fed: tuple[int, ...]) -> Parts:
    middles, length = fed[1:-1], _piece_length(fed)
    left = _STRIP_LEFT
    for number, first in enumerate((0, *middles)):
        is_first, is_last = number == 0, number == len(middles)
        right = left + length
        yield box("strip", left, 130.5, length, 17, "#f2f2ee")
        for y, name in ((_PAD_V5, "5V"), (_PAD_DATA, "DIN"), (_PAD_GROUND, "GND")):
            yield Rectangle(left, y - 1, 1.6, 2, None, "#c98a4b")
            yield Rectangle(right - 1.6, y - 1, 1.6, 2, None, "#c98a4b")
            if is_first:
                yield TextLine(left + 2.3, y + 0.7, name, 1.9)
        yield from _leds(left + (8 if is_first else 3), right - 3)
        if is_first:
            yield TextLine(left, 151, f"LED {first}", 2.1)
        else:
            yield TextLine(left - 3, 151, f"{first - 1} | {first}", 2.1, "middle")
        if is_last:
            yield TextLine(right, 151, f"LED {kit.strip.leds - 1}", 2.1, "end")
        else:
            yield from _middle_feed(right, is_first=is_first)
        left = right + 6
    if middles:
        start = _STRIP_LEFT + length + 2
        way = (264, _V5), (264, 127), (start, 127), (start, _PAD_V5)
        yield from lead("5 V to the middle", RED, *way, joined=way[:1])


def _leds(left: float, right: float) -> Iterator[DrawnShape]:
    count = max(int((right - left + 1.4) // 5), 1)
    step = (right - left - 3.6) / max(count - 1, 1)
    for n in range(count):
        x = left + step * n
        yield Rectangle(x, 137.2, 3.6, 3.6, Pen(FAINT, 0.25), PAPER, 0.4)
        yield Circle(x + 1.8, 139, 1.2, Pen(FAINT, 0.2), "#fdf4d3")


def _middle_feed(left: float, *, is_first: bool) -> Parts:
    v5, ground = left + 2, left + 4
    across = (left, _PAD_V5), (left + 6, _PAD_V5)
    yield from lead("joint, 5 V", RED, *across, joined=[(v5, _PAD_V5)])
    yield from lead("joint, data", GREEN, (left, _PAD_DATA), (left + 6, _PAD_DATA))
    yield from lead("joint, ground", BLACK, (left, _PAD_GROUND), (left + 6, _PAD_GROUND))
    if not is_first:
        yield from lead("5 V to the joint", RED, (v5, 127), (v5, _PAD_V5), joined=[(v5, 127)])
    down = (ground, _GROUND), (ground, _PAD_GROUND)
    yield from lead("ground to the middle", BLACK, *down, joined=down)
