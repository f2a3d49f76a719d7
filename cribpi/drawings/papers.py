"""The parts list, the current budget and the list of wires: as Markdown, and as sheets of A4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cribpi.drawings.circuit import KEYS, wires
from cribpi.drawings.letters import wrap
from cribpi.drawings.parts import budget, in_words, parts
from cribpi.drawings.shapes import Circle, Group, Pen, Shape, Sheet, Text, line
from cribpi.kit import Kit, UsbKeys

_EDGE: Final = 18.0
_WIDTH: Final = 174.0
_SIZE: Final = 2.9
_LINE: Final = 4.1
_LOWEST: Final = 280.0
_GREY: Final = "#57606a"


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
        Table(
            "Parts",
            ("how many", "what", "what for"),
            tuple((part.count, part.what, part.use) for part in parts(kit)),
            (0.12, 0.48, 0.4),
        ),
        Table(
            "Current",
            ("what", "mA", "where it comes from"),
            tuple((draw.what, str(draw.ma), draw.why) for draw in budget(kit)),
            (0.4, 0.1, 0.5),
            in_words(kit),
        ),
        _wire_table(kit),
    )


def _wire_table(kit: Kit) -> Table:
    found = wires(kit)
    rows = []
    for wire in found:
        to = f"keys, {wire.terminal}" if wire.device == KEYS else f"{wire.device} {wire.terminal}"
        how = "plugged" if wire.is_plugged else wire.colour.name
        rows.append((str(wire.pin), wire.signal, to, how))
    counted = "Pins are counted on the header: 1 is next to the microSD card"
    words = [f"{counted}, the even ones are at the board's edge."]
    if isinstance(kit.keypad, UsbKeys):
        words.append("The keypad has its own cable to a USB socket.")
    if any(wire.is_plugged for wire in found):
        words.append("Plugged: made by plugging the bonnet on, with no wire of its own.")
    inks = tuple("" if wire.is_plugged else wire.colour.ink for wire in found)
    return Table(
        "Wires from the header",
        ("pin", "name", "to", "colour"),
        tuple(rows),
        (0.1, 0.2, 0.4, 0.3),
        tuple(words),
        inks,
    )


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


def paper_sheets(kit: Kit) -> tuple[Sheet, ...]:
    """Return the papers of *kit* as sheets of A4 upright, as many as they need."""
    pages: list[list[Shape]] = [[]]
    y = 20.0
    pages[0] += [
        Text(_EDGE, y, f"Parts of the kit {kit.name}", 6.2, is_bold=True),
        Text(_EDGE, y + 5.6, kit.title, 3.1, colour=_GREY),
    ]
    y += 16
    for table in tables(kit):
        blocks = list(_blocks(table))
        # A table is split only if it is longer than a page.
        if y + sum(height for height, _ in blocks) > _LOWEST:
            pages.append([])
            y = 22.0
        for height, shapes in blocks:
            if y + height > _LOWEST:
                pages.append([])
                y = 22.0
            pages[-1].append(Group(tuple(shapes), 0, y))
            y += height
        y += 9
    title = f"Parts of the kit {kit.name}"
    return tuple(
        Sheet(
            title if len(pages) == 1 else f"{title}, {number}",
            210,
            297,
            (*shapes, _foot(kit, number, len(pages))),
        )
        for number, shapes in enumerate(pages, start=1)
    )


def _foot(kit: Kit, number: int, count: int) -> Shape:
    text = f"Drawn from kit.toml by: cribpi kits draw {kit.name}. Page {number} of {count}."
    return Text(_EDGE, 288, text, 2.2, colour="#8b929b")


def _blocks(table: Table) -> Iterator[tuple[float, list[Shape]]]:
    """Yield the table's parts: the height of each, and its shapes from y = 0."""
    lefts = [_EDGE + _WIDTH * sum(table.shares[:n]) for n in range(len(table.shares))]
    title = Text(_EDGE, 0, table.title, 4.2, is_bold=True)
    head = [Text(x, 6.5, name, 2.5, colour=_GREY) for x, name in zip(lefts, table.head, strict=True)]
    yield 9.4, [title, *head, line(_EDGE, 8, _EDGE + _WIDTH, 8, Pen(width=0.35))]
    for number, row in enumerate(table.rows):
        shapes: list[Shape] = []
        deepest = 1
        for column, (x, cell) in enumerate(zip(lefts, row, strict=True)):
            is_swatch = bool(table.inks) and column == len(row) - 1 and bool(table.inks[number])
            if is_swatch:
                shapes.append(Circle(x + 1.6, 2.3, 1.3, None, table.inks[number]))
            texts = wrap(cell, _WIDTH * table.shares[column] - 3, _SIZE)
            deepest = max(deepest, len(texts))
            for depth, text in enumerate(texts):
                shapes.append(
                    Text(x + 4.6 * is_swatch, 3.3 + _LINE * depth, text, _SIZE, is_bold=column == 0)
                )
        height = _LINE * deepest + 1.2
        shapes.append(line(_EDGE, height, _EDGE + _WIDTH, height, Pen("#d5dae0", 0.15)))
        yield height + 0.3, shapes
    for number, words in enumerate(table.words):
        texts = wrap(words, _WIDTH, 2.7)
        gap = 2.0 if number == 0 else 0.0
        yield (
            gap + 4 * len(texts),
            [Text(_EDGE, gap + 3 + 4 * depth, text, 2.7, colour=_GREY) for depth, text in enumerate(texts)],
        )
