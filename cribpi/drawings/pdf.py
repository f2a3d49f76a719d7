"""Sheets as the pages of one PDF, at their true size: their SVG, by svglib and reportlab."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib import util
from io import BytesIO
from typing import Final

from cribpi.drawings.shapes import Sheet
from cribpi.drawings.svg import as_svg

POINTS: Final = 72 / 25.4
"""Points, PDF's unit, in a millimetre."""


def may_write_pdf() -> bool:
    """Return whether the libraries that write PDF are installed."""
    return util.find_spec("svglib") is not None


def mark(sheets: Sequence[Sheet]) -> str:
    """Return what tells PDFs of other sheets apart, whatever versions of the libraries wrote them."""
    return f"sheets {sha256(repr(tuple(sheets)).encode()).hexdigest()[:16]}"


def as_pdf(title: str, sheets: Sequence[Sheet]) -> bytes:
    """Return *sheets* as a PDF, a page each, as large as the sheet.

    It has no dates in it: the same sheets give the same bytes.

    Raises:
        ModuleNotFoundError: If svglib is not installed.
    """
    # The extra may be absent.
    from reportlab.graphics import renderPDF  # noqa: PLC0415
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415
    from svglib.svglib import svg2rlg  # noqa: PLC0415

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
        # Helvetica, which every reader has, knows the letters of western Europe; others become "?".
        svg = as_svg(sheet).encode("cp1252", "replace").decode("cp1252")
        canvas.setPageSize((sheet.width * POINTS, sheet.height * POINTS))
        canvas.bookmarkPage(sheet.title)
        canvas.addOutlineEntry(sheet.title, sheet.title)
        renderPDF.draw(svg2rlg(BytesIO(svg.encode())), canvas, 0, 0)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
