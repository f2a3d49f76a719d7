"""Screens of sentences: what was refused, what was taken back, a remark, and the rule that answers "why?"."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.choice import Rows, capital
from cribpi.companion.entry.desk import Undone
from cribpi.companion.entry.keys import card_of
from cribpi.companion.entry.menu import why_pages
from cribpi.companion.entry.reply import Refusal, WrongKey
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import CELL, MARGIN
from cribpi.companion.views.screen.font import SMALL
from cribpi.companion.views.screen.layouts.scores import bar_of_scores, scores, small_scores
from cribpi.companion.views.screen.layouts.start import write_sign
from cribpi.companion.views.screen.sheet import KEYS_RIGHT, ROWS, TITLE, Sheet, amount_keys
from cribpi.companion.views.screen.wording import paragraph, wrap
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.errors import ImpossibleCards, TooHigh
from cribpi.cribbage.words import call as words

_LINES: Final = 3
"""Lines of a sentence under scores and a title; the row of the keys is below them."""
_LOW: Final = ROWS[-1] + 1
"""The top of the keys below a sentence that leaves them no more room, in px: their lower edge is cut off."""
_KEY_GAP: Final = 4
"""Px between two of those keys."""
_NEXT: Final = 84
"""Where the key for the next rule stands, in px: the last line above it is seldom so long."""


def refused(sheet: Sheet, state: State, refusal: Refusal) -> None:
    """Tell what was wrong, and the key that puts it right: the refusal's own sentence."""
    said, title = str(refusal.error), title_of(refusal)
    if isinstance(refusal.error, WrongKey) and said.startswith(sheet.asks):
        said = sheet.asks  # the keys that it goes on to name are in the last row
    repeated = f"{title}, and "
    if said.upper().startswith(repeated.upper()):
        said = said[len(repeated) :]
    _write(sheet, state, title, capital(said))


def title_of(refusal: Refusal) -> str:
    """Return the title over a refusal: five sevens, no go, wrong key."""
    error = refusal.error
    if isinstance(error, TooHigh) and (card := card_of(refusal.key)) is not None:
        return texts.CARD_TOO_HIGH.format(card=card.rank.symbol)
    if isinstance(error, ImpossibleCards) and error.rank:
        number = str(error).split(" ", 1)[0]
        if not number.isdigit():
            return texts.TWICE
        return texts.TOO_MANY.format(number=words.number(int(number)), rank=texts.RANKS[error.rank]).upper()
    titles = (texts.ERRORS[kind] for kind in type(error).__mro__ if kind in texts.ERRORS)
    return next(titles, texts.NOT_SAVED)


def noted(sheet: Sheet, state: State, message: str) -> None:
    """Tell a remark on the last press."""
    _write(sheet, state, texts.NOTE, capital(message))


def shutting_down(sheet: Sheet, state: State, message: str) -> None:
    """Tell when the plug may be pulled: *message* is what happens, a colon, and what to do."""
    title, _, text = message.partition(": ")
    _write(sheet, state, title.upper(), capital(text), has_keys=False)


def undone(sheet: Sheet, state: State, dialog: Undone) -> None:
    """Tell what the last undo took away, and how many more there are."""
    if state.pegs:
        scores(sheet, state)
    else:
        write_sign(sheet)
    sheet.title(texts.TAKEN_BACK)
    sheet.lines(paragraph(capital(dialog.what), 2), y=sheet.title_top + 9)
    sheet.small(1, 44, texts.STEPS_LEFT[min(dialog.left, 2)].format(number=dialog.left))
    if dialog.left:
        sheet.keys_apart("OK", "UNDO")
    else:
        sheet.keys("OK")


def _write(sheet: Sheet, state: State, title: str, text: str, *, has_keys: bool = True) -> None:
    """Write *text* under *title*, and the keys below.

    For a long text the scores are small, or the sign is left out; for one that is longer still, the title is.
    """
    over = len(wrap(text)) - _LINES
    if over <= 0:
        (scores if state.pegs else _sign)(sheet, state)
        top, first = sheet.title_top, sheet.title_top + 9
    elif not state.pegs:
        top, first = 1, 11
    elif over == 1:
        small_scores(sheet, state)
        top, first = TITLE - 8, TITLE + 2
    else:
        bar_of_scores(sheet, state)
        top, first = None, 9
    if top is not None:
        sheet.title(title, top)
    lines = paragraph(text, (_LOW - first) // SMALL.height)
    sheet.lines(lines, y=first)
    if has_keys:
        is_low = first + len(lines) * SMALL.height > ROWS[-1]
        _write_keys(sheet, state, _LOW if is_low else ROWS[-1])


def _sign(sheet: Sheet, _: State) -> None:
    write_sign(sheet)


def _write_keys(sheet: Sheet, state: State, y: int) -> None:
    """Write with their tops at *y* what can be pressed here, as far as there is room, the likeliest first."""
    ranks = [(texts.ANY_RANK, texts.CARD)]
    if state.entry is Entry.PEG:
        ranks = [(key, "") for key in amount_keys(sheet.pad)]
    likely = ((key, sheet.offered(key)) for key in sheet.likely())
    found: list[tuple[str, str]] = []
    left = KEYS_RIGHT - MARGIN - 1
    for key, label in (*ranks * sheet.takes_ranks, *((key, text.short) for key, text in likely if text)):
        width = sheet.key_width(key, label)
        if width <= left:
            found.append((key, label))
            left -= width + _KEY_GAP
    sheet.keys(*found, y=y, gap=_KEY_GAP)


def why(sheet: Sheet, state: State, rows: Rows) -> None:
    """Tell the rule that the last thing rests on, its source, and what that says: the page at the cursor."""
    pages = why_pages(state)
    page = pages[rows.at]
    if state.pegs:
        bar_of_scores(sheet, state)
    sheet.lines(page.lines, y=9)
    source = page.reason.source
    named, room = texts.BY_SOURCE.format(source=source), (_NEXT - 4) // CELL
    sheet.row(5, named if len(named) <= room or len(pages) == 1 else source)
    if len(pages) > 1:
        following = ("DOWN", "") if sheet.stick else ("P2", "\N{DOWNWARDS ARROW}")
        sheet.key(_NEXT, ROWS[-1], *following)
    sheet.last_key("OK")
