"""The state and what led to it as JSON for the page and the commands, and the table's answers to a press."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Final

from cribpi.companion.entry import by_dealing, the_show
from cribpi.companion.entry.choices import prompt
from cribpi.companion.entry.desk import Desk, EndMatch, NewGame, Question, Undone
from cribpi.companion.entry.keys import TWENTY, Pad
from cribpi.companion.entry.reply import WrongKey
from cribpi.companion.table.faults import Faults, sentence
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import See
from cribpi.companion.views.speech import said, sound, spoken
from cribpi.companion.web.json.rules import set_up_refusal_json
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry, Event, StepPassed
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.state import Outcome, State
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.rules.cite import Reason, cite
from cribpi.cribbage.rules.errors import BadSetup, RuleError
from cribpi.cribbage.rules.grammar import does, within
from cribpi.cribbage.rules.rules import Rules, house_changes
from cribpi.cribbage.rules.seats import Pegs
from cribpi.cribbage.words.levels import title_of
from cribpi.cribbage.words.tell import call, tell
from cribpi.cribbage.words.why import automatic, reason_of, reasons_of_outcome
from cribpi.cribbage.words.worth import score_json

_STATE: Final = "page (state)"
"""What the state's JSON is called where it fails."""

OVERTAKEN: Final = {
    "person": "Somebody else pressed first: the game has changed, and your press did not count.",
    "machine": "The computer moved first: the game has changed, and your press did not count.",
}
"""The answer to a press that was meant for a state from which the table has gone on, by who moved it."""


