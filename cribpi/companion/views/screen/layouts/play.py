"""Screens of the play of a game kept by cards: the count, and what the last card was worth."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.desk import Question
from cribpi.companion.views.screen import texts
from cribpi.companion.views.screen.canvas import CELL, WIDTH, fit
from cribpi.companion.views.screen.font import BIG, MEDIUM
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.sheet import ROWS, Sheet, cap
from cribpi.companion.views.screen.wording import back_peg, cards, fitted, reason, who, wrap
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import CardPlayed, GoSaid, HeelsTaken, NewCountLed, StarterTurned
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.game.state import State, side_name
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.words.call import number

RIGHT: Final = 42
"""Where the column beside the count begins, in px."""
CELLS: Final = (WIDTH - RIGHT) // CELL
"""Cells of that column."""
HEELS_KEY: Final = 45
"""The top of the key that takes his heels, in px: under the card, over the keys' row."""
_CLOSED_TOP: Final = ROWS[0]
"""The top of the light behind a closed count, in px: a dark row parts it from the marks of the scores."""
_CARD_EDGE: Final = 5
"""Px between the edge of a large card and its rank, and beside its suit."""
_DEED: Final = RIGHT + 28
"""Where what the last points were for begins, in px, beside the points."""


def play(sheet: Sheet, state: State, deal: Deal) -> None:
    """Show the play of real cards, and ask for the next."""
    board_of_play(sheet, state, deal)
    if is_jack_to_take(deal):
        sheet.keys("OK", y=HEELS_KEY)
    _ask(sheet, deal)


def board_of_play(sheet: Sheet, state: State, deal: Deal, *, is_short: bool = False) -> None:
    """Show the count, or the one that was just closed, or the starter.

    A closed count stands there, dark on light, until the next card.  What the last card pegged, or who said
    go, takes two rows from the fourth on, or one if it *is_short*.
    """
    scores(sheet, state)
    outcomes = state.outcomes
    if deal.pile:
        sheet.big(1, ROWS[0], str(deal.count))
        _write_pile(sheet, deal.pile)
        sheet.row(2, texts.ROOM.format(room=deal.room), x=RIGHT)
        _write_deed(sheet, state, is_short=is_short)
    elif outcomes and isinstance(outcomes[0].event, StarterTurned | HeelsTaken):
        write_heels(sheet, state, outcomes[0].side, outcomes[0].points)
    elif is_jack_to_take(deal) and deal.starter:
        left = write_starter(sheet, deal.starter)
        _write_for_heels(sheet, state, state.side(deal.dealer), his_heels(state.rules), left)
    elif deal.last_to_play is not None:
        closed = 0
        if state.last and isinstance(state.last.event, CardPlayed | GoSaid | NewCountLed):
            closed = state.last.count or 0
            sheet.row(1, texts.CLOSED, x=RIGHT)
        sheet.big(2, _CLOSED_TOP + 1, str(closed))
        if closed:
            sheet.plate(0, _CLOSED_TOP, BIG.width_of(str(closed)) + 4, BIG.height + 2)
        _write_leader(sheet, state, deal, RIGHT)
        _write_deed(sheet, state, is_short=is_short)
    elif deal.starter:
        left = write_starter(sheet, deal.starter)
        sheet.row(0, texts.STARTER_CARD, x=left)
        _write_leader(sheet, state, deal, left, row=2)


def write_starter(sheet: Sheet, card: Card) -> int:
    """Draw the starter as a large card; return where the words beside it begin, in px."""
    rank, suit = card.rank.symbol, card.face.removeprefix(card.rank.symbol)
    beside = MEDIUM.width_of(suit) + _CARD_EDGE if suit else 0
    width = BIG.width_of(rank) + 2 * _CARD_EDGE + beside
    sheet.edge(0, ROWS[0], width, BIG.height + 4)
    sheet.big(_CARD_EDGE, ROWS[0] + 2, rank)
    sheet.medium(width - _CARD_EDGE, ROWS[0] + 6, suit, align="right")
    return max(RIGHT, width + _CARD_EDGE)


def _write_leader(sheet: Sheet, state: State, deal: Deal, left: int, row: int = 0) -> None:
    """Write who leads, from *left* on; nothing where nobody is next."""
    if deal.turn is not None:
        cells = (WIDTH - left) // CELL
        sheet.row(row, fitted(texts.WHO_LEADS, cells, name=state.names[deal.turn]), x=left)


