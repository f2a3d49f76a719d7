"""Sheets as the pages of one PDF, at their true size; the only module that needs reportlab."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib import util
from io import BytesIO
from typing import Any, Final

from cribpi.drawings.shapes import Circle, Group, Path, Pen, Rectangle, Shape, Sheet, Text
from cribpi.drawings.svg import rounded

POINTS: Final = 72 / 25.4
"""Points, PDF's unit, in a millimetre."""


def may_write_pdf() -> bool:
    """Return whether the library that writes PDF is installed."""
    return util.find_spec("reportlab") is not None


def mark(sheets: Sequence[Sheet]) -> str:
    """Return what tells PDFs of other sheets apart, whatever version of the library wrote them."""
    return f"sheets {sha256(repr(tuple(sheets)).encode()).hexdigest()[:16]}"


def as_pdf(title: str, sheets: Sequence[Sheet]) -> bytes:
    """Return *sheets* as a PDF, a page each, as large as the sheet; without dates, so that it is made again
    alike.

    Raises:
        ModuleNotFoundError: If reportlab is not installed.
    """
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415  (the extra may be absent)

    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("cribpi")
    canvas.setCreator("cribpi kits draw")
    canvas.setSubject("Print at 100 %")
    canvas.setKeywords(mark(sheets))
    # A reader that honours this does not offer to fit the page to the paper.
    canvas.setViewerPreference("PrintScaling", "None")
    for sheet in sheets:
        canvas.setPageSize((sheet.width * POINTS, sheet.height * POINTS))
        canvas.bookmarkPage(sheet.title)
        canvas.addOutlineEntry(sheet.title, sheet.title)
        # From here on a unit is a millimetre and y grows downward, as on the sheet.
        canvas.transform(POINTS, 0, 0, -POINTS, -sheet.left * POINTS, (sheet.height + sheet.top) * POINTS)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for shape in sheet.shapes:
            _draw(canvas, shape)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw(canvas: Any, shape: Shape) -> None:  # noqa: ANN401  (reportlab ships no types)
    match shape:
        case Path():
            way = canvas.beginPath()
            way.moveTo(*shape.points[0])
            if shape.bend:
                at = shape.points[0]
                for begin, corner, end in rounded(shape.points, shape.bend):
                    way.lineTo(*begin)
                    # A quadratic curve as the cubic one that PDF has.
                    first = tuple(a + (c - a) * 2 / 3 for a, c in zip(begin, corner, strict=True))
                    second = tuple(b + (c - b) * 2 / 3 for b, c in zip(end, corner, strict=True))
                    way.curveTo(*first, *second, *end)
                    at = end
                if at != shape.points[-1]:
                    way.lineTo(*shape.points[-1])
            else:
                for point in shape.points[1:]:
                    way.lineTo(*point)
            if shape.is_closed:
                way.close()
            canvas.drawPath(way, **_ink(canvas, shape.pen, shape.fill))
        case Circle():
            canvas.circle(shape.x, shape.y, shape.radius, **_ink(canvas, shape.pen, shape.fill))
        case Rectangle():
            place = (shape.x, shape.y, shape.width, shape.height)
            ink = _ink(canvas, shape.pen, shape.fill)
            if shape.radius:
                canvas.roundRect(*place, shape.radius, **ink)
            else:
                canvas.rect(*place, **ink)
        case Text():
            _write(canvas, shape)
        case Group():
            _draw_group(canvas, shape)


def _draw_group(canvas: Any, group: Group) -> None:  # noqa: ANN401
    canvas.saveState()
    canvas.transform(group.scale, 0, 0, group.scale, group.dx, group.dy)
    if group.clip is not None:
        way = canvas.beginPath()
        left, top, right, bottom = group.clip
        way.rect(left, top, right - left, bottom - top)
        canvas.clipPath(way, stroke=0, fill=0)
    for shape in group.shapes:
        if group.clip is None or shape.box().grown(1).meets(group.clip):
            _draw(canvas, shape)
    canvas.restoreState()


def _write(canvas: Any, text: Text) -> None:  # noqa: ANN401
    canvas.saveState()
    canvas.translate(text.x, text.y)
    canvas.rotate(text.turn)
    canvas.scale(1, -1)  # letters stand upright though y grows downward
    canvas.setFillColor(text.colour)
    canvas.setFont("Helvetica-Bold" if text.is_bold else "Helvetica", text.size)
    write = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
    # The fonts that every reader has know the letters of western Europe.
    write[text.anchor](0, 0, text.text.encode("cp1252", "replace").decode("cp1252"))
    canvas.restoreState()


def _ink(canvas: Any, pen: Pen | None, fill: str | None) -> dict[str, int]:  # noqa: ANN401
    if pen is not None:
        canvas.setStrokeColor(pen.colour)
        canvas.setLineWidth(pen.width)
        canvas.setDash(list(pen.dashes))
    if fill is not None:
        canvas.setFillColor(fill)
    return {"stroke": int(pen is not None), "fill": int(fill is not None)}
