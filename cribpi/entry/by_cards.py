"""Keys in a game kept by cards: each card as it falls; the player is whose turn it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cribpi.core import seats
from cribpi.core.cards import Card, check_possible
from cribpi.core.errors import ImpossibleClaim
from cribpi.core.events import (
    CardCut,
    CardPlayed,
    CribCardTurned,
    CribShown,
    DealerChosen,
    GoSaid,
    HandShown,
    StarterTurned,
)
from cribpi.core.show import Claim, crib_claims, hand_claims
from cribpi.core.state import Deal, Phase, State
from cribpi.entry.desk import Correct, Desk, Question
from cribpi.entry.keys import card_of, side_key
from cribpi.entry.reply import Reply, WrongKey

_WANTED: Final = {
    Phase.DEAL: "press the starter's rank",
    Phase.STARTER: "press the starter's rank",
    Phase.PLAY: "press the card that is played, or GO",
    Phase.SHOW: "OK pegs the hand",
    Phase.CRIB: "press the crib's four cards, then OK",
}


def press_cut(state: State, desk: Desk, key: str, draw: int) -> Reply:
    """Cut for the deal: a rank for the seat whose cut it is, a side key to choose, OK to leave it to chance."""
    card = card_of(key)
    if card is not None and state.next_to_cut is not None:
        return Reply(desk.cleared(), CardCut(state.next_to_cut, card))
    side = side_key(key, state.sides)
    if side is not None:
        return Reply(desk.cleared(), DealerChosen(side))
    if key == "OK":
        return Reply(desk.cleared(), DealerChosen(draw % state.players))
    raise WrongKey("cut for the deal: press the rank that was cut, or OK to leave the dealer to chance")


def press(state: State, desk: Desk, key: str) -> Reply:
    """Take a key from the deal to the crib."""
    deal = state.deal
    if deal is None:
        raise WrongKey("no deal has begun: MENU starts a new game")
    side = side_key(key, 2 if key == "GO" else state.sides)
    if side is not None:
        return Reply(replace(desk, dialog=Correct(side, state.pegs[side].front)))
    card = card_of(key)
    match state.phase:
        case Phase.DEAL | Phase.STARTER if card is not None:
            return Reply(desk.cleared(), StarterTurned(card))
        case Phase.PLAY if card is not None and deal.turn is not None:
            return _press_card(desk, deal, deal.turn, card)
        case Phase.PLAY if key == "GO" and deal.turn is not None:
            return Reply(desk.cleared(), GoSaid(deal.turn))
        case Phase.SHOW | Phase.CRIB if key == "FLNB":
            return Reply(replace(desk, claim=next_claim(claims(state), desk.claim)))
        case Phase.SHOW if key == "OK":
            return Reply(desk.cleared(), HandShown(deal.shower, claim_of(state, desk)))
        case Phase.CRIB if key == "OK":
            return Reply(desk.cleared(), CribShown(claim_of(state, desk)))
        case Phase.CRIB if card is not None:
            return Reply(desk.cleared(), CribCardTurned(card))
    raise WrongKey(f"{key} does nothing here: {_WANTED[state.phase]}")


def claims(state: State) -> tuple[Claim, ...]:
    """Return the claims that the suits of this show allow, fewest points first; none before it is complete."""
    deal = state.deal
    if deal is None or deal.starter is None:
        return ()
    if state.phase is Phase.SHOW:
        return hand_claims(deal.played[deal.shower], deal.starter)
    if state.phase is Phase.CRIB and len(deal.crib) == seats.HAND:
        return crib_claims(deal.crib, deal.starter)
    return ()


def claim_of(state: State, desk: Desk) -> Claim:
    """Return the claim that FLNB has chosen; the least that is possible until then."""
    possible = claims(state)
    return possible[desk.claim % len(possible)] if possible else Claim()


def next_claim(possible: tuple[Claim, ...], claim: int) -> int:
    """Return the next of the *possible* claims after number *claim*.

    Raises:
        ImpossibleClaim: If there is no choice.
    """
    if not possible:
        raise ImpossibleClaim(
            "flush and nobs come when all four cards are known; press the missing ones first"
        )
    if len(possible) == 1:
        raise ImpossibleClaim("these cards leave no choice of flush or nobs; OK pegs them")
    return (claim + 1) % len(possible)


def _press_card(desk: Desk, deal: Deal, turn: int, card: Card) -> Reply:
    if card.rank.pips <= deal.room:
        return Reply(desk.cleared(), CardPlayed(turn, card))
    check_possible((*deal.seen, card))
    return Reply(replace(desk, dialog=Question(str(card))))
