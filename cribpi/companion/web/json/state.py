"""State and log as JSON for the page and the commands, and the table's responses to a press."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.hands import SideView
from cribpi.companion.entry.input_state import EndMatch, InputState, NewGame, Question
from cribpi.companion.entry.view import TableView
from cribpi.companion.table.faults import Faults, sentence
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import See
from cribpi.companion.web.json.rules import set_up_refusal
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import StepPassed
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.state import Outcome, State
from cribpi.cribbage.rules.cite import cite
from cribpi.cribbage.rules.errors import BadSetup, RuleError
from cribpi.cribbage.rules.grammar import does
from cribpi.cribbage.rules.rules import Rules, house_changes
from cribpi.cribbage.words.log import GameLog, LogEntry
from cribpi.cribbage.words.tell import call
from cribpi.cribbage.words.why import reasons_of_outcome, scored
from cribpi.cribbage.words.worth import explained_json

if TYPE_CHECKING:
    from cribpi.companion.web.json import table_types

_STATE: Final = "page (state)"
"""Name of the state's JSON in error messages."""

OVERTAKEN: Final = {
    "person": "Somebody else pressed first: the game has changed, and your press did not count.",
    "machine": "The computer moved first: the game has changed, and your press did not count.",
}
"""Error messages for a press with an outdated `if_seq`, by who moved first."""


