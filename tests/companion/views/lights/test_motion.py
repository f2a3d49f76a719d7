from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.lights.frame import QUARTER, Frame, Lamp, Lights, compose
from cribpi.companion.views.lights.motion import ATTRACT, LONGEST_WALK, Gesture, GestureKind, Motion
from cribpi.cribbage.rules.seats import Pegs

KITS = {
    name: load_kit(name)
    for name in ("strip-121", "strip-60", "matrix-32x8", "table", "table-3", "table-games", "travel-61")
}
TABLE = KITS["table"]
TRAVEL = KITS["travel-61"]
SHARED = KITS["strip-121"]
BREATHS_A_SECOND = 12

kits = st.sampled_from(list(KITS.values()))
times = st.floats(0, 10**8)
on_board = st.builds(Pegs, st.integers(1, 121), st.integers(0, 121))
tables = st.lists(on_board, min_size=2, max_size=3).map(tuple)
any_pegs = st.lists(st.builds(Pegs, st.integers(0, 121), st.integers(0, 121)), min_size=2, max_size=3).map(
    tuple
)
gestures = st.none() | st.builds(
    Gesture, st.sampled_from(GestureKind), st.integers(0, 1), st.integers(1, 121)
)


def lit(lights: Lights) -> dict[tuple[int, int], float]:
    """Return the light of each side's hole, whoever's turn it is."""
    shown: dict[tuple[int, int], float] = {}
    for lamp in (*lights.pegs, *lights.over):
        if lamp.hole > 0:
            shown[lamp.side, lamp.hole] = max(shown.get((lamp.side, lamp.hole), 0), lamp.light)
    return shown


def pictures(motion: Motion, at: float, most: int = 200) -> list[tuple[float, Lights]]:
    """Follow `wakes` from *at* until nothing moves any more."""
    seen = [(at, motion.lights(at))]
    while (wake := motion.wakes(at)) is not None:
        assert wake > at
        at = wake
        seen.append((at, motion.lights(at)))
        assert len(seen) <= most, "the motion does not come to rest"
    return seen


def pegged(pegs: tuple[Pegs, ...], side: int, points: int) -> tuple[Pegs, ...]:
    moved = pegs[side].advance(points, 121)
    return (*pegs[:side], moved, *pegs[side + 1 :])


@st.composite
def leapfrogs(draw: st.DrawFn) -> tuple[tuple[Pegs, ...], tuple[Pegs, ...], int]:
    pegs = draw(tables)
    side = draw(st.integers(0, len(pegs) - 1))
    assume(pegs[side].front < 121)
    return pegs, pegged(pegs, side, draw(st.integers(1, 31))), side


def test_at_rest_front_pegs_are_full_and_back_pegs_a_quarter() -> None:
    motion = Motion(TABLE, (Pegs(28, 26), Pegs(46, 44)))
    assert lit(motion.lights(7.0)) == {(0, 28): 1, (0, 26): QUARTER, (1, 46): 1, (1, 44): QUARTER}
    assert motion.wakes(7.0) is None


def test_after_a_penalty_the_front_peg_shows_behind_the_back_peg() -> None:
    motion = Motion(TABLE, (Pegs(20, 26), Pegs(46, 44))).toward((Pegs(20, 26), Pegs(44, 44)), 0.0)
    assert lit(motion.lights(0.0)) == {(0, 20): 1, (0, 26): QUARTER, (1, 44): 1}


def test_the_games_won_stand_still_while_pegs_walk_and_are_gone_from_an_idle_board() -> None:
    pegs = (Pegs(119, 110), Pegs(88, 80))
    motion = Motion(KITS["table-games"], pegs, games=(0, 2)).toward(pegged(pegs, 0, 5), 0.0, games=(1, 2))
    assert {lights.games for _, lights in pictures(motion, 0.0)} == {(1, 2)}
    assert replace(motion, hints=((0, 121),)).lights(9.0).games == (1, 2)
    assert motion.toward(pegs, 9.0).lights(9.0).games == ()
    assert Motion.attract(KITS["table-games"], 0.0).lights(1.0).games == ()


