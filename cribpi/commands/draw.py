"""`cribpi kits draw`: the drawings of a kit, written to a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cribpi.commands.errors import CommandError
from cribpi.drawings import PDF, may_write_pdf, pdf, texts
from cribpi.kit import KitError, load_kit
from cribpi.storage.disk import reason, remedy

NO_PDF: Final = (
    "no PDF: svglib is not installed; get it: in a checkout .venv/bin/python -m pip install -e '.[draw]'"
)
"""The note when only the SVGs and the parts list can be written."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The *files* written, and a *note* if one could not be."""

    files: tuple[Path, ...]
    note: str | None


def draw(name: str, folder: Path | None) -> Drawn:
    """Write the drawings of kit *name*, or of the kit in that file, to *folder*.

    Without *folder* they go to one with the kit's name in the working directory.  The folder is created if
    need be; files of the same names are overwritten, as they are drawn and never edited.

    Raises:
        CommandError: If there is no such kit, or the disk refuses.
    """
    try:
        kit = load_kit(name)
    except KitError as bad:
        raise CommandError(str(bad)) from None
    into = Path(kit.name) if folder is None else folder
    found = {file: text.encode() for file, text in texts(kit).items()}
    if may_write_pdf():
        found[PDF] = pdf(kit)
    files = tuple(_write(into / file, data) for file, data in found.items())
    return Drawn(files, None if PDF in found else NO_PDF)


def _write(path: Path, data: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as refused:
        mends = remedy(refused, "choose a folder that you can write to with --to")
        raise CommandError(f"{path}: {reason(refused)}: {mends}") from None
    return path
