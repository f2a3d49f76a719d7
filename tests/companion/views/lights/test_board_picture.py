"""The picture of the board that `cribpi simulate --png` writes."""

from __future__ import annotations

from functools import cache

import pytest
from PIL import Image

from cribpi.companion.kit import HolePosition, Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.board.layout import layout
from cribpi.companion.views.lights.board_picture import SCALE, board_picture
from cribpi.companion.views.lights.frame import Frame, compose
from cribpi.companion.views.lights.motion import Motion
from cribpi.cribbage.rules.seats import Pegs

KITS = [
    load_kit(name)
    for name in ("table", "table-3", "strip-121", "table-games", "travel-61", "strip-60", "matrix-32x8")
]
TRAVEL = KITS[4]
RING = 3.35  # from the middle of a hole to the ring around it, in millimetres


class Picture:
    """A picture to look at in millimetres."""

    def __init__(self, image: Image.Image) -> None:
        self._image = image

    def pixel(self, x: float, y: float) -> tuple[int, int, int]:
        colour = self._image.getpixel((round(x * SCALE), round(y * SCALE)))
        assert isinstance(colour, tuple)
        red, green, blue = colour
        return red, green, blue


def picture_of(kit: Kit, target: int, lit: dict[int, tuple[int, int, int]] | None = None) -> Picture:
    told = [(lit or {}).get(led, (0, 0, 0)) for led in range(kit.strip.leds)]
    return _drawn(kit, bytes(part for colour in told for part in colour), target)


@cache  # many tests look at the same dark board, and one takes a while to draw
def _drawn(kit: Kit, leds: bytes, target: int) -> Picture:
    return Picture(board_picture(kit, Frame(leds), target))


def brightness(picture: Picture, x: float, y: float) -> int:
    return sum(picture.pixel(x, y))


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
@pytest.mark.parametrize("target", [61, 91, 121])
def test_the_game_hole_alone_is_ringed(kit: Kit, target: int) -> None:
    assert ringed(kit, target) == {kit.led(side, target, target) for side in (0, 1, 2)}


def ringed(kit: Kit, target: int) -> set[int]:
    """Return the LEDs whose holes have a ring around them."""
    picture = picture_of(kit, target)
    return {
        place.led
        for track in kit.tracks
        for place in track.holes
        if brightness(picture, place.x + 0.7 * RING, place.y + 0.7 * RING) > 600
    }


def test_the_ring_of_the_travel_board_is_round_hole_61_or_where_another_game_ends() -> None:
    for target, hole in ((61, 61), (121, 61), (91, 31), (45, 45)):
        places = [place for track in TRAVEL.tracks for place in track.holes if place.hole == hole]
        assert ringed(TRAVEL, target) == {place.led for place in places}, target


@pytest.mark.parametrize("target", [31, 60, 61, 62, 75, 90, 91, 92, 120, 121])
def test_every_board_is_drawn_whatever_the_target(target: int) -> None:
    for kit in KITS:
        assert ringed(kit, target) == {kit.led(side, target, target) for side in (0, 1, 2)}, kit.name


def test_the_lines_of_the_travel_board_are_after_30_and_in_a_long_game_after_60_too() -> None:
    street_end, game_hole = TRAVEL.tracks[0].holes[60], TRAVEL.tracks[0].holes[61]
    middle, turn = (street_end.x + game_hole.x) / 2, 232.64 + 7
    for target, is_long in ((121, True), (61, False)):
        picture = picture_of(TRAVEL, target)
        across = [brightness(picture, middle + step / 4, street_end.y) for step in range(-8, 9)]
        assert (min(across) < 150) == is_long
        assert brightness(picture, turn, 22) < 150


def test_a_start_with_a_light_has_its_arrow_before_it() -> None:
    picture = picture_of(TRAVEL, 121)
    for track in TRAVEL.tracks:
        start, first = track.holes[:2]
        assert brightness(picture, (start.x + first.x) / 2, start.y) < 600
        assert brightness(picture, start.x, start.y) < 150
        assert brightness(picture, start.x - 7.5, start.y) > 600


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_a_lit_hole_has_its_colour_and_a_dark_one_none(kit: Kit) -> None:
    first, second = kit.tracks[0].holes[27:29]
    picture = picture_of(kit, 121, {first.led: (255, 24, 0)})
    red, _, blue = picture.pixel(first.x, first.y)
    assert red == 255 > blue + 100
    far = kit.tracks[0].holes[50]
    assert brightness(picture, far.x, far.y) < 150
    assert brightness(picture, second.x, second.y) < brightness(picture, first.x, first.y)


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
@pytest.mark.parametrize("target", [61, 121])
def test_no_number_lies_on_a_hole(kit: Kit, target: int) -> None:
    picture = picture_of(kit, target)
    for track in kit.tracks:
        for place in track.holes:
            assert brightness(picture, place.x, place.y) < 150, place
            assert all(brightness(picture, place.x + dx, place.y) < 600 for dx in (-2.5, 2.5)), place


