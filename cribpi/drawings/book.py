"""All drawings of a kit as files: what `cribpi kits draw` writes."""

from __future__ import annotations

from typing import Final

from cribpi.drawings.overlay import overlay_sheet
from cribpi.drawings.papers import as_markdown, paper_sheets
from cribpi.drawings.pdf import as_pdf
from cribpi.drawings.shapes import Sheet
from cribpi.drawings.svg import as_svg
from cribpi.drawings.template import template_sheet
from cribpi.drawings.tiles import tile_sheets
from cribpi.drawings.wiring import wiring_sheet
from cribpi.kit import Kit

PDF: Final = "drawings.pdf"
"""The file that has everything, to be printed."""


def texts(kit: Kit) -> dict[str, str]:
    """Return the drawings that are text, SVG and Markdown, by their files' names."""
    return {
        "wiring.svg": as_svg(wiring_sheet(kit)),
        "template.svg": as_svg(template_sheet(kit)),
        "keypad.svg": as_svg(overlay_sheet(kit)),
        "parts.md": as_markdown(kit),
    }


def pages(kit: Kit) -> tuple[Sheet, ...]:
    """Return the sheets of the PDF in order: parts, wiring, keypad, template."""
    return (*paper_sheets(kit), wiring_sheet(kit), overlay_sheet(kit), *tile_sheets(kit))


def pdf(kit: Kit) -> bytes:
    """Return the PDF with all pages.

    Raises:
        ModuleNotFoundError: If svglib is not installed; `may_write_pdf` tells.
    """
    return as_pdf(f"cribpi: the kit {kit.name}", pages(kit))
