"""What is engraved on the page's board, in a real browser: each label has a place of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from playwright.sync_api import Browser, Page

from cribpi.kit import Kit, Place, load_kit
from cribpi.web.server import PageServer
from web.browser import needs_chromium, visit
from web.fake import PLAY, FakeCompanion

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
                room = 0.5 * step if place.hole == target else LANE * step
                assert off(label, place) > room, (label, place)
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