def test_sides_that_share_a_games_hole_are_shown_in_turn() -> None:
    pegs = (Pegs(10, 6), Pegs(4, 2), Pegs(20, 15))
    motion = Motion(KITS["table-games"], pegs, games=(3, 3, 3))
    assert motion.wakes(7.2) == 7.5
    assert Motion(KITS["table-games"], pegs, games=(3, 3, 2)).wakes(7.2) is None
    assert Motion(TABLE, pegs, games=(3, 3, 3)).wakes(7.2) is None


def test_a_walk_goes_hole_by_hole_then_the_old_front_peg_dims() -> None:
    motion = Motion(TABLE, (Pegs(10, 6), Pegs(4, 2))).toward((Pegs(13, 10), Pegs(4, 2)), 100.0)
    seen = [(round(at - 100, 3), lit(lights)) for at, lights in pictures(motion, 100.0)]
    other = {(1, 4): 1, (1, 2): QUARTER}
    assert seen == [
        (0.0, {(0, 10): 1, (0, 11): 1, **other}),
        (0.08, {(0, 10): 1, (0, 12): 1, **other}),
        (0.16, {(0, 10): 0.5, (0, 13): 1, **other}),
        (0.24, {(0, 10): QUARTER, (0, 13): 1, **other}),
    ]


def test_a_first_walk_begins_in_the_first_hole() -> None:
    motion = Motion(TABLE, (Pegs(), Pegs(4, 2))).toward((Pegs(2, 0), Pegs(4, 2)), 0.0)
    seen = [lit(lights) for _, lights in pictures(motion, 0.0)]
    other = {(1, 4): 1, (1, 2): QUARTER}
    assert seen == [{(0, 1): 1, **other}, {(0, 2): 1, **other}, {(0, 2): 1, **other}]


@given(kits, leapfrogs(), times)
def test_a_walk_is_over_in_time_and_ends_with_exactly_the_pegs(
    kit: Kit, leapfrog: tuple[tuple[Pegs, ...], tuple[Pegs, ...], int], at: float
) -> None:
    before, after, _ = leapfrog
    motion = Motion(kit, before).toward(after, at)
    end = at + LONGEST_WALK + 1e-6
    assert motion.lights(end) == Motion(kit, after).lights(end)
    assert motion.wakes(end) == Motion(kit, after).wakes(end)


@given(kits, leapfrogs(), times)
def test_every_step_of_a_walk_goes_forward_hole_by_hole(
    kit: Kit, leapfrog: tuple[tuple[Pegs, ...], tuple[Pegs, ...], int], at: float
) -> None:
    before, after, side = leapfrog
    motion = Motion(kit, before).toward(after, at)
    holes: list[int] = []
    now: float | None = at
    while now is not None and (walkers := motion.lights(now).over):
        if walkers[0].hole not in holes:
            holes.append(walkers[0].hole)
        now = motion.wakes(now)
    assert holes == list(range(before[side].front + 1, after[side].front + 1))


@given(kits, leapfrogs(), times, st.floats(0, 2), any_pegs, gestures)
def test_a_new_event_ends_what_was_under_way_at_once(
    kit: Kit,
    leapfrog: tuple[tuple[Pegs, ...], tuple[Pegs, ...], int],
    at: float,
    later: float,
    then: tuple[Pegs, ...],
    gesture: Gesture | None,
) -> None:
    before, after, _ = leapfrog
    interrupted = Motion(kit, before).toward(after, at, gesture).toward(then, at + later)
    assert interrupted == Motion(kit, after).toward(then, at + later)


JUMPS = [
    # from         to           why
    (Pegs(13, 10), Pegs(10, 6), "an undo"),
    (Pegs(13, 10), Pegs(11, 10), "a penalty moves the front peg alone"),
    (Pegs(13, 10), Pegs(15, 10), "a score put right moves the front peg alone"),
    (Pegs(13, 10), Pegs(0, 0), "a new game"),
    (Pegs(13, 10), Pegs(13, 10), "nothing moved"),
]


