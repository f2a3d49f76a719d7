"""Keys in a game kept by cards: each card as it falls; the player is whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cribpi.core import seats
from cribpi.core.cards import Card, check_possible
from cribpi.core.deal import Deal, Renege
from cribpi.core.errors import ImpossibleClaim, ImpossiblePoints
from cribpi.core.events import (
    CardCut,
    CardPlayed,
    CribCardTurned,
    CribShown,
    DealerChosen,
    GoSaid,
    HandCardTurned,
    HandShown,
    HeelsTaken,
    RenegeRuled,
    StarterTurned,
)
from cribpi.core.scores import total
from cribpi.core.show import HIGHEST_SHOW, Claim, score_ranks
from cribpi.core.state import Phase, State
from cribpi.core.steps.corrections import renege_points
from cribpi.core.steps.show import check_count, claims_of
from cribpi.entry import corrections
from cribpi.entry.desk import Desk, Question
from cribpi.entry.keys import amount_of, card_of, side_key
from cribpi.entry.reply import Reply, WrongKey

_WANTED: Final = {
    Phase.DEAL: "press the starter's rank",
    Phase.STARTER: "press the starter's rank",
    Phase.PLAY: "press the card that is played, or GO",
    Phase.SHOW: "OK pegs the hand",
    Phase.CRIB: "press the crib's four cards, then OK",
}


def press_cut(state: State, desk: Desk, key: str, draw: int) -> Reply:
    """Find who deals first, as the option `first_dealer` says.

    A cut: a rank for the seat whose cut it is, a side's key to choose, OK to leave it to chance.  Drawn: OK.
    Chosen: a side's key, or A to 4 for a seat.
    """
    way = state.rules.first_dealer
    card, side = card_of(key), side_key(key, state.sides)
    if way == "low-cut" and card is not None and state.next_to_cut is not None:
        return Reply(desk.cleared(), CardCut(state.next_to_cut, card))
    if way == "chosen" and card is not None and card.rank <= state.players:
        return Reply(desk.cleared(), DealerChosen(card.rank - 1))
    if way != "random" and side is not None:
        return Reply(desk.cleared(), DealerChosen(side))
    if way != "chosen" and key == "OK":
        return Reply(desk.cleared(), DealerChosen(draw % state.players))
    raise WrongKey(_CUTS[way])


_CUTS: Final = {
    "low-cut": "cut for the deal: press the rank that was cut, or OK to leave the dealer to chance",
    "random": "the first dealer is drawn by these rules: OK draws",
    "chosen": "the table says who deals first: press that side's key, or A to 4 for the seat",
}


def press(state: State, desk: Desk, key: str) -> Reply:
    """Take a key from the deal to the crib."""
    deal = state.deal
    if deal is None:
        raise WrongKey("no deal has begun: MENU starts a new game")
    side = side_key(key, 2 if key == "GO" else state.sides)
    if side is not None:
        return Reply(replace(desk, dialog=corrections.open_for(state, side)))
    card = card_of(key)
    match state.phase:
        case Phase.DEAL | Phase.STARTER if card is not None:
            return Reply(desk.cleared(), StarterTurned(card))
        case Phase.PLAY if card is not None and deal.turn is not None:
            return _press_card(state, desk, deal, deal.turn, card)
        case Phase.PLAY if key == "GO" and deal.turn is not None:
            return Reply(desk.cleared(), GoSaid(deal.turn))
        case Phase.PLAY if key == "OK" and deal.heels_open:
            return Reply(desk.cleared(), HeelsTaken())
        case Phase.SHOW | Phase.CRIB if offered(state) is not None:
            return _press_renege(state, desk, key)
        case Phase.SHOW | Phase.CRIB:
            return press_show(state, desk, deal, key, card)
    raise WrongKey(f"{key} does nothing here: {_WANTED[state.phase]}")


def offered(state: State) -> Renege | None:
    """Return the wrong go that the table is asked to rule on, where the house has a rule for it."""
    deal = state.deal
    if deal is None or state.rules.renege == "noted" or state.phase not in {Phase.SHOW, Phase.CRIB}:
        return None
    return next(iter(deal.open_reneges()), None)


def noted(state: State) -> tuple[Renege, ...]:
    """Return the wrong goes that are remarked on now, where the house has no rule for them.

    All are known when the play has ended, but for one that ended early: there each is at its seat's show.
    """
    deal = state.deal
    if deal is None or state.rules.renege != "noted" or state.phase is not Phase.SHOW:
        return ()
    is_early = state.rules.play_rounds == "one"
    return tuple(
        wrong for wrong in deal.open_reneges() if deal.shown == 0 or (is_early and wrong.seat == deal.shower)
    )


def _press_renege(state: State, desk: Desk, key: str) -> Reply:
    renege = offered(state)
    if renege is not None and key == "OK":
        points = renege_points(state, len(renege.cards))
        return Reply(desk.cleared(), RenegeRuled(renege.seat, points))
    if renege is not None and key == "GO":
        return Reply(desk.cleared(), RenegeRuled(renege.seat, 0))
    raise WrongKey("a wrong go was found: OK applies the house's rule, GO lets it be")


def shown(state: State) -> tuple[Card, ...]:
    """Return the cards of the hand or crib whose show it is, as far as they are known."""
    deal = state.deal
    if deal is None:
        return ()
    return deal.crib if state.phase is Phase.CRIB else deal.hand(deal.shower)


def players_count(state: State) -> bool:
    """Tell whether the players count their hands themselves, by the rules; a seat of the machine is not asked."""
    deal = state.deal
    return state.rules.miscount != "machine" and not (deal and state.level(deal.shower))


def press_show(state: State, desk: Desk, deal: Deal, key: str, card: Card | None) -> Reply:
    """Take a *key*, which names *card* if it is one, while a hand or the crib is shown."""
    is_crib, is_whole = state.phase is Phase.CRIB, len(shown(state)) == seats.HAND
    if card is not None and not is_whole:
        turned = CribCardTurned(card) if is_crib else HandCardTurned(deal.shower, card)
        return Reply(desk.cleared(), turned)
    if key == "FLNB":
        return Reply(replace(desk, claim=next_claim(claims(state), desk.claim)))
    if is_whole and players_count(state):
        return _press_count(state, desk, deal, key)
    if key != "OK":
        wanted = _WANTED[state.phase] if is_whole or is_crib else "press the cards that were not played"
        raise WrongKey(f"{key} does nothing here: {wanted}")
    return Reply(desk.cleared(), show_event(state, desk, deal, None))


def _press_count(state: State, desk: Desk, deal: Deal, key: str) -> Reply:
    """Take a key while a player counts: amounts that add up, then OK; GO for nothing."""
    amount = amount_of(key)
    if amount is not None:
        _check_typed(state, desk.amount + amount)
        return Reply(replace(desk, typed=(*desk.typed, amount)))
    if key == "GO" and not desk.typed:
        return Reply(desk.cleared(), show_event(state, desk, deal, 0))
    if key == "OK" and desk.typed:
        return Reply(desk.cleared(), show_event(state, desk, deal, desk.amount))
    raise WrongKey(f"{key} does nothing here: type what was counted, then OK; GO for a count of nothing")


def _check_typed(state: State, points: int) -> None:
    """Raise `ImpossiblePoints` if nobody can count so much or more; 19 may still become 20."""
    if state.rules.miscount == "muggins":
        check_count(points, "muggins")  # what no hand counts may be an overclaim
    elif points > HIGHEST_SHOW:
        check_count(points, state.rules.miscount)


def can_count(state: State, points: int) -> bool:
    """Tell whether a player can count *points* by the rules of this game; by muggins it may be too much."""
    try:
        check_count(points, state.rules.miscount)
    except ImpossiblePoints:
        return False
    return True


def show_event(state: State, desk: Desk, deal: Deal, points: int | None) -> HandShown | CribShown:
    """Return the show that it is now, with the player's own count in *points*, or None where the machine counts."""
    claim = claim_of(state, desk)
    if state.phase is Phase.CRIB:
        return CribShown(claim, points)
    return HandShown(deal.shower, claim, points)


