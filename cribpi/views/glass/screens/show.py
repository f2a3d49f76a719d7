"""Screens of the show: a hand or a crib with all that it is worth, and the crib as it is turned up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.deal import Deal, Renege
from cribpi.core.events import (
    FalseWinRuled,
    HandShown,
    MugginsCalled,
    PenaltyPegged,
    RenegeRuled,
    ScorePutRight,
)
from cribpi.core.scores import Kind, Score, total
from cribpi.core.show import Claim, score_claimed
from cribpi.core.state import Phase, State
from cribpi.entry import by_cards
from cribpi.entry.desk import CountHand, Desk
from cribpi.entry.dialogs.count_hand import counted, counted_claim
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import CELL, COLUMNS, MARGIN, WIDTH
from cribpi.views.glass.screens.cards import draw_back, draw_card, laid_out
from cribpi.views.glass.screens.claims import ask_count, claiming, is_new
from cribpi.views.glass.screens.outcomes import told, told_in_full
from cribpi.views.glass.screens.scores import scores
from cribpi.views.glass.sheet import ROWS, Sheet
from cribpi.views.glass.wording import breakdown, cards, claimed, fitted

_RIGHT: Final = 40
"""Where the breakdown begins beside the total, in px."""
_CELLS: Final = (WIDTH - _RIGHT) // CELL


@dataclass(frozen=True, slots=True)
class Show:
    """What is shown: four cards, the starter, the claims that they allow and the one that is chosen."""

    cards: tuple[Card, ...]
    starter: Card
    claims: tuple[Claim, ...]
    claim: Claim

    @property
    def scores(self) -> tuple[Score, ...]:
        """What it is worth."""
        return score_claimed(self.cards, self.starter, self.claim)


def show(sheet: Sheet, state: State, desk: Desk, deal: Deal) -> None:
    """Show the hand or crib whose turn it is; a wrong go that it has proved is told with it."""
    if deal.starter is None:
        return
    shown, offered = by_cards.shown(state), by_cards.offered(state)
    if offered is not None:
        scores(sheet, state)
        _write_renege(sheet, state, offered)
        sheet.keys("OK", y=45)
        sheet.keys("GO")
        return
    if len(shown) < seats.HAND:
        cards_to_come(sheet, state, deal)
        return
    wrong = next(iter(by_cards.noted(state)), None)
    if by_cards.players_count(state) and (wrong is None or desk.typed):
        claiming(sheet, state, desk, deal)
        return
    scores(sheet, state)
    if wrong is not None:
        _write_renege(sheet, state, wrong)
        sheet.keys(("MENU", texts.A_RULING), y=45)
    if by_cards.players_count(state):
        ask_count(sheet, state, desk)
        return
    hand = Show(shown, deal.starter, by_cards.claims(state), by_cards.claim_of(state, desk))
    if wrong is not None:
        sheet.small(WIDTH - 1, 45, texts.HAND_IS.format(points=total(hand.scores)), align="right")
    else:
        _count(sheet, state, hand, texts.BEFORE.format(told=told(state, _CELLS - 2)) if state.last else "")
    _ask(sheet, hand)


def counting(sheet: Sheet, state: State, dialog: CountHand) -> None:
    """Show a hand that is being counted in a game kept by points."""
    deal = state.deal
    if deal is None:
        return
    cards_so_far, starter, claims = counted(state, dialog)
    scores(sheet, state)
    if starter is None or not claims:
        _write_heading(sheet, state, deal)
        _write_cards(sheet, cards_so_far)
        missing = seats.HAND - len(cards_so_far)
        wanted = texts.CARDS_TO_COME.format(number=missing) if missing else texts.STARTER_CARD
        sheet.keys_apart((texts.ANY_RANK, wanted), ("UNDO", ""))
        return
    hand = Show(cards_so_far, starter, claims, counted_claim(dialog, cards_so_far, starter, claims))
    _count(sheet, state, hand, "")
    _ask(sheet, hand)


def cards_to_come(sheet: Sheet, state: State, deal: Deal) -> None:
    """Ask for the cards of the crib, or of a hand that was not played out, one after the other.

    What the show before came to is told until the first of them.
    """
    scores(sheet, state)
    _write_heading(sheet, state, deal)
    shown = by_cards.shown(state)
    is_told = is_new(state, deal) and state.last is not None and isinstance(state.last.event, _TOLD)
    lines = told_in_full(state) if is_told else ()
    for row, line in enumerate(lines, start=1):
        sheet.row(row, line)
    if len(lines) < 2:
        _write_cards(sheet, shown, ROWS[2] + 2)
    elif shown:
        sheet.medium(MARGIN, ROWS[3], cards(shown))
    missing = seats.HAND - len(shown)
    sheet.keys((texts.ANY_RANK, texts.CARDS_TO_COME.format(number=missing)))


_TOLD: Final = (
    HandShown,
    PenaltyPegged,
    ScorePutRight,
    MugginsCalled,
    RenegeRuled,
    FalseWinRuled,
)
"""What is told while the cards of the next show are asked for."""


def _write_heading(sheet: Sheet, state: State, deal: Deal) -> None:
    whose, bare = (texts.CRIB_OF, texts.CRIB) if state.phase is Phase.CRIB else (texts.HAND_OF, texts.HAND)
    starter = texts.STARTER.format(card=deal.starter.face) if deal.starter else ""
    whole = whose.format(name=state.names[deal.shower])
    sheet.row(0, whole if len(whole) + len(starter) < COLUMNS else texts.THE.format(what=bare))
    sheet.row(0, starter, x=WIDTH - 1, align="right")


def _write_cards(sheet: Sheet, row: Sequence[Card], y: int = ROWS[1] + 5) -> None:
    """Draw four cards with their tops at *y*, the missing ones face down."""
    for place in range(seats.HAND):
        x = 2 + place * 32
        if place < len(row):
            draw_card(sheet, x, y, row[place])
        else:
            draw_back(sheet, x, y)


def _count(sheet: Sheet, state: State, hand: Show, remark: str) -> None:
    """Write the cards, the total as large as can be, and each kind of score."""
    what = texts.CRIB if state.phase is Phase.CRIB else texts.HAND
    sheet.row(0, f"{what} {laid_out(hand.cards, hand.starter)}")
    sheet.big(MARGIN, ROWS[1], str(total(hand.scores)))
    lines = _lines(hand)
    for row, (text, points) in enumerate(lines, start=1):
        sheet.row(row, text, x=_RIGHT)
        sheet.row(row, points, x=WIDTH - 1, align="right")
    if len(lines) < 4:
        sheet.row(4, remark, x=_RIGHT)


def _lines(hand: Show) -> list[tuple[str, str]]:
    """Return what a hand is worth, a line for each kind; where FLNB has a choice, its line is the last."""
    found = [(text, str(points)) for text, points in breakdown(_by_ranks(hand))]
    if not hand.scores:
        found.append((texts.NINETEEN, ""))
    if len(hand.claims) > 1:
        found.append(_choice(hand))
    elif hand.claim.points:
        found.append((claimed(hand.claim), str(hand.claim.points)))
    return found


def _by_ranks(hand: Show) -> tuple[Score, ...]:
    return tuple(score for score in hand.scores if score.kind not in {Kind.FLUSH, Kind.NOBS})


def _choice(hand: Show) -> tuple[str, str]:
    """Tell what FLNB has chosen, or what it could."""
    if hand.claim.points:
        return claimed(hand.claim), str(hand.claim.points)
    flush, nobs = any(claim.flush for claim in hand.claims), any(claim.nobs for claim in hand.claims)
    return texts.ASKS[flush, nobs], ""


def _ask(sheet: Sheet, hand: Show) -> None:
    """Say whose score OK moves, and where to."""
    sheet.keys("OK", *((("FLNB", ""),) if len(hand.claims) > 1 else ()))


def _write_renege(sheet: Sheet, state: State, wrong: Renege) -> None:
    """Tell of a wrong go: by whom, at which count, and what was held."""
    sheet.title(texts.RENEGE)
    sheet.small(1, 26, fitted(texts.RENEGE_WAS, name=state.names[wrong.seat], count=wrong.count))
    sheet.small(1, 34, texts.RENEGE_HELD.format(cards=cards(wrong.cards)))