@pytest.mark.parametrize(("before", "after", "why"), JUMPS)
def test_what_is_no_leapfrog_jumps_straight_there(before: Pegs, after: Pegs, why: str) -> None:
    motion = Motion(TABLE, (before, Pegs(4, 2))).toward((after, Pegs(4, 2)), 3.0)
    assert motion == Motion(TABLE, (after, Pegs(4, 2))), why


def test_a_game_with_another_number_of_sides_jumps_too() -> None:
    two = (Pegs(3, 0), Pegs(4, 0))
    assert Motion(TABLE, two).toward((Pegs(5, 3), Pegs(4, 0), Pegs(1, 0)), 3.0).lights(3.0).over == ()


@given(kits, any_pegs, any_pegs, gestures, times)
def test_a_still_table_jumps_and_makes_no_gesture(
    kit: Kit, before: tuple[Pegs, ...], after: tuple[Pegs, ...], gesture: Gesture | None, at: float
) -> None:
    motion = replace(Motion(kit, before, still=True).toward(after, at, gesture), hints=((0, 5),))
    assert motion == Motion(kit, after, still=True, hints=((0, 5),))
    assert all(
        lamp == other for lamp, other in zip(motion.lights(at).pegs, motion.lights(at + 1).pegs, strict=True)
    )
    wake = motion.wakes(at)
    assert wake is None or wake % 0.5 == 0  # sides that share a hole still take turns


def test_a_side_at_the_start_pulses_in_the_first_hole_until_it_scores() -> None:
    motion = Motion(TABLE, (Pegs(), Pegs(4, 2)))
    seen = [lit(motion.lights(at / 50))[0, 1] for at in range(200)]
    assert min(seen) < 0.1
    assert max(seen) == 1
    assert motion.wakes(0.0) is not None
    assert motion.toward((Pegs(1, 0), Pegs(4, 2)), 1.0).wakes(1.1) is None


def test_a_still_side_at_the_start_stands_in_the_first_hole_dimmer_than_one_that_has_scored() -> None:
    motion = Motion(TABLE, (Pegs(), Pegs(4, 2)), still=True)
    assert motion.wakes(0.0) is None
    assert QUARTER < lit(motion.lights(0.0))[0, 1] < 1


def test_a_start_with_an_led_holds_its_pegs_without_pulsing() -> None:
    track = TABLE.tracks[0]
    start = replace(track.holes[0], hole=0)
    kit = replace(TABLE, tracks=(replace(track, holes=(start, *track.holes)), TABLE.tracks[1]))
    motion = Motion(kit, (Pegs(), Pegs(4, 2)))
    assert motion.wakes(0.0) is None
    assert motion.lights(0.0).pegs[:2] == (Lamp(0, 0, 1.0), Lamp(0, 0, QUARTER))


def leds_lit(kit: Kit, motion: Motion, at: float = 9.0) -> dict[int, int]:
    """Return the LEDs that are lit, and how much light each has."""
    return {led: sum(colour) for led, colour in enumerate(compose(kit, motion.lights(at))) if any(colour)}


def hole(side: int, number: int) -> int:
    """Return the LED of hole *number*, 0 to 61, of a track of the travel board."""
    return next(place.led for place in TRAVEL.track_of(side).holes if place.hole == number)


LAPS = [
    # orange's pegs  target orange's holes that are lit  why
    (Pegs(0, 0), 121, {0}, "both pegs stand in the start"),
    (Pegs(5, 0), 121, {0, 5}, "the back peg is still in the start"),
    (Pegs(28, 22), 121, {28, 22}, "the first time round the start is dark"),
    (Pegs(60, 52), 121, {60, 52}, "the last hole of the first time round"),
    (Pegs(61, 60), 121, {0, 1, 60}, "the second time round the start is lit"),
    (Pegs(75, 66), 121, {0, 15, 6}, "both pegs go round the second time"),
    (Pegs(58, 62), 121, {58, 2}, "taken back over the line the front peg goes round the first time again"),
    (Pegs(70, 10), 121, {0, 10}, "put right: a front peg covers the back one in the same hole"),
    (Pegs(121, 112), 121, {0, 61, 52}, "the game hole of 121"),
    (Pegs(61, 55), 61, {61, 55}, "the game hole of 61 is reached the first time"),
    (Pegs(91, 80), 91, {0, 31, 20}, "a game to 91 ends in hole 31, the second time"),
]


