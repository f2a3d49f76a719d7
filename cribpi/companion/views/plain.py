"""A plain screen, the fallback if the normal one fails: facts only, without calculations that could fail."""

from __future__ import annotations

import textwrap
from contextlib import suppress

from PIL import Image

from cribpi.companion.entry.effect import Refusal
from cribpi.companion.entry.view import TableView
from cribpi.companion.views.screen.canvas import COLUMNS, ROWS, Canvas


def draw_plain(view: TableView, refusal: Refusal | None, error: Exception) -> Image.Image:
    """Return a picture of the scores, the *error* of the failed screen, and the prompt."""
    canvas, scores = Canvas(), [(side.name, str(side.front)) for side in view.sides]
    for row, (name, points) in enumerate(scores):
        canvas.text(0, row, name[: COLUMNS - len(points) - 1])
        canvas.text(COLUMNS - len(points), row, points)
    top = len(scores)
    canvas.text(0, top, "A BUG IN CRIBPI".center(COLUMNS))
    canvas.invert(0, 8 * top, 128, 8)
    failed = textwrap.wrap(f"This screen failed: {type(error).__name__}", COLUMNS)[:2]
    words = textwrap.wrap(_words(view, refusal), COLUMNS)
    for row, line in enumerate([*failed, *words][: ROWS - top - 2], start=top + 1):
        canvas.text(0, row, line)
    canvas.text(0, ROWS - 1, "UNDO", inverse=True)
    canvas.text(5, ROWS - 1, "undoes it")
    return canvas.picture()


def _words(view: TableView, refusal: Refusal | None) -> str:
    """Return the first available of: the refusal of the last press, the message about it, the prompt."""
    if refusal is not None:
        return str(refusal.error)
    if view.input_state.message is not None:
        return view.input_state.message
    with suppress(Exception):  # The prompt may be the very part that failed.
        return view.prompt
    return ""
