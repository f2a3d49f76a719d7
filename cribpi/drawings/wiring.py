"""The wiring diagram: the header, and every wire with its pin, GPIO and colour, and where it goes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from cribpi.drawings import header
from cribpi.drawings.circuit import FARTHEST, Wire, feeds, wires
from cribpi.drawings.letters import wrap
from cribpi.drawings.routes import Pull, Room, lay
from cribpi.drawings.shapes import Circle, Path, Pen, Rectangle, Sheet, Text, line
from cribpi.drawings.wiring_frame import FAINT, MIDDLE, PAPER, SOFT, WIDTH, Drawing, row_y
from cribpi.drawings.wiring_keys import draw_glass, draw_keys
from cribpi.drawings.wiring_power import draw_power
from cribpi.kit import Buttons, Keypad, Kit

_PAGE_WIDTH, _PAGE_HEIGHT = 297.0, 210.0
_PAD: Final = 2.2  # half of a pad's side
_COLUMN: Final = 3.0  # from the middle line to a column of pads
_HALF: Final = 5.5  # of the header's width
_LANES: Final = 141.0
_ROOM: Final = Room(
    {"left": 75.0, "right": 161.0, "above": 35.5, "below": _LANES},
    {"left": -25.0, "right": 25.0, "above": -12.0, "below": 20.0},
)


@lru_cache(maxsize=16)
def wiring_sheet(kit: Kit) -> Sheet:
    """Return the wiring diagram of *kit*, on A4 lying."""
    drawing = Drawing()
    all_wires = wires(kit)
    draw_glass(drawing, kit)
    draw_power(drawing, kit)
    draw_keys(drawing, kit, _keys_top(kit, all_wires))
    _lay_wires(drawing, all_wires)
    _draw_header(drawing, all_wires)
    _draw_pi(drawing)
    _draw_words(drawing, kit)
    shapes = (*drawing.wires, *drawing.shapes)
    return Sheet(f"Wiring of the kit {kit.name}", _PAGE_WIDTH, _PAGE_HEIGHT, shapes)


def _keys_top(kit: Kit, all_wires: Iterable[Wire]) -> float:
    """Return the y of the keys' box: below the lanes that lead to it."""
    if not isinstance(kit.keypad, Keypad | Buttons):
        return _LANES + 9
    if isinstance(kit.keypad, Buttons):
        lanes = sum(
            wire.terminal != "GND" or wire.is_plugged for wire in all_wires if wire.device in {"OLED", "keys"}
        )
    else:
        lanes = len(kit.keypad.columns)
    places = _ROOM.places("below", lanes)
    return max(places[-1] + 3, 150)


def _lay_wires(drawing: Drawing, all_wires: Iterable[Wire]) -> None:
    """Route each wire from its pin to the end that its device has."""
    laid = sorted(all_wires, key=lambda wire: wire.pin)
    pulls = []
    for wire in laid:
        end = drawing.ends[wire.device, wire.terminal]
        side = -1 if header.is_left(wire.pin) else 1
        start = MIDDLE + side * _HALF, row_y(header.row_of(wire.pin))
        pulls.append(Pull(start, "left" if side < 0 else "right", end.at, end.side))
    for wire, way in zip(laid, lay(pulls, _ROOM), strict=True):
        name = f"GPIO {wire.gpio}" if wire.gpio is not None else f"pin {wire.pin}"
        drawing.wire(name, wire.colour, *way, is_plugged=wire.is_plugged)


