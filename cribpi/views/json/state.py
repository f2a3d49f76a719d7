"""The state as JSON for the page and the commands, and what happened lately, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.errors import RuleError
from cribpi.core.events import Entry, Event, StepPassed
from cribpi.core.game import NEW_TABLE
from cribpi.core.heels import for_his_heels
from cribpi.core.rules import Rules, house_changes
from cribpi.core.rules.cite import Reason
from cribpi.core.scores import Score
from cribpi.core.state import Outcome, Phase, State, side_name
from cribpi.core.tell import call, tell
from cribpi.core.why import automatic as automatic_steps
from cribpi.core.why import reason_of, reason_of_refusal, reasons_of_outcome
from cribpi.entry import by_cards, by_dealing
from cribpi.entry.choice import Choice
from cribpi.entry.choices import prompt
from cribpi.entry.desk import Desk, EndMatch, NewGame, Question, Undone
from cribpi.entry.pad import TWENTY, Pad
from cribpi.views.json.announced import announced
from cribpi.views.plain import plain_json
from cribpi.views.speech import said, sound

LOG_LINES: Final = 12
"""How many lines of what happened the page shows."""


def state_json(
    state: State,
    desk: Desk,
    seq: int,
    *,
    may_undo: bool,
    may_redo: bool,
    automatic: Sequence[Reason] = (),
    pad: Pad = TWENTY,
) -> dict[str, object]:
    """Return the state in the shape of the contract.  It holds no card that the table can't see.

    *automatic* is what happened by itself with the last event, and why (see `core.why`); *pad* is the keys
    that its sentences name.
    """
    last, asked = state.last, prompt(state, desk, pad)
    remark = message(state, desk, pad)
    return plain_json(state, desk, seq, remark, may_undo=may_undo, may_redo=may_redo) | {
        "phase": phase_of(state, desk),
        "house": house_changes(state.rules),
        "seats": [
            {
                "name": name,
                "side": state.side(seat),
                "cards_left": _cards_left(state, seat),
                "level": state.level(seat) or None,
            }
            for seat, name in enumerate(state.names)
        ],
        "sides": [
            {"name": side_name(state, side), "front": pegs.front, "back": pegs.back} | asdict(tally)
            for side, (pegs, tally) in enumerate(zip(state.pegs, state.standing, strict=True))
        ],
        "match": {"kind": state.rules.match, "winners": list(state.match_winners)},
        "last": _outcome_json(last, state) if last else None,
        "automatic": [reason_json(reason) for reason in automatic],
        "prompt": asked,
        "question": asked if isinstance(desk.dialog, Question) and state.deal is not None else None,
    }


def phase_of(state: State, desk: Desk) -> str:
    """Return the phase as the page is told it: a core phase, or `new-game` while that menu is open."""
    return "new-game" if isinstance(desk.dialog, NewGame | EndMatch) else str(state.phase)


def message(state: State, desk: Desk, pad: Pad = TWENTY) -> str | None:
    """Return a remark on the last press, or on what the play has shown; None for most."""
    if isinstance(desk.dialog, Undone):
        return f"undone: {desk.dialog.what}; {desk.dialog.left} more"
    if desk.message:
        return desk.message
    counted, deal, is_open = state.counted, state.deal, desk.dialog is not None
    is_missed = counted is not None and counted.least and state.winner is None
    if counted is not None and is_missed and state.rules.miscount == "muggins" and not is_open:
        missed = f"{side_name(state, counted.side)} missed {counted.least}"
        return f"{missed}. First to call muggins takes it: press your key, or {pad.named('MENU')}"
    if deal is not None and deal.heels_lost and len(deal.played[deal.dealer]) == 1 and not is_open:
        return f"{state.names[deal.dealer]} has played: {for_his_heels(state.rules)} are lost"
    wrong_goes = (
        f"{state.names[wrong.seat]} said go at {wrong.count}, but held the {wrong.card}"
        for wrong in by_cards.noted(state)
    )
    return "; ".join(wrong_goes) or None


def shower(state: State) -> int | None:
    """Return the seat whose show it is, the dealer at the crib; None elsewhere."""
    return state.deal.shower if state.deal and state.phase in {Phase.SHOW, Phase.CRIB} else None


def log_json(line: Sequence[tuple[Event, State]], lines: int | None = LOG_LINES) -> list[dict[str, object]]:
    """Return the last *lines* of *line*, an event and its state each, newest first; all of it with None."""
    befores = (NEW_TABLE, *(state for _, state in line))
    told = [(number, *moment) for number, moment in enumerate(line) if _is_told(*moment)]
    return [
        _moment_json(number, befores[number], event, state)
        for number, event, state in reversed(told[-lines:] if lines else told)
    ]


def _moment_json(number: int, before: State, event: Event, after: State) -> dict[str, object]:
    """Return what *event*, the one with that *number*, has led to."""
    ours = [outcome for outcome in after.outcomes if outcome.event is event]
    pegged = [outcome for outcome in ours if outcome.points]
    last = next(reversed(pegged or ours), None)
    deal = before.deal if before.phase is Phase.CRIB else after.deal
    whys = [reason for outcome in ours for reason in reasons_of_outcome(outcome, after.rules)]
    return {
        "seq": number,
        "deal": deal.number if deal else None,
        "side": last.side if last else None,
        "points": last.points if last else 0,
        "pegged": [{"side": one.side, "points": one.points} for one in pegged],
        "text": tell(event, after),
        "announced": announced(event, after),
        "said": said(before, event, after),
        "sound": sound(before, event, after),
        "scores": [score_json(score, after, outcome) for outcome in ours for score in outcome.scores],
        "why": [
            reason_json(reason) for reason in dict.fromkeys((*whys, *automatic_steps(before, event, after)))
        ],
    }


def _is_told(event: Event, state: State) -> bool:
    """Tell whether an event is worth a line: a step of the deal that pegs nothing is not."""
    return not isinstance(event, StepPassed) or any(outcome.event is event for outcome in state.outcomes)


def score_json(score: Score, state: State, outcome: Outcome) -> dict[str, object]:
    """Return one *score* of *outcome* in the shape of the contract, with the rule that it rests on."""
    why = reason_of(score, state.rules, is_crib=outcome.is_crib)
    return {
        "kind": str(score.kind),
        "points": score.points,
        "cards": cards_json(score.cards),
        "why": reason_json(why),
    }


def reason_json(reason: Reason) -> dict[str, str]:
    """Return a rule with its sentence, its source and the source's own words."""
    return asdict(reason)


