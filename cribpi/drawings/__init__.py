"""Drawings from a kit: wiring, template, parts and keypad, in millimetres, as SVG, PDF and Markdown."""

from cribpi.drawings.book import PDFS, may_write_pdf, pages, pdf, texts

__all__ = ["PDFS", "may_write_pdf", "pages", "pdf", "texts"]
