"""The state as JSON for the page and the commands, and what happened lately, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Final

from cribpi.companion.entry import by_dealing, the_show
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.choices import prompt
from cribpi.companion.entry.desk import Desk, EndMatch, NewGame, Question, Undone
from cribpi.companion.entry.pad import TWENTY, Pad
from cribpi.companion.views.speech import said, sound
from cribpi.companion.web.json.announced import announced
from cribpi.companion.web.json.plain import plain_json
from cribpi.companion.web.json.rules import set_up_refusal_json
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry, Event, StepPassed
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.show import Score
from cribpi.cribbage.game.state import Outcome, State, side_name, the_deal
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.rules.cite import Reason, cite
from cribpi.cribbage.rules.errors import BadSetup, RuleError
from cribpi.cribbage.rules.rules import Rules, house_changes
from cribpi.cribbage.words.tell import call, for_his_heels, tell
from cribpi.cribbage.words.why import automatic as automatic_steps
from cribpi.cribbage.words.why import reason_of, reasons_of_outcome

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

    *automatic* is what happened by itself with the last event, and why (see `words.why`); *pad* is the keys
    that its sentences name.
    """
    last, asked = state.last, prompt(state, desk, pad)
    remark = message(state, desk, pad)
    return plain_json(state, desk, seq, remark, may_undo=may_undo, may_redo=may_redo) | {
        "phase": phase_of(state, desk),
        "house": house_changes(state.rules),
        "seats": [
            seat_json(state, seat, cards_left=cards_left(state, seat)) for seat in range(state.players)
        ],
        "sides": [
            {"name": side_name(state, side), "front": pegs.front, "back": pegs.back} | asdict(tally)
            for side, (pegs, tally) in enumerate(zip(state.pegs, state.tally_now, strict=True))
        ],
        "match": {"kind": state.rules.match, "winners": list(state.match_winners)},
        "last": _outcome_json(last, state) if last else None,
        "automatic": list(map(reason_json, automatic)),
        "prompt": asked,
        "question": asked if isinstance(desk.dialog, Question) and state.deal is not None else None,
    }


def seat_json(state: State, seat: int, **more: object) -> dict[str, object]:
    """Return who sits in *seat*, and *more* of it."""
    level = state.level(seat) or None
    return {"name": state.names[seat], "side": state.side(seat), **more, "level": level}


def phase_of(state: State, desk: Desk) -> str:
    """Return the phase as the page is told it: a core phase, or `new-game` while that menu is open."""
    return "new-game" if isinstance(desk.dialog, NewGame | EndMatch) else str(state.phase)


def message(state: State, desk: Desk, pad: Pad = TWENTY) -> str | None:
    """Return a remark on the last press, or on what the play has shown; None for most."""
    if isinstance(desk.dialog, Undone):
        return f"undone: {desk.dialog.what}; {desk.dialog.left} more"
    lost = "" if desk.dialog else _missed(state, pad) or _lost_heels(state)
    return desk.message or lost or _wrong_goes(state) or None


def _missed(state: State, pad: Pad) -> str:
    """Say what can be taken by muggins."""
    counted = state.counted
    if state.rules.miscount != "muggins" or state.winner is not None or counted is None or not counted.least:
        return ""
    missed = f"{side_name(state, counted.side)} missed {counted.least}"
    return f"{missed}. First to call muggins takes it: press your key, or {pad.named('MENU')}"


def _lost_heels(state: State) -> str:
    """Say that the dealer's first card has lost his heels, until his next one."""
    deal = state.deal
    if deal is None or not deal.heels_lost or len(deal.played[deal.dealer]) > 1:
        return ""
    return f"{state.names[deal.dealer]} has played: {for_his_heels(state.rules)} are lost"


def _wrong_goes(state: State) -> str:
    return "; ".join(
        f"{state.names[wrong.seat]} said go at {wrong.count}, but held the {wrong.card}"
        for wrong in the_show.noted(state)
    )


def shower(state: State) -> int | None:
    """Return the seat whose show it is, the dealer at the crib; None elsewhere."""
    return the_deal(state).shower if state.is_show else None


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
        "scores": list(chain.from_iterable(_scores_json(outcome, after) for outcome in ours)),
        "why": list(map(reason_json, dict.fromkeys((*whys, *automatic_steps(before, event, after))))),
    }


def pegged_json(event: Event, after: State) -> list[dict[str, object]]:
    """Return what *event* has pegged, side by side."""
    return [{"side": one.side, "points": one.points} for one in after.outcomes_of(event) if one.points]


def _is_told(event: Event, state: State) -> bool:
    """Tell whether an event is worth a line: a step of the deal that pegs nothing is not."""
    return not isinstance(event, StepPassed) or bool(state.outcomes_of(event))


def score_json(score: Score, state: State, outcome: Outcome) -> dict[str, object]:
    """Return one *score* of *outcome* in the shape of the contract, with the rule that it rests on."""
    why = reason_of(score, state.rules, is_crib=outcome.purpose is Purpose.CRIB)
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
        found["why"] = reason_json(cite(refused.rule, rules))
    if isinstance(refused, BadSetup):
        found |= set_up_refusal_json(refused)
    return found


def cards_json(cards: Iterable[Card]) -> list[str]:
    """Return *cards* as text."""
    return list(map(str, cards))


def cards_left(state: State, seat: int) -> int:
    """Return how many cards *seat* has not played, as far as cards are known; 0 in a game kept by points."""
    if state.deal is None or state.entry is Entry.PEG:
        return 0
    return by_dealing.held(state.deal, seat) if state.entry is Entry.DEALT else state.deal.cards_left(seat)


def _outcome_json(outcome: Outcome, state: State) -> dict[str, object]:
    return {
        "side": outcome.side,
        "points": outcome.points,
        "call": call(outcome),
        "scores": _scores_json(outcome, state),
        "claimed": outcome.counted_by_player,
        "why": list(map(reason_json, reasons_of_outcome(outcome, state.rules))),
    }


def _scores_json(outcome: Outcome, state: State) -> list[dict[str, object]]:
    return [score_json(score, state, outcome) for score in outcome.scores]
