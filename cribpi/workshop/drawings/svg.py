"""A sheet as SVG: one unit is one millimetre, and the page is as large as the sheet."""

from __future__ import annotations

from typing import Final, assert_never
from xml.etree import ElementTree as ET

from cribpi.workshop.drawings.shapes import (
    Circle,
    Group,
    Path,
    Pen,
    Point,
    Rectangle,
    Shape,
    Sheet,
    Text,
    filled,
    toward,
)

_FONT: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def as_svg(sheet: Sheet) -> str:
    """Return *sheet* as the text of a file; the same sheet gives the same text.

    Texts say how wide they are, so that a font other than Helvetica takes the same room.
    """
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{number(sheet.width)}mm",
            "height": f"{number(sheet.height)}mm",
            "viewBox": " ".join(map(number, (sheet.left, sheet.top, sheet.width, sheet.height))),
            "font-family": _FONT,
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )
    ET.SubElement(root, "title").text = sheet.title
    root.append(_element(filled(sheet.box(), None, "#ffffff")))
    root.extend(_group(one) if isinstance(one, Group) else _element(one) for one in sheet.shapes)
    ET.indent(root, space=" ")
    return ET.tostring(root, encoding="unicode") + "\n"


def number(value: float) -> str:
    """Write *value* with at most three decimals, without zeros at the end.

    >>> [number(value) for value in (340.0, 2.5, -0.0001)]
    ['340', '2.5', '0']
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _element(shape: Shape) -> ET.Element:
    match shape:
        case Path():
            element = ET.Element("path", {"d": _way(shape), **_ink(shape.pen, shape.fill)})
        case Circle(x, y, radius):
            place = {"cx": number(x), "cy": number(y), "r": number(radius)}
            element = ET.Element("circle", place | _ink(shape.pen, shape.fill))
        case Rectangle(x, y, width, height):
            place = {"x": number(x), "y": number(y), "width": number(width), "height": number(height)}
            if shape.radius:
                place["rx"] = number(shape.radius)
            element = ET.Element("rect", place | _ink(shape.pen, shape.fill))
        case Text(x, y, text, size):
            element = ET.Element("text", {"x": number(x), "y": number(y), "font-size": number(size)})
            element.text = text
            if shape.anchor != "start":
                element.set("text-anchor", shape.anchor)
            if shape.is_bold:
                element.set("font-weight", "bold")
            element.set("fill", shape.colour)
            if len(text) > 1:
                element.set("textLength", number(shape.width()))
                element.set("lengthAdjust", "spacingAndGlyphs")
        case _:
            assert_never(shape)
    if shape.role:
        element.set("class", shape.role)
    if shape.name:
        element.set("data-name", shape.name)
    return element


def _group(group: Group) -> ET.Element:
    moved = f"translate({number(group.dx)} {number(group.dy)})"
    if group.scale != 1:
        moved += f" scale({number(group.scale)})"
    outer = inner = ET.Element("g", transform=moved)
    if group.clip is not None:
        # An id made of the place needs no counter.
        name = "clip" + "".join(f"-{number(edge)}" for edge in (*group.clip, group.dx, group.dy))
        ET.SubElement(outer, "clipPath", id=name).append(_element(filled(group.clip, None, "#000000")))
        inner = ET.SubElement(outer, "g", {"clip-path": f"url(#{name})"})
    inner.extend(map(_element, group.shapes))
    return outer


def _way(path: Path) -> str:
    """Return the commands of *path*, its corners rounded if it bends."""
    points, end = path.points, " Z" * path.is_closed
    if not path.bend:
        return "M" + " L".join(map(_at, points)) + end
    steps = [f"M{_at(points[0])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        begins, ends = (toward(corner, other, path.bend, 1 / 2) for other in (before, after))
        steps.append(f"L{_at(begins)} Q{_at(corner)} {_at(ends)}")
    return " ".join([*steps, f"L{_at(points[-1])}"]) + end


def _at(point: Point) -> str:
    return " ".join(map(number, point))


def _ink(pen: Pen | None, fill: str | None) -> dict[str, str]:
    ink = {"fill": fill or "none"}
    if pen is not None:
        ink |= {"stroke": pen.colour, "stroke-width": number(pen.width)}
        if pen.dashes:
            ink["stroke-dasharray"] = " ".join(map(number, pen.dashes))
    return ink
