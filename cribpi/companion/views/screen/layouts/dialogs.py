"""Screens with a sentence or a question: dialogs without a list, refusals, undone steps and messages."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.choice import Rows
from cribpi.companion.entry.debounce import HOLD_TO_SHUT_DOWN
from cribpi.companion.entry.device import version
from cribpi.companion.entry.effect import Refusal, WrongKey
from cribpi.companion.entry.input_state import FalseWin, Status, Undone
from cribpi.companion.entry.keys import card_of
from cribpi.companion.entry.menu import why_pages
from cribpi.companion.entry.settings import NoSuchSetting
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, MARGIN, MEDIUM, SMALL, WIDTH
from cribpi.companion.views.screen.layouts.lists import write_keys_of_number
from cribpi.companion.views.screen.layouts.scores import bar_of_scores, scores, small_scores
from cribpi.companion.views.screen.layouts.start import write_sign
from cribpi.companion.views.screen.sheet import ANY_RANK, KEYS_RIGHT, ROWS, TITLE, Sheet, amount_keys
from cribpi.companion.views.screen.wording import fitted, labels, paragraph, wrap
from cribpi.cribbage.game.cards import Rank
from cribpi.cribbage.game.events import Entry, FalseWinRuled
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.grammar import capital, verb_of
from cribpi.cribbage.words import call as words

_PAGE_LINES: Final = 4
"""Lines of text on a page of the status screen."""


def sentence(sheet: Sheet, state: State, _: object) -> None:
    """Show the prompt and the keys of a dialog that has no layout in `screen.SCREENS`."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.view.scene.prompt, 5))
    sheet.keys(*(binding.key for binding in sheet.view.likely))


def status(sheet: Sheet, state: State, dialog: Status) -> None:
    """Show version, address for phones and number of problems; further pages have one problem each."""
    troubles, pages = sheet.trouble, len(sheet.trouble) + 1
    page = dialog.line % pages
    small_scores(sheet, state)
    sheet.title(f"PROBLEM {page} OF {len(troubles)}" if page else "STATUS", TITLE - 8)
    if page:
        lines = paragraph(capital(troubles[page - 1]), _PAGE_LINES)
    else:
        wrong = ("nothing is wrong", "1 thing is wrong", f"{len(troubles)} things are wrong")
        lines = (version(), sheet.view.phones.page or "phones are off", "", wrong[min(len(troubles), 2)])
    sheet.lines(lines, y=TITLE + 3)
    following = ("DOWN", "") if sheet.stick else ("P2", "more")
    sheet.keys("OK", *([following] if troubles else []))


def switch_off(sheet: Sheet, state: State, _: object) -> None:
    """Ask whether to switch off or restart, and name the key whose long press switches off at once."""
    scores(sheet, state)
    sheet.lines(paragraph(sheet.view.scene.prompt, 3))
    held = sheet.pad.long_press_key("hold:MENU")
    if held is not None:
        sheet.row(3, f"hold {held} {round(HOLD_TO_SHUT_DOWN)} s: off")
    sheet.keys("P1", "P2", ("UNDO", ""), gap=4)


def false_win(sheet: Sheet, state: State, dialog: FalseWin) -> None:
    """Ask for the true score of a side that has not won after all, and show how all scores change."""
    scores(sheet, state)
    has_not_won = verb_of(state.spoken_side(dialog.side), "has not won").upper()
    sheet.title(fitted(f"{{name}} {has_not_won}", name=state.side_name(dialog.side).upper()))
    sheet.small(2, 28, "true score")
    sheet.small(WIDTH - 1, 28, str(dialog.score), align="right")
    sheet.invert(0, 27, WIDTH, 9)
    after = step(state, FalseWinRuled(dialog.side, dialog.score)).scores()
    moved = [side for side, before in enumerate(state.scores()) if after[side] != before]
    names = labels([state.side_name(side) for side in moved], [COLUMNS - 9] * len(moved))
    becomes = (f"{state.pegs[side].front}→{after[side]}" for side in moved)
    sheet.lines(map(" ".join, zip(names, becomes, strict=True)), x=1 + CELL, y=38)
    write_keys_of_number(sheet)


_LINES: Final = 3
"""Lines of text that fit between a title below the scores and the key row."""
_LOW: Final = ROWS[-1] + 1
"""The top in px of the key row below a long text: one px lower, so that its lower edge is cut off."""
_KEY_GAP: Final = 4
"""Px between two keys below a text."""
_NEXT: Final = 84
"""Left edge in px of the key for the next page."""

TITLES: Final[dict[type[Exception], str]] = {
    errors.TooHigh: "TOO HIGH",
    errors.MustPlay: "NO GO",
    errors.ImpossibleCards: "WRONG CARDS",
    errors.NotHeld: "NOT IN HAND",
    errors.ImpossibleClaim: "FLUSH AND NOBS",
    errors.ImpossiblePoints: "WRONG POINTS",
    errors.BadSetup: "CHECK THE GAME",
    errors.WrongSeat: "WRONG TURN",
    errors.GameIsOver: "GAME OVER",
    errors.WrongPhase: "NOT NOW",
    WrongKey: "WRONG KEY",
    NoSuchSetting: "CHECK THE SETTING",
}
"""The title of a refusal, by the class of its error.  The error's message is written below it."""


