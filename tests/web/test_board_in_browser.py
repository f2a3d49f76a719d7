"""What is engraved on the page's board, in a real browser: each label has a place of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from playwright.sync_api import Browser, Page

from cribpi.core.board import Pegs
from cribpi.kit import Kit, Place, load_kit
from cribpi.views.frame import compose
from cribpi.views.motion import Motion
from cribpi.web.server import PageServer
from web.browser import needs_chromium, visit
from web.fake import PLAY, FakeCompanion, Side

pytestmark = [pytest.mark.browser, needs_chromium]

LABELS = """async (target) => {
  const { Board } = await import("/static/board.js");
  const kit = await (await fetch("/api/kit")).json();
  const canvas = document.createElement("canvas");
  const board = new Board(document.getElementById("board"), canvas, kit);
  board.aim(target);
  return board.labels(canvas.getContext("2d"));
}"""
LOOK = """([x, y, width]) => {
  const wood = document.getElementById("wood");
  const scale = wood.width / width;
  return [...wood.getContext("2d").getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data];
}"""
LANE = 0.38  # half of a lane's width, in distances between holes

DESK, PHONE = (1280, 800), (390, 844)
ENGRAVED = [
    # kit, target, size, what is written
    ("table", 121, DESK, "121 START START 30 30 60 60 90 90 120 120"),
    ("table", 121, PHONE, "121 30 30 60 60 90 90 120 120"),
    ("table", 61, DESK, "61 61 START START 30 30 60 60"),
    ("table", 61, PHONE, "61 61 30 30 60 60"),
    ("table-3", 121, DESK, "121 START 30 60 90 120"),
    ("table-3", 121, PHONE, "121 START 30 60 90 120"),
    ("table-3", 61, DESK, "61 START 30 60"),
    ("table-3", 61, PHONE, "61 START 30 60"),
    ("strip-121", 121, DESK, "121 START 30 60 90 120"),
    ("strip-121", 121, PHONE, "121 START 30 60 90 120"),
    ("strip-121", 61, DESK, "61 START 30 60"),
    ("strip-121", 61, PHONE, "61 START 30 60"),
    ("table-games", 121, DESK, "121 START START 30 30 60 60 90 90 120 120 GAMES"),
    ("table-games", 121, PHONE, "121 30 30 60 60 90 90 120 120 GAMES"),
    ("table-games", 61, DESK, "61 61 START START 30 30 60 60 GAMES"),
    ("table-games", 61, PHONE, "61 61 30 30 60 60 GAMES"),
    ("travel-61", 121, DESK, "121 121 START START 30/90 30/90 60/120 60/120 GAMES"),
    ("travel-61", 121, PHONE, "121 121 30/90 30/90 GAMES"),
    ("travel-61", 61, DESK, "61 61 START START 30 30 60 60 GAMES"),
    ("travel-61", 61, PHONE, "61 61 30 30 60 60 GAMES"),
    ("travel-61", 91, DESK, "91 91 START START 30/90 30/90 60 60 GAMES"),
]


def off(label: dict[str, float], place: Place) -> float:
    """Return how many millimetres *place* is off the box of *label*."""
    x = max(0.0, abs(label["x"] - place.x) - label["width"] / 2)
    y = max(0.0, abs(label["y"] - place.y) - label["height"] / 2)
    return float((x * x + y * y) ** 0.5)


def pitch(kit: Kit) -> float:
    return min(abs(one.x - other.x) for track in kit.tracks for one, other in [track.holes[4:6]])


@pytest.mark.parametrize(("kit", "target", "size", "written"), ENGRAVED)
def test_no_label_lies_on_a_hole_a_ring_another_or_the_edge(
    browser: Browser, kit: str, target: int, size: tuple[int, int], written: str
) -> None:
    companion = FakeCompanion(replace(PLAY, target=target), load_kit(kit))
    server = PageServer(companion, 0)
    server.start()
    with visit(browser, server.url, size) as page:
        labels = page.evaluate(LABELS, target)
    server.stop()
    assert " ".join(label["text"] for label in labels) == written
    board, step = companion.kit.board, pitch(companion.kit)
    for label in labels:
        assert label["width"] / 2 <= label["x"] <= board.width - label["width"] / 2, label
        assert label["height"] / 2 <= label["y"] <= board.height - label["height"] / 2, label
        for track in companion.kit.tracks:
            for place in track.holes:
                is_game_hole = place == track.place(target, target)
                room = 0.5 * step if is_game_hole else LANE * step
                assert off(label, place) > room, (label, place)
            for place in (place for row in track.games for place in row.holes):
                assert off(label, place) > LANE * step, (label, place)
            if label["text"] == "START":
                assert label["x"] + label["width"] / 2 < next(p for p in track.holes if p.hole == 1).x
    for one, other in combinations(labels, 2):
        apart = abs(one["x"] - other["x"]) >= (one["width"] + other["width"]) / 2
        assert apart or abs(one["y"] - other["y"]) >= (one["height"] + other["height"]) / 2, (one, other)


@pytest.mark.parametrize("target", [61, 121])
def test_the_game_hole_alone_has_a_ring(page: Page, companion: FakeCompanion, target: int) -> None:
    companion.change(replace(PLAY, target=target))
    page.wait_for_selector(f'#table[data-seq="{companion.seq}"]')
    step = pitch(companion.kit)
    for track in companion.kit.tracks:
        for place in track.holes:
            if place.hole in {10, 61, 121}:
                at = [place.x + 1.62 * 0.25 * step, place.y, companion.kit.board.width]
                bright = sum(page.evaluate(LOOK, at)[:3]) > 600
                assert bright == (place.hole == target), place


class AtRest(FakeCompanion):
    """A companion whose strip is what the table's own lights are, at rest."""

    def strip(self) -> bytes:
        pegs = tuple(Pegs(side.front, side.back) for side in self.scene.sides)
        games = tuple(side.games for side in self.scene.sides)
        motion = Motion(self.kit, pegs, still=True, games=games)
        return compose(self.kit, motion.lights(0.0)).data


