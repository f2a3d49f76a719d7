"""The state and what led to it as JSON for the page and the commands, and the table's answers to a press."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Final

from cribpi.companion.entry.desk import Desk, EndMatch, NewGame, Question
from cribpi.companion.entry.hands import SeatView
from cribpi.companion.entry.reply import WrongKey
from cribpi.companion.entry.view import TableView
from cribpi.companion.table.faults import Faults, sentence
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import See
from cribpi.companion.web.json.rules import set_up_refusal_json
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import StepPassed
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.state import Outcome, State
from cribpi.cribbage.rules.cite import cite
from cribpi.cribbage.rules.errors import BadSetup, RuleError
from cribpi.cribbage.rules.rules import Rules, house_changes
from cribpi.cribbage.words.log import GameLog, LogEntry
from cribpi.cribbage.words.tell import call
from cribpi.cribbage.words.why import reasons_of_outcome, scored
from cribpi.cribbage.words.worth import score_json

_STATE: Final = "page (state)"
"""What the state's JSON is called where it fails."""

OVERTAKEN: Final = {
    "person": "Somebody else pressed first: the game has changed, and your press did not count.",
    "machine": "The computer moved first: the game has changed, and your press did not count.",
}
"""The answer to a press that was meant for a state from which the table has gone on, by who moved it."""


def plain_json(
    view: TableView, seq: int, message: str | None, *, may_undo: bool, may_redo: bool
) -> dict[str, object]:
    """Return the state in the shape of the contract, with *message*, which may be a fault.

    It is for where a view fails, and holds the facts: scores, turn, count and cards on the table; what takes
    words or working out is left empty.
    """
    state, deal, sides = view.state, view.state.deal, view.state.sides
    return {
        "seq": seq,
        "phase": phase_of(state, view.desk),
        "rules": state.rules.name,
        "house": {},
        "target": state.rules.target,
        "entry": str(state.entry),
        "seats": [
            {"name": name, "side": seat % sides, "cards_left": 0, "level": None}
            for seat, name in enumerate(state.names)
        ],
        "sides": [one._asdict() | Tally()._asdict() for one in view.sides],
        "match": {"kind": state.rules.match, "winners": []},
        "dealer": deal.dealer if deal else None,
        "turn": deal.turn if deal and state.winner is None else None,
        "starter": str(deal.starter) if deal and deal.starter else None,
        "count": deal.count if deal else 0,
        "pile": cards_json(deal.pile) if deal else [],
        "last": None,
        "automatic": [],
        "prompt": "play on, or UNDO the last step",
        "question": None,
        "message": message,
        "winner": state.winner,
        "can_undo": may_undo,
        "can_redo": may_redo,
    }


def state_json(view: TableView, seq: int, *, may_undo: bool, may_redo: bool) -> dict[str, object]:
    """Return the state in the shape of the contract.  It holds no card that the table can't see."""
    state, desk, last = view.state, view.desk, view.state.last
    return plain_json(view, seq, view.remark, may_undo=may_undo, may_redo=may_redo) | {
        "house": house_changes(state.rules),
        "seats": [seat_json(one, cards_left=one.cards_left) for one in view.seats],
        "sides": [
            one._asdict() | won._asdict() for one, won in zip(view.sides, state.tally_now, strict=True)
        ],
        "match": {"kind": state.rules.match, "winners": list(state.match_winners)},
        "last": _outcome_json(last, state) if last else None,
        "automatic": [one.as_json() for one in view.automatic],
        "prompt": view.prompt,
        "question": view.prompt if isinstance(desk.dialog, Question) and state.deal is not None else None,
    }


def seat_json(one: SeatView, **more: object) -> dict[str, object]:
    """Return the JSON of a seat, with the fields of *more*."""
    return {"name": one.name, "side": one.side, **more, "level": one.level}


def phase_of(state: State, desk: Desk) -> str:
    """Return the phase as the page is told it: a core phase, or `new-game` while that menu is open."""
    return "new-game" if isinstance(desk.dialog, NewGame | EndMatch) else str(state.phase)