def plain_json(
    state: State, desk: Desk, seq: int, message: str | None, *, may_undo: bool, may_redo: bool
) -> dict[str, object]:
    """Return the state in the shape of the contract, with *message*, which may be a fault.

    It is for where a view fails, and holds the facts: scores, turn, count and cards on the table; what takes
    words or working out is left empty.
    """
    deal, sides = state.deal, len(state.pegs)
    return {
        "seq": seq,
        "phase": "new-game" if isinstance(desk.dialog, NewGame) else str(state.phase),
        "rules": state.rules.name,
        "house": {},
        "target": state.rules.target,
        "entry": str(state.entry),
        "seats": [
            {"name": name, "side": seat % sides, "cards_left": 0, "level": None}
            for seat, name in enumerate(state.names)
        ],
        "sides": [_side_json(state, side, pegs) | asdict(Tally()) for side, pegs in enumerate(state.pegs)],
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


def state_json(
    state: State,
    desk: Desk,
    seq: int,
    *,
    may_undo: bool,
    may_redo: bool,
    automatic: Sequence[Reason] = (),
    pad: Pad = TWENTY,
    viewer: int | None = None,
) -> dict[str, object]:
    """Return the state in the shape of the contract.  It holds no card that the table can't see.

    *automatic* is what happened by itself with the last event, and why (see `words.why`); *pad* is the keys
    that its sentences name, and *viewer* the seat that is asked.
    """
    last, asked = state.last, prompt(state, desk, pad, viewer)
    remark = message(state, desk, pad)
    return plain_json(state, desk, seq, remark, may_undo=may_undo, may_redo=may_redo) | {
        "phase": phase_of(state, desk),
        "house": house_changes(state.rules),
        "seats": [
            seat_json(state, seat, cards_left=cards_left(state, seat)) for seat in range(state.players)
        ],
        "sides": [
            _side_json(state, side, pegs) | asdict(tally)
            for side, (pegs, tally) in enumerate(zip(state.pegs, state.tally_now, strict=True))
        ],
        "match": {"kind": state.rules.match, "winners": list(state.match_winners)},
        "last": _outcome_json(last, state) if last else None,
        "automatic": list(map(asdict, automatic)),
        "prompt": asked,
        "question": asked if isinstance(desk.dialog, Question) and state.deal is not None else None,
    }


def seat_json(state: State, seat: int, **more: object) -> dict[str, object]:
    """Return who sits in *seat*, and *more* of it."""
    level = state.level(seat) or None
    return {"name": state.names[seat], "side": state.side(seat), **more, "level": level}


def _side_json(state: State, side: int, pegs: Pegs) -> dict[str, object]:
    names = {"name": state.side_name(side), "said": state.spoken_side(side)}
    return names | {"front": pegs.front, "back": pegs.back}


def levels_json(state: State) -> list[str | None]:
    """Return for each seat the title of the computer's level; None for a person."""
    levels = map(state.level, range(state.players))
    return [title_of(level) if level else None for level in levels]


def phase_of(state: State, desk: Desk) -> str:
    """Return the phase as the page is told it: a core phase, or `new-game` while that menu is open."""
    return "new-game" if isinstance(desk.dialog, NewGame | EndMatch) else str(state.phase)


def message(state: State, desk: Desk, pad: Pad = TWENTY) -> str | None:
    """Return a remark on the last press, or on what the play has shown; None for most."""
    if isinstance(desk.dialog, Undone):
        return desk.dialog.what
    lost = "" if desk.dialog else _missed(state, pad) or _lost_heels(state)
    if said := desk.message or lost:
        return said
    return "; ".join(the_show.wrong_go(state, wrong) for wrong in the_show.noted(state)) or None


def _missed(state: State, pad: Pad) -> str:
    """Say what can be taken by muggins."""
    counted = state.counted
    if state.rules.miscount != "muggins" or state.winner is not None or counted is None or not counted.least:
        return ""
    missed = f"{state.spoken_side(counted.side)} missed {counted.least}"
    return f"{missed}. First to call muggins takes it: press your key, or {pad.named('MENU')}"


def _lost_heels(state: State) -> str:
    """Say that the dealer's first card has lost his heels, until his next one."""
    deal = state.deal
    if deal is None or not deal.heels_lost or len(deal.played[deal.dealer]) > 1:
        return ""
    return does(state.names[deal.dealer], "has played: his heels are lost")


def _outcome_json(outcome: Outcome, state: State) -> dict[str, object]:
    return {
        "side": outcome.side,
        "points": outcome.points,
        "call": call(outcome),
        "scores": scores_json(outcome, state.rules),
        "claimed": outcome.counted_by_player,
        "why": list(map(asdict, reasons_of_outcome(outcome, state.rules))),
    }


def scores_json(outcome: Outcome, rules: Rules) -> list[dict[str, object]]:
    """Return the scores of *outcome* in the shape of the contract, each with the rule that it rests on."""
    is_crib = outcome.purpose is Purpose.CRIB
    return [score_json(score, reason_of(score, rules, is_crib=is_crib)) for score in outcome.scores]


def cards_json(cards: Iterable[Card]) -> list[str]:
    """Return *cards* as text."""
    return list(map(str, cards))


def cards_left(state: State, seat: int) -> int:
    """Return how many cards *seat* has not played, as far as cards are known; 0 in a game kept by points."""
    if state.deal is None or state.entry is Entry.PEG:
        return 0
    return by_dealing.held(state.deal, seat) if state.entry is Entry.DEALT else state.deal.cards_left(seat)


def refusal_json(refused: Exception, rules: Rules) -> dict[str, object]:
    """Return why a press was *refused*, with the rule that it rests on where it is one of the game."""
    found: dict[str, object] = {"error": str(refused)}
    if isinstance(refused, RuleError):
        found["why"] = asdict(cite(refused.rule, rules))
    if isinstance(refused, WrongKey):
        found["told"] = refused.told
    if isinstance(refused, BadSetup):
        found |= set_up_refusal_json(refused)
    return found


def shown_json(now: Snapshot, faults: Faults, see: See = lambda now: now) -> dict[str, object]:
    """Return the state, as somebody may *see* it, in the shape of the contract; any thread may ask.

    If a part fails it is plain: what all can see.
    """

    def whole() -> dict[str, object]:
        seen = see(now)
        return state_json(
            seen.state,
            seen.desk,
            seen.seq,
            may_undo=seen.may_undo,
            may_redo=seen.may_redo,
            automatic=seen.automatic,
            pad=seen.pad,
            viewer=seen.viewer,
        )

    def plain(error: Exception) -> dict[str, object]:
        said = sentence(_STATE, error)
        return plain_json(now.state, now.desk, now.seq, said, may_undo=now.may_undo, may_redo=now.may_redo)

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
    scores = [
        does(after.spoken_side(one.side), f"has {after.pegs[one.side].front}") for one in ours if one.points
    ]
    told = _told(event, ours, after)
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in (told, *dict.fromkeys(scores)))


def _told(event: Event, ours: Sequence[Outcome], after: State) -> str:
    match event:
        case events.CardPlayed(seat, card):
            return _played(after.names[seat], card, ours[0])
        case events.NewCountLed(seat, card) if len(ours) > 1 or not ours[0].points:
            go = f", one for {within(after.spoken_side(ours[0].side))}" if ours[0].points else ""
            return f"all say go{go}; {_played(within(after.names[seat]), card, ours[-1])}"
        case events.StarterTurned(card):
            heels = f", {call(ours[0])} for {within(after.spoken_side(ours[0].side))}" if ours else ""
            return f"the starter is {spoken(card)}{heels}"
        case _:
            return tell(event, after, spoken)


def _played(name: str, card: Card, outcome: Outcome) -> str:
    return f"{does(name, 'plays')} {spoken(card)}: {call(outcome)}"
