"""`cribpi kits draw`: the drawings of a kit, written to a folder."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from cribpi.commands.errors import writing
from cribpi.commands.streams import show
from cribpi.companion.kit import load_kit
from cribpi.workshop.drawings import PDFS, may_write_pdf, pdf, pictures, solids, texts

NO_PDF: Final = (
    "no PDF: svglib is not installed; get it: in a checkout .venv/bin/python -m pip install -e '.[draw]'"
)
"""The note when only the SVGs and the parts list can be written."""


NO_STL: Final = "no STL: two openings of the plate, or one and its edge, are too near to each other"
"""The note when a printer could not keep the openings apart."""


def draw(options: Namespace) -> int:
    """Write the drawings of a kit to a folder, and print their names.

    Without a folder they go to one with the kit's name in the working directory.  It is created if need be;
    files of the same names are overwritten, as they are drawn and never edited.

    Raises:
        UserError: If there is no such kit, or the disk refuses.
    """
    kit = load_kit(options.name)
    folder = options.to or Path(kit.name)
    written = texts(kit) | pictures(kit)
    found = {folder / file: text.encode() for file, text in written.items()}
    to_print = solids(kit)
    found |= {folder / file: data for file, data in to_print.items()}
    notes = [] if to_print else [NO_STL]
    if may_write_pdf():
        found |= {folder / file: pdf(kit, paper) for file, paper in PDFS.items()}
    else:
        notes.append(NO_PDF)
    for path, data in found.items():
        with writing(path, "choose a folder that you can write to with --to"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    files = [str(path) for path in found]
    note = "; ".join(notes) or None
    show([*files, *notes], {"files": files, "note": note}, is_json=options.json)
    return 0