def choices_json(offered: Sequence[Choice]) -> list[dict[str, object]]:
    """Return what can be pressed, in order: the key, what it is called on this kit, and what it does."""
    return [
        {
            "key": choice.key,
            "name": choice.name,
            "label": choice.label,
            "short": choice.short,
            "likely": choice.is_likely,
            "takes_suit": choice.takes_suit,
        }
        for choice in offered
    ]


def refusal_json(refused: Exception, rules: Rules) -> dict[str, object]:
    """Return why a press was *refused*, with the rule that it rests on where it is one of the game."""
    found: dict[str, object] = {"error": str(refused)}
    if isinstance(refused, RuleError):
        found["why"] = reason_json(reason_of_refusal(refused, rules))
    return found


def cards_json(cards: Iterable[Card]) -> list[str]:
    """Return *cards* as text."""
    return [str(card) for card in cards]


def _cards_left(state: State, seat: int) -> int:
    """Return how many cards *seat* has not played, as far as cards are known; 0 in a game kept by points."""
    if state.deal is None or state.entry is Entry.PEG:
        return 0
    return by_dealing.held(state.deal, seat) if state.entry is Entry.DEALT else state.deal.cards_left(seat)


def _outcome_json(outcome: Outcome, state: State) -> dict[str, object]:
    return {
        "side": outcome.side,
        "points": outcome.points,
        "call": call(outcome),
        "scores": [score_json(score, state, outcome) for score in outcome.scores],
        "claimed": outcome.claimed,
        "why": [reason_json(reason) for reason in reasons_of_outcome(outcome, state.rules)],
    }
