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
from cribpi.workshop.drawings.shapes import A4, LETTER, Drawing, Group, Paper
from cribpi.workshop.drawings.solid import stl, surface
from cribpi.workshop.drawings.steps import steps
from cribpi.workshop.drawings.svg import as_svg
from cribpi.workshop.drawings.template import template_sheet
from cribpi.workshop.drawings.tiles import tile_sheets
from cribpi.workshop.drawings.wiring import wiring_sheet

PDFS: Final = {"drawings.pdf": A4, "drawings-letter.pdf": LETTER}
"""Files with all drawings for printing, and their paper."""

_POINTS: Final = 72 / 25.4  # PDF points in a millimetre


def texts(kit: Kit) -> dict[str, str]:
    """Return the contents of the text files, SVG, DXF, Markdown and KiCad, by file name."""
    files = {
        "wiring.svg": as_svg(wiring_sheet(kit)),
        "template.svg": as_svg(template_sheet(kit)),
        "keypad.svg": as_svg(overlay_sheet(kit)),
        "plate.dxf": as_dxf(kit),
        "parts.md": as_markdown(kit),
        "parts.svg": as_svg(shopping_sheet(kit)),
        **kicad_files(kit),
    }
    if thin := key_plate(kit):
        files["keys.dxf"] = keys_dxf(thin)
    return files


def pictures(kit: Kit) -> dict[str, str]:
    """Return a picture of each building step as SVG, by file name."""
    return {f"step-{number}.svg": as_svg(sheet) for number, sheet in enumerate(steps(kit), start=1)}


def solids(kit: Kit) -> dict[str, bytes]:
    """Return the STL files for a 3D printer, by file name.

    The pieces of the plate are left out if an opening is too close to another one or to an edge.
    """
    parts = pieces(kit)
    files = {}
    if all(map(is_solid, parts)):
        files = {f"plate-{piece.name}.stl": stl(triangles(piece)) for piece in parts}
    if thin := key_plate(kit):
        files |= {"keys.stl": stl(surface([*keys_solid(thin)])), "caps.stl": stl(surface(caps(kit)))}
    if box := case(kit):
        files |= {f"box-{tile.name}.stl": stl(surface(tile.blocks)) for tile in tiles(box)}
        if box.drawer:
            files["box-drawer.stl"] = stl(surface([*drawer()]))
    return files


def pages(kit: Kit, paper: Paper = A4) -> tuple[Drawing, ...]:
    """Return the sheets of the PDF for *paper*, in this order: parts, wiring, keypad, template."""
    wiring = _fitted(wiring_sheet(kit), paper)
    return (*paper_sheets(kit, paper), wiring, overlay_sheet(kit, paper), *tile_sheets(kit, paper))


def _fitted(sheet: Drawing, paper: Paper) -> Drawing:
    """Return *sheet*, which is not to scale, shrunk to landscape *paper* if it is larger, and centred."""
    width, height = paper.landscape
    scale = min(width / sheet.width, height / sheet.height)
    if scale == 1:
        return sheet
    shapes = tuple(shape for shape in sheet.shapes if not isinstance(shape, Group))
    dx, dy = (width - sheet.width * scale) / 2, (height - sheet.height * scale) / 2
    return Drawing(sheet.title, width, height, (Group(shapes, dx, dy, scale),))


def may_write_pdf() -> bool:
    """Return whether the libraries that write PDF are installed."""
    return util.find_spec("svglib") is not None


def mark(sheets: Iterable[Drawing]) -> str:
    """Return a hash of *sheets*, which is the same with all versions of the PDF libraries."""
    return f"sheets {sha256(''.join(map(as_svg, sheets)).encode()).hexdigest()[:16]}"


def pdf(kit: Kit, paper: Paper = A4) -> bytes:
    """Return the PDF with all pages on *paper*, true to scale.

    It contains no dates: the same sheets give the same bytes.

    Raises:
        ModuleNotFoundError: If svglib is not installed; see `may_write_pdf`.
    """
    # Imported here, because the extra may be missing.
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
    # This makes viewers that support it print at 100 % instead of fitting the page to the paper.
    canvas.setViewerPreference("PrintScaling", "None")
    for sheet in sheets:
        # Every viewer has Helvetica, but only with western European letters; others become "?".
        svg = as_svg(sheet, has_helvetica=True).encode("cp1252", "replace").decode("cp1252")
        canvas.setPageSize((sheet.width * _POINTS, sheet.height * _POINTS))
        canvas.bookmarkPage(sheet.title)
        canvas.addOutlineEntry(sheet.title, sheet.title)
        renderPDF.draw(svg2rlg(BytesIO(svg.encode())), canvas, 0, 0)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
