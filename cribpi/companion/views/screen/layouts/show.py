"""Screens of the show: the cards of a hand or crib, and its worth or the player's own count.

If players count for themselves, the screen shows the cards but never their worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cribpi.companion.entry.input_state import CountHand, InputState
from cribpi.companion.entry.shows import ShowView
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, MARGIN, WIDTH
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.sheet import ANY_RANK, ROWS, Sheet
from cribpi.companion.views.screen.wording import breakdown, cards, fitted, last_in_full, wrong_count
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Renege
from cribpi.cribbage.game.show import Kind, SuitClaim
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.rules.grammar import whose

_RIGHT: Final = 40
"""Left edge in px of the breakdown, to the right of the total."""
_BOX: Final = 41
"""Width of the box for a player's count, in px."""
_BESIDE: Final = 46
"""Left edge in px of the text to the right of the box."""

_SHOWN_ON: Final = (
    events.HandShown,
    events.PenaltyPegged,
    events.ScorePutRight,
    events.MugginsCalled,
    events.RenegeRuled,
    events.FalseWinRuled,
)
"""Events whose outcome stays on the screen until the first card of the next show is entered."""


def show(sheet: Sheet, state: State, input_state: InputState) -> None:
    """Show the next hand or crib, or a wrong go that its cards have revealed."""
    scores(sheet, state)
    show = sheet.view.show
    if show.to_rule_on is not None:
        _write_renege(sheet, state, show.to_rule_on)
        sheet.keys("OK", y=45)
        sheet.keys("GO")
    elif show.starter is None or show.missing:
        _ask_for_cards(sheet, state, show)
    else:
        _show_hand(sheet, state, input_state, show)


def _show_hand(sheet: Sheet, state: State, input_state: InputState, hand: ShowView) -> None:
    is_counted, wrong = hand.is_counted, next(iter(hand.noted), None)
    if wrong is not None and not (is_counted and input_state.typed):
        # The house rules have no penalty for a wrong go: people can decide on one in the menu.
        _write_renege(sheet, state, wrong)
        sheet.keys(("MENU", "a ruling"), y=45)
        sheet.small(WIDTH - 1, 45, "" if is_counted else f"hand {hand.points}", align="right")
    elif is_counted:
        _write_claim(sheet, state, input_state, hand)
    else:
        _write_worth(sheet, state, hand)
    takes = "OK" if sheet.offered("OK") else (ANY_RANK, "count")
    if not is_counted:
        _ask(sheet, hand)
    elif input_state.typed:
        sheet.keys_apart(takes, ("UNDO", ""))
    else:
        sheet.keys(takes, "GO")


def counting(sheet: Sheet, state: State, _: CountHand) -> None:
    """Show a hand that is being counted in points mode."""
    hand = sheet.view.show
    scores(sheet, state)
    if hand.scores is None:
        _write_heading(sheet, state)
        _write_cards(sheet, state, hand.cards, ROWS[1] + 5)
        wanted = f"{hand.missing} more" if hand.missing else "starter"
        sheet.keys_apart((ANY_RANK, wanted), ("UNDO", ""))
    else:
        _write_worth(sheet, state, hand)
        _ask(sheet, hand)


# --- a player's own count ------------------------------------------------------------------------------


def _write_claim(sheet: Sheet, state: State, input_state: InputState, hand: ShowView) -> None:
    """Ask for the player's count; before the first key, show the previous count if it was wrong."""
    _write_hand(sheet, state, hand)
    sheet.box(MARGIN, ROWS[1] + 1, _BOX, 28)
    middle, cells = MARGIN + _BOX // 2, (WIDTH - _BESIDE) // CELL
    if input_state.typed:
        sheet.big(middle, ROWS[1] + 3, str(input_state.amount), align="centre")
        sheet.row(1, "counted", x=_BESIDE)
    else:
        sheet.medium(middle, ROWS[1] + 7, "?", align="centre")
        was_wrong = wrong_count(state, cells) if _is_new(state) else ()
        if was_wrong:
            sheet.lines(was_wrong, x=_BESIDE, y=ROWS[1])
            return
        sheet.row(1, "your count?", x=_BESIDE)
    if len(hand.claims) > 1:
        # Before the player has claimed suits, only the options are shown, not the right claim.
        label = _choice(hand if input_state.claim else replace(hand, claim=SuitClaim()))
        is_short = sheet.key_width("FLNB", label) < 126 - _BESIDE
        sheet.key(_BESIDE, ROWS[2] + 4, "FLNB", label if is_short else "suits?")


