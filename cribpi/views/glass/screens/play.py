"""Screens of the play of a game kept by cards: the count, and what the last card was worth."""

from __future__ import annotations

from typing import Final, Literal

from cribpi.core.cards import Card
from cribpi.core.deal import Deal
from cribpi.core.events import CardPlayed, GoSaid, HeelsTaken, NewCountLed, StarterTurned
from cribpi.core.heels import his_heels
from cribpi.core.play import LIMIT
from cribpi.core.state import Outcome, State
from cribpi.core.words import number
from cribpi.entry.desk import Question
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, MARGIN, WIDTH, fit
from cribpi.views.glass.caps import cap
from cribpi.views.glass.font import MEDIUM
from cribpi.views.glass.screens.outcomes import back_peg, reason, signed, who
from cribpi.views.glass.screens.scores import scores
from cribpi.views.glass.sheet import ROWS, Sheet
from cribpi.views.glass.wording import cards, fitted, side_label, wrap

RIGHT: Final = 42
"""Where the column beside the count begins, in px."""
DEED: Final = RIGHT + 28
"""Where what the last points were for begins, in px, beside the points."""
CELLS: Final = (WIDTH - RIGHT) // CELL
"""Cells of that column."""


def play(sheet: Sheet, state: State, deal: Deal) -> None:
    """Show the play of cards of paper, and ask for the next."""
    board_of_play(sheet, state, deal)
    if is_jack_to_take(deal):
        ask_for_heels(sheet)
    _ask(sheet, deal)


def board_of_play(sheet: Sheet, state: State, deal: Deal, *, deed_rows: Literal[1, 2] = 2) -> None:
    """Show the count, or what has just closed it, or the starter.

    What the last card pegged, or who said go, takes *deed_rows* from the fourth row on; the next one is free.
    """
    scores(sheet, state)
    outcomes = state.outcomes
    if deal.pile:
        _write_count(sheet, deal)
        _write_deed(sheet, state, deed_rows)
    elif outcomes and isinstance(outcomes[0].event, StarterTurned | HeelsTaken):
        heels(sheet, side_label(state, outcomes[0].side), outcomes[0].points)
    elif is_jack_to_take(deal):
        _tell_of_jack(sheet, state, deal)
    elif deal.last_to_play is not None:
        _write_closed(sheet, state)
        _write_deed(sheet, state, deed_rows)
    else:
        sheet.big(1, ROWS[0], "0")
        sheet.row(0, texts.THE_STARTER_IS, x=RIGHT)
        if deal.starter:
            sheet.medium(RIGHT, ROWS[1] + 2, deal.starter.face)


def is_jack_to_take(deal: Deal) -> bool:
    """Tell whether a jack has just been turned up, for which the dealer takes his heels himself."""
    return not deal.pile and deal.last_to_play is None and deal.heels_open


def _tell_of_jack(sheet: Sheet, state: State, deal: Deal) -> None:
    """Tell of a jack turned up, for which his heels are to be taken."""
    if deal.starter:
        sheet.medium(MARGIN, ROWS[0] + 4, deal.starter.face)
    sheet.row(0, texts.HEELS_JACK.format(points=number(his_heels(state.rules))), x=RIGHT)
    sheet.row(1, texts.HEELS_FOR, x=RIGHT)
    sheet.row(2, fitted("{name}", CELLS, name=side_label(state, state.side(deal.dealer))), x=RIGHT)


def ask_for_heels(sheet: Sheet) -> None:
    """Say that OK takes the points for a jack that has just been turned up."""
    sheet.keys("OK", y=43)


def _write_count(sheet: Sheet, deal: Deal) -> None:
    sheet.big(1, ROWS[0], str(deal.count))
    _write_pile(sheet, deal.pile)
    sheet.row(2, texts.ROOM.format(room=deal.room), x=RIGHT)