def test_each_track_begins_with_an_arrow() -> None:
    for kit in KITS:
        picture = picture_of(kit, 121)
        for lane in layout(kit, 121).lanes:
            assert brightness(picture, lane.start.real, lane.start.imag) > 600, kit.name


def test_the_skunk_line_is_after_90_or_in_a_short_game_after_30() -> None:
    kit = KITS[0]
    for target, hole, other in ((121, 90, 30), (61, 30, 90)):
        picture = picture_of(kit, target)
        places = kit.tracks[0].holes
        drawn, bare = (
            brightness(picture, places[at - 1].x + 7.5, (places[at - 1].y + places[at].y) / 2)
            for at in (hole, other)
        )
        assert drawn < 150 < bare


def places(kit: Kit) -> list[HolePosition]:
    """Return the holes of all tracks, and those of the games won."""
    games = [place for track in kit.tracks for row in track.games for place in row.holes]
    return [place for track in kit.tracks for place in track.holes] + games


def lit_holes(kit: Kit, *pegs: Pegs, games: tuple[int, ...] = ()) -> dict[int, tuple[int, int, int]]:
    """Return the LEDs whose holes look lit in the picture of a table at rest, and how they look."""
    frame = compose(kit, Motion(kit, pegs, still=True, games=games).lights(0.0))
    picture = Picture(board_picture(kit, frame, 121))
    shown = {place.led: picture.pixel(place.x, place.y) for place in places(kit)}
    return {led: colour for led, colour in shown.items() if max(colour) > 150}


def test_the_games_won_look_lit_and_no_other_hole_of_theirs_does() -> None:
    kit = KITS[3]
    shown = lit_holes(kit, Pegs(90, 85), Pegs(88, 80), games=(3, 7))
    third, seventh = 123, 128
    assert set(shown) == {89, 84, 168, 176, third, seventh}
    assert shown[third][0] > 200 > shown[third][2]
    assert shown[seventh][2] > 200 > shown[seventh][0]


def test_the_holes_for_games_are_dark_holes_in_a_lane_of_their_own_with_their_name_beside() -> None:
    kit = KITS[3]
    picture, plain = picture_of(kit, 121), picture_of(KITS[0], 121)
    for place in (place for track in kit.tracks for row in track.games for place in row.holes):
        assert brightness(picture, place.x, place.y) < 150
        assert brightness(picture, place.x, place.y + 3) > brightness(plain, place.x, place.y + 3)
    across = [brightness(picture, 139 + step / 4, 90) for step in range(70)]
    assert max(across) > 600


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_a_front_peg_behind_its_back_peg_is_still_the_brighter(kit: Kit) -> None:
    shown = lit_holes(kit, Pegs(20, 26), Pegs(46, 44))
    front, back = (kit.led(0, hole) for hole in (20, 26))
    assert len(shown) == 4
    assert front is not None
    assert back is not None
    assert shown[front][1] > shown[back][1] + 30


def test_three_sides_look_lit_on_three_tracks() -> None:
    kit = KITS[1]
    shown = lit_holes(kit, Pegs(28, 20), Pegs(46, 40), Pegs(70, 61))
    assert set(shown) == {
        kit.led(side, hole) for side, holes in enumerate(((28, 20), (46, 40), (70, 61))) for hole in holes
    }


def test_the_second_time_round_the_travel_board_looks_as_the_first_but_for_a_dim_start() -> None:
    once, twice = (lit_holes(TRAVEL, Pegs(15 + 60 * lap, 6 + 60 * lap), Pegs(46, 44)) for lap in (0, 1))
    start = TRAVEL.led(0, 0)
    assert start is not None
    assert set(twice) - set(once) == {start}
    assert set(once) <= set(twice)
    front, back = TRAVEL.led(0, 15), TRAVEL.led(0, 6)
    assert front is not None
    assert back is not None
    assert max(map(abs, (a - b for a, b in zip(twice[start], twice[back], strict=True)))) < 40
    assert twice[front][1] > twice[start][1] + 30


def test_the_ends_of_its_streets_bear_both_numbers_where_a_game_passes_them_twice() -> None:
    street_end = TRAVEL.tracks[0].holes[60]
    numbers = {}
    for target in (61, 121):
        picture = picture_of(TRAVEL, target)
        places = [(street_end.x + step / 4, street_end.y - 7.5) for step in range(-40, 41)]
        written = [
            x for x, y in places if max(brightness(picture, x, y + dy / 4) for dy in range(-6, 7)) > 600
        ]
        numbers[target] = max(written) - min(written)
    assert 3 < numbers[61] < 7, "60"
    assert 12 < numbers[121] < 17, "60/120"