def _is_new(state: State) -> bool:
    """Return whether to show the last result still: until a card of the next hand or crib is turned up."""
    deal = the_deal(state)
    return not (deal.crib_turned_up if state.phase is Phase.CRIB else deal.held[deal.shower])


def _choice(hand: ShowView) -> str:
    """Format the claim chosen with FLNB, or the options before one is chosen."""
    claim = hand.claim
    if claim.flush:
        return "flush + nobs" if claim.nobs else "flush"
    if claim.nobs:
        return "his nobs"
    questions = []
    if any(claim.flush for claim in hand.claims):
        questions.append("flush?")
    if any(claim.nobs for claim in hand.claims):
        questions.append("nobs?")
    return " ".join(questions)


# --- the cards and their worth -------------------------------------------------------------------------


def _ask_for_cards(sheet: Sheet, state: State, show: ShowView) -> None:
    """Ask for the cards of the crib, or of a hand that was not played out, one after the other.

    The outcome of the last show stays on the screen until the first of these cards.
    """
    _write_heading(sheet, state)
    has_news = _is_new(state) and any(isinstance(outcome.event, _SHOWN_ON) for outcome in state.outcomes)
    lines = last_in_full(state) if has_news else ()
    sheet.lines(lines, y=ROWS[1])
    if len(lines) < 2:
        _write_cards(sheet, state, show.cards, ROWS[2] + 2)
    else:
        sheet.medium(MARGIN, ROWS[3], cards(show.cards))
    sheet.keys((ANY_RANK, f"{show.missing} more"))


def _write_heading(sheet: Sheet, state: State) -> None:
    deal = the_deal(state)
    what = "crib" if state.phase is Phase.CRIB else "hand"
    starter = f"starter {deal.starter.face}" if deal.starter else ""
    whole = f"{whose(state.names[deal.shower])} {what}"
    sheet.row(0, whole if len(whole) + len(starter) < COLUMNS else f"the {what}")
    sheet.row(0, starter, x=WIDTH - 1, align="right")


def _write_cards(sheet: Sheet, state: State, row: Sequence[Card], y: int) -> None:
    """Draw the cards with their tops at *y*, missing cards face down."""
    size = state.cards_to_show
    for place, card in zip(range(size), (*row, *[None] * size), strict=False):
        sheet.card(2 + place * 32, y, card)


def _write_hand(sheet: Sheet, state: State, hand: ShowView) -> None:
    what = "crib" if state.phase is Phase.CRIB else "hand"
    spaced = f"{cards(hand.cards)} + {hand.starter.face if hand.starter else ''}"
    sheet.row(0, f"{what} {spaced if len(spaced) <= 16 else spaced.replace(' ', '')}")


def _write_worth(sheet: Sheet, state: State, hand: ShowView) -> None:
    _write_hand(sheet, state, hand)
    sheet.big(MARGIN, ROWS[1], str(hand.points))
    by_ranks = [score for score in hand.scores or () if score.kind not in {Kind.FLUSH, Kind.NOBS}]
    lines = [(text, str(points)) for text, points in breakdown(by_ranks)]
    if not hand.scores:
        lines.append(("a nineteen", ""))
    if hand.claim.points or len(hand.claims) > 1:
        lines.append((_choice(hand), str(hand.claim.points or "")))
    for row, (text, points) in enumerate(lines, start=1):
        sheet.row(row, text, x=_RIGHT)
        sheet.row(row, points, x=WIDTH - 1, align="right")


def _ask(sheet: Sheet, hand: ShowView) -> None:
    """Write the key that pegs the show, and the key that changes the claim if several are possible."""
    sheet.keys("OK", *([("FLNB", "")] if len(hand.claims) > 1 else []))


def _write_renege(sheet: Sheet, state: State, wrong: Renege) -> None:
    """Show a wrong go: the player, the count, and the cards that could have been played."""
    sheet.title("A WRONG GO")
    was = fitted("{name} said go at {count}", name=state.names[wrong.seat], count=wrong.go.count)
    sheet.lines((was, f"but held the {cards(wrong.cards)}"), y=sheet.title_top + 9)