def _outcome_json(outcome: Outcome, state: State) -> dict[str, object]:
    return {
        "side": outcome.side,
        "points": outcome.points,
        "call": call(outcome),
        "scores": [score_json(*one) for one in scored(outcome, state.rules)],
        "claimed": outcome.counted_by_player,
        "why": [one.as_json() for one in reasons_of_outcome(outcome, state.rules)],
    }


def cards_json(cards: Iterable[Card]) -> list[str]:
    """Return *cards* as text."""
    return list(map(str, cards))


def refusal_json(refused: Exception, rules: Rules) -> dict[str, object]:
    """Return why a press was *refused*, with the rule that it rests on where it is one of the game."""
    found: dict[str, object] = {"error": str(refused)}
    if isinstance(refused, RuleError):
        found["why"] = cite(refused.rule, rules).as_json()
    if isinstance(refused, WrongKey):
        found["told"] = refused.told
    if isinstance(refused, BadSetup):
        found |= set_up_refusal_json(refused)
    return found


def shown_json(now: Snapshot, faults: Faults, see: See = lambda now: now) -> dict[str, object]:
    """Return the state, as somebody may *see* it, in the shape of the contract; any thread may ask.

    If a part fails it is plain: what all can see.
    """
    may = {"may_undo": now.may_undo, "may_redo": now.may_redo}

    def whole() -> dict[str, object]:
        seen = see(now)
        return state_json(seen.view, seen.seq, **may)

    def plain(error: Exception) -> dict[str, object]:
        return plain_json(now.view, now.seq, sentence(_STATE, error), **may)

    return faults.guarded(_STATE, now, whole, plain)


class JsonAnswers:
    """See `Answers`."""

    def accepted(self, now: Snapshot, see: See, faults: Faults) -> str:
        return json.dumps(shown_json(now, faults, see))

    def refused(self, error: Exception, now: Snapshot, faults: Faults) -> str:
        found = faults.guarded(
            "page (refusal)",
            now,
            lambda: refusal_json(error, now.state.rules),
            lambda _error: {"error": str(error)},
        )
        return json.dumps(found)

    def overtaken(self, by: str, now: Snapshot, see: See, faults: Faults) -> str:
        """Return why, and the state that there is now, so that the client need not ask for it."""
        return json.dumps({"error": OVERTAKEN[by], "by": by, "state": shown_json(now, faults, see)})


AS_JSON = JsonAnswers()
"""What the table is given to put its answers in the form that clients read."""


LOG_LINES: Final = 12
"""How many lines of what happened the page shows."""


def log_json(log: GameLog, lines: int | None = LOG_LINES) -> list[dict[str, object]]:
    """Return the last *lines* of *log*, newest first; all of it with None.

    A step of the deal that pegs nothing is not worth a line.
    """
    newest = zip(reversed(range(len(log))), reversed(log), strict=True)
    told = (one for one in newest if not isinstance(one[1].event, StepPassed) or one[1].outcomes)
    return [_entry_json(*one) for one in islice(told, lines)]


@lru_cache(maxsize=64)  # the lines that a page shows, as told after each press
def _entry_json(number: int, entry: LogEntry) -> dict[str, object]:
    """Return *entry*, the one with that *number*."""
    ours, pegged = entry.outcomes, pegged_json(entry)
    last = next(reversed(pegged), {"side": ours[-1].side if ours else None, "points": 0})
    return {
        "seq": number,
        "deal": entry.deal or None,
        **last,
        "pegged": pegged,
        "text": entry.text,
        "announced": entry.announced,
        "said": entry.said,
        "sound": entry.sound,
        "scores": [score_json(*one) for one in entry.scores],
        "why": [one.as_json() for one in entry.reasons],
    }


def pegged_json(entry: LogEntry) -> list[dict[str, object]]:
    """Return the points that *entry* pegged, for each side."""
    return [{"side": one.side, "points": one.points} for one in entry.outcomes if one.points]
