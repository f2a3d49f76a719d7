"""The screens: each as its golden picture, and laws that hold for any that random keys can reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops
from support.screens import DEAL, FOUR, LONG_4, SEEN, THREE, TWO, WRONG_OLED, Evening, Seen, page

from cribpi.core.errors import RuleError
from cribpi.core.events import Entry
from cribpi.core.state import Phase, State
from cribpi.entry.desk import Setup
from cribpi.entry.keys import KEYS
from cribpi.entry.reply import Refusal
from cribpi.views import prompts, texts
from cribpi.views.canvas import COLUMNS, HEIGHT, WIDTH
from cribpi.views.screen import compose, draw
from cribpi.views.screens.notes import title_of
from cribpi.views.screens.sheet import MARK_LEFT, ROWS, Sheet, Text, key_width, paint
from cribpi.views.screens.wording import fitted

GOLDEN = Path(__file__).parents[1] / "golden" / "screens"
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "screens.md"
REDRAW = "look at the picture, and if it is right: pytest tests/views --redraw-golden"
INK = {"small": 7, "medium": 15, "big": 24}
"""Height in px of what can be lit in a text of each face; a small letter's tail may hang one px lower."""

ALL = [pytest.param(seen, id=seen.name) for seen in SEEN]


def texts_of(sheet: Sheet) -> set[tuple[str, str]]:
    return {(text.size, text.text) for text in sheet.texts()}


def box(text: Text) -> tuple[int, int, int, int]:
    return text.x, text.y, text.x + text.width, text.y + INK[text.size]


def wrong(sheet: Sheet, state: State) -> Iterator[str]:
    """Tell what is wrong with *sheet*, whatever it shows."""
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


# --- pictures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", ALL)
def test_a_screen_looks_like_its_golden_picture(seen: Seen, *, redraw: bool) -> None:
    path = GOLDEN / f"{seen.name}.png"
    picture = paint(seen.sheet())
    if redraw:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path, optimize=True)
    with Image.open(path) as golden:
        difference = ImageChops.logical_xor(picture, golden.convert("1")).getbbox()
    assert difference is None, f"{seen.name} differs within {difference}: {REDRAW}"


def test_every_golden_picture_belongs_to_a_screen() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {seen.name for seen in SEEN}


def test_no_two_screens_look_the_same() -> None:
    pictures = {paint(seen.sheet()).tobytes(): seen.name for seen in SEEN}
    assert len(pictures) == len(SEEN)


def test_the_page_about_the_screens_is_as_the_screens_are(*, redraw: bool) -> None:
    if redraw:
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page(), REDRAW


@pytest.mark.parametrize("seen", ALL)
def test_a_screen_is_whole(seen: Seen) -> None:
    assert list(wrong(seen.sheet(), seen.evening().state)) == []


# --- laws -------------------------------------------------------------------------------------------

WORDS = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcgpyÄé 1", min_size=1, max_size=12).filter(
    lambda name: name == " ".join(name.split())
)
SETUPS = st.builds(
    Setup,
    players=st.sampled_from([2, 3, 4]),
    target=st.sampled_from([61, 121]),
    entry=st.sampled_from(["cards", "peg"]),
    names=st.lists(WORDS, max_size=4, unique=True).map(tuple),
)
KEYS_OFTEN = st.integers(0, 12) | st.sampled_from([*KEYS, "7H", "JC", "10S"])
"""A number stands for one of the keys that make sense when it is pressed."""
TROUBLES = st.sampled_from([(), WRONG_OLED, (*WRONG_OLED, "strip: its bus is busy " * 8)])


def meant(evening: Evening, key: int | str) -> str:
    if isinstance(key, str):
        return key
    sensible = prompts.keys(evening.state, evening.desk)
    return sensible[key % len(sensible)]


@given(SETUPS, st.lists(KEYS_OFTEN, min_size=10, max_size=120), TROUBLES, st.integers())
def test_whatever_is_pressed_the_screen_is_whole(
    setup: Setup, keys: list[int | str], trouble: tuple[str, ...], shift: int
) -> None:
    evening = Evening(setup).press("OK OK A 5 9 K")
    for key in keys:
        evening.press(meant(evening, key))
        state = evening.state
        sheet = compose(
            state, evening.desk, evening.refusal, trouble=trouble, may_undo=bool(evening.told), shift=shift
        )
        assert list(wrong(sheet, state)) == []
        assert (("small", texts.TROUBLE) in texts_of(sheet)) == bool(trouble)
    picture = draw(evening.state, evening.desk, evening.refusal, trouble=trouble, shift=shift)
    assert (picture.mode, picture.size) == ("1", (WIDTH, HEIGHT))
    assert picture.getbbox() is not None