@pytest.mark.parametrize(("pegs", "target", "lit_up", "why"), LAPS)
def test_the_travel_board_shows_where_the_pegs_are_and_whether_it_is_the_second_time_round(
    pegs: Pegs, target: int, lit_up: set[int], why: str
) -> None:
    other = Pegs(31, 30)
    shown = leds_lit(TRAVEL, Motion(TRAVEL, (pegs, other), target=target))
    assert set(shown) == {hole(0, number) for number in lit_up} | {hole(1, 31), hole(1, 30)}, why
    if pegs.front != pegs.back and pegs != Pegs(70, 10):
        dim = {hole(0, number) for number in lit_up} - {TRAVEL.led(0, pegs.front, target)}
        assert all(3.5 < shown[TRAVEL.led(0, pegs.front, target) or 0] / shown[led] < 4.5 for led in dim), why


def test_a_walk_on_the_travel_board_goes_on_from_hole_60_to_hole_1_and_lights_the_start() -> None:
    motion = Motion(TRAVEL, (Pegs(58, 50), Pegs(4, 2))).toward((Pegs(63, 58), Pegs(4, 2)), 0.0)
    other = {hole(1, 4), hole(1, 2)}
    seen = [set(leds_lit(TRAVEL, motion, at)) - other - {hole(0, 58)} for at, _ in pictures(motion, 0.0)]
    assert seen == [
        {hole(0, 59)},
        {hole(0, 60)},
        {hole(0, 1), hole(0, 0)},
        {hole(0, 2), hole(0, 0)},
        {hole(0, 3), hole(0, 0)},
        {hole(0, 3), hole(0, 0)},
    ]


def test_a_walk_to_the_game_hole_of_61_never_begins_again() -> None:
    motion = Motion(TRAVEL, (Pegs(58, 50), Pegs(4, 2))).toward((Pegs(61, 58), Pegs(4, 2)), 0.0, target=61)
    seen = [set(leds_lit(TRAVEL, motion, at)) for at, _ in pictures(motion, 0.0)]
    assert all(not lit & {hole(0, 0), hole(0, 1)} for lit in seen)
    assert hole(0, 61) in seen[-1]
    assert motion.toward((Pegs(61, 58), Pegs(5, 4)), 1.0).target == 61


def test_sides_that_share_a_start_show_in_turn_who_goes_round_the_second_time() -> None:
    motion = Motion(TRAVEL, (Pegs(75, 66), Pegs(4, 2), Pegs(80, 71)), still=True)
    start = hole(0, 0)
    orange, blue, white = (compose(TRAVEL, motion.lights(turn / 2))[start] for turn in (0, 2, 1))
    assert orange == blue != white
    assert orange[0] > orange[2]
    assert len(set(white)) == 1
    assert motion.wakes(7.2) == 7.5


def test_in_a_game_to_61_the_game_hole_and_hole_1_are_two_holes() -> None:
    pegs = (Pegs(61, 55), Pegs(4, 2), Pegs(1, 0))
    assert Motion(TRAVEL, pegs, target=61, still=True).wakes(7.2) is None
    assert Motion(TRAVEL, pegs, target=121, still=True).wakes(7.2) == 7.5


@given(st.builds(Pegs, st.integers(1, 120), st.integers(0, 120)), st.integers(61, 121))
def test_a_start_is_lit_exactly_when_a_peg_stands_in_it_or_has_gone_round(pegs: Pegs, target: int) -> None:
    assume(pegs.front < target)
    shown = leds_lit(TRAVEL, Motion(TRAVEL, (pegs, Pegs(4, 2)), target=target))
    assert (hole(0, 0) in shown) == (pegs.front > 60 or pegs.back == 0)


