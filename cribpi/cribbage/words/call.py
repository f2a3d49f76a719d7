"""A count in the caller's words: "fifteen two, fifteen four, and a double run is twelve".

`call_show` and `call_play` are the calls of players.  `steps` and `spelt_out` name each score separately, for
beginners and explanations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cribpi.cribbage.game.show import HIGHEST_SHOW, PAIRS, Kind, Score, total

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
    Kind.GO: "one for the go",
    Kind.LAST: "one for last",
    Kind.THREE_FOR_LAST: "three for last",
}
_RUNS: Final = {2: "a double run", 3: "a triple run", 4: "a double double run"}
"""Names of two, three and four runs that share cards, together with the pairs in them."""
_FOR_ONE: Final = frozenset({Kind.NOBS, Kind.GO, Kind.LAST, Kind.HEELS, Kind.THREE_FOR_LAST})
"""Kinds whose names include their points."""


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


def name(score: Score) -> str:
    """Return the name of one score, such as "fifteen", "a pair", "a run of three"."""
    if score.kind is Kind.RUN:
        return f"a run of {number(score.points)}"
    if score.kind is Kind.HEELS:
        return f"{number(score.points)} for his heels"
    return _NAMES[score.kind]


def call_show(scores: Sequence[Score], *, in_steps: bool = False) -> str:
    """Count a hand or crib aloud with running totals; several runs and their pairs are one unit.

    With *in_steps* each run and each pair is counted separately, as in `steps`.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> from cribpi.cribbage.game.show import score_hand
    >>> scores = score_hand(parse_cards("7 8 8 K"), parse_cards("9")[0])
    >>> call_show(scores)
    'fifteen two, fifteen four, and a double run is twelve'
    >>> call_show(scores, in_steps=True)
    'fifteen two, fifteen four, and a pair is six, and a run of three is nine, and a run of three is twelve'
    """
    if not scores:
        return 'no points, players call it a "nineteen"'
    named = list(_one_by_one(scores) if in_steps else _as_units(scores))
    if len(named) == 1 and scores[0].kind is not Kind.FIFTEEN:
        return _for(named[0][0], total(scores), scores[0].kind)
    first, *rest = _with_totals(named)
    return ", ".join((first, *(call if call.startswith("fifteen") else f"and {call}" for call in rest)))


def steps(scores: Sequence[Score]) -> list[str]:
    """Count a hand or crib aloud one score at a time, each with the total so far.

    >>> steps([Score(Kind.FIFTEEN, 2, ()), Score(Kind.FIFTEEN, 2, ()), Score(Kind.PAIR, 2, ())])
    ['fifteen two', 'fifteen four', 'a pair is six']
    """
    return _with_totals(_one_by_one(scores))


def call_play(scores: Sequence[Score], count: int) -> str:
    """Call a card of the play: the *count*, which the next player needs, and the points.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> from cribpi.cribbage.game.play import count_of, score_play
    >>> for text in ("7", "7 8", "7 8 8", "5 5 5", "10 5 7 9"):
    ...     print(call_play(score_play(parse_cards(text)), count_of(parse_cards(text))))
    seven
    fifteen for two
    twenty-three for two
    fifteen for eight
    thirty-one for two
    >>> call_play((Score(Kind.PAIR, 2, ()), Score(Kind.LAST, 1, ())), 20)
    'twenty for two and one for last is three'
    """
    closes = [name(score) for score in scores if score.kind in {Kind.GO, Kind.LAST}]
    points = total(scores)
    if points == len(closes):
        return " and ".join((number(count), *closes))
    said = f"{number(count)} for {number(points - len(closes))}"
    return " and ".join((said, *closes)) + (f" is {number(points)}" if closes else "")


def spelt_out(scores: Sequence[Score]) -> str:
    """Name each score in the play, without the count; "" for no scores.

    >>> spelt_out((Score(Kind.RUN, 4, ()),)), spelt_out((Score(Kind.GO, 1, ()),))
    ('a run of four for four', 'one for the go')
    >>> spelt_out((Score(Kind.FIFTEEN, 2, ()), Score(Kind.PAIR_ROYAL, 6, ())))
    'fifteen for two, and a pair royal is eight'
    """
    said: list[str] = []
    points = 0
    for score in scores:
        points += score.points
        called = name(score)
        said.append(f"and {called} is {number(points)}" if said else _for(called, points, score.kind))
    return ", ".join(said)


def _for(what: str, points: int, kind: Kind) -> str:
    return what if kind in _FOR_ONE else f"{what} for {number(points)}"


def _one_by_one(scores: Iterable[Score]) -> Iterable[tuple[str, int]]:
    return ((name(score), score.points) for score in scores)


def _as_units(scores: Sequence[Score]) -> Iterable[tuple[str, int]]:
    """Return names and points in players' units: several runs with their pairs, and two pairs, are one."""
    runs = [score for score in scores if score.kind is Kind.RUN]
    paired = [score for score in scores if (score.kind, score.points) in PAIRS.values()]
    if len(runs) > 1:
        length = runs[0].points
        what = _RUNS[len(runs)] if length == 3 else f"{_RUNS[len(runs)]} of {number(length)}"
        unit = [*paired, *runs]
    elif not runs and [score.kind for score in paired] == [Kind.PAIR, Kind.PAIR]:
        what, unit = "two pair", paired
    else:
        return _one_by_one(scores)
    kinds = {score.kind for score in unit}
    others = [score for score in scores if score.kind not in kinds]
    fifteens = [score for score in others if score.kind is Kind.FIFTEEN]
    suits = others[len(fifteens) :]
    return (*_one_by_one(fifteens), (what, total(unit)), *_one_by_one(suits))


def _with_totals(named: Iterable[tuple[str, int]]) -> list[str]:
    """Return each name with the running total; a twenty-nine is "a perfect twenty-nine"."""
    calls, points = [], 0
    for what, more in named:
        points += more
        perfect = "a perfect " if points == HIGHEST_SHOW else ""
        calls.append(f"{what}{'' if what == 'fifteen' else ' is'} {perfect}{number(points)}")
    return calls
