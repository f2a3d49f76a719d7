"""Where finished reviews are kept: next to the journal, for the page and the terminal alike."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cribpi.companion.files.whole import write_whole
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.record import print_record
from cribpi.cribbage.review import FORMAT

FOLDER: Final = "reviews"
"""Below the journal's folder."""

MOST: Final = 200
"""Reviews that are kept, some 10 kB each; the oldest give way, and are made again where somebody asks."""


def key_of(events: Sequence[Event]) -> str:
    """Return the name under which a game's review is kept: the same for the same events."""
    return hashlib.sha256(print_record(events).encode()).hexdigest()[:32]


def kept(state: Path, key: str) -> dict[str, Any] | None:
    """Return the review *key* from the journal's folder *state*; None if it has to be made."""
    try:
        found = json.loads(gzip.decompress((state / FOLDER / key).read_bytes()))
    except (OSError, EOFError, ValueError):  # not there, or damaged
        return None
    is_sound = isinstance(found, dict) and found.get("format") == FORMAT
    return found if is_sound else None


def keep(state: Path, key: str, found: dict[str, Any]) -> None:
    """Keep a review in the journal's folder *state*, and no more than the newest 200.

    Raises:
        OSError: If the disk refuses.
    """
    folder = state / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / key, gzip.compress(json.dumps(found).encode(), mtime=0))
    others = sorted(folder.glob("[!.]*"), key=lambda path: path.stat().st_mtime)
    for old in others[:-MOST]:
        old.unlink()
