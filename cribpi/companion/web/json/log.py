"""What happened lately, move by move: as text, as the voice says it, and as a screen reader announces it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from typing import Final

from cribpi.companion.views.speech import said, sound, spoken
from cribpi.companion.web.json.state import scores_json
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Event, StepPassed
from cribpi.cribbage.game.state import Outcome, State, side_name
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.words.tell import call, tell
from cribpi.cribbage.words.why import automatic, reasons_of_outcome

LOG_LINES: Final = 12
"""How many lines of what happened the page shows."""


def log_json(line: Sequence[tuple[Event, State]], lines: int | None = LOG_LINES) -> list[dict[str, object]]:
    """Return the last *lines* of *line*, an event and its state each, newest first; all of it with None.

    A step of the deal that pegs nothing is not worth a line.
    """
    befores = (NEW_TABLE, *(state for _, state in line))
    told = [
        (number, befores[number], event, after)
        for number, (event, after) in enumerate(line)
        if not isinstance(event, StepPassed) or after.outcomes_of(event)
    ]
    return [_moment_json(*moment) for moment in reversed(told[-lines:] if lines else told)]


def _moment_json(number: int, before: State, event: Event, after: State) -> dict[str, object]:
    """Return what *event*, the one with that *number*, has led to."""
    ours = after.outcomes_of(event)
    pegged = pegged_json(event, after)
    last = next(reversed(pegged), {"side": ours[-1].side if ours else None, "points": 0})
    whys = chain.from_iterable(reasons_of_outcome(outcome, after.rules) for outcome in ours)
    return {
        "seq": number,
        "deal": after.deal_of(event) or None,
        **last,
        "pegged": pegged,
        "text": tell(event, after),
        "announced": announced(event, after),
        "said": said(before, event, after),
        "sound": sound(before, event, after),
        "scores": list(chain.from_iterable(scores_json(outcome, after.rules) for outcome in ours)),
        "why": list(map(asdict, dict.fromkeys((*whys, *automatic(before, event, after))))),
    }


def pegged_json(event: Event, after: State) -> list[dict[str, object]]:
    """Return what *event* has pegged, side by side."""
    return [{"side": one.side, "points": one.points} for one in after.outcomes_of(event) if one.points]


def announced(event: Event, after: State) -> str:
    """Return *event* as a screen reader says it: whole sentences, its cards in words and not in signs."""
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
