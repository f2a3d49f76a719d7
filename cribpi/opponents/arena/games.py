"""Whole games through the core: what happens next when all seats are the machine's.

Nothing is scored here: scoring is the core's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.deal import Deal
from cribpi.core.errors import WrongPhase
from cribpi.core.events import (
    CardPlayed,
    CardsLaidAway,
    CribCardTurned,
    CribShown,
    Event,
    GameStarted,
    GoSaid,
    HandCardTurned,
    HandDealt,
    HandShown,
    HeelsTaken,
    StarterTurned,
)
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.rules import Rules
from cribpi.core.show import Claim, crib_claims, crib_points, hand_claims, hand_points
from cribpi.core.sight import sight_of
from cribpi.core.state import Phase, State
from cribpi.opponents.opponent import Opponent


def game(
    opponents: Sequence[Opponent], rules: Rules, pack: Callable[[int], Sequence[Card]], *, dealer: int = 0
) -> Iterator[tuple[Event, State]]:
    """Play a game to its end, and yield each event with the state after it.

    *pack* returns the shuffled pack of a deal, counted from 1; *dealer* is the seat that deals first.
    """
    names = tuple(f"SEAT {seat}" for seat in range(rules.players))
    event: Event = GameStarted(names, rules, dealer=dealer)
    state = step(NEW_TABLE, event)
    yield event, state
    yield from play_on(state, opponents, pack)


def play_on(
    state: State, opponents: Sequence[Opponent], pack: Callable[[int], Sequence[Card]]
) -> Iterator[tuple[Event, State]]:
    """Play on from *state*, in which no card of the deal has been dealt yet, as `game` does."""
    number, cards = 0, pack(1)
    while state.winner is None:
        if state.deal is not None and state.deal.number != number:
            number = state.deal.number
            cards = pack(number)
        event = next_event(state, opponents, cards)
        state = step(state, event)
        yield event, state


def next_event(state: State, opponents: Sequence[Opponent], pack: Sequence[Card]) -> Event:
    """Return the next event in *state*, with *pack* dealt from the top and *opponents* deciding.

    Cards are dealt in turn from the dealer's left; with three players the next card goes to the crib; the
    card after that is the starter.  An opponent is asked only if it has a choice.

    Raises:
        WrongPhase: If no deal is on.
    """
    deal = state.deal
    if deal is None or state.winner is not None:
        raise WrongPhase("no deal is on: start a game, with a dealer")
    if state.phase is Phase.PLAY:
        return _play(state, deal, opponents)
    if state.phase is Phase.DEAL:
        return _deal(state, deal, opponents, pack)
    if state.phase is Phase.STARTER:
        return StarterTurned(_starter_of(state.rules, pack))
    if state.phase is Phase.SHOW:
        return _show(state, deal)
    return _show_crib(state, deal, pack)


def _deal(state: State, deal: Deal, opponents: Sequence[Opponent], pack: Sequence[Card]) -> Event:
    for place, seat in enumerate(deal.show_order):
        if not deal.dealt[seat]:
            players = state.players
            return HandDealt(seat, tuple(pack[place : seats.cards_dealt(players) * players : players]))
    seat = next(seat for seat in deal.show_order if not deal.discards[seat])
    return CardsLaidAway(seat, opponents[seat].discard(sight_of(state, seat)))


def crib_cards(rules: Rules, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return what *pack* itself gives the crib: with three players the card after the hands, else nothing."""
    dealt = seats.cards_dealt(rules.players) * rules.players
    return tuple(pack[dealt : dealt + (rules.deal == "five-and-pack")])


def _starter_of(rules: Rules, pack: Sequence[Card]) -> Card:
    return pack[seats.cards_dealt(rules.players) * rules.players + len(crib_cards(rules, pack))]


def _play(state: State, deal: Deal, opponents: Sequence[Opponent]) -> Event:
    if deal.heels_open:
        return HeelsTaken()
    if deal.turn is None:
        raise WrongPhase("nobody is to play")
    sight = sight_of(state, deal.turn)
    playable = sight.playable
    if not playable:
        return GoSaid(deal.turn)
    if len(playable) == 1:
        return CardPlayed(deal.turn, playable[0])
    return CardPlayed(deal.turn, opponents[deal.turn].play(sight))


def _show(state: State, deal: Deal) -> Event:
    seat = deal.shower
    hand = deal.hand(seat)
    if len(hand) < seats.HAND:  # the play ended early
        return HandCardTurned(seat, (deal.may_hold(seat) or ())[0])
    starter = _starter(deal)
    return HandShown(seat, _only(hand_claims(hand, starter)), _counted(state, hand_points, hand, starter))


def _show_crib(state: State, deal: Deal, pack: Sequence[Card]) -> Event:
    crib = deal.crib
    if len(crib) < seats.HAND:
        return CribCardTurned(crib_cards(state.rules, pack)[0])
    is_strict = state.rules.crib_flush == "five"
    claims, points = (crib_claims, crib_points) if is_strict else (hand_claims, hand_points)
    starter = _starter(deal)
    return CribShown(_only(claims(crib, starter)), _counted(state, points, crib, starter))


def _starter(deal: Deal) -> Card:
    if deal.starter is None:
        raise WrongPhase("no starter is turned")
    return deal.starter


def _only(claims: Sequence[Claim]) -> Claim:
    """Return the one claim possible for cards with suits."""
    (claim,) = claims
    return claim


def _counted(
    state: State, points: Callable[[Sequence[Card], Card], int], cards: Sequence[Card], starter: Card
) -> int | None:
    """Return the player's own count where the rules leave it to players: the machine misses nothing."""
    return None if state.rules.miscount == "machine" else points(cards, starter)
