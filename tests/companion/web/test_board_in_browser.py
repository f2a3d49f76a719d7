"""What is engraved on the page's board, in a real browser: each label has a place of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Any

import pytest
from companion.web.browser import DEVICE, LOOK, TABLE, needs_chromium, resize, show, visit, wait_until
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import DEAL, score
from playwright.sync_api import Browser, Page
from support.samples import some_of

from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.kit import HolePosition, Kit
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

LABELS = """async (targets) => {
  const { Board } = await import("/page/pegboard.js");
  const { upright } = await import("/page/board.js");
  const { skunkLines } = await import("/page/layout.js");
  const kit = await (await fetch("/api/kit")).json();
  const drawn = innerHeight > innerWidth ? upright(kit) : kit;
  const canvas = document.createElement("canvas");
  const board = new Board(document.querySelector(".board"), canvas, drawn);
  const labels = targets.map((target) => {
    board.target = target;
    return board.labels(canvas.getContext("2d"));
  });
  return { drawn, labels, skunks: skunkLines(board.lanes, 121).map(([{ x, y }]) => [x, y]) };
}"""
"""What is engraved, the kit as it is drawn, for on a screen that stands so does the board, and where its skunk lines
begin."""
LIT = "([red, green, blue]) => Math.max(red, green, blue) > 110"
LOOKS = f"(places) => places.map({LOOK})"
LANE = 0.38  # half of a lane's width, in distances between holes

BY_PEGS = NextGame(entry="peg")
WIN_1, WIN_2 = score("P1", 121), score("P2", 121)
DESK, PHONE = (1280, 800), (390, 844)
ENGRAVED = {
    # kit: size: target: what is written
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
            61: "61 61 START START 30 30",
        },
    },
    "matrix-32x8": {
        DESK: {
            121: "121 START START 30 30 60 60 90",
            61: "61 START START 30 30 60",
        },
        PHONE: {
            121: "121 START START 30 30 90",
            61: "START START 30 30",
        },
    },
}

RINGED: dict[str, dict[int, int]] = {
    # kit: target: the hole with the ring
    "table": {61: 61, 121: 121},
    "table-3": {},
    "strip-121": {},
    "table-games": {},
    "travel-61": {61: 61, 121: 61, 91: 31},
    "strip-60": {},
    "matrix-32x8": {61: 61, 121: 121},
}


@pytest.fixture(scope="session")
def path() -> str:
    return DEVICE


def off(label: dict[str, float], place: HolePosition) -> float:
    """Return how many millimetres *place* is off the box of *label*."""
    x = max(0.0, abs(label["x"] - place.x) - label["width"] / 2)
    y = max(0.0, abs(label["y"] - place.y) - label["height"] / 2)
    return float((x * x + y * y) ** 0.5)


def pitch(kit: Kit) -> float:
    return min(
        max(abs(one.x - other.x), abs(one.y - other.y))
        for track in kit.tracks
        for one, other in [track.holes[4:6]]
    )


# With the scope, what is tried with a kit is tried together, on one page.
@pytest.mark.parametrize("kit", some_of(ENGRAVED, 0, 1), scope="module")
def test_no_label_lies_on_a_hole_a_ring_another_or_the_edge_and_the_game_hole_alone_has_a_ring(
    page: Page, companion: RehearsedClient, kit: str
) -> None:
    for target, hole in RINGED[kit].items():
        show(page, companion, Scene(DEAL, NextGame(target=target)))
        wanted = [(at, hole) for at in range(len(companion.kit.tracks))]
        wait_until(page, lambda: ringed(page, companion.kit) == wanted)  # noqa: B023  it ends within the round
    for size, written in ENGRAVED[kit].items():
        resize(page, *size)
        found = page.evaluate(LABELS, list(written))
        drawn = as_drawn(companion.kit, found["drawn"])
        skunks = found["skunks"]
        for at_90, at_60, beside in zip(skunks[::3], skunks[1::3], skunks[2::3], strict=True):
            assert dist(at_60, beside) < 3 < dist(at_90, at_60), "the line at 60 is double"
        for (target, words), labels in zip(written.items(), found["labels"], strict=True):
            assert " ".join(label["text"] for label in labels) == words, (size, target)
            assert_all_have_room(drawn, target, labels)


def as_drawn(kit: Kit, drawn: dict[str, Any]) -> Kit:
    """Return *kit* with its holes where they are drawn."""

    def moved(holes: tuple[HolePosition, ...], to: list[dict[str, float]]) -> tuple[HolePosition, ...]:
        return tuple(replace(hole, x=place["x"], y=place["y"]) for hole, place in zip(holes, to, strict=True))

    tracks = (
        replace(
            track,
            holes=moved(track.holes, to["holes"]),
            games=tuple(
                replace(row, holes=moved(row.holes, place["holes"]))
                for row, place in zip(track.games, to["games"], strict=True)
            ),
        )
        for track, to in zip(kit.tracks, drawn["tracks"], strict=True)
    )
    size = drawn["board"]
    return replace(
        kit, board=replace(kit.board, width=size["width"], height=size["height"]), tracks=tuple(tracks)
    )


def assert_all_have_room(kit: Kit, target: int, labels: list[dict[str, Any]]) -> None:
    board, step = kit.board, pitch(kit)
    for label in labels:
        assert label["width"] / 2 <= label["x"] <= board.width - label["width"] / 2, label
        assert label["height"] / 2 <= label["y"] <= board.height - label["height"] / 2, label
        for track in kit.tracks:
            for place in track.holes:
                is_game_hole = place == track.place(target, target)
                room = 0.5 * step if is_game_hole else LANE * step
                assert off(label, place) > room, (label, place)
            for place in (place for row in track.games for place in row.holes):
                assert off(label, place) > LANE * step, (label, place)
            if label["text"] == "START":
                first = next(p for p in track.holes if p.hole == 1)
                is_lying = board.width > board.height
                if is_lying:
                    assert label["x"] + label["width"] / 2 < first.x
                else:
                    assert label["y"] - label["height"] / 2 > first.y
    for one, other in combinations(labels, 2):
        apart = abs(one["x"] - other["x"]) >= (one["width"] + other["width"]) / 2
        assert apart or abs(one["y"] - other["y"]) >= (one["height"] + other["height"]) / 2, (one, other)


def ringed(page: Page, kit: Kit) -> list[tuple[int, int]]:
    """Return the holes that have a ring, each with its track."""
    step, width = pitch(kit), kit.board.width
    places = [(at, place) for at, track in enumerate(kit.tracks) for place in track.holes]
    colours = page.evaluate(LOOKS, [[place.x + 1.62 * 0.25 * step, place.y, width] for _, place in places])
    return [
        (at, place.hole) for (at, place), colour in zip(places, colours, strict=True) if sum(colour[:3]) > 500
    ]


def sides_of(companion: RehearsedClient) -> Any:  # noqa: ANN401  JSON
    return companion.state()["sides"]


def lit_holes(page: Page, companion: RehearsedClient, scene: Scene) -> dict[int, tuple[int, ...]]:
    """Return the LEDs whose holes look lit on the page, and how they look."""
    kit, width = companion.kit, companion.kit.board.width
    show(page, companion, scene)
    lights = companion.strip()
    rows = [place for track in kit.tracks for row in track.games for place in row.holes]
    places = {place.led: [place.x, place.y, width] for track in kit.tracks for place in [*track.holes, *rows]}
    lit = [places[led] for led in range(len(lights) // 3) if any(lights[3 * led : 3 * led + 3])]
    page.wait_for_function(f"(places) => ({LOOKS})(places).every(({LIT}))", arg=lit)
    shown = page.evaluate(LOOKS, [*places.values()])
    return {led: tuple(at[:3]) for led, at in zip(places, shown, strict=True) if max(at[:3]) > 110}


@pytest.mark.parametrize("kit", ["table-games"], scope="module")
def test_the_games_won_look_lit_on_the_page_and_no_other_hole_of_theirs_does(
    page: Page, companion: RehearsedClient
) -> None:
    games = " OK ".join([f"{DEAL} {WIN_1}", *[WIN_1] * 2, *[WIN_2] * 8])
    scene = Scene(games, BY_PEGS).then(f"OK OK OK {score('P1', 85)} {score('P2', 80)} 5 P1 8 P2")
    shown = lit_holes(page, companion, scene)
    third, first = 123, 134
    assert set(shown) == {89, 84, 168, 176, third, first}
    assert shown[third][0] > shown[third][2]
    assert shown[first][2] > shown[first][0]


@pytest.mark.parametrize("kit", ["travel-61"], scope="module")
def test_the_second_time_round_the_travel_board_has_a_dim_light_in_the_start(
    page: Page, companion: RehearsedClient
) -> None:
    scene = Scene(f"{DEAL} OK OK {score('P1', 66)} {score('P2', 50)} 9 P1 8 P2", BY_PEGS)
    shown, led = lit_holes(page, companion, scene), companion.kit.led
    start, front, back = (led(0, score) for score in (0, 75, 66))
    assert set(shown) == {start, front, back, led(1, 58), led(1, 50)}
    assert start is not None
    assert front is not None
    assert sum(shown[front]) > sum(shown[start]) + 60


@pytest.mark.parametrize("kit", ["table-3"], scope="module")
def test_three_sides_light_three_tracks_and_a_front_peg_behind_is_still_the_brighter(
    page: Page, companion: RehearsedClient
) -> None:
    pegs = ((20, 26), (46, 44), (70, 61))
    to_there = f"{score('P1', 26)} {score('P2', 44)} {score('GO', 61)} 3 P1 2 P2 9 GO P1 2 {'P1 ' * 9}OK"
    scene = Scene(f"{DEAL} 9 OK OK {to_there}", replace(BY_PEGS, players=3))
    shown = lit_holes(page, companion, scene)
    assert [(side["front"], side["back"]) for side in sides_of(companion)] == list(pegs)
    led = {(side, hole): companion.kit.led(side, hole) for side, pair in enumerate(pegs) for hole in pair}
    assert set(shown) == set(led.values())
    front, back = led[0, 20], led[0, 26]
    assert front is not None
    assert back is not None
    assert sum(shown[front]) > sum(shown[back]) + 60


PLACES = """async () => {
  const { withOwnTracks } = await import("/page/tracks.js");
  const { upright } = await import("/page/board.js");
  const { kit } = await import("/page/store.js");
  const drawn = upright(withOwnTracks(kit.value, 3));
  return drawn.tracks.map(({ holes }) => holes.map(({ x, y }) => [x, y, drawn.board.width]));
}"""
"""Where the holes of three tracks are: for each side its start and its 121 holes."""


@pytest.mark.parametrize(
    ("to_there", "pegs"),
    [
        ("", ((0, 0), (0, 0), (0, 0))),
        (
            f"OK OK {score('P1', 26)} {score('P2', 44)} {score('GO', 61)} 3 P1 2 P2 9 GO",
            ((29, 26), (46, 44), (70, 61)),
        ),
    ],
)
def test_where_three_would_share_a_track_each_has_one_on_the_page(
    browser: Browser,
    server: PageServer,
    companion: RehearsedClient,
    to_there: str,
    pegs: tuple[tuple[int, int], ...],
) -> None:
    with visit(browser, server.url, path=TABLE) as page:
        show(page, companion, Scene(f"{DEAL} 9 {to_there}", replace(BY_PEGS, players=3)))
        assert [(side["front"], side["back"]) for side in sides_of(companion)] == [
            tuple(pair) for pair in pegs
        ]
        places = page.evaluate(PLACES)
        lit = [places[side][hole] for side, pair in enumerate(pegs) for hole in pair]
        page.wait_for_function(f"(places) => ({LOOKS})(places).every(({LIT}))", arg=lit)
        orange, blue, white = (
            page.evaluate(LOOKS, [places[side][front]])[0][:3] for side, (front, _) in enumerate(pegs)
        )
        assert orange[0] > orange[2] + 60
        assert blue[2] > blue[0] + 60
        assert max(white) - min(white) < 40
        dark = [places[side][hole] for side in range(3) for hole in range(122) if hole not in pegs[side]]
        assert all(max(look[:3]) <= 110 for look in page.evaluate(LOOKS, dark))
        page.goto(f"{server.url}#device")
        page.wait_for_selector(".device-page .board canvas")
        width, height = (page.locator(".board canvas").get_attribute(name) for name in ("width", "height"))
        kit = companion.kit.board
        assert int(width or 0) / int(height or 1) == pytest.approx(kit.width / kit.height, abs=0.01)