def _draw_header(drawing: Drawing, all_wires: Iterable[Wire]) -> None:
    """Draw the forty pins with their numbers and names; those with a wire in its colour."""
    used = {wire.pin: wire for wire in all_wires}
    top, bottom = row_y(0) - 3.4, row_y(19) + 3.4
    body = Rectangle(
        MIDDLE - _HALF,
        top,
        2 * _HALF,
        bottom - top,
        Pen("#0d1117", 0.4),
        "#24292f",
        1,
        role="box",
        name="header",
    )
    drawing.add(body)
    drawing.write(MIDDLE, top - 1.4, "microSD card", 2, "middle", colour=FAINT)
    for pin, name in header.PINS.items():
        side = -1 if header.is_left(pin) else 1
        x, y = MIDDLE + side * _COLUMN, row_y(header.row_of(pin))
        wire = used.get(pin)
        fill = wire.colour.ink if wire else "#6e7781"
        # The pad of pin 1 is square on every Pi.
        if pin == 1:
            drawing.add(Rectangle(x - _PAD, y - _PAD, 2 * _PAD, 2 * _PAD, Pen(PAPER, 0.3), fill))
        else:
            drawing.add(Circle(x, y, _PAD, Pen(PAPER, 0.3), fill))
        drawing.write(x, y + 0.75, str(pin), 2.1, "middle", is_bold=True, colour=PAPER)
        _write_pin(drawing, MIDDLE + side * 7.6, y - 0.95, name, wire, is_left=side < 0)


def _write_pin(drawing: Drawing, x: float, y: float, name: str, wire: Wire | None, *, is_left: bool) -> None:
    """Write what a pin is, over its wire."""
    if wire is None:
        drawing.write(x, y + 1.7, name, 2, "end" if is_left else "start", colour="#a8afb8")
        return
    if wire.terminal.startswith(("row", "column")):
        what = ""
    elif wire.device == "keys" and wire.gpio:
        what = "key "
    else:
        what = f"{wire.device} "
    rest = f"{what}{wire.terminal}, {wire.colour.name}"
    bold = Text(x, y, name, 2.2, is_bold=True)
    plain = Text(x, y, rest, 2.2)
    if is_left:
        drawing.write(x, y, rest, 2.2, "end")
        drawing.write(x - plain.width() - 1.1, y, name, 2.2, "end", is_bold=True)
    else:
        drawing.write(x, y, name, 2.2, is_bold=True)
        drawing.write(x + bold.width() + 1.1, y, rest, 2.2)


def _draw_pi(drawing: Drawing) -> None:
    """Draw a small Pi, to show which end of the header is which."""
    x, y = 10.0, 150.0
    drawing.write(x, y - 2.5, "Where the header is", 2.6, is_bold=True)
    drawing.add(Rectangle(x, y, 29, 44, Pen("#2c6e49", 0.4), "#e3f1e6", 2))
    drawing.add(Rectangle(x + 9, y - 1, 9, 6, Pen(FAINT, 0.3), SOFT, 0.5))
    drawing.write(x + 13.5, y + 2.9, "microSD", 1.7, "middle")
    for n in range(2):
        drawing.add(Rectangle(x + 3 + 10 * n, y + 37, 8, 8.5, Pen(FAINT, 0.3), SOFT, 0.5))
        drawing.write(x + 7 + 10 * n, y + 41.8, "USB", 1.9, "middle")
    drawing.add(Rectangle(x + 24, y + 4, 4, 31, None, "#24292f", 0.4))
    for row in range(20):
        for column in range(2):
            drawing.add(Circle(x + 25.1 + 1.8 * column, y + 5.2 + 1.5 * row, 0.45, None, "#d8c27a"))
    drawing.add(Circle(x + 25.1, y + 5.2, 1.0, Pen("#d22630", 0.35)))
    drawing.write(x + 31, y + 6, "pin 1", 2.2, is_bold=True)
    drawing.add(Rectangle(x + 6, y + 15, 10, 10, Pen(FAINT, 0.3), SOFT, 0.8))


