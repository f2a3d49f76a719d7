"""What a flush or his nobs may add to a show of real cards, each by itself, whatever was chosen before."""

from __future__ import annotations

import pytest
from support.presses import press
from support.records import after

from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.shows import show_view

PLAY = "play 0:2 1:K 0:4 1:Q 0:go 1:go 0:8 1:K 0:{last} 1:{then}"
SHOWS = [
    # the starter, the last card of the hand 2 4 8, B's last, and what can be added
    ("6", "J", "3", ["+1 his nobs", "+4 flush", "+5 flush with starter"]),
    ("6", "Q", "3", ["+4 flush", "+5 flush with starter"]),
    ("6", "8", "5", []),
]


@pytest.mark.parametrize(("starter", "last", "then", "says"), SHOWS)
def test_each_is_added_and_taken_away_by_itself(starter: str, last: str, then: str, says: list[str]) -> None:
    state = after('game "A" "B" dealer=1', f"starter {starter}", PLAY.format(last=last, then=then))
    input_state = InputState()
    assert [one.says for one in show_view(state, input_state).suits] == says
    for _ in range(4):
        for at, choice in enumerate(show_view(state, input_state).suits):
            pressed = input_state
            for _ in range(choice.presses):
                pressed = press(state, pressed, "FLNB").input_state
            assert show_view(state, pressed).suits[at].is_on != choice.is_on, choice
            assert show_view(state, pressed).points != show_view(state, input_state).points, choice
        if says:
            input_state = press(state, input_state, "FLNB").input_state


def test_where_players_count_for_themselves_nothing_is_added_for_them() -> None:
    state = after('game "A" "B" dealer=1 rules=acc', "starter 6", PLAY.format(last="J", then="3"))
    assert show_view(state, InputState()).suits == ()
