"""A count in the caller's words: "fifteen two, fifteen four, and a pair is six"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from cribpi.core import events
from cribpi.core.scores import Kind, Score
from cribpi.core.state import Outcome, State, side_name

_UP_TO_NINETEEN: Final = [
    "nothing",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

_NAMES: Final = {
    Kind.FIFTEEN: "fifteen",
    Kind.PAIR: "a pair",
    Kind.PAIR_ROYAL: "a pair royal",
    Kind.DOUBLE_PAIR_ROYAL: "a double pair royal",
    Kind.FLUSH: "a flush",
    Kind.NOBS: "one for his nobs",
    Kind.THIRTY_ONE: "thirty-one",
    Kind.GO: "go",
    Kind.LAST: "last card",
    Kind.HEELS: "two for his heels",
}


def number(value: int) -> str:
    """Say a whole number from 0 to 999.

    >>> [number(value) for value in (0, 2, 15, 31, 100, 121)]
    ['nothing', 'two', 'fifteen', 'thirty-one', 'one hundred', 'one hundred and twenty-one']
    """
    if value < 20:
        return _UP_TO_NINETEEN[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens] + (f"-{_UP_TO_NINETEEN[ones]}" if ones else "")
    hundreds, rest = divmod(value, 100)
    return f"{_UP_TO_NINETEEN[hundreds]} hundred" + (f" and {number(rest)}" if rest else "")


def name(score: Score) -> str:
    """Name one score: "fifteen", "a pair", "a run of three"."""
    if score.kind is Kind.RUN:
        return f"a run of {number(score.points)}"
    return _NAMES[score.kind]


def call_show(scores: Sequence[Score]) -> str:
    """Count a hand or crib aloud, each score with the total so far.

    >>> from cribpi.core.cards import parse_cards
    >>> from cribpi.core.show import score_hand
    >>> call_show(score_hand(parse_cards("7 8 8 K"), parse_cards("9")[0]))
    'fifteen two, fifteen four, and a pair is six, and a run of three is nine, and a run of three is twelve'
    """
    if not scores:
        return "nothing, a nineteen"
    said, points = [], 0
    for score in scores:
        points += score.points
        if score.kind is Kind.FIFTEEN:
            said.append(f"fifteen {number(points)}")
        else:
            said.append(f"{'and ' if said else ''}{name(score)} is {number(points)}")
    if len(scores) == 1 and scores[0].kind is not Kind.FIFTEEN:
        only = scores[0]
        return name(only) if only.kind is Kind.NOBS else f"{name(only)} for {number(only.points)}"
    return ", ".join(said)


def call_play(scores: Sequence[Score], count: int) -> str:
    """Call a card of the play: its scores, or the count alone.

    >>> from cribpi.core.cards import parse_cards
    >>> from cribpi.core.play import count_of, score_play
    >>> for text in ("7", "7 8", "7 8 8", "5 5 5", "10 5 7 9"):
    ...     print(call_play(score_play(parse_cards(text)), count_of(parse_cards(text))))
    seven
    fifteen for two
    a pair for two
    fifteen for two, and a pair royal is eight
    thirty-one for two
    """
    if not scores:
        return number(count)
    first, *rest = scores
    points = first.points
    said = [f"{name(first)} for {number(points)}"]
    for score in rest:
        points += score.points
        said.append(f"and {name(score)} is {number(points)}")
    return ", ".join(said)


def call(outcome: Outcome) -> str:
    """Say what an event came to, as its player would."""
    match outcome.event:
        case events.CardPlayed() | events.NewCountLed():
            return call_play(outcome.scores, outcome.count)
        case events.GoSaid():
            return call_play(outcome.scores, outcome.count) if outcome.scores else "go"
        case events.StarterTurned():
            return name(outcome.scores[0])
        case events.HandShown() | events.CribShown() | events.HandCounted():
            return call_show(outcome.scores)
        case events.PointsPegged(_, points):
            if not outcome.scores:
                return number(points)
            heels = outcome.scores[0].kind is Kind.HEELS
            return name(outcome.scores[0]) if heels else call_play(outcome.scores, 0)
        case events.PenaltyPegged(_, points):
            return f"a penalty of {number(-points)}" if points < 0 else f"{number(points)} by a ruling"
        case events.ScorePutRight(_, score):
            return f"the score put right to {number(score)}"
        case _:
            return "nothing"


def tell(event: events.Event, after: State) -> str:
    """Tell in a line what *event* was, with *after* the state that it led to."""
    names = after.names
    ours = [outcome for outcome in after.outcomes if outcome.event is event]
    said = call(ours[-1]) if ours else ""
    match event:
        case events.GameStarted(_, rules):
            return f"a new game to {rules.target}: {', '.join(names)}"
        case events.SeatsNamed():
            return f"the seats are {', '.join(names)}"
        case events.CardCut(seat, card):
            return f"{names[seat]} cuts {card}{_who_deals(after)}"
        case events.DealerChosen(seat):
            return f"{names[seat]} deals first"
        case events.HandDealt(seat):
            return f"{names[seat]} takes up the hand"
        case events.CardsLaidAway(seat):
            return f"{names[seat]} lays away"
        case events.StarterTurned(card):
            return f"starter {card}" + (f": {said}, {side_name(after, ours[0].side)}" if said else "")
        case events.CardPlayed(seat, card):
            return f"{names[seat]} {card}: {said}"
        case events.GoSaid(seat):
            taken = f": one for {side_name(after, ours[0].side)}" if ours and ours[0].points else ""
            return f"{names[seat]} says go{taken}"
        case events.NewCountLed(seat, card):
            more = f", {said}" if ours and len(ours) > 1 and ours[-1].points else ""
            return f"all say go: one for {side_name(after, ours[0].side)}; {names[seat]} leads {card}{more}"
        case events.HandShown(seat) | events.HandCounted(seat):
            return f"{names[seat]} shows: {said}"
        case events.CribCardTurned(card):
            return f"in the crib: {card}"
        case events.CribShown():
            return f"{side_name(after, ours[0].side)}'s crib: {said}"
        case events.PointsPegged(side):
            return f"{side_name(after, side)} pegs {said}"
        case events.StepPassed():
            return f"{side_name(after, ours[0].side)} shows nothing" if ours else f"on to the {after.phase}"
        case events.PenaltyPegged(side) | events.ScorePutRight(side):
            return f"{side_name(after, side)}: {said}"
        case _:
            assert_never(event)


def _who_deals(after: State) -> str:
    if after.deal is not None:
        return f"; {after.names[after.deal.dealer]} deals"
    if all(after.cuts[seat] is None for seat in after.cutting):
        return f"; a tie, {' and '.join(after.names[seat] for seat in after.cutting)} cut again"
    return ""
