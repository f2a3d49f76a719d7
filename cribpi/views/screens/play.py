"""Screens of the play of a game kept by cards: the count, and what the last card was worth."""

from __future__ import annotations

from typing import Final

from cribpi.core.cards import Card
from cribpi.core.events import CardPlayed, GoSaid, NewCountLed, StarterTurned
from cribpi.core.play import LIMIT
from cribpi.core.state import Deal, Outcome, State
from cribpi.entry.desk import Question
from cribpi.entry.menus import leader
from cribpi.views import texts
from cribpi.views.canvas import CELL, WIDTH, fit
from cribpi.views.font import MEDIUM
from cribpi.views.screens.outcomes import reason, signed, who
from cribpi.views.screens.scores import scores
from cribpi.views.screens.sheet import KEYS_RIGHT, ROWS, Sheet, key_width
from cribpi.views.screens.wording import card, cards, fitted, side_label, wrap

RIGHT: Final = 42
"""Where the column beside the count begins, in px."""
CELLS: Final = (WIDTH - RIGHT) // CELL
"""Cells of that column."""


def play(sheet: Sheet, state: State, deal: Deal) -> None:
    """Show the count, or what has just closed it, or the starter."""
    scores(sheet, state)
    outcomes = state.outcomes
    if deal.pile:
        _counting(sheet, state, deal)
    elif outcomes and isinstance(outcomes[0].event, StarterTurned):
        heels(sheet, side_label(state, outcomes[0].side))
    elif deal.last_to_play is not None:
        _closed(sheet, state)
    else:
        sheet.big(1, ROWS[0], "0")
        sheet.row(0, texts.THE_STARTER_IS, x=RIGHT)
        if deal.starter:
            sheet.medium(RIGHT, ROWS[1] + 2, card(deal.starter))
    _ask(sheet, state, deal)


def _counting(sheet: Sheet, state: State, deal: Deal) -> None:
    sheet.big(1, ROWS[0], str(deal.count))
    _write_pile(sheet, deal.pile)
    sheet.row(2, texts.ROOM.format(room=deal.room), x=RIGHT)
    if state.last is not None:
        _write_deed(sheet, state, state.last)


def _write_deed(sheet: Sheet, state: State, last: Outcome) -> None:
    """Write what was pegged last, for whom and for what; or who played what, or said go."""
    name, event = who(state, last), last.event
    if isinstance(event, GoSaid) and not last.points:
        name, points = state.names[event.seat], texts.GO
    else:
        points = signed(last.points) if last.points else ""
    sheet.medium(RIGHT, ROWS[3], points)
    left = RIGHT + (MEDIUM.width_of(points) + 5 if points else 0)
    cells = (WIDTH - left) // CELL
    if isinstance(event, CardPlayed):
        text = fitted(texts.PLAYED, cells, name=name, card=card(event.card))
    else:
        text = fitted("{name}", cells, name=name)
    sheet.row(3, text, x=left)
    sheet.row(4, fit(reason(last, cells), cells), x=left)


def _write_pile(sheet: Sheet, pile: tuple[Card, ...]) -> None:
    """Write the cards of this count as large as they fit, the last of them at least."""
    whole = cards(pile)
    if MEDIUM.width_of(whole) <= WIDTH - RIGHT:
        sheet.medium(RIGHT, ROWS[0], whole)
        return
    lines = wrap(whole, CELLS)
    for row, line in enumerate(lines[-2:]):
        sheet.row(row, line, x=RIGHT)


def _closed(sheet: Sheet, state: State) -> None:
    """Show the count that has just closed, dark on light, and who pegged it."""
    last = state.last
    if last is None:
        return
    if isinstance(last.event, CardPlayed | GoSaid | NewCountLed):
        sheet.big(3, ROWS[0] + 2, str(last.count))
        sheet.plate(0, ROWS[0], 37, 28)
    else:
        sheet.big(1, ROWS[0], "0")
    sheet.row(0, texts.CLOSED, x=RIGHT)
    sheet.row(1, texts.NEW_COUNT, x=RIGHT)
    _write_deed(sheet, state, last)


def heels(sheet: Sheet, name: str) -> None:
    """Tell of a jack turned up."""
    sheet.big(1, ROWS[0], "+2")
    sheet.row(0, texts.HEELS_JACK, x=RIGHT)
    sheet.row(1, texts.HEELS_FOR, x=RIGHT)
    sheet.row(2, fitted("{name}", CELLS, name=name), x=RIGHT)


def _ask(sheet: Sheet, state: State, deal: Deal) -> None:
    """Say whose turn it is, and which keys can be pressed."""
    if deal.turn is None:
        return
    go = (("GO", ""),) if deal.room < 10 else ()
    taken = key_width(texts.ANY_RANK, "") + 5 + sum(key_width(*pair) + CELL for pair in go)
    template = texts.PLAYS if deal.pile else texts.LEADS
    label = fitted(template, (KEYS_RIGHT - taken) // CELL, name=state.names[deal.turn])
    sheet.keys((texts.ANY_RANK, label), *go)


def question(sheet: Sheet, state: State, deal: Deal, dialog: Question) -> None:
    """Ask whether a card that passes thirty-one is a slip, or leads a new count."""
    scores(sheet, state)
    passing = Card.parse(dialog.card)
    pips = passing.rank.pips
    sheet.big(1, ROWS[0], str(deal.count))
    sheet.row(0, texts.MAKES.format(card=card(passing), sum=deal.count + pips), x=RIGHT)
    sheet.row(1, texts.PAST.format(limit=LIMIT), x=RIGHT)
    sheet.row(2, texts.ALL_SAID_GO, x=RIGHT)
    label = fitted(texts.LEADS_NEW, 17, name=state.names[leader(state)], card=card(passing))
    sheet.keys(("OK", label), y=45)
    sheet.keys_apart(("UNDO", texts.SLIP), ("GO", texts.SAYS_GO))
