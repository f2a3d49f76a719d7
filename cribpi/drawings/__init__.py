"""Drawings from a kit: wiring, template, parts and keypad, in millimetres, as SVG, PDF and Markdown."""

from cribpi.drawings.book import PDF, pages, pdf, texts
from cribpi.drawings.pdf import may_write_pdf

__all__ = ["PDF", "may_write_pdf", "pages", "pdf", "texts"]