@given(st.sampled_from([TWO, THREE, FOUR, LONG_4]), st.lists(KEYS_OFTEN, min_size=10, max_size=60))
def test_in_the_play_the_count_is_the_largest_thing_and_the_room_is_told(
    setup: Setup, keys: list[int | str]
) -> None:
    evening = Evening(setup).press("OK OK A 5 9 K 4")
    for key in keys:
        evening.press(meant(evening, key))
        state, deal = evening.state, evening.state.deal
        open_beside = evening.desk.dialog or evening.refusal
        if state.phase is not Phase.PLAY or deal is None or not deal.pile or open_beside:
            continue
        shown = texts_of(compose(state, evening.desk))
        assert [text for size, text in shown if size == "big"] == [str(deal.count)]
        assert ("small", f"{31 - deal.count} to 31") in shown


def test_the_name_in_turn_is_lit_and_no_other() -> None:
    for keys, lit in (("OK OK", 0), ("OK OK 7", 1), (DEAL, 1), (f"{DEAL} 5", 0), (f"{DEAL} 5 9", 1)):
        evening = Evening().press(keys)
        plates = [item for item in compose(evening.state, evening.desk).items if not isinstance(item, Text)]
        on_top = [plate.x for plate in plates if plate.kind == "invert" and plate.y == 0]
        assert [x > WIDTH // 2 for x in on_top] == [bool(lit)], keys


def test_each_card_still_held_is_a_bar() -> None:
    evening = Evening().press(f"{DEAL} 5")
    for played in range(5):
        bars = [
            item
            for item in compose(evening.state, evening.desk).items
            if not isinstance(item, Text) and item.kind == "fill" and (item.width, item.height) == (3, 5)
        ]
        assert len(bars) == 8 - played
        evening.press("A 2 3 4".split()[played % 4])


# --- the idle screen, and trouble ---------------------------------------------------------------------


def test_the_idle_screen_moves_and_stays_whole() -> None:
    evening = Evening()
    pictures = {draw(evening.state, evening.desk, shift=shift).tobytes(): shift for shift in range(-8, 8)}
    assert len(pictures) == 8
    for shift in pictures.values():
        assert list(wrong(compose(evening.state, evening.desk, shift=shift), evening.state)) == []


@pytest.mark.parametrize("keys", ["", "MENU", f"{DEAL} MENU"])
def test_the_idle_screen_and_the_menu_tell_the_trouble_in_full(keys: str) -> None:
    evening = Evening().press(keys)
    sheet = compose(evening.state, evening.desk, trouble=WRONG_OLED)
    said = " ".join(text.text for text in sheet.texts())
    assert "nothing answers at its address; check its four wires" in said


def test_of_several_troubles_the_idle_screen_tells_one_after_the_other() -> None:
    evening = Evening()
    said = [
        " ".join(
            text.text
            for text in compose(evening.state, evening.desk, trouble=("strip: a", "oled: b"), shift=n).texts()
        )
        for n in range(3)
    ]
    assert ["strip: a" in line for line in said] == [True, False, True]
    assert ["oled: b" in line for line in said] == [False, True, False]


# --- texts ------------------------------------------------------------------------------------------


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from strings(item)


CATALOGUE = [(name, text) for name, value in vars(texts).items() if name.isupper() for text in strings(value)]
WORST: dict[str, Any] = {
    "points": "+121", "card": "10♥", "room": 31, "sum": 41, "limit": 31, "number": 121, "count": 30,
    "before": 120, "after": 121, "games": "10-10-10", "skunk": "skunk", "what": "his heels", "key": "P2",
    "rank": "QUEENS", "told": "BLUE +1 last",
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), CATALOGUE, ids=[f"{name}: {text}" for name, text in CATALOGUE])
def test_no_text_of_the_catalogue_is_longer_than_a_line(name: str, text: str) -> None:
    line = fitted(text, name="BARTHOLOMEW1", **WORST)
    assert len(line) <= COLUMNS, name
    if "{name}" in text:
        assert "BAR" in line.upper(), f"{name} leaves no room for a name"


def test_the_keys_of_every_screen_leave_room_for_the_mark_of_trouble() -> None:
    for seen in SEEN:
        for text in replace(seen, trouble=()).sheet().texts():
            assert text.y != ROWS[-1] or text.x + text.width <= MARK_LEFT - 1, f"{seen.name}: {text}"


def test_every_family_of_refusals_has_a_title() -> None:
    families: list[type[RuleError]] = RuleError.__subclasses__()
    for family in families:
        families.extend(family.__subclasses__())
    assert len(families) == len(texts.ERRORS)
    for family in families:
        assert title_of(Refusal(family("why not"))) == texts.ERRORS[family]
    assert title_of(Refusal(OSError("full"))) == texts.NOT_SAVED


def test_a_key_is_as_wide_as_it_is_drawn() -> None:
    sheet = Sheet()
    sheet.keys(("OK", "start"))
    cap, label = sheet.texts()
    assert label.x + label.width - cap.x == key_width("OK", "start")


def test_a_game_kept_by_points_shows_no_cards_left() -> None:
    evening = Evening(Setup(entry="peg")).press(f"{DEAL} OK OK")
    assert evening.state.entry is Entry.PEG
    assert evening.state.phase is Phase.PLAY
    fills = [item for item in compose(evening.state, evening.desk).items if not isinstance(item, Text)]
    assert not [item for item in fills if (item.width, item.height) == (3, 5)]
