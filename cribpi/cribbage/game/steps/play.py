"""The play with cards: turns, go, and the end of a count."""

from __future__ import annotations

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal, Go
from cribpi.cribbage.game.events import CardPlayed, GoSaid, NewCountLed
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.play import LIMIT, score_play
from cribpi.cribbage.game.replace import replace
from cribpi.cribbage.game.show import Kind, Score, total
from cribpi.cribbage.game.state import Outcome, Phase, State, the_deal
from cribpi.cribbage.game.steps.common import award, check_seen, expose_rest, put, with_suit
from cribpi.cribbage.rules.errors import MustPlay, TooHigh, WrongPhase, WrongSeat
from cribpi.cribbage.rules.grammar import does, plays_or_goes, whose, whose_turn, within


def say_go(state: State, event: GoSaid) -> State:
    """Put a seat out of this count. If it was the last seat, the count ends, and the last to play pegs 1.

    If the rules award the go at the call, the last to play already pegs when the first seat says go.
    """
    deal, scores = _go(state, _in_turn(state, event.seat), event.seat)
    turn = deal.next_to_play(event.seat, state.rules.after_go)
    if turn is None:
        scores, after = scores or _last_point(state, deal), _close(state, deal)
    else:
        after = replace(state, deal=replace(deal, turn=turn))
    pegs = state.side(deal.order[-1] if scores or turn is None else event.seat)
    return award(after, Outcome(event, pegs, deal.number, Purpose.PEGGING, total(scores), scores, deal.count))


def lead_new_count(state: State, event: NewCountLed) -> State:
    """End the count, with a go for each seat still in it, and lead a card to the next count.

    If the computer deals, each seat must say go itself: otherwise a player would learn whether others can
    play.
    """
    deal = the_deal(state)
    if event.card.rank.pips <= deal.room:
        raise WrongPhase(f"{event.card} fits the count of {deal.count}: play it, it starts no new count")
    if state.rules.play_rounds == "one":
        raise TooHigh(
            f"{deal.count} + {event.card.rank.pips} is over 31, and these rules have no new count: "
            + plays_or_goes(state.names[deal.turn or 0], deal.room),
            "play_rounds",
        )
    seat = deal.turn
    scores: tuple[Score, ...] = ()
    while seat is not None:
        deal, called = _go(state, deal, seat)
        scores = scores or called
        seat = deal.next_to_play(seat, state.rules.after_go)
    scores = scores or _last_point(state, deal)
    last = state.side(deal.order[-1])
    closing = Outcome(event, last, deal.number, Purpose.PEGGING, total(scores), scores, deal.count)
    state = _close(state, deal)
    leads = the_deal(state).turn
    if event.seat != leads:
        said = does(state.names[leads or 0], "leads")
        raise WrongSeat(f"{said} the new count, not {within(state.names[event.seat])}", "lead_after_close")
    state = award(state, closing)
    if state.winner is not None:
        return state
    led = play_card(state, event)
    return replace(led, outcomes=(closing, *led.outcomes))


def _in_turn(state: State, seat: int) -> Deal:
    """Return the deal. Raise `WrongSeat` if *seat* does not play next.

    A seat without cards, or one that said go, never has the turn: it is skipped without an event.
    """
    deal = the_deal(state)
    if seat == deal.turn or deal.turn is None:
        return deal
    name, turn = state.names[seat], state.names[deal.turn]
    if not deal.cards_left(seat):
        raise WrongSeat(f"{does(name, 'has')} no cards left; it is {whose(within(turn))} turn", "passed")
    if seat in deal.out:
        said = does(name, "has said go in this count")
        raise WrongSeat(f"{said}; it is {whose(within(turn))} turn", "must-play")
    raise WrongSeat(whose_turn("turn", turn, name))


