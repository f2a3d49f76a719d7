"""Screens of the play: the count, the points of the last card, and in dealt mode a person's hand.

The hand is shown only while the person who may see it is asked for a discard or a card.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cribpi.companion.entry.hands import HandView
from cribpi.companion.entry.input_state import InputState, Question
from cribpi.companion.views.screen.canvas import BIG, CELL, MARGIN, MEDIUM, WIDTH, fit
from cribpi.companion.views.screen.layouts import start
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.sheet import ANY_RANK, KEYS_RIGHT, ROWS, Sheet, cap
from cribpi.companion.views.screen.wording import back_peg, cards, fitted, reason, who, wrap
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import CardPlayed, GoSaid, HeelsTaken, NewCountLed, StarterTurned
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.rules.grammar import verb_of
from cribpi.cribbage.words.call import number

RIGHT: Final = 42
"""Left edge in px of the text to the right of the count."""
CELLS: Final = (WIDTH - RIGHT) // CELL
"""Number of cells to the right of the count."""
HEELS_KEY: Final = 45
"""The top in px of the key for his heels: below the card, above the key row."""
_CLOSED_TOP: Final = ROWS[0]
"""The top in px of the lit area behind a closed count: one dark row below the marks of the scores."""
_CARD_EDGE: Final = 5
"""Px between the edge of a large card and its rank or suit."""
_DEED: Final = RIGHT + 28
"""Left edge in px of the reason for the last points, to the right of these."""


def play(sheet: Sheet, state: State, deal: Deal) -> None:
    board_of_play(sheet, state, deal)
    if is_jack_to_take(deal):
        sheet.keys("OK", y=HEELS_KEY)
    _ask(sheet, state, deal)


def board_of_play(sheet: Sheet, state: State, deal: Deal, *, is_short: bool = False) -> None:
    """Show the count, the count that was just closed, or the starter.

    A closed count stays, dark on light, until the next card. The points of the last card, or the seat that
    said go, are in the fourth and fifth row, or only in the fourth if *is_short*.
    """
    scores(sheet, state)
    outcomes = state.outcomes
    if deal.pile:
        sheet.big(1, ROWS[0], str(deal.count))
        pile = cards(deal.pile)
        if MEDIUM.width_of(pile) <= WIDTH - RIGHT:
            sheet.medium(RIGHT, ROWS[0], pile)
        else:  # as many cards as fit, up to the last one played
            sheet.lines(wrap(pile, CELLS)[-2:], x=RIGHT)
        sheet.row(2, f"{deal.room:2} to 31", x=RIGHT)
        _write_deed(sheet, state, is_short=is_short)
    elif outcomes and isinstance(outcomes[0].event, StarterTurned | HeelsTaken):
        write_heels(sheet, state, outcomes[0].side, outcomes[0].points)
    elif is_jack_to_take(deal) and deal.starter:
        left = write_starter(sheet, deal.starter)
        _write_jack(sheet, state, state.side(deal.dealer), his_heels(state.rules), left)
    elif deal.last_to_play is not None:
        closed = 0
        if state.last and isinstance(state.last.event, CardPlayed | GoSaid | NewCountLed):
            closed = state.last.count or 0
            sheet.row(1, "count over", x=RIGHT)
        sheet.big(2, _CLOSED_TOP + 1, str(closed))
        if closed:
            sheet.invert(0, _CLOSED_TOP, BIG.width_of(str(closed)) + 4, BIG.height + 2)
        _write_leader(sheet, state, deal, RIGHT)
        _write_deed(sheet, state, is_short=is_short)
    elif deal.starter:
        left = write_starter(sheet, deal.starter)
        sheet.row(0, "starter", x=left)
        _write_leader(sheet, state, deal, left, row=2)


def write_starter(sheet: Sheet, card: Card) -> int:
    """Draw the starter as a large card; return the left edge in px for the text next to it."""
    rank, suit = card.rank.symbol, card.face.removeprefix(card.rank.symbol)
    beside = MEDIUM.width_of(suit) + _CARD_EDGE if suit else 0
    width = BIG.width_of(rank) + 2 * _CARD_EDGE + beside
    sheet.box(0, ROWS[0], width, BIG.height + 4)
    sheet.big(_CARD_EDGE, ROWS[0] + 2, rank)
    sheet.medium(width - _CARD_EDGE, ROWS[0] + 6, suit, align="right")
    return max(RIGHT, width + _CARD_EDGE)


def _write_leader(sheet: Sheet, state: State, deal: Deal, left: int, row: int = 0) -> None:
    """Write the name of the player who leads, from *left* on; nothing if the play is over."""
    if deal.turn is not None:
        cells, name = (WIDTH - left) // CELL, state.names[deal.turn]
        sheet.row(row, fitted(f"{{name}} {verb_of(name, 'leads')}", cells, name=name), x=left)


def is_jack_to_take(deal: Deal) -> bool:
    """Return whether a jack has just been turned up and the dealer has yet to take his heels."""
    return not deal.pile and deal.last_to_play is None and deal.heels_open


def write_heels(sheet: Sheet, state: State, side: int, points: int) -> None:
    """Show that a jack was turned up, with the *points* that *side* has pegged for it."""
    sheet.big(1, ROWS[0], f"{points:+d}")
    _write_jack(sheet, state, side, points, RIGHT)


def _write_jack(sheet: Sheet, state: State, side: int, points: int, left: int) -> None:
    name = fitted("{name}", (WIDTH - left) // CELL, name=state.side_name(side))
    sheet.lines((f"a jack: {number(points)}", "for his heels", name), x=left)


def _write_deed(sheet: Sheet, state: State, *, is_short: bool) -> None:
    """Write the points just pegged and their reason, or the player who said go.

    After a card that scores nothing, write nothing.

    Each part has a fixed place, so that few bytes are sent to the screen when the next card is played. If
    *is_short*, everything is small and in one row.
    """
    last = state.last
    if last is None or not (last.points or isinstance(last.event, GoSaid)):
        return
    points = f"{last.points:+d}" if last.points else "GO"
    left = RIGHT if is_short else max(_DEED, RIGHT + MEDIUM.width_of(points) + 5)
    cells = (WIDTH - left) // CELL - (len(points) + 1 if is_short else 0)
    back = back_peg(state, "back {hole}")
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


def _ask(sheet: Sheet, state: State, deal: Deal) -> None:
    """Write the possible keys in the first deal; in later deals, which need no help, the next player."""
    if deal.turn is None:
        return
    is_first = state.deal_number == 1 and not any(state.games)
    may_go = any(binding.key == "GO" for binding in sheet.view.likely)
    if deal.heels_open and deal.last_to_play is not None:
        first = [(ANY_RANK, ""), ("GO", "")] if may_go else [(ANY_RANK, "card")]
        sheet.keys(*first, "OK")
    elif not is_first and sheet.pad.has_ranks:
        room, name = KEYS_RIGHT, state.names[deal.turn]
        if may_go:
            sheet.last_key("GO")
            room -= sheet.key_width("GO") + CELL
        sheet.row(5, fitted(f"{{name}} {verb_of(name, 'plays')}", room // CELL, name=name))
    elif may_go and cap("GO", sheet.pad) != "GO":
        sheet.keys_apart((ANY_RANK, "card"), "GO")
    elif may_go:
        sheet.keys_apart((ANY_RANK, "plays a card"), ("GO", ""))
    else:
        sheet.keys((ANY_RANK, "plays a card"))


def question(sheet: Sheet, state: State, dialog: Question) -> None:
    """Ask whether a card that would pass thirty-one is a mistake or leads a new count."""
    scores(sheet, state)
    pips, count = Card.parse(dialog.card).rank.pips, state.deal.count if state.deal else 0
    sheet.big(1, ROWS[0], str(count))
    makes = f"+ {pips} = {count + pips},"
    sheet.lines((makes, f"over {LIMIT}.", "All said go?"), x=RIGHT)
    sheet.keys("OK", y=45)
    sheet.keys_apart("UNDO", "GO")


_WIDEST: Final = 25
"""Maximum px from one card of a hand to the next; six cards need less to fit on the screen."""

_WAITING: Final = 20
"""Number of cells for the players who must act; the last cell of the row is for the mark."""

_LIFTED: Final = 3
"""Px by which a chosen card is raised."""

_STARTER_TOP: Final = 45
"""The top in px of the starter during the play: midway between the count and the keys."""

_CARD_TOP: Final = 28
_CARD_HEIGHT: Final = 27


def dealt(sheet: Sheet, state: State, input_state: InputState, deal: Deal) -> None:
    """Show a deal in dealt mode, with the hand of a person who is asked to act.

    In the play the starter is written below the count, because no real card lies on the table.
    """
    held = sheet.view.hand
    hand = held if held is not None and held.is_asked else None
    if state.phase is Phase.PLAY:
        hint = _hint(input_state)
        board_of_play(sheet, state, deal, is_short=bool(hint or _too_high(hand)))
        if deal.starter and (deal.pile or deal.last_to_play is not None):
            sheet.small(0, ROWS[4] if hint else _STARTER_TOP, f"cut {deal.starter.face}")
        if is_jack_to_take(deal) and held is not None and held.takes_heels:
            sheet.keys("OK", y=HEELS_KEY)
    elif hand is None:
        start.write_deal(sheet, state, deal)
    if hand is None:
        _wait(sheet)
    elif state.phase is Phase.PLAY:
        _ask_to_play(sheet, state, input_state, deal, hand)
    else:
        _lay_away(sheet, state, input_state, deal, hand)


def _wait(sheet: Sheet) -> None:
    """Write the players who must act on another device, or their number if the names don't fit; else OK."""
    awaited = sheet.view.awaited
    names, what = awaited.names, awaited.what
    if awaited.here is not None or not names:
        sheet.keys("OK")
    elif len(names) == 1:
        sheet.row(5, fitted(str(replace(awaited, names=("{name}",))), _WAITING, name=names[0]))
    else:
        everybody = f"{'+'.join(names)} {what}"
        sheet.row(5, everybody if len(everybody) <= _WAITING else f"{len(names)} players {what}")