def _draw_words(drawing: Drawing, kit: Kit) -> None:
    """Write the title, the legend, and what to look out for."""
    drawing.write(8, 15, f"Wiring of the kit {kit.name}", 6.2, is_bold=True)
    drawing.write(8, 20.5, kit.title, 3.1, colour="#57606a")
    _draw_legend(drawing, 8, 78, kit)
    x, y, width = 190.0, 159.0, 99.0
    drawing.write(x, y, "Take care", 2.6, is_bold=True)
    y += 4.2
    for number, note in enumerate(_notes(kit), start=1):
        drawing.write(x, y, f"{number}", 2.2, is_bold=True)
        for text in wrap(note, width - 4, 2.2):
            drawing.write(x + 4, y, text, 2.2)
            y += 3.15
        y += 0.7
    drawing.write(8, 205, f"Drawn from kit.toml by: cribpi kits draw {kit.name}", 2, colour=FAINT)
    drawing.write(289, 205, "Not to scale. Not yet tested on a Raspberry Pi.", 2, "end", colour=FAINT)


def _draw_legend(drawing: Drawing, x: float, y: float, kit: Kit) -> None:
    drawing.write(x, y, "How to read it", 2.6, is_bold=True)
    rows = {
        "crossing": "crossing, not joined",
        "joint": "a dot: joined",
        "open": "pin not connected",
    }
    if kit.glass.bonnet:
        rows["plugged"] = "made by plugging it on"
    pen = Pen("#57606a", WIDTH)
    for n, (row, words) in enumerate(rows.items()):
        at = y + 5.5 + 5.5 * n
        middle = at - 0.8
        if row != "open":
            drawing.add(
                Path(
                    ((x, middle), (x + 8, middle)),
                    Pen("#57606a", 0.5, (1.4, 1.1)) if row == "plugged" else pen,
                )
            )
        if row == "crossing":
            drawing.add(line(x + 4, middle - 2, x + 4, middle + 2, Pen(PAPER, WIDTH + 0.9)))
            drawing.add(line(x + 4, middle - 2, x + 4, middle + 2, pen))
        elif row == "joint":
            drawing.add(
                line(x + 4, middle, x + 4, middle + 2, pen), Circle(x + 4, middle, 0.95, None, "#57606a")
            )
        elif row == "open":
            drawing.open(x + 4, middle)
        drawing.write(x + 10.5, at, words, 2.1)
    at = y + 5.5 + 5.5 * len(rows)
    for text in (
        "number in a pad: the header's pin",
        "GPIO: the chip's name for it",
        "grey: not used",
    ):
        drawing.write(x, at, text, 2.1)
        at += 3.6


def _notes(kit: Kit) -> list[str]:
    """Return what to look out for, most dangerous first."""
    notes = ["Unplug everything before you wire, and check 3V3, 5V and GND twice: a slip can destroy the Pi."]
    if kit.power.strip == "pi":
        notes.append(
            f"The Pi's own supply ({kit.power.supply_ma} mA) feeds the strip too, from pin 2 through the "
            f"fuse; the program keeps the strip under {kit.strip.max_ma} mA."
        )
    else:
        notes.append(
            "The strip has its own supply and the Pi its usual one: leave the Pi's 5V pins alone, but join "
            "the two grounds (pin 6), or the strip cannot read the data."
        )
    notes.append(
        "The 74AHCT125 raises the data from 3.3 V to 5 V. Its other gates are tied to 5 V and GND, "
        "so that no input floats."
    )
    notes.append(
        "C1: check which lead is minus. Keep R1 within 10 cm of the strip's first LED, "
        "at the end marked DIN, from which the arrows point away."
    )
    at = feeds(kit)
    if len(at) > 1:
        middles = "".join(f", before LED {led}" for led in at[1:-1])
        notes.append(
            f"The strip is fed at its start{middles} and at its end: "
            f"no LED is more than {FARTHEST} from a feed."
        )
    if isinstance(kit.keypad, Keypad):
        notes.append(
            "The keypad needs no resistors: the Pi's own pull-ups do. "
            "Diodes, if any: one in series with each key, its band (cathode) towards the row."
        )
    if kit.glass.bonnet:
        notes.append(
            "The bonnet covers the header: put a stacking header between, "
            "and solder the strip's wires to its pins."
        )
    return notes
