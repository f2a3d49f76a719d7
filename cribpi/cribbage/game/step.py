"""The rules as one function: a state and an event give the next state, or a reason why not.

Whatever follows from an event by rule happens in the same step: thirty-one and the last card close a count, a
seat without cards is skipped, his heels are pegged, and the first side to reach the target wins, wherever
that is.  Nothing after it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final

from cribpi.cribbage.game import events, phases
from cribpi.cribbage.game.events import Event, GameStarted
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.steps import corrections, deal, play, points, show
from cribpi.cribbage.game.steps.common import check_places
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase

NEW_TABLE = State()
"""A table at which no game has begun."""


_STEPS: Final[Mapping[type[Event], Callable[[State, Any], State]]] = {
    events.GameStarted: deal.start_game,
    events.SeatsNamed: deal.name_seats,
    events.CardCut: deal.cut,
    events.DealerChosen: deal.choose_dealer,
    events.PackShuffled: deal.deal_pack,
    events.HandDealt: deal.deal_hand,
    events.Discarded: deal.discard,
    events.StarterTurned: deal.turn_starter,
    events.HeelsTaken: deal.take_heels,
    events.CardPlayed: play.play_card,
    events.GoSaid: play.say_go,
    events.NewCountLed: play.lead_new_count,
    events.HandCardTurned: show.turn_hand_card,
    events.HandShown: show.show_hand,
    events.CribCardTurned: show.turn_crib_card,
    events.CribShown: show.show_crib,
    events.PointsPegged: points.peg,
    events.HandCounted: points.count_hand,
    events.StepPassed: points.pass_step,
    events.PenaltyPegged: corrections.penalize,
    events.ScorePutRight: corrections.put_score_right,
    events.Misdealt: corrections.redeal,
    events.MugginsCalled: corrections.call_muggins,
    events.RenegeRuled: corrections.rule_on_renege,
    events.FalseWinRuled: corrections.rule_on_false_win,
}
"""What each event does once the table of phases has let it in."""


def step(state: State, event: Event) -> State:
    """Return the state after *event*.

    Raises:
        RuleError: If *event* is illegal in *state*; the message says what would be legal.
    """
    phases.check(state, event)
    check_places(state, event)
    return _STEPS[type(event)](state, event)


def fold(happened: Iterable[Event], state: State = NEW_TABLE) -> State:
    """Return the state after all events that *happened*, in order.

    Raises:
        RuleError: At the first illegal one.
    """
    return reduce(step, happened, state)


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
    tally = () if state.phase is Phase.MATCH_OVER else state.tally_now
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