def refused(sheet: Sheet, state: State, refusal: Refusal) -> None:
    """Show a refusal: a title, the error's message, and the keys that can be pressed."""
    text, title = str(refusal.error), title_of(refusal)
    if isinstance(refusal.error, WrongKey) and text.startswith(sheet.view.scene.at_keypad):
        text = sheet.view.scene.at_keypad  # the sentence goes on to name keys, which the last row shows
    repeated = f"{title}, and "
    if text.upper().startswith(repeated.upper()):
        text = text[len(repeated) :]
    _write(sheet, state, title, capital(text), is_large=bool(state.pegs))


def title_of(refusal: Refusal) -> str:
    """Return the title of a refusal, such as "FIVE SEVENS", "NO GO" or "WRONG KEY"."""
    error = refusal.error
    if isinstance(error, errors.TooHigh) and (card := card_of(refusal.key)) is not None:
        return f"{card.rank.symbol} IS TOO HIGH"
    if isinstance(error, errors.ImpossibleCards) and error.rank:
        number = str(error).split(" ", 1)[0]
        if not number.isdigit():
            return "ONE CARD TWICE"
        rank = Rank(error.rank)
        return f"{words.number(int(number))} {rank.name}{'ES' if rank is Rank.SIX else 'S'}".upper()
    titles = (TITLES[kind] for kind in type(error).__mro__ if kind in TITLES)
    return next(titles, "NOT SAVED")


def noted(sheet: Sheet, state: State, message: str) -> None:
    _write(sheet, state, "NOTE", capital(message))


def shutting_down(sheet: Sheet, state: State, message: str) -> None:
    """Show the *message* of a shutdown. The part before its colon becomes the title."""
    title, _, text = message.partition(": ")
    _write(sheet, state, title.upper(), capital(text), has_keys=False)


def undone(sheet: Sheet, state: State, dialog: Undone) -> None:
    """Show the last undone step, and the number of further steps that can be undone."""
    _write_head(sheet, state)
    sheet.title("UNDONE")
    sheet.lines(paragraph(capital(dialog.what), 2), y=sheet.title_top + 9)
    texts = ("nothing left to undo", "1 more step", f"{dialog.left} more steps")
    sheet.small(1, 44, texts[min(dialog.left, 2)])
    if dialog.left:
        sheet.keys_apart("OK", "UNDO")
    else:
        sheet.keys("OK")


def _write(
    sheet: Sheet, state: State, title: str, text: str, *, has_keys: bool = True, is_large: bool = False
) -> None:
    """Write *title*, *text* below it, and the keys below that.

    If *is_large* and there is space, the title is large enough to be read from afar, and the scores are
    small. For a text that is one line too long, the scores are small; for a longer one the title is left out.
    Before a game, there are no scores but the sign, which a long text replaces.
    """
    over = len(wrap(text)) - _LINES
    if is_large and over <= 0 and MEDIUM.width_of(title) < WIDTH:
        small_scores(sheet, state)
        sheet.medium(WIDTH // 2, TITLE - 7, title, align="centre")
        sheet.invert(0, TITLE - 8, WIDTH, MEDIUM.height + 1)
        top, first = None, TITLE + MEDIUM.height - 6
    elif over <= 0:
        _write_head(sheet, state)
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


def _write_head(sheet: Sheet, state: State) -> None:
    if state.pegs:
        scores(sheet, state)
    else:
        write_sign(sheet)


def _write_keys(sheet: Sheet, state: State, y: int) -> None:
    """Write the keys that can be pressed, as many as fit, the likeliest first; *y* is their top."""
    ranks = [(ANY_RANK, "card")]
    if state.entry is Entry.PEG:
        ranks = [(key, "") for key in amount_keys(sheet.pad)]
    likely = ((binding.key, sheet.offered(binding.key)) for binding in sheet.view.likely)
    shown: list[tuple[str, str]] = []
    room = KEYS_RIGHT - MARGIN - 1
    for key, label in (
        *(ranks if sheet.view.scene.takes_ranks else []),
        *((key, text.short) for key, text in likely if text),
    ):
        width = sheet.key_width(key, label)
        if width <= room:
            shown.append((key, label))
            room -= width + _KEY_GAP
    sheet.keys(*shown, y=y, gap=_KEY_GAP)


def why(sheet: Sheet, state: State, rows: Rows) -> None:
    """Show the rule behind the last event and its source; the cursor of *rows* selects the page."""
    pages = why_pages(state)
    page = pages[rows.at]
    if state.pegs:
        bar_of_scores(sheet, state)
    sheet.lines(page.lines, y=9)
    source = page.reason.source
    named, room = f"by {source}", (_NEXT - 4) // CELL
    sheet.row(5, named if len(named) <= room or len(pages) == 1 else source)
    if len(pages) > 1:
        following = ("DOWN", "") if sheet.stick else ("P2", "\N{DOWNWARDS ARROW}")
        sheet.key(_NEXT, ROWS[-1], *following)
    sheet.last_key("OK")
