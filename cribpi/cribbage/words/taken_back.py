"""What an undo has taken back, as somebody at the table would say it."""

from __future__ import annotations

from typing import assert_never

from cribpi.cribbage.game import events
from cribpi.cribbage.game.state import State, side_name
from cribpi.cribbage.rules.names import YOU, whose, within
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.tell import for_his_heels


def taken_back(event: events.Event, after: State) -> str:
    """Say that *event*, which led to the state *after* it, is taken back, and by whom if somebody did it."""
    match event:
        case events.Discarded(seat):
            return _by(after.names[seat], "discard", is_own=True)
        case events.GoSaid(seat):
            return _by(after.names[seat], "go", is_own=True)
        case events.CardCut(seat):
            return _by(after.names[seat], "cut", is_own=True)
        case (
            events.CardPlayed(seat, card) | events.NewCountLed(seat, card) | events.HandCardTurned(seat, card)
        ):
            return _by(after.names[seat], f"the {card}")
        case events.HeelsTaken():
            return _by(side_name(after, after.outcomes_of(event)[0].side), for_his_heels(after.rules))
        case events.PointsPegged(side, points):
            return _by(side_name(after, side), f"{number(points)} point{'s' * (points != 1)}")
        case events.MugginsCalled(side):
            return _by(side_name(after, side), "muggins")
        case events.HandShown(seat) | events.HandCounted(seat):
            what = f"count of {whose(within(after.names[seat]))} hand"
        case events.CribShown():
            dealer = side_name(after, after.outcomes_of(event)[0].side)
            what = f"count of {whose(within(dealer))} crib"
        case events.CribCardTurned(card):
            what = f"{card} in the crib"
        case events.StepPassed():
            what = f"step to the {after.phase}"
        case events.GameStarted():
            what = "new game"
        case events.SeatsNamed():
            what = "change of names"
        case events.DealerChosen():
            what = "choice of the dealer"
        case events.PackShuffled() | events.HandDealt():
            what = "deal"
        case events.StarterTurned():
            what = "starter"
        case events.PenaltyPegged():
            what = "penalty"
        case events.ScorePutRight():
            what = "correction"
        case events.Misdealt():
            what = "misdeal"
        case events.RenegeRuled() | events.FalseWinRuled():
            what = "ruling"
        case _:
            assert_never(event)
    return f"The {what} is taken back"


def _by(who: str, what: str, *, is_own: bool = False) -> str:
    its = "your " if who == YOU else "the "
    return f"{who} took back {its * is_own}{what}"
