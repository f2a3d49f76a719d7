"""`cribpi simulate`: press keys on emulated hardware, starting with a new table and without a web page."""

from __future__ import annotations

import json
from argparse import Namespace
from contextlib import closing
from pathlib import Path
from typing import Final

from PIL import Image

from cribpi.commands.house import set_up
from cribpi.commands.streams import typed, writing
from cribpi.companion.entry.keys import DIGITS, HOLDS, KEYS, RANKS, keys_of
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.views.lights.board_picture import board_picture
from cribpi.companion.web.json.state import refusal_json, shown_json
from cribpi.cribbage.rules.errors import BadCard, UserError

GLASS_SCALE: Final = 6
"""Scale factor of the screen in pictures."""


def run(options: Namespace) -> None:
    """Press keys in order, and print the result of each, including refused ones.

    Rules and players given on the command line apply to the first game. The computer's seats act without
    delay.

    Raises:
        UserError: If a word is not a key, the kit can't be used, or the pictures can't be written.
    """
    try:
        keys = keys_of("".join(typed()) if options.keys == "-" else options.keys or "")
    except BadCard as bad:
        others = " ".join(key for key in (*KEYS, *HOLDS, *DIGITS) if key not in RANKS)
        raise UserError(f"{bad}; keys that are not cards: {others}") from None
    kit = load_kit(options.kit or "table")
    setup = set_up(NextGame(entry=kit.entry), options.rules, options.rule, options.entry, options.levels)
    with closing(Rehearsal(kit, options.seed, setup=setup)) as rehearsal:
        for place, key in enumerate(["", *keys]):
            error = rehearsal.press(key) if key else None
            _print(rehearsal, key, error, is_json=options.json)
            if options.png:
                _draw(rehearsal, options.png, place)


def _print(rehearsal: Rehearsal, key: str, error: Exception | None, *, is_json: bool) -> None:
    state = shown_json(rehearsal.now, rehearsal.table.faults)
    if is_json:
        refused = refusal_json(error, rehearsal.now.state.rules) if error else None
        print(json.dumps({**state, **(refused or {})}))
        return
    scores = " - ".join(str(score) for score in rehearsal.now.state.scores())
    result = f"refused: {error}" if error else state["question"] or state["message"] or state["prompt"]
    print(f"{key:>9}  {scores:>9}  {result}")


def _draw(rehearsal: Rehearsal, folder: Path, place: int) -> None:
    """Write pictures of the screen and the board after key press number *place*."""
    glass = rehearsal.glass()
    glass = glass.resize((glass.width * GLASS_SCALE, glass.height * GLASS_SCALE), Image.Resampling.NEAREST)
    board = board_picture(rehearsal.kit, rehearsal.board(), rehearsal.now.state.rules.target)
    with writing(folder, "choose a folder that can be written"):
        folder.mkdir(parents=True, exist_ok=True)
        glass.save(folder / f"{place:04}-glass.png")
        board.save(folder / f"{place:04}-board.png")
