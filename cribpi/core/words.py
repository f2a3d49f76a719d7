"""A count in the caller's words: "fifteen two, fifteen four, and a pair is six"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cribpi.core.scores import Kind, Score

_UP_TO_NINETEEN: Final = (
    "nothing one two three four five six seven eight nine ten "
    "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = ("", *"ten twenty thirty forty fifty sixty seventy eighty ninety".split())

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
}


def number(value: int) -> str:
    """Spell out an integer from 0 to 999.

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


def ranges(numbers: Sequence[int]) -> str:
    """Write *numbers*, at least one and ascending, as a choice, with consecutive ones as a range.

    >>> ranges((1, 2, 6, 7)), ranges((1, 2, 3, 5, 7, 8, 9)), ranges((4,))
    ('1, 2, 6 or 7', '1 to 3, 5 or 7 to 9', '4')
    """
    runs: list[list[int]] = []
    for one in numbers:
        if runs and one == runs[-1][-1] + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    *first, last = [
        text for run in runs for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]
    return f"{', '.join(first)} or {last}" if first else last


def name(score: Score) -> str:
    """Name one score: "fifteen", "a pair", "a run of three"."""
    if score.kind is Kind.RUN:
        return f"a run of {number(score.points)}"
    if score.kind is Kind.HEELS:
        return f"{number(score.points)} for his heels"
    return _NAMES[score.kind]


def call_show(scores: Sequence[Score]) -> str:
    """Count a hand or crib aloud, each score with the running total.

    >>> from cribpi.core.cards import parse_cards
    >>> from cribpi.core.show import score_hand
    >>> call_show(score_hand(parse_cards("7 8 8 K"), parse_cards("9")[0]))
    'fifteen two, fifteen four, and a pair is six, and a run of three is nine, and a run of three is twelve'
    """
    if not scores:
        return 'a "nineteen": nothing'
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