def claims(state: State) -> tuple[Claim, ...]:
    """Return the claims that the suits of this show allow, fewest points first; none before it is complete."""
    deal = state.deal
    if deal is None or deal.starter is None or state.phase not in {Phase.SHOW, Phase.CRIB}:
        return ()
    cards = shown(state)
    return claims_of(state, cards, deal.starter) if len(cards) == seats.HAND else ()


def claim_of(state: State, desk: Desk) -> Claim:
    """Return the claim that FLNB has chosen; until then the one that the count speaks of, or else the least."""
    possible = claims(state)
    if not possible:
        return Claim()
    if desk.claim or not desk.typed or state.deal is None or state.deal.starter is None:
        return possible[desk.claim % len(possible)]
    return meant_claim(shown(state), state.deal.starter, possible, desk.amount)


def meant_claim(cards: Sequence[Card], starter: Card, possible: tuple[Claim, ...], counted: int) -> Claim:
    """Return the one of the *possible* claims with which the cards are worth what was *counted*; else the least."""
    by_ranks = total(score_ranks(cards, starter))
    meant = (claim for claim in possible if by_ranks + claim.points == counted)
    return next(meant, possible[0])


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


def _press_card(state: State, desk: Desk, deal: Deal, turn: int, card: Card) -> Reply:
    if card.rank.pips <= deal.room or state.rules.play_rounds == "one":
        return Reply(desk.cleared(), CardPlayed(turn, card))
    check_possible((*deal.seen, card))
    return Reply(replace(desk, dialog=Question(str(card))))
