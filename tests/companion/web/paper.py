"""A page as a browser prints it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

needs_pdftotext = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not installed"
)


def printed(page: Page, folder: Path, **margin: Any) -> str:  # noqa: ANN401  as Playwright takes it
    """Return the text on paper, with a form feed after each sheet."""
    paper = folder / "paper.pdf"
    page.pdf(path=paper, format="A4", **margin)
    return subprocess.run(
        ["pdftotext", "-layout", paper, "-"], capture_output=True, text=True, check=True
    ).stdout
