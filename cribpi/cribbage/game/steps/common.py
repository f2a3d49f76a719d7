"""What every step needs: checking seats, awarding points, finding the winner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.deal import Deal, find
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.ledger import DealGains, Gains, booked
from cribpi.cribbage.game.match import is_decided
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.state import Outcome, Phase, State, the_deal
from cribpi.cribbage.rules.errors import NotHeld, WrongSeat
from cribpi.cribbage.rules.grammar import does, whose_turn
from cribpi.cribbage.rules.seats import Pegs

T = TypeVar("T")


def check_shower(state: State, deal: Deal, seat: int) -> None:
    """Raise `WrongSeat` if it is not *seat*'s turn to show."""
    if seat != deal.shower:
        raise WrongSeat(whose_turn("show", state.names[deal.shower], state.names[seat]), "show-order")


def take(state: State, seat: int, card: Card, rest: Sequence[Card]) -> Card:
    """Return the card in *rest* that *card* names, which *seat* must hold.

    Raises:
        NotHeld: If *seat* does not hold it.
    """
    try:
        return find(card, rest)
    except LookupError:
        raise NotHeld(f"{does(state.names[seat], 'does')} not hold {card}; play a card of the hand") from None


def known(state: State, seat: int, card: Card) -> Card:
    """Return *card* with its suit, if the hand of *seat* is known and has it.

    Raises:
        NotHeld: If the hand is known and *seat* does not hold it.
    """
    rest = the_deal(state).possible_cards(seat)
    if rest is None:
        return card
    held = take(state, seat, card, rest)
    return held if held.suit else card


def check_seen(deal: Deal, seat: int, card: Card) -> None:
    """Raise `ImpossibleCards` if one pack can't hold what was seen, and *card* of *seat*."""
    seen, rest = list(deal.seen), deal.possible_cards(seat)
    if rest is not None:
        seen.remove(find(card, rest))  # as it was dealt
    check_possible((*seen, card))


def with_cards(state: State, deal: Deal, phase: Phase | None = None) -> State:
    """Return *state* with *deal*, of which more was just seen, so that it is too late for muggins.

    Raises:
        ImpossibleCards: If one pack can't hold what was seen.
    """
    check_possible(deal.seen)
    return replace(state, deal=deal, phase=phase or state.phase, counted=None)


def put(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*row[:place], item, *row[place + 1 :])


def new_deal(state: State, dealer: int) -> State:
    """Begin the next deal, with this *dealer*."""
    deal = Deal.new(state.deal_number + 1, dealer, state.rules, state.pegs)
    ledger = (*state.ledger, DealGains(dealer, (Gains(),) * state.sides))
    return replace(state, phase=Phase.DEAL, deal=deal, past=state.played_deals, ledger=ledger)


def expose_rest(state: State) -> State:
    """Turn up the unplayed cards of the seat that shows, if the computer knows them.

    There are some if only one count is played.
    """
    deal = state.deal
    if deal is None or state.entry is not Entry.DEALT or state.phase is not Phase.SHOW:
        return state
    rest = deal.possible_cards(deal.shower) or ()
    held = put(deal.held, deal.shower, (*deal.held[deal.shower], *rest))
    return replace(state, deal=replace(deal, held=held))


def award(state: State, *outcomes: Outcome, deal: Deal | None = None) -> State:
    """Peg *outcomes*, at least one, in order; *deal* is the deal as it is by then, if it has changed.

    The side that reaches the target wins at once (board-set, "How to win"); later ones score nothing.
    """
    # Order is law: of two that would win with the same event, the first one does.
    pegged: tuple[Outcome, ...] = ()
    for outcome in outcomes:
        pegged = (*pegged, _counting(state, outcome))
        pegs = state.pegs[outcome.side].advance(pegged[-1].points, state.rules.target)
        state = place(state, pegged, pegs, deal)
        if state.winner is not None:
            break
    return state


def _counting(state: State, outcome: Outcome) -> Outcome:
    """Return *outcome* without what pegs nothing from the stinkhole, where its side is or gets with it."""
    left = state.to_go(outcome.side) - outcome.points
    kept = tuple(score for score in outcome.scores if state.rules.counts(score.kind, left + score.points))
    return outcome if kept == outcome.scores else replace(outcome, points=total(kept), scores=kept)


def place(state: State, outcomes: tuple[Outcome, ...], pegs: Pegs, deal: Deal | None = None) -> State:
    """Set the pegs of the side of the last of *outcomes*, book its holes, and see whether it has won."""
    last, deal = outcomes[-1], deal or state.deal
    was = state.pegs[last.side]
    if pegs == was:
        return replace(state, deal=deal, outcomes=outcomes)
    all_pegs = put(state.pegs, last.side, pegs)
    state = replace(
        state,
        deal=deal,
        pegs=all_pegs,
        ledger=booked(state.ledger, last.deal, last.side, last.purpose, pegs.front - was.front),
        leads=longest_leads(state.leads, all_pegs),
        outcomes=outcomes,
    )
    if pegs.front < state.rules.target or state.winner is not None:
        return state
    won = replace(state, winner=last.side, won_in=state.phase, phase=Phase.GAME_OVER)
    return replace(won, phase=Phase.MATCH_OVER) if is_decided(won.tally_now, won.rules) else won


def longest_leads(leads: tuple[int, ...], pegs: tuple[Pegs, ...]) -> tuple[int, ...]:
    """Return each side's longest lead, which was *leads* before the sides stood at *pegs*."""
    second, first = sorted([one.front for one in pegs])[-2:]
    now = (one.front - (second if one.front == first else first) for one in pegs)
    return tuple(map(max, leads, now))
