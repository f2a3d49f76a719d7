"""Why: the rule that each score, each refusal and each automatic step rests on, and whose rule it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cribpi.core import events, seats
from cribpi.core.citations import RULES, SAYS, SOURCES
from cribpi.core.errors import RuleError
from cribpi.core.options import BY_NAME, written
from cribpi.core.play import LIMIT
from cribpi.core.presets import house_changes, preset, source
from cribpi.core.rules import Rules
from cribpi.core.scores import Kind, Score, total
from cribpi.core.state import Outcome, Phase, State

SILENT: Final = "not stated; as in standard"
"""What is cited where a source says nothing."""

HOUSE: Final = "the house"
"""Whose rule an option is that was changed."""

OURS: Final = "cribpi"
"""Whose rule it is where no source has one."""

NEVER_NAMED: Final = "never named, and so worth nothing"
"""What is cited where a source lists what scores, and this is not there."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A *rule* by its name, as one sentence for players, with its *source* and that source's own *words*."""

    rule: str
    text: str
    source: str
    words: str


@lru_cache(maxsize=1024)
def cite(name: str, rules: Rules) -> Reason:
    """Return the rule *name* as a game by *rules* has it; an option with the value that it has there.

    >>> reason = cite("crib_flush", preset("standard"))
    >>> reason.text, reason.source
    ('A flush in the crib: all five cards only, for five.', 'board-set')
    """
    rule, by = RULES[name], _who(name, rules)
    text = rule.text
    if name in BY_NAME:
        value = written(getattr(rules, name))
        text = f"{TITLES[name]}: {BY_NAME[name].values.get(value, value)}."
        if name in house_changes(rules):
            plain = _plain(name, rules)
            return Reason(name, text, HOUSE, f"{rules.name} has: {BY_NAME[name].values.get(plain, plain)}")
    if _says(by, name, rules):
        return Reason(name, text, by, rule.words[by])
    if by == OURS or not rule.words:
        return Reason(name, text, OURS, "")
    if name in BY_NAME and getattr(rules, name) != getattr(preset("standard", rules.players), name):
        return Reason(name, text, by, NEVER_NAMED)
    return Reason(name, text, by, SILENT)


def _who(name: str, rules: Rules) -> str:
    """Return whose rule *name* is: its preset's own source's.

    A standard game is put together: where its source is silent, or says otherwise, it is the first source's
    that says what it plays by, and cribpi's own where none does.
    """
    own = source(rules)
    if rules.name != "standard" or _says(own, name, rules):
        return own
    return next((one for one in SOURCES if _says(one, name, rules)), OURS)


def _says(by: str, name: str, rules: Rules) -> bool:
    """Tell whether *by* says the rule *name*; of an option, whether it says the value of *rules*."""
    option = _TOLD_WITH.get(name, name)
    if by not in RULES[name].words:
        return False
    said = SAYS.get(option, {}).get(by)
    return said is None or written(getattr(rules, option)) in said


_TOLD_WITH: Final = {"pair": "self_combinations"}
"""The rules whose words tell an option too."""


def _plain(name: str, rules: Rules) -> str:
    return written(getattr(preset(rules.name, rules.players), name))


TITLES: Final = {
    "players": "Players",
    "target": "Target",
    "first_dealer": "The first deal",
    "next_first_dealer": "The first deal of the next game",
    "deal": "The deal",
    "starter_cut": "The cut for the starter",
    "heels": "His heels",
    "heels_deadline": "Taking two for his heels",
    "go_award": "One for the go",
    "last_card": "The last card",
    "play_rounds": "The play",
    "lead_after_close": "Who leads the next count",
    "self_combinations": "Scores in the play",
    "crib_flush": "A flush in the crib",
    "miscount": "Counting the hands",
    "skunk": "A skunk",
    "double_skunk": "A double skunk",
    "stake": "What a game is worth",
    "renege": "A wrong go",
    "false_win": "A false claim of the game",
    "games_peg": "Games won",
    "partners_scorekeeper": "Who keeps the board",
    "match": "The match",
}
"""What each option is about, as its line begins."""

_KINDS: Final = {
    Kind.GO: "go_award",
    Kind.LAST: "last_card",
    Kind.HEELS: "heels",
}
"""The scores that rest on an option; the others have a rule of their own name."""

_SHOWS: Final = (events.HandShown, events.CribShown, events.HandCounted)

