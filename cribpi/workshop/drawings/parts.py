"""The parts list of a kit with prices, currents and wires, as Markdown and as printable sheets."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from cribpi.companion.kit import (
    CONTROLLER_MA,
    GLASS_MA,
    KEY_OPENING,
    KEY_PITCH,
    PI_MA,
    Buttons,
    Keypad,
    KeysSection,
    Kit,
    UsbKeys,
)
from cribpi.companion.views.lights.frame import MA_FULL, MA_REST, QUARTER
from cribpi.cribbage.rules.shown import amount
from cribpi.workshop.drawings.case import case
from cribpi.workshop.drawings.circuit import (
    FARTHEST,
    GLASS_PINS,
    KEYS,
    cells,
    cord,
    feed_share,
    feeds,
    feeds_have_fuses,
    fuse,
    wires,
)
from cribpi.workshop.drawings.shapes import (
    A4,
    FAINT,
    GREY,
    RULE,
    Circle,
    Drawing,
    DrawnShape,
    Group,
    Paper,
    Pen,
    TextLine,
    line,
    wrap,
)
from cribpi.workshop.drawings.strip import FIXING, RELIEF, along, drill, fixing_holes, pieces, pitch
from cribpi.workshop.drawings.svg import figure

_A_METRE: Final = {30: 3, 60: 4, 74: 7, 96: 10, 100: 10, 144: 12}
"""Price in euros of a metre of strip (estimate), by LEDs per metre, of the strips on sale."""

_SUPPLIES: Final = "2.5 A and micro-USB for a Zero 2 W or 3, 3 A and USB-C for a 4, 5 A and USB-C for a 5"
"""Raspberry Pi's own power supplies (raspberrypi.com, "Power supply")."""

_PANELS: Final = {"SSD1306": ("0.96", 6), "SH1106": ("1.3", 8), "SSD1309": ("2.42", 20)}
"""Usual size in inches and price in euros (estimate) of a panel, by its chip."""


class Part(NamedTuple):
    """A part to buy.  *how_many* is a number, or a length with its unit.

    *search* has the words to search for in shops.  *euros* is the usual price of all, without postage
    (estimate).
    """

    how_many: str
    what: str
    use: str
    euros: int
    search: str
    figure: str
    """Name of the drawing in `figures.svg`."""


def per_metre(kit: Kit) -> int:
    """Return the LEDs per metre of the strip on sale whose pitch is nearest to the kit's."""
    return min(_A_METRE, key=lambda sold: abs(1000 / sold - pitch(kit)))


def lengths(cut: Sequence[int], sold: int) -> int:
    """Return the number of strips of *sold* LEDs from which all pieces, of *cut* LEDs each, can be cut.

    The longest pieces are cut first.

    >>> lengths([30] * 8 + [2], 100), lengths([60, 60, 60], 100)
    (3, 3)
    """
    remainders: list[int] = []
    for leds in sorted(cut, reverse=True):
        whole, rest = divmod(leds, sold)  # a piece longer than a strip is soldered from several
        remainders += [0] * whole
        index = next((index for index, room in enumerate(remainders) if room >= rest), None)
        if rest and index is None:
            remainders.append(sold - rest)
        elif rest and index is not None:
            remainders[index] -= rest
    return len(remainders)


def needs_no_solder(kit: Kit) -> bool:
    """Return whether the kit needs no soldering: a panel as lights, and keys on a USB cable."""
    return kit.panel is not None and isinstance(kit.keypad, UsbKeys)


def price(kit: Kit) -> int:
    return sum(part.euros for part in parts(kit))


def parts(kit: Kit) -> Iterator[Part]:
    for row in rows(kit, "part"):
        euros, figure = int(row["euros"]), row["figure"]
        yield Part(row.get("how_many", "1"), row["what"], row["use"], euros, row["search"], figure)


def texts(kit: Kit, table: str, has: Collection[str] = (), **more: object) -> Iterator[str]:
    """Yield the texts of the rows of *table*: see `rows`."""
    return (row["what"] for row in rows(kit, table, has, **more))


def rows(kit: Kit, table: str, has: Collection[str] = (), **more: object) -> Iterator[dict[str, str]]:
    """Yield the rows of *table* in `sheets.toml` that apply to *kit*, with its facts filled in.

    *has* adds features to those of `_has`, and *more* adds facts to `facts`.
    """
    names, values = _has(kit) | set(has), facts(kit) | more
    for row in _sheets()[table]:
        when, unless = (set(row.get(key, "").split()) for key in ("when", "unless"))
        if when <= names and not unless & names:
            plain = {key: value for key, value in row.items() if not isinstance(value, dict)}
            for name in names & row.keys():
                plain |= row[name]
            yield {key: str(value).format(**values) for key, value in plain.items()}


