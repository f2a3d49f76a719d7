"""The rules as one function: a state and an event give the next state, or a reason why not.

All that follows from an event by rule happens in the same step: thirty-one and the last card close
a count, a seat without cards is passed by, his heels are pegged, and the first side to reach the
target has won, wherever that is.  Nothing after it counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import assert_never

from cribpi.core import seats
from cribpi.core.errors import GameIsOver, ImpossiblePoints, WrongPhase
from cribpi.core.events import (
    CardCut,
    CardPlayed,
    CardsLaidAway,
    CribCardTurned,
    CribShown,
    DealerChosen,
    Event,
    GameStarted,
    GoSaid,
    HandCounted,
    HandDealt,
    HandShown,
    NewCountLed,
    PenaltyPegged,
    PointsPegged,
    ScorePutRight,
    SeatsNamed,
    StarterTurned,
    StepPassed,
)
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps import deal, play, points, show
from cribpi.core.steps.common import check_side, put_right

NEW_TABLE = State()
"""A table at which no game has begun."""


def step(state: State, event: Event) -> State:
    """Return the state after *event*.

    Raises:
        RuleError: If *event* is illegal in *state*; its text says what would be legal.
    """
    if isinstance(event, GameStarted):
        return deal.start_game(event)
    if state.phase is Phase.IDLE:
        raise WrongPhase("no game has begun: start a new game first")
    if isinstance(event, SeatsNamed):
        return deal.name_seats(state, event)
    if state.winner is not None:
        winner = side_name(state, state.winner)
        raise GameIsOver(f"the game is over, {winner} has won: start the next one, or undo")
    match event:
        case CardCut():
            return deal.cut(state, event)
        case DealerChosen():
            return deal.choose_dealer(state, event)
        case HandDealt():
            return deal.deal_hand(state, event)
        case CardsLaidAway():
            return deal.lay_away(state, event)
        case StarterTurned():
            return deal.turn_starter(state, event)
        case CardPlayed():
            return play.play_card(state, event)
        case GoSaid():
            return play.say_go(state, event)
        case NewCountLed():
            return play.lead_new_count(state, event)
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
            check_side(state, event.side)
            if abs(event.points) > state.rules.target:
                raise ImpossiblePoints(f"a penalty of {event.points}: {state.rules.target} is the whole game")
            return put_right(state, event, state.pegs[event.side].front + event.points)
        case ScorePutRight():
            check_side(state, event.side)
            if not 0 <= event.score <= state.rules.target:
                raise ImpossiblePoints(f"{event.score} is no hole: the board has 0 to {state.rules.target}")
            return put_right(state, event, event.score)
        case _:
            assert_never(event)


def fold(events: Iterable[Event], state: State = NEW_TABLE) -> State:
    """Return the state after all *events*, one after the other.

    Raises:
        RuleError: At the first that is illegal.
    """
    return reduce(step, events, state)


def next_game(state: State) -> GameStarted:
    """Return the game after this one: the same seats and rules, and the loser of this one deals.

    "At the start of each new game, the loser of the previous game deals" (lowe).  With three it is
    the lowest score; of two that are equal, the first to the winner's left.

    Raises:
        WrongPhase: If this game is not over.
    """
    winner = state.winner
    if winner is None:
        raise WrongPhase("this game is not over: play it to the end, or start a new one from the menu")
    losers = [seat for seat in seats.around(winner, state.players) if state.side(seat) != winner]
    dealer = min(losers, key=lambda seat: state.pegs[state.side(seat)].front)
    return GameStarted(state.names, state.rules, state.entry, dealer, state.games)
