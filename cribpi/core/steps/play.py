"""The play of a game kept by cards: whose turn, what fits, go, and when a count closes."""

from __future__ import annotations

from dataclasses import replace

from cribpi.core.cards import Card, check_possible
from cribpi.core.errors import MustPlay, TooHigh, WrongPhase, WrongSeat
from cribpi.core.events import CardPlayed, GoSaid, NewCountLed
from cribpi.core.play import LIMIT, score_play
from cribpi.core.scores import Kind, Score, total
from cribpi.core.state import Deal, Go, Outcome, Phase, State
from cribpi.core.steps.common import award, by_cards, check_seat, put, take


def play_card(state: State, event: CardPlayed) -> State:
    """Play a card for the seat whose turn it is."""
    return _play(state, _in_turn(state, event.seat), event.seat, event)


def say_go(state: State, event: GoSaid) -> State:
    """Put a seat out of this count; when nobody can go on, the last to play pegs 1 (all five sheets)."""
    deal, seat = _in_turn(state, event.seat), event.seat
    _check_may_go(state, deal, seat)
    deal = _go(deal, seat)
    turn = deal.next_to_play(seat)
    if turn is not None:
        return award(
            replace(state, deal=replace(deal, turn=turn)), Outcome(event, state.side(seat), count=deal.count)
        )
    score = _one_for_the_close(deal)
    outcome = Outcome(event, _last_side(state, deal), 1, (score,), deal.count)
    return award(replace(state, deal=_close(deal)), outcome)


def lead_new_count(state: State, event: NewCountLed) -> State:
    """Let all who could still play say go, close the count, and lead a card to the next."""
    deal = by_cards(state, "a new count", Phase.PLAY)
    check_seat(state, event.seat)
    if event.card.rank.pips <= deal.room:
        raise WrongPhase(f"{event.card} fits the count of {deal.count}: it is played, and leads no new count")
    seat = deal.turn
    while seat is not None:
        _check_may_go(state, deal, seat)
        deal = _go(deal, seat)
        seat = deal.next_to_play(seat)
    closing = Outcome(event, _last_side(state, deal), 1, (_one_for_the_close(deal),), deal.count)
    deal = _close(deal)
    if event.seat != deal.turn:
        leader = "nobody" if deal.turn is None else state.names[deal.turn]
        raise WrongSeat(f"{leader} leads the new count, not {state.names[event.seat]}")
    state = award(replace(state, deal=deal), closing)
    if state.winner is not None:
        return state
    led = _play(state, deal, event.seat, event)
    return replace(led, outcomes=(closing, *led.outcomes))


def _in_turn(state: State, seat: int) -> Deal:
    """Return the deal, if it is *seat* that plays next."""
    deal = by_cards(state, "a card or go", Phase.PLAY)
    check_seat(state, seat)
    if seat == deal.turn or deal.turn is None:
        return deal
    turn = state.names[deal.turn]
    if not deal.cards_left(seat):
        raise WrongSeat(f"{state.names[seat]} has no cards left; it is {turn}'s turn")
    if seat in deal.out:
        raise WrongSeat(f"{state.names[seat]} has said go in this count; it is {turn}'s turn")
    raise WrongSeat(f"it is {turn}'s turn, not {state.names[seat]}'s")


def _play(state: State, deal: Deal, seat: int, event: CardPlayed | NewCountLed) -> State:
    card = _known(state, deal, seat, event.card)
    if card.rank.pips > deal.room:
        raise TooHigh(
            f"count {deal.count} and {card.rank.pips} is {deal.count + card.rank.pips}, past 31: "
            f"{state.names[seat]} plays {deal.room} or less, or says go"
        )
    played = put(deal.played, seat, (*deal.played[seat], card))
    deal = replace(deal, played=played, pile=(*deal.pile, card), last_to_play=seat)
    check_possible(deal.seen)
    scores, count, turn = score_play(deal.pile), deal.count, deal.next_to_play(seat)
    if count == LIMIT:  # two, and never also one for last (board-set)
        deal = _close(deal)
    elif turn is None:
        scores = (*scores, _one_for_the_close(deal))
        deal = _close(deal)
    else:
        deal = replace(deal, turn=turn)
    state = replace(state, deal=deal, phase=Phase.SHOW if deal.turn is None else Phase.PLAY)
    return award(state, Outcome(event, state.side(seat), total(scores), scores, count))


def _known(state: State, deal: Deal, seat: int, card: Card) -> Card:
    """Return *card* with its suit, where the hand tells it."""
    rest = deal.may_hold(seat)
    if rest is None:
        return card
    held = take(state, seat, card, rest)
    return held if held.suit else card


def _check_may_go(state: State, deal: Deal, seat: int) -> None:
    """Raise `MustPlay` if *seat* can play: a player who can may not say go."""
    name = state.names[seat]
    if deal.room >= 10:
        raise MustPlay(f"{name} can't say go: at a count of {deal.count} every card fits; play one")
    if deal.must_hold_playable(seat):
        raise MustPlay(f"{name} can't say go, but holds a card of {deal.room} or less; play it")


def _go(deal: Deal, seat: int) -> Deal:
    go = Go(seat, deal.count, len(deal.played[seat]))
    return replace(deal, out=(*deal.out, seat), goes=(*deal.goes, go))


def _last_side(state: State, deal: Deal) -> int:
    if deal.last_to_play is None:
        raise WrongPhase("no card has been played; play one")
    return state.side(deal.last_to_play)


def _one_for_the_close(deal: Deal) -> Score:
    """Return the 1 of a count that closes below thirty-one: for the last card of the deal, or for go."""
    is_last = not any(deal.cards_left(seat) for seat in range(len(deal.played)))
    return Score(Kind.LAST if is_last else Kind.GO, 1, deal.pile[-1:])


def _close(deal: Deal) -> Deal:
    """Turn down the cards of this count; the next to the left who holds cards leads."""
    return replace(deal, pile=(), out=(), turn=deal.next_to_lead())
