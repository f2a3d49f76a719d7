"""Plain views, the fallback for one that fails: they show facts and calculate nothing."""

from __future__ import annotations

import textwrap
from contextlib import suppress

from PIL import Image

from cribpi.companion.entry import choices
from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.reply import Refusal
from cribpi.companion.views.screen.canvas import COLUMNS, ROWS, Canvas
from cribpi.cribbage.game.state import State


def draw_plain(
    state: State, desk: Desk, refusal: Refusal | None, error: Exception, pad: Pad = TWENTY
) -> Image.Image:
    """Return a picture of the scores, of the *error* that another screen ended in, and of what to do."""
    canvas = Canvas()
    scores = [(state.side_name(side), str(pegs.front)) for side, pegs in enumerate(state.pegs)]
    for row, (name, points) in enumerate(scores):
        canvas.text(0, row, name[: COLUMNS - len(points) - 1])
        canvas.text(COLUMNS - len(points), row, points)
    top = len(scores)
    canvas.text(0, top, "A BUG IN CRIBPI".center(COLUMNS))
    canvas.invert(0, 8 * top, 128, 8)
    failed = textwrap.wrap(f"This screen failed: {type(error).__name__}", COLUMNS)[:2]
    words = textwrap.wrap(_words(state, desk, refusal, pad), COLUMNS)
    for row, line in enumerate([*failed, *words][: ROWS - top - 2], start=top + 1):
        canvas.text(0, row, line)
    canvas.text(0, ROWS - 1, "UNDO", inverse=True)
    canvas.text(5, ROWS - 1, "undoes it")
    return canvas.picture()


def _words(state: State, desk: Desk, refusal: Refusal | None, pad: Pad) -> str:
    """Return why a press was refused, the remark on it, or what to do next, if that can be said."""
    if refusal is not None:
        return str(refusal.error)
    if desk.message is not None:
        return desk.message
    with suppress(Exception):  # it may be the very thing that failed
        return choices.prompt(state, desk, pad)
    return ""
