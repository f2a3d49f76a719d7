"""`cribpi kits draw`: the drawings of a kit, written to a folder."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from cribpi.commands.errors import passing_on, writing
from cribpi.commands.streams import show
from cribpi.drawings import PDFS, may_write_pdf, pdf, texts
from cribpi.kit import KitError, load_kit

NO_PDF: Final = (
    "no PDF: svglib is not installed; get it: in a checkout .venv/bin/python -m pip install -e '.[draw]'"
)
"""The note when only the SVGs and the parts list can be written."""


def draw(options: Namespace) -> int:
    """Write the drawings of a kit to a folder, and print their names.

    Without a folder they go to one with the kit's name in the working directory.  It is created if need be;
    files of the same names are overwritten, as they are drawn and never edited.

    Raises:
        CommandError: If there is no such kit, or the disk refuses.
    """
    with passing_on(KitError):
        kit = load_kit(options.name)
    folder = options.to or Path(kit.name)
    found = {folder / file: text.encode() for file, text in texts(kit).items()}
    note = None if may_write_pdf() else NO_PDF
    if note is None:
        found |= {folder / file: pdf(kit, paper) for file, paper in PDFS.items()}
    for path, data in found.items():
        with writing(path, "choose a folder that you can write to with --to"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    files = [str(path) for path in found]
    show([*files, note] if note else files, {"files": files, "note": note}, is_json=options.json)
    return 0
