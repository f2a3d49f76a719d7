"""What happened, in a line: it names the right side, the right number, and what was missed."""

from __future__ import annotations

import pytest
from support.records import MISSED, after

from cribpi.core.cards import Card
from cribpi.core.events import CardCut, MugginsCalled
from cribpi.core.game import step
from cribpi.core.tell import tell
from cribpi.core.why import automatic
from cribpi.core.words import call_show

TWO = ('game "A" "B" dealer=1', "starter 9")
TOLD = [
    # lines                                                              says                     why
    ((*MISSED, "play 1:5", "show 0 counted=10"), "ten was counted, four too much", "an overclaim"),
    ((*MISSED, "play 1:5", "show 0 counted=4"), "four was counted, two missed", "a miss"),
    ((*MISSED, "play 1:5", "show 0 counted=4"), "; B muggins for two", "and who took it"),
    ((*TWO, "put-right 0 9", "penalty 0 -2"), "A: a penalty of two", "points are taken"),
    ((*TWO, "penalty 0 +2"), "A: two by a ruling", "points are given"),
    ((f"{TWO[0]} go_award=call", TWO[1], "play 0:10 1:K 0:8 1:go"), "B says go: one for A", "whose go it is"),
]


@pytest.mark.parametrize(("lines", "says", "why"), TOLD)
def test_what_happened_is_told_of_the_right_side(lines: tuple[str, ...], says: str, why: str) -> None:
    state = after(*lines)
    assert says in tell(state.outcomes[0].event, state), why


def test_of_a_wrong_call_it_is_told_who_takes_the_points() -> None:
    shown = after(
        *(line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED),
        "play 1:5",
        "show 0 counted=6",
    )
    call = MugginsCalled(1, 0, 2, is_right=False)
    assert tell(call, step(shown, call)).endswith("; A takes it")


def test_a_cut_that_ties_is_counted_and_told() -> None:
    before = after('game "A" "B"', "cut 0 4")
    tied = step(before, CardCut(1, Card.parse("4")))
    assert (before.ties, tied.ties) == (0, 1)
    assert [reason.rule for reason in automatic(before, CardCut(1, Card.parse("4")), tied)] == [
        "first_dealer"
    ]
    assert "a tie, A and B cut again" in tell(CardCut(1, Card.parse("4")), tied)


def test_a_hand_of_nothing_is_a_nineteen() -> None:
    assert call_show(()) == "nothing, a nineteen"
