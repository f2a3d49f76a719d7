"""The screens of four: every name has letters enough to be told apart, however high the scores."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from support.screens import DEAL_4, FOUR, LONG_4, Evening

from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.view import view_of
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.sheet import Sheet
from cribpi.cribbage.rules.seats import Pegs


@pytest.mark.parametrize("points", [(0, 0), (9, 88), (99, 99), (102, 118), (120, 120), (111, 100)])
@pytest.mark.parametrize("setup", [FOUR, LONG_4])
@pytest.mark.parametrize("keys", [DEAL_4, f"{DEAL_4} 5", f"{DEAL_4} 5 10 5 7"])
def test_four_names_differ_and_have_three_letters_at_least(
    keys: str, setup: NextGame, points: tuple[int, ...]
) -> None:
    state = replace(Evening(setup).press(keys).state, pegs=tuple(map(Pegs, points)))
    sheet = Sheet(view_of(state, InputState()))
    scores(sheet, state)
    own, others, *names = sheet.texts()
    assert (own.text, others.text) == tuple(map(str, points))
    assert len({name.text for name in names}) == 4
    assert all(len(name.text) >= 3 for name in names)
    for row in (0, 8):
        line = sorted([own, others, *(name for name in names if name.y == row)], key=lambda text: text.x)
        assert all(one.x + one.width < following.x for one, following in pairwise(line)), line
