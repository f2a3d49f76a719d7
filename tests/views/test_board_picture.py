"""The picture of the board that `cribpi simulate --png` writes."""

from __future__ import annotations

import pytest
from PIL import Image

from cribpi.kit import Kit, Place, load_kit
from cribpi.views.board_picture import SCALE, board_picture
from cribpi.views.frame import Frame

KITS = [load_kit(name) for name in ("table", "table-3", "strip-121")]
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
    return Picture(board_picture(kit, Frame(bytes(part for colour in told for part in colour)), target))


def brightness(picture: Picture, x: float, y: float) -> int:
    return sum(picture.pixel(x, y))


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
@pytest.mark.parametrize("target", [61, 121])
def test_the_game_hole_alone_is_ringed(kit: Kit, target: int) -> None:
    picture = picture_of(kit, target)
    ringed = {
        place.hole
        for track in kit.tracks
        for place in track.holes
        if brightness(picture, place.x + 0.7 * RING, place.y + 0.7 * RING) > 600
    }
    assert ringed == {target}


@pytest.mark.parametrize("kit", KITS, ids=lambda kit: kit.name)
def test_a_lit_hole_has_its_colour_and_a_dark_one_none(kit: Kit) -> None:
    first, second = kit.tracks[0].holes[27:29]
    picture = picture_of(kit, 121, {first.led: (255, 24, 0)})
    red, _, blue = picture.pixel(first.x, first.y)
    assert red == 255 > blue + 100
    far = kit.tracks[0].holes[80]
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
        assert all(brightness(picture, first.x - 9, first.y) > 600 for first in firsts(kit)), kit.name


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


def firsts(kit: Kit) -> list[Place]:
    return [place for track in kit.tracks for place in track.holes if place.hole == 1]
