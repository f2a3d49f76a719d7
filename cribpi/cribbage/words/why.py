"""The rule behind each score, correction and automatic step, with its source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cribpi.cribbage.game import events
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.game.show import Kind, Score, total
from cribpi.cribbage.game.state import Outcome, Phase, State, the_deal
from cribpi.cribbage.game.steps.deal import is_heels
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.cite import Reason, cite
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.rules.rules import Rules

_SHOWS: Final = (events.HandShown, events.CribShown, events.HandCounted)

_EVENTS: Final = {
    events.PenaltyPegged: "penalty",
    events.ScorePutRight: "put-right",
    events.Misdealt: "misdeal",
}
"""The rule behind each correction that does not depend on an option."""


def reason_of(score: Score, rules: Rules, *, is_crib: bool = False) -> Reason:
    what = str(score.kind)
    if is_crib and score.kind is Kind.FLUSH:
        what = "crib-flush"
    if score.kind is Kind.THIRTY_ONE and score.points == 1:  # the go was already pegged at the call
        what = str(Kind.GO)
    return cite(_option_behind(what) or what, rules)


def scored(outcome: Outcome, rules: Rules) -> tuple[tuple[Score, Reason], ...]:
    is_crib = outcome.purpose is Purpose.CRIB
    return tuple((score, reason_of(score, rules, is_crib=is_crib)) for score in outcome.scores)


def _option_behind(what: str) -> str | None:
    return next((option.name for option in rulebook().options.values() if what in option.why), None)


def reasons_of_outcome(outcome: Outcome, rules: Rules) -> tuple[Reason, ...]:
    """Return the rules behind an outcome: one for each kind of score, or the one of the correction."""
    named = _EVENTS.get(type(outcome.event)) or _option_behind(type(outcome.event).__name__)
    if named == "put-right" and outcome.purpose is Purpose.PENALTY:
        named = "overpegged"
    if named is not None:
        return (cite(named, rules),)
    is_show = isinstance(outcome.event, _SHOWS)
    is_wrong = outcome.counted_by_player is not None and outcome.counted_by_player != total(outcome.scores)
    is_muggins = outcome.purpose is Purpose.MUGGINS
    miscount = (cite("miscount", rules),) if is_wrong or is_muggins else ()
    if is_show and not outcome.scores and not miscount:
        return (cite("no-nineteen", rules),)
    if isinstance(outcome.event, events.PointsPegged) and not outcome.scores:
        return (cite("pegs", rules),)
    return _once((*(reason for _, reason in scored(outcome, rules)), *miscount))


def reasons_of(state: State) -> tuple[Reason, ...]:
    """Return the rules behind the last outcomes, or behind the phase if there are none."""
    reasons: list[Reason] = []
    for outcome in state.outcomes:
        reasons += reasons_of_outcome(outcome, state.rules)
    if not reasons and state.deal is not None and state.phase is Phase.PLAY:
        reasons.append(cite("turns", state.rules))
    if state.winner is not None:
        reasons.append(cite("win", state.rules))
    named = _option_behind(state.phase) or ("show-order" if state.is_show else "turns")
    return _once(reasons) or (cite(named, state.rules),)


def automatic(before: State, event: events.Event, after: State) -> tuple[Reason, ...]:
    return _once(cite(name, after.rules) for name in _steps(before, event, after))


def _steps(before: State, event: events.Event, after: State) -> Iterable[str]:
    if after.winner is not None and after.winner != before.winner:
        yield "win"
        losers = (side for side in range(after.sides) if side != after.winner)
        if worst := max(map(after.skunk, losers)):
            yield "double_skunk" if worst > 1 else "skunk"
        yield "stake"
        if after.phase is Phase.MATCH_OVER:
            yield "match"
    match event:
        case events.GameStarted() if event.dealer is not None:
            yield "next_first_dealer"
        case events.DealerChosen() if after.rules.first_dealer == "random":
            yield "first_dealer"
        case events.CardCut() if after.deal is not None or after.ties > before.ties:
            yield "first_dealer"
        case events.PackShuffled():
            yield "shuffle"
        case events.StarterTurned() if after.outcomes is not before.outcomes:
            yield "heels"
        case events.StarterTurned(card) if is_heels(after.rules, card.rank):
            dealer = after.side(the_deal(after).dealer)
            if not after.rules.counts(Kind.HEELS, after.to_go(dealer)):
                yield "stinkhole"
        case events.CardPlayed() | events.GoSaid() | events.NewCountLed():
            yield from _steps_of_play(before, event, after)
        case events.HandShown() | events.HandCounted() | events.CribShown() if len(after.outcomes) > 1:
            yield "miscount"
    is_pegged = isinstance(event, events.PointsPegged | events.StepPassed)
    is_shown = isinstance(event, _SHOWS) or (is_pegged and before.is_show)
    if after.winner is None and is_shown and after.deal is not None and before.deal is not None:
        yield "deal-passes" if after.deal.number > before.deal.number else "show-order"


def _steps_of_play(before: State, event: events.Event, after: State) -> Iterable[str]:
    was, deal = before.deal, after.deal
    if was is None or deal is None:
        return
    if was.heels_open and not deal.heels_open:
        yield "heels_deadline"
    has_closed = not deal.pile or isinstance(event, events.NewCountLed)
    if has_closed and after.outcomes and after.outcomes[-1].count == LIMIT:
        yield "thirty-one"
    elif (
        has_closed
        and after.outcomes
        and not {Kind.GO, Kind.LAST} & {score.kind for score in after.outcomes[0].scores}
        and not after.rules.counts(Kind.GO, after.to_go(after.outcomes[0].side))
    ):
        yield "stinkhole"
    if has_closed and was.out and after.rules.after_go != "play-on":
        yield "after_go"
    if has_closed and deal.turn is not None:
        yield "count-closes"
        yield "lead_after_close"
    elif has_closed:
        yield "play_rounds" if after.rules.play_rounds == "one" else "show-order"
    elif was.turn is not None and deal.turn != seats.left_of(was.turn, after.players):
        skipped = seats.around(was.turn, after.players)
        passed = skipped[: skipped.index(deal.turn)] if deal.turn in skipped else ()
        if any(not deal.cards_left(seat) for seat in passed):
            yield "passed"
        if any(seat in deal.out for seat in passed):
            yield "must-play"


def _once(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reasons))
