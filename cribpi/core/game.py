"""The rules as one function: a state and an event give the next state, or a reason why not.

Whatever follows from an event by rule happens in the same step: thirty-one and the last card close a count, a
seat without cards is skipped, his heels are pegged, and the first side to reach the target wins, wherever
that is.  Nothing after it counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import assert_never

from cribpi.core import phases, seats
from cribpi.core.errors import WrongPhase
from cribpi.core.events import (
    CardCut,
    CardPlayed,
    CardsLaidAway,
    CribCardTurned,
    CribShown,
    DealerChosen,
    Event,
    FalseWinRuled,
    GameStarted,
    GoSaid,
    HandCardTurned,
    HandCounted,
    HandDealt,
    HandShown,
    HeelsTaken,
    Misdealt,
    MugginsCalled,
    NewCountLed,
    PackShuffled,
    PenaltyPegged,
    PointsPegged,
    RenegeRuled,
    ScorePutRight,
    SeatsNamed,
    StarterTurned,
    StepPassed,
)
from cribpi.core.state import Phase, State
from cribpi.core.steps import corrections, deal, play, points, show

NEW_TABLE = State()
"""A table at which no game has begun."""


def step(state: State, event: Event) -> State:
    """Return the state after *event*.

    Raises:
        RuleError: If *event* is illegal in *state*; the message says what would be legal.
    """
    phases.check(state, event)
    match event:
        case GameStarted():
            return deal.start_game(event)
        case SeatsNamed():
            return deal.name_seats(state, event)
        case CardCut():
            return deal.cut(state, event)
        case DealerChosen():
            return deal.choose_dealer(state, event)
        case PackShuffled():
            return deal.deal_pack(state, event)
        case HandDealt():
            return deal.deal_hand(state, event)
        case CardsLaidAway():
            return deal.discard(state, event)
        case StarterTurned():
            return deal.turn_starter(state, event)
        case HeelsTaken():
            return deal.take_heels(state, event)
        case CardPlayed():
            return play.play_card(state, event)
        case GoSaid():
            return play.say_go(state, event)
        case NewCountLed():
            return play.lead_new_count(state, event)
        case HandCardTurned():
            return show.turn_hand_card(state, event)
        case HandShown():
            return show.show_hand(state, event)
        case CribCardTurned():
            return show.turn_crib_card(state, event)
        case CribShown():
            return show.show_crib(state, event)
        case PointsPegged():
            return points.peg(state, event)
        case HandCounted():
            return points.count_hand(state, event)
        case StepPassed():
            return points.pass_step(state, event)
        case PenaltyPegged():
            return corrections.penalize(state, event)
        case ScorePutRight():
            return corrections.put_score_right(state, event)
        case Misdealt():
            return corrections.redeal(state, event)
        case MugginsCalled():
            return corrections.call_muggins(state, event)
        case RenegeRuled():
            return corrections.rule_on_renege(state, event)
        case FalseWinRuled():
            return corrections.rule_on_false_win(state, event)
        case _:
            assert_never(event)


def fold(events: Iterable[Event], state: State = NEW_TABLE) -> State:
    """Return the state after all *events*, in order.

    Raises:
        RuleError: At the first illegal one.
    """
    return reduce(step, events, state)


def next_game(state: State) -> GameStarted:
    """Return the game after this one: the same seats and rules; a decided match is followed by a new one.

    The option `next_first_dealer` says who deals: "At the start of each new game, the loser of the previous
    game deals" (lowe).  With three players the loser is the one with the lowest score; of two with the same,
    the first to the winner's left.

    Raises:
        WrongPhase: If this game is not over.
    """
    winner = state.winner
    if winner is None:
        raise WrongPhase("this game is not over: play it to the end, or start a new one from the menu")
    tally = () if state.phase is Phase.MATCH_OVER else state.standing
    dealer = _next_first_dealer(state, winner)
    return GameStarted(state.names, state.rules, state.entry, dealer, tally, state.levels)


def _next_first_dealer(state: State, winner: int) -> int | None:
    match state.rules.next_first_dealer:
        case "winner":
            return winner
        case "alternate":
            first = state.first_dealer
            return None if first is None else seats.left_of(first, state.players)
        case "cut":
            return None
        case "loser":
            losers = [seat for seat in seats.around(winner, state.players) if state.side(seat) != winner]
            return min(losers, key=lambda seat: state.pegs[state.side(seat)].front)