def _lay_away(sheet: Sheet, state: State, input_state: InputState, deal: Deal, hand: HandView) -> None:
    scores(sheet, state)
    whose = "{number} to your crib" if hand.seat == deal.dealer else "{number} to {name}'s crib"
    sheet.row(0, _hint(input_state) or fitted(whose, name=state.names[deal.dealer], number=str(hand.wanted)))
    _write_hand(sheet, hand.cards, hand.chosen)
    if len(hand.chosen) < hand.wanted:
        sheet.keys_apart((ANY_RANK, "choose"), "FLNB")
    else:
        sheet.keys_apart("OK", ("UNDO", ""))


def _hint(input_state: InputState) -> str:
    """Format the hint in short, or a note that it is being computed; "" if none was requested."""
    if input_state.hint is None:
        return ""
    if not input_state.hint.cards:
        return "hint: thinking"
    return f"hint: {input_state.hint.brief}" if input_state.hint.brief else "hint"


def _too_high(hand: HandView | None) -> str:
    """Return a warning about the cards of *hand* that would pass thirty-one.

    It is "" if all cards can be played, and also if none can: the player must then say go.
    """
    if hand is None:
        return ""
    high = dict.fromkeys(card.rank.symbol for card in hand.cards if card not in hand.playable)
    return f"{' '.join(high)} too high" if high and hand.playable else ""


