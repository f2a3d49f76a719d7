"""The state as JSON for the page and the commands, and what happened lately, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.events import Entry, Event, StepPassed
from cribpi.core.scores import Score
from cribpi.core.state import Outcome, Phase, State, side_name
from cribpi.core.tell import call, tell
from cribpi.entry.desk import Desk, Question, Undone
from cribpi.entry.menus import leader
from cribpi.views.prompts import OVER_31, phase_of, prompt

LOG_LINES: Final = 12
"""How many lines of what happened the page shows."""


def state_json(state: State, desk: Desk, seq: int, *, may_undo: bool, may_redo: bool) -> dict[str, object]:
    """Return the state in the shape of the contract.  It holds no card that the table can't see."""
    deal, last = state.deal, state.last
    return {
        "seq": seq,
        "phase": phase_of(state, desk),
        "rules": state.rules.name,
        "target": state.rules.target,
        "entry": str(state.entry),
        "seats": [
            {"name": name, "side": state.side(seat), "cards_left": _cards_left(state, seat)}
            for seat, name in enumerate(state.names)
        ],
        "sides": [
            {
                "name": side_name(state, side),
                "front": pegs.front,
                "back": pegs.back,
                "games": state.games[side],
            }
            for side, pegs in enumerate(state.pegs)
        ],
        "dealer": deal.dealer if deal else None,
        "turn": deal.turn if deal else None,
        "starter": str(deal.starter) if deal and deal.starter else None,
        "count": deal.count if deal else 0,
        "pile": cards_json(deal.pile) if deal else [],
        "last": _outcome_json(last) if last else None,
        "prompt": prompt(state, desk),
        "question": question(state, desk),
        "message": message(state, desk),
        "winner": state.winner,
        "can_undo": may_undo,
        "can_redo": may_redo,
    }


def question(state: State, desk: Desk) -> str | None:
    """Return the open question in full, or None."""
    deal = state.deal
    if not isinstance(desk.dialog, Question) or deal is None:
        return None
    pips = Card.parse(desk.dialog.card).rank.pips
    choice = OVER_31.format(
        leader=state.names[leader(state)], card=desk.dialog.card, turn=state.names[deal.turn or 0]
    )
    return f"{deal.count} and {pips} is {deal.count + pips}, past 31. {choice}"


def message(state: State, desk: Desk) -> str | None:
    """Return a remark on the last press, or on what the play has shown; None for most."""
    if isinstance(desk.dialog, Undone):
        return f"taken back: {desk.dialog.what}; {desk.dialog.left} more"
    if desk.message:
        return desk.message
    deal = state.deal
    if deal and state.phase is Phase.SHOW and deal.shown == 0 and deal.reneges():
        return "; ".join(
            f"{state.names[wrong.seat]} said go at {wrong.count}, but held the {wrong.card}"
            for wrong in deal.reneges()
        )
    return None


def shower(state: State) -> int | None:
    """Return the seat whose show it is, the dealer at the crib; None elsewhere."""
    return state.deal.shower if state.deal and state.phase in {Phase.SHOW, Phase.CRIB} else None


def log_json(line: Sequence[tuple[Event, State]]) -> list[dict[str, object]]:
    """Return the last few of *line*, an event and its state each, newest first, for people to read."""
    found: list[dict[str, object]] = []
    told = [(number, *moment) for number, moment in enumerate(line) if _is_told(*moment)]
    for number, event, state in reversed(told[-LOG_LINES:]):
        ours = [outcome for outcome in state.outcomes if outcome.event is event]
        last = next((outcome for outcome in reversed(ours) if outcome.points), ours[-1] if ours else None)
        found.append(
            {
                "seq": number,
                "side": last.side if last else None,
                "points": last.points if last else 0,
                "pegged": [{"side": one.side, "points": one.points} for one in ours if one.points],
                "text": tell(event, state),
                "scores": [score_json(score) for outcome in ours for score in outcome.scores],
            }
        )
    return found


def _is_told(event: Event, state: State) -> bool:
    """Tell whether an event is worth a line: a step of the deal that pegs nothing is not."""
    return not isinstance(event, StepPassed) or any(outcome.event is event for outcome in state.outcomes)


def score_json(score: Score) -> dict[str, object]:
    """Return one score in the shape of the contract."""
    return {"kind": str(score.kind), "points": score.points, "cards": cards_json(score.cards)}


def cards_json(cards: Sequence[Card]) -> list[str]:
    """Return *cards* as text."""
    return [str(card) for card in cards]


def _cards_left(state: State, seat: int) -> int:
    """Return how many cards *seat* holds, as far as a game kept by cards tells; 0 in one kept by points."""
    return state.deal.cards_left(seat) if state.deal and state.entry is Entry.CARDS else 0


def _outcome_json(outcome: Outcome) -> dict[str, object]:
    return {
        "side": outcome.side,
        "points": outcome.points,
        "call": call(outcome),
        "scores": [score_json(score) for score in outcome.scores],
    }
