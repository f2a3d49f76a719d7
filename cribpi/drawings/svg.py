"""A sheet as SVG: one unit is one millimetre, and the page is as large as the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never
from xml.etree import ElementTree as ET

from cribpi.drawings.shapes import Circle, Group, Path, Pen, Point, Rectangle, Shape, Sheet, Text

FONT: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"


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
            "font-family": FONT,
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )
    ET.SubElement(root, "title").text = sheet.title
    paper = Rectangle(sheet.left, sheet.top, sheet.width, sheet.height, pen=None, fill="#ffffff")
    for shape in (paper, *sheet.shapes):
        _add(root, shape)
    ET.indent(root, space=" ")
    return ET.tostring(root, encoding="unicode") + "\n"


def number(value: float) -> str:
    """Write *value* with at most three decimals, without zeros at the end.

    >>> [number(value) for value in (340.0, 2.5, -0.0001)]
    ['340', '2.5', '0']
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rounded(points: Sequence[Point], bend: float) -> list[tuple[Point, Point, Point]]:
    """Return, for each inner point of a line, where its rounding begins, the corner, and where it ends."""
    corners = []
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        ends = []
        for other in (before, after):
            dx, dy = other[0] - at[0], other[1] - at[1]
            length = (dx * dx + dy * dy) ** 0.5
            share = min(bend, length / 2) / length if length else 0
            ends.append((at[0] + dx * share, at[1] + dy * share))
        corners.append((ends[0], at, ends[1]))
    return corners


def _add(parent: ET.Element, shape: Shape) -> None:
    if isinstance(shape, Group):
        _group(parent, shape)
        return
    element: ET.Element
    match shape:
        case Path():
            element = ET.SubElement(parent, "path", {"d": _way(shape)} | _ink(shape.pen, shape.fill))
        case Circle():
            place = {"cx": shape.x, "cy": shape.y, "r": shape.radius}
            element = ET.SubElement(parent, "circle", _numbers(place) | _ink(shape.pen, shape.fill))
        case Rectangle():
            place = {"x": shape.x, "y": shape.y, "width": shape.width, "height": shape.height}
            if shape.radius:
                place["rx"] = shape.radius
            element = ET.SubElement(parent, "rect", _numbers(place) | _ink(shape.pen, shape.fill))
        case Text():
            element = _text(parent, shape)
        case _:
            assert_never(shape)
    if shape.role:
        element.set("class", shape.role)
    if shape.name:
        element.set("data-name", shape.name)


def _group(parent: ET.Element, group: Group) -> None:
    moved = f"translate({number(group.dx)} {number(group.dy)})"
    if group.scale != 1:
        moved += f" scale({number(group.scale)})"
    element = ET.SubElement(parent, "g", {"transform": moved})
    if group.clip is not None:
        # An id made of the place needs no counter.
        name = "clip" + "".join(f"-{number(edge)}" for edge in (*group.clip, group.dx, group.dy))
        clip = ET.SubElement(element, "clipPath", {"id": name})
        left, top, right, bottom = group.clip
        _add(clip, Rectangle(left, top, right - left, bottom - top, pen=None, fill="#000000"))
        element = ET.SubElement(element, "g", {"clip-path": f"url(#{name})"})
    for shape in group.shapes:
        _add(element, shape)


def _text(parent: ET.Element, text: Text) -> ET.Element:
    element = ET.SubElement(parent, "text", _numbers({"x": text.x, "y": text.y, "font-size": text.size}))
    element.text = text.text
    if text.anchor != "start":
        element.set("text-anchor", text.anchor)
    if text.is_bold:
        element.set("font-weight", "bold")
    if text.turn:
        element.set("transform", f"rotate({text.turn} {number(text.x)} {number(text.y)})")
    element.set("fill", text.colour)
    if len(text.text) > 1:
        element.set("textLength", number(text.width()))
        element.set("lengthAdjust", "spacingAndGlyphs")
    return element


def _way(path: Path) -> str:
    def at(point: Point) -> str:
        return f"{number(point[0])} {number(point[1])}"

    if not path.bend:
        way = "M" + " L".join(map(at, path.points))
    else:
        steps = [f"M{at(path.points[0])}"]
        steps += [f"L{at(a)} Q{at(corner)} {at(b)}" for a, corner, b in rounded(path.points, path.bend)]
        way = " ".join([*steps, f"L{at(path.points[-1])}"])
    return way + " Z" * path.is_closed


def _numbers(place: dict[str, float]) -> dict[str, str]:
    return {key: number(value) for key, value in place.items()}


def _ink(pen: Pen | None, fill: str | None) -> dict[str, str]:
    ink = {"fill": fill or "none"}
    if pen is not None:
        ink |= {"stroke": pen.colour, "stroke-width": number(pen.width)}
        if pen.dashes:
            ink["stroke-dasharray"] = " ".join(map(number, pen.dashes))
    return ink