def check_card(state: State, event: CardPlayed | NewCountLed) -> Card:
    """Return the card of *event*, with its suit if known.

    Raises:
        RuleError: If the seat does not have the turn or the card, the card can't come from the pack, or it
            would pass thirty-one.
    """
    deal, seat = _in_turn(state, event.seat), event.seat
    card = with_suit(state, seat, event.card)
    if card.rank.pips > deal.room:
        raise TooHigh(
            f"{deal.count} + {card.rank.pips} = {deal.count + card.rank.pips}, over 31: "
            + plays_or_goes(state.names[seat], deal.room)
        )
    check_seen(deal, seat, card)
    return card


def play_card(state: State, event: CardPlayed | NewCountLed) -> State:
    deal, seat = the_deal(state), event.seat
    card = check_card(state, event)
    deal = replace(
        deal,
        played=put(deal.played, seat, (*deal.played[seat], card)),
        pile=(*deal.pile, card),
        order=(*deal.order, seat),
        turn=deal.next_to_play(seat),
        heels_open=deal.heels_open and seat != deal.dealer,
        heels_lost=deal.heels_lost or (deal.heels_open and seat == deal.dealer),
    )
    if deal.turn == seat and not deal.cards_left(seat):  # the only seat left in the count has no more cards
        deal = replace(deal, turn=None)
    scores, count = score_play(deal.pile), deal.count
    is_over_own = len(deal.pile) > 1 and deal.order[-2] == seat
    if is_over_own and state.rules.self_combinations == "over-another":
        scores = tuple(score for score in scores if score.kind is not Kind.PAIR)
    if deal.go_taken_by == seat:  # with the go already pegged, thirty-one scores only one more
        scores = tuple(old._replace(points=1) if old.kind is Kind.THIRTY_ONE else old for old in scores)
    # Thirty-one scores two, without one more for the last card (board-set).
    if count != LIMIT and deal.turn is None:
        scores = (*scores, *_last_point(state, deal))
    outcome = Outcome(event, state.side(seat), deal.number, Purpose.PEGGING, total(scores), scores, count)
    if count == LIMIT or deal.turn is None:
        return award(_close(state, deal), outcome)
    return award(state, outcome, deal=deal)


def _go(state: State, deal: Deal, seat: int) -> tuple[Deal, tuple[Score, ...]]:
    """Put *seat* out of the count. Return also the score for the go, if the rules award it at the call.

    Raises:
        MustPlay: If *seat* can play, and must therefore not say go.
    """
    name = state.names[seat]
    if deal.room >= 10:
        raise MustPlay(f"{name} can't say go: at a count of {deal.count} every card fits; play one")
    if deal.must_hold_playable(seat):
        raise MustPlay(f"{name} can't say go with a card of {deal.room} or less in hand; play it")
    go = Go(seat, deal.count, len(deal.played[seat]))
    is_first = not deal.out
    deal = replace(deal, out=(*deal.out, seat), goes=(*deal.goes, go))
    if state.rules.go_award == "close" or not is_first:
        return deal, ()
    return replace(deal, go_taken_by=deal.last_to_play), (Score(Kind.GO, 1, deal.pile[-1:]),)


def _last_point(state: State, deal: Deal) -> tuple[Score, ...]:
    """Return the score for ending a count below thirty-one: the last card of the deal, or a go."""
    if not any(deal.cards_left(seat) for seat in range(len(deal.played))):
        points = state.rules.last_card
        return (Score(Kind.LAST, points, deal.pile[-1:]),) if points else ()
    return () if deal.go_taken_by is not None else (Score(Kind.GO, 1, deal.pile[-1:]),)


def _close(state: State, deal: Deal) -> State:
    """End this count: turn its cards face down. Then pass the lead, or end the play."""
    is_over = state.rules.play_rounds == "one"
    turn = None if is_over else deal.next_to_lead(state.rules.lead_after_close)
    deal = replace(
        deal,
        pile=(),
        closed=(*deal.closed, len(deal.pile)),
        out=(),
        turn=turn,
        go_taken_by=None,
        heels_open=deal.heels_open and not is_over,
    )
    return expose_rest(replace(state, deal=deal, phase=Phase.PLAY if turn is not None else Phase.SHOW))
