"""The canvas: what is drawn, where it lands, and that nothing drawn past the edge is an error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from cribpi.companion.views.screen.canvas import (
    CELL,
    COLUMNS,
    FACES,
    HEIGHT,
    ROWS,
    SMALL,
    WIDTH,
    Align,
    Canvas,
    Size,
    fit,
)

GLASS = (0, 0, WIDTH, HEIGHT)
places = st.integers(-200, 200)
sizes = st.integers(-5, 200)
aligns: st.SearchStrategy[Align] = st.sampled_from(["left", "centre", "right"])


def rows(canvas: Canvas, box: tuple[int, int, int, int]) -> list[str]:
    """Return the pixels of *box* (left, top, right, bottom) as they look."""
    area = canvas.picture().crop(box)
    return [
        "".join("#" if area.getpixel((x, y)) else "." for x in range(area.width)) for y in range(area.height)
    ]


def lit(canvas: Canvas) -> tuple[int, int, int, int] | None:
    """Return the least box that holds all that is lit, or None."""
    return canvas.picture().getbbox()


def pixels(canvas: Canvas) -> bytes:
    return canvas.picture().tobytes()


def drawn(*acts: Callable[[Canvas], None]) -> Canvas:
    canvas = Canvas()
    for act in acts:
        act(canvas)
    return canvas


def test_a_new_canvas_is_a_dark_one_bit_glass() -> None:
    picture = Canvas().picture()
    assert (picture.mode, picture.size, picture.getbbox()) == ("1", (128, 64), None)


def test_a_picture_is_a_copy_that_later_drawing_does_not_change() -> None:
    canvas = Canvas()
    before = canvas.picture()
    canvas.text(0, 0, "GO")
    assert before.getbbox() is None
    assert lit(canvas) is not None


def test_a_golden_word_stands_in_its_cells() -> None:
    canvas = drawn(lambda c: c.text(0, 0, "7♦ go"))
    assert rows(canvas, (0, 0, 32, 8)) == [
        ".#####..........................",
        ".....#...#......................",
        ".....#..###.........####..###...",
        "....#..#####.......#...#.#...#..",
        "...#....###........#...#.#...#..",
        "...#.....#..........####.#...#..",
        "...#...................#..###...",
        "....................###.........",
    ]


def test_a_golden_word_in_inverse_has_light_above_it_and_to_its_left() -> None:
    canvas = drawn(lambda c: c.write(2, 1, "GO", inverse=True))
    assert rows(canvas, (0, 0, 16, 10)) == [
        ".#############..",
        ".##...###...##..",
        ".#.###.#.###.#..",
        ".#.#####.###.#..",
        ".#.#...#.###.#..",
        ".#.###.#.###.#..",
        ".#.###.#.###.#..",
        ".##....##...##..",
        ".#############..",
        "................",
    ]


def test_a_golden_count_is_24_px_high() -> None:
    assert rows(drawn(lambda c: c.write(0, 0, "1", "big")), (0, 0, 17, 25)) == [
        ".....####........",
        "....#####........",
        "..#######........",
        ".########........",
        ".########........",
        ".###.####........",
        *[".....####........"] * 14,
        *[".############...."] * 4,
        ".................",
    ]


def test_a_golden_go_is_15_px_high() -> None:
    canvas = drawn(lambda c: c.write(0, 0, "I-", "medium"))
    assert rows(canvas, (0, 0, 14, 16)) == [
        *["##............"] * 7,
        *["##...######..."] * 2,
        *["##............"] * 6,
        "..............",
    ]


def test_every_cell_of_the_glass_takes_a_character_of_its_own() -> None:
    whole = Canvas()
    for row in range(ROWS):
        whole.text(0, row, "█" * COLUMNS)
    assert lit(whole) == (1, 0, 127, 64)
    for column in range(COLUMNS):
        for row in range(ROWS):
            canvas = Canvas()
            canvas.text(column, row, "█")
            left, top = 1 + 6 * column, 8 * row
            assert lit(canvas) == (left, top, left + 6, top + 8)


@pytest.mark.parametrize("size", ["small", "medium", "big"])
def test_a_text_begins_at_its_left_or_ends_before_its_right_or_lies_about_its_middle(size: Size) -> None:
    text = "00"
    width = FACES[size].width_of(text)
    begins: dict[Align, int] = {"left": 64, "right": 64 - width, "centre": 64 - width // 2}
    for align, left in begins.items():
        canvas = Canvas()
        canvas.write(64, 20, text, size, align=align)
        box = lit(canvas)
        assert box is not None
        assert (box[0], box[2], box[1]) == (left, left + width, 20), align


def test_a_text_replaces_what_was_in_its_cells() -> None:
    assert pixels(drawn(lambda c: c.text(3, 2, "@@@"), lambda c: c.text(3, 2, "a i"))) == pixels(
        drawn(lambda c: c.text(3, 2, "a i")),
    )


def test_a_text_past_the_right_edge_is_cut_off_there() -> None:
    long = drawn(lambda c: c.text(0, 1, "0123456789" * 1000))
    assert pixels(long) == pixels(
        drawn(lambda c: c.text(0, 1, "012345678901234567890"), lambda c: c.text(21, 1, "1"))
    )


def test_a_text_past_the_left_edge_shows_its_end() -> None:
    assert pixels(drawn(lambda c: c.text(-2, 0, "ABGO"))) == pixels(
        drawn(lambda c: c.text(-1, 0, "B"), lambda c: c.text(0, 0, "GO")),
    )


@given(places, places, st.text(), aligns, st.booleans())
def test_any_text_may_be_written_anywhere(x: int, y: int, text: str, align: Align, inverse: bool) -> None:  # noqa: FBT001 - Hypothesis fills it
    canvas = Canvas()
    canvas.text(x, y, text, inverse=inverse)
    canvas.write(x, y, text, align=align, inverse=inverse)
    canvas.write(x, y, text, "medium", align=align)
    canvas.write(x, y, text, "big", align=align)
    assert canvas.picture().size == (WIDTH, HEIGHT)


def test_a_box_is_an_edge_around_a_dark_inside() -> None:
    canvas = drawn(lambda c: c.invert(*GLASS), lambda c: c.box(2, 1, 5, 4))
    assert rows(canvas, (0, 0, 9, 6)) == [
        "#########",
        "#########",
        "###...###",
        "###...###",
        "#########",
        "#########",
    ]


def test_what_is_filled_is_lit_all_over() -> None:
    canvas = drawn(lambda c: c.fill(1, 1, 3, 2), lambda c: c.fill(6, 0, 0, 4), lambda c: c.fill(7, 0, 4, 0))
    assert rows(canvas, (0, 0, 9, 4)) == [".........", ".###.....", ".###.....", "........."]


@given(places, places, sizes, sizes)
def test_a_box_or_what_is_filled_never_leaves_its_rectangle(x: int, y: int, width: int, height: int) -> None:
    for canvas in (
        drawn(lambda c: c.box(x, y, width, height)),
        drawn(lambda c: c.fill(x, y, width, height)),
    ):
        box = lit(canvas)
        if box is not None:
            assert x <= box[0] <= box[2] <= x + width
            assert y <= box[1] <= box[3] <= y + height


@given(places, places, sizes, sizes)
def test_inverting_turns_each_pixel_of_the_rectangle_and_no_other(
    x: int, y: int, width: int, height: int
) -> None:
    canvas = drawn(lambda c: c.text(8, 4, "15 for 2"))
    before = canvas.picture().load()
    canvas.invert(x, y, width, height)
    after = canvas.picture().load()
    assert before is not None
    assert after is not None
    for at in ((px, py) for px in range(0, WIDTH, 3) for py in range(0, HEIGHT, 3)):
        inside = x <= at[0] < x + width and y <= at[1] < y + height
        assert (before[at] != after[at]) == inside, at


@given(places, places, sizes, sizes)
def test_inverting_twice_changes_nothing(x: int, y: int, width: int, height: int) -> None:
    canvas = drawn(lambda c: c.write(20, 20, "31", "big"))
    once = drawn(lambda c: c.write(20, 20, "31", "big"), lambda c: c.invert(x, y, width, height))
    once.invert(x, y, width, height)
    assert pixels(once) == pixels(canvas)


FITS = [
    # text             cells result            why
    ("ORANGE", 6, "ORANGE", "it just fits"),
    ("ORANGE", 5, "ORAN…", "one cell goes to the ellipsis"),
    ("ORANGE to play", 8, "ORANGE…", "no blank before the ellipsis"),
    ("ORANGE", 1, "…", "room for the ellipsis alone"),
    ("ORANGE", 0, "", "no room at all"),
    ("ORANGE", -3, "", "less than none"),
    ("", 3, "", "nothing to fit"),
]


@pytest.mark.parametrize(("text", "cells", "result", "why"), FITS)
def test_a_text_that_is_too_long_ends_in_an_ellipsis(text: str, cells: int, result: str, why: str) -> None:
    assert fit(text, cells) == result, why


@given(st.text(), st.integers(0, 30))
@example("00\N{COMBINING GRAVE ACCENT}", 2)
def test_a_fitted_text_fits_and_is_the_whole_or_a_beginning(text: str, cells: int) -> None:
    fitted, room = fit(text, cells), cells * CELL  # an accent by itself takes none
    assert SMALL.width_of(fitted) <= room
    assert fitted == text if SMALL.width_of(text) <= room else text.startswith(fitted.removesuffix("…"))


def test_the_same_drawing_gives_the_same_picture() -> None:
    def screen(canvas: Canvas) -> None:
        canvas.write(1, 1, "28", "medium")
        canvas.write(1, 20, "22", "big")
        canvas.box(39, 47, 88, 5)
        canvas.write(2, 56, "BLUE to play", inverse=True)

    assert pixels(drawn(screen)) == pixels(drawn(screen))
    assert isinstance(drawn(screen).picture(), Image.Image)