def test_a_hint_past_hole_60_breathes_in_the_holes_of_the_second_time_round() -> None:
    motion = Motion(TRAVEL, (Pegs(58, 50), Pegs(46, 44)), still=True, hints=((0, 66), (1, 54)))
    assert {hole(0, 6), hole(1, 54)} <= set(leds_lit(TRAVEL, motion))
    assert hole(0, 0) not in leds_lit(TRAVEL, motion)


def test_hints_breathe_for_each_side_and_are_gone_with_the_next_event() -> None:
    pegs = (Pegs(28, 26), Pegs(46, 44))
    motion = Motion(TABLE, pegs, hints=((0, 34), (1, 52)))
    seen = [lit(motion.lights(at / 50)) for at in range(200)]
    assert min(light[0, 34] for light in seen) < 0.1 < max(light[1, 52] for light in seen) == 1
    assert motion.toward((Pegs(34, 28), pegs[1]), 0.0).hints == ()


@given(any_pegs, times)
def test_what_breathes_changes_at_most_twelve_times_a_second(pegs: tuple[Pegs, ...], at: float) -> None:
    motion = Motion(KITS["table-3"], pegs, hints=((0, 34),))
    wakes = 0
    now = at
    while (wake := motion.wakes(now)) is not None and wake <= at + 1:
        now, wakes = wake, wakes + 1
    assert 9 <= wakes <= BREATHS_A_SECOND


@given(hole=st.integers(1, 121), back=st.booleans(), still=st.booleans(), at=times)
def test_two_sides_in_one_hole_are_each_seen_within_a_second(
    *, hole: int, back: bool, still: bool, at: float
) -> None:
    other = Pegs(121, hole) if back and hole < 121 else Pegs(hole, 0)
    motion = Motion(SHARED, (Pegs(hole, 0), other), still)
    led = SHARED.led(0, hole)
    assert led is not None
    now: float = at
    seen: list[tuple[int, int, int]] = []
    while now < at + 1:
        seen.append(compose(SHARED, motion.lights(now))[led])
        wake = motion.wakes(now)
        assert wake is not None
        now = wake
    assert any(red > blue for red, _, blue in seen)
    assert any(blue > red for red, _, blue in seen)
    assert len(seen) <= 3


def test_three_sides_at_the_start_of_one_track_pulse_in_turn() -> None:
    motion = Motion(SHARED, (Pegs(), Pegs(), Pegs()))
    shown = [compose(SHARED, motion.lights(turn / 2))[0] for turn in range(3)]
    assert shown[0][2] == 0
    assert shown[1][0] == 0
    assert len(set(shown[2])) == 1


@given(kits, leapfrogs(), gestures, times)
def test_a_table_comes_to_rest_within_seconds_unless_sides_share_a_hole(
    kit: Kit, leapfrog: tuple[tuple[Pegs, ...], tuple[Pegs, ...], int], gesture: Gesture | None, at: float
) -> None:
    before, after, _ = leapfrog
    assume(Motion(kit, after).wakes(at) is None)
    seen = pictures(Motion(kit, before).toward(after, at, gesture), at)
    assert seen[-1][0] <= at + 5
    assert seen[-1][1] == Motion(kit, after).lights(seen[-1][0])
    assert seen[-1][1].over == ()


@given(kits, leapfrogs(), gestures, times)
def test_nothing_changes_between_two_wakes(
    kit: Kit, leapfrog: tuple[tuple[Pegs, ...], tuple[Pegs, ...], int], gesture: Gesture | None, at: float
) -> None:
    before, after, _ = leapfrog
    motion = Motion(kit, before).toward(after, at, gesture)
    for _ in range(40):
        wake = motion.wakes(at)
        if wake is None:
            assert compose(kit, motion.lights(at)) == compose(kit, motion.lights(at + 100))
            break
        between = min(
            at + (wake - at) * 0.9, math.nextafter(wake, at)
        )  # the sum may be rounded up to the wake
        assert compose(kit, motion.lights(at)) == compose(kit, motion.lights(between))
        at = wake


