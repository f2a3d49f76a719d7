"""What docs/reference/rules.md says of the rules that need a judge, by the numbers of the ACC."""

from __future__ import annotations

from typing import Final

import pytest
from support.records import after

from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.record import parse_event
from cribpi.cribbage.rules.errors import ImpossiblePoints, RuleError

PLAYED: Final = ("starter 5", "play 0:9 1:6 0:6 1:5 0:go 1:4 0:lead:10 1:7 0:10")
"""A has pegged 3 and B 6; with the starter A's hand is 8 and B's 14."""


def acc(*lines: str, rules: str = "acc") -> State:
    return after(f'game "A" "B" rules={rules} dealer=1', *lines)


def test_4_4_a_misdeal_takes_back_what_the_deal_has_pegged_and_a_dead_hand_counts_nothing() -> None:
    again = acc(*PLAYED, "misdeal")
    assert (again.scores(), again.phase, again.deal and again.deal.dealer) == ((0, 0), Phase.DEAL, 1)
    assert acc(*PLAYED, "show 0 counted=0").scores() == (3, 6)


def test_8_3_too_few_points_stay_lost() -> None:
    assert acc(*PLAYED, "show 0 counted=6").scores() == (3 + 6, 6)


def test_8_4_too_many_points_come_off_and_nobody_gets_them() -> None:
    assert acc(*PLAYED, "show 0 counted=12").scores() == (3 + 8, 6)
    assert acc(*PLAYED, "put-right 0 1").scores() == (1, 6)


@pytest.mark.parametrize(
    ("true", "other", "scores", "winner"),
    [
        (110, 60, (95, 71), None),  # 11 overclaimed, up to the game hole
        (8, 60, (0, 121), 1),  # 113 overclaimed: the other wins by 61 of them, and 15 come off all the same
        (110, 115, (95, 121), 1),
    ],
)
def test_8_4_a_false_claim_of_the_game(
    true: int, other: int, scores: tuple[int, int], winner: int | None
) -> None:
    after_it = acc(*PLAYED, f"put-right 1 {other}", "put-right 0 121", f"false-win 0 {true}")
    assert (after_it.scores(), after_it.winner) == (scores, winner)


def test_10_2_what_a_show_has_missed_is_muggins() -> None:
    assert acc(*PLAYED, "show 0 counted=6", rules="acc-muggins").scores() == (3 + 6, 6 + 2)


MUGGINS: Final = [
    (("starter J", "play 0:9 1:6"), "muggins 0 1 2"),  # his heels, which B has not taken in time
    ((*PLAYED, "penalty 1 +2"), "muggins 0 1 2"),
    ((*PLAYED, "put-right 0 1"), "muggins 1 0 2"),  # lost by going backward
    ((*PLAYED, "show 0 counted=6"), "muggins 0 1 2"),  # a muggins that B has missed
]


@pytest.mark.parametrize(("lines", "call"), MUGGINS)
def test_10_3_what_is_no_muggins_is_refused(lines: tuple[str, ...], call: str) -> None:
    with pytest.raises(RuleError):
        step(acc(*lines, rules="acc-muggins"), parse_event(call))


def test_7_3_the_points_of_a_wrong_go_are_two_for_each_card_that_singly_fitted() -> None:
    go = ("starter 2", "play 1:8 0:10 1:7 0:go 1:go 0:A 1:K 0:5 1:K 0:go 0:6")
    shown = after('game "A" "B" rules=acc dealer=0', *go)
    assert step(shown, parse_event("renege 0 6")).scores() == (1, 2 + 6)
    with pytest.raises(ImpossiblePoints, match="these rules give 6, or nothing"):
        step(shown, parse_event("renege 0 8"))
