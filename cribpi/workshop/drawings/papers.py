"""The parts list, the current budget and the list of wires: as Markdown, and as sheets of paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.circuit import KEYS, wires
from cribpi.workshop.drawings.parts import budget, parts, price, said
from cribpi.workshop.drawings.shapes import (
    A4,
    FAINT,
    GREY,
    RULE,
    Circle,
    Group,
    Paper,
    Pen,
    Shape,
    Sheet,
    Text,
    line,
    wrap,
)

_EDGE: Final = 18.0
_WIDTH: Final = 174.0
_SIZE: Final = 2.9
_LINE: Final = 4.1
_FOOT: Final = 17.0  # of paper below the last row


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its *title*, *head* and *rows*, each column's share of the width, and *words* below it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shares: tuple[float, ...]
    words: tuple[str, ...] = ()
    inks: tuple[str, ...] = ()
    """A colour for a dot in the last column of each row; "" or no colours for none."""


def tables(kit: Kit) -> tuple[Table, ...]:
    return (
        _parts_table(kit),
        Table(
            "Current",
            ("what", "mA", "where it comes from"),
            tuple((what, str(ma), why) for what, ma, why in budget(kit)),
            (0.4, 0.1, 0.5),
            tuple(said(kit, "current")),
        ),
        _wire_table(kit),
    )


def _parts_table(kit: Kit) -> Table:
    rows = tuple((part.how_many, part.what, part.use, str(part.euros), part.search) for part in parts(kit))
    words = tuple(said(kit, "price", euros=price(kit)))
    head = ("how many", "what", "what for", "euros", "search for")
    return Table("Parts", head, rows, (0.1, 0.33, 0.27, 0.07, 0.23), words)


def _wire_table(kit: Kit) -> Table:
    rows, inks = [], []
    for wire in wires(kit):
        to = f"keys, {wire.terminal}" if wire.device == KEYS else f"{wire.device} {wire.terminal}"
        how, ink = ("plugged", "") if wire.is_plugged else (wire.colour.name, wire.colour.ink)
        rows.append((str(wire.pin), wire.signal, to, how))
        inks.append(ink)
    head, shares = ("pin", "name", "to", "colour"), (0.1, 0.2, 0.4, 0.3)
    return Table("Wires from the header", head, tuple(rows), shares, tuple(said(kit, "wires")), tuple(inks))


def as_markdown(kit: Kit) -> str:
    """Return the papers of *kit* as a Markdown file's whole text."""
    lines = [
        f"# Parts of the kit {kit.name}",
        "",
        f"{kit.title}.",
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


def paper_sheets(kit: Kit, paper: Paper = A4) -> tuple[Sheet, ...]:
    """Return the papers of *kit* as sheets of *paper* upright, as many as they need."""
    lowest = paper.height - _FOOT
    title = f"Parts of the kit {kit.name}"
    pages: list[list[Shape | Group]] = [
        [Text(_EDGE, 20, title, 6.2, is_bold=True), Text(_EDGE, 25.6, kit.title, 3.1, colour=GREY)]
    ]
    y = 36.0
    for table in tables(kit):
        blocks = list(_blocks(table))
        # A table is split only if it is longer than a page.
        is_too_long = y + sum(height for height, _ in blocks) > lowest
        for height, shapes in blocks:
            if is_too_long or y + height > lowest:
                pages.append([])
                y, is_too_long = 22.0, False
            pages[-1].append(Group(tuple(shapes), 0, y))
            y += height
        y += 9
    sheets = []
    for number, drawn in enumerate(pages, start=1):
        foot = f"Drawn from kit.toml by: cribpi kits draw {kit.name}. Page {number} of {len(pages)}."
        drawn.append(Text(_EDGE, paper.height - 9, foot, 2.2, colour=FAINT))
        name = title if len(pages) == 1 else f"{title}, {number}"
        sheets.append(Sheet(name, paper.width, paper.height, tuple(drawn)))
    return tuple(sheets)


def _blocks(table: Table) -> Iterator[tuple[float, list[Shape]]]:
    """Yield the table's parts: the height of each, and its shapes from y = 0."""
    lefts = [_EDGE + _WIDTH * sum(table.shares[:n]) for n in range(len(table.shares))]
    title = Text(_EDGE, 0, table.title, 4.2, is_bold=True)
    head = [Text(x, 6.5, name, 2.5, colour=GREY) for x, name in zip(lefts, table.head, strict=True)]
    yield 9.4, [title, *head, line(_EDGE, 8, _EDGE + _WIDTH, 8, Pen(width=0.35))]
    for row, ink in zip(table.rows, table.inks or ("",) * len(table.rows), strict=True):
        shapes: list[Shape] = []
        height = 0.0
        for column, (x, cell) in enumerate(zip(lefts, row, strict=True)):
            texts = wrap(cell, _WIDTH * table.shares[column] - 3, _SIZE)
            indent = 0.0
            if ink and column == len(row) - 1:
                shapes.append(Circle(x + 1.6, 2.3, 1.3, None, ink))
                indent = 4.6
            for depth, text in enumerate(texts):
                at = x + indent, 3.3 + _LINE * depth
                shapes.append(Text(*at, text, _SIZE, is_bold=column == 0))
            height = max(height, _LINE * len(texts) + 1.2)
        shapes.append(line(_EDGE, height, _EDGE + _WIDTH, height, Pen(RULE, 0.15)))
        yield height + 0.3, shapes
    gap = 2.0
    for words in table.words:
        texts = wrap(words, _WIDTH, 2.7)
        shapes = [Text(_EDGE, gap + 3 + 4 * n, text, 2.7, colour=GREY) for n, text in enumerate(texts)]
        yield gap + 4 * len(texts), shapes
        gap = 0.0
