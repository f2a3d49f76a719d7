"""Keys that Hypothesis presses in tests of screens, and checks that apply to every screen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hypothesis import strategies as st

from cribpi.companion.entry.house import House
from cribpi.companion.entry.keys import KEYS
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.views.screen.canvas import HEIGHT, WIDTH, PlacedText
from cribpi.companion.views.screen.sheet import Sheet
from cribpi.cribbage.game.state import State
from support.screens import (
    CHOSEN_4,
    DRAWN,
    LOST,
    MATCH_OF_1,
    MUGGINS,
    MUGGINS_3,
    ONE_COUNT,
    RENEGE_3,
    TRAVEL,
    WRONG_OLED,
)

INK = {"small": 7, "medium": 15, "narrow": 15, "big": 24}
"""Maximum height in pixels of a text in each font. The tail of a small letter may be one pixel lower."""


def box(text: PlacedText) -> tuple[int, int, int, int]:
    return text.x, text.y, text.x + text.width, text.y + INK[text.size]


def wrong(sheet: Sheet, state: State) -> Iterator[str]:
    """Yield the faults of *sheet* that do not depend on its content."""
    for text in sheet.texts():
        left, top, right, bottom = box(text)
        if left < 0 or top < 0 or right > WIDTH or bottom > HEIGHT:
            yield f"{text} is not all on the glass"
    for one, other in combinations(sheet.texts(), 2):
        a, b = box(one), box(other)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            yield f"{one} and {other} run into each other"
    shown = " ".join(text.text for text in sheet.texts() if text.y < 8).split()
    for side, points in enumerate(state.scores()):
        if str(points) not in shown:
            yield f"the score of side {side}, {points}, is not on top"


WORDS = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcgpyÄé<#\\ 1", min_size=1, max_size=40).filter(
    lambda name: name == " ".join(name.split())
)
SETUPS = st.builds(
    NextGame,
    players=st.sampled_from([2, 3, 4]),
    target=st.sampled_from([61, 121]),
    entry=st.sampled_from(["cards", "peg", "dealt"]),
    house=st.builds(House, st.lists(WORDS, max_size=4, unique=True).map(tuple)),
    levels=st.lists(st.sampled_from(["", "", "thrifty"]), max_size=4).map(tuple),
) | st.sampled_from([LOST, MUGGINS, MUGGINS_3, ONE_COUNT, TRAVEL, DRAWN, CHOSEN_4, MATCH_OF_1, RENEGE_3])


KEYS_OFTEN = st.integers(0, 12) | st.sampled_from([*KEYS, "7H", "JC", "10S"])
"""Keys to press. A number selects one of the keys that make sense at that moment."""


TROUBLES = st.sampled_from([(), WRONG_OLED, (*WRONG_OLED, "strip: its bus is busy " * 8)])
