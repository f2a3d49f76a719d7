from __future__ import annotations

from itertools import pairwise

import pytest

from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.companion.views.lights.frame import QUARTER, Lamp, Lights, compose, current
from cribpi.companion.views.lights.motion import Gesture, GestureKind, line_passed
from cribpi.cribbage.rules.rules import Rules


def holes(gesture: Gesture) -> list[list[int]]:
    return [sorted(lamp.hole for lamp in gesture.lamps(step)) for step in range(gesture.steps)]


PICTURES = [
    (Gesture(GestureKind.LINE, 0, 91), [[90, 91], [], [90, 91]]),
    (Gesture(GestureKind.HEELS, 1, 20), [[19, 21], [], [19, 21]]),
    (Gesture(GestureKind.THIRTY_ONE, 0, 20), [[17, 23], [18, 22], [19, 21]]),
    (Gesture(GestureKind.GRAND, 0, 40), [[39, 41], [38, 42], [37, 43], [36, 44], [35, 45], [34, 46]]),
    (Gesture(GestureKind.HEELS, 0, 1), [[2], [], [2]]),
    (Gesture(GestureKind.HEELS, 0, 121), [[120], [], [120]]),
]


@pytest.mark.parametrize(("gesture", "pictures"), PICTURES)
def test_a_gesture_is_a_few_pictures_round_its_hole(gesture: Gesture, pictures: list[list[int]]) -> None:
    assert holes(gesture) == pictures
    assert {lamp.side for step in range(gesture.steps) for lamp in gesture.lamps(step)} == {gesture.side}


@pytest.mark.parametrize("kind", GestureKind)
@pytest.mark.parametrize("step", [-1, 1000])
def test_there_is_nothing_before_and_after_a_gesture(kind: GestureKind, step: int) -> None:
    assert Gesture(kind, 0, 61).lamps(step) == ()


@pytest.mark.parametrize("target", [61, 121])
def test_the_winners_colour_sweeps_forward_to_the_game_hole_and_no_further(target: int) -> None:
    swept = holes(Gesture(GestureKind.WIN, 1, target))
    assert swept[0] == [1, 2, 3, 4, 5]
    assert all(set(one) <= set(other) for one, other in pairwise(swept))
    assert swept[-1] == list(range(1, target + 1))


@pytest.mark.parametrize("name", kit_names())
@pytest.mark.parametrize("side", [0, 1, 2])
def test_the_winners_sweep_hardly_dims_the_pegs(name: str, side: int) -> None:
    kit = load_kit(name)
    gesture = Gesture(GestureKind.WIN, side, 121)
    other = (side + 1) % 3
    pegs = (Lamp(other, 90), Lamp(other, 85, QUARTER))
    lights = Lights(pegs, gesture.lamps(gesture.steps - 1))
    assert current(compose(kit, lights, max_ma=5000)) < 600
    if name != "table-3":
        assert compose(kit, lights) == compose(kit, lights, max_ma=5000)


LINES = [
    # from to  target past  why
    (88, 92, 121, 91, "the skunk line lies between 90 and 91"),
    (88, 90, 121, None, "90 is still skunked"),
    (90, 91, 121, 91, "one hole is enough"),
    (91, 95, 121, None, "the line was passed before"),
    (58, 61, 121, 61, "the double line lies between 60 and 61"),
    (60, 91, 121, 91, "of two lines the last"),
    (92, 88, 121, None, "backward passes nothing"),
    (0, 3, 121, None, "the first hole is no line"),
    (29, 31, 61, 31, "the skunk line of a game to 61"),
    (0, 5, 61, None, "a game to 61 has no double line"),
    (59, 61, 61, None, "the game hole of 61 is no line"),
]


@pytest.mark.parametrize(("before", "after", "target", "past", "why"), LINES)
def test_passing_a_skunk_line_is_seen_once(
    before: int, after: int, target: int, past: int | None, why: str
) -> None:
    gesture = line_passed(1, before, after, Rules(target=target))
    assert (gesture.hole if gesture else None) == past, why