_EVENTS: Final[dict[type, str]] = {
    events.PenaltyPegged: "penalty",
    events.ScorePutRight: "put-right",
    events.Misdealt: "misdeal",
    events.MugginsCalled: "miscount",
    events.RenegeRuled: "renege",
    events.FalseWinRuled: "false_win",
}
"""What a correction rests on."""


def reason_of(score: Score, rules: Rules, *, is_crib: bool = False) -> Reason:
    """Return what *score* rests on."""
    if is_crib and score.kind is Kind.FLUSH:
        return cite("crib_flush", rules)
    if score.kind is Kind.THIRTY_ONE and score.points == 1:  # the go before it was pegged at the call
        return cite("go_award", rules)
    return cite(_KINDS.get(score.kind, str(score.kind)), rules)


def reasons_of_outcome(outcome: Outcome, rules: Rules) -> tuple[Reason, ...]:
    """Return what an outcome rests on: a reason for each kind of score, or for the correction."""
    named = _EVENTS.get(type(outcome.event))
    if named is not None:
        return (cite(named, rules),)
    is_show = isinstance(outcome.event, _SHOWS)
    is_wrong = outcome.claimed is not None and outcome.claimed != total(outcome.scores)
    is_muggins = is_show and bool(outcome.points) and not outcome.scores
    miscount = (cite("miscount", rules),) if is_wrong or is_muggins else ()
    if is_show and not outcome.scores and not miscount:
        return (cite("no-nineteen", rules),)
    if isinstance(outcome.event, events.PointsPegged) and not outcome.scores:
        return (cite("pegs", rules),)
    found = (reason_of(score, rules, is_crib=outcome.is_crib) for score in outcome.scores)
    return _once((*found, *miscount))


def reasons_of(state: State) -> tuple[Reason, ...]:
    """Return what the last thing that happened rests on."""
    found: list[Reason] = []
    for outcome in state.outcomes:
        found += reasons_of_outcome(outcome, state.rules)
    if not found and state.deal is not None and state.phase is Phase.PLAY:
        found.append(cite("turns", state.rules))
    if state.winner is not None:
        found.append(cite("win", state.rules))
    return _once(found) or (cite(_PHASES.get(state.phase, "turns"), state.rules),)


_PHASES: Final = {
    Phase.CUT: "first_dealer",
    Phase.DEAL: "deal",
    Phase.STARTER: "starter_cut",
    Phase.SHOW: "show-order",
    Phase.CRIB: "show-order",
}


def reason_of_refusal(error: RuleError, rules: Rules) -> Reason:
    """Return what a refusal rests on."""
    return cite(error.rule, rules)


def automatic(before: State, event: events.Event, after: State) -> tuple[Reason, ...]:
    """Return what happened by itself with *event*, and why: each step that nobody had to enter."""
    names = list(_steps(before, event, after))
    return _once(cite(name, after.rules) for name in names)


def _steps(before: State, event: events.Event, after: State) -> Iterable[str]:
    if after.winner is not None and before.winner is None:
        yield "win"
        yield from _steps_of_win(after, after.winner)
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
        case events.CardPlayed() | events.GoSaid() | events.NewCountLed():
            yield from _steps_of_play(before, event, after)
        case events.HandShown() | events.HandCounted() | events.CribShown() if len(after.outcomes) > 1:
            yield "miscount"
    is_pegged = isinstance(event, events.PointsPegged | events.StepPassed)
    is_shown = isinstance(event, _SHOWS) or (is_pegged and before.phase in {Phase.SHOW, Phase.CRIB})
    if after.winner is None and is_shown and after.deal is not None and before.deal is not None:
        yield "deal-passes" if after.deal.number > before.deal.number else "show-order"


def _steps_of_win(after: State, winner: int) -> Iterable[str]:
    losers = [score for side, score in enumerate(after.scores()) if side != winner]
    if min(losers) < after.rules.double_skunk_below:
        yield "double_skunk"
    elif min(losers) < after.rules.skunk_below:
        yield "skunk"
    yield "stake"
    if after.phase is Phase.MATCH_OVER:
        yield "match"


def _steps_of_play(before: State, event: events.Event, after: State) -> Iterable[str]:
    was, deal = before.deal, after.deal
    if was is None or deal is None:
        return
    if was.heels_open and not deal.heels_open:
        yield "heels_deadline"
    has_closed = not deal.pile or isinstance(event, events.NewCountLed)
    if has_closed and after.outcomes and after.outcomes[-1].count == LIMIT:
        yield "thirty-one"
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