def _write_hand(sheet: Sheet, hand: tuple[Card, ...], picked: tuple[Card, ...]) -> None:
    """Draw the cards of *hand* side by side; *picked* cards are raised and lit."""
    pitch = min(_WIDEST, WIDTH // len(hand))
    width, left = pitch - 1, (WIDTH - pitch * len(hand) + 1) // 2
    for place, card in enumerate(hand):
        x, middle = left + place * pitch, pitch // 2
        y = _CARD_TOP - _LIFTED if card in picked else _CARD_TOP
        sheet.box(x, y, width, _CARD_HEIGHT)
        sheet.medium(x + middle, y + 2, card.rank.symbol, align="centre")
        sheet.small(x + middle, y + 18, card.face.removeprefix(card.rank.symbol), align="centre")
        # Restore the right edge: a ten fills the whole width, and the gap after it erases the edge.
        sheet.fill(x + width - 1, y, 1, _CARD_HEIGHT)
        if card in picked:
            sheet.invert(x + 1, y + 1, width - 2, _CARD_HEIGHT - 2)


def _ask_to_play(sheet: Sheet, state: State, input_state: InputState, deal: Deal, hand: HandView) -> None:
    if not hand.playable:
        sheet.keys("GO" if hand.takes_heels else "OK")
        sheet.small(KEYS_RIGHT, ROWS[-1], " ".join(card.rank.symbol for card in hand.cards), align="right")
        return
    sheet.row(4, _hint(input_state) or _too_high(hand), x=WIDTH, align="right")
    if hand.chosen:
        sheet.keys_apart("OK", ("UNDO", ""))
        return
    x = MARGIN + 1
    for card in hand.cards:
        symbol = card.rank.symbol
        write = sheet.key if card in hand.playable else sheet.small
        write(x, ROWS[-1], symbol)
        x += sheet.key_width(symbol) + 6
    if hand.takes_heels and not is_jack_to_take(deal):
        sheet.key(x, ROWS[-1], "OK", f"{his_heels(state.rules):+d}")
    elif sheet.offered("FLNB"):
        sheet.last_key("FLNB", "hint")
    else:
        sheet.small(x + 2, ROWS[-1], "your hand")
