"""The picture of a game for sharing: its texts, its board with both pegs, and its scores by deal."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from xml.etree import ElementTree as ET

import pytest
from support.greedy_games import greedy_game
from support.paths import PACKAGE

from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.board.layout import OWN, must_share
from cribpi.companion.views.game_picture import INKS, SIZE, game_svg
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.results.games import course, won_by
from cribpi.cribbage.rules.seats import SKUNK_LINE

SVG = "{http://www.w3.org/2000/svg}"
BEGAN = "2026-09-08T12:00:00.000+00:00"
LONG = '<img src="/page/wood.webp"> & 🦊 محمد'
PLAYERS = [("Ann", "Bob"), ("Ann", "Bob", "Cleo"), ("Ann", "Bob", "Cleo", "Dan")]


@cache
def ended(seed: int, names: tuple[str, ...]) -> State:
    return fold(greedy_game(seed, names))


def drawn(state: State, kit: str = "table") -> ET.Element:
    return ET.fromstring(game_svg(load_kit(kit), state, BEGAN))  # noqa: S314  our own


def texts(svg: ET.Element) -> list[str]:
    return [text.text or "" for text in svg.iterfind(f"{SVG}g/{SVG}text")]


@pytest.mark.parametrize("names", PLAYERS, ids=len)
def test_the_picture_says_the_result_names_scores_and_day(names: tuple[str, ...]) -> None:
    state = ended(3, names)
    said = texts(drawn(state))
    assert said[0] == won_by(state)
    assert {state.side_name(side) for side in range(state.sides)} <= set(said)
    assert {str(score) for score in state.scores()} <= set(said)
    assert ("skunk" in said) == (min(state.scores()) <= SKUNK_LINE)
    assert said[-1] == "to 121 · 8 September 2026"
    assert sum(text.startswith("Best ") for text in said) == 1


def test_a_skunk_is_beside_the_title() -> None:
    state = ended(1, ("Ann", "Bob"))
    assert won_by(state) == "Ann wins by 64"
    assert texts(drawn(state))[1] == "double skunk"


def test_partners_win_together() -> None:
    assert won_by(ended(4, PLAYERS[2])) == "Bob and Dan win by 25"


@pytest.mark.parametrize("kit", ["table", "table-3", "table-games", "strip-121", "travel-61"])
@pytest.mark.parametrize("names", PLAYERS[:2], ids=len)
def test_the_board_has_both_pegs_of_each_side(kit: str, names: tuple[str, ...]) -> None:
    state = ended(3, names)
    circles = list(drawn(state, kit).iter(f"{SVG}circle"))
    leds = {
        (hole.get("cx"), hole.get("cy")): int(hole.attrib["data-led"])
        for hole in circles
        if "data-led" in hole.attrib
    }
    lit = {leds[spot.get("cx"), spot.get("cy")] for spot in circles if spot.get("class") == "lit"}
    has_own = must_share(load_kit(kit), len(names))
    for side, pegs in enumerate(state.pegs):
        for hole in (pegs.front, pegs.back):
            led = OWN * side + hole if has_own else load_kit(kit).led(side, hole)
            assert led in lit, (side, hole)


@pytest.mark.parametrize("names", PLAYERS, ids=len)
def test_each_side_has_a_line_of_its_scores_by_deal(names: tuple[str, ...]) -> None:
    state = ended(3, names)
    lines = {
        line.get("stroke"): line.attrib["d"]
        for line in drawn(state).iterfind(f"{SVG}g/{SVG}path")
        if line.get("stroke") in INKS
    }
    assert list(lines) == list(INKS[: state.sides])
    for line in lines.values():
        assert line.count("L") == len(course(state.ledger))
    heights = [float(line.rpartition(" ")[2]) for line in lines.values()]
    order = sorted(range(state.sides), key=lambda side: -state.scores()[side])
    assert sorted(range(state.sides), key=heights.__getitem__) == order


def test_a_long_name_keeps_all_its_letters_and_its_room() -> None:
    svg = drawn(ended(2, ("Ann", LONG)))
    name = next(text for text in svg.iterfind(f"{SVG}g/{SVG}text") if text.text == LONG)
    assert "textLength" in name.attrib or float(name.attrib["font-size"]) < 38
    assert LONG in unescape("".join(texts(svg)))
    wide = drawn(ended(2, ("Ann", "W" * 40)))
    room = [text.get("textLength") for text in wide.iterfind(f"{SVG}g/{SVG}text") if text.text == "W" * 40]
    assert len(room) == 1
    assert 0 < float(room[0] or 0) < SIZE[0] / 2


def test_the_colours_of_sides_are_the_pages() -> None:
    css = (PACKAGE / "companion" / "web" / "page" / "base.css").read_text(encoding="utf-8")
    assert tuple(re.findall(r"--side-\d: (#\w+);", css)) == INKS
