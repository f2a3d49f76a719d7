"""Helpers of the steps: check seats and cards, award points, and find the winner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.deal import Deal, find
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.ledger import DealGains, Gains, with_points
from cribpi.cribbage.game.match import is_decided
from cribpi.cribbage.game.replace import replace
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.state import Outcome, Phase, State, the_deal
from cribpi.cribbage.rules.errors import NotHeld, WrongSeat
from cribpi.cribbage.rules.grammar import does, whose_turn
from cribpi.cribbage.rules.seats import Pegs

T = TypeVar("T")


def check_shower(state: State, deal: Deal, seat: int) -> None:
    """Raise `WrongSeat` if another seat than *seat* shows next."""
    if seat != deal.shower:
        raise WrongSeat(whose_turn("show", state.names[deal.shower], state.names[seat]), "show-order")


def held_card(state: State, seat: int, card: Card, rest: Sequence[Card]) -> Card:
    """Return the card of *rest* that matches *card*. *rest* has the cards of *seat*.

    Raises:
        NotHeld: If *rest* has no match.
    """
    try:
        return find(card, rest)
    except LookupError:
        raise NotHeld(f"{does(state.names[seat], 'does')} not hold {card}; play a card of the hand") from None


def with_suit(state: State, seat: int, card: Card) -> Card:
    """Return *card* with its suit if the cards of *seat* are known, otherwise unchanged.

    Raises:
        NotHeld: If the cards are known, and *card* is not among them.
    """
    rest = the_deal(state).possible_cards(seat)
    if rest is None:
        return card
    held = held_card(state, seat, card, rest)
    return held if held.suit else card


def check_seen(deal: Deal, seat: int, card: Card) -> None:
    """Raise `ImpossibleCards` if *card* of *seat* and the cards seen so far can't come from one pack."""
    rest = deal.possible_cards(seat)
    if rest is not None and card in rest:
        return
    seen = list(deal.seen)
    if rest is not None:
        seen.remove(find(card, rest))  # *seen* already has the card, as dealt
    check_possible((*seen, card))


def with_cards(state: State, deal: Deal, phase: Phase | None = None) -> State:
    """Return *state* with *deal*, which has new cards. This ends the time for muggins.

    Raises:
        ImpossibleCards: If the cards seen can't come from one pack.
    """
    if state.entry is not Entry.DEALT:  # the computer deals from one pack
        check_possible(deal.seen)
    return replace(state, deal=deal, phase=phase or state.phase, counted=None)


def put(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*row[:place], item, *row[place + 1 :])


def new_deal(state: State, dealer: int) -> State:
    deal = Deal.new(state.deal_number + 1, dealer, state.rules, state.pegs)
    ledger = (*state.ledger, DealGains(dealer, (Gains(),) * state.sides))
    return replace(state, phase=Phase.DEAL, deal=deal, past=state.played_deals, ledger=ledger)


def expose_rest(state: State) -> State:
    """If the computer dealt, turn up the unplayed cards of the seat that shows next.

    Cards stay unplayed only if the rules have a single count.
    """
    deal = state.deal
    if deal is None or state.entry is not Entry.DEALT or state.phase is not Phase.SHOW:
        return state
    rest = deal.possible_cards(deal.shower) or ()
    held = put(deal.held, deal.shower, (*deal.held[deal.shower], *rest))
    return replace(state, deal=replace(deal, held=held))


def award(state: State, *outcomes: Outcome, deal: Deal | None = None) -> State:
    """Peg one or more *outcomes*, in order. *deal* replaces the current deal if given.

    The side that reaches the target wins at once (board-set, "How to win"), and later outcomes are dropped.
    If two sides would win with the same event, the first one wins.
    """
    pegged: tuple[Outcome, ...] = ()
    for outcome in outcomes:
        pegged = (*pegged, _without_stinkhole_scores(state, outcome))
        pegs = state.pegs[outcome.side].advance(pegged[-1].points, state.rules.target)
        state = place(state, pegged, pegs, deal)
        if state.winner is not None:
            break
    return state


def _without_stinkhole_scores(state: State, outcome: Outcome) -> Outcome:
    """Return *outcome* without scores that peg nothing from the stinkhole under these rules.

    The check of each score assumes that all other scores of the outcome are pegged first.
    """
    left = state.to_go(outcome.side) - outcome.points
    valid = tuple(score for score in outcome.scores if state.rules.counts(score.kind, left + score.points))
    return outcome if valid == outcome.scores else replace(outcome, points=total(valid), scores=valid)


def place(state: State, outcomes: tuple[Outcome, ...], pegs: Pegs, deal: Deal | None = None) -> State:
    """Move the pegs of the last outcome's side to *pegs*. Update the ledger, and find a winner."""
    last, deal = outcomes[-1], deal or state.deal
    was = state.pegs[last.side]
    if pegs == was:
        return replace(state, deal=deal, outcomes=outcomes)
    all_pegs = put(state.pegs, last.side, pegs)
    state = replace(
        state,
        deal=deal,
        pegs=all_pegs,
        ledger=with_points(state.ledger, last.deal, last.side, last.purpose, pegs.front - was.front),
        leads=longest_leads(state.leads, all_pegs),
        outcomes=outcomes,
    )
    if pegs.front < state.rules.target or state.winner is not None:
        return state
    won = replace(state, winner=last.side, won_in=state.phase, phase=Phase.GAME_OVER)
    return replace(won, phase=Phase.MATCH_OVER) if is_decided(won.tally_now, won.rules) else won


def longest_leads(leads: tuple[int, ...], pegs: tuple[Pegs, ...]) -> tuple[int, ...]:
    """Return the longest lead of each side so far, given the earlier *leads* and the current *pegs*."""
    scores = [side.front for side in pegs]
    second, first = sorted(scores)[-2:]
    return tuple(map(max, leads, (score - (second if score == first else first) for score in scores)))
