"""The legal acts that can be listed: decisions, cards cut and turned up, and counts at the show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.show import HIGHEST_SHOW, SuitClaim
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import is_legal
from cribpi.cribbage.game.steps.show import claims_of
from cribpi.cribbage.rules import seats


def legal_acts(state: State) -> tuple[Event, ...]:
    """Return each act that `step` accepts in *state*, except for hands, packs, points and corrections."""
    return tuple(event for event in _possible(state) if is_legal(state, event))


def _possible(state: State) -> Iterator[Event]:
    """Yield every act that could be legal in *state*."""
    deal = state.deal
    if state.winner is not None or state.entry is Entry.PEG:
        return
    if deal is None:
        if state.next_to_cut is not None:
            yield from (events.CardCut(state.next_to_cut, card) for card in PACK)
        yield from map(events.DealerChosen, range(state.players))
        return
    if state.counted is not None:
        of, calls = state.counted.side, state.counted.right_calls
        yield from (events.MugginsCalled(side, of, points) for side in range(state.sides) for points in calls)
    match state.phase:
        case Phase.DEAL | Phase.STARTER:
            for seat in deal.show_order:
                if not deal.discards[seat]:
                    away = combinations(deal.possible_cards(seat) or (), state.rules.sizes.discarded)
                    yield from (events.Discarded(seat, cards) for cards in away)
            yield from map(events.StarterTurned, [deal.to_turn] if deal.to_turn else _unseen(deal))
        case Phase.PLAY if deal.turn is not None:
            yield events.HeelsTaken()
            yield from (events.CardPlayed(deal.turn, card) for card in _possible_cards(deal, deal.turn))
            yield events.GoSaid(deal.turn)
        case Phase.SHOW:
            hand = deal.hand(deal.shower)
            if len(hand) < deal.size:
                cards = _possible_cards(deal, deal.shower)
                yield from (events.HandCardTurned(deal.shower, card) for card in cards)
            else:
                yield from (events.HandShown(deal.shower, *count) for count in _counts(state, deal, hand))
        case Phase.CRIB:
            if len(deal.crib) < seats.HAND:
                yield from map(events.CribCardTurned, _unseen(deal))
            else:
                yield from (events.CribShown(*count) for count in _counts(state, deal, deal.crib))


def _unseen(deal: Deal) -> Sequence[Card]:
    seen = set(deal.seen)
    return [card for card in PACK if card not in seen]


def _possible_cards(deal: Deal, seat: int) -> Sequence[Card]:
    cards = deal.possible_cards(seat)
    return _unseen(deal) if cards is None else cards


def _counts(state: State, deal: Deal, cards: tuple[Card, ...]) -> Iterator[tuple[SuitClaim, int | None]]:
    """Yield each claim for a show, with each count if the rules leave it to players."""
    for claim in claims_of(state, cards, deal.starter) if deal.starter else ():
        if state.rules.miscount == "machine":
            yield claim, None
        else:
            yield from ((claim, points) for points in range(HIGHEST_SHOW + 1))