@cache
def _sheets() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(Path(__file__).with_name("sheets.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def _has(kit: Kit) -> frozenset[str]:
    """Return the features of *kit*, by the names that the top of `sheets.toml` explains."""
    keys = {Keypad: "matrix", UsbKeys: "usb", Buttons: "buttons"}[type(kit.keypad)]
    names = {
        "pi": kit.power.strip == "pi",
        "panel": kit.panel,
        "bonnet": kit.glass.bonnet,
        "plate": kit.plate,
        "far": len(feeds(kit)) > 1,
        "bare": needs_no_solder(kit),
        "voice": kit.loudspeaker,
        "joints": len(pieces(kit)) > 1,
        "fixing": fixing_holes(kit),
        "box": case(kit) is not None,
        "openings": kit.plate and len(kit.plate.openings) > 1,
        "peg": kit.entry == "peg",
        "twice": kit.laps > 1,
        "large": kit.glass.panel == "SSD1309",
        "weak": margin(kit)[0] < 0,
        "wled": kit.strip.host is not None,
        "over_1_a": kit.strip.max_ma > 1000,
        "over_4_a": feeds_have_fuses(kit),
        "over_8_a": kit.strip.max_ma > 8000,
    }
    return frozenset({keys, *(name for name, has in names.items() if has)})


@lru_cache(maxsize=16)
def facts(kit: Kit) -> dict[str, object]:
    """Return the values of the names in braces in the texts of `sheets.toml`."""
    fed, cut = feeds(kit), pieces(kit)
    metres, sold = kit.strip.leds * pitch(kit) / 1000, per_metre(kit)
    soldered = Counter(wire.colour.name for wire in wires(kit) if not wire.is_plugged)
    inches, oled_euros = _PANELS[kit.glass.panel]
    spare, share = margin(kit)
    return {
        "kit": kit,
        "amperes": kit.power.supply_ma / 1000,
        "spare": spare,
        "share": share,
        "fuse": fuse(kit),
        "cord": cord(kit),
        "feed_fuse": fuse(kit, feed_share(kit)),
        "places": "1 place" if len(fed) == 1 else f"{len(fed)} places",
        "drawn": max_current_ma(kit),
        "inches": inches,
        "oled_euros": oled_euros,
        "glass_pins": ", ".join(GLASS_PINS),
        "keys": len(list(cells(kit.keypad))),
        "matrix": _matrix_size(kit.keypad),
        "lights": "panel" if kit.panel else "strip",
        "panel_euros": round(kit.strip.leds / 10),
        "metres": metres,
        "pitch": pitch(kit),
        "supplies": _SUPPLIES,
        "lengths": lengths(cut, sold),
        "reel": 5 * math.ceil(metres / 5),
        "sold": sold,
        "strip_euros": lengths(cut, sold) * _A_METRE[sold],
        "cut": ", ".join(f"{count} of {leds}" for leds, count in sorted(Counter(cut).items(), reverse=True)),
        "joints": len(cut) - 1,
        "joint_wires": 3 * (len(cut) - 1),
        "wires": soldered.total(),
        "colours": ", ".join(f"{count} {name}" for name, count in soldered.items()),
        "feeds": len(fed),
        "feed_wires": 2 * len(fed),
        "middle_feeds": "".join(f", before LED {led}" for led in fed[1:-1]),
        "farthest": FARTHEST,
        "holes": len(along(kit)),
        "drill": drill(kit),
        "openings": amount(len(kit.plate.openings), "opening") if kit.plate else "",
        "fixing": len(fixing_holes(kit)),
        "fixing_drill": FIXING,
        "key_opening": KEY_OPENING,
        "key_pitch": KEY_PITCH,
        "key_room": KEY_OPENING + 2 * RELIEF,
    }


def _matrix_size(keys: KeysSection) -> str:
    return f"{len(keys.rows)} x {len(keys.columns)}" if isinstance(keys, Keypad) else ""


# --- the current -------------------------------------------------------------------------------------


def budget(kit: Kit) -> Iterator[tuple[str, int, str]]:
    """Yield rows of consumer, current in mA and source of that figure; then the total, and the supply."""
    leds, most = kit.strip.leds, kit.strip.max_ma
    dark, full = leds * MA_REST, MA_REST + sum(MA_FULL)
    pegs = round(2 * (1 + QUARTER) * sum(MA_FULL))
    never = f"{full} mA each; never reached: the program dims the lights first"
    yield "strip, dark", dark, f"{leds} LEDs, {MA_REST} mA each"
    yield "strip, two front and two back pegs", dark + pegs, "at most, if they were white"
    yield "strip, all white", leds * full, never
    yield "strip, the most that the program allows", most, "strip.max_ma in kit.toml"
    yield "Raspberry Pi", PI_MA, "estimate, nothing else plugged in"
    yield "OLED", GLASS_MA[kit.glass.panel], f"estimate, {kit.glass.panel}, every pixel lit"
    if kit.power.strip == "pi":
        yield "total", max_current_ma(kit), "strip, Pi and OLED"
    elif kit.strip.host is not None:
        yield "WLED controller", CONTROLLER_MA, "estimate: an ESP32 draws 240 at most while it sends"
        yield "total", max_current_ma(kit), "strip and controller"
    yield "supply", kit.power.supply_ma, "power.supply_ma, or what such a kit usually has"


def max_current_ma(kit: Kit) -> int:
    """Return the maximum current from the supply that feeds the strip."""
    if kit.power.strip == "pi":
        return kit.strip.max_ma + PI_MA + GLASS_MA[kit.glass.panel]
    return kit.strip.max_ma + (CONTROLLER_MA if kit.strip.host is not None else 0)


def margin(kit: Kit) -> tuple[int, int]:
    """Return the reserve of the supply, in mA and in per cent of its rating."""
    spare = kit.power.supply_ma - max_current_ma(kit)
    return spare, round(100 * spare / kit.power.supply_ma)


# --- as a file, and on paper -------------------------------------------------------------------------


_EDGE: Final = 18.0
_WIDTH: Final = 174.0
_SIZE: Final = 2.9
_LINE: Final = 4.1
_FOOT: Final = 17.0  # bottom margin


@dataclass(frozen=True, slots=True)
class PartsTable:
    """A table.  Each column has a share of the width; *words* are written below the table."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shares: tuple[float, ...]
    words: tuple[str, ...] = ()
    inks: tuple[str, ...] = ()
    """Colour of the dot in the last column of each row, "" for no dot; () if the table has no dots."""
    figures: tuple[str, ...] = ()
    """Name of the drawing before each row, "" for none; () if the table has no drawings."""
    are_wrong: bool = False
    """Whether the drawings are crossed out."""


def shopping(kit: Kit) -> tuple[PartsTable, PartsTable]:
    """Return the parts to buy, and parts that are often bought by mistake."""
    listed, wrong = list(parts(kit)), list(rows(kit, "wrong"))
    return (
        PartsTable(
            "Parts",
            ("how many", "what", "what for", "euros", "search for"),
            tuple((part.how_many, part.what, part.use, str(part.euros), part.search) for part in listed),
            (0.1, 0.33, 0.27, 0.07, 0.23),
            tuple(texts(kit, "price", euros=price(kit))),
            figures=tuple(part.figure for part in listed),
        ),
        PartsTable(
            "Not these",
            ("often bought in its place",),
            tuple((row["what"],) for row in wrong),
            (1.0,),
            figures=tuple(row["figure"] for row in wrong),
            are_wrong=True,
        ),
    )


def tables(kit: Kit) -> tuple[PartsTable, ...]:
    return (
        *shopping(kit),
        PartsTable(
            "Current",
            ("what", "mA", "where it comes from"),
            tuple((what, str(ma), why) for what, ma, why in budget(kit)),
            (0.4, 0.1, 0.5),
            tuple(texts(kit, "current")),
        ),
        _wire_table(kit),
    )


def _wire_table(kit: Kit) -> PartsTable:
    rows, inks = [], []
    for wire in wires(kit):
        to = f"keys, {wire.terminal}" if wire.device == KEYS else f"{wire.device} {wire.terminal}"
        how, ink = ("plugged", "") if wire.is_plugged else (wire.colour.name, wire.colour.ink)
        rows.append((str(wire.pin), wire.signal, to, how))
        inks.append(ink)
    head, shares = ("pin", "name", "to", "colour"), (0.1, 0.2, 0.4, 0.3)
    return PartsTable(
        "Wires from the header", head, tuple(rows), shares, tuple(texts(kit, "wires")), tuple(inks)
    )


def as_markdown(kit: Kit) -> str:
    lines = [
        f"# Parts of the kit {kit.name}",
        "",
        f"{kit.title}.",
        "",
        "![Each part, and what is often bought in its place](parts.svg)",
        "",
        f"Drawn from `kit.toml` by `cribpi kits draw {kit.name}`: change that file, and not this one.",
    ]
    for table in tables(kit):
        lines += ["", f"## {table.title}", "", _row(table.head), _row(("---",) * len(table.head))]
        lines += [_row(row) for row in table.rows]
        for words in table.words:
            lines += ["", words]
    return "\n".join(lines) + "\n"


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def paper_sheets(kit: Kit, paper: Paper = A4) -> tuple[Drawing, ...]:
    """Return the tables of *kit* as sheets of portrait *paper*."""
    lowest = paper.height - _FOOT
    title = f"Parts of the kit {kit.name}"
    pages: list[list[DrawnShape | Group]] = [
        [TextLine(_EDGE, 20, title, 6.2, is_bold=True), TextLine(_EDGE, 25.6, kit.title, 3.1, colour=GREY)]
    ]
    y = 36.0
    for table in tables(kit):
        blocks = list(_blocks(table))
        # A table that does not fit is moved to the next page; it is split only if longer than a page.
        is_too_long = y + sum(height for height, _ in blocks) > lowest
        for height, shapes in blocks:
            if is_too_long or y + height > lowest:
                pages.append([])
                y, is_too_long = 22.0, False
            pages[-1].append(Group(tuple(shapes), 0, y))
            y += height
        y += 9
    sheets = []
    for number, page in enumerate(pages, start=1):
        foot = f"Drawn from kit.toml by: cribpi kits draw {kit.name}. Page {number} of {len(pages)}."
        page.append(TextLine(_EDGE, paper.height - 9, foot, 2.2, colour=FAINT))
        name = title if len(pages) == 1 else f"{title}, {number}"
        sheets.append(Drawing(name, paper.width, paper.height, tuple(page)))
    return tuple(sheets)


def shopping_sheet(kit: Kit) -> Drawing:
    """Return pictures of the parts to buy, and of those not to buy, on one sheet of any length."""
    y, shapes = 10.0, list[DrawnShape | Group]()
    for table in shopping(kit):
        for height, block in _blocks(table):
            shapes.append(Group(tuple(block), 0, y))
            y += height
        y += 9
    return Drawing(f"Parts of the kit {kit.name}", _WIDTH + 2 * _EDGE, round(y, 1), tuple(shapes))


_FIGURE: Final = 17.0
"""Width of the column of drawings."""
_TALLEST: Final = 10.4
"""Height of a drawing with its margin."""


def _blocks(table: PartsTable) -> Iterator[tuple[float, list[DrawnShape]]]:
    """Yield the head, each row and the words of *table*: the height, and the shapes from y = 0 downward."""
    indent = _FIGURE if table.figures else 0.0
    width = _WIDTH - indent
    lefts = [_EDGE + indent + width * sum(table.shares[:n]) for n in range(len(table.shares))]
    title = TextLine(_EDGE, 0, table.title, 4.2, is_bold=True)
    head = [TextLine(x, 6.5, name, 2.5, colour=GREY) for x, name in zip(lefts, table.head, strict=True)]
    yield 9.4, [title, *head, line(_EDGE, 8, _EDGE + _WIDTH, 8, Pen(width=0.35))]
    none = ("",) * len(table.rows)
    drawings = zip(table.rows, table.inks or none, table.figures or none, strict=True)
    for row, ink, drawing in drawings:
        shapes: list[DrawnShape] = []
        height = 0.0
        if drawing:
            shapes += figure(drawing, _EDGE + 7.5, _TALLEST / 2)
            shapes += figure("wrong", _EDGE + 7.5, _TALLEST / 2) if table.are_wrong else ()
            height = _TALLEST
        for column, (x, cell) in enumerate(zip(lefts, row, strict=True)):
            lines = wrap(cell, width * table.shares[column] - 3, _SIZE)
            beside = 0.0
            if ink and column == len(row) - 1:
                shapes.append(Circle(x + 1.6, 2.3, 1.3, None, ink))
                beside = 4.6
            for depth, text in enumerate(lines):
                is_bold = column == 0 < len(row) - 1
                shapes.append(TextLine(x + beside, 3.3 + _LINE * depth, text, _SIZE, is_bold=is_bold))
            height = max(height, _LINE * len(lines) + 1.2)
        shapes.append(line(_EDGE, height, _EDGE + _WIDTH, height, Pen(RULE, 0.15)))
        yield height + 0.3, shapes
    gap = 2.0
    for words in table.words:
        lines = wrap(words, _WIDTH, 2.7)
        shapes = [TextLine(_EDGE, gap + 3 + 4 * n, text, 2.7, colour=GREY) for n, text in enumerate(lines)]
        yield gap + 4 * len(lines), shapes
        gap = 0.0
