"""The drawing of the board: its marks, and labels that don't overlap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import dist
from xml.etree import ElementTree as ET

import pytest
from PIL import ImageFont
from support.paths import PACKAGE

from cribpi.companion.kit import HolePosition, Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.board.layout import OWN, must_share, upright, with_own_tracks
from cribpi.companion.views.board.svg import board_svg

SVG = "{http://www.w3.org/2000/svg}"
LANE = 0.38  # half of a lane's width, in distances between holes
DESK, PHONE = (760, 400), (360, 400)
ENGRAVED = {
    # kit: room: target: what is written
    "table": {
        DESK: {
            121: "121 START START 30 30 60 60 90 90 120 120",
            61: "61 61 START START 30 30 60 60",
        },
        PHONE: {
            121: "121 START START 30 30 60 60 90 90 120 120",
            61: "61 61 START START 30 30 60 60",
        },
    },
    "table-3": {
        DESK: {
            121: "121 START 30 60 90 120",
            61: "61 START 30 60",
        },
        PHONE: {
            121: "121 START",
            61: "61 START",
        },
    },
    "strip-121": {
        DESK: {
            121: "121 START 30 60 90 120",
            61: "61 START 30 60",
        },
        PHONE: {
            121: "121 START 30 60 90",
            61: "61 START 30 60",
        },
    },
    "table-games": {
        DESK: {
            121: "121 START START 30 30 60 60 90 90 120 120 GAMES",
            61: "61 61 START START 30 30 60 60 GAMES",
        },
        PHONE: {
            121: "121 START START 30 30 60 60 90 90 120 120 GAMES",
            61: "61 61 START START 30 30 60 60 GAMES",
        },
    },
    "travel-61": {
        DESK: {
            121: "121 121 START START 30/90 30/90 60/120 60/120 GAMES",
            61: "61 61 START START 30 30 60 60 GAMES",
            91: "91 91 START START 30/90 30/90 60 60 GAMES",
        },
        PHONE: {
            121: "121 121 START START 30/90 30/90 GAMES",
            61: "61 61 START START 30 30 GAMES",
            91: "91 91 START START 30/90 30/90 GAMES",
        },
    },
    "strip-60": {
        DESK: {
            121: "121 START START 30 30 60 60 90 90 120",
            61: "61 61 START START 30 30 60 60",
        },
        PHONE: {
            121: "121 START START 30 30 60 60 90 90",
            61: "61 61 START START 30 30 60 60",
        },
    },
    "matrix-32x8": {
        DESK: {
            121: "121 START START 30 30 60 60 90",
            61: "61 START START 30 30 60",
        },
        PHONE: {
            121: "121 START START 30 30 60 60 90",
            61: "61 START START 30 30 60 60",
        },
    },
}


@cache
def face() -> ImageFont.FreeTypeFont:
    """Return the face of the page's letters, as large as 100 of what its size is told in."""
    font = ImageFont.truetype(PACKAGE / "companion" / "web" / "page" / "vendor" / "figtree.woff2", 100)
    font.set_variation_by_axes([650])
    return font


@dataclass(frozen=True)
class Label:
    text: str
    x: float
    y: float
    width: float
    height: float

    def off(self, place: HolePosition) -> float:
        """Return how many millimetres *place* is off the box."""
        x = max(0.0, abs(self.x - place.x) - self.width / 2)
        y = max(0.0, abs(self.y - place.y) - self.height / 2)
        return float((x * x + y * y) ** 0.5)


def drawn(kit: Kit, target: int, room: tuple[int, int], sides: int = 0) -> ET.Element:
    return ET.fromstring(  # noqa: S314  our own
        board_svg(kit, target, sides, room, is_upright=room[1] > room[0])
    )


def labels(svg: ET.Element) -> list[Label]:
    found = []
    for text in svg.iterfind(f".//{SVG}text[@class='label']"):
        words, size = text.text or "", float(text.get("font-size", ""))
        height = size * 0.7  # of Figtree's capitals
        middle = float(text.get("y", "")) - height / 2
        width = face().getlength(words) * size / 100
        found.append(Label(words, float(text.get("x", "")), middle, width, height))
    return found


def pitch(kit: Kit) -> float:
    return min(
        max(abs(one.x - other.x), abs(one.y - other.y))
        for track in kit.tracks
        for one, other in [track.holes[4:6]]
    )


@pytest.mark.parametrize("name", ENGRAVED)
def test_no_label_lies_on_a_hole_a_ring_another_or_the_edge(name: str) -> None:
    kit = load_kit(name)
    for room, written in ENGRAVED[name].items():
        shown = upright(kit) if room == PHONE else kit
        for target, words in written.items():
            found = labels(drawn(kit, target, room))
            assert " ".join(label.text for label in found) == words, (room, target)
            assert_all_have_room(shown, target, found)


