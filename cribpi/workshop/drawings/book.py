"""All drawings of a kit as files: what `cribpi kits draw` writes."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from importlib import util
from io import BytesIO
from typing import Final

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.caps import caps
from cribpi.workshop.drawings.case import case, drawer, tiles
from cribpi.workshop.drawings.kicad import kicad_files
from cribpi.workshop.drawings.overlay import overlay_sheet
from cribpi.workshop.drawings.parts import as_markdown, paper_sheets, shopping_sheet
from cribpi.workshop.drawings.plate import (
    as_dxf,
    is_solid,
    key_plate,
    keys_dxf,
    keys_solid,
    pieces,
    triangles,
)
from cribpi.workshop.drawings.shapes import A4, LETTER, Group, Paper, Sheet
from cribpi.workshop.drawings.solid import stl, surface
from cribpi.workshop.drawings.steps import steps
from cribpi.workshop.drawings.svg import as_svg
from cribpi.workshop.drawings.template import template_sheet
from cribpi.workshop.drawings.tiles import tile_sheets
from cribpi.workshop.drawings.wiring import wiring_sheet

PDFS: Final = {"drawings.pdf": A4, "drawings-letter.pdf": LETTER}
"""The files that have everything, to be printed, each for its paper."""

_POINTS: Final = 72 / 25.4  # PDF's unit, in a millimetre


def texts(kit: Kit) -> dict[str, str]:
    """Return the drawings that are text, SVG, DXF, Markdown and KiCad's, by their files' names."""
    found = {
        "wiring.svg": as_svg(wiring_sheet(kit)),
        "template.svg": as_svg(template_sheet(kit)),
        "keypad.svg": as_svg(overlay_sheet(kit)),
        "plate.dxf": as_dxf(kit),
        "parts.md": as_markdown(kit),
        "parts.svg": as_svg(shopping_sheet(kit)),
        **kicad_files(kit),
    }
    if thin := key_plate(kit):
        found["keys.dxf"] = keys_dxf(thin)
    return found


def pictures(kit: Kit) -> dict[str, str]:
    """Return a picture of each step of building, as SVG, by its file's name."""
    return {f"step-{number}.svg": as_svg(sheet) for number, sheet in enumerate(steps(kit), start=1)}


def solids(kit: Kit) -> dict[str, bytes]:
    """Return what is for a printer, as STL, by its files' names: the plate's pieces first.

    These are left out if two openings, or one and an edge, are too near to each other.
    """
    parts = pieces(kit)
    found = {}
    if all(map(is_solid, parts)):
        found = {f"plate-{piece.name}.stl": stl(triangles(piece)) for piece in parts}
    if thin := key_plate(kit):
        found |= {"keys.stl": stl(surface([*keys_solid(thin)])), "caps.stl": stl(surface(caps(kit)))}
    if box := case(kit):
        found |= {f"box-{tile.name}.stl": stl(surface(tile.blocks)) for tile in tiles(box)}
        if box.drawer:
            found["box-drawer.stl"] = stl(surface([*drawer()]))
    return found


def pages(kit: Kit, paper: Paper = A4) -> tuple[Sheet, ...]:
    """Return the sheets of the PDF for *paper* in order: parts, wiring, keypad, template."""
    wiring = _fitted(wiring_sheet(kit), paper)
    return (*paper_sheets(kit, paper), wiring, overlay_sheet(kit, paper), *tile_sheets(kit, paper))


def _fitted(sheet: Sheet, paper: Paper) -> Sheet:
    """Return a sheet that is not to scale on *paper* lying, smaller if need be, in its middle."""
    width, height = paper.lying
    scale = min(width / sheet.width, height / sheet.height)
    if scale == 1:
        return sheet
    shapes = tuple(shape for shape in sheet.shapes if not isinstance(shape, Group))
    dx, dy = (width - sheet.width * scale) / 2, (height - sheet.height * scale) / 2
    return Sheet(sheet.title, width, height, (Group(shapes, dx, dy, scale),))


def may_write_pdf() -> bool:
    """Return whether the libraries that write PDF are installed."""
    return util.find_spec("svglib") is not None


def mark(sheets: Iterable[Sheet]) -> str:
    """Return what tells PDFs of other sheets apart, whatever versions of the libraries wrote them."""
    return f"sheets {sha256(''.join(map(as_svg, sheets)).encode()).hexdigest()[:16]}"


def pdf(kit: Kit, paper: Paper = A4) -> bytes:
    """Return the PDF with all pages on *paper*, each at its true size.

    It has no dates in it: the same sheets give the same bytes.

    Raises:
        ModuleNotFoundError: If svglib is not installed; `may_write_pdf` tells.
    """
    # The extra may be absent.
    from reportlab.graphics import renderPDF  # noqa: PLC0415
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415
    from svglib.svglib import svg2rlg  # noqa: PLC0415

    sheets = pages(kit, paper)
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle(f"cribpi: the kit {kit.name}")
    canvas.setAuthor("cribpi")
    canvas.setCreator("cribpi kits draw")
    canvas.setSubject("Print at 100 %")
    canvas.setKeywords(mark(sheets))
    # A reader that honours this does not offer to fit the page to the paper.
    canvas.setViewerPreference("PrintScaling", "None")
    for sheet in sheets:
        # Helvetica, which every reader has, knows the letters of western Europe; others become "?".
        svg = as_svg(sheet, has_helvetica=True).encode("cp1252", "replace").decode("cp1252")
        canvas.setPageSize((sheet.width * _POINTS, sheet.height * _POINTS))
        canvas.bookmarkPage(sheet.title)
        canvas.addOutlineEntry(sheet.title, sheet.title)
        renderPDF.draw(svg2rlg(BytesIO(svg.encode())), canvas, 0, 0)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
