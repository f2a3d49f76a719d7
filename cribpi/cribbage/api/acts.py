"""The legal acts that can be listed: decisions, cards cut and turned up, and counts at the show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card, Suit
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.show import HIGHEST_SHOW, SuitClaim
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.steps.corrections import muggins_calls
from cribpi.cribbage.game.steps.show import claims_of, is_count
from cribpi.cribbage.rules import seats


def legal_acts(state: State) -> tuple[Event, ...]:
    """Return each act that `step` accepts in *state*, except for hands, packs, points and corrections.

    Muggins is listed, but no wrong call of it.
    """
    return tuple(_legal(state))


def _legal(state: State) -> Iterator[Event]:
    """Yield the legal acts without a trial `step` for each: a discard alone has fifteen."""
    deal = state.deal
    if state.winner is not None or state.entry is Entry.PEG:
        return
    if deal is None:
        if state.next_to_cut is not None and state.rules.first_dealer == "low-cut":
            yield from (events.CardCut(state.next_to_cut, card) for card in PACK)
        yield from map(events.DealerChosen, range(state.players))
        return
    if state.counted is not None:
        of = state.counted.side
        for side in range(state.sides):
            if side != of:
                calls = (points for points in muggins_calls(state, side, of) if points > 0)
                yield from (events.MugginsCalled(side, of, points) for points in calls)
    match state.phase:
        case Phase.DEAL | Phase.STARTER:
            yield from _before_play(state, deal)
        case Phase.PLAY if deal.turn is not None:
            if deal.heels_open:
                yield events.HeelsTaken()
            cards = [card for card in _possible_cards(deal, deal.turn) if card.rank.pips <= deal.room]
            yield from (events.CardPlayed(deal.turn, card) for card in cards)
            if not deal.must_hold_playable(deal.turn):
                yield events.GoSaid(deal.turn)
        case Phase.SHOW:
            hand = deal.hand(deal.shower)
            if len(hand) < deal.size:
                turned = _possible_cards(deal, deal.shower)
                yield from (events.HandCardTurned(deal.shower, card) for card in turned)
            else:
                yield from (events.HandShown(deal.shower, *count) for count in _counts(state, deal, hand))
        case Phase.CRIB:
            if len(deal.crib) < seats.HAND:
                yield from map(events.CribCardTurned, _unseen(deal))
            else:
                yield from (events.CribShown(*count) for count in _counts(state, deal, deal.crib))


def _before_play(state: State, deal: Deal) -> Iterator[Event]:
    """Yield the discards of known hands, and the starters that may be turned up."""
    for seat in deal.show_order:
        if not deal.discards[seat]:
            away = combinations(deal.possible_cards(seat) or (), state.rules.sizes.discarded)
            yield from (events.Discarded(seat, cards) for cards in away)
    if state.entry is Entry.CARDS:
        yield from map(events.StarterTurned, _unseen(deal))
    elif state.phase is Phase.STARTER and deal.to_turn is not None:
        yield events.StarterTurned(deal.to_turn)


def _unseen(deal: Deal) -> Sequence[Card]:
    """Return the cards of the pack that may be unseen: of a rank seen four times, without suits, none."""
    seen = set(deal.seen)
    ranks = Counter(card.rank for card in deal.seen)
    return [card for card in PACK if card not in seen and ranks[card.rank] < len(Suit)]


def _possible_cards(deal: Deal, seat: int) -> Sequence[Card]:
    cards = deal.possible_cards(seat)
    return _unseen(deal) if cards is None else cards


def _counts(state: State, deal: Deal, cards: tuple[Card, ...]) -> Iterator[tuple[SuitClaim, int | None]]:
    """Yield each claim for a show, with each count if the rules leave it to players."""
    miscount = state.rules.miscount
    for claim in claims_of(state, cards, deal.starter) if deal.starter else ():
        if miscount == "machine":
            yield claim, None
        else:
            yield from ((claim, points) for points in range(HIGHEST_SHOW + 1) if is_count(points, miscount))