def assert_all_have_room(kit: Kit, target: int, found: list[Label]) -> None:
    board, step = kit.board, pitch(kit)
    for label in found:
        assert label.width / 2 <= label.x <= board.width - label.width / 2, label
        assert label.height / 2 <= label.y <= board.height - label.height / 2, label
        for track in kit.tracks:
            for place in track.holes:
                is_game_hole = place == track.place(target, target)
                assert label.off(place) > (0.5 if is_game_hole else LANE) * step, (label, place)
            for place in (place for row in track.games for place in row.holes):
                assert label.off(place) > LANE * step, (label, place)
            if label.text == "START":
                first = next(p for p in track.holes if p.hole == 1)
                if board.width > board.height:
                    assert label.x + label.width / 2 < first.x
                else:
                    assert label.y - label.height / 2 > first.y
    for one, other in combinations(found, 2):
        apart = abs(one.x - other.x) >= (one.width + other.width) / 2
        assert apart or abs(one.y - other.y) >= (one.height + other.height) / 2, (one, other)


@pytest.mark.parametrize("name", ENGRAVED)
@pytest.mark.parametrize("target", [61, 91, 121])
def test_the_game_hole_alone_has_a_ring(name: str, target: int) -> None:
    kit = load_kit(name)
    rings = drawn(kit, target, DESK).iterfind(f".//{SVG}g[@class='rings']/{SVG}circle")
    found = {(float(ring.get("cx", "")), float(ring.get("cy", ""))) for ring in rings}
    assert found == {place.at for track in kit.tracks if (place := track.place(target, target))}


def skunk_lines(kit: Kit, target: int) -> list[tuple[float, float]]:
    path = drawn(kit, target, DESK).find(f".//{SVG}path[@class='skunk']")
    assert path is not None
    starts = (line.split("L")[0].split() for line in path.get("d", "").split("M")[1:])
    return [(float(x), float(y)) for x, y in starts]


@pytest.mark.parametrize("name", ENGRAVED)
def test_the_line_at_60_is_double_and_a_short_game_has_one_at_30(name: str) -> None:
    kit = load_kit(name)
    skunks = skunk_lines(kit, 121)
    assert len(skunks) == 3 * len(kit.tracks)
    for at_90, at_60, beside in zip(skunks[::3], skunks[1::3], skunks[2::3], strict=True):
        assert dist(at_60, beside) < 3 < dist(at_90, at_60)
    assert len(skunk_lines(kit, 61)) == len(kit.tracks)


def holes(svg: ET.Element) -> dict[int, tuple[float, float]]:
    circles = svg.iterfind(f".//{SVG}circle[@data-led]")
    return {
        int(one.get("data-led", "")): (float(one.get("cx", "")), float(one.get("cy", ""))) for one in circles
    }


@pytest.mark.parametrize("name", ENGRAVED)
def test_each_hole_stands_where_the_kit_has_it_under_the_number_of_its_led(name: str) -> None:
    kit = load_kit(name)
    places = [place for track in kit.tracks for place in track.holes]
    places += [place for track in kit.tracks for row in track.games for place in row.holes]
    assert holes(drawn(kit, 121, DESK)) == {place.led: place.at for place in places}
    first, width, height = kit.tracks[0].holes[0], kit.board.width, kit.board.height
    turned = {
        place.led: (place.y, width - place.x) if first.x < width / 2 else (height - place.y, place.x)
        for place in places
    }
    on_end = holes(drawn(kit, 121, PHONE))
    assert on_end.keys() == turned.keys()
    assert all(dist(at, turned[led]) < 0.02 for led, at in on_end.items())


@pytest.mark.parametrize("name", ENGRAVED)
def test_three_who_would_share_a_track_have_one_each(name: str) -> None:
    kit = load_kit(name)
    svg = drawn(kit, 121, DESK, sides=3)
    assert must_share(kit, 3) == (svg.get("data-own") is not None) == (name != "table-3")
    assert not must_share(kit, 2)
    if svg.get("data-own"):
        assert svg.get("data-own") == str(OWN)
        assert set(holes(svg)) == {OWN * side + hole for side in range(3) for hole in range(122)}
        assert_all_have_room(with_own_tracks(kit, 3), 121, labels(svg))


def test_the_letters_of_a_small_board_are_as_high_on_the_screen_as_those_of_a_large_one() -> None:
    kit = load_kit("table")
    for room in (PHONE, (320, 300), DESK, (1900, 1000)):
        svg = drawn(kit, 121, room)
        width, height = (float(size) for size in svg.get("viewBox", "").split()[2:])
        scale = min(room[0] / width, room[1] / height)
        sizes = {float(text.get("font-size", "")) for text in svg.iterfind(f".//{SVG}text")}
        assert min(sizes) * scale >= 8.9, room