@given(kit=kits, leapfrog=leapfrogs(), gesture=gestures, still=st.booleans(), at=times)
def test_no_led_flashes_more_than_three_times_in_a_second(
    *,
    kit: Kit,
    leapfrog: tuple[tuple[Pegs, ...], tuple[Pegs, ...], int],
    gesture: Gesture | None,
    still: bool,
    at: float,
) -> None:
    before, after, _ = leapfrog
    motion = Motion(kit, before, still).toward(after, at, gesture)
    lights = [(at, compose(kit, motion.lights(at)))]
    while (wake := motion.wakes(lights[-1][0])) is not None and wake < at + 6:
        lights.append((wake, compose(kit, motion.lights(wake))))
    for led in range(kit.strip.leds):
        starts = [
            now
            for (_, one), (now, other) in pairwise(lights)
            if sum(other.data[3 * led : 3 * led + 3]) and not sum(one.data[3 * led : 3 * led + 3])
        ]
        assert all(fourth - first > 1 for first, fourth in zip(starts, starts[3:], strict=False))


def test_a_gesture_waits_for_the_walk_and_gives_way_to_the_pegs() -> None:
    gesture = Gesture(GestureKind.HEELS, 1, 6)
    motion = Motion(TABLE, (Pegs(9, 2), Pegs(4, 2))).toward((Pegs(9, 2), Pegs(6, 4)), 0.0, gesture)
    seen = [(round(at, 2), sorted(lamp.hole for lamp in lights.over)) for at, lights in pictures(motion, 0.0)]
    assert seen == [(0, [5]), (0.08, [6]), (0.16, [5, 7]), (0.35, []), (0.54, [5, 7]), (0.72, [])]


def test_a_gesture_without_a_walk_begins_at_once() -> None:
    pegs = (Pegs(9, 2), Pegs(4, 2))
    motion = Motion(TABLE, pegs).toward(pegs, 3.0, Gesture(GestureKind.HEELS, 1, 4))
    assert [lamp.hole for lamp in motion.lights(3.0).over] == [3, 5]


def test_a_winning_side_sweeps_its_track_and_the_table_rests() -> None:
    gesture = Gesture(GestureKind.WIN, 0, 121)
    motion = Motion(TABLE, (Pegs(119, 110), Pegs(88, 80))).toward(
        (Pegs(121, 119), Pegs(88, 80)), 0.0, gesture
    )
    seen = pictures(motion, 0.0)
    assert max(len(lights.over) for _, lights in seen) == 121
    assert 2 < seen[-1][0] < 4
    assert lit(seen[-1][1]) == {(0, 121): 1, (0, 119): QUARTER, (1, 88): 1, (1, 80): QUARTER}


@pytest.mark.parametrize("name", KITS)
def test_an_idle_board_leapfrogs_two_dim_pegs_for_ten_minutes_and_then_is_dark(name: str) -> None:
    motion = Motion.attract(KITS[name], since=50.0)
    seen = pictures(motion, 50.0, most=700)
    assert seen[-1][0] == 50.0 + ATTRACT
    assert compose(KITS[name], seen[-1][1]) == Frame.dark(KITS[name].strip.leds)
    for _, lights in seen[:-1]:
        assert sum(any(colour) for colour in compose(KITS[name], lights)) == 2
        assert all(lamp.light < QUARTER for lamp in lights.pegs)
    for (_, one), (_, other) in pairwise(seen[:60]):
        moved = [(a.hole, b.hole) for a, b in zip(one.pegs, other.pegs, strict=True) if a != b]
        assert len(moved) == 1
        assert moved[0][1] > max(lamp.hole for lamp in one.pegs) or moved[0][1] < 5


def test_a_still_idle_board_stands_and_then_is_dark() -> None:
    motion = Motion.attract(TABLE, since=50.0, still=True)
    assert [at for at, _ in pictures(motion, 50.0)] == [50.0, 50.0 + ATTRACT]
    assert motion.lights(50.0) == motion.lights(649.0) != motion.lights(650.0)


def test_a_game_wakes_an_idle_board_at_once() -> None:
    pegs = (Pegs(28, 26), Pegs(46, 44))
    assert Motion.attract(TABLE, since=0.0).toward(pegs, 9.0) == Motion(TABLE, pegs)
