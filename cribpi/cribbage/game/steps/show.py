"""The show with cards: each hand in order, then the crib, then the next deal."""

from __future__ import annotations

from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CribCardTurned, CribShown, HandCardTurned, HandCounted, HandShown
from cribpi.cribbage.game.ledger import Purpose, Show, with_show
from cribpi.cribbage.game.replace import replace
from cribpi.cribbage.game.show import (
    HIGHEST_SHOW,
    IMPOSSIBLE_SHOWS,
    NO_SUCH_SHOW,
    SuitClaim,
    possible_claims,
    score_claimed,
    total,
)
from cribpi.cribbage.game.state import MugginsWindow, Outcome, Phase, State, the_deal
from cribpi.cribbage.game.steps.common import (
    award,
    check_shower,
    expose_rest,
    new_deal,
    put,
    with_cards,
    with_suit,
)
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import ImpossibleClaim, ImpossiblePoints, NotHeld
from cribpi.cribbage.rules.grammar import does, whose

HIGHEST_CLAIM: Final = 99
"""Highest count that can be entered. Counts above 29 are overclaims."""

PURPOSE_IN: Final = {
    Phase.STARTER: Purpose.HEELS,
    Phase.PLAY: Purpose.PEGGING,
    Phase.SHOW: Purpose.HAND,
    Phase.CRIB: Purpose.CRIB,
}


def turn_hand_card(state: State, event: HandCardTurned) -> State:
    """Turn up an unplayed card. Cards are left only after a play with a single count."""
    deal = the_deal(state)
    check_shower(state, deal, event.seat)
    if len(deal.hand(event.seat)) == deal.size:
        raise NotHeld(f"{whose(state.names[event.seat])} cards are all known: show the hand")
    card = with_suit(state, event.seat, event.card)
    held = put(deal.held, event.seat, (*deal.held[event.seat], card))
    return with_cards(state, replace(deal, held=held))


def show_hand(state: State, event: HandShown) -> State:
    """Peg the hand of the seat that shows next: pone first, the dealer last."""
    deal = the_deal(state)
    check_shower(state, deal, event.seat)
    hand = deal.hand(event.seat)
    missing = deal.size - len(hand)
    if missing:
        left = f"{missing} cards" if missing > 1 else "a card"
        raise NotHeld(
            does(state.names[event.seat], f"has {left} left from the play: turn up the rest first"),
            "play_rounds",
        )
    return counted_show(state, event, hand)


def turn_crib_card(state: State, event: CribCardTurned) -> State:
    deal = the_deal(state)
    if len(deal.crib) == seats.HAND:
        raise NotHeld("the crib has its four cards: show it")
    return with_cards(state, replace(deal, crib_turned_up=(*deal.crib_turned_up, event.card)))


def show_crib(state: State, event: CribShown) -> State:
    """Peg the crib for the dealer. The deal passes to the left."""
    deal = the_deal(state)
    missing = seats.HAND - len(deal.crib)
    if missing:
        raise NotHeld(f"the crib has four cards: turn up {missing} more first")
    return counted_show(state, event, deal.crib)


def claims_of(state: State, cards: tuple[Card, ...], starter: Card) -> tuple[SuitClaim, ...]:
    """Return the claims of flush and nobs that the rules allow for *cards* in this show."""
    is_strict = state.phase is Phase.CRIB and state.rules.crib_flush == "five"
    return possible_claims(cards, starter, is_strict=is_strict)


def counted_show(state: State, event: HandShown | CribShown | HandCounted, cards: tuple[Card, ...]) -> State:
    """Peg the true points of *cards*, or the player's own count if the rules make players count."""
    deal, counts = the_deal(state), state.rules.miscount
    is_crib = state.phase is Phase.CRIB
    if deal.starter is None:
        raise NotHeld("no starter is known; turn it up first")
    possible, side = claims_of(state, cards, deal.starter), state.side(deal.shower)
    if event.claim not in possible:
        raise _impossible_claim(event.claim, possible, is_crib=is_crib)
    scores = score_claimed(cards, deal.starter, event.claim)
    truth = total(scores)
    if event.points is None and counts != "machine":
        raise ImpossiblePoints("under these rules, players count: give the points they counted", "miscount")
    show = Show(deal.number, deal.shower, side, truth, is_crib, cards, deal.starter, event.claim)
    ledger, purpose = with_show(state.ledger, show), PURPOSE_IN[state.phase]
    if event.points is None:
        shown = Outcome(event, side, deal.number, purpose, truth, scores)
        return after_show(replace(state, ledger=ledger, counted=None), shown)
    if counts == "machine":
        raise ImpossiblePoints("under these rules, the computer counts: do not give a count", "miscount")
    check_count(event.points, counts)
    pegged = min(event.points, truth)
    main = Outcome(event, side, deal.number, purpose, pegged, scores, counted_by_player=event.points)
    # With two sides, it is clear which side takes the missed points.
    takes = counts == "muggins" and state.sides == 2 and main.missed > 0
    missed = (Outcome(event, 1 - side, deal.number, Purpose.MUGGINS, main.missed),) if takes else ()
    left = 0 if missed else main.missed
    more = {claim.points - event.claim.points for claim in possible}
    unseen = tuple(sorted(points for points in more if points > 0))
    counted = MugginsWindow(side, truth - left, deal.number, left, unseen)
    return after_show(replace(state, ledger=ledger, counted=counted), main, *missed)


def _impossible_claim(claim: SuitClaim, possible: tuple[SuitClaim, ...], *, is_crib: bool) -> ImpossibleClaim:
    flush = [f"a flush of {claim.flush}"] if claim.flush else []
    said = " and ".join([*flush, "his nobs"] if claim.nobs else flush)
    rule = "crib_flush" if is_crib else "flush"
    if claim.flush in {other.flush for other in possible}:
        rule = "nobs"
    return ImpossibleClaim(f"{said or 'no flush and no nobs'}: these cards rule it out", rule)


def is_count(points: int, miscount: str) -> bool:
    """Return whether a player may give *points* as a count.

    Under muggins every overclaim is valid: 19, for example.
    """
    return points >= 0 and (
        miscount == "muggins" or (points not in IMPOSSIBLE_SHOWS and points <= HIGHEST_SHOW)
    )


def check_count(points: int, miscount: str) -> None:
    """Raise `ImpossiblePoints` if *points* can't be counted."""
    if not is_count(points, miscount):
        raise ImpossiblePoints(NO_SUCH_SHOW.format(points=points))
    if points > HIGHEST_CLAIM:
        raise ImpossiblePoints(f"no hand or crib counts {points}: the most is {HIGHEST_SHOW}")


def after_show(state: State, *outcomes: Outcome) -> State:
    """Peg a show. Unless it wins, continue with the next step."""
    state = award(state, *outcomes)
    return state if state.winner is not None else go_on(state)


def go_on(state: State) -> State:
    """Continue after a show with the next hand, the crib, or the next deal."""
    deal = the_deal(state)
    if state.phase is Phase.CRIB:
        return new_deal(state, seats.left_of(deal.dealer, state.players))
    shown = deal.shown + 1
    phase = Phase.CRIB if shown == state.players else Phase.SHOW
    return expose_rest(replace(state, deal=replace(deal, shown=shown), phase=phase))
