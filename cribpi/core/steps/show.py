"""The show of a game kept by cards: each hand in order, then the crib, then the next deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cribpi.core import seats
from cribpi.core.cards import Card, check_possible
from cribpi.core.errors import ImpossibleClaim, NotHeld
from cribpi.core.events import CribCardTurned, CribShown, HandShown
from cribpi.core.scores import total
from cribpi.core.show import Claim, crib_claims, hand_claims, score_claimed
from cribpi.core.state import Deal, Outcome, Phase, State
from cribpi.core.steps.common import award, by_cards, check_shower, new_deal


def show_hand(state: State, event: HandShown) -> State:
    """Peg the hand of the seat whose show it is; pone shows first, the dealer last."""
    deal = by_cards(state, "a hand's show", Phase.SHOW)
    check_shower(state, deal, event.seat)
    hand, starter = deal.played[event.seat], _starter(deal)
    check_claim(event.claim, hand_claims(hand, starter))
    scores = score_claimed(hand, starter, event.claim)
    return after_show(state, deal, Outcome(event, state.side(event.seat), total(scores), scores))


def turn_crib_card(state: State, event: CribCardTurned) -> State:
    """Turn up one card of the crib."""
    deal = by_cards(state, "a card of the crib", Phase.CRIB)
    if len(deal.crib) == seats.HAND:
        raise NotHeld("the crib's four cards are all there; OK pegs it")
    deal = replace(deal, turned=(*deal.turned, event.card))
    check_possible(deal.seen)
    return replace(state, deal=deal)


def show_crib(state: State, event: CribShown) -> State:
    """Peg the crib for the dealer; the deal passes to the left."""
    deal = by_cards(state, "the crib's show", Phase.CRIB)
    missing = seats.HAND - len(deal.crib)
    if missing:
        raise NotHeld(f"the crib has four cards: turn up {missing} more first")
    check_claim(event.claim, crib_claims(deal.crib, _starter(deal)))
    scores = score_claimed(deal.crib, _starter(deal), event.claim)
    return after_show(state, deal, Outcome(event, state.side(deal.dealer), total(scores), scores))


def check_claim(claim: Claim, possible: Sequence[Claim]) -> None:
    """Raise `ImpossibleClaim` if *claim* is none of the *possible* ones."""
    if claim not in possible:
        said = [f"a flush of {claim.flush}"] * bool(claim.flush) + ["his nobs"] * claim.nobs
        raise ImpossibleClaim(f"{' and '.join(said) or 'no flush and no nobs'}: these cards rule it out")


def after_show(state: State, deal: Deal, outcome: Outcome) -> State:
    """Peg a show, and go on: to the next hand, to the crib, to the next deal."""
    state = award(state, outcome)
    if state.winner is not None:
        return state
    if state.phase is Phase.CRIB:
        return new_deal(state, seats.left_of(deal.dealer, state.players))
    shown = deal.shown + 1
    phase = Phase.CRIB if shown == state.players else Phase.SHOW
    return replace(state, deal=replace(deal, shown=shown), phase=phase)


def _starter(deal: Deal) -> Card:
    if deal.starter is None:
        raise NotHeld("no starter is known; turn it up first")
    return deal.starter
