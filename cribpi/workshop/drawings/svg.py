"""Writes sheets as SVG, and reads shapes from `figures.svg`; one unit is one millimetre."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path as File
from typing import Final, Literal, assert_never, cast
from xml.etree import ElementTree as ET

from cribpi.workshop.drawings.shapes import (
    INK,
    Circle,
    Drawing,
    DrawnShape,
    Group,
    Path,
    Pen,
    Point,
    Rectangle,
    TextLine,
    filled,
    toward,
    wide_size,
)

_FONT: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"


_FULL: Final = "@supports (--s:0){text{font-size:calc(var(--s)*1px)}}"


def as_svg(sheet: Drawing, *, has_helvetica: bool = False) -> str:
    """Return *sheet* as an SVG file; the same sheet gives the same text.

    The layout assumes Helvetica.  Texts have a textLength, with which browsers fit other fonts into the same
    width.  Other viewers ignore textLength, and may only have DejaVu Sans, which is wider.  So texts have a
    smaller size, and a CSS rule that only browsers understand restores the full size.  With *has_helvetica*,
    texts always have the full size.
    """
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{number(sheet.width)}mm",
            "height": f"{number(sheet.height)}mm",
            "viewBox": " ".join(map(number, (sheet.left, sheet.top, sheet.width, sheet.height))),
            "font-family": _FONT,
            "fill": INK,
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )
    ET.SubElement(root, "title").text = sheet.title
    ET.SubElement(root, "style").text = _FULL
    root.append(_element(filled(sheet.box(), None, "#ffffff")))
    root.extend(_group(each) if isinstance(each, Group) else _element(each) for each in sheet.shapes)
    if has_helvetica:
        for text in root.iter("text"):
            text.set("font-size", text.attrib.pop("style").removeprefix("--s:"))
    ET.indent(root, space="")
    return ET.tostring(root, encoding="unicode") + "\n"


def number(value: float) -> str:
    """Format *value* with at most three decimals, without trailing zeros.

    >>> [number(value) for value in (340.0, 2.5, -0.0001)]
    ['340', '2.5', '0']
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _element(shape: DrawnShape) -> ET.Element:
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
        case TextLine(x, y, text, size):
            element = ET.Element(
                "text", {"x": number(x), "y": number(y), "font-size": number(wide_size(shape))}
            )
            element.set("style", f"--s:{number(size)}")
            element.text = text
            if shape.anchor != "start":
                element.set("text-anchor", shape.anchor)
            if shape.is_bold:
                element.set("font-weight", "bold")
            if shape.colour != INK:
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


def _shape(element: ET.Element, x: float, y: float, facts: dict[str, object]) -> DrawnShape:
    """Return the shape of *element*, moved by *x* and *y*, with *facts* in its text; see `_element`."""
    own = element.attrib

    def size(key: str) -> float:
        return float(own.get(key, 0))

    pen, fill = None, None if own["fill"] == "none" else own["fill"]
    if "stroke" in own:
        dashes = tuple(map(float, own.get("stroke-dasharray", "").split()))
        pen = Pen(own["stroke"], size("stroke-width"), dashes)
    role, name = own.get("class", ""), own.get("data-name", "")
    match element.tag.rpartition("}")[2]:
        case "path":
            corners = (map(float, pair.split()) for pair in own["d"].removesuffix(" Z")[1:].split(" L"))
            points = tuple((x + right, y + down) for right, down in corners)
            return Path(points, pen, fill, own["d"].endswith("Z"), role=role, name=name)
        case "circle":
            return Circle(x + size("cx"), y + size("cy"), size("r"), pen, fill, role, name)
        case "rect":
            box = x + size("x"), y + size("y"), size("width"), size("height")
            return Rectangle(*box, pen, fill, size("rx"), role, name)
        case _:
            anchor = cast("Literal['start', 'middle', 'end']", own.get("text-anchor", "start"))
            place, text = (x + size("x"), y + size("y")), (element.text or "").format(**facts)
            is_bold = own.get("font-weight") == "bold"
            return TextLine(*place, text, size("font-size"), anchor, is_bold, own["fill"], role, name)


def figure(name: str, x: float = 0.0, y: float = 0.0, **facts: object) -> Iterator[DrawnShape]:
    """Yield the shapes of a group in `figures.svg`, moved by *x* and *y*, with *facts* in its texts."""
    return (_shape(element, x, y, facts) for element in _figures()[name])


@cache
def _figures() -> dict[str, ET.Element]:
    file = File(__file__).with_name("figures.svg")
    return {group.attrib["id"]: group for group in ET.fromstring(file.read_bytes()) if "id" in group.attrib}  # noqa: S314  our own


def _group(group: Group) -> ET.Element:
    moved = f"translate({number(group.dx)} {number(group.dy)})"
    if group.scale != 1:
        moved += f" scale({number(group.scale)})"
    outer = inner = ET.Element("g", transform=moved)
    if group.clip is not None:
        # The id is derived from the coordinates, so that the same sheet gives the same text.
        name = "clip" + "".join(f"-{number(edge)}" for edge in (*group.clip, group.dx, group.dy))
        ET.SubElement(outer, "clipPath", id=name).append(_element(filled(group.clip, None, "#000000")))
        inner = ET.SubElement(outer, "g", {"clip-path": f"url(#{name})"})
    inner.extend(map(_element, group.shapes))
    return outer


def _way(path: Path) -> str:
    points, end = path.points, " Z" if path.is_closed else ""
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
