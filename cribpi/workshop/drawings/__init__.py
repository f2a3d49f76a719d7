"""Drawings of a kit: wiring, template, plate, parts, keypad."""

from cribpi.workshop.drawings.export import PDFS, may_write_pdf, pages, pdf, pictures, solids, texts

__all__ = ["PDFS", "may_write_pdf", "pages", "pdf", "pictures", "solids", "texts"]
