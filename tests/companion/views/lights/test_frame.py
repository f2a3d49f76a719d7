from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.lights.frame import (
    QUARTER,
    SIDE_COLOURS,
    Frame,
    Lamp,
    Lights,
    compose,
    current,
    light_of,
    meet_on_a_led,
)

KITS = {
    name: load_kit(name)
    for name in ("strip-121", "strip-60", "matrix-32x8", "table", "table-3", "table-games", "travel-61")
}
TABLE = KITS["table"]
SHARED = KITS["strip-121"]

kits = st.sampled_from(list(KITS.values()))
lamps = st.builds(Lamp, st.integers(0, 2), st.integers(0, 121), st.floats(0.001, 1))
few = st.builds(
    Lights,
    st.lists(lamps, max_size=9).map(tuple),
    st.lists(lamps, max_size=9).map(tuple),
    st.integers(0, 10**9),
    st.lists(st.integers(0, 20), max_size=3).map(tuple),
)
full_track = st.builds(
    lambda side, light: tuple(Lamp(side, hole, light) for hole in range(1, 122)),
    st.integers(0, 2),
    st.floats(0.001, 1),
)
many = st.builds(lambda tracks: Lights(over=tuple(sum(tracks, ()))), st.lists(full_track, max_size=3))
scenes = few | many


def lit(frame: Frame) -> set[int]:
    return {led for led, colour in enumerate(frame) if any(colour)}


def asked(kit: Kit, lights: Lights) -> set[int]:
    leds = {kit.led(lamp.side, lamp.hole) for lamp in (*lights.pegs, *lights.over)}
    leds |= {kit.games_led(side, games) for side, games in enumerate(lights.games)}
    return {led for led in leds if led is not None}


def test_a_dark_frame_has_a_black_for_every_led() -> None:
    frame = Frame.dark(3)
    assert list(frame) == [(0, 0, 0)] * 3
    assert len(frame) == 3


@pytest.mark.parametrize(
    ("score", "target", "hole"), [(61, 121, 1), (61, 61, 61), (121, 121, 61), (91, 91, 31), (62, 61, None)]
)
def test_on_a_board_of_61_holes_the_target_says_where_a_peg_stands(
    score: int, target: int, hole: int | None
) -> None:
    kit = KITS["travel-61"]
    leds = {place.led for place in kit.tracks[0].holes if place.hole == hole}
    assert lit(compose(kit, Lights((Lamp(0, score),), target=target))) == leds
    assert lit(compose(kit, Lights(over=(Lamp(0, score),), target=target))) == leds
    assert lit(compose(TABLE, Lights((Lamp(0, score),), target=target))) == {score - 1}


def test_two_scores_that_share_a_hole_on_the_second_time_round_take_turns() -> None:
    kit = KITS["travel-61"]
    assert meet_on_a_led(kit, Lights((Lamp(0, 7), Lamp(2, 67))))
    assert not meet_on_a_led(kit, Lights((Lamp(0, 7), Lamp(2, 67)), target=61))
    assert not meet_on_a_led(kit, Lights((Lamp(0, 7), Lamp(0, 67))))


@pytest.mark.parametrize("led", [-1, 3])
def test_there_is_no_led_beyond_the_ends(led: int) -> None:
    with pytest.raises(IndexError, match=f"there is no LED {led}"):
        Frame.dark(3)[led]


def test_nothing_to_show_is_a_dark_strip() -> None:
    assert compose(TABLE, Lights()) == Frame.dark(242)


COLOURS = [
    # side   light    colour after gamma      why
    (0, 1.0, (255, 24, 0), "orange"),
    (1, 1.0, (0, 11, 255), "blue"),
    (2, 1.0, (118, 118, 118), "white"),
    (0, QUARTER, (64, 6, 0), "the same hue at a quarter of the light"),
    (1, QUARTER, (0, 3, 64), "the same hue at a quarter of the light"),
    (2, QUARTER, (30, 30, 30), "the same hue at a quarter of the light"),
    (0, 0.0001, (3, 1, 0), "the least that tells orange from the others"),
    (1, 0.0001, (0, 0, 1), "the least that tells blue from the others"),
    (2, 0.0001, (1, 1, 1), "the least that tells white from the others"),
]


