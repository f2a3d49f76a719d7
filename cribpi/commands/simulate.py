"""`cribpi simulate`: keys pressed on the twin, without a page, from a new table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TextIO

from PIL import Image

from cribpi.app.rehearsal import Rehearsal
from cribpi.commands.errors import CommandError
from cribpi.commands.house import seated, set_up
from cribpi.core.shown import shown
from cribpi.entry.desk import Setup
from cribpi.entry.keys import HOLDS, KEYS, is_key
from cribpi.kit import KitError, load_kit
from cribpi.languages import ENGLISH, LanguageError, speak
from cribpi.storage.disk import reason, remedy
from cribpi.views.json.state import refusal_json
from cribpi.views.lights.board_picture import board_picture

GLASS_SCALE: Final = 6
"""The enlargement of the screen in pictures."""


def simulate(
    keys: Sequence[str],
    *,
    kit: str | None,
    seed: int | None,
    is_json: bool,
    png: Path | None,
    out: TextIO,
    rules: str | None = None,
    rule: Sequence[str] = (),
    entry: str | None = None,
    levels: str | None = None,
    language: str = ENGLISH,
) -> int:
    """Press *keys* in order, and print the result of each; a refusal does not stop it.

    *rules*, *rule*, *entry* and *levels* are offered for the first new game.  The machine's seats act at
    once.

    Raises:
        CommandError: If a word is not a key, the kit or the language can't be used, or the pictures can't
            be written.
    """
    for place, key in enumerate(keys, start=1):
        if not is_key(key):
            raise CommandError(
                f"key {place}, {shown(key)}, is not a key: the keys are {' '.join((*KEYS, *HOLDS))}, and "
                "cards as "
                f"7H"
            )
    try:
        speak(language)
        used = load_kit(kit or "table")
        setup = seated(set_up(Setup(entry=used.entry), rules, rule), entry, levels)
        rehearsal = Rehearsal(used, seed, setup=setup)
    except (KitError, LanguageError) as bad:
        raise CommandError(str(bad)) from None
    try:
        _print(rehearsal, "", None, is_json=is_json, out=out)
        _draw(rehearsal, png, 0)
        for place, key in enumerate(keys, start=1):
            error = rehearsal.press(key)
            _print(rehearsal, key, error, is_json=is_json, out=out)
            _draw(rehearsal, png, place)
    finally:
        rehearsal.close()
    return 0


def _print(rehearsal: Rehearsal, key: str, error: Exception | None, *, is_json: bool, out: TextIO) -> None:
    state = rehearsal.now.json()
    if is_json:
        refused = refusal_json(error, rehearsal.now.state.rules) if error else {}
        print(json.dumps(state | refused), file=out)
        return
    scores = " - ".join(str(score) for score in rehearsal.now.state.scores())
    said = f"refused: {error}" if error else state["question"] or state["message"] or state["prompt"]
    print(f"{key:>9}  {scores:>9}  {said}", file=out)


def _draw(rehearsal: Rehearsal, folder: Path | None, place: int) -> None:
    """Write pictures of the screen and the board after press number *place*."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        glass = rehearsal.glass()
        size = (glass.width * GLASS_SCALE, glass.height * GLASS_SCALE)
        glass.resize(size, Image.Resampling.NEAREST).save(folder / f"{place:04}-glass.png")
        board_picture(rehearsal.kit, rehearsal.board(), rehearsal.now.state.rules.target).save(
            folder / f"{place:04}-board.png"
        )
    except OSError as bad:
        mends = remedy(bad, "choose a folder that can be written")
        raise CommandError(f"{folder}: {reason(bad)}: {mends}") from None