def is_jack_to_take(deal: Deal) -> bool:
    """Tell whether a jack has just been turned up, for which the dealer takes his heels himself."""
    return not deal.pile and deal.last_to_play is None and deal.heels_open


def write_heels(sheet: Sheet, state: State, side: int, points: int) -> None:
    """Tell of a jack turned up, and the points that *side* has pegged for it."""
    sheet.big(1, ROWS[0], f"{points:+d}")
    _write_for_heels(sheet, state, side, points, RIGHT)


def _write_for_heels(sheet: Sheet, state: State, side: int, points: int, left: int) -> None:
    name = fitted("{name}", (WIDTH - left) // CELL, name=side_name(state, side))
    sheet.lines((texts.HEELS_JACK.format(points=number(points)), texts.HEELS_FOR, name), x=left)


def _write_deed(sheet: Sheet, state: State, *, is_short: bool) -> None:
    """Write what was pegged last and for what, or who said go; a card without points says nothing.

    Each thing keeps its place from card to card, so that few bytes change on the glass.  If it *is_short* all
    is small and in one row, for a screen that needs the next one.
    """
    last = state.last
    if last is None or not (last.points or isinstance(last.event, GoSaid)):
        return
    points = f"{last.points:+d}" if last.points else texts.GO
    left = RIGHT if is_short else max(_DEED, RIGHT + MEDIUM.width_of(points) + 5)
    cells = (WIDTH - left) // CELL - (len(points) + 1) * is_short
    back = back_peg(state, texts.BACK_AT)
    if isinstance(last.event, GoSaid) and not last.points:
        what, name = state.names[last.event.seat], ""
    else:
        what = back[0] if back else reason(last, cells)
        name = "" if isinstance(last.event, CardPlayed) else who(state, last)
    whole = f"{what} {name}".rstrip()
    if is_short:
        sheet.row(3, fit(f"{points} {whole if len(whole) <= cells else what}", CELLS), x=RIGHT)
        return
    if back:
        lines: tuple[str, ...] = (name, what)
    else:
        lines = (whole,) if len(whole) <= cells else (what, name)
    sheet.medium(RIGHT, ROWS[3], points)
    sheet.lines((fit(line, cells) for line in lines), x=left, y=ROWS[3])


def _write_pile(sheet: Sheet, pile: tuple[Card, ...]) -> None:
    """Write the cards of this count as large as they fit, the last of them at least."""
    whole = cards(pile)
    if MEDIUM.width_of(whole) <= WIDTH - RIGHT:
        sheet.medium(RIGHT, ROWS[0], whole)
    else:
        sheet.lines(wrap(whole, CELLS)[-2:], x=RIGHT)


def _ask(sheet: Sheet, deal: Deal) -> None:
    """Say which keys can be pressed; the pointer says by whom."""
    if deal.turn is None:
        return
    may_go = "GO" in sheet.likely()
    if deal.heels_open and deal.last_to_play is not None:
        first = [(texts.ANY_RANK, ""), ("GO", "")] if may_go else [(texts.ANY_RANK, texts.CARD)]
        sheet.keys(*first, "OK")
        return
    if may_go and cap("GO", sheet.pad) != "GO":
        sheet.keys_apart((texts.ANY_RANK, texts.CARD), "GO")
    elif may_go:
        sheet.keys_apart((texts.ANY_RANK, texts.PLAYS), ("GO", ""))
    else:
        sheet.keys((texts.ANY_RANK, texts.PLAYS))


def question(sheet: Sheet, state: State, dialog: Question) -> None:
    """Ask whether a card that passes thirty-one is a slip, or leads a new count."""
    scores(sheet, state)
    pips, count = Card.parse(dialog.card).rank.pips, state.deal.count if state.deal else 0
    sheet.big(1, ROWS[0], str(count))
    makes = texts.MAKES.format(pips=pips, sum=count + pips)
    sheet.lines((makes, texts.PAST.format(limit=LIMIT), texts.ALL_SAID_GO), x=RIGHT)
    sheet.keys("OK", y=45)
    sheet.keys_apart("UNDO", "GO")