@pytest.mark.parametrize(("side", "light", "colour", "why"), COLOURS)
def test_a_lamp_has_its_sides_colour(side: int, light: float, colour: tuple[int, int, int], why: str) -> None:
    frame = compose(KITS["table-3"], Lights((Lamp(side, 5, light),)))
    led = KITS["table-3"].led(side, 5)
    assert led is not None
    assert frame[led] == colour, why
    assert lit(frame) == {led}


def test_the_three_colours_are_told_apart_without_red_against_green() -> None:
    assert SIDE_COLOURS == ((255, 96, 0), (0, 70, 255), (185, 185, 185))


def test_a_front_peg_behind_its_back_peg_is_still_the_bright_one() -> None:
    frame = compose(TABLE, Lights((Lamp(0, 5), Lamp(0, 9, QUARTER))))
    assert (frame[4], frame[8]) == ((255, 24, 0), (64, 6, 0))


@pytest.mark.parametrize("order", [1, -1])
def test_of_one_sides_pegs_in_a_hole_the_brighter_shows(order: int) -> None:
    frame = compose(TABLE, Lights((Lamp(0, 5), Lamp(0, 5, QUARTER))[::order]))
    assert frame[4] == (255, 24, 0)


def test_sides_that_share_a_hole_show_one_after_the_other_unmixed() -> None:
    pegs = (Lamp(0, 5, QUARTER), Lamp(1, 5), Lamp(2, 5))
    shown = [compose(SHARED, Lights(pegs, turn=turn))[4] for turn in range(4)]
    assert shown == [(64, 6, 0), (0, 11, 255), (118, 118, 118), (64, 6, 0)]
    assert meet_on_a_led(SHARED, Lights(pegs))


def test_sides_in_the_same_hole_of_different_tracks_do_not_meet() -> None:
    lights = Lights((Lamp(0, 5), Lamp(1, 5)))
    assert not meet_on_a_led(TABLE, lights)
    assert len(lit(compose(TABLE, lights))) == 2


GAMES = [
    # won     what is lit                              why
    ((0, 0), {}, "none won"),
    ((1, 0), {121: (255, 24, 0)}, "one peg, full, in the first hole"),
    ((3, 7), {123: (255, 24, 0), 128: (0, 11, 255)}, "one peg a side and not one for each game"),
    ((8, 9), {121: (255, 24, 0), 133: (0, 11, 255)}, "after seven it begins again"),
    ((), {}, "games are not pegged"),
]


@pytest.mark.parametrize(("won", "shown", "why"), GAMES)
def test_games_won_are_one_peg_a_side(
    won: tuple[int, ...], shown: dict[int, tuple[int, int, int]], why: str
) -> None:
    frame = compose(KITS["table-games"], Lights(games=won))
    assert {led: frame[led] for led in lit(frame)} == shown, why


def test_sides_that_share_a_games_hole_take_turns() -> None:
    kit = KITS["table-games"]
    shown = [compose(kit, Lights(turn=turn, games=(2, 2, 2)))[122] for turn in range(3)]
    assert shown == [(255, 24, 0), (118, 118, 118), (255, 24, 0)]
    assert meet_on_a_led(kit, Lights(games=(2, 2, 2)))
    assert not meet_on_a_led(kit, Lights(games=(2, 2, 3)))


@pytest.mark.parametrize("name", ["strip-121", "table", "table-3"])
def test_a_kit_without_holes_for_games_shows_none(name: str) -> None:
    lights = Lights((Lamp(0, 28), Lamp(1, 46)), games=(2, 1))
    assert compose(KITS[name], lights) == compose(KITS[name], Lights(lights.pegs))


def test_three_sides_on_three_tracks_light_a_track_each() -> None:
    kit = KITS["table-3"]
    frame = compose(kit, Lights(tuple(Lamp(side, 40) for side in range(3))))
    leds = [{place.led for place in track.holes} for track in kit.tracks]
    assert [[frame[led] for led in sorted(lit(frame) & track)] for track in leds] == [
        [(255, 24, 0)],
        [(0, 11, 255)],
        [(118, 118, 118)],
    ]


def test_what_lies_over_the_pegs_hides_them() -> None:
    frame = compose(SHARED, Lights((Lamp(0, 5), Lamp(1, 5)), over=(Lamp(2, 5),)))
    assert frame[4] == (118, 118, 118)


def test_a_start_without_an_led_shows_nothing() -> None:
    assert compose(TABLE, Lights((Lamp(0, 0),), over=(Lamp(1, 0),))) == Frame.dark(242)