def lit_holes(browser: Browser, kit: str, *sides: Side) -> dict[int, tuple[int, ...]]:
    """Return the LEDs whose holes look lit on the page, and how they look."""
    seats = tuple((side.name, at, 3) for at, side in enumerate(sides))
    companion = AtRest(replace(PLAY, sides=sides, seats=seats), load_kit(kit))
    tracks = companion.kit.tracks
    games = [place for track in tracks for row in track.games for place in row.holes]
    server = PageServer(companion, 0)
    server.start()
    with visit(browser, server.url) as page:
        width = companion.kit.board.width
        shown = {
            place.led: tuple(page.evaluate(LOOK, [place.x, place.y, width])[:3])
            for place in [place for track in tracks for place in track.holes] + games
        }
    server.stop()
    return {led: colour for led, colour in shown.items() if max(colour) > 110}


def test_the_games_won_look_lit_on_the_page_and_no_other_hole_of_theirs_does(browser: Browser) -> None:
    shown = lit_holes(browser, "table-games", Side("ANN", 90, 85, games=3), Side("BOB", 88, 80, games=8))
    third, first = 123, 134
    assert set(shown) == {89, 84, 168, 176, third, first}
    assert shown[third][0] > shown[third][2]
    assert shown[first][2] > shown[first][0]


def test_the_second_time_round_the_travel_board_has_a_dim_light_in_the_start(browser: Browser) -> None:
    kit = load_kit("travel-61")
    shown = lit_holes(browser, "travel-61", Side("ANN", 75, 66), Side("BOB", 58, 50))
    start, front, back = (kit.led(0, score) for score in (0, 75, 66))
    assert set(shown) == {start, front, back, kit.led(1, 58), kit.led(1, 50)}
    assert start is not None
    assert front is not None
    assert sum(shown[front]) > sum(shown[start]) + 60


@pytest.mark.parametrize(("target", "hole"), [(61, 61), (121, 61), (91, 31)])
def test_the_travel_board_has_its_ring_where_the_game_ends(browser: Browser, target: int, hole: int) -> None:
    companion = FakeCompanion(replace(PLAY, target=target), load_kit("travel-61"))
    step, width = pitch(companion.kit), companion.kit.board.width
    server = PageServer(companion, 0)
    server.start()
    with visit(browser, server.url) as page:
        page.wait_for_selector(f'#table[data-seq="{companion.seq}"]')
        ringed = {
            place.hole
            for track in companion.kit.tracks
            for place in track.holes
            if sum(page.evaluate(LOOK, [place.x + 1.62 * 0.25 * step, place.y, width])[:3]) > 600
        }
    server.stop()
    assert ringed == {hole}


def test_three_sides_light_three_tracks_and_a_front_peg_behind_is_still_the_brighter(
    browser: Browser,
) -> None:
    pegs = ((20, 26), (46, 44), (70, 61))
    kit = load_kit("table-3")
    shown = lit_holes(browser, "table-3", *(Side(str(at), *pair) for at, pair in enumerate(pegs)))
    led = {(side, hole): kit.led(side, hole) for side, pair in enumerate(pegs) for hole in pair}
    assert set(shown) == set(led.values())
    front, back = led[0, 20], led[0, 26]
    assert front is not None
    assert back is not None
    assert sum(shown[front]) > sum(shown[back]) + 60