def plain_json(
    view: TableView, seq: int, message: str | None, *, may_undo: bool, may_redo: bool
) -> table_types.State:
    """Return the state as in ``GET /api/state``, with *message*, which may be an error.

    This is the fallback if a view fails. It has scores, turn, count and public cards. Fields that need words
    or computation are empty.
    """
    state, deal = view.state, view.state.deal
    return {
        "seq": seq,
        "phase": phase_of(state, view.input_state),
        "rules": state.rules.name,
        "house": {},
        "target": state.rules.target,
        "entry": state.entry,
        "seats": [
            {"name": name, "side": seat % state.sides, "cards_left": 0, "level": None}
            for seat, name in enumerate(state.names)
        ],
        "sides": [_side_json(side, Tally()) for side in view.sides],
        "match": _match_json(state, ()),
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


def state_json(view: TableView, seq: int, *, may_undo: bool, may_redo: bool) -> table_types.State:
    """Return the state as in ``GET /api/state``. It contains only public cards."""
    state, input_state = view.state, view.input_state
    return {
        **plain_json(view, seq, view.remark, may_undo=may_undo, may_redo=may_redo),
        "house": house_changes(state.rules),
        "seats": [
            {"name": seat.name, "side": seat.side, "cards_left": seat.cards_left, "level": seat.level}
            for seat in view.seats
        ],
        "sides": list(map(_side_json, view.sides, state.tally_now)),
        "match": _match_json(state, state.match_winners),
        "last": _outcome_json(state.last, state) if state.last else None,
        "automatic": [reason.as_json() for reason in view.automatic],
        "prompt": view.prompt,
        "question": view.prompt
        if isinstance(input_state.dialog, Question) and state.deal is not None
        else None,
    }


def _match_json(state: State, winners: Sequence[int]) -> table_types.Match:
    rules = state.rules
    if len(winners) > 1:
        text = "The match is drawn"
    else:
        text = f"{does(state.spoken_side(winners[0]), 'wins')} the match" if winners else "The match so far"
    if rules.games_in_match is not None:
        text += f", best of {rules.games_in_match}"
    elif rules.games_to_win is not None:
        text += f", first to {rules.games_to_win}"
    return {"kind": rules.match, "winners": list(winners), "text": text}


def _side_json(side: SideView, tally: Tally) -> table_types.SideState:
    return cast("table_types.SideState", side._asdict() | tally._asdict())


def phase_of(state: State, input_state: InputState) -> table_types.Phase:
    """Return the phase for clients: that of the game, or `new-game` while the new-game menu is open."""
    return "new-game" if isinstance(input_state.dialog, NewGame | EndMatch) else state.phase


def _outcome_json(outcome: Outcome, state: State) -> table_types.Outcome:
    return {
        "side": outcome.side,
        "points": outcome.points,
        "call": call(outcome),
        "scores": [explained_json(*score) for score in scored(outcome, state.rules)],
        "claimed": outcome.counted_by_player,
        "why": [reason.as_json() for reason in reasons_of_outcome(outcome, state.rules)],
    }


def cards_json(cards: Iterable[Card]) -> list[str]:
    """Return the names of *cards*, such as "7H"."""
    return list(map(str, cards))


def refusal_json(refused: Exception, rules: Rules) -> table_types.Refusal:
    """Return the reason for a *refused* press. If the game refused it, the rule behind it is included."""
    reason: table_types.Refusal = {"error": str(refused)}
    if isinstance(refused, RuleError):
        reason["why"] = cite(refused.rule, rules).as_json()
    if isinstance(refused, WrongKey):
        reason["told"] = refused.without_keys
    if isinstance(refused, BadSetup):
        reason["told"], reason["remedies"] = set_up_refusal(refused)
    return reason


def shown_json(now: Snapshot, faults: Faults, see: See = lambda now: now) -> table_types.State:
    """Return the JSON of ``GET /api/state``, restricted by *see* to what a client may see. Thread-safe.

    If a view fails, return `plain_json`, which has only public facts.
    """

    def whole() -> table_types.State:
        seen = see(now)
        return state_json(seen.view, seen.seq, may_undo=now.may_undo, may_redo=now.may_redo)

    def plain(error: Exception) -> table_types.State:
        message = sentence(_STATE, error)
        return plain_json(now.view, now.seq, message, may_undo=now.may_undo, may_redo=now.may_redo)

    return faults.guarded(_STATE, now, whole, plain)


class JsonAnswers:
    """The table's responses as JSON. See `Answers`."""

    def accepted(self, now: Snapshot, see: See, faults: Faults) -> str:
        return json.dumps(shown_json(now, faults, see))

    def refused(self, error: Exception, now: Snapshot, faults: Faults) -> str:
        reason = faults.guarded(
            "page (refusal)",
            now,
            lambda: refusal_json(error, now.state.rules),
            lambda _error: {"error": str(error)},
        )
        return json.dumps(reason)

    def overtaken(self, by: str, now: Snapshot, see: See, faults: Faults) -> str:
        """Return the error with the current state. This saves the client a request."""
        return json.dumps({"error": OVERTAKEN[by], "by": by, "state": shown_json(now, faults, see)})


AS_JSON = JsonAnswers()

LOG_LINES: Final = 12
"""Number of log lines that the page shows."""


def log_json(log: GameLog, lines: int | None = LOG_LINES) -> list[table_types.LogLine]:
    """Return the last *lines* of *log*, newest first. None means all lines.

    Steps of the deal that were passed without pegging are left out.
    """
    newest = zip(reversed(range(len(log))), reversed(log), strict=True)
    rows = (row for row in newest if not isinstance(row[1].event, StepPassed) or row[1].outcomes)
    return [_entry_json(*row) for row in islice(rows, lines)]


@lru_cache(maxsize=64)  # cached, because a page gets the same lines again after each press
def _entry_json(number: int, entry: LogEntry) -> table_types.LogLine:
    outcomes, pegged = entry.outcomes, pegged_json(entry)
    side = outcomes[-1].side if outcomes else None
    return {
        "seq": number,
        "deal": entry.deal or None,
        "side": pegged[-1]["side"] if pegged else side,
        "points": pegged[-1]["points"] if pegged else 0,
        "pegged": pegged,
        "text": entry.text,
        "announced": entry.announced,
        "said": entry.spoken,
        "sound": entry.sound,
        "scores": [explained_json(*score) for score in entry.scores],
        "why": [reason.as_json() for reason in entry.reasons],
    }


def pegged_json(entry: LogEntry) -> list[table_types.Gain]:
    """Return the points that *entry* pegged, by side."""
    return [{"side": each.side, "points": each.points} for each in entry.outcomes if each.points]