@pytest.mark.parametrize("brightness", [-0.1, 1.1, float("nan")])
def test_a_brightness_out_of_range_is_refused(brightness: float) -> None:
    with pytest.raises(ValueError, match="give 0"):
        compose(TABLE, Lights(), brightness=brightness)


def test_brightness_nothing_is_dark() -> None:
    assert compose(TABLE, Lights((Lamp(0, 5),)), brightness=0) == Frame.dark(242)


def test_brightness_is_as_the_eye_sees_it() -> None:
    frame = compose(TABLE, Lights((Lamp(0, 5),)), brightness=0.5)
    assert frame[4][0] == round(255 * light_of(0.5)) == 48


@given(st.integers(0, 2), st.floats(0.001, 1))
def test_a_back_peg_has_less_than_half_of_a_front_pegs_light_at_any_brightness(
    side: int, brightness: float
) -> None:
    kit = KITS["table-3"]
    frame = compose(kit, Lights((Lamp(side, 9), Lamp(side, 5, QUARTER))), brightness=brightness)
    front, back = (max(frame[led]) for hole in (9, 5) if (led := kit.led(side, hole)) is not None)
    assert front > 2 * back > 0


def test_an_ordinary_frame_is_shown_as_it_is_and_draws_no_more_than_a_pi_can_spare() -> None:
    lights = Lights((Lamp(0, 28), Lamp(0, 26, QUARTER), Lamp(1, 46), Lamp(1, 44, QUARTER)))
    frame = compose(TABLE, lights)
    assert frame == compose(TABLE, lights, max_ma=10_000)
    assert 280 < current(frame) < 290


def test_so_is_one_with_games_won_on_both_sides() -> None:
    pegs = (Lamp(0, 28), Lamp(0, 26, QUARTER), Lamp(1, 46), Lamp(1, 44, QUARTER))
    lights = Lights(pegs, games=(6, 7))
    frame = compose(KITS["table-games"], lights)
    assert frame == compose(KITS["table-games"], lights, max_ma=10_000)
    assert 325 < current(frame) < 335


def test_a_whole_strip_is_dimmed_evenly_to_the_current_that_there_is() -> None:
    lights = Lights(over=tuple(Lamp(side, hole) for side in (0, 1) for hole in range(1, 122)))
    frame = compose(TABLE, lights)
    assert len(set(frame)) == 2
    assert 450 < current(frame) <= 500
    assert current(compose(TABLE, lights, max_ma=10_000)) > 4_000


@pytest.mark.parametrize("max_ma", [0, 1, 242, 243])
def test_a_supply_below_what_the_dark_strip_draws_leaves_it_dark(max_ma: int) -> None:
    lights = Lights(over=tuple(Lamp(1, hole) for hole in range(1, 122)))
    frame = compose(TABLE, lights, max_ma=max_ma)
    assert current(frame) <= max(max_ma, 242)


@given(kits, scenes, st.floats(0.01, 1), st.integers(0, 3000))
def test_no_frame_draws_more_than_it_may(kit: Kit, lights: Lights, brightness: float, max_ma: int) -> None:
    frame = compose(kit, lights, brightness=brightness, max_ma=max_ma)
    assert len(frame) == kit.strip.leds
    assert current(frame) <= max(max_ma, kit.strip.leds)


@given(kits, scenes, st.floats(0.01, 1))
def test_with_the_kits_own_supply_all_that_is_lit_shows_and_nothing_else(
    kit: Kit, lights: Lights, brightness: float
) -> None:
    assert lit(compose(kit, lights, brightness=brightness)) == asked(kit, lights)


@given(kits, scenes, st.integers(400, 1000), st.integers(1, 500))
def test_more_current_never_dims_a_strip(kit: Kit, lights: Lights, max_ma: int, more: int) -> None:
    assume(max_ma > kit.strip.leds)
    dimmer = compose(kit, lights, max_ma=max_ma)
    brighter = compose(kit, lights, max_ma=max_ma + more)
    assert all(low <= high for low, high in zip(dimmer.data, brighter.data, strict=True))


@given(kits, few)
def test_every_led_shows_one_sides_hue(kit: Kit, lights: Lights) -> None:
    frame = compose(kit, lights, max_ma=10_000)
    for red, green, blue in frame:
        assert blue == 0 or red == 0 or red == green == blue
