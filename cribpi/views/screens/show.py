"""Screens of the show: a hand or a crib with all that it is worth, and the crib as it is turned up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.scores import Kind, Score, total
from cribpi.core.show import Claim, score_claimed
from cribpi.core.state import Deal, Phase, Renege, State
from cribpi.entry import by_cards, menus
from cribpi.entry.desk import CountHand, Desk
from cribpi.views import texts
from cribpi.views.canvas import CELL, MARGIN, WIDTH
from cribpi.views.screens.cards import draw_back, draw_card
from cribpi.views.screens.outcomes import told
from cribpi.views.screens.scores import scores
from cribpi.views.screens.sheet import KEYS_RIGHT, ROWS, Sheet, key_width
from cribpi.views.screens.wording import breakdown, card, cards, fitted

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
    shown = deal.crib if state.phase is Phase.CRIB else deal.played[deal.shower]
    if len(shown) < seats.HAND:
        crib_entry(sheet, state, deal)
        return
    hand = Show(shown, deal.starter, by_cards.claims(state), by_cards.claim_of(state, desk))
    scores(sheet, state)
    reneges = deal.reneges() if state.phase is Phase.SHOW and deal.shown == 0 else ()
    if reneges:
        _renege(sheet, state, reneges[0], hand)
    else:
        _count(sheet, state, hand, texts.BEFORE.format(told=told(state, _CELLS - 2)) if state.last else "")
    _ask(sheet, state, deal, hand)


def counting(sheet: Sheet, state: State, deal: Deal, dialog: CountHand) -> None:
    """Show a hand that is being counted in a game kept by points."""
    cards_so_far, starter, claims = menus.counted(state, dialog)
    scores(sheet, state)
    if starter is None or not claims:
        _write_heading(sheet, state, deal)
        _write_cards(sheet, cards_so_far)
        missing = seats.HAND - len(cards_so_far)
        wanted = texts.CARDS_TO_COME.format(number=missing) if missing else texts.STARTER_CARD
        sheet.keys_apart((texts.ANY_RANK, wanted), ("UNDO", ""))
        return
    hand = Show(cards_so_far, starter, claims, claims[dialog.claim % len(claims)])
    _count(sheet, state, hand, "")
    _ask(sheet, state, deal, hand)


def crib_entry(sheet: Sheet, state: State, deal: Deal) -> None:
    """Ask for the cards of the crib, one after the other."""
    scores(sheet, state)
    _write_heading(sheet, state, deal)
    _write_cards(sheet, deal.crib)
    missing = seats.HAND - len(deal.crib)
    sheet.keys((texts.ANY_RANK, texts.CARDS_TO_COME.format(number=missing)))


def _write_heading(sheet: Sheet, state: State, deal: Deal) -> None:
    template = texts.CRIB_OF if state.phase is Phase.CRIB else texts.HAND_OF
    starter = texts.STARTER.format(card=card(deal.starter)) if deal.starter else ""
    sheet.row(0, fitted(template, 20 - len(starter), name=state.names[deal.shower]))
    sheet.row(0, starter, x=WIDTH - 1, align="right")


def _write_cards(sheet: Sheet, row: Sequence[Card]) -> None:
    """Draw four cards, the missing ones face down."""
    for place in range(seats.HAND):
        x, y = 2 + place * 32, ROWS[1] + 5
        if place < len(row):
            draw_card(sheet, x, y, row[place])
        else:
            draw_back(sheet, x, y)


def _count(sheet: Sheet, state: State, hand: Show, remark: str) -> None:
    """Write the cards, the total as large as can be, and each kind of score."""
    what = texts.CRIB if state.phase is Phase.CRIB else texts.HAND
    sheet.row(0, f"{what} {_cards(hand)}")
    sheet.big(MARGIN, ROWS[1], str(total(hand.scores)))
    lines = _lines(hand)
    for row, (text, points) in enumerate(lines, start=1):
        sheet.row(row, text, x=_RIGHT)
        sheet.row(row, points, x=WIDTH - 1, align="right")
    if len(lines) < 4:
        sheet.row(4, remark, x=_RIGHT)


def _cards(hand: Show) -> str:
    """Write the cards of *hand* and its starter in 16 cells."""
    spaced = f"{cards(hand.cards)} + {card(hand.starter)}"
    return spaced if len(spaced) <= 16 else spaced.replace(" ", "")


def _lines(hand: Show) -> list[tuple[str, str]]:
    """Return what a hand is worth, a line for each kind; where FLNB has a choice, its line is the last."""
    found = [(text, str(points)) for text, points in breakdown(_by_ranks(hand))]
    if not hand.scores:
        found.append((texts.NINETEEN, ""))
    if len(hand.claims) > 1:
        found.append(_choice(hand))
    elif hand.claim.points:
        found.append((_CLAIMS[bool(hand.claim.flush), hand.claim.nobs], str(hand.claim.points)))
    return found


def _by_ranks(hand: Show) -> tuple[Score, ...]:
    return tuple(score for score in hand.scores if score.kind not in {Kind.FLUSH, Kind.NOBS})


_CLAIMS: Final = {
    (True, False): texts.FLUSH,
    (False, True): texts.NOBS,
    (True, True): texts.FLUSH_AND_NOBS,
    (False, False): "",
}


def _choice(hand: Show) -> tuple[str, str]:
    """Tell what FLNB has chosen, or what it could."""
    if hand.claim.points:
        return _CLAIMS[bool(hand.claim.flush), hand.claim.nobs], str(hand.claim.points)
    flush, nobs = any(claim.flush for claim in hand.claims), any(claim.nobs for claim in hand.claims)
    return texts.ASKS[flush, nobs], ""


def _ask(sheet: Sheet, state: State, deal: Deal, hand: Show) -> None:
    """Say whose score OK moves, and where to."""
    choice = (("FLNB", ""),) if len(hand.claims) > 1 else ()
    room = KEYS_RIGHT - key_width("OK", "") - 5 - sum(key_width(*pair) + CELL for pair in choice)
    before = state.scores()[state.side(deal.shower)]
    after = min(before + total(hand.scores), state.rules.target)
    label = fitted(texts.STEP, room // CELL, name=state.names[deal.shower], before=before, after=after)
    sheet.keys(("OK", label), *choice)


def _renege(sheet: Sheet, state: State, wrong: Renege, hand: Show) -> None:
    """Tell of a wrong go, and how the table can put it right, above the first hand's total."""
    sheet.title(texts.RENEGE)
    sheet.small(1, 26, fitted(texts.RENEGE_WAS, name=state.names[wrong.seat], count=wrong.count))
    held = texts.RENEGE_HELD.format(card=card(wrong.card))
    sheet.small(1, 34, held)
    sheet.keys(("MENU", texts.A_RULING), y=45)
    sheet.small(WIDTH - 1, 45, texts.HAND_IS.format(points=total(hand.scores)), align="right")
