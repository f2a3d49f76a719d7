"""What happened, in a line: what an event came to, as its player would call it, and who did what."""

from __future__ import annotations

from typing import assert_never

from cribpi.core import events
from cribpi.core.scores import Kind
from cribpi.core.state import Outcome, State, side_name
from cribpi.core.words import call_play, call_show, name, number


def call(outcome: Outcome) -> str:
    """Say what an event came to, as its player would."""
    match outcome.event:
        case events.CardPlayed() | events.NewCountLed():
            return call_play(outcome.scores, outcome.count)
        case events.GoSaid():
            return call_play(outcome.scores, outcome.count) if outcome.scores else "go"
        case events.StarterTurned():
            return name(outcome.scores[0])
        case events.HandShown() | events.CribShown() | events.HandCounted():
            return call_show(outcome.scores)
        case events.PointsPegged(_, points):
            if not outcome.scores:
                return number(points)
            heels = outcome.scores[0].kind is Kind.HEELS
            return name(outcome.scores[0]) if heels else call_play(outcome.scores, 0)
        case events.PenaltyPegged(_, points):
            return f"a penalty of {number(-points)}" if points < 0 else f"{number(points)} by a ruling"
        case events.ScorePutRight(_, score):
            return f"the score put right to {number(score)}"
        case _:
            return "nothing"


def tell(event: events.Event, after: State) -> str:
    """Tell in a line what *event* was, with *after* the state that it led to."""
    names = after.names
    ours = [outcome for outcome in after.outcomes if outcome.event is event]
    said = call(ours[-1]) if ours else ""
    match event:
        case events.GameStarted(_, rules):
            return f"a new game to {rules.target}: {', '.join(names)}"
        case events.SeatsNamed():
            return f"the seats are {', '.join(names)}"
        case events.CardCut(seat, card):
            return f"{names[seat]} cuts {card}{_who_deals(after)}"
        case events.DealerChosen(seat):
            return f"{names[seat]} deals first"
        case events.HandDealt(seat):
            return f"{names[seat]} takes up the hand"
        case events.CardsLaidAway(seat):
            return f"{names[seat]} lays away"
        case events.StarterTurned(card):
            return f"starter {card}" + (f": {said}, {side_name(after, ours[0].side)}" if said else "")
        case events.CardPlayed(seat, card):
            return f"{names[seat]} {card}: {said}"
        case events.GoSaid(seat):
            taken = f": one for {side_name(after, ours[0].side)}" if ours and ours[0].points else ""
            return f"{names[seat]} says go{taken}"
        case events.NewCountLed(seat, card):
            more = f", {said}" if ours and len(ours) > 1 and ours[-1].points else ""
            return f"all say go: one for {side_name(after, ours[0].side)}; {names[seat]} leads {card}{more}"
        case events.HandShown(seat) | events.HandCounted(seat):
            return f"{names[seat]} shows: {said}"
        case events.CribCardTurned(card):
            return f"in the crib: {card}"
        case events.CribShown():
            return f"{side_name(after, ours[0].side)}'s crib: {said}"
        case events.PointsPegged(side):
            return f"{side_name(after, side)} pegs {said}"
        case events.StepPassed():
            return f"{side_name(after, ours[0].side)} shows nothing" if ours else f"on to the {after.phase}"
        case events.PenaltyPegged(side) | events.ScorePutRight(side):
            return f"{side_name(after, side)}: {said}"
        case _:
            assert_never(event)


def _who_deals(after: State) -> str:
    if after.deal is not None:
        return f"; {after.names[after.deal.dealer]} deals"
    if all(after.cuts[seat] is None for seat in after.cutting):
        return f"; a tie, {' and '.join(after.names[seat] for seat in after.cutting)} cut again"
    return ""
