"""The current show with its input: the claim of flush and nobs, and the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cribpi.companion.entry.input_state import CountHand, InputState
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Renege
from cribpi.cribbage.game.events import CribShown, HandShown
from cribpi.cribbage.game.show import Score, SuitClaim, score_claimed, score_ranks, total
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.steps.show import claims_of
from cribpi.cribbage.words import shows


class SuitChoice(NamedTuple):
    """A suit score that can be added to a show or removed.

    *presses* is how many times FLNB must be pressed for that.
    """

    says: str
    is_on: bool
    presses: int


@dataclass(frozen=True, slots=True)
class ShowView:
    """The hand or crib being shown, or a hand being counted in points mode. All viewers see the same."""

    seat: int
    is_crib: bool
    cards: tuple[Card, ...]
    """Cards known so far."""
    missing: int
    starter: Card | None
    claims: tuple[SuitClaim, ...]
    """Possible suit claims, fewest points first. Empty until all cards are known."""
    claim: SuitClaim
    """Claim chosen by FLNB. By default, it is the claim that the typed count implies, or the lowest."""
    is_counted: bool
    """Whether the player counts instead of cribpi."""
    scores: tuple[Score, ...] | None
    """Scores with *claim*. None if the player counts, or cards are missing."""
    to_rule_on: Renege | None
    """Wrong go that the players must rule on first, or None."""
    noted: tuple[Renege, ...]
    """Wrong goes to mention in a remark."""

    @property
    def is_certain(self) -> bool:
        """Whether this show needs no decision, so that it can be pegged automatically.

        cribpi counts it, no flush or nobs is open, and no wrong go must be ruled on.
        """
        return not self.is_counted and len(self.claims) == 1 and self.to_rule_on is None

    @property
    def points(self) -> int:
        return total(self.scores or ())

    def event(self, points: int | None) -> HandShown | CribShown:
        """Return the event of this show.

        *points* are those that the player counted; None if cribpi counts.
        """
        return CribShown(self.claim, points) if self.is_crib else HandShown(self.seat, self.claim, points)

    @property
    def suits(self) -> tuple[SuitChoice, ...]:
        """Suit scores that can be added or removed. Empty if the player counts."""
        possible, now = self.claims, self.claim
        if self.is_counted or len(possible) < 2:
            return ()
        nobs = SuitChoice("+1 his nobs", now.nobs, _presses(possible, now, now.flush, nobs=not now.nobs))
        found = [nobs] if any(one.nobs != now.nobs for one in possible) else []
        flushes = sorted({one.flush for one in possible if one.flush})
        for points in flushes:
            is_on = now.flush == points
            says = f"+{points} flush with starter" if points != flushes[0] else f"+{points} flush"
            presses = _presses(possible, now, 0 if is_on else points, nobs=now.nobs)
            found.append(SuitChoice(says, is_on, presses))
        return tuple(found)


def show_view(state: State, input_state: InputState) -> ShowView:
    """Return the view of the show in *state*, with the pending input *input_state*.

    If a hand is being counted in points mode, it is the view of that hand.

    Raises:
        WrongPhase: If there is no deal.
    """
    dialog, deal = input_state.dialog, state.deal
    size = state.cards_to_show
    if isinstance(dialog, CountHand):
        known = tuple(map(Card.parse, dialog.cards))
        cards, starter = known[:size], (deal and deal.starter) or next(iter(known[size:]), None)
        number, counted = dialog.claim, dialog.claimed
        is_counted, to_rule_on = False, None
    else:
        cards, starter = shows.shown_cards(state), the_deal(state).starter
        number, counted = input_state.claim, input_state.amount if input_state.typed else None
        is_counted, to_rule_on = shows.players_count(state), shows.offered(state)
    missing = size - len(cards)
    seat = deal.shower if deal else 0
    is_crib = state.phase is Phase.CRIB
    possible, claim = tuple[SuitClaim, ...](), SuitClaim()
    scores = None
    if not missing and starter is not None:
        possible = claims_of(state, cards, starter)
        claim = _claim(cards, starter, possible, number, counted)
        scores = None if is_counted else score_claimed(cards, starter, claim)
    noted = shows.noted(state)
    return ShowView(
        seat, is_crib, cards, missing, starter, possible, claim, is_counted, scores, to_rule_on, noted
    )


def _claim(
    cards: Sequence[Card], starter: Card, possible: tuple[SuitClaim, ...], claim: int, counted: int | None
) -> SuitClaim:
    """Return the claim after *claim* presses of FLNB.

    Without a press, it is the claim that makes the cards worth *counted*, or else the lowest claim.
    """
    if claim or counted is None:
        return possible[claim % len(possible)]
    by_ranks = total(score_ranks(cards, starter))
    return next((one for one in possible if by_ranks + one.points == counted), possible[0])


def _presses(possible: tuple[SuitClaim, ...], now: SuitClaim, flush: int, *, nobs: bool) -> int:
    """Return how many presses of FLNB lead from *now* to the claim closest to *flush* and *nobs*."""
    nearest = min(possible, key=lambda one: (one == now, 2 * (one.flush != flush) + (one.nobs != nobs)))
    return (possible.index(nearest) - possible.index(now)) % len(possible)