def _write_deed(sheet: Sheet, state: State, rows: Literal[1, 2]) -> None:
    """Write what was pegged last and for what, or who said go; a card without points says nothing.

    Each thing keeps its place from card to card, so that few bytes change on the glass.
    """
    if state.last is None:
        return
    if rows == 1:
        _write_deed_in_a_row(sheet, state, state.last)
        return
    last, event = state.last, state.last.event
    if isinstance(event, GoSaid) and not last.points:
        points, lines = texts.GO, [state.names[event.seat]]
    elif last.points:
        points, lines = signed(last.points), []
    else:
        return
    left = max(DEED, RIGHT + MEDIUM.width_of(points) + 5)
    cells = (WIDTH - left) // CELL
    if last.points:
        lines = [reason(last, cells)]
        back = back_peg(state)
        if back is not None:
            lines = [who(state, last), texts.BACK_AT.format(hole=back)]
        elif not isinstance(event, CardPlayed):
            whole = f"{lines[0]} {who(state, last)}"
            lines = [whole] if len(whole) <= cells else [*lines, who(state, last)]
    sheet.medium(RIGHT, ROWS[3], points)
    for row, line in enumerate(lines, start=3):
        sheet.row(row, fit(line, cells), x=left)


def _write_deed_in_a_row(sheet: Sheet, state: State, last: Outcome) -> None:
    """Write the same small and in one row, for a screen that needs the next one."""
    if isinstance(last.event, GoSaid) and not last.points:
        deed = f"{texts.GO} {state.names[last.event.seat]}"
    elif last.points:
        back, points = back_peg(state), signed(last.points)
        what = reason(last, CELLS - len(points) - 1) if back is None else texts.BACK_AT.format(hole=back)
        deed = f"{points} {what}"
        if not isinstance(last.event, CardPlayed) and len(f"{deed} {who(state, last)}") <= CELLS:
            deed = f"{deed} {who(state, last)}"
    else:
        return
    sheet.row(3, fit(deed, CELLS), x=RIGHT)


def _write_pile(sheet: Sheet, pile: tuple[Card, ...]) -> None:
    """Write the cards of this count as large as they fit, the last of them at least."""
    whole = cards(pile)
    if MEDIUM.width_of(whole) <= WIDTH - RIGHT:
        sheet.medium(RIGHT, ROWS[0], whole)
        return
    lines = wrap(whole, CELLS)
    for row, line in enumerate(lines[-2:]):
        sheet.row(row, line, x=RIGHT)


def _write_closed(sheet: Sheet, state: State) -> None:
    """Show that a count has just closed; the next begins at 0."""
    last = state.last
    if last is None:
        return
    sheet.big(1, ROWS[0], "0")
    if isinstance(last.event, CardPlayed | GoSaid | NewCountLed):
        sheet.medium(RIGHT, ROWS[0], str(last.count))
        sheet.row(1, texts.CLOSED, x=RIGHT + 28)


def heels(sheet: Sheet, name: str, points: int) -> None:
    """Tell of a jack turned up."""
    sheet.big(1, ROWS[0], signed(points))
    sheet.row(0, texts.HEELS_JACK.format(points=number(points)), x=RIGHT)
    sheet.row(1, texts.HEELS_FOR, x=RIGHT)
    sheet.row(2, fitted("{name}", CELLS, name=name), x=RIGHT)


def _ask(sheet: Sheet, deal: Deal) -> None:
    """Say which keys can be pressed; the lit name says by whom."""
    if deal.turn is None:
        return
    may_go = deal.room < 10
    if deal.heels_open and deal.last_to_play is not None:
        first = [(texts.ANY_RANK, ""), ("GO", "")] if may_go else [(texts.ANY_RANK, texts.CARD)]
        sheet.keys(*first, "OK")
        return
    label = texts.PLAYS if deal.pile else texts.LEADS
    if may_go and cap("GO", sheet.pad) != "GO":
        sheet.keys_apart((texts.ANY_RANK, texts.CARD), "GO")
    elif may_go:
        sheet.keys_apart((texts.ANY_RANK, label), ("GO", ""))
    else:
        sheet.keys((texts.ANY_RANK, label))


def question(sheet: Sheet, state: State, dialog: Question) -> None:
    """Ask whether a card that passes thirty-one is a slip, or leads a new count."""
    scores(sheet, state)
    count = state.deal.count if state.deal else 0
    passing = Card.parse(dialog.card)
    pips = passing.rank.pips
    sheet.big(1, ROWS[0], str(count))
    sheet.row(0, texts.MAKES.format(pips=pips, sum=count + pips), x=RIGHT)
    sheet.row(1, texts.PAST.format(limit=LIMIT), x=RIGHT)
    sheet.row(2, texts.ALL_SAID_GO, x=RIGHT)
    sheet.keys("OK", y=45)
    sheet.keys_apart("UNDO", "GO")
