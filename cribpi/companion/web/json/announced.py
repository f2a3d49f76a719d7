"""A move as a screen reader announces it: who, which card, what the player calls, and the score now."""

from __future__ import annotations

from collections.abc import Sequence

from cribpi.companion.views.speech import spoken
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.state import Outcome, State, side_name
from cribpi.cribbage.words.tell import call, tell


def announced(event: Event, after: State) -> str:
    """Return *event* as whole sentences, its cards in words and not in signs."""
    ours = after.outcomes_of(event)
    scores = [f"{side_name(after, one.side)} has {after.pegs[one.side].front}" for one in ours if one.points]
    told = _told(event, ours, after)
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in (told, *dict.fromkeys(scores)))


def _told(event: Event, ours: Sequence[Outcome], after: State) -> str:
    match event:
        case events.CardPlayed(seat, card):
            return _played(after.names[seat], card, ours[0])
        case events.NewCountLed(seat, card) if len(ours) > 1 or not ours[0].points:
            go = f", one for {side_name(after, ours[0].side)}" if ours[0].points else ""
            return f"all say go{go}; {_played(after.names[seat], card, ours[-1])}"
        case events.StarterTurned(card):
            heels = f", {call(ours[0])} for {side_name(after, ours[0].side)}" if ours else ""
            return f"the starter is {spoken(card)}{heels}"
        case _:
            return tell(event, after, spoken)


def _played(name: str, card: Card, outcome: Outcome) -> str:
    return f"{name} plays {spoken(card)}: {call(outcome)}"
