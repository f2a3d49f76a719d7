"""The lights on the page's board, in a real browser."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from companion.web.browser import DEVICE, TABLE, looks, needs_chromium, show, visit, wait_until
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import DEAL, score
from playwright.sync_api import Browser, Page

from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.views.board.layout import upright, with_own_tracks
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

LIT = 110
"""What the brightest part of a lit hole's colour is above."""
RINGS = """() => [...document.querySelectorAll(".rings circle")].map((ring) =>
  ["cx", "cy"].map((name) => Number(ring.getAttribute(name))))"""

BY_PEGS = NextGame(entry="peg")
WIN_1, WIN_2 = score("P1", 121), score("P2", 121)


@pytest.fixture(scope="session")
def path() -> str:
    return DEVICE


def test_the_ring_is_at_the_game_hole_of_this_game(page: Page, companion: RehearsedClient) -> None:
    for target in (61, 121):
        show(page, companion, Scene(DEAL, NextGame(target=target)))
        wanted = [[*place.at] for track in companion.kit.tracks if (place := track.place(target))]
        wait_until(page, lambda: page.evaluate(RINGS) == wanted)  # noqa: B023  it ends within the round


def sides_of(companion: RehearsedClient) -> Any:  # noqa: ANN401  JSON
    return companion.state()["sides"]


def lit_holes(page: Page, companion: RehearsedClient, scene: Scene) -> dict[int, tuple[int, ...]]:
    """Return the LEDs whose holes look lit on the page, and how they look."""
    kit, width = companion.kit, companion.kit.board.width
    show(page, companion, scene)
    lights = companion.strip()
    rows = [place for track in kit.tracks for row in track.games for place in row.holes]
    places = {place.led: place.at for track in kit.tracks for place in [*track.holes, *rows]}
    lit = [places[led] for led in range(len(lights) // 3) if any(lights[3 * led : 3 * led + 3])]
    wait_until(page, lambda: min(map(max, looks(page, width, lit))) > LIT)
    shown = looks(page, width, places.values())
    return {led: at for led, at in zip(places, shown, strict=True) if max(at) > LIT}


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
        drawn = upright(with_own_tracks(companion.kit, 3))
        width, places = drawn.board.width, [[hole.at for hole in track.holes] for track in drawn.tracks]
        lit = [places[side][hole] for side, pair in enumerate(pegs) for hole in pair]
        wait_until(page, lambda: min(map(max, looks(page, width, lit))) > LIT)
        orange, blue, white = looks(
            page, width, [places[side][front] for side, (front, _) in enumerate(pegs)]
        )
        assert orange[0] > orange[2] + 60
        assert blue[2] > blue[0] + 60
        assert max(white) - min(white) < 40
        dark = [places[side][hole] for side in range(3) for hole in range(122) if hole not in pegs[side]]
        assert all(max(look) <= LIT for look in looks(page, width, dark))
        page.goto(f"{server.url}#device")
        page.wait_for_selector(".device-page .board [data-led]")
        box = page.locator(".slab").bounding_box()
        kit = companion.kit.board
        assert box
        assert box["width"] / box["height"] == pytest.approx(kit.width / kit.height, abs=0.01)
