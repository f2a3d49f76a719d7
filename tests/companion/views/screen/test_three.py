"""The screens of three sides: large scores with names that differ, the whole deal in words, every score of a
win."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from support.presses import prompt, view_at
from support.screens import FAR_3, NEXT_3, THREE, Evening

from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.next_game import COLOURS, NextGame
from cribpi.companion.entry.view import view_of
from cribpi.companion.views.screen.canvas import FACES
from cribpi.companion.views.screen.layouts.scores import scores, small_scores
from cribpi.companion.views.screen.screen import compose
from cribpi.companion.views.screen.sheet import Sheet
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.seats import Pegs

EVERY = [(0, 0, 0), (9, 10, 99), (100, 8, 90), (120, 120, 120), (119, 100, 0)]
"""Scores of three, of one to three digits."""


def at(keys: str, points: tuple[int, ...] = (0, 0, 0), setup: NextGame = THREE) -> State:
    """Return the state after *keys* in a game of three, with the pegs at *points*."""
    state = Evening(setup).press(keys).state
    return replace(state, pegs=tuple(Pegs(score) for score in points))


def written(state: State, *, is_small: bool = False) -> list[str]:
    """Return what stands at the top of the glass for *state*, from left to right."""
    sheet = Sheet(view_of(state, InputState()))
    (small_scores if is_small else scores)(sheet, state)
    return [text.text for text in sorted(sheet.texts(), key=lambda text: (text.x, text.y))]


@pytest.mark.parametrize("points", EVERY)
@pytest.mark.parametrize("keys", ["OK OK 7 2 9", "OK OK 7 2 9 5", "OK OK 7 2 9 5 10 5"])
def test_three_scores_are_large_and_no_two_names_beside_them_are_alike(
    keys: str, points: tuple[int, ...]
) -> None:
    state = at(keys, points)
    sheet = Sheet(view_of(state, InputState()))
    scores(sheet, state)
    top = sorted(sheet.texts(), key=lambda text: text.x)
    assert [text.text for text in top[::2]] == list(map(str, points))
    assert all(FACES[text.size].height == 16 for text in top[::2])
    for score, name, colour in zip(points, top[1::2], COLOURS, strict=True):
        assert name.text == colour[: 2 if score > 99 and name.text == colour[:2] else 3]
    assert len({name.text for name in top[1::2]}) == 3
    for one, following in pairwise(top):
        apart = following.x - one.x - one.width
        assert apart >= (2 if following in top[1::2] else 4), (one, following)


@pytest.mark.parametrize("points", EVERY)
def test_in_one_row_three_letters_of_each_name_are_left_at_least_and_all_where_they_fit(
    points: tuple[int, ...],
) -> None:
    row = written(at("OK OK 7 2 9", points), is_small=True)
    assert row[1::2] == list(map(str, points))
    assert all(
        colour.startswith(name) and len(name) >= 3 for name, colour in zip(row[::2], COLOURS, strict=True)
    )
    if points == (0, 0, 0):
        assert row[::2] == list(COLOURS)


DEALS = [
    # keys                                            says                                         why
    ("OK OK 7 2 9", ("5 each, 1 to the crib", "and 1 from the pack", "WHITE cuts"), "the first deal"),
    (NEXT_3, ("5 each, 1 from pack", "ORANGE cuts", "BLUE +9 crib"), "a later one"),
    (f"{NEXT_3} P2 A OK", ("5 each, 1 from pack", "ORANGE cuts", "BLUE -2 ruling"), "after a ruling"),
    (
        "OK OK 7 2 9 5 10 5 7 7 A A 4 2 3 4 P1 3 OK",
        ("BLUE DEALS", "A MISDEAL: deal again", "ORANGE -2", "BLUE -7", "WHITE -5"),
        "three are moved back: a line for each",
    ),
]


@pytest.mark.parametrize(("keys", "says", "why"), DEALS)
def test_each_deal_of_three_says_in_whole_sentences_what_is_dealt(
    keys: str, says: tuple[str, ...], why: str
) -> None:
    evening = Evening(THREE).press(keys)
    shown = [text.text for text in compose(view_at(evening.state, evening.saved)).texts()]
    assert [line for line in shown if line in says] == list(says), why
    assert ("and 1 from the pack" in shown) <= ("5 each, 1 to the crib" in shown), why


def test_a_win_of_three_tells_every_score() -> None:
    names = ("ANN", "CHRISTOPHER", "BOB")
    evening = Evening(NextGame(players=3, house=House(names))).press(f"{FAR_3} P2 FLNB P2 OK")
    state = evening.state
    assert state.winner == 1
    assert prompt(state, InputState()) == "CHRISTOPHER wins 121-101-100. OK: Rematch"
