"""The rules as one function: a state and an event give the next state, or a `RuleError`.

The step of an event includes all its automatic consequences. Thirty-one and the last card end a count, a seat
without cards is skipped, and his heels are pegged. The first side to reach the target wins at once, in any
phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final

from cribpi.cribbage.game import events, phases
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.steps import corrections, deal, play, points, show
from cribpi.cribbage.rules.errors import RuleError

NEW_TABLE = State()


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

_CHECKS: Final[Mapping[type[Event], Any]] = {**_STEPS, events.CardPlayed: play.check_card}
"""Functions that raise if an event is illegal: usually its step, but for a card the faster `check_card`."""


def step(state: State, event: Event) -> State:
    """Return the state after *event*.

    Raises:
        RuleError: If *event* is illegal in *state*. The message names a legal alternative.
    """
    phases.check(state, event)
    return _STEPS[type(event)](state, event)


def is_legal(state: State, event: Event) -> bool:
    """Return whether `step` accepts *event*."""
    try:
        phases.check(state, event)
        _CHECKS[type(event)](state, event)
    except RuleError:
        return False
    return True


def fold(happened: Iterable[Event], state: State = NEW_TABLE) -> State:
    """Return the state after all events, in order.

    Raises:
        RuleError: At the first illegal event.
    """
    return reduce(step, happened, state)
