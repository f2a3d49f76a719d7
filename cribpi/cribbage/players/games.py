"""Games between computer players: chooses the next event in each state; the game rules do the scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import (
    CardPlayed,
    CribCardTurned,
    CribShown,
    Discarded,
    Event,
    GameStarted,
    GoSaid,
    HandCardTurned,
    HandDealt,
    HandShown,
    HeelsTaken,
    StarterTurned,
)
from cribpi.cribbage.game.show import SuitClaim, possible_claims
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.opponent import Opponent
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.worth import points_of


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
    """Play on to the end of the game from *state*, before any card of a deal; for *pack* see `game`."""
    number, cards = 0, pack(1)
    while state.winner is None:
        if state.deal is not None and state.deal.number != number:
            number = state.deal.number
            cards = pack(number)
        event = next_event(state, opponents, cards)
        state = step(state, event)
        yield event, state


def next_event(state: State, opponents: Sequence[Opponent], pack: Sequence[Card]) -> Event:
    """Return the next event in *state*, dealing from the top of *pack* and asking *opponents* to decide.

    Cards are dealt one at a time, starting at the dealer's left.  With three players the next card goes to
    the crib.  The card after that is the starter.  An opponent is called only if it has a choice.

    Raises:
        WrongPhase: If no deal has begun.
    """
    deal, rules = state.deal, state.rules
    if deal is None or state.winner is not None:
        raise WrongPhase("no deal has begun: start a game and choose the dealer")
    if state.phase is Phase.DEAL:
        for place, seat in enumerate(deal.show_order):
            if not deal.dealt[seat]:
                return HandDealt(seat, tuple(pack[place : _dealt(rules) : rules.players]))
        seat = next(seat for seat in deal.show_order if not deal.discards[seat])
        return Discarded(seat, opponents[seat].discard(sight_of(state, seat)))
    if state.phase is Phase.PLAY:
        return _play(state, deal, opponents)
    starter = pack[_dealt(rules) + rules.sizes.from_pack]
    if state.phase is Phase.STARTER:
        return StarterTurned(starter)
    if state.phase is not Phase.SHOW:
        if len(deal.crib) < seats.HAND:
            return CribCardTurned(crib_cards(rules, pack)[0])
        return CribShown(*_counted(rules, deal.crib, starter, is_strict=rules.crib_flush == "five"))
    hand = deal.hand(deal.shower)
    if len(hand) < rules.sizes.hand:  # the play ended early, and some cards were never seen
        return HandCardTurned(deal.shower, (deal.possible_cards(deal.shower) or ())[0])
    return HandShown(deal.shower, *_counted(rules, hand, starter, is_strict=False))


def _dealt(rules: Rules) -> int:
    return rules.sizes.dealt * rules.players


def crib_cards(rules: Rules, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards dealt from *pack* to the crib: one, after the hands, with three players; else ()."""
    dealt = _dealt(rules)
    return tuple(pack[dealt : dealt + rules.sizes.from_pack])


def _play(state: State, deal: Deal, opponents: Sequence[Opponent]) -> Event:
    if deal.heels_open:
        return HeelsTaken()
    if deal.turn is None:
        raise WrongPhase("nobody is to play")
    sight = sight_of(state, deal.turn)
    playable = sight.playable
    if not playable:
        return GoSaid(deal.turn)
    return CardPlayed(deal.turn, playable[0] if len(playable) == 1 else opponents[deal.turn].play(sight))


def _counted(
    rules: Rules, cards: tuple[Card, ...], starter: Card, *, is_strict: bool
) -> tuple[SuitClaim, int | None]:
    """Return the claim for *cards*, of which their suits leave only one, and the player's own count.

    The count is None if the rules let the machine count.  Otherwise it is correct: computers never miscount.
    """
    (claim,) = possible_claims(cards, starter, is_strict=is_strict)
    return claim, None if rules.miscount == "machine" else points_of(cards, starter, is_strict=is_strict)
